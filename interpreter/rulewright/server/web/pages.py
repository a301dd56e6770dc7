"""Pages over HTTP: the page's files, the list of editions, rulebooks, pictures and new tables. No token is needed."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.json import encode
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Argument, message_of, phrase
from rulewright.model.edition import Edition
from rulewright.model.pictures import PictureError, Pictures
from rulewright.players import LEVELS
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import UnknownLesson, course
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.limits import Buckets, Limits
from rulewright.server.storage.database import FullError, StoreError
from rulewright.server.storage.store import CLOCK
from rulewright.server.tables import chat, turns
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.views import explanations, lesson_views
from rulewright.server.web import edition_list, protocol, qr
from rulewright.server.web.books import BusyError, RulebookQueue
from rulewright.server.web.edition_lists import EditionLists
from rulewright.server.web.page_files import PageFiles
from rulewright.server.web.page_texts import LATER_WORDS, WORDS, describe_language, with_words
from rulewright.server.web.script_words import unused_words
from rulewright.server.web.security_headers import BOOK_POLICY, PICTURE_POLICY, page_policy

T = TypeVar("T")

_TABLE = "table.html"
_TITLE = re.compile("<title>[^<]*</title>")
"""Title of a picture, which is in English and left out."""
_MAX_PICTURES = 1000
"""Limit of pictures sent together."""
_MAX_DIFFERENCES = 64
"""Limit of cached answers to `differences`."""


@cache
def _page_content() -> tuple[PageFiles, Mapping[str, Collection[str]], str]:
    """Return the files of the pages, the words that each page does not use, and the service worker."""
    page_files = PageFiles()
    content = blake2b(repr(sorted(page_files.items())).encode(), digest_size=8).hexdigest()
    worker = files("rulewright.server").joinpath("page", "_worker.js").read_text(encoding="utf-8")
    return page_files, unused_words(page_files.scripts()), f'const CONTENT = "{content}";\n{worker}'


class Pages:
    """Endpoints of the pages. Their names are labels of the metrics."""

    def __init__(self, tables: TableRegistry, limits: Limits) -> None:
        self._tables, self._limits = tables, limits
        self._offers, self._trained = tables.offers, tables.bot_pool.trained
        self._lists = EditionLists(tables.offers)
        self._start_limiter = Buckets(limits.begun, limits.begun_each_second)
        self._turn_limiter = Buckets(limits.turns, limits.turns_each_second)
        self._books = RulebookQueue(limits)
        self._picture_limiter = Buckets(limits.burst, limits.each_second)
        self._lessons = Buckets(limits.burst, limits.each_second)
        self._differences: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
        self._files, self._unused_words, self._worker = _page_content()

    async def index(self, request: Request) -> Response:
        """Return the start page."""
        return self._page("index.html", request)

    async def table(self, request: Request) -> Response:
        """Return the table's page, the same for every token, which stands behind the # and is never sent."""
        return self._page(_TABLE, request)

    def _page(self, name: str, request: Request) -> Response:
        """Return a page with its texts in the request's language."""
        localizer = localizer_for(_language(request))
        page = self._files[name]
        unused = frozenset(self._unused_words.get(name, ()))
        content = with_words(page, localizer, unused.union(LATER_WORDS) if name == _TABLE else unused)
        return HTMLResponse(content, headers={"content-security-policy": page_policy(page)})

    async def file(self, request: Request) -> Response:
        """Return a file of the pages."""
        return self._files.response(request.path_params["name"], request.headers.get("accept-encoding", ""))

    async def worker(self, request: Request) -> Response:
        """Return the service worker, at the root since a worker controls only what is below it."""
        return Response(self._worker, media_type="text/javascript")

    async def words(self, request: Request) -> Response:
        """Return the texts of the page in one language; `later`: those that are not in the page itself."""
        phrases = LATER_WORDS if "later" in request.query_params else WORDS
        return _json(describe_language(localizer_for(_language(request)), phrases))

    async def editions(self, request: Request) -> Response:
        """Return the list of editions; `partly`: as far as they are loaded, and how many are still to come."""
        language = _language(request)
        if "partly" not in request.query_params:
            return _json({"editions": await self._lists.whole(language), "players": list(LEVELS)})
        editions, loading = await self._lists.available(language)
        return _json({"editions": editions, "players": list(LEVELS), "loading": loading})

    async def edition(self, request: Request) -> Response:
        """Return an edition with its options."""
        offer = await self._offered(request)
        return _json(await asyncio.to_thread(edition_list.describe, offer, _language(request), self._trained))

    async def differences(self, request: Request) -> Response:
        """Return how a variant differs from what it extends."""
        offer = await self._offered(request)
        name = (offer.pinned.digest, _language(request))
        if name not in self._differences:
            self._differences[name] = await asyncio.to_thread(edition_list.differences, offer, name[1])
            if len(self._differences) > _MAX_DIFFERENCES:
                self._differences.popitem(last=False)
        return _json(self._differences[name])

    async def glance(self, request: Request) -> Response:
        """Return a minute's summary of an edition with given options, for whoever is invited."""
        offer = await self._stored_edition(request)
        try:
            summarize = edition_list.summary_of_game
            return _json(await asyncio.to_thread(summarize, offer, _language(request), _options(request)))
        except RulewrightError:
            raise _nothing() from None

    async def learn(self, request: Request) -> Response:
        """Return the page of lessons, the same for every edition."""
        return self._page("learn.html", request)

    async def lessons(self, request: Request) -> Response:
        """Return the list of an edition's lessons."""
        return await self._lesson_response(request, lesson_views.list_lessons)

    async def lesson(self, request: Request) -> Response:
        """Return a lesson with its first moment."""
        number = _path_number(request, "number")
        return await self._lesson_response(
            request, lambda offer, language: lesson_views.lesson_view(offer, number, language)
        )

    async def moment(self, request: Request) -> Response:
        """Return a moment of a lesson."""
        number, moment_number = _path_number(request, "number"), _path_number(request, "moment")
        return await self._lesson_response(
            request, lambda offer, language: lesson_views.moment_view(offer, number, moment_number, language)
        )

    async def lesson_answer(self, request: Request) -> Response:
        """Return the outcome of an answer in a lesson; nothing is stored."""
        number, moment_number = _path_number(request, "number"), _path_number(request, "moment")
        take = request.query_params.getlist("take")
        if len(take) > protocol.MAX_TAKEN:
            raise _nothing()
        return await self._lesson_response(
            request, lambda offer, language: lesson_views.answer_outcome(offer, number, moment_number, take, language)
        )

    async def lesson_explained(self, request: Request) -> Response:
        """Return the rules about something on a lesson's table."""
        number, moment_number = _path_number(request, "number"), _path_number(request, "moment")
        topic, name = (request.query_params.get(slot, "") for slot in ("what", "name"))

        def explain(offer: PlayableEdition, language: str) -> Struct:
            game, seat = lesson_views.game_at(offer, number, moment_number)
            return explanations.explain(Labels(game, language), seat, topic, name, course(offer.rules))

        return await self._lesson_response(request, explain)

    async def _lesson_response(self, request: Request, build: Callable[[PlayableEdition, str], Struct]) -> Response:
        """Return the response to a request about lessons, built in a thread. build: makes its content for an edition
        and a language."""
        language = _language(request)
        if not self._lessons.take(_client_address(request)):
            refusal = phrase("errors", "Those were too many messages in too little time.")
            return _json({"text": localizer_for(language).say(refusal)}, 429)
        offer = await self._stored_edition(request)
        try:
            content = await asyncio.to_thread(build, offer, language)
        except UnknownLesson:
            raise _nothing() from None
        except RulewrightError as error:
            reason: Argument = message_of(error)
            return _json({"text": localizer_for(language).say(reason)}, 400)
        return Response(encode(content), media_type="application/json")

    async def begin(self, request: Request) -> Response:
        """Create a table; send the tokens of its host and of seats taken at once. Refuses what is no JSON, too many
        tables from one address, and editions that are not offered."""
        localizer = localizer_for(_language(request))

        def refuse(reason: Argument, status: int = 400) -> Response:
            return _json({"text": localizer.say(reason)}, status)

        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return refuse(protocol.unreadable_error().args[0], 415)
        if not self._start_limiter.take(_client_address(request)):
            return refuse(phrase("errors", "Those were too many tables in too little time. Wait a little."), 429)
        try:
            table_request = protocol.parse_table(await self._body(request))
            offer = await self._offer(table_request.edition)
            if offer is None:
                return refuse(
                    phrase("errors", "This edition is not offered any more, or has changed. Look again."), 404
                )
            seats = await asyncio.to_thread(edition_list.build_seats, table_request.seats, offer, self._trained)
            settings = {CLOCK: str(table_request.clock)} if table_request.clock else {}
            settings |= {} if table_request.chat else {chat.SETTING: chat.DISABLED}
            links = await self._tables.create(offer, seats, table_request.options, secrets.randbits(53), settings)
        except RulewrightError as error:
            return refuse(message_of(error), _status(error))
        except ClientDisconnect:
            return refuse("")
        return _json({"host": links.host, "seats": list(links.seats.values())}, 201)

    async def turns(self, request: Request) -> Response:
        """Return whose turn it is at several tables. Their links are in the body, since URLs get logged."""
        try:
            turns_request = protocol.parse_turns(await self._body(request))
        except (RulewrightError, ClientDisconnect):
            return _json({"turns": []}, 400)
        if not self._turn_limiter.take(_client_address(request)):
            return _json({"turns": []}, 429)
        return _json({"turns": await turns.list_turns(self._tables, turns_request.tokens)})

    async def qr(self, request: Request) -> Response:
        """Return a link as a QR code; nothing is stored."""
        try:
            text = await self._body(request)
        except (RulewrightError, ClientDisconnect):
            raise _nothing() from None
        if not 0 < len(text) <= qr.MAX_LENGTH or not self._picture_limiter.take(_client_address(request)):
            raise _nothing()
        return _json(await asyncio.to_thread(qr.code, text))

    async def _body(self, request: Request) -> str:
        """Read a request's body. Raises ProtocolError if it is too long or no UTF-8."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > self._limits.message:
                raise protocol.unreadable_error()
        try:
            return body.decode()
        except UnicodeDecodeError:
            raise protocol.unreadable_error() from None

    async def rulebook(self, request: Request) -> Response:
        """Return the rulebook of an edition with given options."""
        offer = await self._stored_edition(request)
        language = _language(request)
        try:
            work = self._books.page(offer, language, _options(request), _client_address(request))
            content = await _run_while_connected(request, work)
        except BusyError as busy:
            return PlainTextResponse(localizer_for(language).say(busy.args[0]), 503, {"retry-after": "10"})
        except (RulewrightError, ClientDisconnect):
            raise _nothing() from None
        return HTMLResponse(content, headers={"content-security-policy": BOOK_POLICY})

    async def picture(self, request: Request) -> Response:
        """Return a picture of an edition; a cover without loading it."""
        name = request.path_params["name"]
        svg = self._lists.cover(request.path_params["edition"], name)
        if svg is None:
            offer = await self._stored_edition(request)
            try:
                svg = await asyncio.to_thread(Pictures(offer.rules.edition).svg, name)
            except PictureError:
                raise _nothing() from None
        # The edition is part of the address, by its content; only its pictures could change.
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def pictures(self, request: Request) -> Response:
        """Return all pictures of an edition by name, so that a table asks once."""
        offer = await self._stored_edition(request)
        content = await asyncio.to_thread(all_pictures, offer.rules.edition)
        return Response(_to_json(content), media_type="application/json", headers={"cache-control": "max-age=3600"})

    async def _offer(self, digest: str) -> PlayableEdition | None:
        """Return an offered edition, loaded in a thread; None if there is none."""
        return await asyncio.to_thread(self._offers.get, digest)

    async def _offered(self, request: Request) -> PlayableEdition:
        """Return the requested edition, which is offered. Raises HTTPException."""
        offer = await self._offer(request.path_params["edition"])
        if offer is None:
            raise _nothing()
        return offer

    async def _stored_edition(self, request: Request) -> PlayableEdition:
        """Return the requested edition: one that is offered, or with which some table began. Raises HTTPException."""
        digest = request.path_params["edition"]
        if (offer := await self._offer(digest)) is not None:
            return offer
        try:
            pinned = await self._tables.with_store(lambda store: store.edition(digest))
            if pinned is not None:
                return PlayableEdition(await asyncio.to_thread(self._offers.rules, pinned), pinned)
        except RulewrightError:
            pass
        raise _nothing()


def _nothing() -> HTTPException:
    """Return the error 404 without details."""
    return HTTPException(404, "")


def _status(error: RulewrightError) -> int:
    """Return the HTTP status of an error: full disk, missing store, or a request that cannot be met."""
    if isinstance(error, FullError):
        return 507
    return 503 if isinstance(error, StoreError) else 400


def all_pictures(edition: Edition) -> dict[str, str]:
    """Return the pictures of an edition that can be drawn, by name, without its covers and their
    titles: no table shows them."""
    pictures, svgs = Pictures(edition), {}
    names = [name for name in pictures.names() if not pictures.is_cover(name)]
    for name in names[:_MAX_PICTURES]:
        with suppress(PictureError):  # it is missed where it would be drawn
            svgs[name] = _TITLE.sub("", pictures.svg(name))
    return svgs


async def _run_while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Await some work, cancelled when the client leaves. Raises ClientDisconnect."""

    async def wait_for_disconnect() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            continue

    working, leaving = asyncio.create_task(work), asyncio.create_task(wait_for_disconnect())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()


def _path_number(request: Request, slot: str) -> int:
    """Parse a number in a path; −1 if it is none."""
    text = request.path_params[slot]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else -1


def _client_address(request: Request) -> str:
    """Return the address under which limits count a request."""
    return request.client.host if request.client else ""


def _language(request: Request) -> str:
    """Return the language of a request: as it says, else as the browser does."""
    return protocol.choose_language(request.query_params.get("language") or request.headers.get("accept-language", ""))


def _options(request: Request) -> dict[str, str]:
    """Return the options in a request's query."""
    return {name: choice for name, choice in request.query_params.items() if name != "language"}


def _json(content: object, status: int = 200) -> Response:
    """Make a JSON response."""
    return Response(_to_json(content), status, media_type="application/json")


def _to_json(content: object) -> str:
    """Encode in one line, the same for equal values."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
