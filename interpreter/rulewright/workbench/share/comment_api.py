"""Public API of shared lines of play: look at a moment and comment on it, nothing else.

Whoever has the link sees what a spectator would, or everything, as the designer chooses. A comment is plain text for
the designer alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from rulewright.game.game import Game
from rulewright.game.terms import Terms
from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.labels import Labels
from rulewright.runtime.view import MAKER
from rulewright.server.limits import Buckets
from rulewright.server.views import history, table_metadata
from rulewright.server.views.document import Sitting, TableDocument
from rulewright.server.views.replies import Past
from rulewright.server.web.page_files import PageFiles
from rulewright.server.web.page_texts import WORDS as TABLE_WORDS
from rulewright.server.web.page_texts import describe_language
from rulewright.workbench.core.json_handlers import as_json, language, post, read
from rulewright.workbench.share.share_store import (
    MAX_COMMENT_LENGTH,
    MAX_NAME_LENGTH,
    SharedLine,
    SharedOffers,
    ShareStore,
    SharingError,
)

PAGE_NAME = "remarks"
"""Name of the page's files."""
MAX_CACHED_GAMES = 8
"""Maximum number of lines whose games are kept, played to their end."""
MAX_BYTES = 200_000
"""Maximum bytes of a message."""
VIEW_BURST, VIEWS_EACH_SECOND = 80, 8.0
"""Views that one client may ask for at once, and for each second after that."""
COMMENT_BURST, COMMENTS_EACH_SECOND = 6, 0.1
"""Comments that one client may make at once, and for each second after that."""

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
"""Phrases of the page by the names that its code has for them."""

_Short = Annotated[str, Meta(max_length=200)]
"""Text from the page, at most 200 characters."""


class _MomentRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Moment of the line that a token opens. step: its number, from 0."""

    token: _Short
    step: Annotated[int, Meta(ge=0, le=2**31)]


class _CommentRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Comment on a moment, as for `_MomentRequest`; name: of who says it, may be ''."""

    token: _Short
    step: Annotated[int, Meta(ge=0, le=2**31)]
    name: Annotated[str, Meta(max_length=10 * MAX_NAME_LENGTH)]
    text: Annotated[str, Meta(max_length=10 * MAX_COMMENT_LENGTH)]


class MomentView(Struct, frozen=True, omit_defaults=True):
    """Moment of a game. steps: number of moments; everything: whether hidden things are shown."""

    title: str
    steps: int
    everything: bool
    table: TableDocument
    past: Past


class CommentApi:
    """Handlers for those who have a link. on_comment: called after each comment."""

    def __init__(self, shared: ShareStore, offers: SharedOffers, on_comment: Callable[[], object]) -> None:
        self._shared, self._offers, self._on_comment = shared, offers, on_comment
        self._lock = Lock()
        self._games: OrderedDict[int, Game] = OrderedDict()
        self._looks = Buckets(VIEW_BURST, VIEWS_EACH_SECOND)
        self._remarks = Buckets(COMMENT_BURST, COMMENTS_EACH_SECOND)

    def look(self, request: Request, body: Any) -> MomentView:
        """Return a moment of a line. Raises RulewrightError."""
        fields = read(_MomentRequest, body)
        self._limit_rate(self._looks, request)
        line = self._line(fields.token)
        labels = Labels(self._game_of_line(line), language(request))
        seat = MAKER if line.everything else None
        steps = len(labels.game.history.steps())
        return MomentView(
            line.title,
            steps,
            line.everything,
            _table_document(labels, line),
            history.past_state(labels, seat, fields.step),
        )

    def comment(self, request: Request, body: Any) -> object:
        """Store a comment on a moment. Raises RulewrightError."""
        fields = read(_CommentRequest, body)
        self._limit_rate(self._remarks, request)
        line = self._line(fields.token)
        steps = self._game_of_line(line).history.steps()
        if fields.step >= len(steps):
            raise SharingError(phrase("errors", "There is no such step in this game."))
        self._shared.add_comment(line.id, fields.step, steps[fields.step].answers, fields.name, fields.text)
        self._on_comment()
        return {}

    def _line(self, token: str) -> SharedLine:
        """Return the line that a token opens. Raises SharingError."""
        line = self._shared.line_of_token(token)
        if line is None:
            raise SharingError(WORDS["remark gone"])
        return line

    def _game_of_line(self, line: SharedLine) -> Game:
        """Return a copy of a line's game, played once and cached. Raises SharingError."""
        with self._lock:
            if line.id not in self._games:
                edition = self._offers.get(line.edition)
                if edition is None:
                    raise SharingError(WORDS["remark gone"])
                self._games[line.id] = line.game(edition.rules)
                while len(self._games) > MAX_CACHED_GAMES:
                    self._games.popitem(last=False)
            return self._games[line.id].copy()

    def _limit_rate(self, buckets: Buckets, request: Request) -> None:
        """Apply the rate limit. Raises SharingError."""
        with self._lock:
            is_allowed = buckets.take(request.client.host if request.client else "")
        if not is_allowed:
            raise SharingError(phrase("errors", "Those were too many messages in too little time."))

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes; they go before those of the tables, whose words and files the page shares."""
        page_files = PageFiles("rulewright.workbench")
        phrases = {**TABLE_WORDS, **WORDS}

        async def page(_: Request) -> Response:
            return page_files.response(f"{PAGE_NAME}.html")

        async def file(request: Request) -> Response:
            return page_files.response(request.url.path.rpartition("/")[2])

        async def words(request: Request) -> Response:
            return as_json(describe_language(localizer_for(language(request)), phrases))

        parts = [name for name in page_files if name.startswith("part-") and name.endswith(".js")]
        return [
            Route("/remarks", page),
            Route(f"/page/{PAGE_NAME}{{rest}}", file),
            *(Route(f"/page/{name}", file) for name in parts),  # the tables' page has others
            Route("/words", words),
            post("/remarks/look", self.look, max_bytes=MAX_BYTES),
            post("/remarks/say", self.comment, max_bytes=MAX_BYTES),
        ]


def _table_document(labels: Labels, line: SharedLine) -> TableDocument:
    """Describe the table of a shared line, as its page needs it."""
    localizer = labels.localizer
    names = zip(line.beginning.seats, line.beginning.roles, strict=True)
    return TableDocument(
        you="watch",
        language=localizer.language,
        direction="rtl" if localizer.right_to_left else "ltr",
        edition=line.edition,
        title=localizer.say(Terms(labels.game.rules.edition).title()),
        seats=tuple(Sitting(name, "role" if role else "person", "") for name, role in names),
        begun=True,
        chosen=dict(line.beginning.options),
        table=table_metadata.table_metadata(labels),
    )
