"""A position that is being set up: what lies where, as the page has it, and as a game can begin with it.

A draft says all: which pieces lie in each zone, bottom first, and what each counter holds, as cases write it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from rulewright.authoring.scenarios.table import StartingPoint
from rulewright.authoring.scenarios.written_positions import as_text, given, held_as_written
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import check_seats
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_at
from rulewright.program.form import NOTHING, Counter, Program
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import piece_names
from rulewright.server.views.document import Fragment
from rulewright.workbench.play.answer_effects import key_of
from rulewright.workbench.play.game_start import FIRST_SEED, GameBeginning

_ShortText = Annotated[str, Meta(max_length=200)]
_ShortTexts = Annotated[list[_ShortText], Meta(max_length=5_000)]
_HeldText = _ShortText | list[_ShortText] | dict[str, _ShortText]


class PositionDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """zones: names of pieces by the zone's key; counters: what they hold by name and owner ('taken/1', 'sum/'): a text,
    several of a list, or one for each word; round: from 1."""

    seats: _ShortTexts
    roles: list[_ShortText | None]
    phase: str
    round: Annotated[int, Meta(ge=1, le=10_000)]
    zones: dict[str, _ShortTexts]
    counters: dict[str, _HeldText]
    options: dict[str, str] = {}
    seed: Annotated[int, Meta(ge=0, le=2**53)] = FIRST_SEED


class CounterOffered(Fragment, frozen=True):
    """A counter that can be set. key: as drafts name it; holds: 'number', 'fraction', 'truth', 'seat' or 'word'; many:
    whether it is a list; words: those for which it holds something, as cases write them and as people read them;
    things: what it can hold, likewise, where that is no number."""

    key: str
    label: str
    owner: str
    holds: str
    many: bool = False
    words: tuple[tuple[str, str], ...] = ()
    things: tuple[tuple[str, str], ...] = ()


class PiecesOffered(Fragment, frozen=True):
    """What can lie where. holds: the kinds of each zone, by its name; kinds: of each piece, by its name; rooms: for how
    many each zone has room, by its key; faces: the names of what a piece shows, where it has several."""

    holds: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    rooms: Mapping[str, int]
    faces: Mapping[str, tuple[str, ...]]


def draft(game: Game, state: State | None = None) -> PositionDraft:
    """The position of a game as it is now, or of a state of it: of the beginning of its phase."""
    s = game.state if state is None else state
    program = game.program
    phases, view = [name for name, _ in program.phases], game.view(None)
    return PositionDraft(
        seats=list(game.names),
        roles=list(game.roles),
        phase=view.phase or next(iter(phases), ""),
        round=max(1, view.round),
        zones={key_of(program, space): list(piece_names(program, s, space)) for space in program.layout.spaces},
        counters=dict(_counters(game, s)),
        options=dict(game.options),
        seed=game.seed,
    )


def _counters(game: Game, s: State) -> Iterator[tuple[str, Any]]:
    for counter, owner in _each(game.program):
        told = [held_as_written(game.program, game.names, counter.type, s[cell]) for cell in counter.cells_of(owner)]
        words = game.program.words.get(counter.by, ())
        yield _key(counter, owner), dict(zip(words, told, strict=True)) if counter.by else told[0]


def _each(program: Program) -> Iterator[tuple[Counter, int]]:
    """All counters, with each of their owners: a seat or word by its number, or NOTHING."""
    for counter in program.layout.counters:
        for owner in range(counter.owners):
            yield counter, owner if counter.of else NOTHING


def _key(counter: Counter, owner: int) -> str:
    return f"{counter.name}/{'' if owner < 0 else owner}"


# ── as a game can begin with it ──


def beginning(rules: Rules, found: PositionDraft) -> GameBeginning:
    """How a game begins with a position, told in full. Raises GameError for seats that cannot play it."""
    check_seats(rules, found.seats, found.roles)
    program = rules.machine(len(found.seats)).program
    told: dict[str, Any] = {"phase": found.phase, "round": str(found.round)}
    for space in program.layout.spaces:
        names = found.zones.get(key_of(program, space), [])
        if names or space.address in program.starts:
            _put(told, program, found.seats, space.of, space.owner, space.name, list(names))
    for counter, owner in _each(program):
        held = found.counters.get(_key(counter, owner))
        if held is not None:
            _put(told, program, found.seats, counter.of, owner, counter.name, held)
    return GameBeginning(tuple(found.seats), tuple(found.roles), dict(found.options), found.seed, told)


def _put(
    told: dict[str, Any], program: Program, seats: Sequence[str], of: str, owner: int, name: str, what: Any
) -> None:
    """Say what lies in a zone, or what a counter holds, where a position says it."""
    if of == SEAT:
        told.setdefault(seats[owner], {})[name] = what
    elif of:
        told.setdefault(name, {})[program.words[of][owner]] = what
    else:
        told[name] = what


def checked(rules: Rules, found: PositionDraft) -> StartingPoint:
    """Where a game begins with a draft. Raises RulewrightError where there cannot be such a position."""
    return beginning(rules, found).start(rules)


def text(rules: Rules, found: PositionDraft, ordered: bool) -> str:
    """The position as a case says it, as short as it goes. ordered: as `written_positions.given` has it. Raises
    RulewrightError."""
    state = checked(rules, found).state
    assert state is not None
    machine = rules.machine(len(found.seats))
    return as_text(given(machine, found.seats, state, phase=found.phase, round_number=found.round, ordered=ordered))


# ── what can be set up ──


def counters(labels: Labels) -> list[CounterOffered]:
    """The counters that people see, in one language."""
    game, program = labels.game, labels.game.program
    found = []
    for counter, owner in _each(program):
        if not labels.shown(counter.name):
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
        whose = "" if owner < 0 else labels.name(owner) if counter.of == SEAT else labels.word(counter.of, owner)
        words = tuple((word, labels.word(counter.by, n)) for n, word in enumerate(program.words.get(counter.by, ())))
        found.append(
            CounterOffered(
                _key(counter, owner), labels.counter(counter.name), whose, base, counter.type.many, words, tuple(things)
            )
        )
    return found


def pieces(game: Game) -> PiecesOffered:
    program = game.program
    faces: dict[str, tuple[str, ...]] = {}
    for piece in program.layout.faces:
        names = tuple(type_at(program, look).name for look in program.looks(piece))
        faces |= dict.fromkeys(names, names)
    return PiecesOffered(
        holds={space.name: tuple(sorted(space.holds)) for space in program.layout.spaces},
        kinds={type_.name: type_.kind for type_ in program.types},
        rooms={key_of(program, space): space.capacity for space in program.layout.spaces},
        faces=faces,
    )
