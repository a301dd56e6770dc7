"""People at tables, for tools that measure servers or try them: they begin one, come, and answer at random."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from rulewright.server import tokens
from rulewright.server.views.merge_patches import merge_patch

OPENED_AT_ONCE, START_SECONDS, PATIENCE = 50, 60.0, 20.0
"""Connections that are opened at once; seconds until a table must have begun, and until an answer must have come."""


def table(
    address: str, edition: str, people: int, bots: Sequence[str] = (), headers: Mapping[str, str] | None = None
) -> list[str]:
    """Begin a table; return the tokens of its seats. edition: its digest; bots: the kinds of the computer's players;
    headers: as a proxy would add them. Raises HTTPError and other OSErrors."""
    seats = [{"player": "here", "name": f"Player {number}"} for number in range(1, people + 1)]
    seats += [{"player": kind} for kind in bots]
    body = json.dumps({"edition": edition, "seats": seats, "options": {}}).encode()
    asking = Request(address + "tables", body, {"content-type": "application/json", **(headers or {})})
    with urlopen(asking, timeout=START_SECONDS) as answer:
        return list(json.load(answer)["seats"])


def draw_answer(questions: Mapping[str, Any], rng: Random) -> list[str]:
    """Draw an answer to what a page is asked: keys of choices, as many as it may be."""
    offered = [choice["key"] for choice in questions["choices"] for _ in range(choice.get("count", 1))]
    return rng.sample(offered, rng.randint(questions["least"], min(questions["most"], len(offered))))


def percentiles(results: Sequence[float]) -> list[float]:
    """Return the values that 99 in 100 exceed, 98 …, and last 1 in 100; 0 for no values."""
    return statistics.quantiles(results, n=100) if len(results) > 1 else [*results, 0.0][:1] * 99


@dataclass
class Measurements:
    """Measurements at the tables of a server.

    - acknowledged: seconds from each answer until it was acknowledged
    - latencies: seconds from each answer until what came of it was there
    - sent, updates: bytes that came from the server, and what they were before they were compressed
    - seconds: in which people played
    - used, ours: seconds of the server's processor, and of our own
    """

    acknowledged: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    sent: int = 0
    updates: int = 0
    seconds: float = 0
    used: float = 0
    ours: float = 0


class Company:
    """All who are at the tables of one server. free: those who are asked, and have not answered yet; awaited: how many
    answers are not acknowledged yet."""

    def __init__(self, address: str, protocol: int, rng: Random) -> None:
        self.address, self.protocol, self.rng = address, protocol, rng
        self.measurements, self.free, self.awaited = Measurements(), list[Person](), 0


class Person(asyncio.Protocol):
    """Somebody at a table, with no more of a page than it takes to answer, and to see what came of it."""

    def __init__(self, side: Company, token: str) -> None:
        self.side, self.token = side, token
        home = tokens.routing_prefix(token)  # '' in older checkouts, which do not know it
        address = side.address.replace("http", "ws") + (f"play/{home}" if home else "play")
        self.line = ClientProtocol(parse_uri(address), max_size=None)
        self.line.available_extensions = [ClientPerMessageDeflateFactory(client_max_window_bits=True)]
        self.document: dict[str, Any] = {}
        self.question = -1
        self.answered_at, self.waits = 0.0, False  # when the last answer was given, and whether nothing came of it yet
        self.arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def come(self, gate: asyncio.Semaphore) -> None:
        """Wait until the table is seen."""
        async with gate:
            host = self.line.uri.host, self.line.uri.port
            self.transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, *host)
            self.line.send_request(self.line.connect())
            self.flush()
            await self.arrived

    def flush(self) -> None:
        """Write what is to be sent."""
        self.transport.write(b"".join(self.line.data_to_send()))

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.line.send_text(msgspec.json.encode(message))
        self.flush()

    def data_received(self, data: bytes) -> None:
        self.side.measurements.sent += len(data)
        self.line.receive_data(data)
        for event in self.line.events_received():
            if self.line.handshake_exc is not None:
                raise SystemExit(f"Somebody is not let in: {self.line.handshake_exc}")
            if not isinstance(event, Frame):
                opened = {"token": self.token} if self.side.protocol == 1 else {"tokens": [self.token]}
                self.say({"type": "hello", "protocol": self.side.protocol, "language": "en", **opened})
            elif event.opcode is Opcode.TEXT:
                self.side.measurements.updates += len(event.data)
                self.read(bytes(event.data))
            elif event.opcode is Opcode.PING:
                self.flush()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.arrived.done():
            self.arrived.set_exception(SystemExit("A server lets somebody go who has just come."))

    def read(self, text: bytes) -> None:
        """Take in a message as it came over the wire."""
        self.hear(msgspec.json.decode(text))

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a message: note times, and what the page shows now. Exits if the server refuses something."""
        if message["type"] == "refused":
            raise SystemExit(message["text"])
        if message["type"] == "kept":
            self.side.awaited -= 1
            self.side.measurements.acknowledged.append(time.perf_counter() - self.answered_at)
        if message["type"] == "state":  # of protocol 1: all that the seat sees, whenever anything has changed
            self.document = {"now": message}
        if message["type"] == "updates":
            for update in message["of"]:
                self.document = merge_patch(self.document, update["change"])
        if message["type"] in ("state", "updates"):
            self.see()

    def see(self) -> None:
        """Look at what is shown now; from the first time on, the table is seen."""
        self.look(self.open_question())
        if not self.arrived.done():
            self.arrived.set_result(None)

    def open_question(self) -> dict[str, Any] | None:
        """Return the seat's open question: since protocol 3 it is in the seat's own part of the document."""
        results: dict[str, Any] | None = {**self.document["now"], **self.document.get("own", {})}.get("asked")
        return results

    def over(self) -> bool:
        """Return whether the game is over."""
        return bool(self.document["now"].get("over"))

    def look(self, questions: dict[str, Any] | None) -> None:
        """Note that something came of the last answer, and be among the free ones where a new question is asked."""
        if questions is not None and questions["question"] == self.question:
            return  # it was made before the answer was taken
        if self.waits:
            self.side.measurements.latencies.append(time.perf_counter() - self.answered_at)
            self.waits = False
        if questions is not None:
            self.question = questions["question"]
            self.side.free.append(self)

    def answer(self, rng: Random) -> None:
        """Answer the open question at random."""
        questions = self.open_question()
        assert questions is not None
        take = draw_answer(questions, rng)
        self.answered_at, self.waits = time.perf_counter(), True
        self.side.awaited += 1
        self.say({"type": "answer", "question": questions["question"], "take": take})
