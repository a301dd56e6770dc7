"""A game of the workbench as the table's page draws it: from any seat, or with nothing hidden."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from rulewright.authoring.scenarios.contents import ExpectedContents
from rulewright.game.game import Game
from rulewright.game.terms import Terms
from rulewright.model.declarations import SEAT
from rulewright.publish.labels import Labels
from rulewright.runtime.position import Spot
from rulewright.runtime.view import MAKER, ZoneView
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.views import seat_view, table_metadata
from rulewright.server.views.document import Fragment, Line, Now, Sitting, TableDocument, ZoneNow

ASKED, ALL = "asked", "all"
"""From where a game is seen, besides a seat's number: from the seat that is asked; with nothing hidden."""


class SeenGame(Fragment, frozen=True):
    """table: what it is made of, from a seat; now: as it is; log: each line with the number of the answer that brought
    it, in `step`, 0 for the beginning; asked: the seats that are asked."""

    table: TableDocument
    now: Now
    log: tuple[Line, ...]
    asked: tuple[int, ...]


def seen(offer: PlayableEdition, game: Game, language: str, sight: str, number: int) -> SeenGame:
    """sight: ASKED, ALL, or a seat's number; number: of the place in the lines, by which a question is known again."""
    labels = Labels(game, language)
    asked = tuple(dict.fromkeys(seat for seat, _ in game.asked()))
    seat = int(sight) if sight.isdecimal() and int(sight) < len(game.names) else asked[0] if asked else 0
    viewer = MAKER if sight == ALL else seat
    now = structs.replace(
        seat_view.seen(labels, viewer),
        asked=seat_view.asked(labels, seat, number),
        sealed=seat_view.sealed(labels, seat),
        result=seat_view.result(labels),
        curve=seat_view.curve(game, viewer) if game.over else (),
    )
    return SeenGame(table(offer, labels, seat), now, _log(labels, viewer), asked)


def table(offer: PlayableEdition, labels: Labels, seat: int | None) -> TableDocument:
    """What a table of this game is made of."""
    game, said = labels.game, labels.speech
    kinds = ("role" if role else "person" for role in game.roles)
    return TableDocument(
        you="seat",
        seat=seat,
        language=said.language,
        direction="rtl" if said.right_to_left else "ltr",
        edition=offer.pinned.digest,
        title=said.say(Terms(offer.rules.edition).title()),
        seats=tuple(Sitting(name, kind) for name, kind in zip(game.names, kinds, strict=True)),
        begun=True,
        chosen=dict(game.options),
        table=table_metadata.glossary(labels),
    )


def _log(labels: Labels, viewer: int) -> tuple[Line, ...]:
    game = labels.game
    brought = [game.before(answer).log_length for answer in range(len(game.answers()))]
    lines = seat_view.lines(labels, viewer, 0, [])
    return tuple(structs.replace(line, step=bisect_right(brought, number)) for number, line in enumerate(lines))


class SeenZones(Fragment, frozen=True):
    """A table beside one that was expected. table, now: as it is; expected: of some zones, by their keys, what should
    lie there; notes: how that is meant, by their keys, where not simply so."""

    table: TableDocument
    now: Now
    expected: Mapping[str, ZoneNow]
    notes: Mapping[str, str]


def beside(offer: PlayableEdition, game: Game, language: str, expected: Mapping[Spot, ExpectedContents]) -> SeenZones:
    """The table of a game with nothing hidden, and what should lie in some zones."""
    labels = Labels(game, language)
    zones, notes = dict[str, ZoneNow](), dict[str, str]()
    for key, zone, contents in _expected(labels, expected):
        zones[key] = zone
        if contents.how != "in order":
            notes[key] = contents.how
    return SeenZones(table(offer, labels, None), seat_view.seen(labels, MAKER), zones, notes)


def _expected(
    labels: Labels, expected: Mapping[Spot, ExpectedContents]
) -> Iterator[tuple[str, ZoneNow, ExpectedContents]]:
    program = labels.game.program
    spaces = {(space.name, space.owner): space for space in program.layout.spaces}
    for (name, owner), contents in expected.items():
        space = spaces[name, owner]
        seat = owner if space.of == SEAT else None
        word = program.words[space.of][owner] if space.of in program.words else ""
        counted = contents.how in ("count", "unseen")
        count = contents.count if counted else len(contents.pieces)
        pieces = None if counted else contents.pieces
        hidden = labels.lying(ZoneView(name, seat, count, pieces, space.pile, word)) if counted else ""
        key = "/".join((name, "" if seat is None else str(seat), word))
        yield key, ZoneNow(zone=name, count=count, owner=seat, word=word, pieces=pieces, hidden=hidden), contents


def said(labels: Labels, key: str) -> dict[str, Any]:
    """A zone by its key, in words: what it is called, and whose it is."""
    name, owner, word = key.split("/", 2)
    of = labels.edition.zones[name].of if name in labels.edition.zones else ""
    whose = labels.name(int(owner)) if owner.isdecimal() and int(owner) < len(labels.game.names) else ""
    if word and of in labels.edition.words:
        numbers = [one.name for one in labels.edition.words[of].words]
        whose = labels.word(of, numbers.index(word)) if word in numbers else word
    return {"zone": key, "label": labels.zone(name) if name in labels.edition.zones else name, "whose": whose}
