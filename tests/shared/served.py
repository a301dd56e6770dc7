"""Tables for tests: a server inside this process, and people who sit at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar
from urllib.request import Request, urlopen

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from rulewright.game import library
from rulewright.server.callers import Hosts
from rulewright.server.edition_registry import Offers
from rulewright.server.limits import Limits
from rulewright.server.server import application
from rulewright.server.store import Store

T = TypeVar("T")

PATIENCE = 60
"""Seconds for which anything is waited for."""


HOSTS = Hosts(["testserver"])
"""As the test client calls the server."""

GUESSING = """\
rulewright: 1
title: Guessing
players: 1 to 3
pieces:
  stone: {has: {size: 1 to 3}, copies: 2, starts in: bag, noun: "stone of {size}"}
zones:
  bag: {seen by: nobody, pile: yes}
  pouch: {of: seat, seen by: owner}
  heap: {seen by: all}
values: {game: {turn limit: 2}}
counters: {game: {turns: 0}}
setup:
  do:
    - shuffle bag
    - each seat: move top 1 of bag to pouch
phases:
  guess:
    do:
      - all seats at once:
          - choose number from 0 to 3 as guess: {ask: What first?}
          - choose number from 0 to 3 as doubt: {ask: What then?}
      - add 1 to turns
      - log: "Turn {turns} is over."
      - if turns is turn limit:
          - each seat: move pouch to heap
          - end game
scoring:
  size: {points: number of heap}
ranking: highest score
options:
  quick: {change: {turn limit: 1}}
"""


@contextmanager
def server(
    folder: Path, editions: Sequence[str], limits: Limits | None = None, address: str = "http://testserver"
) -> Iterator[TestClient]:
    """A server with just these editions; its tables are in the folder."""
    store = Store(folder / "tables.sqlite")
    with TestClient(application(store, Offers(list(editions)), limits, hosts=HOSTS), address) as client:
        yield client


def guessing(folder: Path) -> str:
    """The file of a short game with secrets."""
    path = folder / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    return str(path)


def offered(client: TestClient, number: int = 0) -> str:
    return str(client.get("/editions").json()["editions"][number]["edition"])


def begin(client: TestClient, *seats: Mapping[str, str], options: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A new table of the first edition; its tokens."""
    wanted = {"edition": offered(client), "seats": list(seats), "options": dict(options or {})}
    answer = client.post("/tables", json=wanted)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def here(name: str) -> dict[str, str]:
    return {"player": "here", "name": name}


FRIEND = {"player": "friend"}


def within(work: Callable[[], T]) -> T:
    """Something that ends. Raises TimeoutError where it does not: what is broken fails a test, and hangs none."""
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:
            found.set_exception(error)

    Thread(target=run, daemon=True).start()
    return found.result(PATIENCE)


@dataclass
class Reader:
    """Somebody with a link. seen: all that came; state, table, lobby: the last of each."""

    socket: WebSocketTestSession
    seen: list[dict[str, Any]] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    lobby: dict[str, Any] = field(default_factory=dict)

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = within(self.socket.receive_json)
        self.seen.append(message)
        if message["type"] in ("state", "table", "lobby"):
            setattr(self, message["type"], message)
        return message

    def until(self, *types: str) -> dict[str, Any]:
        while (message := self.next())["type"] not in types:
            continue
        return message

    def look(self, there: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first state, the last one counted, in which something is so."""
        while not self.state or not there(self.state):
            self.next()
        return self.state

    def asked(self) -> dict[str, Any]:
        """What is asked, as soon as something is."""
        found: dict[str, Any] = self.look(lambda state: state["asked"])["asked"]
        return found

    def send(self, **message: Any) -> None:
        self.socket.send_json(message)

    def answer(self, *take: str, question: int | None = None) -> dict[str, Any]:
        """Answer what is asked; what the server says to it."""
        number = self.asked()["question"] if question is None else question
        self.send(type="answer", question=number, take=list(take))
        said = self.until("kept", "refused")
        if said["type"] == "kept":
            self.look(lambda state: state["asked"] is None or state["asked"]["question"] > number)
        return said

    def refused(self, **message: Any) -> str:
        """Send something that is refused; in which words."""
        self.send(**message)
        return str(self.until("refused")["text"])

    def closed(self) -> int:
        """Why the connection ends, which it does."""
        try:
            while True:
                self.next()
        except WebSocketDisconnect as ended:
            return ended.code


@contextmanager
def reading(client: TestClient, token: str, language: str = "en", **headers: str) -> Iterator[Reader]:
    """A connection that has said hello."""
    with client.websocket_connect("/play", headers=headers) as socket:
        reader = Reader(socket)
        reader.send(type="hello", protocol=1, token=token, language=language)
        yield reader


@contextmanager
def process(folder: Path, *editions: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own; its address."""
    command = [sys.executable, "-m", "rulewright", "serve", "--port", "0", "--data", str(folder), *editions]
    environment = {**os.environ, "PYTHONPATH": str(Path(library.__file__).parents[2]), "LANG": "C.UTF-8"}
    with open(folder / "said.txt", "a", encoding="utf-8") as errors:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        try:
            assert running.stdout is not None
            yield running, within(running.stdout.readline).rpartition(" ")[2].strip()
        finally:
            running.kill()
            running.wait()
            assert running.stdout is not None
            running.stdout.close()


def ask(address: str, path: str, content: Any = None) -> Any:
    body = None if content is None else json.dumps(content).encode()
    with urlopen(Request(address + path, body, {"content-type": "application/json"}), timeout=PATIENCE) as answer:
        return json.load(answer)
