"""Proxies between a page and its server that delay, cut and reorder messages."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.sync.client import connect

from game_servers import PATIENCE, ask, guessing, local_player, next_message
from rulewright.server.web.protocol import VERSION
from screenshots import hosted

Through = Callable[[int, bool, int, bytes], "list[bytes] | None"]
"""Function that decides about a message: of which connection, whether it goes to the server, its number, and its parts.
It returns the parts that go on, or None to cut the connection."""

SPOILT = 3
"""Connections that fare badly; the later ones do not."""


def held_back(number: int, up: bool, count: int, data: bytes) -> list[bytes]:
    """Like one that collects, and gives in portions of its own."""
    return [data[start : start + 7] for start in range(0, len(data), 7)]


def cut(number: int, up: bool, count: int, data: bytes) -> list[bytes] | None:
    """Cut in the middle of messages: at first early, then later."""
    return [data] if number >= SPOILT or count < number + (0 if up else 1) else None


def cut_behind(number: int, up: bool, count: int, data: bytes) -> list[bytes] | None:
    """The server hears all, and nobody hears the server."""
    return [data] if number >= SPOILT or up or count < number + 1 else None


def mixed_up(number: int, up: bool, count: int, data: bytes) -> list[bytes]:
    """The end comes first."""
    spoilt = number < SPOILT and up and count > 0
    return [data[len(data) // 2 :], data[: len(data) // 2]] if spoilt else [data]


def twice(number: int, up: bool, count: int, data: bytes) -> list[bytes]:
    """Repeat a message."""
    return [data, data] if number < SPOILT and up and count > 0 else [data]


@contextmanager
def between(address: str, through: Through) -> Iterator[str]:
    """Something that stands before a server; its address."""
    location = urlsplit(address)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def pump(number: int, up: bool, one: socket.socket, other: socket.socket) -> None:
            with suppress(OSError):
                count = 0
                while data := one.recv(65_536):
                    parts = through(number, up, count, data)
                    if parts is None:
                        break
                    for part in parts:
                        other.sendall(part)
                    count += 1
            for end in (one, other):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

        def take() -> None:
            number = 0
            with suppress(OSError):
                while True:
                    page, _ = listening.accept()
                    server = socket.create_connection((location.hostname, location.port))
                    for up, one, other in ((True, page, server), (False, server, page)):
                        Thread(target=pump, args=(number, up, one, other), daemon=True).start()
                    number += 1

        Thread(target=take, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        listening.shutdown(socket.SHUT_RDWR)


def answered(address: str, token: str, question: int) -> bool:
    """Whether it is known now that a question was answered; as a page does it, which comes back where it is lost."""
    with suppress(WebSocketException, InvalidHandshake, OSError, EOFError):
        with connect(address.replace("http", "ws") + "play", open_timeout=PATIENCE) as page:
            page.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
            while True:
                message: dict[str, Any] = json.loads(page.recv(PATIENCE))
                if message["type"] == "updates":
                    decision = message["of"][0]["change"].get("own", {}).get("asked")
                    if decision is not None and decision["question"] > question:
                        return True
                    if decision is not None:
                        page.send(json.dumps({"type": "answer", "question": question, "take": ["1"]}))
                if message["type"] == "kept":
                    return True
    return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("tables")
    with hosted(folder, [guessing(folder)]) as home:
        yield home.address


@pytest.mark.parametrize("through", [held_back, cut, cut_behind, mixed_up, twice])
def test_an_answer_arrives_once_through_any_proxy(server: str, through: Through) -> None:
    edition = ask(server, "editions")["editions"][0]["edition"]
    token = ask(
        server, "tables", {"edition": edition, "seats": [local_player("Ann"), local_player("Bo")], "options": {}}
    )["seats"][0]
    with between(server, through) as address:
        tries = 1
        while not answered(address, token, 0):
            tries += 1
            assert tries < 3 * SPOILT
    with connect(server.replace("http", "ws") + "play", open_timeout=PATIENCE) as page:
        page.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
        question = next_message(page, "updates")["of"][0]["change"]["own"]["asked"]
    assert question["prompt"] == "What then?" and question["question"] == 1, "once, and no more"
