"""ASGI application of the workbench: routes, access control, the page and its words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase
from rulewright.server.network.client_addresses import ClientAddresses, HostNames
from rulewright.server.web.page_texts import WORDS as TABLE_WORDS
from rulewright.server.web.security_headers import SecurityHeaders
from rulewright.workbench.access import Keys
from rulewright.workbench.book import book_pane, cards_pane, changes_pane, texts_pane
from rulewright.workbench.cases import cases_pane
from rulewright.workbench.core import files_pane, page_texts
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.idle_shutdown import IdleShutdown
from rulewright.workbench.core.json_handlers import as_json
from rulewright.workbench.core.lsp_bridge import bridge
from rulewright.workbench.core.window_connection import WindowConnection
from rulewright.workbench.key_guard import KeyGuard
from rulewright.workbench.new_game import new_pane
from rulewright.workbench.page_handlers import PageHandlers
from rulewright.workbench.play import play_pane
from rulewright.workbench.share import share_pane
from rulewright.workbench.statistics import statistics_pane
from rulewright.workbench.steps import setup_pane, steps_pane

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


@record
class WorkbenchSettings:
    """Settings of a workbench. file: the file to show first, or ''; patience: seconds until it ends after its last
    window has closed, 0 for never; language: of the page until the user chooses one there, '' for the browser's."""

    file: str = ""
    patience: float = 0
    language: str = ""


def application(bench: Bench, keys: Keys, settings: WorkbenchSettings, on_quit: Callable[[], object]) -> Starlette:
    """Make the application; it starts the bench when it starts, and closes it when it ends. keys: those that let a
    browser in; on_quit: called when the user ends the workbench on the page, or when its last window has been closed
    for a while.
    """
    shutdown = IdleShutdown(settings.patience, on_quit)
    page = PageHandlers(bench, keys, settings.file, settings.language, dict(all_words()))

    async def quit_(_: Request) -> Response:
        on_quit()
        return as_json({})

    async def window(socket: WebSocket) -> None:
        with shutdown.open_window():
            await WindowConnection(socket, bench).run()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        bench.start()
        watching = asyncio.create_task(shutdown.watch())
        yield
        watching.cancel()
        await asyncio.to_thread(bench.close)

    routes: list[BaseRoute] = [
        *page.routes(),
        Route("/api/quit", quit_, methods=["POST"]),
        WebSocketRoute("/window", window),
        WebSocketRoute("/language-server", bridge),
        *(route for part in PARTS for route in part.routes(bench)),
    ]
    guarded = Middleware(SecurityHeaders, hosts=HostNames(), callers=ClientAddresses())
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    app = Starlette(routes=routes, middleware=[guarded, Middleware(KeyGuard, keys=keys), compressed], lifespan=lifespan)
    app.state.readable = bench.folder.readable
    return app


def all_words() -> Iterator[tuple[str, Phrase]]:
    """Yield the words of the tables' modules, of the page and of its panes, each with its name."""
    for words in (TABLE_WORDS, page_texts.WORDS, *(part.words for part in PARTS)):
        yield from words.items()
