"""How many answers servers take at thousands of tables: SQLite with one process, PostgreSQL with one to four.

    python tools/load.py [EDITION] [--tables N] [--rates N,N…] [--seconds N] [--kinds KIND,KIND…]
    python tools/load.py --silent 10000                      # connections that never say hello
    python tools/load.py --server http://127.0.0.1:8421/     # one that runs already

Each server is begun as people begin it, by `rulewright serve`. All tables are open at once, with somebody at every
seat, and real rules decide who is asked. Answers come at moments that are fixed beforehand, at random, so many a
second: a server that is late does not get fewer of them. Who answers is drawn among those who are asked, so that some
think for long and others do not; printed is how long on average. An answer's time counts from the moment at which it
was due, until it is acknowledged, which means that it is on the disk, and until whoever gave it sees what came of it.

One row for each kind of server and each rate. A kind is `sqlite` or `postgresql:WORKERS`; PostgreSQL is begun here, on
a socket, with its usual settings. `server`, `database` and `people`: milliseconds of a processor for each answer, of
the server's processes, of the database's, and of this tool. `kB/table`: what a table of so many people takes in the
memory of all server processes together; what several share is divided among them. A server that runs already must
trust this computer as a proxy (`--trust-proxy 127.0.0.1`), since people come from many addresses; what it uses is read
from its metrics (`--metrics http://127.0.0.1:9100/`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

from benchmark_serving import OPENED_AT_ONCE, PATIENCE, Found, Person, Side
from rulewright.game import library
from rulewright.server.edition_registry import offer
from rulewright.server.protocol import VERSION

HERE = Path(__file__).resolve().parents[1]
SQLITE, POSTGRESQL = "sqlite", "postgresql"
SPARE = 200
"""Connections that a server gets beyond those of the people."""
SETTLED, IDLE = 60.0, 0.05
"""Seconds for which a new server may be busy with itself; and of a processor that it uses in one when it is not."""
_TICK = os.sysconf("SC_CLK_TCK")
_HEADS = ("server", "tables", "due/s", "done/s", "thinks s", "p50", "p95", "p99", "seen p99", "bytes", "kB/table")
_COSTS = ("server", "database", "people")


# ── what processes use ──


class Processes:
    """A process of this machine and all that it has begun."""

    def __init__(self, process: int) -> None:
        self._process = process

    def _all(self) -> list[int]:
        children: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                children.setdefault(int(_stat(path)[1]), []).append(int(path.parent.name))
        found = [self._process]
        for process in found:
            found += children.get(process, [])
        return found

    def used(self) -> float:
        """Seconds of a processor, of those that have ended too."""
        total = 0.0
        for process in self._all():
            with suppress(OSError):
                total += sum(map(int, _stat(Path(f"/proc/{process}/stat"))[11:15])) / _TICK
        return total

    def memory(self) -> int:
        """Bytes; what several share is divided among them."""
        total = 0
        for process in self._all():
            with suppress(OSError):
                told = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
                total += sum(1024 * int(size) for size in re.findall(r"(?m)^Pss:\s+(\d+)", told))
        return total


def _stat(path: Path) -> list[str]:
    """The fields of a process behind its name, which may hold anything."""
    return path.read_text(encoding="utf-8").rpartition(")")[2].split()


class Watched:
    """A server that runs already, by its metrics. address: '' where nothing is known of it."""

    def __init__(self, address: str) -> None:
        self._address = address

    def _value(self, name: str) -> float:
        if not self._address:
            return 0.0
        with urlopen(self._address) as answer:
            found = re.search(rf"(?m)^{name} (\S+)", answer.read().decode())
        return float(found[1]) if found else 0.0

    def used(self) -> float:
        return self._value("process_cpu_seconds_total")

    def memory(self) -> int:
        return int(self._value("process_resident_memory_bytes"))


@dataclass
class Server:
    """name: what it is called in what is printed; database: that of PostgreSQL, or None."""

    name: str
    address: str
    used: Processes | Watched
    database: Processes | None = None


@contextmanager
def begun(kind: str, edition: str, connections: int, folder: str | None) -> Iterator[Server]:
    """A server of some kind, as people begin it."""
    store, _, workers = kind.partition(":")
    with ExitStack() as stack:
        data, database = stack.enter_context(tempfile.TemporaryDirectory(dir=folder)), None
        if store == POSTGRESQL:
            databases = import_module("databases")
            postgres = databases.PostgresServer("max_connections = 100", "shared_buffers = 512MB")
            stack.callback(postgres.end)
            data, database = postgres.address(), Processes(postgres.process)
        command = [sys.executable, "-m", "rulewright", "serve", "--port", "0", "--data", data, "--log", "json"]
        command += ["--trust-proxy", "127.0.0.1", "--tables", "1000000", "--connections", str(connections)]
        command += ["--workers", workers] if workers else []
        command += [edition] if Path(edition).is_file() else []
        environment = {**os.environ, "PYTHONPATH": str(HERE / "interpreter")}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        yield Server(kind, _address(process), Processes(process.pid), database)


def _address(process: subprocess.Popen[str]) -> str:
    """Where it serves, once it does; from then on its log is read by nobody."""
    assert process.stdout is not None
    for line in process.stdout:
        told = json.loads(line)
        if told["event"] == "begun":
            subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            return str(told["address"])
    raise SystemExit("The server has ended.")


def settle(server: Server) -> None:
    """Wait until a new server has nothing to do any more: first of all it reads every edition that it offers."""
    with urlopen(server.address + "editions", timeout=10 * SETTLED):  # it tells them when it has read them
        pass
    before, start = -1.0, time.monotonic()
    while (used := server.used.used()) > before + IDLE and time.monotonic() < start + SETTLED:
        before = used
        time.sleep(1)


# ── people ──


class Visitors(Side):
    """Everybody at a server, each from an address of their own. free: who is asked, and has not answered yet; thought:
    seconds, of each answer."""

    def __init__(self, address: str, rng: random.Random) -> None:
        self.address, self.protocol, self.rng = address, VERSION, rng
        self.found, self.free, self.awaited = Found(), list[Person](), 0
        self.thought = list[float]()
        self.numbers = count()

    def origin(self) -> str:
        """From where somebody comes, for the header of proxies."""
        number = next(self.numbers)
        return f"198.18.{number // 250 % 250}.{number % 250}" if number < 62_500 else f"2001:db8:{number:x}::1"

    def table(self, edition: str, seats: int) -> list[str]:
        """Begin one; its tokens."""
        wanted = [{"player": "here", "name": f"Player {number}"} for number in range(1, seats + 1)]
        body = json.dumps({"edition": edition, "seats": wanted, "options": {}}).encode()
        headers = {"content-type": "application/json", "x-forwarded-for": self.origin()}
        with urlopen(Request(self.address + "tables", body, headers)) as answer:
            return list(json.load(answer)["seats"])

    async def arrive(self, tables: Sequence[Sequence[str]]) -> None:
        gate = asyncio.Semaphore(OPENED_AT_ONCE)
        await asyncio.gather(*(Visitor(self, token).come(gate) for table in tables for token in table))

    async def answer(self, rate: float, seconds: float) -> float:
        """So often in a second, at moments that do not depend on the server; the seconds that it took."""
        start = time.perf_counter()
        due = start
        while (due := due + self.rng.expovariate(rate)) < start + seconds:
            while (early := due - time.perf_counter()) > 0 or not self.free:
                if -early > PATIENCE:
                    raise SystemExit("Nobody is asked any more: the server is too slow, or all games are over.")
                await asyncio.sleep(max(early, 0.001))
            place = self.rng.randrange(len(self.free))
            self.free[place], self.free[-1] = self.free[-1], self.free[place]
            chosen = self.free.pop()
            assert isinstance(chosen, Visitor)
            self.thought.append(due - chosen.asked_at)
            chosen.answer(self.rng)
            chosen.at = due
        late = time.perf_counter() + PATIENCE
        while self.awaited and time.perf_counter() < late:
            await asyncio.sleep(0.01)
        return time.perf_counter() - start


class Visitor(Person):
    """Keeps only what it is asked: there are thousands of them in one process."""

    asked_at = 0.0
    side: Visitors

    async def come(self, gate: asyncio.Semaphore) -> None:
        async with gate:
            host = self.line.uri.host, self.line.uri.port
            self.transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, *host)
            request = self.line.connect()
            request.headers["X-Forwarded-For"] = self.side.origin()
            self.line.send_request(request)
            self.flush()
            await self.there

    def hear(self, message: dict[str, Any]) -> None:
        for update in message.get("of", ()):
            parts = {part: update["change"].get(part) or {} for part in ("now", "own")}
            update["change"] = {
                part: {name: told[name] for name in ("asked", "over") if name in told} for part, told in parts.items()
            }
        super().hear(message)

    def look(self, asked: dict[str, Any] | None) -> None:
        before = len(self.side.free)
        super().look(asked)
        if len(self.side.free) > before:
            self.asked_at = time.perf_counter()


# ── what is printed ──


@dataclass
class Row:
    cells: list[str]
    p99: float
    costs: list[float] = field(default_factory=list)


async def measured(server: Server, arguments: argparse.Namespace) -> list[Row]:
    """A row for each rate, until the server falls behind."""
    visitors = Visitors(server.address, random.Random(7))
    edition = offer(library.load(arguments.edition)).pinned.digest
    empty = server.used.memory()
    tables = [await asyncio.to_thread(visitors.table, edition, arguments.seats) for _ in range(arguments.tables)]
    await visitors.arrive(tables)
    await visitors.answer(arguments.rates[0], arguments.warm)  # what is made once is made
    each = (server.used.memory() - empty) / arguments.tables
    rows = []
    for rate in arguments.rates:
        visitors.found, visitors.thought = Found(), []
        before = _costs(server)
        seconds = await visitors.answer(rate, arguments.seconds)
        rows.append(_row(server.name, arguments, visitors, rate, seconds, each, before, _costs(server)))
        print(_line(rows[-1]), flush=True)
        if visitors.awaited or rows[-1].p99 > arguments.stop:
            break
    return rows


def _costs(server: Server) -> list[float]:
    database = server.database.used() if server.database is not None else 0.0
    return [server.used.used(), database, time.process_time()]


def _row(
    name: str, arguments: argparse.Namespace, visitors: Visitors, rate: float, seconds: float, each: float,
    before: list[float], after: list[float],
) -> Row:  # fmt: skip
    found = visitors.found
    answers = max(1, len(found.acknowledged))
    cuts = statistics.quantiles(found.acknowledged, n=100)
    seen = statistics.quantiles(found.shown, n=100)
    cells = [name, f"{arguments.tables:,}", f"{rate:,.0f}", f"{answers / seconds:,.0f}"]
    cells += [f"{statistics.mean(visitors.thought):.1f}"]
    cells += [f"{1000 * cuts[place]:,.0f}" for place in (49, 94, 98)] + [f"{1000 * seen[98]:,.0f}"]
    cells += [f"{found.sent / answers:,.0f}", f"{each / 1000:,.0f}"]
    return Row(cells, cuts[98], [1000 * (b - a) / answers for a, b in zip(before, after, strict=True)])


def _line(row: Row) -> str:
    cells = [*row.cells, *(f"{cost:.2f}" for cost in row.costs)]
    return "| " + " | ".join(cells) + " |"


_HALF = b"GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_WHOLE = _HALF + (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_SILENT = {"say nothing": b"", "say half a request": _HALF, "come to a table and say nothing": _WHOLE}


def silent(server: Server, connections: int) -> None:
    """Connections that come and never say hello: what the server has for them, and whether others still get in."""
    where = urlsplit(server.address)
    place = str(where.hostname), int(where.port or 80)
    print(
        "| connections that | come | memory before, MB | after, MB | others wait at most, ms |\n|---|---|---|---|---|"
    )
    for told, said in _SILENT.items():
        before, kept, slowest = server.used.memory(), list[socket.socket](), 0.0
        for number in range(connections):
            with suppress(OSError):
                kept.append(socket.create_connection(place, timeout=PATIENCE))
                kept[-1].sendall(said)
            if number % (connections // 10 or 1) == 0:
                start = time.perf_counter()
                with urlopen(server.address + "health", timeout=PATIENCE):
                    slowest = max(slowest, time.perf_counter() - start)
        after = server.used.memory()
        for one in kept:
            one.close()
        cells = [told, f"{len(kept):,}", *(f"{size / 1e6:,.0f}" for size in (before, after)), f"{1000 * slowest:,.0f}"]
        print("| " + " | ".join(cells) + " |", flush=True)


def kinds() -> list[str]:
    """Those that can be begun here."""
    with suppress(ImportError):
        databases = import_module("databases")
        if not databases.MISSING:
            return [SQLITE, *(f"{POSTGRESQL}:{workers}" for workers in (1, 2, 4))]
    return [SQLITE]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", default="wild-cards/2022", metavar="EDITION")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=4, help="people at each table")
    parser.add_argument("--rates", default="100,200,400,800", help="answers a second, at all tables together")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each row")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds before anything is measured")
    parser.add_argument("--stop", type=float, default=1.0, help="end with a kind when 1 in 100 takes so many seconds")
    parser.add_argument("--kinds", default=",".join(kinds()), help="sqlite, postgresql:WORKERS")
    parser.add_argument("--silent", type=int, default=0, metavar="N", help="only N connections that say nothing")
    parser.add_argument("--server", default="", metavar="ADDRESS", help="one that runs already")
    parser.add_argument("--metrics", default="", metavar="ADDRESS", help="where it shows them")
    parser.add_argument("--data", metavar="FOLDER", help="on whose disk SQLite's log is (that of temporary files)")
    arguments = parser.parse_args()
    arguments.rates = [float(rate) for rate in arguments.rates.split(",")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends it leaves no server behind
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    connections = arguments.tables * arguments.seats + SPARE
    if not arguments.silent:
        heads = [*_HEADS, *(f"{cost} ms" for cost in _COSTS)]
        print("| " + " | ".join(heads) + " |")
        print("|" + "---|" * len(heads))
    for kind in [""] if arguments.server else arguments.kinds.split(","):
        with ExitStack() as stack:
            server = (
                Server("given", arguments.server, Watched(arguments.metrics))
                if arguments.server
                else stack.enter_context(begun(kind, arguments.edition, connections, arguments.data))
            )
            settle(server)
            if arguments.silent:
                silent(server, arguments.silent)
            else:
                asyncio.run(measured(server, arguments))


if __name__ == "__main__":
    main()
