"""Workbench games as the table page draws them: from any seat, or with nothing hidden."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from rulewright.authoring.scenarios.zone_expectations import ExpectedContents
from rulewright.game.game import Game
from rulewright.game.terms import Terms
from rulewright.model.declarations import SEAT
from rulewright.publish.labels import Labels
from rulewright.publish.zone_contents import zone_contents
from rulewright.runtime.position import Spot
from rulewright.runtime.view import MAKER, ZoneView
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.views import outcome, question_view, seat_view, table_metadata
from rulewright.server.views.document import Fragment, Line, Now, Sitting, TableDocument, ZoneNow

SEAT_WITH_QUESTION, NOTHING_HIDDEN = "asked", "all"
"""Views besides those of a seat's number: of the first seat with an open question, or of seat 0 without any; with
nothing hidden.
"""


class GameView(Fragment, frozen=True):
    """View of a game. table: static data; now: present state; log: each line with the number of its answer in `step`, 0
    for the set-up; asked_seats: those with an open question."""

    table: TableDocument
    now: Now
    log: tuple[Line, ...]
    asked_seats: tuple[int, ...]


def game_view(offer: PlayableEdition, game: Game, language: str, sight: str, number: int) -> GameView:
    """Return the view of a game.

    sight: SEAT_WITH_QUESTION, NOTHING_HIDDEN, or a seat's number; number: of the node, part of a question's id.
    """
    labels = Labels(game, language)
    seats = tuple(dict.fromkeys(seat for seat, _ in game.pending.ids))
    seat = int(sight) if sight.isdecimal() and int(sight) < len(game.names) else seats[0] if seats else 0
    viewer = MAKER if sight == NOTHING_HIDDEN else seat
    now = structs.replace(
        seat_view.table_state(labels, viewer),
        asked=question_view.question_now(labels, seat, number),
        sealed=seat_view.sealed_pieces(labels, seat),
        moves=seat_view.last_moves(labels, viewer),
        result=seat_view.result_text(labels),
        curve=outcome.points_by_round(labels, viewer) if game.over else (),
    )
    return GameView(table(offer, labels, seat), now, _log(labels, viewer), seats)


def table(offer: PlayableEdition, labels: Labels, seat: int | None) -> TableDocument:
    """Return the static data of a game's table, as the page of a seat gets it. seat: None for none."""
    game, localizer = labels.game, labels.localizer
    kinds = ("role" if role else "person" for role in game.roles)
    return TableDocument(
        you="seat",
        seat=seat,
        language=localizer.language,
        direction="rtl" if localizer.right_to_left else "ltr",
        edition=offer.pinned.digest,
        title=localizer.say(Terms(offer.rules.edition).title()),
        seats=tuple(Sitting(name, kind) for name, kind in zip(game.names, kinds, strict=True)),
        begun=True,
        chosen=dict(game.options),
        table=table_metadata.table_metadata(labels),
    )


def _log(labels: Labels, viewer: int) -> tuple[Line, ...]:
    """List a game's log lines as a viewer sees them, each with the number of its answer."""
    game = labels.game
    brought = [answered.events for answered in game.history.answers]
    lines = seat_view.lines(labels, viewer, 0, [])
    return tuple(structs.replace(line, step=bisect_right(brought, number)) for number, line in enumerate(lines))


class ExpectedView(Fragment, frozen=True):
    """Table beside expected contents. table, now: actual state; expected: expected contents of some zones, by key;
    notes: in which sense they are expected, by key, unless exactly."""

    table: TableDocument
    now: Now
    expected: Mapping[str, ZoneNow]
    notes: Mapping[str, str]


def expected_view(
    offer: PlayableEdition, game: Game, language: str, expected: Mapping[Spot, ExpectedContents]
) -> ExpectedView:
    """Return a game's table with nothing hidden, and the expected contents of some zones."""
    labels = Labels(game, language)
    zones, notes = dict[str, ZoneNow](), dict[str, str]()
    for key, zone, contents in _expected_zones(labels, expected):
        zones[key] = zone
        if contents.mode != "in order":
            notes[key] = contents.mode
    return ExpectedView(table(offer, labels, None), seat_view.table_state(labels, MAKER), zones, notes)


def _expected_zones(
    labels: Labels, expected: Mapping[Spot, ExpectedContents]
) -> Iterator[tuple[str, ZoneNow, ExpectedContents]]:
    """Yield the expected contents of zones, as a page draws them."""
    program = labels.game.program
    spaces = {(space.name, space.owner): space for space in program.layout.zones}
    for (name, owner), contents in expected.items():
        space = spaces[name, owner]
        seat = owner if space.of == SEAT else None
        word = program.words[space.of][owner] if space.of in program.words else ""
        counted = contents.mode in ("count", "unseen")
        count = contents.count if counted else len(contents.pieces)
        pieces = None if counted else contents.pieces
        hidden = zone_contents(labels, ZoneView(name, seat, count, pieces, space.pile, word)) if counted else ""
        key = "/".join((name, "" if seat is None else str(seat), word))
        yield key, ZoneNow(zone=name, count=count, owner=seat, word=word, pieces=pieces, hidden=hidden), contents


def describe_zone(labels: Labels, key: str) -> dict[str, Any]:
    """Describe a zone, given by its key: its title, and its owner's name; names that the rules no longer have stay as
    they are.
    """
    name, owner, word = key.split("/", 2)
    of = labels.edition.zones[name].of if name in labels.edition.zones else ""
    owner_name = labels.name(int(owner)) if owner.isdecimal() and int(owner) < len(labels.game.names) else ""
    if word and of in labels.edition.words:
        numbers = [one.name for one in labels.edition.words[of].words]
        owner_name = labels.word(of, numbers.index(word)) if word in numbers else word
    return {"zone": key, "label": labels.zone(name) if name in labels.edition.zones else name, "whose": owner_name}
