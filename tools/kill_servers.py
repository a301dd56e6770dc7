"""Servers of one PostgreSQL database are killed again and again while people play, and nothing may be lost.

    python tools/kill_servers.py [EDITION] [--games N] [--servers N] [--every SECONDS] [--proxy nginx|caddy|none]
    python tools/kill_servers.py tests/games/goofspiel.yaml      # a small game: 500 in a few minutes
    python tools/kill_servers.py --servers 4 --workers           # one server of four workers, of which one is killed

Each server is a process of its own, as on a machine of its own; a proxy in front gives each connection to another one.
At each table sit people and one of the computer's players. Every few seconds one server is killed (kill -9) and begun
again; who was connected comes back by the proxy, to whatever server, and goes on. Where the computer waits for somebody
who could still take an answer back, some say that they stand by it and others let it wait. In the end the log says
whether

- every answer that was acknowledged is in it, at the place for which it was given, and no answer is in it twice;
- nothing is in it that nobody has given;
- each game, played anew by the machine alone from these answers, has the computer give the answers that it gave, and
  ends as it ended on the pages.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

from websockets.exceptions import WebSocketException

from rulewright.game import library
from rulewright.server.edition_registry import playable_edition
from server_processes import Servers, Workers, proxied
from witnesses import AGAIN, Testimony, Visit, begin_table, faults, opened

REPORT_SECONDS = 30.0
"""Seconds after which it is told again how far the games are."""


async def play(addresses: Sequence[str], table: Testimony, seat: int, rng: random.Random) -> None:
    """Play as one person to the end of the game, however often the connection is lost."""
    while True:
        with suppress(WebSocketException, OSError, TimeoutError):
            async with opened(addresses, table, seat, rng) as line:
                if await Visit(line, table, seat, rng).played():
                    return
        await asyncio.sleep(AGAIN * rng.random())


async def tried(addresses: Sequence[str], servers: Servers, arguments: argparse.Namespace) -> list[Testimony]:
    """Play all games while servers are killed; return what people noted at each table."""
    rng = random.Random(arguments.seed)
    edition = playable_edition(library.load(arguments.edition)).pinned.digest
    gate, tables = asyncio.Semaphore(arguments.at_once), list[Testimony]()
    start = time.monotonic()

    async def table(number: int) -> None:
        async with gate:
            result = await asyncio.to_thread(begin_table, addresses, edition, arguments.people, random.Random(number))
            tables.append(result)
            seats = range(len(result.tokens))
            await asyncio.gather(*(play(addresses, result, seat, random.Random(f"{number} {seat}")) for seat in seats))

    # in a thread of its own, which waits for none of those that begin tables
    killer, loop = ThreadPoolExecutor(1), asyncio.get_running_loop()

    async def killing() -> None:
        due = start
        while True:
            due = max(due + arguments.every, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            await loop.run_in_executor(killer, servers.kill, rng.randrange(len(servers.ports)))

    async def telling() -> None:
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            over = sum(made.last_state is not None for made in tables)
            seconds = time.monotonic() - start
            print(f"{seconds:.0f} s: {over} games are over, {servers.killed} servers killed", file=sys.stderr)

    neighbours = [asyncio.create_task(killing()), asyncio.create_task(telling())]
    await asyncio.gather(*map(table, range(arguments.games)))
    for task in neighbours:
        task.cancel()
    killer.shutdown()
    return tables


def run(arguments: argparse.Namespace) -> tuple[str, list[str]]:
    """Play all games; return what was done, as text, and what is wrong."""
    with ExitStack() as stack:
        postgres = import_module("databases").PostgresServer()
        stack.callback(postgres.end)
        kind = Workers if arguments.workers else Servers
        servers = stack.enter_context(closing(kind(arguments.servers, postgres.address(), arguments.edition)))
        proxy = "none" if arguments.workers else arguments.proxy
        addresses = stack.enter_context(proxied(proxy, servers.ports))
        start = time.perf_counter()
        tables = asyncio.run(tried(addresses, servers, arguments))
        seconds = time.perf_counter() - start
        servers.close()
        result = faults(postgres.address(), tables)
    answers = sum(table.answers for table in tables)
    done = (
        f"{len(tables)} games, {answers} answers acknowledged, {servers.killed} servers killed, {seconds:.0f} seconds"
    )
    return done, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("edition", nargs="?", default="wild-cards/2022")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--people", type=int, default=2, help="at each table, beside one of the computer's players")
    parser.add_argument("--at-once", type=int, default=100, help="tables at which people play at one time")
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--workers", action="store_true", help="of one server")
    parser.add_argument("--every", type=float, default=3.0, metavar="SECONDS", help="how often one is killed")
    parser.add_argument("--proxy", choices=("nginx", "caddy", "none"), default="nginx")
    parser.add_argument("--seed", type=int, default=1)
    done, result = run(parser.parse_args())
    print(done)
    print(
        "\n".join(result) or "Nothing was lost, nothing counted twice, all games ended as the machine alone plays them."
    )
    sys.exit(bool(result))


if __name__ == "__main__":
    main()
