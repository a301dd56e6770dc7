"""Observations: what a seat sees as a vector of numbers, from its view, its decision and its own actions.

The vectors of all seats have one form: owners are counted from the seat that looks, so that one policy can play all
seats. Whatever else a view holds, a spectator can work out: points, powers, and the order of pieces, except the top of
visible piles and rows in which places matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.players.action_space import ActionSpace, PartialAnswer, site_names
from rulewright.program.appearance import appearances_by_name, type_with_marks
from rulewright.program.form import Program
from rulewright.program.state_layout import Counter, StateZone
from rulewright.program.value_types import Type
from rulewright.runtime.operations import MAX_NUMBER, OpenDecision
from rulewright.runtime.view import ListValue, View, WordValues, ZoneView

Vector = NDArray[np.float32]
"""Observation: one number for each field of the layout."""
PLACES = 8
"""Number of places that are encoded for a row in which places matter."""


@record
class DecisionInput:
    """A seat's decision, the actions that it has chosen for its answer so far, and its last action, -1 for none."""

    decision: OpenDecision | None
    picks: PartialAnswer
    last_action: int


@record
class ZoneFields:
    """Indices of a zone in the vector.

    - first: of its numbers
    - columns: piece type to its offset from there, where the pieces are visible
    - tops, places: start of further columns for the piece on top, and for each of the first places, or -1
    - known: start of the columns for unseen pieces that the seat knows, or -1
    - marks: start of the columns for counters of pieces, or -1
    """

    first: int
    columns: dict[int, int]
    visible: bool
    tops: int = -1
    places: int = -1
    known: int = -1
    marks: int = -1


class Observations:
    """Encoder of observations for a program's games.

    names: of all numbers; lowest, highest: bounds of each number; zones: by name, and by seat counted from the viewer
    or by word; counters: by name, index of the first number; the other attributes: index of the first number of a part,
    -1 if there is none.
    """

    def __init__(self, program: Program, actions: ActionSpace) -> None:
        self._program, self._actions, self._seats = program, actions, program.layout.seats
        self.names: list[str] = []
        self._bounds: list[tuple[int, int]] = []
        seats = [f"+{other}" for other in range(self._seats)]
        self.seat = self._add_names(f"at seat {seat}" for seat in range(self._seats))
        self.round = self._add_names(["round"], (0, MAX_NUMBER))
        self.phase = self._add_names(f"phase {name}" for name, _ in program.phases)
        self.over = self._add_names(["game is over"])
        self.waiting = self._add_names(f"waiting for {other}" for other in seats)
        self.roles = self._add_names(f"{other} is {role}" for other in seats for role in program.roles)
        self.zones: dict[tuple[str, int], ZoneFields] = {}
        self._by_name = {type_.name: number for number, type_ in enumerate(program.types)}
        self._place_kinds = program.kinds_told_by_place
        for space in program.layout.zones:
            for other in range(self._seats if space.of == SEAT else 1):
                if space.of != SEAT or space.owner == 0:
                    self.zones[space.name, other if space.of == SEAT else space.owner] = self._add_zone(space, other)
        self.counters = {counter.name: self._add_counter(counter, seats) for counter in program.layout.counters}
        self.sites = self._add_names(f"asked {name}" for name in site_names(program))
        self.several = any(actions.several)
        several = (0, MAX_NUMBER)
        self.span = self._add_names(["least still to choose", "most still to choose"], several) if self.several else -1
        self.chosen = self._add_names((f"chosen: {name}" for name in actions.names), several) if self.several else -1
        self.now = len(self.names)
        """Count of the numbers about the present; after these comes the seat's last action."""
        self.last = self._add_names(f"did last: {name}" for name in actions.names) if len(program.sites) > 1 else -1

    def __len__(self) -> int:
        return len(self.names)

    def _add_names(self, names: Iterable[str], bounds: tuple[int, int] = (0, 1)) -> int:
        """Append numbers and return the index of the first. bounds: lowest and highest value of each."""
        first = len(self.names)
        self.names += names
        self._bounds += [bounds] * (len(self.names) - first)
        return first

    @property
    def lowest(self) -> Vector:
        """Least value of each number of an observation; computed at each use."""
        return np.array([low for low, _ in self._bounds], np.float32)

    @property
    def highest(self) -> Vector:
        """Greatest value of each number of an observation; computed at each use."""
        return np.array([high for _, high in self._bounds], np.float32)

    # ── what there is ──

    def _add_zone(self, space: StateZone, other: int) -> ZoneFields:
        """Add the numbers of a zone. other: its owner, counted from the seat that looks."""
        program, zone_name = self._program, self._actions.zone_name(space, other)
        types = [number for number, type_ in enumerate(program.types) if type_.kind in space.holds]
        columns = {number: place for place, number in enumerate(types)}
        type_names = [program.types[number].name for number in types]
        if space.seen_by == "all" or (space.seen_by == "owner" and other == 0):
            pieces = (0, len(program.type_of))
            first = self._add_names((f"{zone_name}: {name}" for name in type_names), pieces)
            top = (
                self._add_names(f"{zone_name}: {name} on top" for name in type_names)
                if space.pile and space.capacity > 1
                else -1
            )
            is_row = not space.pile and space.of == "" and bool(self._place_kinds & space.holds)
            places = (
                self._add_names(
                    f"{zone_name}: {name} in place {place + 1}" for place in range(PLACES) for name in type_names
                )
                if is_row
                else -1
            )
            has_marks = any(mark.visible and mark.initial_by_kind.keys() & space.holds for mark in program.layout.marks)
            changes = 2 * MAX_NUMBER * len(program.type_of) * len(program.layout.marks)
            names = (f"{zone_name}: counters of {name}, from where they began" for name in type_names)
            marks = self._add_names(names, (-changes, changes)) if has_marks else -1
            return ZoneFields(first, columns, True, top, places, marks=marks)
        first = self._add_names([f"{zone_name}: number of pieces"], (0, len(program.type_of)))
        known = places = -1
        if program.layout.memory >= 0:
            known = self._add_names((f"{zone_name}: {name}, known" for name in type_names), (0, len(program.type_of)))
            if not space.pile and self._place_kinds & space.holds:
                places = self._add_names(
                    f"{zone_name}: {name}, known in place {place + 1}" for place in range(PLACES) for name in type_names
                )
        return ZoneFields(first, columns, False, places=places, known=known)

    def _add_counter(self, counter: Counter, seats: Sequence[str]) -> int:
        """Add the numbers of a counter; return the index of the first."""
        program = self._program
        owners: Sequence[str] = [""]
        if counter.of == SEAT:
            owners = [f" {other}" for other in seats]
        elif counter.of:
            owners = [f" {word}" for word in program.words[counter.of]]
        keys = [f" {word}" for word in program.words[counter.by]] if counter.by else [""]
        suffixes = self._value_suffixes(counter)
        names = (f"{counter.name}{owner}{key}{one}" for owner in owners for key in keys for one in suffixes)
        return self._add_names(names, self._value_bounds(counter))

    def _value_bounds(self, counter: Counter) -> tuple[int, int]:
        """Return the bounds of one number of a counter. The numbers of a list are its length, or the sum of what it
        holds."""
        type_, limit = counter.type, max(1, counter.most)
        if not type_.is_number:
            return 0, limit
        return -MAX_NUMBER * limit, MAX_NUMBER * limit

    def _value_suffixes(self, counter: Counter) -> list[str]:
        """Return the suffixes of the numbers that encode one value of a counter.

        A word or seat has a number for each that it may be, a list of them counts each; a list of numbers has its
        length and sum.
        """
        type_ = counter.type
        if type_.base == "word":
            return [f" is {word}" for word in self._program.words[str(type_.detail)]]
        if type_.base == "seat":
            return [f" is +{other}" for other in range(self._seats)]
        if type_.many:
            return [": how many", ": sum"]
        return [""]

    def value_width(self, counter: Counter) -> int:
        """Return the count of the numbers that encode one value of a counter."""
        return len(self._value_suffixes(counter))

    # ── what a seat sees ──

    def vector(self, view: View, decision_input: DecisionInput) -> Vector:
        """Encode what the seat of a view sees."""
        vector = np.zeros(len(self.names), np.float32)
        me = view.seat
        assert me is not None
        vector[self.seat + me] = 1
        vector[self.round] = view.round
        for number, (phase, _) in enumerate(self._program.phases):
            vector[self.phase + number] = phase == view.phase
        vector[self.over] = view.over
        for seat in view.waiting:
            vector[self.waiting + (seat - me) % self._seats] = 1
        for seat, role in enumerate(view.roles):
            if role is not None:
                roles = self._program.roles
                vector[self.roles + (seat - me) % self._seats * len(roles) + roles.index(role)] = 1
        for zone, space in zip(view.zones, self._program.layout.zones, strict=True):
            place = (space.owner - me) % self._seats if space.of == SEAT else space.owner
            self._fill_zone(vector, zone, self.zones[space.name, place])
        for counter in self._program.layout.counters:
            self._fill_counter(vector, counter, view.counters[counter.name], me)
        self._fill_decision(vector, decision_input)
        return vector

    def _fill_zone(self, vector: Vector, zone: ZoneView, fields: ZoneFields) -> None:
        """Encode a zone as the seat sees it."""
        if zone.pieces is None:
            vector[fields.first] = zone.count
            for name, place in zone.known:
                column = fields.columns[self._type_of_name(name) % len(self._program.types)]
                vector[fields.known + column] += 1
                if fields.places >= 0 and 0 < place <= PLACES:
                    vector[fields.places + (place - 1) * len(fields.columns) + column] = 1
            return
        types = [self._type_of_name(name) for name in zone.pieces]
        columns = [fields.columns[look % len(self._program.types)] for look in types]
        for column in columns:
            vector[fields.first + column] += 1
        if fields.tops >= 0 and columns:
            vector[fields.tops + columns[-1]] = 1
        if fields.places >= 0:
            for place, column in enumerate(columns[:PLACES]):
                vector[fields.places + place * len(fields.columns) + column] = 1
        if fields.marks >= 0:
            for look, column in zip(types, columns, strict=True):
                type_ = type_with_marks(self._program, look)
                vector[fields.marks + column] += sum(
                    held - mark.initial_by_kind[type_.kind] for mark, held in type_.marks
                )

    def _type_of_name(self, name: str) -> int:
        """Return the type that a name stands for, with or without counters on the piece."""
        if name not in self._by_name:
            self._by_name |= appearances_by_name(self._program, [name])
        return self._by_name[name]

    def _fill_counter(self, vector: Vector, counter: Counter, value_or_values: Any, me: int) -> None:
        """Encode a counter; of seats, from the seat that looks onwards. me: that seat."""
        index, width = self.counters[counter.name], len(self._value_suffixes(counter))
        values = (
            list(value_or_values.values())
            if isinstance(value_or_values, dict)
            else list(value_or_values)
            if isinstance(value_or_values, tuple)
            else [value_or_values]
        )
        if counter.of == SEAT:
            values = values[me:] + values[:me]
        single = self._value_encoder(counter.type, me)
        for value in values:
            entries = [one for _, one in value.entries] if isinstance(value, WordValues) else [value]
            for entry in entries:
                if isinstance(entry, ListValue) and width == 2 and counter.type.is_number:
                    vector[index] = len(entry.items)
                    vector[index + 1] = sum(item for item in entry.items if isinstance(item, int))
                else:
                    for one in entry.items if isinstance(entry, ListValue) else [entry]:
                        single(vector, index, one)
                index += width

    def _value_encoder(self, type_: Type, me: int) -> Callable[[Vector, int, Any], None]:
        """Return a function that adds a value of a type to a vector at an index."""

        def fill(vector: Vector, index: int, one: Any) -> None:
            if type_.base == "word":
                if one is not None:
                    vector[index + self._program.words[str(type_.detail)].index(one)] += 1
            elif type_.base == "seat":
                if one is not None:
                    vector[index + (one - me) % self._seats] += 1
            else:
                vector[index] += one

        return fill

    def _fill_decision(self, vector: Vector, decision_input: DecisionInput) -> None:
        """Encode the decision, the actions chosen for it so far, and the last action."""
        decision, actions = decision_input.decision, decision_input.picks.actions
        if self.last >= 0 and decision_input.last_action >= 0:
            vector[self.last + decision_input.last_action] = 1
        if decision is None:
            return
        vector[self.sites + decision.site] = 1
        if self.several:
            vector[self.span], vector[self.span + 1] = (
                max(0, decision.least - len(actions)),
                decision.most - len(actions),
            )
            for action in actions:
                vector[self.chosen + action] += 1
