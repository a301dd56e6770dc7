"""A server in the open: who may call it and by which name, how many at once, and what they cannot make it do."""

from __future__ import annotations

import asyncio
import http.client
import json
import select
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Scope
from starlette.websockets import WebSocketDisconnect
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect

from game_servers import HOSTS, PATIENCE, begin, guessing, local_player, next_message, offered, process, reading, server
from rulewright import cli
from rulewright.server.application import AppSettings, application, server_config
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.network.client_addresses import ClientAddresses, HostNames
from rulewright.server.network.connection_limiter import ConnectionLimiter
from rulewright.server.network.websocket_connection import ALIVE_MESSAGE, WebSocketConnection
from rulewright.server.storage.store import Store
from rulewright.server.web import books
from screenshots import hosted

# ── by which name ──


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost", True), ("LOCALHOST:8421", True), ("localhost.:80", True), ("127.0.0.1:8421", True),
        ("192.168.1.7", True), ("[::1]:8421", True), ("Games.example:443", True), (socket.gethostname(), True),
        ("evil.example", False), ("localhost.evil.example", False), ("games.example.evil", False), ("", False),
        ("localhost:x", False), ("localhost@evil.example", False), ("localhost/evil", False),
        ("127.0.0.1.evil.example", False),
        ("[evil.example]", False), ("localhost evil.example", False),
    ],
)  # fmt: skip
def test_other_host_names_are_refused(host: str, known: bool) -> None:
    assert HostNames(["games.example"]).knows(host) == known


def test_a_page_of_another_site_starts_no_table(tmp_path: Path) -> None:
    """Host and Origin agree, as they do where somebody lets their own name lead to this server."""
    with server(tmp_path, [guessing(tmp_path)]) as client:
        expected = {"edition": offered(client), "seats": [local_player("Ann")], "options": {}}
        token = begin(client, local_player("Ann"))["seats"][0]
        foreign = {"host": "evil.example", "origin": "http://evil.example"}
        answer = client.post("/tables", json=expected, headers=foreign)
        assert answer.status_code == 421
        assert "'evil.example'" in answer.text and "--allow-host" in answer.text
        assert "erlauben" in client.get("/words", headers={"host": "evil.example", "accept-language": "de"}).text
        with pytest.raises(WebSocketDisconnect), reading(client, token, **foreign):
            pass
        both = {"host": "testserver:80", "origin": "https://TESTSERVER:80"}
        assert client.post("/tables", json=expected, headers=both).status_code == 201


@pytest.mark.rotating(3)
def test_host_names_can_be_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with process(tmp_path, guessing(tmp_path), "--allow-host", "games.example") as (_, address):
        for host, status in (("games.example", 200), ("other.example", 421)):
            assert get(address, "/words", host=host)[0] == status
    for option, argument in (("--allow-host", "https://games.example"), ("--trust-proxy", "games.example")):
        assert cli.main(["serve", "--port", "0", "--data", str(tmp_path), option, argument, "--lang", "en"]) == 2
        assert f"'{argument}' is n" in capsys.readouterr().err


@pytest.mark.rotating(4)
def test_printed_address_is_one_that_works(tmp_path: Path) -> None:
    with process(tmp_path, guessing(tmp_path), "--host", "0.0.0.0") as (_, address):
        assert get(address, "/words")[0] == 200


def get(address: str, path: str, **headers: str) -> tuple[int, bytes]:
    location = urlsplit(address)
    connection = http.client.HTTPConnection(str(location.hostname), location.port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


# ── from where ──

PROXIES = ["127.0.0.1", "10.0.0.0/8", "::1"]


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
        ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("::ffff:127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("127.0.0.1", ["192.0.2.66, 203.0.113.9"], "203.0.113.9"),
        ("127.0.0.1", ["192.0.2.66", "203.0.113.9, 10.1.2.3"], "203.0.113.9"),
        ("::1", ["203.0.113.9:4711"], "203.0.113.9"),
        ("::1", ["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
        ("2001:db8:1:2::99", [], "2001:db8:1:2::/64"),
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1, 10.0.0.2"], "127.0.0.1"),
        ("127.0.0.1", ["unknown"], "unknown"),
        ("127.0.0.1", ["x" * 999], "x" * 64),
    ],
)
def test_only_a_trusted_proxy_names_its_client(client: str, forwarded: Sequence[str], address: str) -> None:
    headers = [(b"x-forwarded-for", address.encode()) for address in forwarded]
    assert ClientAddresses(PROXIES).address({"type": "http", "client": (client, 1), "headers": headers}) == address


@pytest.mark.parametrize(
    ("standard", "plain", "address"),
    [
        ("for=203.0.113.9;proto=https;by=10.0.0.1", "", "203.0.113.9"),
        ('for=192.0.2.66, For="203.0.113.9:4711"; proto=http', "", "203.0.113.9"),
        ('proto=https;for="[2001:db8:1:2:3::4]:4711"', "", "2001:db8:1:2::/64"),
        ("for=203.0.113.9", "203.0.113.9", "203.0.113.9"),
        ("for=192.0.2.66", "203.0.113.9", "127.0.0.1"),
        ("proto=https", "203.0.113.9", "203.0.113.9"),
        ("for=203.0.113.9, for=10.1.2.3", "", "203.0.113.9"),
        ("for=_hidden", "", "_hidden"),
    ],
)
def test_standard_forwarding_headers_are_read_too(standard: str, plain: str, address: str) -> None:
    """Headers that differ show that an untrusted client wrote one of them."""
    headers = [(b"forwarded", standard.encode())] + ([(b"x-forwarded-for", plain.encode())] if plain else [])
    assert ClientAddresses(PROXIES).address({"type": "http", "client": ("127.0.0.1", 1), "headers": headers}) == address


@pytest.mark.parametrize(("caller", "expected"), [("10.0.0.1", [201, 201, 429]), ("192.0.2.1", [201, 429, 429])])
def test_limits_are_those_of_the_address_that_is_forwarded(tmp_path: Path, caller: str, expected: list[int]) -> None:
    store, limits = Store(tmp_path / "tables.sqlite"), Limits(begun=1)
    settings = AppSettings(limits, HOSTS, ClientAddresses(["10.0.0.0/8"]))
    app = application(store, EditionRegistry([guessing(tmp_path)]), settings)
    with TestClient(app, client=(caller, 1)) as client:
        requests = {"edition": offered(client), "seats": [local_player("Ann")], "options": {}}
        lines = ("203.0.113.1", "203.0.113.2", "203.0.113.1")
        answers = [client.post("/tables", json=requests, headers={"x-forwarded-for": one}) for one in lines]
    assert [answer.status_code for answer in answers] == expected


# ── how many ──


def test_idle_connections_give_way() -> None:
    clients, removed = ConnectionLimiter(3, 2), list[str]()

    def enters(person: str, address: str) -> bool:
        return clients.enter(person, address, lambda: removed.append(person))

    assert enters("a", "one") and enters("b", "one") and enters("c", "one")
    assert removed == ["a"], "one address has two places"
    clients.mark_busy("b")
    assert enters("d", "two") and enters("e", "three")
    assert removed == ["a", "c"], "b is not idle"
    for player in ("d", "e"):
        clients.mark_busy(player)
    assert not enters("f", "four")
    clients.mark_idle("b")
    assert enters("f", "four")
    assert removed == ["a", "c", "b"]
    clients.leave("f")
    clients.leave("f")
    assert enters("g", "") and removed == ["a", "c", "b"]


@contextmanager
def idle(address: str, count: int, text: bytes = b"") -> Iterator[list[socket.socket]]:
    location = urlsplit(address)
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            one = stack.enter_context(socket.create_connection((location.hostname, location.port), timeout=PATIENCE))
            one.sendall(text)
            opened.append(one)
        yield opened


@pytest.mark.parametrize("limits", [Limits(waiting=20, head=PATIENCE), Limits(from_one=20, head=PATIENCE)])
@pytest.mark.parametrize("text", [b"", b"GET / HTTP/1.1\r\nHost: lo"])
def test_silent_connections_shut_no_one_out(tmp_path: Path, limits: Limits, text: bytes) -> None:
    with hosted(tmp_path, [guessing(tmp_path)], limits) as home, idle(home.address, 200, text) as sockets:
        assert get(home.address, "/words")[0] == 200
        assert all(ended(one) for one in sockets[:170])


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"GET /words HTTP/1.1\r\nHost: localhost\r\n\r\nGET /words HT",
        b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        b"GET /words HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    ],
)
def test_slow_requests_time_out(tmp_path: Path, text: bytes) -> None:
    with hosted(tmp_path, [guessing(tmp_path)], Limits(head=0.1)) as home, idle(home.address, 1, text) as (one,):
        assert ended(one)


@pytest.mark.skipif(not hasattr(select, "poll"), reason="needs poll")
def test_slow_readers_time_out(tmp_path: Path) -> None:
    """Neither here nor by the system, which would go on trying: whoever reads nothing is cut off."""
    question = b"GET /page/table.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with hosted(tmp_path, [guessing(tmp_path)], Limits(stalled=0.1)) as home:
        with idle(home.address, 1, 2000 * question) as (one,):
            ending = select.poll()
            ending.register(one, 0)
            assert ending.poll(1000 * PATIENCE)
            assert one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        assert get(home.address, "/words")[0] == 200


def test_page_that_reads_nothing_and_shows_no_life_has_gone(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    config = server_config(store, EditionRegistry([guessing(tmp_path)]), AppSettings(hosts=HOSTS))
    config.load()

    async def run() -> None:
        page, server = socket.socketpair()
        removed = asyncio.Event()
        seated = WebSocketConnection(config, ServerState(), {})

        class Ears(asyncio.Protocol):
            def connection_lost(self, exc: Exception | None) -> None:
                removed.set()

        transport, _ = await asyncio.get_running_loop().create_connection(Ears, sock=server)
        seated.transport = transport
        transport.write(bytes(10**7))
        assert transport.get_write_buffer_size()
        seated.keepalive_timeout()
        async with asyncio.timeout(PATIENCE):
            await removed.wait()
        page.close()

    asyncio.run(run())
    store.close()


def test_page_whose_connection_is_not_open_is_told_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    config = server_config(store, EditionRegistry([guessing(tmp_path)]), AppSettings(hosts=HOSTS))
    config.load()

    async def is_told() -> bool:
        return WebSocketConnection(config, ServerState(), {}).tell(b"{}")

    assert not asyncio.run(is_told())
    store.close()


def test_heartbeats_go_both_ways(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    config = server_config(store, EditionRegistry([guessing(tmp_path)]), AppSettings(hosts=HOSTS))
    config.load()

    async def run() -> None:
        for text, question in ((0.0, False), (config.ws_ping_interval or 0, True)):
            page, sources = WebSocketConnection(config, ServerState(), {}), list[bytes]()
            page.transport = cast(asyncio.Transport, SimpleNamespace(write=sources.append, is_closing=lambda: False))
            page.conn.state = State.OPEN
            page._last_received -= text
            page.send_keepalive_ping()
            assert sources[0].endswith(ALIVE_MESSAGE) and bool(sources[1:]) == question
            due = page.ping_timer or page.pong_timer
            assert due is not None and 0 < due.when() - page.loop.time() <= 20
            page.stop_keepalive()

    asyncio.run(run())
    store.close()


def ended(one: socket.socket) -> bool:
    """Whether the server ends a connection; TimeoutError where it does not."""
    with suppress(ConnectionError):
        while one.recv(65536):
            continue
    return True


def test_websockets_without_a_token_give_way(tmp_path: Path) -> None:
    limits = Limits(connections=3, greeting=PATIENCE)
    with hosted(tmp_path, [guessing(tmp_path)], limits) as home, ExitStack() as stack:
        place = home.address.replace("http", "ws") + "play"
        token = home.begin(home.offers.all().popitem()[1].rules.name, local_player("Ann"))["seats"][0]
        for _ in range(2):
            ann = stack.enter_context(connect(place))
            ann.send(json.dumps({"type": "hello", "protocol": 3, "tokens": [token], "language": "en"}))
            assert next_message(ann, "updates")
            silent = [stack.enter_context(connect(place)) for _ in range(4)]
            for one in silent[:2]:
                with pytest.raises(ConnectionClosed):
                    next_message(one, "nothing")


# ── rulebooks ──


class Making:
    """Books that are made when they are let."""

    def __init__(self) -> None:
        self.rendered: list[str] = []
        self.let, self.started = Event(), Event()

    def __call__(self, offer: Any, language: str, options: Any) -> str:
        self.rendered.append(language)
        self.started.set()
        assert self.let.wait(PATIENCE)
        return f"a book in {language}"


@pytest.fixture
def making(monkeypatch: pytest.MonkeyPatch) -> Making:
    making = Making()
    monkeypatch.setattr(books, "_render", making)
    return making


class Asking:
    """Somebody who asks for a rulebook, and may leave."""

    def __init__(self, app: ASGIApp, path: str, language: str, address: str) -> None:
        self.left, self.status, self.body = asyncio.Event(), 0, b""
        self.requested = False
        headers = [(b"host", b"testserver"), (b"accept-language", b"en")]
        query = f"language={language}".encode()
        scope: Scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query,
            "headers": headers, "client": (address, 1), "server": ("testserver", 80), "scheme": "http", "root_path": "",
            "http_version": "1.1",
        }  # fmt: skip
        self.task = asyncio.ensure_future(app(scope, self.receive, self.send))

    async def receive(self) -> Message:
        if self.requested:
            await self.left.wait()
            return {"type": "http.disconnect"}
        self.requested = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")


def request_books(folder: Path, limits: Limits, work: Callable[[Callable[[str, str], Asking]], Any]) -> None:
    """Run work with a function that requests the rulebook, in a language, from an address."""
    store, offers = Store(folder / "tables.sqlite"), EditionRegistry([guessing(folder)])
    (digest,) = offers.all()

    async def run() -> None:
        app = application(store, offers, AppSettings(limits, HOSTS))
        async with asyncio.timeout(PATIENCE):
            await work(lambda language, address: Asking(app, f"/editions/{digest}/rulebook", language, address))

    asyncio.run(run())
    store.close()


def test_a_rulebook_without_a_waiting_reader_is_not_made(tmp_path: Path, making: Making) -> None:
    async def work(ask: Callable[[str, str], Asking]) -> None:
        first = ask("en", "ann")
        await asyncio.to_thread(making.started.wait, PATIENCE)
        abandoned = [ask(language, f"bo {n}") for n in range(10) for language in ("de", "nl", "it")]
        honest, late = ask("nl", "cy"), ask("nl", "di")
        for one in abandoned:
            one.left.set()
        first.left.set()
        await asyncio.gather(first.task, *(one.task for one in abandoned))
        making.let.set()
        await asyncio.gather(honest.task, late.task)
        assert (honest.status, late.status, honest.body) == (200, 200, b"a book in nl")
        assert making.rendered == ["en", "nl"]

    request_books(tmp_path, Limits(), work)


def test_rulebooks_have_a_short_queue_and_few_places_for_one(tmp_path: Path, making: Making) -> None:
    async def work(ask: Callable[[str, str], Asking]) -> None:
        first = ask("en", "ann")
        await asyncio.to_thread(making.started.wait, PATIENCE)
        second, third = ask("de", "ann"), ask("nl", "ann")
        await third.task
        assert third.status == 503 and b"Wacht even" in third.body
        again = ask("en", "ann")  # one that is waited for already takes no place
        other, too_many = ask("nl", "bo"), ask("it", "cy")
        await too_many.task
        assert too_many.status == 503
        making.let.set()
        await asyncio.gather(*(one.task for one in (first, second, again, other)))
        assert [one.status for one in (first, second, again, other)] == [200] * 4
        assert making.rendered == ["en", "de", "nl"]
        seconds = ask("it", "ann")
        await seconds.task
        assert seconds.status == 503, "so many for one address"
        stored = ask("de", "ann")
        await stored.task
        assert stored.status == 200

    request_books(tmp_path, Limits(books_waiting=3, books_for_one=2, books=2, books_each_second=0), work)


# ── one folder ──


@pytest.mark.rotating(4)
def test_second_server_of_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["serve", "--port", "0", "--data", str(tmp_path), "--lang", "en"]
    for _ in range(2):  # the first is killed, and takes nothing with it
        with process(tmp_path, guessing(tmp_path)) as (running, address):
            assert cli.main(command) == 2
            text = capsys.readouterr().err
            assert address in text and str(running.pid) in text and "--data" in text
