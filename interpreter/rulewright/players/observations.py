"""What a seat sees, as a vector of numbers: made from its view, from what it is asked, and from what it did itself.

The vector of one seat is like that of any other: owners are counted from the seat that looks, so that one policy can
play all seats. What a view holds besides, an onlooker can work out: points, powers, and the order in which pieces lie,
but for the top of piles that are seen and for rows in which places matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.players.action_space import Actions, Picks, site_names
from rulewright.program.appearance import looks_called, type_at
from rulewright.program.form import Counter, Program, StateZone, Type
from rulewright.runtime.operations import LARGEST_NUMBER, OpenDecision
from rulewright.runtime.view import HeldFor, HeldList, View, ZoneView

Vector = NDArray[np.float32]
PLACES = 8
"""Of a row in which places matter, so many are told."""


@record
class Asking:
    """What a seat is asked, what it has chosen of its answer so far, and the action that it took last, -1 for none."""

    asked: OpenDecision | None
    picks: Picks
    last: int


@record
class ZoneFields:
    """Where a zone stands in the vector. first: of its numbers; columns: of each type that may lie there, its place
    from there on, where the pieces are seen; tops, places: where the columns stand once more for the piece on top, and
    for each of the first places, or -1; known: where those for pieces that are not seen and yet known begin, or -1;
    marks: of each type, where its counters stand."""

    first: int
    columns: dict[int, int]
    seen: bool
    tops: int = -1
    places: int = -1
    known: int = -1
    marks: int = -1


class Observations:
    """The vectors of a program's games. names: what each number in them is; lowest, highest: between what it is."""

    def __init__(self, program: Program, actions: Actions) -> None:
        self._program, self._actions, self._seats = program, actions, program.layout.seats
        self.names: list[str] = []
        self._bounds: list[tuple[int, int]] = []
        seats = [f"+{other}" for other in range(self._seats)]
        self.seat = self._named(f"at seat {seat}" for seat in range(self._seats))
        self.round = self._named(["round"], (0, LARGEST_NUMBER))
        self.phase = self._named(f"phase {name}" for name, _ in program.phases)
        self.over = self._named(["game is over"])
        self.waiting = self._named(f"waiting for {other}" for other in seats)
        self.roles = self._named(f"{other} is {role}" for other in seats for role in program.roles)
        self.zones: dict[tuple[str, int], ZoneFields] = {}
        self._by_name = {type_.name: number for number, type_ in enumerate(program.types)}
        self._rows = program.told_by_place
        for space in program.layout.spaces:
            for other in range(self._seats if space.of == SEAT else 1):
                if space.of != SEAT or space.owner == 0:
                    self.zones[space.name, other if space.of == SEAT else space.owner] = self._of_zone(space, other)
        self.counters = {counter.name: self._of_counter(counter, seats) for counter in program.layout.counters}
        self.sites = self._named(f"asked {name}" for name in site_names(program))
        self.several = any(actions.several)
        several = (0, LARGEST_NUMBER)
        self.span = self._named(["least still to choose", "most still to choose"], several) if self.several else -1
        self.picks = self._named((f"chosen: {name}" for name in actions.names), several) if self.several else -1
        self.now = len(self.names)
        """So many numbers tell of this moment alone; behind them stands what the seat did last."""
        self.last = self._named(f"did last: {name}" for name in actions.names) if len(program.sites) > 1 else -1

    def __len__(self) -> int:
        return len(self.names)

    def _named(self, names: Iterable[str], bounds: tuple[int, int] = (0, 1)) -> int:
        """Add numbers; where the first of them stands. bounds: the lowest and the highest that each of them can be."""
        first = len(self.names)
        self.names += names
        self._bounds += [bounds] * (len(self.names) - first)
        return first

    @property
    def lowest(self) -> Vector:
        return np.array([low for low, _ in self._bounds], np.float32)

    @property
    def highest(self) -> Vector:
        return np.array([high for _, high in self._bounds], np.float32)

    # ── what there is ──

    def _of_zone(self, space: StateZone, other: int) -> ZoneFields:
        program, named = self._program, self._actions.zone_name(space, other)
        types = [number for number, type_ in enumerate(program.types) if type_.kind in space.holds]
        columns = {number: place for place, number in enumerate(types)}
        called = [program.types[number].name for number in types]
        if space.seen_by == "all" or (space.seen_by == "owner" and other == 0):
            pieces = (0, len(program.type_of))
            first = self._named((f"{named}: {name}" for name in called), pieces)
            top = self._named(f"{named}: {name} on top" for name in called) if space.pile and space.capacity > 1 else -1
            row = not space.pile and space.of == "" and bool(self._rows & space.holds)
            places = (
                self._named(f"{named}: {name} in place {place + 1}" for place in range(PLACES) for name in called)
                if row
                else -1
            )
            marked = any(mark.shown and mark.starts.keys() & space.holds for mark in program.layout.marks)
            changes = 2 * LARGEST_NUMBER * len(program.type_of) * len(program.layout.marks)
            counted = (f"{named}: counters of {name}, from where they began" for name in called)
            marks = self._named(counted, (-changes, changes)) if marked else -1
            return ZoneFields(first, columns, True, top, places, marks=marks)
        first = self._named([f"{named}: number of pieces"], (0, len(program.type_of)))
        known = places = -1
        if program.layout.memory >= 0:
            known = self._named((f"{named}: {name}, known" for name in called), (0, len(program.type_of)))
            if not space.pile and self._rows & space.holds:
                places = self._named(
                    f"{named}: {name}, known in place {place + 1}" for place in range(PLACES) for name in called
                )
        return ZoneFields(first, columns, False, places=places, known=known)

    def _of_counter(self, counter: Counter, seats: Sequence[str]) -> int:
        program = self._program
        owners: Sequence[str] = [""]
        if counter.of == SEAT:
            owners = [f" {other}" for other in seats]
        elif counter.of:
            owners = [f" {word}" for word in program.words[counter.of]]
        keys = [f" {word}" for word in program.words[counter.by]] if counter.by else [""]
        held = self._held_names(counter)
        named = (f"{counter.name}{owner}{key}{one}" for owner in owners for key in keys for one in held)
        return self._named(named, self._held_bounds(counter))

    def _held_bounds(self, counter: Counter) -> tuple[int, int]:
        """What a number for a counter can be: of lists how many they hold, or what they come to."""
        type_, most = counter.type, max(1, counter.most)
        if not type_.counts:
            return 0, most
        return -LARGEST_NUMBER * most, LARGEST_NUMBER * most

    def _held_names(self, counter: Counter) -> list[str]:
        """What stands for one thing that a counter holds; of lists, how often each is in it, or of numbers how many
        there are and what they come to."""
        type_ = counter.type
        if type_.base == "word":
            return [f" is {word}" for word in self._program.words[str(type_.detail)]]
        if type_.base == "seat":
            return [f" is +{other}" for other in range(self._seats)]
        if type_.many:
            return [": how many", ": sum"]
        return [""]

    def width_of(self, counter: Counter) -> int:
        """How many numbers stand for one thing that a counter holds."""
        return len(self._held_names(counter))

    # ── what a seat sees ──

    def vector(self, view: View, asking: Asking) -> Vector:
        """What the seat of a view sees."""
        found = np.zeros(len(self.names), np.float32)
        me = view.seat
        assert me is not None
        found[self.seat + me] = 1
        found[self.round] = view.round
        for number, (phase, _) in enumerate(self._program.phases):
            found[self.phase + number] = phase == view.phase
        found[self.over] = view.over
        for seat in view.waiting:
            found[self.waiting + (seat - me) % self._seats] = 1
        for seat, role in enumerate(view.roles):
            if role is not None:
                roles = self._program.roles
                found[self.roles + (seat - me) % self._seats * len(roles) + roles.index(role)] = 1
        for zone, space in zip(view.zones, self._program.layout.spaces, strict=True):
            place = (space.owner - me) % self._seats if space.of == SEAT else space.owner
            self._fill_zone(found, zone, self.zones[space.name, place])
        for counter in self._program.layout.counters:
            self._fill_counter(found, counter, view.counters[counter.name], me)
        self._fill_asking(found, asking)
        return found

    def _fill_zone(self, found: Vector, zone: ZoneView, fields: ZoneFields) -> None:
        if zone.pieces is None:
            found[fields.first] = zone.count
            for name, place in zone.known:
                column = fields.columns[self._look(name) % len(self._program.types)]
                found[fields.known + column] += 1
                if fields.places >= 0 and 0 < place <= PLACES:
                    found[fields.places + (place - 1) * len(fields.columns) + column] = 1
            return
        looks = [self._look(name) for name in zone.pieces]
        columns = [fields.columns[look % len(self._program.types)] for look in looks]
        for column in columns:
            found[fields.first + column] += 1
        if fields.tops >= 0 and columns:
            found[fields.tops + columns[-1]] = 1
        if fields.places >= 0:
            for place, column in enumerate(columns[:PLACES]):
                found[fields.places + place * len(fields.columns) + column] = 1
        if fields.marks >= 0:
            for look, column in zip(looks, columns, strict=True):
                type_ = type_at(self._program, look)
                found[fields.marks + column] += sum(held - mark.starts[type_.kind] for mark, held in type_.marks)

    def _look(self, name: str) -> int:
        """What a name stands for, without and with marks."""
        if name not in self._by_name:
            self._by_name |= looks_called(self._program, [name])
        return self._by_name[name]

    def _fill_counter(self, found: Vector, counter: Counter, held: Any, me: int) -> None:
        at, width = self.counters[counter.name], len(self._held_names(counter))
        values = list(held.values()) if isinstance(held, dict) else list(held) if isinstance(held, tuple) else [held]
        if counter.of == SEAT:
            values = values[me:] + values[:me]
        single = self._filler(counter.type, me)
        for value in values:
            entries = [one for _, one in value.entries] if isinstance(value, HeldFor) else [value]
            for entry in entries:
                if isinstance(entry, HeldList) and width == 2 and counter.type.counts:
                    found[at] = len(entry.items)
                    found[at + 1] = sum(item for item in entry.items if isinstance(item, int))
                else:
                    for one in entry.items if isinstance(entry, HeldList) else [entry]:
                        single(found, at, one)
                at += width

    def _filler(self, type_: Type, me: int) -> Callable[[Vector, int, Any], None]:
        def fill(found: Vector, at: int, one: Any) -> None:
            if type_.base == "word":
                if one is not None:
                    found[at + self._program.words[str(type_.detail)].index(one)] += 1
            elif type_.base == "seat":
                if one is not None:
                    found[at + (one - me) % self._seats] += 1
            else:
                found[at] += one

        return fill

    def _fill_asking(self, found: Vector, asking: Asking) -> None:
        asked, taken = asking.asked, asking.picks.taken
        if self.last >= 0 and asking.last >= 0:
            found[self.last + asking.last] = 1
        if asked is None:
            return
        found[self.sites + asked.site] = 1
        if self.several:
            found[self.span], found[self.span + 1] = max(0, asked.least - len(taken)), asked.most - len(taken)
            for action in taken:
                found[self.picks + action] += 1
