"""Python source of programs' functions, one line for each instruction.

LINES has the line of each instruction, with registers as local variables. A register that is set once and used once is
inlined. Only whole numbers of the program and the lines below go into the source: no text of an edition, save or answer
can reach it. `python_backend` has what the names in the lines stand for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from rulewright.program.form import Program, Text
from rulewright.program.instructions import (
    CHANGING_VECTORS,
    MAKING_VECTORS,
    OPENING,
    OPERANDS,
    PURE,
    PURE_OVER_VECTORS,
    Instruction,
    operands_of,
)
from rulewright.program.state_layout import ANSWERS, FUEL, GAME_OVER, ME, PC, WAITING
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

_COUNTED = (
    f"if s[{ANSWERS}] >= MOST: return None\ns[{ANSWERS}] += 1; s[{FUEL}] = {FUEL_BETWEEN_DECISIONS}"  # of an answer
)
"""Python that counts an answer and refills the fuel; it leaves the game where the limit of answers is reached."""

LINES = {
    "copy": "{0} = {1}",
    "add": "{0} = {1} + {2}",
    "subtract": "{0} = {1} - {2}",
    "multiply": "{0} = {1} * {2}",
    "divide_down": "{0} = {1} // {2} if {2} else fail_at_division({3})",
    "divide_up": "{0} = -(-{1} // {2}) if {2} else fail_at_division({3})",
    "checked": "{0} = checked({1}, {2})",
    "equal": "{0} = {1} == {2}",
    "unequal": "{0} = {1} != {2}",
    "less": "{0} = {1} < {2}",
    "at_most": "{0} = {1} <= {2}",
    "shared": "{0} = {1} & {2}",
    "not": "{0} = not {1}",
    "load": "{0} = s[{2}]",
    "store": "s[{1}] = {2}",
    "store_block": "s[{1}] = {2}",
    "count": "s[{1}] = checked({2}, {3})",
    "table": "{0} = {1}[{2}]",
    "if": "if {0}:",
    "else": "else:",
    "end": "",
    "loop": "while True:",
    "spend": f"s[{FUEL}] -= 1\nif s[{FUEL}] < 0: raise OutOfFuel({{0}})",
    "for": "for {0} in {1}:",
    "break": "break",
    "again": "continue",
    "block": "",
    "goto": "return b{0}",
    "goto_value": "return B[{0}]",
    "halt": f"s[{PC}] = {GAME_OVER}; return None",
    "fail": "fail({0})",
    "vector": "{0} = []",
    "one": "{0} = ({1},) if {1} != -1 else ()",
    "push": "{0}.append({1})",
    "length": "{0} = len({1})",
    "empty": "{0} = not {1}",
    "item": "{0} = {1}[{2}]",
    "has": "{0} = {2} in {1}",
    "fixed": "{0} = {1}",
    "row": "{0} = {1}[{2} * {3}:({2} + 1) * {3}]",
    "stretch": "{0} = {1}[{1}[{2} + {3}]:{1}[{2} + {3} + 1]]",
    "read": "{0} = s[{2}]",
    "keep": "s[{2}] = tuple({0})",
    "as_tuple": "{0} = tuple({1})",
    "numbers": "{0} = list(range({1}, 1 + min({2}, {1} + {3} - 1)))",
    "join": "{0} = [*{1}, *{2}]",
    "unite": "{0} = list(dict.fromkeys([*{1}, *{2}]))",
    "greatest": "{0} = max({1}, default=0)",
    "smallest": "{0} = min({1}, default=0)",
    "longest_run": "{0} = longest_run({1})",
    "append": "{0} += {1}",
    "tally": "{0} = sum(map(of_{2}, {1}))",
    "none_of": "{0} = in_{2}.isdisjoint({1})",
    "filter": "{0} = list(filter(of_{2}, {1}))",
    "count_of": "{0} = list(map(of_{2}, {1})).count({3})",
    "select": "{0} = [x for x in {1} if {2}[x] == {3}]",
    "within": "{0} = within({1}, {2}, {3})",
    "entries": "{0} = list(map(of_{2}, {1}))",
    "images": "{0} = images(map(of_{2}, {1}))",
    "lying": "{0} = images(sorted([{2}[s[{3} + x]] for x in {1}]))",
    "gather": "{0} = [y for x in {1} for y in s[{2} + x]]",
    "beside": "{0} = beside({1}, {2}, {3})",
    "reached": "{0} = reached(s, {1}, {2}, {3}, {4})",
    "slice": "{0} = {1}[{2}:{2} + {3}]",
    "front": "{0} = {1}[:{2} if {2} > 0 else 0]",
    "back": "{0} = {1}[::-1][:{2} if {2} > 0 else 0]",
    "sort": "{0} = sort({0}, {rest})",
    "rank": "{0}, {1} = rank({0}, {rest})",
    "largest_group": "{0} = largest_group({1}, {2}, {3})",
    "move": "move(s, {0}, {1}, {2})",
    "move_all": "move_all(s, {0}, {1}, {2})",
    "fitting": "{0} = fitting({1}, {2}, {3})",
    "spill": "spill(s, {0}, {1})",
    "sift": "sift(s, {0}, {1}, {2}, {3})",
    "deal": "deal(s, {0}, {1}, {2}, {3}, {4})",
    "pour": "pour(s, {0}, {1})",
    "shuffle": "shuffle(s, {0})",
    "swap": "swap(s, {0}, {1})",
    "mingle": "mingle(s, {0})",
    "show": "show(s, {0}, {1}, {2})",
    "forget": "forget(s, {0})",
    "random": "{0} = below(s, {1})",
    "draw": "{0} = draw(s, {0}, {1})",
    "ask": "asked.append(OpenDecision({0}, {1}, {2}, {3}, {4}, {arguments} if out is not None else ()))\n{asked}",
    "wait": f"s[{PC}] = {{0}}; return None",
    "told": "if out is not None:",
    "tell": f"out.append(({{0}}, s[{ME}], {{arguments}}))",
    "answer": "return [{rest}]",
    "pick": f"{_COUNTED}\n{{0}} = pick(asked, {{1}}, {{2}}, {{3}})",
    "pick_one": f"{_COUNTED}\n{{0}} = ({{1}}[int(asked() * len({{1}}))],)",
    "pick_up_to_one": f"{_COUNTED}\n{{0}} = ({{1}}[n - 1],) if (n := int(asked() * (len({{1}}) + 1))) else ()",
    "pick_alike": f"{_COUNTED}\n{{0}} = pick_alike(s, asked, {{1}}, {{2}}, {{3}}, {{4}}, {{5}})",
    "noted": "pass",  # statistics are counted by native code only
}
"""Python of each instruction: {0}, {1} … are its operands, {rest} all others; of `ask` and `tell`, {arguments} are
those of the text, and {asked} is what follows a question. What a line of a pure instruction assigns can be inlined."""
assert LINES.keys() == OPERANDS.keys()
_TWICE = frozenset(name for name, line in LINES.items() if re.search(r"\{([1-9])\}.*\{\1\}", line))
"""Instructions whose lines use an operand twice, so that it is not inlined."""
_HARMLESS = frozenset(["copy", "vector", "push", "append"])
"""Instructions before which a later read of the state may be moved."""


def function_source(program: Program, name: str, parameters: str, code: Sequence[Instruction], block: int) -> str:
    """Return the source of a function that runs some code. block: its number, to be resumed at, if it is one."""
    return "\n".join([f"def {name}({parameters}):", *_Writer(program, code, block).lines()])


class _Writer:
    """Writer of one function's lines: expressions that are used once wait until then, and are inlined."""

    def __init__(self, program: Program, code: Sequence[Instruction], block: int) -> None:
        self._program, self._code, self._block = program, code, block
        self._lines: list[str] = []
        self._nested: list[str] = []
        self._telling = -1
        self._waiting: dict[str, tuple[str, str]] = {}  # register -> operation and expression to be inlined
        self._once = self._find_inlinable()
        self._tuples = self._find_tuples()

    def _find_tuples(self) -> set[int]:
        """Return the vectors that are always tuples, never lists."""
        making: dict[int, set[str]] = {}
        for instruction in self._code:
            name = str(instruction[0])
            if name in MAKING_VECTORS or name in CHANGING_VECTORS:
                making.setdefault(int(instruction[1]), set()).add(name)
            if name == "rank":
                making.setdefault(int(instruction[2]), set()).add(name)
        return {number for number, names in making.items() if names <= _TUPLES}

    def _find_inlinable(self) -> set[str]:
        """Return the names of the registers and vectors that are set once and used once."""
        names = list(map(_registers, self._code))
        times_set = Counter(chain.from_iterable(each.targets for each in names))
        used = Counter(chain.from_iterable(each.used for each in names))
        return {name for name, count in times_set.items() if count == 1 and used[name] == 1}

    def lines(self) -> list[str]:
        """Write all instructions; return the indented lines of the function's body. Only once."""
        for instruction in self._code:
            self._write_instruction(instruction)
        return self._lines or [" pass"]

    def _write_instruction(self, instruction: Instruction) -> None:
        """Write an instruction's line, or hold it back to be inlined where it is used."""
        operation = str(instruction[0])
        line = self._line_of(instruction)
        if operation in PURE and (target := line.partition(" = ")[0]) in self._once:
            self._waiting[target] = (operation, f"({line.partition(' = ')[2]})")
            return
        if operation in _HARMLESS:
            self._flush(PURE_OVER_VECTORS, f"{'r' if operation == 'copy' else 'V'}{instruction[1]}")
        else:
            self._flush()
        if operation == "end":
            self._close()
            return
        if operation == "else":
            if self._lines[-1].endswith(":"):
                self._write("pass")
            self._lines.append(" " * len(self._nested) + "else:")
            return
        self._write(line)
        if operation == "tell":
            self._telling = int(instruction[1])
        if operation in OPENING:
            self._nested.append(operation)
        if operation == "told":
            self._write("try:")
            self._nested.append("try")

    def _write(self, lines: str) -> None:
        """Add lines at the present depth."""
        self._lines += [" " * (len(self._nested) + 1) + line for line in lines.split("\n")]

    def _close(self) -> None:
        """End the innermost nest, which has at least one line; of a text also the one around it, with its `except`."""
        if self._lines[-1].endswith(":"):
            self._write("pass")
        if self._nested.pop() == "try":  # an error in a text must not end the game
            self._write(f"except RuleError: out.append(({self._telling}, s[{ME}], None))")
            self._nested.pop()

    def _flush(self, operations: frozenset[str] = PURE, changed: str = "-") -> None:
        """Write held-back results of these operations, and those that use `changed`, a register about to change."""
        for target, (operation, expression) in list(self._waiting.items()):
            if operation in operations or re.search(rf"\b{changed}\b", expression):
                del self._waiting[target]
                self._write(f"{target} = {expression[1:-1]}")

    def _line_of(self, instruction: Instruction) -> str:
        """Return an instruction's line, with what waits for it inlined."""
        operation = str(instruction[0])
        if operation in ("ask", "tell"):
            return self._ask_or_tell(instruction)
        if operation == "vector" and instruction[1] in self._tuples:
            return f"V{instruction[1]} = ()"
        if operation in ("keep", "as_tuple") and instruction[1 + (operation == "as_tuple")] in self._tuples:
            return _format_line(instruction, self._use, LINES[operation].replace("tuple", ""))
        if self._waiting and not self._waiting.keys().isdisjoint(_registers(instruction).used):
            return _format_line(instruction, self._use)
        return _plain_line(instruction)

    def _ask_or_tell(self, instruction: Instruction) -> str:
        """Return the line of a question or an emitted text, with the arguments of its text."""
        number = int(instruction[1])
        words = [_operand_text(kind, operand, False, self._use) for kind, operand in operands_of(instruction)]
        spelt, rest = words[: len(OPERANDS[str(instruction[0])]) - 1], words[len(OPERANDS[str(instruction[0])]) - 1 :]
        asks = instruction[0] == "ask"
        text = self._program.sites[number].ask if asks else self._program.texts[number]
        arguments = f"({' '.join(_arguments(text, rest))})"
        next_line = self._line_after_question(number, spelt[1]) if asks else ""
        return LINES[str(instruction[0])].format(*spelt, arguments=arguments, asked=next_line)

    def _line_after_question(self, site: int, seat: str) -> str:
        """Return the line after a question: stop, or continue with the next seat of an `at once`."""
        number = self._program.sites[site].sealed
        if number < 0:
            return f"s[{PC}] = {self._block}; return None"
        sealed = self._program.sealed[number]
        cells = f"s[{sealed.ask_block} + {seat}] = {self._block}; s[{sealed.next_block} + {seat}] = {WAITING}"
        return f"{cells}; return b{sealed.block}"

    def _use(self, name: str) -> str:
        """Return the expression that waits for a register's use, which it then no longer does; else the name."""
        return self._waiting.pop(name)[1] if name in self._waiting else name


def _arguments(text: Text, words: list[str]) -> list[str]:
    """Return the Python texts of a text's arguments, each with a comma. Pieces come with their appearance and their
    zones, which decide who may see them."""
    values = [
        f"located(s, {word})" if type_.base == "piece" else word for word, type_ in zip(words, text.types, strict=False)
    ]
    for slot, zones in zip(text.passed, words[len(values) :], strict=True):
        values[slot] = f"passed({values[slot]}, {zones})"
    return [f"{argument}," for argument in values]


class _Registers(NamedTuple):
    """Names that an instruction sets, and those that it uses, with repetitions for repeated or changed ones."""

    targets: tuple[str, ...]
    used: tuple[str, ...]


@lru_cache(maxsize=100_000)
def _registers(instruction: Instruction) -> _Registers:
    """Return the names of the registers and vectors in an instruction."""
    names_set: list[str] = []
    used: list[str] = []
    name = str(instruction[0])
    for place, (kind, operand) in enumerate(operands_of(instruction)):
        if kind == "d" or (kind == "V" and place == 0 and name in MAKING_VECTORS):
            names_set.append(f"{'r' if kind == 'd' else 'V'}{operand}")
        elif kind == "V":
            used += [f"V{operand}"] * (1 + (name in _TWICE or (name in CHANGING_VECTORS and place == 0)))
        elif kind == "v" and not operand & 1:
            used += [f"r{operand >> 1}"] * (1 + (name in _TWICE))
    return _Registers(tuple(names_set), tuple(used))


@lru_cache(maxsize=100_000)
def _plain_line(instruction: Instruction) -> str:
    """Return an instruction's line with nothing inlined."""
    return _format_line(instruction, str)


def _format_line(instruction: Instruction, use: Callable[[str], str], pattern: str = "") -> str:
    """Return an instruction's line. use: returns the text for a register; pattern: instead of the one of LINES."""
    operation = str(instruction[0])
    kinds = OPERANDS[operation]
    makes = operation in MAKING_VECTORS
    words = [
        _operand_text(kind, number, makes and place == 0, use)
        for place, (kind, number) in enumerate(operands_of(instruction))
    ]
    spelt, rest = words[: len(kinds.rstrip("+"))], words[len(kinds.rstrip("+")) :]
    if (place := kinds.find("c")) >= 0:
        spelt[place + 1] = _sum(spelt[place], spelt[place + 1])
    return (pattern or LINES[operation]).format(*spelt, rest=", ".join(rest))


def _operand_text(kind: str, number: int, makes: bool, use: Callable[[str], str]) -> str:
    """Return the Python text of an operand. makes: whether the instruction makes it."""
    if kind == "v":
        return str(number >> 1) if number & 1 else use(f"r{number >> 1}")
    if kind == "V":
        return f"V{number}" if makes else use(f"V{number}")
    return f"{_PREFIX[kind]}{number}"


def _sum(cell: str, index: str) -> str:
    """Return the text of the sum of a cell's number and an index, worked out if the index is constant."""
    if index.isdigit():
        return str(int(cell) + int(index))
    return index if cell == "0" else f"{cell} + {index}"


_PICKS = ("pick", "pick_one", "pick_up_to_one", "pick_alike")
"""Instructions that answer at random instead of asking."""
_PREFIX = {"d": "r", "k": "", "L": "", "T": "T", "P": "P"}
"""Beginnings of the names of operands by their kind; a number alone is a constant."""
_TUPLES = frozenset(["vector", "one", "fixed", "row", "stretch", "read", "as_tuple", *_PICKS])
"""Instructions whose vectors are or can be tuples."""
