"""What is served over HTTP: the page, what can be begun, rulebooks and pictures. None of it needs to know a token."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from importlib.resources import files
from typing import Any, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import languages, speech
from rulewright.i18n.speech import Argument, Phrase, phrase
from rulewright.model.pictures import PictureError, Pictures
from rulewright.players import KINDS
from rulewright.publish.rulebook import page_frame
from rulewright.server import catalogue, protocol, qr
from rulewright.server.books import Books, BusyError
from rulewright.server.callers import Callers, Hosts, is_from_here, without_port
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.limits import Buckets, Limits
from rulewright.server.store import as_json
from rulewright.server.tables import Tables
from rulewright.server.words import words

T = TypeVar("T")

_CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_NOTHING = f"default-src 'none'; {_CLOSED}"
PAGE_POLICY = f"{_NOTHING}; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
BOOK_POLICY = f"{page_frame.policy()}; {_CLOSED}"
PICTURE_POLICY = f"{_NOTHING}; sandbox"

HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

_LONGEST_HOST = 100
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Guarded:
    """Puts the headers on whatever is answered, and refuses what comes from other sites."""

    def __init__(self, app: ASGIApp, hosts: Hosts, callers: Callers) -> None:
        self._app, self._hosts, self._callers = app, hosts, callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        refused: Response | None = None
        if not self._hosts.knows(headers.get("host", "")):
            refused = PlainTextResponse(_called_otherwise(headers), 421, HEADERS)
        elif changing and not is_from_here(headers):
            refused = PlainTextResponse("", 403, HEADERS)
        if refused is not None and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if refused is not None:
            await refused(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app({**scope, "client": (self._callers.address(scope), 0)}, receive, sent)


def _called_otherwise(headers: Headers) -> str:
    said = speech(protocol.language_of(headers.get("accept-language", "")))
    told = phrase(
        "errors",
        "This server does not know the name '{host}'. Whoever runs it can allow it: {option}.",
        host=without_port(headers.get("host", ""))[:_LONGEST_HOST],
        option="rulewright serve --allow-host NAME",
    )
    return said.say(told)


class Pages:
    def __init__(self, tables: Tables, limits: Limits) -> None:
        self._tables, self._limits = tables, limits
        self._offers = tables.offers
        self._begun = Buckets(limits.begun, limits.begun_each_second)
        self._books = Books(limits)
        self._drawn = Buckets(limits.burst, limits.each_second)
        folder = files(__package__).joinpath("page")
        self._files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if not entry.name.startswith("_")}

    async def index(self, request: Request) -> Response:
        return self._file("index.html")

    async def table(self, request: Request) -> Response:
        """The same for every token, which stands behind the # and never comes here."""
        return self._file("table.html")

    async def file(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        if name not in self._files:
            return self.nothing()
        type_ = _TYPES.get(name[name.rfind(".") :], "application/octet-stream")
        return Response(self._files[name], media_type=type_)

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
            return [catalogue.listed(offer, language) for offer in self._offers.all().values()]

        return _json({"editions": await asyncio.to_thread(listed), "players": list(KINDS)})

    async def edition(self, request: Request) -> Response:
        offer = await self._offer(request.path_params["edition"])
        if offer is None:
            return self.nothing()
        return _json(await asyncio.to_thread(catalogue.described, offer, _language(request)))

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
                return refused(phrase("errors", "This edition is not offered here."), 404)
            seats = catalogue.seats_of(wanted.seats, offer)
            links = await self._tables.create(offer, seats, wanted.options, secrets.randbits(53))
        except RulewrightError as error:
            return refused(error.args[0] if isinstance(error.args[0], Phrase) else str(error))
        except ClientDisconnect:
            return refused("")
        return _json({"host": links.host, "seats": list(links.seats.values())}, 201)

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
        options = {name: choice for name, choice in request.query_params.items() if name != "language"}
        language = _language(request)
        try:
            content = await _while_there(request, self._books.page(offer, language, options, _caller(request)))
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


def _caller(request: Request) -> str:
    return request.client.host if request.client else ""


def _language(request: Request) -> str:
    return protocol.language_of(request.query_params.get("language") or request.headers.get("accept-language", ""))


def _json(content: object, status: int = 200) -> Response:
    return Response(as_json(content), status, media_type="application/json")
