"""Everybody at a table is served by one of several processes, as long as that is there."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from websockets.exceptions import InvalidHandshake
from websockets.sync.client import connect

import databases
from databases import needs_postgresql
from game_servers import PATIENCE, ask, children, local_player, next_message, process, within
from project_folders import GAMES
from rulewright.game import library
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition
from rulewright.server.network import table_routing
from rulewright.server.network.connection_limiter import ConnectionLimiter
from rulewright.server.network.table_routing import MAX_SILENCE_SECONDS, TableRouter, WorkerLinks
from rulewright.server.web.protocol import VERSION

EDITION = str(GAMES / "hex.yaml")
TABLES = 6
pytestmark = pytest.mark.skipif(not hasattr(socket, "send_fds"), reason="needs a system that passes connections on")


def test_tokens_of_a_table_share_its_home_and_nothing_else() -> None:
    host = tokens.new()
    others = [tokens.new(host), tokens.invite(host, 1), tokens.watch(host), tokens.replay(tokens.new(host))]
    assert {tokens.routing_prefix(token) for token in others} == {tokens.routing_prefix(host)} != {""}
    assert len({host, *others}) == 5
    assert all(len(token) <= tokens.MAX_LENGTH for token in others)
    older = "x" * 43
    assert (
        tokens.routing_prefix(older)
        == tokens.routing_prefix(tokens.watch(older))
        == tokens.routing_prefix(tokens.new(older))
        == ""
    )


# ── one process and another, in one ──


def home_of(one: TableRouter, number: int) -> bytes:
    return next(b"%d" % name for name in range(1000) if one.worker_of(b"%d" % name) == number)


def worker_network(processes: int = 2) -> tuple[WorkerLinks, list[TableRouter]]:
    result = WorkerLinks.for_processes(processes)
    assert result is not None
    return result, [TableRouter(result, number) for number in range(processes)]


class Arriving(asyncio.Protocol):
    """Protocol of the other process: it sends back all that came before the handover, and after it."""

    def __init__(self, read: bytes) -> None:
        self.read = read

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self.read)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(data.upper())


class Coming(asyncio.Protocol):
    """Protocol of the process that takes the connection."""

    def __init__(self, index: TableRouter) -> None:
        self.time_of_connection = index

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.time_of_connection.hand_over(self.transport, data):
            self.transport.abort()
        else:
            self.transport.write(b"here")


async def answered(index: TableRouter, request: bytes, more: bytes = b"") -> bytes:
    """Return the response to a request that reaches a process."""
    taking = await asyncio.get_running_loop().create_server(lambda: Coming(index), "127.0.0.1", 0)
    async with taking, asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(*taking.sockets[0].getsockname())
        writer.write(request)
        result = await reader.read(100)
        if more:
            writer.write(more)
            result += await reader.readexactly(len(more))
        writer.close()
    return result


def test_connection_goes_on_where_its_table_is_at_home() -> None:
    async def run() -> None:
        _, (one, other) = worker_network()
        one.open(Arriving)
        other.open(Arriving)
        away = b"GET /play/" + home_of(one, 1) + b" HTTP/1.1\r\n"
        assert await answered(one, away, b"and on") == away + b"AND ON"
        own = b"GET /play/" + home_of(one, 0) + b" HTTP/1.1\r\n"
        assert await answered(one, own) == b"here"
        assert await answered(one, b"GET /play HTTP/1.1\r\n") == b"here"
        assert await answered(one, b"POST /tables HTTP/1.1\r\n") == b"here"
        other.close()
        assert await answered(one, away) == b"here", "it is about to end"

    asyncio.run(run())


def test_nothing_is_routed_to_a_dead_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_routing, "HEARTBEAT_SECONDS", 1000.0)

    async def run() -> None:
        result, (one, other) = worker_network()
        request = b"GET /play/" + home_of(one, 1) + b" HTTP/1.1\r\n"
        assert await answered(one, request) == b"here", "it has not begun"
        other.open(Arriving)
        assert await answered(one, request) == request
        result.alive[1] -= MAX_SILENCE_SECONDS + 0.1
        assert await answered(one, request) == b"here"

    asyncio.run(run())


def test_a_full_queue_means_serving_locally() -> None:
    async def run() -> None:
        result, (one, other) = worker_network()
        request = b"GET /play/" + home_of(one, 1) + b" HTTP/1.1\r\n"
        other.open(Arriving)
        asyncio.get_running_loop().remove_reader(result.doors[1][0])  # it takes nothing
        with pytest.raises(BlockingIOError):
            while True:
                result.doors[1][1].send(b"x")
        assert await answered(one, request) == b"here"

    asyncio.run(run())


def test_places_are_counted_in_all_processes_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_routing, "HEARTBEAT_SECONDS", 1000.0)

    async def run() -> None:
        result, (one, other) = worker_network()
        one.open(Arriving)
        other.open(Arriving)
        first, second = ConnectionLimiter(3, 9, one.pages_elsewhere), ConnectionLimiter(3, 9, other.pages_elsewhere)
        for clients, player in ((first, "Ann"), (first, "Bo"), (second, "Cy")):
            assert clients.enter(player, "", print)
            clients.mark_busy(player)
        assert not first.enter("Dan", "", print) and not second.enter("Dan", "", print)
        first.leave("Bo")
        assert second.enter("Dan", "", print)
        second.mark_busy("Dan")
        assert not first.enter("Eve", "", print)
        result.alive[1] -= MAX_SILENCE_SECONDS + 0.1
        assert first.enter("Eve", "", print), "whoever is at a process that has gone has gone, too"

    asyncio.run(run())


def test_a_single_process_has_no_routing() -> None:
    assert WorkerLinks.for_processes(1) is None


# ── real ones ──


@pytest.fixture
def postgresql() -> Iterator[str]:
    yield from databases.use(databases.POSTGRESQL)


def reads_table(address: str, token: str, stay: ExitStack) -> bool:
    """Whether somebody comes to a table and sees it."""
    place = f"{address.replace('http', 'ws')}play/{tokens.routing_prefix(token)}"
    try:
        page = stay.enter_context(connect(place, open_timeout=1, close_timeout=1))
    except (TimeoutError, OSError, InvalidHandshake):
        return False
    page.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
    return bool(next_message(page, "updates"))


def in_memory(port: int) -> float:
    """Return the number of tables in a process; 0 before it has started."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
    except URLError:
        return 0
    return sum(float(line.split()[1]) for line in lines if line.startswith("rulewright_tables_in_memory "))


def free_ports() -> int:
    """The first of two ports, one after the other, that are free."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


@pytest.mark.rotating(10)
@needs_postgresql
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.usefixtures("postgresql")
def test_a_table_is_in_one_process_and_others_take_over(tmp_path: Path) -> None:
    port = free_ports()
    with ExitStack() as stack:
        options = (EDITION, "--workers", "2", "--metrics", str(port))
        running, address = stack.enter_context(process(tmp_path, *options))
        expected = {
            "edition": playable_edition(library.load(EDITION)).pinned.digest,
            "seats": [local_player("Ann"), local_player("Bo")],
        }

        def opened() -> list[str]:
            """A table at which both sit."""
            seats: list[str] = ask(address, "tables", {**expected, "options": {}})["seats"]
            assert len({tokens.routing_prefix(token) for token in seats}) == 1
            assert all(reads_table(address, token, stack) for token in seats)
            return seats

        ports = port, port + 1
        within(lambda: until_both_serve(opened, ports))
        before = sum(map(in_memory, ports))
        starts = [opened() for _ in range(TABLES)]
        assert sum(map(in_memory, ports)) == before + TABLES
        frozen, left = children(running)
        os.kill(frozen, signal.SIGSTOP)
        stack.callback(os.kill, frozen, signal.SIGCONT)
        for seats in starts:
            within(lambda: until_seen(address, seats[0]))  # noqa: B023 - called at once
        assert left in children(running)


def until_both_serve(opened: Callable[[], object], ports: Iterable[int]) -> None:
    """One of them may be there sooner, and has all tables until then."""
    while not all(map(in_memory, ports)):
        opened()


def until_seen(address: str, token: str) -> None:
    """A process that has just stopped was there a moment ago."""
    with ExitStack() as stack:
        while not reads_table(address, token, stack):
            continue
