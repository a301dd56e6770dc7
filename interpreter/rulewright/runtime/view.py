"""View of a seat: derived from who sees zones, points and powers, and from what seats remember."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.form import Power, Program, ScoreLine
from rulewright.program.state_layout import GAME_OVER, LIMITED, PC, PHASE, ROUND, Counter, StateZone
from rulewright.program.value_types import Type, exact_sum
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

HIDDEN = "hidden"
"""Name of a piece whose type a viewer does not see, in choices and statistics; a zone view has no such names."""
NARRATOR = -2
"""Viewer that sees the zones that any player sees: the narrator of a game. Of points and powers it sees those that all
see."""
MAKER = -3
"""Viewer from whom nothing is hidden: the designer."""


SingleValue = int | float | bool | str | None
"""Single content of a counter: a number, yes or no, a seat's number or a word; None for nothing."""


@record
class WordValues:
    """Content of a counter with a value for each word."""

    entries: tuple[tuple[str, SingleValue], ...]


@record
class ListValue:
    """Content of a list, in order."""

    items: tuple[SingleValue, ...]


CounterValue = SingleValue | WordValues | ListValue
"""Content of a counter: a single value, a value for each word, or a list."""
Counters = Mapping[str, CounterValue | tuple[CounterValue, ...] | Mapping[str, CounterValue]]
"""Contents of counters by name: of the table, of each seat, or by word."""


@record
class ZoneView:
    """Zone as one seat sees it.

    - owner: a seat, or None
    - word: the word whose zone it is, or ''
    - pieces: names, bottom (oldest) first, or None if only their number may be known
    - pile: whether they lie on top of each other
    - known: hidden pieces that the seat knows nevertheless, with their places from 1, or 0 for an unknown place
    """

    name: str
    owner: int | None
    count: int
    pieces: tuple[str, ...] | None
    pile: bool
    word: str = ""
    known: tuple[tuple[str, int], ...] = ()


@record
class ScoreView:
    """Points of a seat by scoring line; None for hidden ones."""

    lines: tuple[tuple[str, int | float | None], ...]

    @property
    def total(self) -> int | float | None:
        """Sum of all points; None if some are hidden."""
        return None if any(points is None for _, points in self.lines) else self.known

    @property
    def known(self) -> int | float:
        """Sum of the visible points."""
        return exact_sum(points for _, points in self.lines if points is not None)


@record
class View:
    """Everything that a seat (or a spectator, seat None) may know of a game.

    - round: from 1, 0 during setup
    - phase: its name, '' during setup
    - waiting: seats still expected to answer (all members of an 'at once' until everybody has answered)
    - scores: by seat, None for seats that are not scored
    - powers: by seat, names of the visible powers
    - counters: by name, one number, or one for each seat, or by word; everybody sees them
    """

    seat: int | None
    round: int
    phase: str
    over: bool
    zones: tuple[ZoneView, ...]
    counters: Counters
    waiting: tuple[int, ...]
    roles: tuple[str | None, ...]
    options: Mapping[str, str]
    scores: tuple[ScoreView | None, ...]
    powers: tuple[tuple[str, ...], ...]

    def visible_pieces(self) -> Iterator[str]:
        """Yield the names of the pieces in all zones that the seat sees."""
        return (name for zone in self.zones for name in zone.pieces or ())

    def zone(self, name: str, owner: int | None = None, word: str = "") -> ZoneView:
        """Return a zone of a seat, a word or the table. Raises KeyError."""
        for zone in self.zones:
            if zone.name == name and zone.owner == owner and zone.word == word:
                return zone
        raise KeyError(name)


def sees_zone(space: StateZone, seat: int | None) -> bool:
    """Whether a seat sees the pieces of a zone."""
    if seat == MAKER:
        return True
    if seat == NARRATOR:
        return space.seen_by != "nobody"
    return space.seen_by == "all" if seat is None else space.is_seen_by(seat)


def knows(program: Program, s: State, seat: int | None, piece: int) -> bool:
    """Whether a seat knows a hidden piece. In an information state, unknown pieces have numbers below 0."""
    return piece >= 0 and program.layout.memory >= 0 and remembers(s[program.layout.memory + piece], seat)


def remembers(knowers: int, seat: int | None) -> bool:
    """Return whether a seat is in a set of seats with one bit for each. The narrator is in each that is not empty; not
    for the maker, who sees all zones."""
    if seat == NARRATOR:
        return knowers != 0
    return seat is not None and bool(knowers >> seat & 1)


def known_pieces(program: Program, s: State, space: StateZone, seat: int | None) -> tuple[tuple[str, int], ...]:
    """Return the names of hidden pieces in a zone that a seat knows, each with its place, from 1; then those whose
    places it has lost, with 0, in the order of the edition."""
    placed, lost = [], []
    for place, piece in enumerate(s[space.address], start=1):
        if knows(program, s, seat, piece):
            look = program.appearance(s, piece)
            if is_lost(program, s, seat, piece):
                lost.append((look, 0))
            else:
                placed.append((look, place))
    return tuple((type_with_marks(program, look).name, place) for look, place in (*placed, *sorted(lost)))


def is_lost(program: Program, s: State, seat: int | None, piece: int) -> bool:
    """Whether a seat that knows a piece has lost its place; for the narrator: whether no seat knows the place."""
    knowers, losers = s[program.layout.memory + piece], s[program.layout.lost_places + piece]
    return not knowers & ~losers if seat == NARRATOR else remembers(losers, seat)


def piece_names(program: Program, s: State, space: StateZone) -> tuple[str, ...]:
    """Return the names of the pieces in a zone, hidden ones included."""
    if program.names is not None:
        return tuple([program.names[piece] for piece in s[space.address]])
    return tuple(type_with_marks(program, program.appearance(s, piece)).name for piece in s[space.address])


def view(machine: Machine, s: State, seat: int | None, running: bool = False, derived: bool = True) -> View:
    """Return the view of a seat, or of a spectator. After the game's end everybody sees all scores. running: whether
    the machine has not reached a decision yet, so that nobody is waited for; derived: whether to compute scores and
    powers, which are else empty."""
    program, layout = machine.program, machine.program.layout
    over = s[PC] == GAME_OVER
    seats = range(layout.seats)
    roles = tuple(role_of(program, s, other) for other in seats)
    return View(
        seat=seat,
        round=s[ROUND],
        phase=phase_of(program, s),
        over=over,
        zones=tuple(zone_view(program, s, space, seat) for space in layout.zones),
        counters={counter.name: counter_value(program, s, counter) for counter in layout.counters},
        waiting=() if over or running else tuple(awaited_seats(machine, s, seat)),
        roles=roles,
        options={option.name: option.choices[s[layout.option + n]] for n, option in enumerate(program.options)},
        scores=tuple(scores(machine, s, other, seat, roles[other], over) for other in seats) if derived else (),
        powers=tuple(_powers(machine, s, other, seat) for other in seats) if derived else (),
    )


def phase_of(program: Program, s: State) -> str:
    """Return the phase's name, '' during set-up."""
    return program.phases[s[PHASE]][0] if s[PHASE] >= 0 else ""


def role_of(program: Program, s: State, seat: int) -> str | None:
    """Return the name of the virtual player at a seat; None for a person or bot that plays like one."""
    role = s[program.layout.role + seat]
    return program.roles[role] if role >= 0 else None


def zone_view(program: Program, s: State, space: StateZone, seat: int | None) -> ZoneView:
    """Return a zone as a seat, or a spectator, sees it."""
    is_visible = sees_zone(space, seat)
    return ZoneView(
        space.name,
        space.owner if space.of == SEAT else None,
        len(s[space.address]),
        piece_names(program, s, space) if is_visible else None,
        space.pile,
        program.words[space.of][space.owner] if space.of in program.words else "",
        () if program.layout.memory < 0 or is_visible else known_pieces(program, s, space, seat),
    )


def counter_value(
    program: Program, s: State, counter: Counter
) -> CounterValue | tuple[CounterValue, ...] | Mapping[str, CounterValue]:
    """Return a counter's content, which everybody may see: of the table, of each seat, or by word."""
    values = tuple(owner_value(program, s, counter, owner) for owner in range(counter.owners))
    return dict(zip(program.words.get(counter.of, ()), values, strict=False)) or (values if counter.of else values[0])


def _powers(machine: Machine, s: State, owner: int, seat: int | None) -> tuple[str, ...]:
    """Return the powers that a seat, or a spectator, sees another one have."""
    return tuple(
        name
        for name, power in machine.program.powers.items()
        if sees_power(power, owner, seat) and machine.call(power.function, s, owner)[0][0]
    )


def sees_power(power: Power, owner: int, seat: int | None) -> bool:
    """Whether a seat, or a spectator, sees that another one has a power."""
    return seat == MAKER or power.seen_by == "all" or (power.seen_by == "owner" and owner == seat)


def owner_value(program: Program, s: Sequence[Any], counter: Counter, owner: int) -> CounterValue:
    """Return a counter's content for one of its owners; -1 is the table."""
    return _cells_value(program, counter, [s[cell] for cell in counter.cells_of(owner)])


def initial_value(program: Program, counter: Counter) -> CounterValue:
    """Return a counter's initial content."""
    cells: list[Any] = [() if counter.type.many else counter.initial(cell) for cell in range(counter.width)]
    return _cells_value(program, counter, cells)


def _cells_value(program: Program, counter: Counter, cells: Sequence[Any]) -> CounterValue:
    """Return the value of an owner's cells of a counter."""
    if counter.type.many:
        return ListValue(tuple(cell_value(program, counter.type, one) for one in cells[0]))
    values = [cell_value(program, counter.type, cell) for cell in cells]
    return WordValues(tuple(zip(program.words[counter.by], values, strict=True))) if counter.by else values[0]


def cell_value(program: Program, type_: Type, cell: int) -> SingleValue:
    """Return the value of a counter's cell, or of a list's item."""
    if type_.base == "truth":
        return bool(cell)
    if type_.is_number:
        return type_.decode(cell)
    if cell < 0:
        return None
    return program.words[str(type_.detail)][cell] if type_.base == "word" else cell


def awaited_seats(machine: Machine, s: State, seat: int | None) -> list[int]:
    """Return the seats still to answer, as a seat or a spectator may know."""
    open_seats = [decision.seat for decision in machine.open_decisions(s)]
    group = machine.simultaneous_seats(s)
    return awaited_of_simultaneous(group, open_seats, seat) if group else open_seats


def awaited_of_simultaneous(group: Sequence[int], open_seats: Sequence[int], seat: int | None) -> list[int]:
    """Return the awaited seats of an 'at once': others see only that it is not over, so seats without a choice stay
    hidden."""
    return [other for other in group if other != seat or other in open_seats]


def scores(machine: Machine, s: State, seat: int, viewer: int | None, role: str | None, over: bool) -> ScoreView | None:
    """Return the points of a seat as a viewer sees them; None for a seat that is not scored. viewer: a seat, None for a
    spectator, or MAKER; over: whether the game is over, so that everybody sees all of them."""
    program = machine.program
    if role in program.unscored_roles:
        return None
    lines: list[tuple[str, int | float | None]] = []
    for line in program.scoring:
        visible = over or sees_points(line, seat, viewer)
        points = program.decode(line.function, machine.call(line.function, s, seat)[0][0]) if visible else None
        lines.append((line.name, points))
    return ScoreView(tuple(lines))


def sees_points(line: ScoreLine, seat: int, viewer: int | None) -> bool:
    """Whether a viewer sees the points of a seat in a scoring line during the game."""
    return sees_figure(line.seen_by, seat, viewer)


def sees_figure(visibility: str, seat: int, viewer: int | None) -> bool:
    """Return whether a viewer sees a figure of a seat during the game. visibility: 'all', 'owner' or 'nobody'."""
    return viewer == MAKER or visibility == "all" or (visibility == "owner" and seat == viewer)


def ranks(machine: Machine, s: State) -> dict[int, int]:
    """Return the rank of every scored seat; equal seats share theirs: 1, 1, 3. Partners share the rank of the best of
    them. A game that reached its limit may have no result: then no seat has a rank."""
    program, layout = machine.program, machine.program.layout
    if s[LIMITED] and not program.limit.scored:
        return {}
    keys: dict[int, tuple[int, ...]] = {}
    for seat in range(layout.seats):
        role = s[layout.role + seat]
        if role < 0 or program.roles[role] not in program.unscored_roles:
            keys[seat] = tuple(machine.call(function, s, seat)[0][0] for function in program.ranking)
    best: dict[int, tuple[int, ...]] = {}
    for seat, key in keys.items():
        side = program.side(s, seat)
        best[side] = max(key, best.get(side, key))
    placed = {seat: best[program.side(s, seat)] for seat in keys}
    return {seat: 1 + sum(other > key for other in placed.values()) for seat, key in placed.items()}
