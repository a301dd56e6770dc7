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

from msgspec import convert
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import ClientConnection

import databases
from rulewright.game import library
from rulewright.server.application import AppSettings, application
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.metrics import Metrics
from rulewright.server.network.client_addresses import HostNames
from rulewright.server.storage.store import Store
from rulewright.server.views.merge_patches import merge_own, merge_patch
from rulewright.server.views.replies import ServerMessage
from rulewright.server.web.protocol import VERSION

T = TypeVar("T")

PATIENCE = 120
"""Seconds for which anything is waited for."""


HOSTS = HostNames(["testserver"])
"""Host name by which the test client calls the server."""

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
    folder: Path,
    editions: Sequence[str],
    limits: Limits | None = None,
    address: str = "http://testserver",
    clock: Clock | None = None,
    measures: Metrics | None = None,
) -> Iterator[TestClient]:
    """A server with just these editions; its tables are in the folder. The computer waits for nobody, unless limits say
    otherwise."""
    store, limits = Store(databases.location(folder)), limits or Limits(hold=0)
    settings = AppSettings(limits, HOSTS, clock=clock or Clock(), metrics=measures or Metrics())
    result = application(store, EditionRegistry(list(editions)), settings)
    with TestClient(result, address) as client:
        yield client


def guessing(folder: Path) -> str:
    """The file of a short game with secrets."""
    path = folder / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    return str(path)


def offered(client: TestClient, number: int = 0) -> str:
    return str(client.get("/editions").json()["editions"][number]["edition"])


def begin(
    client: TestClient, *seats: Mapping[str, str], options: Mapping[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """A new table of the first edition; its tokens."""
    expected = {"edition": offered(client), "seats": list(seats), "options": dict(options or {}), **more}
    answer = client.post("/tables", json=expected)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def local_player(name: str) -> dict[str, str]:
    return {"player": "here", "name": name}


FRIEND = {"player": "friend"}


def within(work: Callable[[], T]) -> T:
    """Something that ends. Raises TimeoutError where it does not: what is broken fails a test, and hangs none."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result(PATIENCE)


def next_message(page: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind, skipping others. Raises ConnectionClosed, TimeoutError."""
    while (message := json.loads(page.recv(PATIENCE)))["type"] != kind:
        continue
    results: dict[str, Any] = message
    return results


def whole(table: Any, pieces: Any) -> dict[str, Any]:
    """A game as it is now, with what was left out since it is as usual."""
    now: dict[str, Any] = {**NOW, **table}
    zones = ({"owner": None, "word": "", "pieces": None, "hidden": "", "count": 0, **z} for z in now["zones"].values())
    now["zones"] = list(zones)
    if now["asked"] is not None:
        questions = {"none": "", "wanted": "", "zone": "", "words": "", **now["asked"]}
        now["asked"] = {**questions, "choices": [choice(told, questions, pieces) for told in questions["choices"]]}
    return now


def choice(lines: dict[str, Any], questions: dict[str, Any], pieces: Any) -> dict[str, Any]:
    piece = lines.get("piece", lines["key"] if questions["kind"] == "piece" and lines["key"] in pieces else "")
    word = lines.get("word", lines["key"] if questions["kind"] == "word" else "")
    usual = {"label": pieces[piece]["label"] if piece else lines["key"], "count": 1, "place": 0}
    return {**usual, "zone": questions["zone"], "words": questions["words"], **lines, "piece": piece, "word": word}


NOW: dict[str, Any] = {
    "round": 0, "phase": "", "over": False, "waiting": [], "ready": [], "zones": {}, "counters": {}, "powers": [],
    "scores": {}, "owners": {}, "undo": False, "standings": [], "asked": None, "sealed": [], "held": 0, "deadline": 0,
    "steps": 0, "result": "", "curve": [], "trouble": "", "proposal": None, "may": [],
}  # fmt: skip


@dataclass
class Reader:
    """Somebody with a link. received: all that came, each change as what it is a change of: 'table', 'lobby' and
    'state'; state, table, lobby: the last of each."""

    socket: WebSocketTestSession
    received: list[dict[str, Any]] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    lobby: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)
    lines: list[dict[str, Any]] = field(default_factory=list)  # of the log
    number: int = 0
    waiting: list[dict[str, Any]] = field(default_factory=list)

    def next(self) -> dict[str, Any]:
        if not self.waiting:
            text = within(self.socket.receive_text)
            convert(json.loads(text), ServerMessage)
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "past":
                message = {
                    **message,
                    "state": {**whole(message["state"], self.pieces), "lines": message["lines"]},
                }
            updates = message["of"] if message["type"] == "updates" else ()
            self.waiting = [told for update in updates for told in self.whole_updates(update)] if updates else [message]
        message = self.waiting.pop(0)
        self.received.append(message)
        if message["type"] in ("state", "table", "lobby"):
            setattr(self, message["type"], message)
        return message

    @property
    def pieces(self) -> Any:
        return self.document["table"]["pieces"]

    def whole_updates(self, update: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the whole values of changed parts."""
        assert update["number"] in (1, self.number + 1)
        if update["number"] == 1:
            self.document = {}
        self.number = update["number"]
        self.document = merge_patch(self.document, update["change"])
        about = {"seat": None, **{n: value for n, value in self.document.items() if n not in ("table", "now", "own")}}
        about |= {"group": "", **about["links"]} if "links" in about else {}
        if "now" not in self.document:
            return [{"type": "lobby", **about}]
        results = []
        if update["change"].keys() - {"now", "own"}:
            results.append({"type": "table", **about, **self.document["table"]})
        if update["change"].keys() & {"now", "own"} or "log" in update:
            log = update.get("log", {"start": -1, "lines": []})
            log["lines"] = [{"heading": False, **line} for line in log["lines"]]
            if "log" in update:
                self.lines[log["start"] :] = log["lines"]
            results.append(
                {
                    "type": "state",
                    **whole(merge_own(self.document["now"], self.document.get("own", {})), self.pieces),
                    "log": log,
                }
            )
        return results

    def until(self, *types: str) -> dict[str, Any]:
        while (message := self.next())["type"] not in types:
            continue
        return message

    def look(self, existing: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first state, the last one counted, in which something is so."""
        while not self.state or not existing(self.state):
            self.next()
        return self.state

    def question(self) -> dict[str, Any]:
        """Wait for a question and return it."""
        results: dict[str, Any] = self.look(lambda state: state["asked"])["asked"]
        return results

    def send(self, **message: Any) -> None:
        self.socket.send_json(message)

    def answer(self, *take: str, question: int | None = None) -> dict[str, Any]:
        """Answer what is asked; what the server says to it."""
        number = self.question()["question"] if question is None else question
        self.send(type="answer", question=number, take=list(take))
        text = self.until("kept", "refused")
        if text["type"] == "kept":
            self.look(lambda state: state["asked"] is None or state["asked"]["question"] > number)
        return text

    def refused(self, **message: Any) -> str:
        """Send something that is refused; in which words."""
        self.send(**message)
        return str(self.until("refused")["text"])

    def closed(self) -> int:
        """Wait for the end of the connection and return the reason."""
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
        reader.send(type="hello", protocol=VERSION, tokens=[token], language=language)
        yield reader


@contextmanager
def process(folder: Path, *editions: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own; its address."""
    stored = databases.location(folder)
    data = folder if isinstance(stored, Path) else stored
    command = [sys.executable, "-m", "rulewright", "serve", "--port", "0", "--data", str(data), *editions]
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


def children(running: subprocess.Popen[str]) -> list[int]:
    """The workers of a server."""
    results = []
    for task in Path("/proc").glob("[0-9]*"):
        try:
            parent = int(task.joinpath("stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            name_ = b"spawn_main" in task.joinpath("cmdline").read_bytes()
        except OSError:
            continue
        if parent == running.pid and name_:
            results.append(int(task.name))
    return results


def ask(address: str, path: str, content: Any = None) -> Any:
    body = None if content is None else json.dumps(content).encode()
    with urlopen(Request(address + path, body, {"content-type": "application/json"}), timeout=PATIENCE) as answer:
        return json.load(answer)
