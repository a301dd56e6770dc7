"""ASGI application of the workbench: routes, access control, the page and its words."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from hmac import compare_digest
from importlib.resources import files

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from rulewright.base.records import record
from rulewright.i18n.languages import languages, localizer_for
from rulewright.i18n.localizer import Phrase
from rulewright.model.pictures import PictureError, Pictures
from rulewright.server.network.client_addresses import ClientAddresses, HostNames
from rulewright.server.web import protocol
from rulewright.server.web.bundles import bundled, is_bundle, sources
from rulewright.server.web.page_texts import WORDS as TABLE_WORDS
from rulewright.server.web.pages import all_pictures, media_type
from rulewright.server.web.security_headers import PAGE_POLICY, PICTURE_POLICY, SecurityHeaders
from rulewright.workbench import access
from rulewright.workbench.access import Keys
from rulewright.workbench.book import book_pane, cards_pane, changes_pane, texts_pane
from rulewright.workbench.cases import cases_pane
from rulewright.workbench.core import files_pane, page_texts
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.idle_shutdown import IdleShutdown
from rulewright.workbench.core.json_handlers import as_json, language
from rulewright.workbench.core.lsp_bridge import bridge
from rulewright.workbench.core.window_connection import WindowConnection
from rulewright.workbench.new_game import new_pane
from rulewright.workbench.play import play_pane
from rulewright.workbench.share import share_pane
from rulewright.workbench.statistics import statistics_pane
from rulewright.workbench.steps import setup_pane, steps_pane

COOKIE = "rulewright-workbench"
_THREADS = 64
"""Threads for blocking requests (books, reading rules), so that typing never waits for them."""


@record
class PanePart:
    """Routes and words of one pane."""

    routes: Callable[[Bench], Sequence[BaseRoute]]
    words: Mapping[str, Phrase]


PARTS: Sequence[PanePart] = (
    PanePart(play_pane.routes, play_pane.WORDS),
    PanePart(cases_pane.routes, cases_pane.WORDS),
    PanePart(files_pane.routes, files_pane.WORDS),
    PanePart(book_pane.routes, book_pane.WORDS),
    PanePart(setup_pane.routes, setup_pane.WORDS),
    PanePart(steps_pane.routes, steps_pane.WORDS),
    PanePart(changes_pane.routes, changes_pane.WORDS),
    PanePart(cards_pane.routes, cards_pane.WORDS),
    PanePart(statistics_pane.routes, statistics_pane.WORDS),
    PanePart(new_pane.routes, new_pane.WORDS),
    PanePart(share_pane.routes, share_pane.WORDS),
    PanePart(texts_pane.routes, texts_pane.WORDS),
)
"""Parts of all panes."""


class KeyGuard:
    """Middleware that lets in browsers with the key's cookie only: other users of this computer are refused. The page
    of the previous workbench is let in, too, and gets the new cookie."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith("/open/"):
            await self._app(scope, receive, send)
            return
        value = HTTPConnection(scope).cookies.get(cookie_name(scope), "")
        if _matches(value, self._keys.cookie):
            await self._app(scope, receive, send)
        elif self._keys.earlier and _matches(value, self._keys.earlier):
            await self._app(scope, receive, self._with_new_cookie(scope, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            message = "Open the workbench by the address that it told when it began."
            await PlainTextResponse(message, 403)(scope, receive, send)

    def _with_new_cookie(self, scope: Scope, send: Send) -> Send:
        """Wrap `send` so that the response sets the new cookie."""

        async def send_with_cookie(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                response = Response()
                set_cookie(response, scope, self._keys)
                MutableHeaders(scope=message).append("set-cookie", response.headers["set-cookie"])
            await send(message)

        return send_with_cookie


def set_cookie(response: Response, scope: Scope, keys: Keys) -> None:
    """Set the cookie that identifies a browser."""
    response.set_cookie(cookie_name(scope), keys.cookie, httponly=True, samesite="strict")


def _matches(value: str, key: str) -> bool:
    """Compare a value with a key in constant time."""
    return compare_digest(value.encode("utf-8", "replace"), key.encode())


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name: it holds the port, since all servers of a computer share cookies."""
    return f"{COOKIE}-{(scope.get('server') or ('', 0))[1]}"


def application(
    bench: Bench,
    keys: Keys,
    file: str = "",
    on_quit: Callable[[], object] = lambda: None,
    patience: float = 0,
    parts: Sequence[PanePart] = PARTS,
    page_language: str = "",
) -> Starlette:
    """Make the application; it closes the bench when it ends. keys: those that let a browser in; file: the file to show
    first; quitting: called when the user ends the workbench on the page, or when the last window has been closed for
    `patience` seconds (0: never); speaking: language of the page until the user chooses one there, '' for the
    browser's."""
    last_window = IdleShutdown(patience, on_quit)
    words = dict(all_words(parts))
    files_by_name = page_files()

    async def open_(request: Request) -> Response:
        """Set the cookie and lead the browser to the page: by a page of its own, since a browser that comes from a
        local file sends no strict cookie with an ordinary redirect."""
        if not _matches(request.path_params["key"], keys.address):
            return PlainTextResponse("", 404)
        response = HTMLResponse(access.redirect_html(access.with_file("/", request.query_params.get("file", file))))
        set_cookie(response, request.scope, keys)
        return response

    async def page(_: Request) -> Response:
        """Send the page. CodeMirror writes its styles into it; a nonce for each response allows that."""
        nonce = secrets.token_urlsafe(16)
        policy = PAGE_POLICY.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'") + "; frame-src 'self'"
        text = files_by_name["design.html"].decode().replace("{once}", nonce).replace("{speaking}", page_language)
        return HTMLResponse(text, headers={"content-security-policy": policy})

    async def page_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in files_by_name:
            return PlainTextResponse("", 404)
        headers = {"cache-control": "max-age=31536000, immutable"} if is_bundle(name) else None
        return Response(files_by_name[name], media_type=media_type(name), headers=headers)

    async def send_words(request: Request) -> Response:
        """Send the words of the page in one language."""
        localizer = localizer_for(language(request))
        content = {
            "protocol": protocol.VERSION,
            "language": localizer.language,
            "direction": "rtl" if localizer.right_to_left else "ltr",
            "languages": languages(),
            "words": {name: localizer.template(one) for name, one in words.items()},
        }
        return as_json(content)

    async def pictures(request: Request) -> Response:
        """Send all pictures of a current or recent version of an edition."""
        offer = bench.offered(request.path_params["edition"])
        if offer is None:
            return PlainTextResponse("", 404)
        return as_json(await asyncio.to_thread(all_pictures, offer.rules.edition))

    async def picture(request: Request) -> Response:
        offer = bench.offered(request.path_params["edition"])
        try:
            svg = None if offer is None else Pictures(offer.rules.edition).svg(request.path_params["name"])
        except PictureError:
            svg = None
        if svg is None:
            return PlainTextResponse("", 404)
        return Response(svg, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})

    async def quit_(_: Request) -> Response:
        on_quit()
        return as_json({})

    async def window(socket: WebSocket) -> None:
        with last_window.open_window():
            await WindowConnection(socket, bench).run()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        bench.start()
        watching = asyncio.create_task(last_window.watch())
        yield
        watching.cancel()
        await asyncio.to_thread(bench.close)

    routes: list[BaseRoute] = [
        Route("/open/{key}", open_),
        Route("/", page),
        Route("/page/{name}", page_file),
        Route("/words", send_words),
        Route("/editions/{edition}/pictures", pictures),
        Route("/editions/{edition}/pictures/{name}.svg", picture),
        Route("/api/quit", quit_, methods=["POST"]),
        WebSocketRoute("/window", window),
        WebSocketRoute("/language-server", bridge),
        *(route for part in parts for route in part.routes(bench)),
    ]
    guarded = Middleware(SecurityHeaders, hosts=HostNames(), callers=ClientAddresses())
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    app = Starlette(routes=routes, middleware=[guarded, Middleware(KeyGuard, keys=keys), compressed], lifespan=lifespan)
    app.state.readable = bench.folder.readable
    return app


def page_files() -> dict[str, bytes]:
    """Return the files of the page, with those that it shares with the tables' page."""
    own = files("rulewright.workbench")
    found = bundled(sources(files("rulewright.server").joinpath("page"), own.joinpath("page")), own.joinpath("bundles"))
    editor = own.joinpath("bundles", "editor.js")
    return {**found, "editor.js": editor.read_bytes()} if editor.is_file() else found


def all_words(parts: Sequence[PanePart] = PARTS) -> Iterator[tuple[str, Phrase]]:
    """Yield the words of the tables' modules, of the page and of its panes, each with its name."""
    for words in (TABLE_WORDS, page_texts.WORDS, *(part.words for part in parts)):
        yield from words.items()
