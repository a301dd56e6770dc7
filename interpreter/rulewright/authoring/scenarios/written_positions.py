"""A state written as the position with which a case begins, as short as the language of cases allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from rulewright.authoring.scenarios.drawings import DRAWN, WITH
from rulewright.game.library import flow
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_at
from rulewright.program.form import BoardMap, Counter, Program, StateZone, Type
from rulewright.runtime import position
from rulewright.runtime.machine import Machine
from rulewright.runtime.position import TABLE, Laid, PositionError, Spot
from rulewright.runtime.state import State
from rulewright.syntax.formatter import formatted

_MOST_TRIED = 200
"""Zones in which pieces start that are tried one by one."""
_FEWEST_DRAWN = 4
_EMPTY_SPACE = "-"

GivenPosition = Mapping[str, Any]
"""What stands below `given`: texts, lists and mappings of them."""


def given(
    machine: Machine, names: Sequence[str], s: State, *, phase: str, round_number: int, ordered: bool = True
) -> dict[str, Any]:
    """The position of a state, for the beginning of a phase. names: of the seats; ordered: whether the order of zones
    counts into which nobody sees, or in which pieces start; else what is shorter without it is told so.

    Raises PositionError for a phase that there is not, or a state with more in a zone than there is room for.
    """
    writer = _PositionWriter(machine, names, s, phase, round_number, ordered)
    writer.shorten()
    return writer.written()


class _PositionWriter:
    def __init__(
        self, machine: Machine, names: Sequence[str], s: State, phase: str, round_number: int, ordered: bool
    ) -> None:
        self.machine, self.names, self.phase, self.round, self.ordered = machine, names, phase, round_number, ordered
        self.program, self.layout = machine.program, machine.program.layout
        self.spaces = {_spot(space): space for space in self.layout.spaces}
        self.starting = set(self.program.starts)
        self.zones = {
            spot: Laid(tuple(self._names(s, space)))
            for spot, space in self.spaces.items()
            if s[space.address] or space.address in self.starting
        }
        self.counters = dict(self._counted(s))
        self.wanted = self._seen(self._built(self.zones))

    def _names(self, s: State, space: StateZone) -> Iterator[str]:
        for piece in s[space.address]:
            yield type_at(self.program, self.program.look(s, piece)).name

    def _counted(self, s: State) -> Iterator[tuple[Spot, dict[int, Any]]]:
        """What is not as it begins, for each word or 0, by counter and owner."""
        for counter in self.layout.counters:
            for owner in range(counter.owners):
                cells = counter.cells_of(owner)
                held = {}
                for word, cell in enumerate(cells):
                    begins = () if counter.type.many else counter.starts(cell - counter.address)
                    if s[cell] != begins:
                        held[word] = s[cell]
                if held:
                    yield (counter.name, owner if counter.of else TABLE), held

    def _built(self, zones: Mapping[Spot, Laid]) -> State:
        roles = [None] * self.layout.seats
        return position.build(self.machine, 0, roles, {}, phase=self.phase, zones=zones, counters={}, round_number=1)

    def _seen(self, s: State) -> list[Sequence[int]]:
        """What lies in each zone, in an order that counts."""
        looks: list[Sequence[int]] = [
            [self.program.look(s, piece) for piece in s[space.address]] for space in self.layout.spaces
        ]
        if self.ordered:
            return looks
        loose = [space.seen_by == "nobody" or space.address in self.starting for space in self.layout.spaces]
        return [sorted(found) if any_ else found for found, any_ in zip(looks, loose, strict=True)]

    def shorten(self) -> None:
        """Leave out what comes about by itself."""
        by_size = sorted(self.zones, key=lambda spot: -len(self.zones[spot].pieces))
        starting = [spot for spot in by_size if self.spaces[spot].address in self.starting]
        if self._take({spot: laid for spot, laid in self.zones.items() if spot not in starting}):
            return
        unseen = [spot for spot in by_size if self.spaces[spot].seen_by == "nobody"]
        for spot in (*unseen, *starting):
            if self._take({**self.zones, spot: Laid(rest=True)}):
                break
        for spot in starting[:_MOST_TRIED]:
            self._take({other: laid for other, laid in self.zones.items() if other != spot})

    def _take(self, zones: dict[Spot, Laid]) -> bool:
        """Whether other zones come to the same position: then they are taken."""
        try:
            same = self._seen(self._built(zones)) == self.wanted
        except PositionError:
            return False
        if same:
            self.zones = zones
        return same

    # ── writing ──

    def written(self) -> dict[str, Any]:
        found: dict[str, Any] = {"phase": self.phase}
        if self.round != 1:
            found["round"] = str(self.round)
        seats: dict[str, dict[str, Any]] = {}
        of_words: dict[str, dict[int, Any]] = {}
        for (name, owner), laid in self.zones.items():
            of, said = self.spaces[name, owner].of, self._laid(laid)
            if of == SEAT:
                seats.setdefault(self.names[owner], {})[name] = said
            elif of:
                of_words.setdefault(name, {})[owner] = _single(said)
            else:
                found[name] = said
        found |= {name: self._of_words(name, said) for name, said in of_words.items()}
        for (name, owner), held in self.counters.items():
            counter = next(counter for counter in self.layout.counters if counter.name == name)
            told = self._held_by(counter, held)
            if counter.of == SEAT:
                seats.setdefault(self.names[owner], {})[name] = told
            elif counter.of:
                found.setdefault(name, {})[self.program.words[counter.of][owner]] = told
            else:
                found[name] = told
        return found | {name: seats[name] for name in self.names if name in seats}

    def _laid(self, laid: Laid) -> Any:
        return "rest" if laid.rest else list(laid.pieces)

    def _of_words(self, zone: str, said: Mapping[int, Any]) -> dict[str, Any]:
        of = self.spaces[zone, next(iter(said))].of
        board = next((map_ for map_ in self.program.maps if map_.spaces == of), None)
        drawn = _drawn(board, said) if board is not None and len(said) >= _FEWEST_DRAWN else None
        return drawn or {self.program.words[of][word]: what for word, what in sorted(said.items())}

    def _held_by(self, counter: Counter, held: Mapping[int, Any]) -> Any:
        told = {word: held_as_written(self.program, self.names, counter.type, cell) for word, cell in held.items()}
        if counter.by:
            return {self.program.words[counter.by][word]: one for word, one in told.items()}
        return told[0]


def held_as_written(program: Program, names: Sequence[str], type_: Type, cell: Any) -> Any:
    """What a counter holds, as a position says it."""
    if type_.many:
        return [held_as_written(program, names, replace(type_, many=False), one) for one in cell]
    if type_.base == "truth":
        return "yes" if cell else "no"
    if type_.counts:
        return str(type_.told(cell))
    if cell < 0:
        return "nobody" if type_.base == "seat" else "nothing"
    return names[cell] if type_.base == "seat" else program.words[str(type_.detail)][cell]


def _spot(space: StateZone) -> Spot:
    return space.name, space.owner if space.of else TABLE


def _single(said: Any) -> Any:
    """One piece needs no brackets, where its name is no number."""
    match said:
        case [str(name)] if not name.lstrip("-").isdigit():
            return name
    return said


def _drawn(board: BoardMap, said: Mapping[int, Any]) -> dict[str, Any] | None:
    """A picture of what lies on a board, where there are letters enough."""
    letters: dict[str, str] = {}
    meanings: dict[str, Any] = {}
    for what in said.values():
        key = flow(what)
        if key not in letters:
            letter = _EMPTY_SPACE if what == [] else next(_letters(key, set(meanings)), None)
            if letter is None:
                return None
            letters[key], meanings[letter] = letter, what
    rows = [["."] * (1 + max(c for c, _ in board.positions)) for _ in range(1 + max(r for _, r in board.positions))]
    for space, (column, row) in enumerate(board.positions):
        rows[row][column] = letters[flow(said[space])] if space in said else "."
    return {DRAWN: "".join(f"{''.join(row)}\n" for row in rows), WITH: meanings}


def _letters(key: str, taken: set[str]) -> Iterator[str]:
    """Letters for something, those with which its words begin first."""
    words = [word for word in "".join(c if c.isalpha() else " " for c in key).lower().split() if word[0].isascii()]
    for letter in [*(word[0] for word in words), *(word[0].upper() for word in words), *ascii_lowercase]:
        if letter not in taken:
            yield letter


def as_text(found: GivenPosition) -> str:
    """A position in the one form of case files: `given:` and what stands below it."""
    lines = ["edition: of this file", "seats: [of, these]", "cases:", "  case:", "    given:"]
    for key, what in found.items():
        if isinstance(what, dict) and DRAWN in what:
            lines += [f"      {flow(key)}:", f"        {DRAWN}: |"]
            lines += [f"          {row}" for row in what[DRAWN].splitlines()]
            lines.append(f"        {WITH}: {flow(what[WITH])}")
        else:
            lines.append(f"      {flow(key)}: {flow(what)}")
    whole = formatted(None, "a position", "\n".join([*lines, "    expect: {over: no}"]) + "\n").splitlines()
    begin = next(number for number, line in enumerate(whole) if line.startswith("    given:"))
    end = next(number for number, line in enumerate(whole) if line.startswith("    expect:"))
    return "\n".join(line.removeprefix("    ") for line in whole[begin:end]).rstrip() + "\n"
