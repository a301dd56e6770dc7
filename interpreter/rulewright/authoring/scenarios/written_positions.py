"""Writer of positions: a state becomes the shortest position that a case can begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from rulewright.authoring.scenarios.drawings import LEGEND_KEY, MAP_KEY
from rulewright.game.library import yaml_line
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.form import BoardMap, Program
from rulewright.program.state_layout import Counter, StateZone
from rulewright.program.value_types import Type
from rulewright.runtime import position
from rulewright.runtime.machine import Machine
from rulewright.runtime.position import TABLE, PositionError, Spot, ZoneContent
from rulewright.runtime.state import State
from rulewright.syntax.formatter import format_file

_MAX_TRIED = 200
"""Most zones with starting pieces that are tried one by one."""
_FEWEST_DRAWN = 4
"""Minimum number of spaces that are drawn; of fewer, each is named."""
_EMPTY_SPACE = "-"
"""Letter for a space that a drawing empties; a point leaves a space as it starts."""

GivenPosition = Mapping[str, Any]
"""Entries below `given`: texts, lists and mappings of them."""


def position_entries(
    machine: Machine, names: Sequence[str], s: State, *, phase: str, round_number: int, ordered: bool = True
) -> dict[str, Any]:
    """Return the entries of the position for a state at the beginning of a phase. names: of the seats; ordered: whether
    order counts in zones that nobody sees, or in which pieces start; if not, the shortest form is used. Raises
    PositionError for an unknown phase, or a zone with too many pieces."""
    writer = _PositionWriter(machine, names, s, phase, round_number, ordered)
    writer.shorten()
    return writer.entries()


class _PositionWriter:
    """Writer of one state. zones: contents to be written, at first of all zones that hold pieces or start with some;
    counters: values that differ from the beginning; target: appearances that the written zones must lead to."""

    def __init__(
        self, machine: Machine, names: Sequence[str], s: State, phase: str, round_number: int, ordered: bool
    ) -> None:
        self.machine, self.names, self.phase, self.round, self.ordered = machine, names, phase, round_number, ordered
        self.program, self.layout = machine.program, machine.program.layout
        self.spaces = {_spot(space): space for space in self.layout.zones}
        self.starting = set(self.program.starts)
        self.zones = {
            spot: ZoneContent(tuple(self._names(s, space)))
            for spot, space in self.spaces.items()
            if s[space.address] or space.address in self.starting
        }
        self.counters = dict(self._changed_counters(s))
        self.target = self._visible_looks(self._build_state(self.zones))

    def _names(self, s: State, space: StateZone) -> Iterator[str]:
        """Yield the names of the pieces in a zone, with what they count."""
        for piece in s[space.address]:
            yield type_with_marks(self.program, self.program.appearance(s, piece)).name

    def _changed_counters(self, s: State) -> Iterator[tuple[Spot, dict[int, Any]]]:
        """Yield counters that differ from the beginning: (spot, values by index of the word, or 0)."""
        for counter in self.layout.counters:
            for owner in range(counter.owners):
                cells = counter.cells_of(owner)
                values = {}
                for word, cell in enumerate(cells):
                    initial = () if counter.type.many else counter.initial(cell - counter.address)
                    if s[cell] != initial:
                        values[word] = s[cell]
                if values:
                    yield (counter.name, owner if counter.of else TABLE), values

    def _build_state(self, zones: Mapping[Spot, ZoneContent]) -> State:
        """Return the state that a position of these zones leads to. Raises PositionError."""
        roles = [None] * self.layout.seats
        return position.build(self.machine, 0, roles, {}, phase=self.phase, zones=zones, counters={}, round_number=1)

    def _visible_looks(self, s: State) -> list[Sequence[int]]:
        """Return the appearances of the pieces in each zone, in the layout's order; unless `ordered`, they are sorted
        where nobody sees the zone or pieces start in it."""
        looks: list[Sequence[int]] = [
            [self.program.appearance(s, piece) for piece in s[space.address]] for space in self.layout.zones
        ]
        if self.ordered:
            return looks
        loose = [space.seen_by == "nobody" or space.address in self.starting for space in self.layout.zones]
        return [sorted(held) if is_loose else held for held, is_loose in zip(looks, loose, strict=True)]

    def shorten(self) -> None:
        """Leave out zones, or let them take the rest of the pieces, as long as the position stays the same."""
        by_size = sorted(self.zones, key=lambda spot: -len(self.zones[spot].pieces))
        starting = [spot for spot in by_size if self.spaces[spot].address in self.starting]
        if self._accept_if_equal({spot: contents for spot, contents in self.zones.items() if spot not in starting}):
            return
        unseen = [spot for spot in by_size if self.spaces[spot].seen_by == "nobody"]
        for spot in (*unseen, *starting):
            if self._accept_if_equal({**self.zones, spot: ZoneContent(rest=True)}):
                break
        for spot in starting[:_MAX_TRIED]:
            self._accept_if_equal({other: contents for other, contents in self.zones.items() if other != spot})

    def _accept_if_equal(self, zones: dict[Spot, ZoneContent]) -> bool:
        """Use other zones if they give the same position; return whether they do."""
        try:
            same = self._visible_looks(self._build_state(zones)) == self.target
        except PositionError:
            return False
        if same:
            self.zones = zones
        return same

    # ── writing ──

    def entries(self) -> dict[str, Any]:
        """Return the entries: phase, round as text unless it is 1, the table's zones and counters, those of seats."""
        result: dict[str, Any] = {"phase": self.phase}
        if self.round != 1:
            result["round"] = str(self.round)
        seats: dict[str, dict[str, Any]] = {}
        of_words: dict[str, dict[int, Any]] = {}
        for (name, owner), contents in self.zones.items():
            owner_type, pieces = self.spaces[name, owner].of, self._piece_entries(contents)
            if owner_type == SEAT:
                seats.setdefault(self.names[owner], {})[name] = pieces
            elif owner_type:
                of_words.setdefault(name, {})[owner] = _unwrap_single(pieces)
            else:
                result[name] = pieces
        result |= {name: self._of_words(name, pieces) for name, pieces in of_words.items()}
        for (name, owner), values in self.counters.items():
            counter = next(counter for counter in self.layout.counters if counter.name == name)
            text = self._held_by(counter, values)
            if counter.of == SEAT:
                seats.setdefault(self.names[owner], {})[name] = text
            elif counter.of:
                result.setdefault(name, {})[self.program.words[counter.of][owner]] = text
            else:
                result[name] = text
        return result | {name: seats[name] for name in self.names if name in seats}

    def _piece_entries(self, laid: ZoneContent) -> Any:
        """Return the entry of a zone: 'rest' or the names of its pieces."""
        return "rest" if laid.rest else list(laid.pieces)

    def _of_words(self, zone: str, contents: Mapping[int, Any]) -> dict[str, Any]:
        """Return the entries of a zone of words: a drawing if there are many spaces of a board, else by word."""
        owner_type = self.spaces[zone, next(iter(contents))].of
        board = next((map_ for map_ in self.program.maps if map_.spaces == owner_type), None)
        drawing = _draw_board(board, contents) if board is not None and len(contents) >= _FEWEST_DRAWN else None
        return drawing or {self.program.words[owner_type][word]: entry for word, entry in sorted(contents.items())}

    def _held_by(self, counter: Counter, values: Mapping[int, Any]) -> Any:
        """Return the entry of a counter: its value, or one for each word."""
        texts = {word: counter_value(self.program, self.names, counter.type, cell) for word, cell in values.items()}
        if counter.by:
            return {self.program.words[counter.by][word]: one for word, one in texts.items()}
        return texts[0]


def counter_value(program: Program, names: Sequence[str], type_: Type, cell: Any) -> Any:
    """Return the value of a counter, as a position has it."""
    if type_.many:
        return [counter_value(program, names, replace(type_, many=False), one) for one in cell]
    if type_.base == "truth":
        return "yes" if cell else "no"
    if type_.is_number:
        return str(type_.decode(cell))
    if cell < 0:
        return "nobody" if type_.base == "seat" else "nothing"
    return names[cell] if type_.base == "seat" else program.words[str(type_.detail)][cell]


def _spot(space: StateZone) -> Spot:
    """Return a zone's spot."""
    return space.name, space.owner if space.of else TABLE


def _unwrap_single(value: Any) -> Any:
    """Unwrap a list of a single piece whose name is no number."""
    match value:
        case [str(name)] if not name.lstrip("-").isdigit():
            return name
    return value


def _draw_board(board: BoardMap, contents: Mapping[int, Any]) -> dict[str, Any] | None:
    """Return a drawing of a board's contents; None if there are too few letters."""
    letters: dict[str, str] = {}
    meanings: dict[str, Any] = {}
    for value in contents.values():
        key = yaml_line(value)
        if key not in letters:
            letter = _EMPTY_SPACE if value == [] else next(_letters(key, set(meanings)), None)
            if letter is None:
                return None
            letters[key], meanings[letter] = letter, value
    rows = [["."] * (1 + max(c for c, _ in board.positions)) for _ in range(1 + max(r for _, r in board.positions))]
    for space, (column, row) in enumerate(board.positions):
        rows[row][column] = letters[yaml_line(contents[space])] if space in contents else "."
    return {MAP_KEY: "".join(f"{''.join(row)}\n" for row in rows), LEGEND_KEY: meanings}


def _letters(key: str, used_letters: set[str]) -> Iterator[str]:
    """Yield free letters for a meaning: the initials of its words first."""
    words = [word for word in "".join(c if c.isalpha() else " " for c in key).lower().split() if word[0].isascii()]
    for letter in [*(word[0] for word in words), *(word[0].upper() for word in words), *ascii_lowercase]:
        if letter not in used_letters:
            yield letter


def as_text(position: GivenPosition) -> str:
    """Format a position as case files have it: `given:` with its entries below."""
    lines = ["edition: of this file", "seats: [of, these]", "cases:", "  case:", "    given:"]
    for key, value in position.items():
        if isinstance(value, dict) and MAP_KEY in value:
            lines += [f"      {yaml_line(key)}:", f"        {MAP_KEY}: |"]
            lines += [f"          {row}" for row in value[MAP_KEY].splitlines()]
            lines.append(f"        {LEGEND_KEY}: {yaml_line(value[LEGEND_KEY])}")
        else:
            lines.append(f"      {yaml_line(key)}: {yaml_line(value)}")
    whole = format_file(None, "a position", "\n".join([*lines, "    expect: {over: no}"]) + "\n").splitlines()
    begin = next(number for number, line in enumerate(whole) if line.startswith("    given:"))
    end = next(number for number, line in enumerate(whole) if line.startswith("    expect:"))
    return "\n".join(line.removeprefix("    ") for line in whole[begin:end]).rstrip() + "\n"
