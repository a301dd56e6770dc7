"""The workbench's application: what answers where, for whoever sits at this computer."""

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
from rulewright.i18n.languages import languages, speech
from rulewright.i18n.localizer import Phrase
from rulewright.model.pictures import PictureError, Pictures
from rulewright.server.network.client_addresses import Callers, Hosts
from rulewright.server.web import protocol
from rulewright.server.web.bundles import bundled, is_bundle, sources
from rulewright.server.web.page_texts import WORDS as TABLE_WORDS
from rulewright.server.web.pages import all_pictures, media_type
from rulewright.server.web.security_headers import PAGE_POLICY, PICTURE_POLICY, Guarded
from rulewright.workbench import access
from rulewright.workbench.access import Keys
from rulewright.workbench.book import book_pane, cards_pane, changes_pane, texts_pane
from rulewright.workbench.cases import cases_pane
from rulewright.workbench.core import files_pane, page_texts
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.idle_shutdown import LastWindow
from rulewright.workbench.core.json_handlers import as_json, language
from rulewright.workbench.core.lsp_bridge import bridge
from rulewright.workbench.core.window_connection import BenchWindow
from rulewright.workbench.new_game import new_pane
from rulewright.workbench.play import play_pane
from rulewright.workbench.share import share_pane
from rulewright.workbench.statistics import statistics_pane
from rulewright.workbench.steps import setup_pane, steps_pane

COOKIE = "rulewright-workbench"
_THREADS = 64
"""In which requests wait: for a book, or for rules that are read. What is typed must not wait behind them."""


@record
class PanePart:
    """What a pane brings along: what answers, and its words."""

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
"""All panes."""


class Keyed:
    """Lets in whoever has come by the address with the key: others at this computer have no business here. A page of
    the workbench before comes in, too, and gets the new cookie."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith("/open/"):
            await self._app(scope, receive, send)
            return
        told = HTTPConnection(scope).cookies.get(cookie(scope), "")
        if _is(told, self._keys.cookie):
            await self._app(scope, receive, send)
        elif self._keys.earlier and _is(told, self._keys.earlier):
            await self._app(scope, receive, self._renewing(scope, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            refused = "Open the workbench by the address that it told when it began."
            await PlainTextResponse(refused, 403)(scope, receive, send)

    def _renewing(self, scope: Scope, send: Send) -> Send:
        """Answers give a browser the new cookie."""

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                made = Response()
                let_in(made, scope, self._keys)
                MutableHeaders(scope=message).append("set-cookie", made.headers["set-cookie"])
            await send(message)

        return sent


def let_in(answer: Response, scope: Scope, keys: Keys) -> None:
    """Let an answer bring the cookie by which a browser is known."""
    answer.set_cookie(cookie(scope), keys.cookie, httponly=True, samesite="strict")


def _is(told: str, key: str) -> bool:
    return compare_digest(told.encode("utf-8", "replace"), key.encode())


def cookie(scope: Scope) -> str:
    """Cookies are shared by all servers of a computer: each workbench has its own."""
    return f"{COOKIE}-{(scope.get('server') or ('', 0))[1]}"


def application(
    bench: Bench,
    keys: Keys,
    file: str = "",
    quitting: Callable[[], object] = lambda: None,
    patience: float = 0,
    parts: Sequence[PanePart] = PARTS,
    speaking: str = "",
) -> Starlette:
    """The application; it closes the bench when it ends. keys: what lets a browser in; file: which one is shown first;
    quitting: called when somebody ends it on the page, or when the last window has been closed for `patience` seconds
    (0: never); speaking: the language of the page until somebody chooses one there, '' for that of the browser."""
    last_window = LastWindow(patience, quitting)
    told = dict(all_words(parts))
    served = page_files()

    async def open_(request: Request) -> Response:
        """Let a browser in, and lead it to the page: by a page, since a browser that was led here by a file of this
        computer tells no strict cookie where it is sent on without one."""
        if not _is(request.path_params["key"], keys.address):
            return PlainTextResponse("", 404)
        answer = HTMLResponse(access.redirecting(access.with_file("/", request.query_params.get("file", file))))
        let_in(answer, request.scope, keys)
        return answer

    async def page(_: Request) -> Response:
        """The page. CodeMirror writes its styles into it, which a number of its own for each answer allows."""
        once = secrets.token_urlsafe(16)
        policy = PAGE_POLICY.replace("style-src 'self'", f"style-src 'self' 'nonce-{once}'") + "; frame-src 'self'"
        text = served["design.html"].decode().replace("{once}", once).replace("{speaking}", speaking)
        return HTMLResponse(text, headers={"content-security-policy": policy})

    async def page_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in served:
            return PlainTextResponse("", 404)
        headers = {"cache-control": "max-age=31536000, immutable"} if is_bundle(name) else None
        return Response(served[name], media_type=media_type(name), headers=headers)

    async def said(request: Request) -> Response:
        """The words of the page in one language."""
        spoken = speech(language(request))
        found = {
            "protocol": protocol.VERSION,
            "language": spoken.language,
            "direction": "rtl" if spoken.right_to_left else "ltr",
            "languages": languages(),
            "words": {name: spoken.template(one) for name, one in told.items()},
        }
        return as_json(found)

    async def pictures(request: Request) -> Response:
        """All pictures of an edition as it is or was lately."""
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
        quitting()
        return as_json({})

    async def window(socket: WebSocket) -> None:
        with last_window.another():
            await BenchWindow(socket, bench).run()

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
        Route("/words", said),
        Route("/editions/{edition}/pictures", pictures),
        Route("/editions/{edition}/pictures/{name}.svg", picture),
        Route("/api/quit", quit_, methods=["POST"]),
        WebSocketRoute("/window", window),
        WebSocketRoute("/language-server", bridge),
        *(route for part in parts for route in part.routes(bench)),
    ]
    guarded = Middleware(Guarded, hosts=Hosts(), callers=Callers())
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    made = Starlette(routes=routes, middleware=[guarded, Middleware(Keyed, keys=keys), compressed], lifespan=lifespan)
    made.state.readable = bench.folder.readable
    return made


def page_files() -> dict[str, bytes]:
    """The files of the page, with those of the tables that it shares."""
    own = files("rulewright.workbench")
    found = bundled(sources(files("rulewright.server").joinpath("page"), own.joinpath("page")), own.joinpath("bundles"))
    editor = own.joinpath("bundles", "editor.js")
    return {**found, "editor.js": editor.read_bytes()} if editor.is_file() else found


def all_words(parts: Sequence[PanePart] = PARTS) -> Iterator[tuple[str, Phrase]]:
    """The words of the tables' modules, of the page and of its panes, each with its name."""
    for given in (TABLE_WORDS, page_texts.WORDS, *(part.words for part in parts)):
        yield from given.items()
