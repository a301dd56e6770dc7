"""What has been found of sets already, and has not changed since, is not found a second time.

Figures and terms are written out wherever they are told, and often tell the same twice: where somebody's pieces lie,
which words hold. A set, or a number looked up in one, is then what it was; so is a loop that only fills a set. What
costs fuel is never left out, so that games end alike whether this was done or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import count

from rulewright.program.blocks import Nest, Node, flattened
from rulewright.program.instructions import MAKING_VECTORS, PURE, Instruction, operands_of
from rulewright.program.passes.simplification import set_in

_SHARED = frozenset(["lying", "within", "beside", "images", "entries", "count_of", "tally"])
"""What takes long enough. What these look into is quicker where it stands beside them."""

_DIRECTING = frozenset(["if", "else", "end", "for", "loop", "break", "again"])
_HARMLESS = frozenset(["fail", "checked", "divide_down", "divide_up", "spend", "push", "append", "sort", "rank"])
"""What changes no cell and no zone, though it may change a vector or end the game."""

_FILLING = frozenset(
    ["if", "else", "end", "for", "break", "again", "push", "fail", "checked", "divide_down", "divide_up"]
)
"""What may stand in a loop that fills a set."""


def shared(body: list[Node]) -> list[Node]:
    """A block in which nothing of that kind is found twice."""
    if not any(instruction[0] in _SHARED for instruction in flattened(body)):
        return body
    return _Sharing(body).body(body)


class _Sharing:
    def __init__(self, body: list[Node]) -> None:
        self._met = Counter(name for instruction in flattened(body) for name in _names(instruction))
        self._new = count()
        self._values: dict[str, int] = {}  # what each register and vector holds: equal numbers for what is equal
        self._found: dict[Hashable, tuple[str, int]] = {}  # where what has been worked out is, and its number
        self._empty: set[int] = set()  # numbers of what is empty
        self._state = next(self._new)  # of all cells and zones

    def body(self, nodes: Sequence[Node]) -> list[Node]:
        written: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                self._nest(node, written)
            else:
                written.append(self._instruction(node))
        return written

    def _value(self, name: str) -> int:
        if name not in self._values:
            self._values[name] = next(self._new)
        return self._values[name]

    # ── one by one ──

    def _instruction(self, instruction: Instruction) -> Instruction:
        name = instruction[0]
        if name not in PURE:
            self._changed([instruction])
            return instruction
        sort = "V" if name in MAKING_VECTORS else "r"
        made = f"{sort}{instruction[1]}"
        key = (name, self._state, *map(self._told, operands_of(instruction)[1:]))
        if name == "vector":
            self._values[made] = next(self._new)
            self._empty.add(self._values[made])
            return instruction
        if name == "as_tuple" or (name == "copy" and not int(instruction[2]) & 1):
            same = f"V{instruction[2]}" if sort == "V" else f"r{int(instruction[2]) >> 1}"
            self._values[made] = self._value(same)
            return instruction
        if (place := self._kept(key)) is None:
            self._values[made] = next(self._new)
            self._found[key] = made, self._values[made]
            return instruction
        self._values[made] = self._values[place]
        if name not in _SHARED or place == made:
            return instruction
        number = int(place[1:])
        return ("as_tuple", instruction[1], number) if sort == "V" else ("copy", instruction[1], 2 * number)

    def _kept(self, key: Hashable) -> str | None:
        """Where something stands that has been worked out, if it still does."""
        place, value = self._found.get(key, ("", -1))
        return place if place and self._values.get(place) == value else None

    def _told(self, operand: tuple[str, int]) -> tuple[str, int]:
        name = _name(*operand)
        return ("", self._value(name)) if name else operand

    def _changed(self, code: Sequence[Instruction]) -> None:
        """What some code sets holds something new; the state does, if it may change."""
        for instruction in code:
            for name in set_in(instruction):
                self._values[name] = next(self._new)
            if instruction[0] not in PURE and instruction[0] not in _HARMLESS and instruction[0] not in _DIRECTING:
                self._state = next(self._new)

    # ── nests ──

    def _nest(self, nest: Nest, written: list[Node]) -> None:
        code = flattened([nest])
        if (filled := self._fills(nest, code)) is not None:
            key = ("loop", self._state, *self._spelt(code))
            place = self._kept(key)
            if place is not None:
                written.append(("as_tuple", filled, int(place[1:])))
                self._values[f"V{filled}"] = self._values[place]
                return
            self._inside(nest, code, written)
            self._found[key] = f"V{filled}", self._value(f"V{filled}")
            return
        self._inside(nest, code, written)

    def _inside(self, nest: Nest, code: Sequence[Instruction], written: list[Node]) -> None:
        if nest.loops:
            self._changed(code)  # by the rounds before
        else:
            self._changed([nest.opening])
        found, state, values = dict(self._found), self._state, dict(self._values)
        body = self.body(nest.body)
        self._found, self._state, self._values = dict(found), state, dict(values)
        other = self.body(nest.other)
        self._found, self._state, self._values = found, state, values
        self._changed(code)
        written.append(Nest(nest.opening, body, other))

    def _fills(self, nest: Nest, code: Sequence[Instruction]) -> int | None:
        """The vector that a loop fills, if it does nothing else, and that was empty before."""
        if nest.opening[0] != "for" or any(i[0] not in PURE and i[0] not in _FILLING for i in code):
            return None
        filled = {int(i[1]) for i in code if i[0] == "push"}
        inside = Counter(name for i in code for name in _names(i))
        made = {name for i in code if i[0] in PURE or i[0] in ("for", "checked") for name in set_in(i)}
        if len(filled) != 1 or self._value(f"V{max(filled)}") not in self._empty:
            return None
        if any(inside[name] != self._met[name] for name in made):
            return None
        return filled.pop()

    def _spelt(self, code: Sequence[Instruction]) -> list[Hashable]:
        """Code in which what it makes itself is numbered by where it is met first."""
        own: dict[str, int] = {}
        for instruction in code:
            for name in set_in(instruction):
                own.setdefault(name, len(own))
        spelt: list[Hashable] = []
        for instruction in code:
            spelt.append(instruction[0])
            for kind, number in operands_of(instruction):
                name = _name(kind, number)
                spelt.append((kind, number) if not name else (own[name],) if name in own else self._value(name))
        return spelt


def _names(instruction: Instruction) -> list[str]:
    """The registers and vectors that stand in an instruction."""
    return [name for operand in operands_of(instruction) if (name := _name(*operand))]


def _name(kind: str, number: int) -> str:
    """That of an operand, or ''."""
    match kind:
        case "V":
            return f"V{number}"
        case "d":
            return f"r{number}"
        case "v" if not number & 1:
            return f"r{number >> 1}"
    return ""
