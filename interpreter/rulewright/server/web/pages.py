"""What is served over HTTP: the page, what can be begun, rulebooks and pictures. None of it needs to know a token."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from hashlib import blake2b
from importlib.resources import files
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.json import encode
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import languages, speech
from rulewright.i18n.localizer import Argument, message_of, phrase
from rulewright.model.declarations import Edition
from rulewright.model.pictures import PictureError, Pictures
from rulewright.players import KINDS
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import UnknownLesson, course
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.limits import Buckets, Limits
from rulewright.server.storage.database import FullError, StoreError
from rulewright.server.storage.store import CLOCK
from rulewright.server.tables import chat, turns
from rulewright.server.tables.table_registry import Tables
from rulewright.server.views import explanations, lesson_views
from rulewright.server.web import edition_list, protocol, qr
from rulewright.server.web.books import Books, BusyError
from rulewright.server.web.bundles import bundled, is_bundle, sources
from rulewright.server.web.page_texts import words
from rulewright.server.web.security_headers import BOOK_POLICY, PICTURE_POLICY

T = TypeVar("T")

_MOST_PICTURES = 1000
_MOST_DIFFERENCES = 64
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}


class Pages:
    def __init__(self, tables: Tables, limits: Limits) -> None:
        self._tables, self._limits = tables, limits
        self._offers, self._trained = tables.offers, tables.thinkers.trained
        self._begun = Buckets(limits.begun, limits.begun_each_second)
        self._asked = Buckets(limits.turns, limits.turns_each_second)
        self._books = Books(limits)
        self._drawn = Buckets(limits.burst, limits.each_second)
        self._lessons = Buckets(limits.burst, limits.each_second)
        self._differences: OrderedDict[tuple[str, str], dict[str, Any]] = OrderedDict()
        folder = files("rulewright.server").joinpath("page")
        self._files = bundled(sources(folder), files("rulewright.server").joinpath("bundles"))
        content = blake2b(repr(sorted(self._files.items())).encode(), digest_size=8).hexdigest()
        self._worker = f'const CONTENT = "{content}";\n{folder.joinpath("_worker.js").read_text(encoding="utf-8")}'

    async def index(self, request: Request) -> Response:
        return self._file("index.html")

    async def table(self, request: Request) -> Response:
        """The same for every token, which stands behind the # and never comes here."""
        return self._file("table.html")

    async def file(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    async def worker(self, request: Request) -> Response:
        """Of all pages: it stands at the top, since a worker has nothing to say of what lies above it."""
        return Response(self._worker, media_type="text/javascript")

    def _file(self, name: str) -> Response:
        if name not in self._files:
            return self.nothing()
        headers = {"cache-control": "max-age=31536000, immutable"} if is_bundle(name) else None
        return Response(self._files[name], media_type=media_type(name), headers=headers)

    async def words(self, request: Request) -> Response:
        """The words of the page in one language."""
        said = speech(_language(request))
        told = {
            "protocol": protocol.VERSION,
            "language": said.language,
            "direction": "rtl" if said.right_to_left else "ltr",
            "languages": languages(),
            "words": words(said),
        }
        return _json(told)

    async def editions(self, request: Request) -> Response:
        language = _language(request)

        def listed() -> list[object]:
            return list(edition_list.families(self._offers.offered(), language))

        return _json({"editions": await asyncio.to_thread(listed), "players": list(KINDS)})

    async def edition(self, request: Request) -> Response:
        offer = await self._offer(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        return _json(await asyncio.to_thread(edition_list.described, offer, _language(request), self._trained))

    async def differences(self, request: Request) -> Response:
        """How a variant differs from what it extends."""
        offer = await self._offer(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        name = (offer.pinned.digest, _language(request))
        if name not in self._differences:
            self._differences[name] = await asyncio.to_thread(edition_list.differences, offer, name[1])
            if len(self._differences) > _MOST_DIFFERENCES:
                self._differences.popitem(last=False)
        return _json(self._differences[name])

    async def glance(self, request: Request) -> Response:
        """A minute's reading about an edition with these options, for whoever is invited."""
        offer = await self._kept(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        try:
            told = await asyncio.to_thread(edition_list.at_a_glance, offer, _language(request), _options(request))
        except RulewrightError:
            return self.nothing()
        return _json(told)

    async def learn(self, request: Request) -> Response:
        """The same for every edition."""
        return self._file("learn.html")

    async def lessons(self, request: Request) -> Response:
        """The game in a minute, and which lessons it has."""
        return await self._learned(request, lesson_views.contents)

    async def lesson(self, request: Request) -> Response:
        """How a lesson begins."""
        number = _numbered(request, "number")
        return await self._learned(request, lambda offer, language: lesson_views.lesson(offer, number, language))

    async def moment(self, request: Request) -> Response:
        """A moment of a lesson."""
        number, at = _numbered(request, "number"), _numbered(request, "moment")
        return await self._learned(request, lambda offer, language: lesson_views.moment(offer, number, at, language))

    async def lesson_answer(self, request: Request) -> Response:
        """What comes of an answer in a lesson; nothing of it is kept."""
        number, at = _numbered(request, "number"), _numbered(request, "moment")
        take = request.query_params.getlist("take")
        if len(take) > protocol.MOST_TAKEN:
            return self.nothing()
        return await self._learned(
            request, lambda offer, language: lesson_views.answered(offer, number, at, take, language)
        )

    async def lesson_explained(self, request: Request) -> Response:
        """What the rules tell of something on a lesson's table."""
        number, at = _numbered(request, "number"), _numbered(request, "moment")
        what, name = (request.query_params.get(slot, "") for slot in ("what", "name"))

        def told(offer: PlayableEdition, language: str) -> Struct:
            game, seat = lesson_views.game_at(offer, number, at)
            return explanations.explained(Labels(game, language), seat, what, name, course(offer.rules))

        return await self._learned(request, told)

    async def _learned(self, request: Request, tell: Callable[[PlayableEdition, str], Struct]) -> Response:
        """Something of an edition's lessons, worked out where it keeps nobody waiting."""
        language = _language(request)
        if not self._lessons.take(_caller(request)):
            refused = phrase("errors", "Those were too many messages in too little time.")
            return _json({"text": speech(language).say(refused)}, 429)
        offer = await self._kept(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        try:
            told = await asyncio.to_thread(tell, offer, language)
        except UnknownLesson:
            return self.nothing()
        except RulewrightError as error:
            why: Argument = message_of(error)
            return _json({"text": speech(language).say(why)}, 400)
        return Response(encode(told), media_type="application/json")

    async def begin(self, request: Request) -> Response:
        """A new table; its links."""
        said = speech(_language(request))

        def refused(told: Argument, status: int = 400) -> Response:
            return _json({"text": said.say(told)}, status)

        if request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return refused(protocol.not_understood().args[0], 415)
        if not self._begun.take(_caller(request)):
            return refused(phrase("errors", "Those were too many tables in too little time. Wait a little."), 429)
        try:
            wanted = protocol.read_table(await self._body(request))
            offer = await self._offer(wanted.edition)
            if offer is None:
                return refused(
                    phrase("errors", "This edition is not offered any more, or has changed. Look again."), 404
                )
            seats = await asyncio.to_thread(edition_list.seats_of, wanted.seats, offer, self._trained)
            settings = {CLOCK: str(wanted.clock)} if wanted.clock else {}
            settings |= {} if wanted.chat else {chat.SETTING: chat.OFF}
            links = await self._tables.create(offer, seats, wanted.options, secrets.randbits(53), settings)
        except RulewrightError as error:
            return refused(message_of(error), _status(error))
        except ClientDisconnect:
            return refused("")
        return _json({"host": links.host, "seats": list(links.seats.values())}, 201)

    async def turns(self, request: Request) -> Response:
        """Whose turn it is at tables of which somebody has links. They stand in the body, since addresses are kept in
        places where nobody should find them."""
        try:
            wanted = protocol.read_turns(await self._body(request))
        except (RulewrightError, ClientDisconnect):
            return _json({"turns": []}, 400)
        if not self._asked.take(_caller(request)):
            return _json({"turns": []}, 429)
        return _json({"turns": await turns.turns(self._tables, wanted.tokens)})

    async def qr(self, request: Request) -> Response:
        """A link as a pattern; nothing of it is kept."""
        try:
            text = await self._body(request)
        except (RulewrightError, ClientDisconnect):
            return self.nothing()
        if not 0 < len(text) <= qr.LONGEST or not self._drawn.take(_caller(request)):
            return self.nothing()
        return _json(await asyncio.to_thread(qr.code, text))

    async def _body(self, request: Request) -> str:
        """Raises ProtocolError."""
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > self._limits.message:
                raise protocol.not_understood()
        try:
            return body.decode()
        except UnicodeDecodeError:
            raise protocol.not_understood() from None

    async def rulebook(self, request: Request) -> Response:
        """The rules of just this edition with just these options."""
        offer = await self._kept(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        language = _language(request)
        try:
            made = self._books.page(offer, language, _options(request), _caller(request))
            content = await _while_there(request, made)
        except BusyError as busy:
            return PlainTextResponse(speech(language).say(busy.args[0]), 503, {"retry-after": "10"})
        except (RulewrightError, ClientDisconnect):
            return self.nothing()
        return HTMLResponse(content, headers={"content-security-policy": BOOK_POLICY})

    async def picture(self, request: Request) -> Response:
        offer = await self._kept(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        try:
            svg = await asyncio.to_thread(Pictures(offer.rules.edition).svg, request.path_params["name"])
        except PictureError:
            return self.nothing()
        # The edition is part of the address, by its content; only its pictures could change.
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def pictures(self, request: Request) -> Response:
        """All pictures of an edition that can be drawn, by name: a table asks once."""
        offer = await self._kept(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        drawn = await asyncio.to_thread(all_pictures, offer.rules.edition)
        return Response(_as_json(drawn), media_type="application/json", headers={"cache-control": "max-age=3600"})

    async def _offer(self, digest: str) -> PlayableEdition | None:
        return await asyncio.to_thread(self._offers.get, digest)

    async def _kept(self, digest: str) -> PlayableEdition | None:
        """An edition that is offered, or with which some table began."""
        offered = await self._offer(digest)
        if offered is not None:
            return offered
        try:
            pinned = await self._tables.kept(lambda store: store.edition(digest))
            return (
                None if pinned is None else PlayableEdition(await asyncio.to_thread(self._offers.rules, pinned), pinned)
            )
        except RulewrightError:
            return None

    def nothing(self) -> Response:
        """There is no such page; what there is instead is not told."""
        return PlainTextResponse("", 404)


def _status(error: RulewrightError) -> int:
    """How it is answered: that the disk is full, that the store is away, or that something else cannot be done."""
    if isinstance(error, FullError):
        return 507
    return 503 if isinstance(error, StoreError) else 400


def media_type(name: str) -> str:
    """What a file of the page is, by its name."""
    return _TYPES.get(name[name.rfind(".") :], "application/octet-stream")


def all_pictures(edition: Edition) -> dict[str, str]:
    """Those of an edition that can be drawn, by name."""
    pictures, found = Pictures(edition), {}
    for name in pictures.names()[:_MOST_PICTURES]:
        with suppress(PictureError):  # it is missed where it would be drawn
            found[name] = pictures.svg(name)
    return found


async def _while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Something for whoever asked. Raises ClientDisconnect when they have left, and the work is cancelled then."""

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            continue

    working, leaving = asyncio.create_task(work), asyncio.create_task(left())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        working.cancel()
        leaving.cancel()


def _numbered(request: Request, slot: str) -> int:
    """A number in an address; −1 for what is none."""
    text = request.path_params[slot]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else -1


def _caller(request: Request) -> str:
    return request.client.host if request.client else ""


def _language(request: Request) -> str:
    return protocol.language_of(request.query_params.get("language") or request.headers.get("accept-language", ""))


def _options(request: Request) -> dict[str, str]:
    """Those that are not as usual."""
    return {name: choice for name, choice in request.query_params.items() if name != "language"}


def _json(content: object, status: int = 200) -> Response:
    return Response(_as_json(content), status, media_type="application/json")


def _as_json(content: object) -> str:
    """In one line, the same for equal values."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
