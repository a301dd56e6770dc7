"""The server: what answers where, and how it is begun and ended."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.config import LOGGING_CONFIG

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.files import reason
from rulewright.base.processes import stopping
from rulewright.base.records import record
from rulewright.i18n.speech import Either, phrase
from rulewright.server import journal, metrics
from rulewright.server.bots.thinking import Thinkers, share
from rulewright.server.bots.trained import TrainedPlayers
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import Offers, names_of
from rulewright.server.leavings import look_at_the_young
from rulewright.server.limits import Limits
from rulewright.server.measures import Measures
from rulewright.server.network.callers import Callers, Hosts, is_name
from rulewright.server.network.crowd import Crowd
from rulewright.server.network.door import BACKLOG, Door, door, places
from rulewright.server.network.homes import Homes
from rulewright.server.network.live_page import LivePage
from rulewright.server.operations import Operated
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.sqlite_file import cannot_be_used
from rulewright.server.storage.store import Store
from rulewright.server.tables.expiry import Expiry
from rulewright.server.tables.tables import Tables
from rulewright.server.web import catalogue
from rulewright.server.web.connection import BUSY, Connection
from rulewright.server.web.pages import Guarded, Pages

FILE, LOCK = "tables.sqlite", "server"
_EXAMPLE = "games.example.org"
_ALIVE = 20.0
"""Seconds between two signs of life of a connection."""


class ServingError(RulewrightError):
    """The server cannot be begun."""


@record
class Served:
    """What is served and where. editions: more than those that come along, by file; names: by which others call this
    machine, besides its own; proxies: addresses or networks of those that stand in front, and say for whom they ask;
    policies: files of trained players that are offered too; metrics: where what is counted is shown, as HOST:PORT or
    PORT, or '' for nowhere; data: a folder, or the address of a PostgreSQL database; workers: how many
    processes serve here together."""

    host: str
    port: int
    data: Path | str
    editions: Sequence[str] = ()
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    policies: Sequence[str] = ()
    metrics: str = ""
    workers: int = 1


def application(
    store: Store,
    offers: Offers,
    limits: Limits | None = None,
    thinkers: Thinkers | None = None,
    hosts: Hosts | None = None,
    callers: Callers | None = None,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    measures: Measures | None = None,
    homes: Homes | None = None,
) -> Starlette:
    """The application; it closes the store when it ends. hosts: by which names it may be called; callers: which proxies
    are trusted; clock: for tests; beside: what else is answered, instead of what stands here where both could;
    measures: where it counts; homes: where several processes share the tables."""
    limits, hosts, callers = limits or Limits(), hosts or Hosts(), callers or Callers()
    tables = Tables(store, offers, thinkers or Thinkers(), limits, clock, measures)
    pages = Pages(tables, limits)
    crowd = Crowd(limits.connections, limits.from_one, None if homes is None else homes.pages_elsewhere)
    tables.measures.present = {"connections": lambda: len(crowd), **tables.present()}

    async def play(websocket: WebSocket) -> None:
        begun = time.monotonic()
        connection = Connection(websocket, tables, limits, lambda: crowd.busy(connection))
        if not crowd.enter(connection, websocket.client.host if websocket.client else "", connection.give_up):
            await websocket.close(BUSY)
            return
        try:
            await connection.run()
        finally:
            crowd.leave(connection)
            tables.leavings.add()
            journal.event("connection ended", seconds=round(time.monotonic() - begun, 1))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tables.task(tables.run())
        expiring = asyncio.create_task(Expiry(tables).run())
        yield
        expiring.cancel()
        journal.event("stopping", connections=len(crowd))
        await tables.close()
        store.close()
        journal.event("stopped")

    routes: list[BaseRoute] = [
        *beside,
        Route("/", pages.index),
        Route("/table", pages.table),
        Route("/page/{name}", pages.file),
        Route("/worker.js", pages.worker),
        Route("/words", pages.words),
        Route("/editions", pages.editions),
        Route("/editions/{edition}", pages.edition),
        Route("/editions/{edition}/differences", pages.differences),
        Route("/editions/{edition}/glance", pages.glance),
        Route("/editions/{edition}/rulebook", pages.rulebook),
        Route("/editions/{edition}/learn", pages.learn),
        Route("/editions/{edition}/lessons", pages.lessons),
        Route("/editions/{edition}/lessons/{number}", pages.lesson),
        Route("/editions/{edition}/lessons/{number}/{moment}", pages.moment),
        Route("/editions/{edition}/lessons/{number}/{moment}/answer", pages.lesson_answer),
        Route("/editions/{edition}/lessons/{number}/{moment}/explained", pages.lesson_explained),
        Route("/editions/{edition}/pictures", pages.pictures),
        Route("/editions/{edition}/pictures/{name}.svg", pages.picture),
        Route("/qr", pages.qr, methods=["POST"]),
        Route("/tables", pages.begin, methods=["POST"]),
        Route("/turns", pages.turns, methods=["POST"]),
        WebSocketRoute("/play", play),
        WebSocketRoute("/play/{home}", play),
    ]
    operated = Middleware(Operated, tables=tables)
    guarded = Middleware(Guarded, hosts=hosts, callers=callers)
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    return Starlette(routes=routes, middleware=[operated, guarded, compressed], lifespan=lifespan)


def serve(served: Served, begun: Callable[[str], object], limits: Limits | None = None) -> None:
    """Serve until somebody stops it. begun: is told the address, once there is one. Raises RulewrightError."""
    with listen(served.host, served.port) as listening:
        serve_at(listening, served, begun, limits)


def check(served: Served) -> None:
    """Raises RulewrightError for what cannot be served."""
    names_of(list(served.editions))
    _names(served.names)
    _callers(served.proxies)
    TrainedPlayers.read(served.policies)


def serve_at(
    listening: socket.socket,
    served: Served,
    begun: Callable[[str], object],
    limits: Limits | None = None,
    homes: Homes | None = None,
) -> None:
    """As `serve`, where somebody listens already, perhaps others with it. homes: how those share the tables."""
    offers, trained = Offers(names_of(list(served.editions))), TrainedPlayers.read(served.policies)
    hosts, callers = Hosts([served.host, *_names(served.names)]), _callers(served.proxies)
    measures, where = Measures(), address(listening)
    with stopping(), opened(served.data, where) as store, measured(served.metrics, measures):
        thinkers = Thinkers(share(served.workers), trained)
        limits = limits or Limits()
        config = configured(store, offers, limits, hosts, callers, thinkers=thinkers, measures=measures, homes=homes)
        Thread(target=catalogue.prepare, args=(offers,), daemon=True).start()
        look_at_the_young()
        begun(where)
        _Serving(config, homes).run(sockets=[listening])


class _Serving(uvicorn.Server):
    """Takes connections that others pass on, too."""

    def __init__(self, config: uvicorn.Config, homes: Homes | None) -> None:
        super().__init__(config)
        self._homes = homes

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._homes is not None:
            self._homes.open(self._arrived)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._homes is not None:
            self._homes.close()
        await super().shutdown(sockets)

    def _arrived(self, read: bytes) -> Door:
        speaks = cast(type[Door], self.config.http_protocol_class)
        guest = speaks(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        guest.read = read
        return guest


def configured(
    store: Store,
    offers: Offers,
    limits: Limits,
    hosts: Hosts,
    callers: Callers,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    thinkers: Thinkers | None = None,
    measures: Measures | None = None,
    homes: Homes | None = None,
) -> uvicorn.Config:
    """The application behind its door, with no more places than the system gives. beside, measures: as `application`
    has them; thinkers: where the computer's players think; homes: where several processes share the tables."""
    waiting, connections = places(limits)
    limits = replace(limits, waiting=waiting, connections=connections)
    # The library's logs would hold addresses, and in them what people should not find there; errors are enough.
    return uvicorn.Config(
        application(store, offers, limits, thinkers, hosts, callers, clock, beside, measures, homes),
        log_config=None if journal.written() else LOGGING_CONFIG,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=door(Crowd(limits.waiting, limits.from_one), callers, limits, homes),
        h11_max_incomplete_event_size=limits.message,
        backlog=BACKLOG,
        ws=LivePage,
        ws_max_size=4 * limits.message,
        ws_ping_interval=_ALIVE,
        ws_ping_timeout=_ALIVE,
        timeout_graceful_shutdown=3,
    )


@contextmanager
def opened(data: Path | str, at: str) -> Iterator[Store]:
    """The log: of a folder for this server alone, of a PostgreSQL database for many. Raises StoreError."""
    with alone(data, at) if isinstance(data, Path) else nullcontext():
        yield Store(data / FILE if isinstance(data, Path) else data)


@contextmanager
def measured(where: str, measures: Measures) -> Iterator[None]:
    """Show what is counted at an address, or, for '', nowhere. Raises ServingError."""
    if not where:
        yield
        return
    host, port = metrics_place(where)
    with ExitStack() as stack:
        try:
            journal.event("metrics", port=stack.enter_context(metrics.shown(measures, host, port)))
        except (OSError, OverflowError, UnicodeError) as error:
            raise _unserved(host, port, error, "--metrics") from None
        yield


def metrics_place(where: str) -> tuple[str, int]:
    """Host and port. Raises ServingError."""
    try:
        return metrics.place(where)
    except ValueError:
        told = phrase(
            "errors",
            "'{place}' is no place for metrics: write {examples}.",
            place=where,
            examples=Either(("9100", "10.0.0.5:9100")),
        )
        raise ServingError(told) from None


@contextmanager
def alone(folder: Path, at: str) -> Iterator[None]:
    """Be the only server of a folder; a file says who that is. Raises StoreError."""
    path = folder / LOCK
    with ExitStack() as stack:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            stack.enter_context(files.held(path))
            path.write_text(f"{os.getpid()} {at}\n", encoding="utf-8")
        except BlockingIOError:
            process, _, where = path.read_text(encoding="utf-8").strip().partition(" ")
            raise StoreError(
                phrase(
                    "errors",
                    "The tables in '{path}' are served already, at {address} (process {number}). Go there, or end that "
                    "server first, or choose another folder with {option}.",
                    path=str(folder),
                    address=where,
                    number=process,
                    option="--data",
                )
            ) from None
        except (OSError, ValueError) as error:
            raise cannot_be_used(path, error) from None
        yield


def _names(given: Sequence[str]) -> Sequence[str]:
    """Raises ServingError for what is no name of a host."""
    for name in given:
        if not is_name(name):
            told = phrase(
                "errors", "'{name}' is no name of a host: write it alone, as {example}.", name=name, example=_EXAMPLE
            )
            raise ServingError(told)
    return given


def _callers(proxies: Sequence[str]) -> Callers:
    """Raises ServingError for what is no address."""
    for proxy in proxies:
        try:
            Callers([proxy])
        except ValueError:
            told = phrase(
                "errors",
                "'{address}' is neither an address nor a network: write {examples}.",
                address=proxy,
                examples=Either(("127.0.0.1", "10.0.0.0/8")),
            )
            raise ServingError(told) from None
    return Callers(proxies)


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket that takes connections; port 0: at any that is free; option: which one chooses it. Raises
    ServingError."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, kind)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((where[0], port, *where[2:]))  # to look it up, the system would take any number
            listening.listen(BACKLOG)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        raise _unserved(host, port, error, option) from None
    return listening


def _unserved(host: str, port: int, error: Exception, option: str) -> ServingError:
    slots = {"host": host, "port": str(port), "why": reason(error), "option": option}
    return ServingError(
        phrase("errors", "Nothing can be served at {host}, port {port}: {why}. Try another {option}.", **slots)
    )


def address(listening: socket.socket) -> str:
    """Where a browser finds it: on other machines too, unless it listens for this one alone."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _outward() or "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _outward() -> str:
    """The address that other machines of this network know, or ''. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # kept free for documents by RFC 5737
        return str(asking.getsockname()[0])
    return ""
