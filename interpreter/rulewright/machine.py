"""The machine: a program's reference executor.

Every instruction means one line of Python, given in `_LINES`. A block becomes a Python function made of such lines,
with registers as its local variables. Nothing but whole numbers of the program and the lines below goes into that
source: no text of an edition, save or answer can reach it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulewright.diagnostics import RulewrightError
from rulewright.generator import below, draw, seeded, shuffle
from rulewright.program import FUEL, GAME_OVER, ME, OPERATIONS, PC, PHASE, RANDOM, Instruction, Program
from rulewright.state import State

Events = list[tuple[Any, ...]]

FUEL_BETWEEN_DECISIONS = 1_000_000
LARGEST_NUMBER = 2**31 - 1


class RuleError(RulewrightError):
    """The rules of an edition cannot go on: it divides by zero, never stops, or its numbers explode."""


class Asked:
    """One seat's open decision: the site's number, what may be answered, how many, and the text's arguments."""

    __slots__ = ("arguments", "candidates", "least", "most", "seat", "site")

    def __init__(self, site: int, seat: int, candidates: list[int], least: int, most: int, arguments: tuple[Any, ...]):
        self.site, self.seat, self.candidates = site, seat, candidates
        self.least, self.most, self.arguments = least, most, arguments


# {0}, {1} … are an instruction's operands, already spelt; {n} is a plain number, {rest} all that is left.
_LINES = {
    "copy": "{0} = {1}",
    "add": "{0} = {1} + {2}",
    "subtract": "{0} = {1} - {2}",
    "multiply": "{0} = {1} * {2}",
    "divide_down": "{0} = {1} // {2} if {2} else _divide({3})",
    "divide_up": "{0} = -(-{1} // {2}) if {2} else _divide({3})",
    "equal": "{0} = {1} == {2}",
    "unequal": "{0} = {1} != {2}",
    "less": "{0} = {1} < {2}",
    "at_most": "{0} = {1} <= {2}",
    "not": "{0} = not {1}",
    "load": "{0} = s[{1} + {2}]",
    "store": "s[{0} + {1}] = {2}",
    "count": "s[{0} + {1}] = _counted({2}, {3})",
    "table": "{0} = {1}[{2}]",
    "if": "if {0}:",
    "else": "else:",
    "end": "",
    "loop": "while True:",
    "for": "for {0} in {1}:",
    "break": "break",
    "block": "",
    "goto": "return {0}",
    "goto_cell": "return s[{0} + {1}]",
    "halt": f"s[{PC}] = {GAME_OVER}; return {GAME_OVER}",
    "fail": "_fail({0})",
    "vector": "{0} = []",
    "push": "{0}.append({1})",
    "length": "{0} = len({1})",
    "item": "{0} = {1}[{2}]",
    "fixed": "{0} = {1}",
    "row": "{0} = {1}[{2} * {3}:({2} + 1) * {3}]",
    "read": "_a = {1} + {2}; {0} = s[_a + 1:_a + 1 + s[_a]]",
    "keep": "_keep(s, {1} + {2}, {0})",
    "sort": "{0}, {rest} = _sort({0}, {rest})",
    "classes": "{0} = _classes({rest})",
    "largest_group": "{0} = _largest_group({1}, {2}, {3})",
    "move": "_move(s, {0}, {1}, {2})",
    "pour": "_pour(s, {0}, {1})",
    "shuffle": "_shuffle(s, {0})",
    "swap": "_swap(s, {0}, {1})",
    "random": "{0} = _below(s, {1})",
    "draw": "{0} = _draw(s, {0}, {1})",
    "ask": "return _asked({0}, {1}, {2}, {3}, {4}, {arguments} if out is not None else ())",
    "wait": "return None",
    "told": "if out is not None:",
    "tell": "out.append(({0}, s[1], {arguments}))",
    "answer": "return [{rest}]",
}
_OPENING = frozenset(name for name, line in _LINES.items() if line.endswith(":"))
_LOOPING = ("loop", "for")

assert _LINES.keys() == OPERATIONS.keys()


class Machine:
    """Runs one program. Holds no game: any number of states may be run by it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._sealed_at = {sealed.block: sealed for sealed in program.sealed}
        compiled = _Translation(program)
        self._blocks: list[Callable[[State, Events | None], Any]] = compiled.blocks()
        self._functions: list[Callable[[State, int], tuple[Any, ...]]] = compiled.functions()

    def new(self, seed: int, roles: Sequence[int] = (), options: Sequence[int] | None = None) -> State:
        """A state before its set-up. roles: of each seat, -1 for none; options: the index of each option's choice."""
        program, layout = self.program, self.program.layout
        state = [0] * layout.size
        state[PC] = program.start
        state[PHASE] = -1
        state[RANDOM : RANDOM + 4] = seeded(seed)
        for piece, address in enumerate(program.starts):
            state[address] += 1
            state[address + state[address]] = piece
            state[layout.at + piece] = address
        for seat in range(layout.seats):
            state[layout.role + seat] = roles[seat] if seat < len(roles) else -1
        for index, option in enumerate(program.options):
            state[layout.option + index] = option.default if options is None else options[index]
        for counter in layout.counters:
            for seat in range(layout.seats if counter.per_seat else 1):
                state[counter.address + seat] = counter.start
        return state

    def run(self, s: State, out: Events | None = None) -> list[Asked]:
        """Run on until somebody must answer, and give the open decisions; none when the game is over.

        out: where told texts go, as (text, arguments). Raises RuleError; the state is then of no use.
        """
        blocks = self._blocks
        s[FUEL] = fuel = FUEL_BETWEEN_DECISIONS
        asked: list[Asked] = []
        pc = s[PC]
        try:
            while pc != GAME_OVER:
                fuel -= 1
                if fuel < 0:
                    raise _OutOfFuel
                to = blocks[pc](s, out)
                if to.__class__ is int:
                    pc = to
                elif to is None:
                    s[PC] = pc
                    break
                else:
                    sealed_number = self.program.sites[to.site].sealed
                    if sealed_number < 0:
                        s[PC] = pc
                        asked.append(to)
                        break
                    sealed = self.program.sealed[sealed_number]
                    s[sealed.ask_block + to.seat] = pc
                    s[sealed.next_block + to.seat] = WAITING
                    asked.append(to)
                    pc = sealed.block
        except _OutOfFuel:
            step = self.program.blocks.get(pc, "the game")
            raise RuleError(
                f"The rules never come to an end in '{step}': {FUEL_BETWEEN_DECISIONS:,} steps went by without "
                "anybody being asked. Look for a 'repeat' whose condition never changes, or phases that ask nobody."
            ) from None
        s[FUEL] = FUEL_BETWEEN_DECISIONS
        return asked

    def asked(self, s: State, out: Events | None = None) -> list[Asked]:
        """The decisions that are open now, without going on."""
        if s[PC] == GAME_OVER:
            return []
        sealed = self._sealed_at.get(s[PC])
        if sealed is None:
            asked = self._blocks[s[PC]](s, out)
            return [asked] if isinstance(asked, Asked) else []
        me, found = s[ME], []
        for seat in s[sealed.seats + 1 : sealed.seats + 1 + s[sealed.seats]]:
            if s[sealed.next_block + seat] == WAITING:
                s[ME] = seat
                found.append(self._blocks[s[sealed.ask_block + seat]](s, out))
        s[ME] = me
        return found

    def group(self, s: State) -> list[int]:
        """The seats that decide at once, while they do; else nobody."""
        sealed = self._sealed_at.get(s[PC])
        return [] if sealed is None else s[sealed.seats + 1 : sealed.seats + 1 + s[sealed.seats]]

    def answer(self, s: State, asked: Asked, chosen: Sequence[int]) -> None:
        """Put an answer, already checked, into the state. Call `run` when nobody need answer first."""
        site = self.program.sites[asked.site]
        _keep(s, site.slot + site.stride * asked.seat, chosen)
        if site.sealed < 0:
            s[PC] = site.resume
        else:
            sealed = self.program.sealed[site.sealed]
            s[sealed.next_block + asked.seat] = site.resume

    def call(self, function: int, s: State, seat: int) -> tuple[Any, ...]:
        """The results of one of the program's functions."""
        return self._functions[function](s, seat)


WAITING = -1


class _OutOfFuel(Exception):
    pass


def _fail(place: str) -> None:
    raise RuleError(f"{place}: there must be exactly one here, but there is none or there are several.")


def _divide(place: str) -> int:
    raise RuleError(f"{place}: this divides by zero.")


def _counted(number: int, place: str) -> int:
    if not -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
        raise RuleError(f"{place}: the number grows beyond {LARGEST_NUMBER:,}.")
    return int(number)


def _keep(s: State, address: int, items: Sequence[int]) -> None:
    """Write a set; the cells after it that an earlier, longer set used become zero, so equal sets are equal states."""
    before, now = s[address], len(items)
    s[address] = now
    s[address + 1 : address + 1 + now] = items
    for cell in range(address + 1 + now, address + 1 + before):
        s[cell] = 0


def _sort(items: list[int], *keys: list[int]) -> tuple[list[int], ...]:
    order = sorted(range(len(items)), key=lambda i: [key[i] for key in keys])
    return tuple([column[i] for i in order] for column in (items, *keys))


def _classes(*keys: list[int]) -> list[int]:
    classes: list[int] = []
    for i in range(len(keys[0])):
        equal = i > 0 and all(key[i] == key[i - 1] for key in keys)
        classes.append(classes[-1] + (not equal) if classes else 0)
    return classes


def _largest_group(items: list[int], keys: list[int], rank: int) -> list[int]:
    sizes: dict[int, int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    largest = sorted(sizes, key=lambda key: -sizes[key])
    if not 1 <= rank <= len(largest):
        return []
    return [item for item, key in zip(items, keys, strict=True) if key == largest[rank - 1]]


def _asked(site: int, seat: int, candidates: list[int], least: int, most: int, arguments: tuple[Any, ...]) -> Asked:
    most = min(most, len(candidates))
    return Asked(site, seat, candidates, max(0, min(least, most)), most, arguments)


class _Translation:
    """One program as Python functions."""

    def __init__(self, program: Program) -> None:
        self._program = program
        at = program.layout.at

        def move(s: State, piece: int, zone: int, under: int) -> None:
            source = s[at + piece]
            count = s[source]
            last = source + count
            index = s.index(piece, source + 1)
            if index != last:
                s[index:last] = s[index + 1 : last + 1]
            s[last] = 0
            s[source] = count - 1
            count = s[zone] + 1
            s[zone] = count
            if under:
                s[zone + 1 : zone + 1 + count] = [piece, *s[zone + 1 : zone + count]]
            else:
                s[zone + count] = piece
            s[at + piece] = zone

        def pour(s: State, source: int, zone: int) -> None:
            for piece in s[source + 1 : source + 1 + s[source]]:
                move(s, piece, zone, 0)
            shuffle_zone(s, zone)

        def swap(s: State, one: int, other: int) -> None:
            here, there = s[at + one], s[at + other]
            i, j = s.index(one, here + 1), s.index(other, there + 1)
            s[i], s[j] = other, one
            s[at + one], s[at + other] = there, here

        def shuffle_zone(s: State, zone: int) -> None:
            items = s[zone + 1 : zone + 1 + s[zone]]
            shuffle(s, items)
            s[zone + 1 : zone + 1 + len(items)] = items

        def located(s: State, pieces: list[int]) -> list[tuple[int, int]]:
            return [(piece, s[at + piece]) for piece in pieces]

        self._names: dict[str, Any] = {
            "_asked": _asked, "_below": below, "_classes": _classes, "_counted": _counted, "_divide": _divide,
            "_draw": draw, "_fail": _fail, "_keep": _keep, "_largest_group": _largest_group, "_located": located,
            "_move": move, "_pour": pour, "_shuffle": shuffle_zone, "_sort": _sort, "_swap": swap, "_OutOfFuel": _OutOfFuel,
        }  # fmt: skip
        self._names |= {f"T{n}": table for n, table in enumerate(program.tables)}
        self._names |= {f"P{n}": place for n, place in enumerate(program.places)}

    def blocks(self) -> list[Callable[[State, Events | None], Any]]:
        """The function of each block, at the block's number."""
        bodies: dict[int, list[Instruction]] = {}
        for instruction in self._program.code:
            if instruction[0] == "block":
                body = bodies.setdefault(_number(instruction[1]), [])
            else:
                body.append(instruction)
        found = self._compiled(self._function(f"b{n}", "s, out", body) for n, body in bodies.items())
        return [found.get(f"b{n}", _nowhere) for n in range(max(bodies) + 1)]

    def functions(self) -> list[Callable[[State, int], tuple[Any, ...]]]:
        """The program's functions; their parameter, a seat, is register 0."""
        codes = [function.code for function in self._program.functions]
        found = self._compiled(self._function(f"f{n}", "s, r0", code) for n, code in enumerate(codes))
        return [found[f"f{n}"] for n in range(len(codes))]

    def _compiled(self, sources: Iterable[str]) -> dict[str, Any]:
        names = dict(self._names)
        exec(compile("\n".join(sources), "<program>", "exec"), names)  # whole numbers and _LINES, nothing else
        return names

    def _function(self, name: str, parameters: str, code: Sequence[Instruction]) -> str:
        lines = [f"def {name}({parameters}):", " pass"]
        nested: list[str] = []
        for instruction in code:
            operation = str(instruction[0])
            if operation == "end":
                nested.pop()
            indent = " " * (len(nested) + (operation != "else"))
            if operation == "for" and ("for" in nested or "loop" in nested):
                lines.append(f"{indent}s[{FUEL}] -= len({_vector(instruction[2])})")
            if line := self._line(instruction):
                lines.append(indent + line)
            if operation in _OPENING:
                lines.append(indent + " pass")
                nested += [operation] * (operation != "else")
            if operation == "loop":
                lines.append(f"{indent} s[{FUEL}] -= 1")
            if operation in _LOOPING:
                lines.append(f"{indent} if s[{FUEL}] < 0: raise _OutOfFuel")
        return "\n".join(lines)

    def _line(self, instruction: Instruction) -> str:
        name, *operands = instruction
        operation = str(name)
        kinds = OPERATIONS[operation]
        count = len(kinds.rstrip("+"))
        spelt = [_SPELLINGS[kind](operand) for kind, operand in zip(kinds, operands[:count], strict=False)]
        rest = [_vector(operand) for operand in operands[count:]]
        arguments = f"({' '.join(self._arguments(operation, operands, rest))})"
        return _LINES[operation].format(*spelt, rest=", ".join(rest), arguments=arguments)

    def _arguments(self, operation: str, operands: Sequence[int | str], rest: list[str]) -> Iterable[str]:
        """A text's arguments. Pieces come with the zones they lie in, which say who may see them."""
        if operation not in ("ask", "tell"):
            return
        number = _number(operands[0])
        text = self._program.texts[number] if operation == "tell" else self._program.sites[number].ask
        for argument, type_ in zip(rest, text.types, strict=True):
            yield f"_located(s, {argument})," if type_.base == "piece" else f"{argument},"


def _number(operand: int | str) -> int:
    if type(operand) is not int:
        raise TypeError(f"a program's operands are whole numbers, not {operand!r}")
    return operand


def _register(operand: int | str) -> str:
    return f"r{_number(operand)}"


def _vector(operand: int | str) -> str:
    return f"V{_number(operand)}"


def _value(operand: int | str) -> str:
    number = _number(operand)
    return str(number >> 1) if number & 1 else f"r{number >> 1}"


_SPELLINGS: dict[str, Callable[[int | str], str]] = {
    "d": _register,
    "v": _value,
    "V": _vector,
    "k": lambda operand: str(_number(operand)),
    "L": lambda operand: str(_number(operand)),
    "T": lambda operand: f"T{_number(operand)}",
    "P": lambda operand: f"P{_number(operand)}",
}


def _nowhere(s: State, out: Events | None) -> Any:
    raise RuleError("This position does not belong to these rules.")
