"""Elimination of repeated computations on sets that have not changed.

Figures and terms are expanded wherever they are used, and often compute the same: the zones of a seat's pieces,
the words of a condition. Sets, numbers from sets, and loops that only fill a set are reused. Code that
costs fuel stays, so that games end alike with and without this pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import count

from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.instructions import (
    MAKING_VECTORS,
    PURE,
    Instruction,
    is_constant,
    number_in,
    operands_of,
    register_value,
)
from rulewright.program.passes.simplification import names_set_by

_SHARED = frozenset(["lying", "within", "beside", "images", "entries", "count_of", "tally"])
"""Operations that are expensive enough. Their cheap inputs stay beside them."""

_DIRECTING = frozenset(["if", "else", "end", "for", "loop", "break", "again"])
"""Instructions that only direct the flow of control."""
_HARMLESS = frozenset(["fail", "checked", "divide_down", "divide_up", "spend", "push", "append", "sort", "rank"])
"""Operations that change no cell and no zone, though they may change a vector or end the game."""

_FILLING = frozenset(
    ["if", "else", "end", "for", "break", "again", "push", "fail", "checked", "divide_down", "divide_up"]
)
"""Operations allowed in a loop that fills a set."""


def share_computations(body: list[Node]) -> list[Node]:
    """Return a block in which no expensive computation on sets is repeated."""
    if not any(instruction[0] in _SHARED for instruction in flatten(body)):
        return body
    return _ValueNumbering(body).body(body)


class _ValueNumbering:
    """Value numbering of one block."""

    def __init__(self, body: list[Node]) -> None:
        self._occurrences = Counter(name for instruction in flatten(body) for name in _names(instruction))
        self._new = count()
        self._values: dict[str, int] = {}  # value number of each register and vector: equal for equal contents
        self._locations: dict[Hashable, tuple[str, int]] = {}  # where each computed value is, and its value number
        self._empty: set[int] = set()  # value numbers of empty sets
        self._state = next(self._new)  # of all cells and zones

    def body(self, nodes: Sequence[Node]) -> list[Node]:
        """Return nodes in which repeated computations are copies of earlier results."""
        result: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                self._append_nest(node, result)
            else:
                result.append(self._replace(node))
        return result

    def _value_number(self, name: str) -> int:
        """Return the value number of a register or vector; a new one at its first mention."""
        if name not in self._values:
            self._values[name] = next(self._new)
        return self._values[name]

    # ── instructions ──

    def _replace(self, instruction: Instruction) -> Instruction:
        """Return an instruction, or a copy of an earlier equal result; record what it computes."""
        name = instruction[0]
        if name not in PURE:
            self._invalidate([instruction])
            return instruction
        sort = "V" if name in MAKING_VECTORS else "r"
        target = f"{sort}{instruction[1]}"
        key = (name, self._state, *map(self._value_of_operand, operands_of(instruction)[1:]))
        if name == "vector":
            self._values[target] = next(self._new)
            self._empty.add(self._values[target])
            return instruction
        if name == "as_tuple" or (name == "copy" and not is_constant(int(instruction[2]))):
            same = f"V{instruction[2]}" if sort == "V" else f"r{number_in(int(instruction[2]))}"
            self._values[target] = self._value_number(same)
            return instruction
        if (place := self._location(key)) is None:
            self._values[target] = next(self._new)
            self._locations[key] = target, self._values[target]
            return instruction
        self._values[target] = self._values[place]
        if name not in _SHARED or place == target:
            return instruction
        number = int(place[1:])
        return ("as_tuple", instruction[1], number) if sort == "V" else ("copy", instruction[1], register_value(number))

    def _location(self, key: Hashable) -> str | None:
        """Return a register or vector that still holds a computed value; None if there is none."""
        place, value = self._locations.get(key, ("", -1))
        return place if place and self._values.get(place) == value else None

    def _value_of_operand(self, operand: tuple[str, int]) -> tuple[str, int]:
        """Return what stands for an operand in a key: the value number of a register or vector, else the operand."""
        name = _name(*operand)
        return ("", self._value_number(name)) if name else operand

    def _invalidate(self, code: Sequence[Instruction]) -> None:
        """Give new value numbers to what some code sets, and to the state if it may change."""
        for instruction in code:
            for name in names_set_by(instruction):
                self._values[name] = next(self._new)
            if instruction[0] not in PURE and instruction[0] not in _HARMLESS and instruction[0] not in _DIRECTING:
                self._state = next(self._new)

    # ── nests ──

    def _append_nest(self, nest: Nest, result: list[Node]) -> None:
        """Append a nest; a loop that fills a vector as an earlier one did becomes a copy."""
        code = flatten([nest])
        if (filled := self._filled_vector(nest, code)) is not None:
            key = ("loop", self._state, *self._canonical(code))
            place = self._location(key)
            if place is not None:
                result.append(("as_tuple", filled, int(place[1:])))
                self._values[f"V{filled}"] = self._values[place]
                return
            self._append_branches(nest, code, result)
            self._locations[key] = f"V{filled}", self._value_number(f"V{filled}")
            return
        self._append_branches(nest, code, result)

    def _append_branches(self, nest: Nest, code: Sequence[Instruction], result: list[Node]) -> None:
        """Append a nest with repetitions in its branches replaced; what holds in one branch is forgotten after it."""
        if nest.loops:
            self._invalidate(code)  # by earlier rounds
        else:
            self._invalidate([nest.opening])
        before, state, values = dict(self._locations), self._state, dict(self._values)
        body = self.body(nest.body)
        self._locations, self._state, self._values = dict(before), state, dict(values)
        other = self.body(nest.other)
        self._locations, self._state, self._values = before, state, values
        self._invalidate(code)
        result.append(Nest(nest.opening, body, other))

    def _filled_vector(self, nest: Nest, code: Sequence[Instruction]) -> int | None:
        """Return the vector that a loop fills, if it does nothing else and the vector was empty before; else None."""
        if nest.opening[0] != "for" or any(i[0] not in PURE and i[0] not in _FILLING for i in code):
            return None
        filled = {int(i[1]) for i in code if i[0] == "push"}
        inside = Counter(name for i in code for name in _names(i))
        temporaries = {name for i in code if i[0] in PURE or i[0] in ("for", "checked") for name in names_set_by(i)}
        if len(filled) != 1 or self._value_number(f"V{max(filled)}") not in self._empty:
            return None
        if any(inside[name] != self._occurrences[name] for name in temporaries):
            return None
        return filled.pop()

    def _canonical(self, code: Sequence[Instruction]) -> list[Hashable]:
        """Return code with its own results numbered in the order of appearance, for comparison."""
        own: dict[str, int] = {}
        for instruction in code:
            for name in names_set_by(instruction):
                own.setdefault(name, len(own))
        result: list[Hashable] = []
        for instruction in code:
            result.append(instruction[0])
            for kind, number in operands_of(instruction):
                name = _name(kind, number)
                result.append((kind, number) if not name else (own[name],) if name in own else self._value_number(name))
        return result


def _names(instruction: Instruction) -> list[str]:
    """List the registers and vectors of an instruction."""
    return [name for operand in operands_of(instruction) if (name := _name(*operand))]


def _name(kind: str, number: int) -> str:
    """Return the name of an operand's register or vector, or ''."""
    match kind:
        case "V":
            return f"V{number}"
        case "d":
            return f"r{number}"
        case "v" if not is_constant(number):
            return f"r{number_in(number)}"
    return ""
