"""What others reach of a line of play: they look at its moments, and say something of one. Nothing else can be done.

Whoever has the link sees what a spectator would, or everything, where the designer wants that. A remark is a text that
is shown as one; it goes to the designer alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from threading import Lock
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from rulewright.game.game import Game
from rulewright.game.terms import Terms
from rulewright.i18n.languages import languages, speech
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.labels import Labels
from rulewright.runtime.view import MAKER
from rulewright.server.limits import Buckets
from rulewright.server.views import history, table_metadata
from rulewright.server.views.document import Past, Sitting, TableDocument
from rulewright.server.web import protocol
from rulewright.server.web.bundles import bundled, is_bundle, sources
from rulewright.server.web.page_texts import WORDS as TABLE_WORDS
from rulewright.server.web.pages import media_type
from rulewright.workbench.core.json_handlers import json_handler, language, read
from rulewright.workbench.share.share_store import (
    LONGEST_NAME,
    LONGEST_REMARK,
    SharedGames,
    SharedLine,
    SharedOffers,
    SharingError,
)

PAGE = "remarks"
MOST_GAMES = 8
LARGEST = 200_000
"""Bytes of a message."""
LOOKS, LOOKS_EACH_SECOND = 80, 8.0
REMARKS, REMARKS_EACH_SECOND = 6, 0.1
"""How often one address may look at a moment, or say something: at once, and then each second."""

WORDS: Mapping[str, Phrase] = {
    "remark told": phrase(
        "design", "Go through the game. Where you notice something, say so: it goes to its designer."
    ),
    "remark everything": phrase("design", "You see everything, also what players hide from each other."),
    "remark your name": phrase("design", "Your name, if you like"),
    "remark text": phrase("design", "What do you notice at this moment?"),
    "remark send": phrase("design", "Send"),
    "remark sent": phrase("design", "Sent. Thank you!"),
    "remark yours": phrase("design", "What you have said"),
    "remark gone": phrase("design", "This game is not shown any more."),
    "remark moment": phrase("design", "Moment {number} of {last}"),
    "remark earlier": phrase("design", "Earlier"),
    "remark later": phrase("design", "Later"),
    "remark start": phrase("design", "To the beginning"),
    "remark end": phrase("design", "To the end"),
}

_Short = Annotated[str, Meta(max_length=200)]


class _Looked(Struct, frozen=True, forbid_unknown_fields=True):
    token: _Short
    step: Annotated[int, Meta(ge=0, le=2**31)]


class _Remarked(Struct, frozen=True, forbid_unknown_fields=True):
    token: _Short
    step: Annotated[int, Meta(ge=0, le=2**31)]
    name: Annotated[str, Meta(max_length=10 * LONGEST_NAME)]
    text: Annotated[str, Meta(max_length=10 * LONGEST_REMARK)]


class MomentShown(Struct, frozen=True, omit_defaults=True):
    """A moment of a game. steps: how many there are; everything: whether all that is hidden is shown."""

    title: str
    steps: int
    everything: bool
    table: TableDocument
    past: Past


class RemarkDesk:
    """What answers to those who have a link. heard: is called when somebody has said something."""

    def __init__(self, shared: SharedGames, offers: SharedOffers, heard: Callable[[], object]) -> None:
        self._shared, self._offers, self._heard = shared, offers, heard
        self._lock = Lock()
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._looks = Buckets(LOOKS, LOOKS_EACH_SECOND)
        self._remarks = Buckets(REMARKS, REMARKS_EACH_SECOND)

    def look(self, request: Request, body: Any) -> MomentShown:
        """A moment of a line. Raises RulewrightError."""
        wanted = read(_Looked, body)
        self._take(self._looks, request)
        line = self._line(wanted.token)
        labels = Labels(self._game(line), language(request))
        seat = MAKER if line.everything else None
        steps = len(labels.game.steps())
        return MomentShown(
            line.title, steps, line.everything, _table(labels, line), history.look(labels, seat, wanted.step)
        )

    def remark(self, request: Request, body: Any) -> object:
        """Something that is said of a moment. Raises RulewrightError."""
        wanted = read(_Remarked, body)
        self._take(self._remarks, request)
        line = self._line(wanted.token)
        steps = self._game(line).steps()
        if wanted.step >= len(steps):
            raise SharingError(phrase("errors", "There is no such step in this game."))
        self._shared.add_remark(line.id, wanted.step, steps[wanted.step].answers, wanted.name, wanted.text)
        self._heard()
        return {}

    def _line(self, token: str) -> SharedLine:
        found = self._shared.opened(token)
        if found is None:
            raise SharingError(WORDS["remark gone"])
        return found

    def _game(self, line: SharedLine) -> Game:
        with self._lock:
            if line.id not in self._games:
                edition = self._offers.get(line.edition)
                if edition is None:
                    raise SharingError(WORDS["remark gone"])
                self._games[line.id] = line.game(edition.rules)
                while len(self._games) > MOST_GAMES:
                    self._games.popitem(last=False)
            return self._games[line.id].copy()

    def _take(self, buckets: Buckets, request: Request) -> None:
        """Raises SharingError."""
        with self._lock:
            taken = buckets.take(request.client.host if request.client else "")
        if not taken:
            raise SharingError(phrase("errors", "Those were too many messages in too little time."))

    def routes(self) -> Sequence[BaseRoute]:
        """They stand before those of the tables, whose words and files the page shares."""
        found = page_files()

        async def page(_: Request) -> Response:
            return Response(found[f"{PAGE}.html"], media_type="text/html")

        async def file(request: Request) -> Response:
            name = f"{PAGE}{request.path_params['rest']}"
            if name not in found:
                return PlainTextResponse("", 404)
            headers = {"cache-control": "max-age=31536000, immutable"} if is_bundle(name) else None
            return Response(found[name], media_type=media_type(name), headers=headers)

        async def words(request: Request) -> Response:
            said = speech(language(request))
            told = {
                "protocol": protocol.VERSION,
                "language": said.language,
                "direction": "rtl" if said.right_to_left else "ltr",
                "languages": languages(),
                "words": {name: said.template(one) for name, one in {**TABLE_WORDS, **WORDS}.items()},
            }
            return await json_handler(lambda *_: told)(request)

        return [
            Route("/remarks", page),
            Route(f"/page/{PAGE}{{rest}}", file),
            Route("/words", words),
            Route("/remarks/look", json_handler(self.look, most=LARGEST), methods=["POST"]),
            Route("/remarks/say", json_handler(self.remark, most=LARGEST), methods=["POST"]),
        ]


def page_files() -> dict[str, bytes]:
    """The page's files, with those of the tables that it shares."""
    own = files("rulewright.workbench")
    return bundled(sources(files("rulewright.server").joinpath("page"), own.joinpath("page")), own.joinpath("bundles"))


def _table(labels: Labels, line: SharedLine) -> TableDocument:
    said = labels.speech
    names = zip(line.beginning.seats, line.beginning.roles, strict=True)
    return TableDocument(
        you="watch",
        language=said.language,
        direction="rtl" if said.right_to_left else "ltr",
        edition=line.edition,
        title=said.say(Terms(labels.game.rules.edition).title()),
        seats=tuple(Sitting(name, "role" if role else "person", "") for name, role in names),
        begun=True,
        chosen=dict(line.beginning.options),
        table=table_metadata.glossary(labels),
    )
