"""Cost and latency of an answer at the server: many tables at once, with their people over websockets.

    python tools/benchmark_serving.py [EDITION] [--against CHECKOUT] [--bare] [--tables N] [--rate N] [--seconds N]

Each server is a process of its own, as `rulewright serve` begins it, and this one has all the people. So many answers
a second are given (`--rate`), each by somebody who is asked, at random. With `--against`, a folder or a commit, the
server of another checkout is measured in the same run: both have their own tables, and people play at the one and the
other in turns, so that whatever else the machine does meets both.

Printed is, for each: answers a second; the server's processor time for an answer, and that of this process; the bytes
that went over the wire for an answer, to all at the table, and what they were before they were compressed; how long an
answer took until it was acknowledged, which means that it is on the disk, and until whoever gave it saw what came of
it.

With `--bare`, a server that knows no rules is a third: what sockets and the disk cost by themselves.

With `--restart` the server is begun again instead, and everybody comes back at once: one to each table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import people
from checkouts import CHECKOUT, checkout

sys.path.insert(0, str(CHECKOUT / "interpreter"))

from rulewright.game import library
from rulewright.game.terms import Terms
from rulewright.i18n.languages import localizer_for
from rulewright.server.edition_registry import playable_edition

SLICE, IDLE = 2.0, 0.05
"""Seconds for which people play at one server before they go to the other; and of a processor that a server uses in one
when nothing goes on."""
BARE, _BARE = "bare", 600
"""The server that knows no rules, and of how many bytes what it sends to each seat is."""


class Side(people.Company):
    """A server in a process of its own, and the people at its tables."""

    def __init__(self, name: str, process: subprocess.Popen[str], rng: random.Random) -> None:
        self.name, self.process = name, process
        text = self._line()
        super().__init__(str(text["address"]), int(text["protocol"]), rng)
        self.tokens: list[list[str]] = []
        self.people: list[people.Person] = []

    def _line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"The server of {self.name} has ended.")
        return json.loads(line)

    def used(self) -> float:
        """Ask the server for the seconds of a processor that it has used so far."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self._line())

    def begin(self, edition: str, title: str, tables: int, seats: int) -> None:
        """Begin tables, each with as many people. edition: its digest; where that server has none of it, such as one of
        an older text, it is found by its title."""
        with urlopen(self.address + "editions?language=en") as answer:
            offered = {one["title"]: one["edition"] for one in json.load(answer)["editions"]}
        edition = edition if edition in offered.values() else offered.get(title, title)
        self.tokens += (people.table(self.address, edition, seats) for _ in range(tables))

    async def come(self) -> None:
        """Open the pages of everybody, and wait until all see their tables."""
        gate = asyncio.Semaphore(people.OPENED_AT_ONCE)
        self.people = [people.Person(self, token) for table in self.tokens for token in table]
        await asyncio.gather(*(person.come(gate) for person in self.people))

    async def settle(self) -> None:
        """Wait until the server has nothing to do any more: first of all it reads every edition that it offers."""
        before = -1.0
        while (used := self.used()) > before + IDLE:
            before = used
            await asyncio.sleep(1)

    async def play(self, rate: float, seconds: float) -> None:
        """Answer so often in a second, for so long, and add to the measurements. Exits where all games are over."""
        used, ours, start = self.used(), time.process_time(), time.perf_counter()
        index = start
        while (index := index + self.rng.expovariate(rate)) < start + seconds:
            if (early := index - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            if self.free:
                place = self.rng.randrange(len(self.free))
                self.free[place], self.free[-1] = self.free[-1], self.free[place]
                self.free.pop().answer(self.rng)
        self.measurements.seconds += time.perf_counter() - start
        while self.awaited:
            if time.perf_counter() > start + seconds + people.PATIENCE:
                raise SystemExit(f"The server of {self.name} does not answer any more.")
            await asyncio.sleep(0.01)
        self.measurements.used += self.used() - used
        self.measurements.ours += time.process_time() - ours
        if all(person.over() for person in self.people):
            raise SystemExit(
                f"All games at the server of {self.name} are over: let there be more --tables, or fewer answers "
                "(--rate, --warm, --seconds)."
            )


@contextmanager
def running(name: str, code: Path | None, data: str, arguments: argparse.Namespace) -> Iterator[Side]:
    """Run a server meanwhile. name: what it is called in what is printed; code: its checkout, or None for one that
    knows no rules."""
    difference, bare = CHECKOUT / "tools" / "serving_apart.py", CHECKOUT / "tools" / "serving_bare.py"
    if code is None:
        command = [sys.executable, str(bare), data, str(arguments.seats), str(_BARE)]
    else:
        command = [sys.executable, str(difference), str(code), data, arguments.edition]
        command += [f"{arguments.profile}.{name}"] if arguments.profile else []
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Side(name, process, random.Random(7))
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()


async def played(sides: list[Side], arguments: argparse.Namespace) -> None:
    """Play at all servers in turns."""
    for side in sides:
        await side.come()
        await side.settle()
        await side.play(arguments.rate, arguments.warm)  # what is made once is made
        side.measurements = people.Measurements()
    for _ in range(max(1, round(arguments.seconds / SLICE))):
        for side in sides:
            await side.play(arguments.rate, min(SLICE, arguments.seconds))


def percentiles(seconds: list[float]) -> str:
    """Return percentiles in milliseconds: the median, the 95th and the 99th."""
    cuts = people.percentiles(seconds)
    return "".join(f"{1000 * cuts[place]:>9,.1f}" for place in (49, 94, 98))


def print_side(side: Side) -> None:
    result, answers = side.measurements, len(side.measurements.acknowledged)
    print(f"\n{side.name}: {answers:,} answers, {answers / result.seconds:,.0f} a second")
    print(
        f"  processor     {1000 * result.used / answers:9.3f} ms an answer; "
        f"people: {1000 * result.ours / answers:.3f} ms"
    )
    print(
        f"  sent          {result.sent / answers:9,.0f} bytes an answer; "
        f"{result.updates / answers:,.0f} before compression"
    )
    print(f"  acknowledged  {percentiles(result.acknowledged)} ms (p50, p95, p99)")
    print(f"  shown         {percentiles(result.latencies)} ms")


def digest_and_title(edition: str) -> tuple[str, str]:
    """Return an edition's digest, and its title in English."""
    rules = library.load(edition)
    return playable_edition(rules).pinned.digest, localizer_for("en").say(Terms(rules.edition).title())


def measure(arguments: argparse.Namespace) -> None:
    """Measure all servers side by side, and print each."""
    edition, title = digest_and_title(arguments.edition)
    names = ["here", *([arguments.against] if arguments.against else []), *([BARE] if arguments.bare else [])]
    with ExitStack() as stack:
        sides = []
        for name in names:
            code = CHECKOUT if name == "here" else None if name == BARE else stack.enter_context(checkout(name))
            data = stack.enter_context(tempfile.TemporaryDirectory(dir=arguments.data))
            sides.append(stack.enter_context(running(Path(name).name, code, data, arguments)))
            sides[-1].begin(edition, title, arguments.tables, arguments.seats)
        asyncio.run(played(sides, arguments))
    print(f"{arguments.edition}: {arguments.tables} tables of {arguments.seats}")
    for side in sides:
        print_side(side)
    first, *others = (side.measurements.used / len(side.measurements.acknowledged) for side in sides)
    for side, second in zip(sides[1:], others, strict=True):
        print(f"\nprocessor: {second / first:.1f} times as much at {side.name} as here")


async def back(side: Side) -> list[float]:
    """Come back, one to each table; return the seconds until each sees it again, the least first."""
    gate, start = asyncio.Semaphore(people.OPENED_AT_ONCE), time.perf_counter()

    async def time_until_seen(token: str) -> float:
        await people.Person(side, token).come(gate)
        return time.perf_counter() - start

    return sorted(await asyncio.gather(*(time_until_seen(table[0]) for table in side.tokens)))


def restart(arguments: argparse.Namespace) -> None:
    """Print how soon people see their tables after a restart of the server."""
    edition, title = digest_and_title(arguments.edition)
    with tempfile.TemporaryDirectory(dir=arguments.data) as data:
        with running("here", CHECKOUT, data, arguments) as side:
            side.begin(edition, title, arguments.tables, arguments.seats)
            asyncio.run(played([side], arguments))
            tokens = side.tokens
        start = time.perf_counter()
        with running("here", CHECKOUT, data, arguments) as side:
            up = time.perf_counter() - start
            side.tokens = tokens
            seconds = asyncio.run(back(side))
    print(f"begun again in {up:.1f} s; then the first of {len(tokens):,} tables was seen after {seconds[0]:.1f} s,")
    print(f"half of them after {statistics.median(seconds):.1f} s, all after {seconds[-1]:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", default="wild-cards/2022", metavar="EDITION")
    parser.add_argument("--against", default="", metavar="CHECKOUT", help="a folder, or a commit, to compare with")
    parser.add_argument("--bare", action="store_true", help="beside a server that knows no rules")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seats", type=int, default=4, help="people at each table")
    parser.add_argument("--rate", type=float, default=100.0, help="answers a second, at all tables together")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long people play at each server")
    parser.add_argument("--warm", type=float, default=5.0, help="how long people play before anything is measured")
    parser.add_argument("--restart", action="store_true", help="only how soon the tables are there after a restart")
    parser.add_argument("--data", metavar="FOLDER", help="on whose disk the log is kept (that of temporary files)")
    parser.add_argument("--profile", default="", metavar="FILE", help="profile each server, for Python's pstats")
    arguments = parser.parse_args()
    if arguments.restart:
        restart(arguments)
    else:
        measure(arguments)


if __name__ == "__main__":
    main()
