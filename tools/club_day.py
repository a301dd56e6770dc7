"""A club's day in ten minutes: tables are opened, played, left, come back to and finished, and the hours are told.

    python tools/club_day.py [EDITION] [--minutes N] [--tables N] [--servers N] [--proxy nginx|caddy|none] [--kill N]

Servers of one PostgreSQL database stand behind a proxy, each a process of its own. Tables are opened as people of a
club would: hardly any at night, most in the evening. Two to four sit at each, some of them the computer's. They think
for as long as people do, some for long: those times, and those for which somebody is away, are drawn, and as much
shorter as the day is. Somebody who leaves closes the page, and opens it again later, or never: then the others wait.
With `--kill`, a server is killed every so many hours of the day.

A row for each hour: how many tables were opened, are being played, and were finished; how many pages are open, and were
opened; answers, and how long they took until they were acknowledged; how long a page took until it saw its table;
processors, of servers and database; the servers' memory. In the end the log says whether all that was acknowledged is
there, and all as the machine alone plays it.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

import people
from rulewright.game import library
from rulewright.server.edition_registry import playable_edition
from server_processes import Servers, proxied
from usage import Processes
from witnesses import AGAIN, Testimony, Visit, begin_table, faults, opened

CURVE = (4, 2, 1, 1, 1, 1, 2, 3, 5, 7, 9, 10, 12, 12, 11, 12, 14, 18, 24, 32, 36, 32, 20, 9)
"""Number of tables opened in each hour of the day, relative to the other hours."""
HOURS = len(CURVE)
THINKS, SPREAD = 15.0, 1.0
"""Seconds for which people think, of a day that is not shortened: the median, and the spread of a lognormal time."""
LEAVES, AWAY, FOR_GOOD = 1 / 80, 1800.0, 0.1
"""Leaving: the share of answers after which a person leaves; median seconds away; the share that never returns."""
USUAL = range(2, 5)
"""Numbers of people at a table, if the game allows them."""
COMPUTERS = 0.15
"""Share of seats that bots take in place of people."""
_HEADS = (
    "hour", "opened", "playing", "finished", "pages", "came", "seen p99", "answers", "a second", "p50", "p99",
    "servers", "database", "tool", "MB", "killed",
)  # fmt: skip


@dataclass
class Hour:
    """Counts and times of an hour. acknowledged, latencies: milliseconds, of each answer, and of each page opened."""

    opened: int = 0
    finished: int = 0
    acknowledged: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)


class Day:
    """Day of a club, whose people play as tables are due. seconds: that it takes."""

    def __init__(self, addresses: Sequence[str], edition: str, seconds: float, tables: int, seed: int) -> None:
        rules = library.load(edition)
        counts = rules.edition.seat_counts()
        self.seats = [count for count in counts if count in USUAL] or [min(counts)]
        self.addresses, self.edition, self.seconds = addresses, playable_edition(rules).pinned.digest, seconds
        self.rng = Random(seed)
        self.shorter = seconds / (HOURS * 3600)
        self.hour, self.playing, self.pages = Hour(), 0, 0
        self.tables = list[Testimony]()
        hours = self.rng.choices(range(HOURS), CURVE, k=tables)
        self.due = sorted((hour + self.rng.random()) * seconds / HOURS for hour in hours)
        self._opening = ThreadPoolExecutor(4)
        self.over = asyncio.Event()
        """Set when all hours are reported."""

    async def run(self) -> None:
        """Open all tables when they are due; nobody plays any more when the day is over."""
        start, playing = time.monotonic(), list[asyncio.Task[None]]()
        for number, due in enumerate(self.due):
            await asyncio.sleep(max(0.0, start + due - time.monotonic()))
            playing.append(asyncio.create_task(self._table(Random(f"{number} {due}"))))
        await self.over.wait()
        for task in playing:
            task.cancel()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception):
                raise error

    async def _table(self, rng: Random) -> None:
        """Begin a table and have its people play, until the game is over or all have left."""
        seats = rng.choice(self.seats)
        bots = sum(rng.random() < COMPUTERS for _ in range(seats - 1))
        loop = asyncio.get_running_loop()
        table = await loop.run_in_executor(
            self._opening, begin_table, self.addresses, self.edition, seats - bots, rng, bots
        )
        self.tables.append(table)
        self.hour.opened += 1
        self.playing += 1
        try:
            visits = (self._person(table, seat, Random(f"{rng.random()}")) for seat in range(seats - bots))
            await asyncio.gather(*visits)
        finally:
            self.playing -= 1
            self.hour.finished += table.last_state is not None

    async def _person(self, table: Testimony, seat: int, rng: Random) -> None:
        """Come as often as it takes until the game is over, or somebody leaves for good."""
        while True:
            came, over = time.monotonic(), False
            with suppress(WebSocketException, OSError, TimeoutError):
                async with opened(self.addresses, table, seat, rng) as line:
                    self.pages += 1
                    try:
                        over = await _Visit(self, line, table, seat, rng, came).played()
                    finally:
                        self.pages -= 1
                if over or rng.random() < FOR_GOOD:
                    return
                await asyncio.sleep(self.draw_seconds(AWAY, rng))
            await asyncio.sleep(AGAIN * rng.random())

    def draw_seconds(self, median: float, rng: Random) -> float:
        """Draw a time of a lognormal spread, as much shorter as the day is. median: of a day that is not shortened."""
        return rng.lognormvariate(math.log(median * self.shorter), SPREAD)


class _Visit(Visit):
    """Visit of a person who thinks, and may leave. came: when the page was opened."""

    def __init__(self, day: Day, line: ClientConnection, table: Testimony, seat: int, rng: Random, came: float) -> None:
        super().__init__(line, table, seat, rng)
        self._day, self._came = day, came

    def thinks(self) -> float:
        return self._day.draw_seconds(THINKS, self.rng)

    def leaves(self) -> bool:
        return self.rng.random() < LEAVES

    def saw(self) -> None:
        self._day.hour.latencies.append(1000 * (time.monotonic() - self._came))

    def acknowledge(self, seconds: float) -> None:
        self._day.hour.acknowledged.append(1000 * seconds)


# ── what is printed ──


async def told_hourly(day: Day, servers: Servers, database: Processes, every: float) -> None:
    """Print each hour when it is over. every: hours after which a server is killed, or 0."""
    rng, length, loop = Random(3), day.seconds / HOURS, asyncio.get_running_loop()
    start, killed = time.monotonic(), every
    print("| " + " | ".join(_HEADS) + " |")
    print("|" + "---|" * len(_HEADS))

    def used() -> tuple[float, ...]:
        return servers.used(), database.used(), time.process_time(), servers.killed

    before, begun_at = used(), start
    with ThreadPoolExecutor(1) as killer:
        for hour in range(HOURS):
            day.hour = Hour()
            while (left := start + (hour + 1) * length - time.monotonic()) > 0:
                if every and killed < hour + 1 - left / length:
                    killed += every
                    loop.run_in_executor(killer, servers.kill, rng.randrange(len(servers.ports)))
                await asyncio.sleep(min(left, 0.1))
            after, memory = await asyncio.to_thread(used), await asyncio.to_thread(servers.memory)
            now = time.monotonic()
            print(_row(hour, day, now - begun_at, before, after, memory), flush=True)
            before, begun_at = after, now
    day.over.set()


def _row(hour: int, day: Day, seconds: float, before: tuple[float, ...], after: tuple[float, ...], memory: int) -> str:
    """Return the row of an hour. before, after: seconds of processors, and servers killed, up to its two ends."""
    result = day.hour
    cuts, latencies = people.percentiles(result.acknowledged), people.percentiles(result.latencies)
    *used, killed = (b - a for a, b in zip(before, after, strict=True))
    cells = [f"{hour:02}", f"{result.opened:,}", f"{day.playing:,}", f"{result.finished:,}", f"{day.pages:,}"]
    cells += [f"{len(result.latencies):,}", f"{latencies[98]:,.0f}", f"{len(result.acknowledged):,}"]
    cells += [f"{len(result.acknowledged) / seconds:,.0f}", f"{cuts[49]:,.0f}", f"{cuts[98]:,.0f}"]
    cells += [*(f"{spent / seconds:.0%}" for spent in used), f"{memory / 1e6:,.0f}", f"{killed:.0f}"]
    return "| " + " | ".join(cells) + " |"


def run(arguments: argparse.Namespace) -> list[str]:
    """Live through a day and print it; return what is wrong in the end."""
    with ExitStack() as stack:
        postgres = import_module("databases").PostgresServer("max_connections = 100", "shared_buffers = 256MB")
        stack.callback(postgres.end)
        servers = stack.enter_context(closing(Servers(arguments.servers, postgres.address(), arguments.edition)))
        addresses = stack.enter_context(proxied(arguments.proxy, servers.ports))
        day = Day(addresses, arguments.edition, 60 * arguments.minutes, arguments.tables, arguments.seed)

        async def lived() -> None:
            telling = asyncio.create_task(told_hourly(day, servers, Processes(postgres.process), arguments.kill))
            await day.run()
            await telling

        asyncio.run(lived())
        servers.close()
        result = faults(postgres.address(), day.tables, over=False)
    finished = sum(table.last_state is not None for table in day.tables)
    answers = sum(table.answers for table in day.tables)
    whole = f"{len(day.tables):,} tables, {finished:,} finished, {answers:,} answers, {servers.killed} servers killed"
    print(f"\n{whole}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", default="wild-cards/2022", metavar="EDITION")
    parser.add_argument("--minutes", type=float, default=10.0, help="that the day takes")
    parser.add_argument("--tables", type=int, default=500, help="that are opened on this day")
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--proxy", choices=("nginx", "caddy", "none"), default="nginx")
    parser.add_argument("--kill", type=float, default=0.0, metavar="HOURS", help="kill a server so often; 0: never")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends it leaves no server behind
    result = run(arguments)
    print("\n".join(result) or "Nothing was lost, nothing counted twice, all went as the machine alone plays.")
    sys.exit(bool(result))


if __name__ == "__main__":
    main()
