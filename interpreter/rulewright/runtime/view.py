"""What one seat may see: worked out from the zones' visibility, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_at
from rulewright.program.form import (
    GAME_OVER,
    LIMITED,
    PC,
    PHASE,
    ROUND,
    Counter,
    Power,
    Program,
    ScoreLine,
    StateZone,
    Type,
    added_up,
)
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

HIDDEN = "hidden"
NARRATOR = -2
"""Stands for the seat of a reader who sees all that some player sees: whoever tells the story of a game."""
MAKER = -3
"""Stands for the seat of a reader from whom nothing is hidden: whoever makes the game."""


HeldOne = int | float | bool | str | None
"""One thing that a counter holds: a number, yes or no, a seat's number or a word; None for nothing."""


@record
class HeldFor:
    """What a counter holds that is told for words: each with what it holds for it."""

    entries: tuple[tuple[str, HeldOne], ...]


@record
class HeldList:
    """What a list holds, in its order."""

    items: tuple[HeldOne, ...]


Held = HeldOne | HeldFor | HeldList
"""What a counter holds: one thing, something for each word, or a list."""
Counters = Mapping[str, Held | tuple[Held, ...] | Mapping[str, Held]]
"""By name: what the table's holds, or of each seat, or by word."""


@record
class ZoneView:
    """A zone as one seat sees it. owner: a seat, or None; word: the word whose zone it is, or ''; pieces: their names,
    bottom (oldest) first, or None where only their number may be known; pile: whether they lie on top of each other;
    known: of pieces that are not seen, those that the seat knows all the same, each with its place from 1, or 0 where
    it has lost that."""

    name: str
    owner: int | None
    count: int
    pieces: tuple[str, ...] | None
    pile: bool
    word: str = ""
    known: tuple[tuple[str, int], ...] = ()


@record
class ScoreView:
    """Points of a seat by scoring line; None where they are not to be seen yet."""

    lines: tuple[tuple[str, int | float | None], ...]

    @property
    def total(self) -> int | float | None:
        return None if any(points is None for _, points in self.lines) else self.known

    @property
    def known(self) -> int | float:
        """As many as are to be seen."""
        return added_up(points for _, points in self.lines if points is not None)


@record
class View:
    """All that a seat (or a spectator, seat None) may know of a game.

    round: from 1; phase: the name, '' during setup; waiting: who is expected to answer (all members of an 'at once'
    until everybody has answered); scores: by seat, None for seats that are not scored; powers: by seat, the names of
    the powers it is seen to have; counters: by name, one number, or one for each seat, or by word.
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

    def lying(self) -> Iterator[str]:
        """The names of all pieces that are seen."""
        return (name for zone in self.zones for name in zone.pieces or ())

    def zone(self, name: str, owner: int | None = None, word: str = "") -> ZoneView:
        """One zone, of a seat, a word or the table. Raises KeyError."""
        for zone in self.zones:
            if zone.name == name and zone.owner == owner and zone.word == word:
                return zone
        raise KeyError(name)


def sees(space: StateZone, seat: int | None) -> bool:
    """Whether a seat sees what lies in a zone."""
    if seat == MAKER:
        return True
    if seat == NARRATOR:
        return space.seen_by != "nobody"
    return space.seen_by == "all" if seat is None else space.is_seen_by(seat)


def knows(program: Program, s: State, seat: int | None, piece: int) -> bool:
    """Whether a seat knows a piece that it does not see where it lies. Of what a seat knows of a state, pieces that it
    does not know have numbers below 0."""
    return piece >= 0 and program.layout.memory >= 0 and remembers(s[program.layout.memory + piece], seat)


def remembers(knowers: int, seat: int | None) -> bool:
    """Whether a seat is one of those that know something, each of which is a bit."""
    if seat == NARRATOR:
        return knowers != 0
    return seat is not None and bool(knowers >> seat & 1)


def known_pieces(program: Program, s: State, space: StateZone, seat: int | None) -> tuple[tuple[str, int], ...]:
    """The names of the pieces in a zone that a seat does not see and yet knows, each with its place, from 1; behind
    these, in the order of the edition, those whose places it has lost, with 0."""
    placed, lost = [], []
    for place, piece in enumerate(s[space.address], start=1):
        if knows(program, s, seat, piece):
            look = program.look(s, piece)
            if is_lost(program, s, seat, piece):
                lost.append((look, 0))
            else:
                placed.append((look, place))
    return tuple((type_at(program, look).name, place) for look, place in (*placed, *sorted(lost)))


def is_lost(program: Program, s: State, seat: int | None, piece: int) -> bool:
    """Return whether a seat that knows a piece has lost its place: nobody else who knows it tells the narrator."""
    knowers, losers = s[program.layout.memory + piece], s[program.layout.loose + piece]
    return not knowers & ~losers if seat == NARRATOR else remembers(losers, seat)


def piece_names(program: Program, s: State, space: StateZone) -> tuple[str, ...]:
    """The names of the pieces in a zone, whoever may see them."""
    if program.names is not None:
        return tuple([program.names[piece] for piece in s[space.address]])
    return tuple(type_at(program, program.look(s, piece)).name for piece in s[space.address])


def view(machine: Machine, s: State, seat: int | None, running: bool = False, derived: bool = True) -> View:
    """The view of a seat, or of a spectator. Once the game is over everybody sees all scores. running: whether the
    machine has not come to a decision yet, so that nobody is waited for; derived: whether scores and powers are worked
    out from what there is, else there are none."""
    program, layout = machine.program, machine.program.layout
    over = s[PC] == GAME_OVER
    seats = range(layout.seats)
    roles = tuple(role_of(program, s, other) for other in seats)
    return View(
        seat=seat,
        round=s[ROUND],
        phase=phase_of(program, s),
        over=over,
        zones=tuple(zone_view(program, s, space, seat) for space in layout.spaces),
        counters={counter.name: held_in(program, s, counter) for counter in layout.counters},
        waiting=() if over or running else tuple(expected(machine, s, seat)),
        roles=roles,
        options={option.name: option.choices[s[layout.option + n]] for n, option in enumerate(program.options)},
        scores=tuple(scores(machine, s, other, seat, roles[other], over) for other in seats) if derived else (),
        powers=tuple(_powers(machine, s, other, seat) for other in seats) if derived else (),
    )


def phase_of(program: Program, s: State) -> str:
    """The name of the phase, '' during set-up."""
    return program.phases[s[PHASE]][0] if s[PHASE] >= 0 else ""


def role_of(program: Program, s: State, seat: int) -> str | None:
    role = s[program.layout.role + seat]
    return program.roles[role] if role >= 0 else None


def zone_view(program: Program, s: State, space: StateZone, seat: int | None) -> ZoneView:
    """A zone as a seat, or a spectator, sees it."""
    seen = sees(space, seat)
    return ZoneView(
        space.name,
        space.owner if space.of == SEAT else None,
        len(s[space.address]),
        piece_names(program, s, space) if seen else None,
        space.pile,
        program.words[space.of][space.owner] if space.of in program.words else "",
        () if program.layout.memory < 0 or seen else known_pieces(program, s, space, seat),
    )


def held_in(program: Program, s: State, counter: Counter) -> Held | tuple[Held, ...] | Mapping[str, Held]:
    """What a counter holds: one thing, one for each seat, or by word."""
    values = tuple(held_by(program, s, counter, owner) for owner in range(counter.owners))
    return dict(zip(program.words.get(counter.of, ()), values, strict=False)) or (values if counter.of else values[0])


def _powers(machine: Machine, s: State, owner: int, seat: int | None) -> tuple[str, ...]:
    """The powers that a seat, or a spectator, sees another one have."""
    return tuple(
        name
        for name, power in machine.program.powers.items()
        if sees_power(power, owner, seat) and machine.call(power.function, s, owner)[0][0]
    )


def sees_power(power: Power, owner: int, seat: int | None) -> bool:
    """Whether a seat, or a spectator, sees that another one has a power."""
    return seat == MAKER or power.seen_by == "all" or (power.seen_by == "owner" and owner == seat)


def held_by(program: Program, s: Sequence[Any], counter: Counter, owner: int) -> Held:
    """What a counter holds for one of its owners; -1 is the table."""
    return _of_cells(program, counter, [s[cell] for cell in counter.cells_of(owner)])


def first_held(program: Program, counter: Counter) -> Held:
    """What a counter holds at first."""
    cells: list[Any] = [() if counter.type.many else counter.starts(cell) for cell in range(counter.width)]
    return _of_cells(program, counter, cells)


def _of_cells(program: Program, counter: Counter, cells: Sequence[Any]) -> Held:
    if counter.type.many:
        return HeldList(tuple(held(program, counter.type, one) for one in cells[0]))
    values = [held(program, counter.type, cell) for cell in cells]
    return HeldFor(tuple(zip(program.words[counter.by], values, strict=True))) if counter.by else values[0]


def held(program: Program, type_: Type, cell: int) -> HeldOne:
    """What a counter's cell stands for, or one thing in a list."""
    if type_.base == "truth":
        return bool(cell)
    if type_.counts:
        return type_.told(cell)
    if cell < 0:
        return None
    return program.words[str(type_.detail)][cell] if type_.base == "word" else cell


def expected(machine: Machine, s: State, seat: int | None) -> list[int]:
    """Who is waited for, as a seat or a spectator may know."""
    asked = [decision.seat for decision in machine.asked(s)]
    group = machine.group(s)
    return among_all(group, asked, seat) if group else asked


def among_all(group: Sequence[int], asked: Sequence[int], seat: int | None) -> list[int]:
    """Who of an 'at once' is waited for: others see only that it is not over. Who may choose nothing stays hidden."""
    return [other for other in group if other != seat or other in asked]


def scores(
    machine: Machine, s: State, seat: int, seen_by: int | None, role: str | None, over: bool
) -> ScoreView | None:
    """The points of a seat as another one sees them. over: whether the game is, so that everybody sees all of them."""
    program = machine.program
    if role in program.unscored_roles:
        return None
    lines: list[tuple[str, int | float | None]] = []
    for line in program.scoring:
        visible = over or sees_points(line, seat, seen_by)
        points = program.told(line.function, machine.call(line.function, s, seat)[0][0]) if visible else None
        lines.append((line.name, points))
    return ScoreView(tuple(lines))


def sees_points(line: ScoreLine, seat: int, seen_by: int | None) -> bool:
    """Whether a seat, or a spectator, sees the points of another one in a scoring line while the game lasts."""
    return seen_by == MAKER or line.seen_by == "all" or (line.seen_by == "owner" and seat == seen_by)


def ranks(machine: Machine, s: State) -> dict[int, int]:
    """Rank of every scored seat; equals share theirs: 1, 1, 3 (ruling 22 of the first games, and common use). Partners
    share the rank of the best of them. A game
    that came to its limit may have no result: no seat has a rank then."""
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
