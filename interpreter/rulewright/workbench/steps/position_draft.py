"""Draft of a position, as the page edits it, and as a game can start from it.

A draft is complete: the pieces of each zone, bottom first, and the content of each counter, as in cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from rulewright.authoring.scenarios.case_game import StartingPoint
from rulewright.authoring.scenarios.written_positions import as_text, counter_value, position_entries
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import check_seats
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.form import Program
from rulewright.program.state_layout import NOTHING, Counter
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import piece_names
from rulewright.server.views.document import Fragment
from rulewright.server.views.seat_view import zone_key
from rulewright.workbench.play.game_start import FIRST_SEED, GameStart

_ShortText = Annotated[str, Meta(max_length=200)]
"""Text from the page, at most 200 characters."""
_ShortTexts = Annotated[list[_ShortText], Meta(max_length=5_000)]
_CounterContent = _ShortText | list[_ShortText] | dict[str, _ShortText]
"""Value of a counter in words: one, several of a list, or by word."""


class PositionDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """Position being edited. zones: names of pieces by the zone's key; counters: contents by name and owner ('taken/1',
    'sum/'): a text, several of a list, or one for each word; round: from 1."""

    seats: _ShortTexts
    roles: list[_ShortText | None]
    phase: str
    round: Annotated[int, Meta(ge=1, le=10_000)]
    zones: dict[str, _ShortTexts]
    counters: dict[str, _CounterContent]
    options: dict[str, str] = {}
    seed: Annotated[int, Meta(ge=0, le=2**53)] = FIRST_SEED


class CounterForm(Fragment, frozen=True):
    """Counter that can be set.

    - key: as in drafts
    - holds: 'number', 'fraction', 'truth', 'seat' or 'word'
    - many: whether it is a list
    - words: those it has a value for, as cases write them and as people read them
    - things: possible values, likewise, unless numbers
    """

    key: str
    label: str
    owner: str
    holds: str
    many: bool = False
    words: tuple[tuple[str, str], ...] = ()
    things: tuple[tuple[str, str], ...] = ()


class PieceForm(Fragment, frozen=True):
    """Possible contents of zones. holds: kinds of each zone, by name; kinds: kind of each piece, by name; rooms:
    capacity of each zone, by key; faces: names of what a piece can show, if several."""

    holds: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    rooms: Mapping[str, int]
    faces: Mapping[str, tuple[str, ...]]


def draft(game: Game, state: State | None = None) -> PositionDraft:
    """Return the position of a game now, or in a given state; it is that of the beginning of its phase."""
    s = game.state if state is None else state
    program = game.program
    phases, view = [name for name, _ in program.phases], game.view(None)
    return PositionDraft(
        seats=list(game.names),
        roles=list(game.roles),
        phase=view.phase or next(iter(phases), ""),
        round=max(1, view.round),
        zones={zone_key(program, space): list(piece_names(program, s, space)) for space in program.layout.zones},
        counters=dict(_counter_contents(game, s)),
        options=dict(game.options),
        seed=game.seed,
    )


def _counter_contents(game: Game, state: State) -> Iterator[tuple[str, Any]]:
    for counter, owner in _counters_and_owners(game.program):
        values = [
            counter_value(game.program, game.names, counter.type, state[cell]) for cell in counter.cells_of(owner)
        ]
        words = game.program.words.get(counter.by, ())
        yield _key(counter, owner), dict(zip(words, values, strict=True)) if counter.by else values[0]


def _counters_and_owners(program: Program) -> Iterator[tuple[Counter, int]]:
    """Yield each counter with each of its owners: number of a seat or word, or NOTHING."""
    for counter in program.layout.counters:
        for owner in range(counter.owners):
            yield counter, owner if counter.of else NOTHING


def _key(counter: Counter, owner: int) -> str:
    """Return a counter's key in a draft."""
    return f"{counter.name}/{'' if owner < 0 else owner}"


# ── starting a game ──


def game_start(rules: Rules, position: PositionDraft) -> GameStart:
    """Return the start of a game with a position, complete. Raises GameError for seats that cannot play it."""
    check_seats(rules, position.seats, position.roles)
    program = rules.machine(len(position.seats)).program
    entries: dict[str, Any] = {"phase": position.phase, "round": str(position.round)}
    for space in program.layout.zones:
        names = position.zones.get(zone_key(program, space), [])
        if names or space.address in program.starts:
            _put(entries, program, position.seats, space.of, space.owner, space.name, list(names))
    for counter, owner in _counters_and_owners(program):
        contents = position.counters.get(_key(counter, owner))
        if contents is not None:
            _put(entries, program, position.seats, counter.of, owner, counter.name, contents)
    return GameStart(tuple(position.seats), tuple(position.roles), dict(position.options), position.seed, entries)


def _put(
    entries: dict[str, Any], program: Program, seats: Sequence[str], of: str, owner: int, name: str, contents: Any
) -> None:
    """Add a zone's or counter's content to the `entries` of a case."""
    if of == SEAT:
        entries.setdefault(seats[owner], {})[name] = contents
    elif of:
        entries.setdefault(name, {})[program.words[of][owner]] = contents
    else:
        entries[name] = contents


def starting_point(rules: Rules, position: PositionDraft) -> StartingPoint:
    """Return the starting point of a draft. Raises RulewrightError for an impossible position."""
    return game_start(rules, position).start(rules)


def text(rules: Rules, position: PositionDraft, ordered: bool) -> str:
    """Return the position as a case writes it, as short as possible. ordered: as in
    `written_positions.position_entries`. Raises RulewrightError."""
    state = starting_point(rules, position).state
    assert state is not None
    machine = rules.machine(len(position.seats))
    return as_text(
        position_entries(
            machine, position.seats, state, phase=position.phase, round_number=position.round, ordered=ordered
        )
    )


# ── possible contents ──


def counters(labels: Labels) -> list[CounterForm]:
    """List the counters that a table shows, with the values that each can have, in one language."""
    game, program = labels.game, labels.game.program
    result = []
    for counter, owner in _counters_and_owners(program):
        if not labels.edition.counters[counter.name].shown:
            continue
        base, detail = counter.type.base, str(counter.type.detail)
        things: list[tuple[str, str]] = []
        if base == "word":
            things = [
                ("nothing", "–"),
                *((word, labels.word(detail, n)) for n, word in enumerate(program.words[detail])),
            ]
        elif base == "seat":
            things = [("nobody", "–"), *((name, labels.name(n)) for n, name in enumerate(game.names))]
        owner_name = "" if owner < 0 else labels.name(owner) if counter.of == SEAT else labels.word(counter.of, owner)
        words = tuple((word, labels.word(counter.by, n)) for n, word in enumerate(program.words.get(counter.by, ())))
        result.append(
            CounterForm(
                _key(counter, owner),
                labels.counter(counter.name),
                owner_name,
                base,
                counter.type.many,
                words,
                tuple(things),
            )
        )
    return result


def pieces(game: Game) -> PieceForm:
    """Return which pieces there are, which zones hold them, and how many."""
    program = game.program
    faces: dict[str, tuple[str, ...]] = {}
    for piece in program.layout.faces:
        names = tuple(type_with_marks(program, look).name for look in program.possible_types(piece))
        faces |= dict.fromkeys(names, names)
    return PieceForm(
        holds={space.name: tuple(sorted(space.holds)) for space in program.layout.zones},
        kinds={type_.name: type_.kind for type_ in program.types},
        rooms={zone_key(program, space): space.capacity for space in program.layout.zones},
        faces=faces,
    )
