"""How many answers the server takes: many tables at once, each with its people, all over websockets.

    python tools/benchmark_serving.py [EDITION] [--tables N] [--seats N] [--pause SECONDS] [--seconds N]

With `--restart` the server is begun again instead, and everybody comes back at once: one to each table.

The server is a process of its own, as `rulewright serve` begins it, and this one has all the people. Each answers at
random, as soon as they are asked (`--pause`: after so many seconds on average), until every table has played one game
(`--seconds`: or for so long). Printed are answers a second; how long an answer takes until it is acknowledged, which
means that it is on the disk, and until whoever gave it sees what came of it; and the server's processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import multiprocessing
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from websockets.asyncio.client import ClientConnection, connect

from rulewright.game import library
from rulewright.server import server
from rulewright.server.document import merged
from rulewright.server.edition_registry import called, offer
from rulewright.server.limits import Limits
from rulewright.server.protocol import VERSION

OPENED_AT_ONCE = 50


@dataclass
class Found:
    """acknowledged, shown: seconds, of each answer; sent: characters that came from the server."""

    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    sent: int = 0


def serve(folder: Path, edition: str, profile: str, told: Connection) -> None:
    """In a process of its own, until it is interrupted."""
    served = server.Served("127.0.0.1", 0, folder, [] if called(edition) == edition else [edition])
    work = cProfile.Profile() if profile else None
    with suppress(KeyboardInterrupt):
        if work is not None:
            work.enable()
        server.serve(served, told.send, Limits(begun=1_000_000, from_one=1_000_000))
    if work is not None:
        work.disable()
        work.dump_stats(profile)


class Person:
    """Somebody at a table. pause: mean seconds until they answer."""

    def __init__(self, socket: ClientConnection, rng: random.Random, pause: float, found: Found) -> None:
        self.socket, self.rng, self.pause, self.found = socket, rng, pause, found
        self.answering: asyncio.Task[None] | None = None
        self.shown: dict[str, Any] = {}
        self.question = -1
        self.at, self.awaited = 0.0, False  # when the last answer was given, and whether nothing came of it yet

    async def play(self) -> None:
        """To the end of the game."""
        async for text in self.socket:
            self.found.sent += len(text)
            message = json.loads(text)
            if message["type"] == "refused":
                raise SystemExit(message["text"])
            if message["type"] == "kept":
                self.found.acknowledged.append(time.perf_counter() - self.at)
            if message["type"] == "updates":
                for update in message["of"]:
                    self.shown = merged(self.shown, update["change"])
                self.look(self.shown["now"].get("asked"))
                if self.shown["now"].get("over"):
                    return

    def look(self, asked: dict[str, Any] | None) -> None:
        if asked is not None and asked["question"] == self.question:
            return  # it was made before the answer was taken
        if self.awaited:
            self.found.shown.append(time.perf_counter() - self.at)
            self.awaited = False
        if asked is not None:
            self.question = asked["question"]
            self.answering = asyncio.create_task(self.answer(asked))

    async def answer(self, asked: dict[str, Any]) -> None:
        if self.pause:
            await asyncio.sleep(self.rng.expovariate(1 / self.pause))
        offered = [choice["key"] for choice in asked["choices"] for _ in range(choice.get("count", 1))]
        take = self.rng.sample(offered, self.rng.randint(asked["least"], min(asked["most"], len(offered))))
        self.at, self.awaited = time.perf_counter(), True
        await self.socket.send(json.dumps({"type": "answer", "question": asked["question"], "take": take}))


def begun(address: str, edition: str, seats: int) -> list[str]:
    """The tokens of a new table."""
    wanted = [{"player": "here", "name": f"Player {number}"} for number in range(1, seats + 1)]
    body = json.dumps({"edition": edition, "seats": wanted, "options": {}}).encode()
    with urlopen(Request(address + "tables", body, {"content-type": "application/json"})) as answer:
        tokens: list[str] = json.load(answer)["seats"]
    return tokens


async def opened(address: str, token: str, gate: asyncio.Semaphore) -> ClientConnection:
    async with gate:
        socket = await connect(address.replace("http", "ws") + "play", max_size=None)
        await socket.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
        return socket


async def played(
    address: str, tokens: list[str], pause: float, most: float | None, found: Found
) -> tuple[float, float]:
    """Play at all tables, for so many seconds at most; seconds until everybody was there, and from then on."""
    gate = asyncio.Semaphore(OPENED_AT_ONCE)
    start = time.perf_counter()
    sockets = await asyncio.gather(*(opened(address, token, gate) for token in tokens))
    there = time.perf_counter()
    people = [Person(socket, random.Random(number), pause, found) for number, socket in enumerate(sockets)]
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.gather(*(person.play() for person in people)), most)
    ended = time.perf_counter()
    for person in people:
        if person.answering is not None:
            person.answering.cancel()
    await asyncio.gather(*(socket.close() for socket in sockets))
    return there - start, ended - there


def percentiles(seconds: list[float]) -> str:
    """The median, and what 5 and 1 in 100 exceed."""
    cuts = statistics.quantiles(seconds, n=100)
    named = ((50, cuts[49]), (95, cuts[94]), (99, cuts[98]))
    return "   ".join(f"p{name} {1000 * value:>8,.1f} ms" for name, value in named)


async def back(address: str, tokens: list[str]) -> list[float]:
    """Come back, one to each table; seconds until each sees it again, in order."""
    gate, start = asyncio.Semaphore(OPENED_AT_ONCE), time.perf_counter()

    async def seen(token: str) -> tuple[float, ClientConnection]:
        socket = await opened(address, token, gate)
        while json.loads(await socket.recv())["type"] != "updates":
            continue
        return time.perf_counter() - start, socket

    found = await asyncio.gather(*map(seen, tokens))
    await asyncio.gather(*(socket.close() for _, socket in found))
    return sorted(seconds for seconds, _ in found)


@contextmanager
def running(folder: str, arguments: argparse.Namespace) -> Iterator[str]:
    """A server of these tables; its address."""
    context = multiprocessing.get_context("spawn")
    heard, told = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(Path(folder), arguments.edition, arguments.profile, told))
    process.start()
    try:
        yield heard.recv()
    finally:
        if process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
        process.join()


def restart(folder: str, arguments: argparse.Namespace, tables: list[list[str]]) -> None:
    """How soon people see their tables when the server is begun again."""
    start = time.perf_counter()
    with running(folder, arguments) as address:
        up = time.perf_counter() - start
        seconds = asyncio.run(back(address, [table[0] for table in tables]))
    print(f"begun again in {up:.1f} s; then the first of {len(tables):,} tables was seen after {seconds[0]:.1f} s,")
    print(f"half of them after {statistics.median(seconds):.1f} s, all after {seconds[-1]:.1f} s")


def measure(arguments: argparse.Namespace) -> None:
    edition = offer(library.load(arguments.edition)).pinned.digest
    found = Found()
    with tempfile.TemporaryDirectory(dir=arguments.data) as folder:
        with running(folder, arguments) as address:
            start = time.perf_counter()
            tables = [begun(address, edition, arguments.seats) for _ in range(arguments.tables)]
            beginning = time.perf_counter() - start
            tokens = [token for table in tables for token in table]
            coming, playing = asyncio.run(played(address, tokens, arguments.pause, arguments.seconds, found))
        if arguments.restart:
            restart(folder, arguments, tables)
            return
    times, answers = os.times(), len(found.acknowledged)
    used = times.children_user + times.children_system
    print(f"{arguments.edition}: {arguments.tables} tables of {arguments.seats}, begun in {beginning:.1f} s")
    print(f"everybody there after another {coming:.1f} s; then {answers:,} answers in {playing:.1f} s")
    print(f"{answers / playing:,.0f} answers a second, {found.sent / answers / 1000:,.1f} kB sent for each")
    print(f"acknowledged   {percentiles(found.acknowledged)}")
    print(f"shown          {percentiles(found.shown)}")
    print(f"the server used {used:.1f} s of a processor, {1000 * used / answers:.2f} ms for each answer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", default="wild-cards/2022", metavar="EDITION")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=4, help="people at each table")
    parser.add_argument("--pause", type=float, default=0.0, help="mean seconds that somebody thinks (none)")
    parser.add_argument("--seconds", type=float, help="how long they play at most (to the end)")
    parser.add_argument("--restart", action="store_true", help="only how soon the tables are there after a restart")
    parser.add_argument("--data", metavar="FOLDER", help="on whose disk the log is kept (that of temporary files)")
    parser.add_argument("--profile", default="", metavar="FILE", help="profile the server, for Python's pstats")
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
