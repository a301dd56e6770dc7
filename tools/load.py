"""Number of answers that servers take at thousands of tables: SQLite with one process, PostgreSQL with one to four.

    python tools/load.py [EDITION] [--tables N] [--rates N,N…] [--seconds N] [--kinds KIND,KIND…]
    python tools/load.py --bots 50                           # also while bots think at fifty more tables
    python tools/load.py --silent 10000                      # connections that never say hello
    python tools/load.py --server http://127.0.0.1:8421/     # one that runs already

Each server is begun as people begin it, by `rulewright serve`. All tables are open at once, with somebody at every
seat, and real rules decide who is asked. Answers come at moments that are fixed beforehand, at random, so many a
second: a server that is late does not get fewer of them. Who answers is drawn among those who are asked, so that some
think for long and others do not; printed is how long on average. An answer's time counts from the moment at which it
was due, until it is acknowledged, which means that it is on the disk, and until whoever gave it sees what came of it.

One row for each kind of server and each rate, up to the first with which it does not keep up. A kind is `sqlite` or
`postgresql:WORKERS`; PostgreSQL is begun here, on a socket, with its usual settings. `server`, `database` and `people`:
milliseconds of a processor for each answer, of the server's processes, of the database's, and of this tool. `tool`: how
much of one processor this tool took; where that is nearly all, times are its own. `kB/table`: what a table of so many
people takes in the memory of all server processes together; what several share is divided among them. In the end it is
calculated what more tables would take.

With `--bots`, the first rate is measured again while at each of so many more tables somebody plays against thinking
bots, and answers as soon as they have.

A server that runs already must trust this computer as a proxy (`--trust-proxy 127.0.0.1`), since people come from many
addresses; what it uses is read from its metrics (`--metrics http://127.0.0.1:9100/`).
"""

from __future__ import annotations

import argparse
import gc
import json
import random
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
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

import people
import server_processes
from people import PATIENCE, Measurements
from rulewright.game import library
from rulewright.server.edition_registry import playable_edition
from usage import Processes, Watched
from visitors import Host, TooSlowError, Visitors, run

SQLITE, POSTGRESQL = "sqlite", "postgresql"
SPARE = 200
"""Connections that a server gets beyond those of the people."""
KEPT_UP, OWN_LIMIT = 0.9, 0.9
"""Limits: the share of due answers that must be given, and of a processor that this tool may take without a warning."""
SETTLED, IDLE = 60.0, 0.05
"""Seconds for which a new server may be busy with itself; and of a processor that it uses in one when it is not."""
_HEADS = ("server", "tables", "due/s", "done/s", "thinks s", "p50", "p95", "p99", "seen p99", "bytes", "kB/table")
_COSTS = ("server", "database", "people")
_NEEDED = ("server", "answers/s", "processors of servers", "of the database", "memory, GB", "MB/s sent")
_BORNE = ("tables a processor of servers bears", "tables a processor of the database bears")


# ── servers ──


@dataclass
class Server:
    """Server that is measured. name: what it is called in what is printed; used: its use of processor and memory;
    database: that of PostgreSQL, or None."""

    name: str
    address: str
    used: Processes | Watched
    database: Processes | None = None


@contextmanager
def start_server(kind: str, edition: str, connections: int, folder: str | None) -> Iterator[Server]:
    """Run a server of some kind meanwhile, as people begin it. kind: 'sqlite', or 'postgresql' with a colon and
    workers."""
    store, _, workers = kind.partition(":")
    with ExitStack() as stack:
        data, database = stack.enter_context(tempfile.TemporaryDirectory(dir=folder)), None
        if store == POSTGRESQL:
            databases = import_module("databases")
            postgres = databases.PostgresServer("max_connections = 100", "shared_buffers = 512MB")
            stack.callback(postgres.end)
            data, database = postgres.address(), Processes(postgres.process)
        options = ["--port", "0", "--data", data, "--log", "json"]
        options += ["--tables", "1000000", "--connections", str(connections)]
        options += ["--workers", workers] if workers else []
        options += [edition] if Path(edition).is_file() else []
        process = server_processes.start_server(*options, text=subprocess.PIPE)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        yield Server(kind, _address(process), Processes(process.pid), database)


def _address(process: subprocess.Popen[str]) -> str:
    """Return the address once the server is ready; from then on its log is discarded."""
    assert process.stdout is not None
    for line in process.stdout:
        data = json.loads(line)
        if data["event"] == "begun":
            subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            return str(data["address"])
    raise SystemExit("The server has ended.")


def settle(server: Server) -> None:
    """Wait until a new server has nothing to do any more: first of all it reads every edition that it offers."""
    with urlopen(server.address + "editions", timeout=10 * SETTLED):  # it tells them when it has read them
        pass
    before, start = -1.0, time.monotonic()
    while (used := server.used.used()) > before + IDLE and time.monotonic() < start + SETTLED:
        before = used
        time.sleep(1)


# ── what is printed ──


@dataclass
class Row:
    """each: bytes of memory, of a table; costs: milliseconds of processors for an answer, as _COSTS; tool: how much of
    a processor this tool took; failure: the server does not keep up, or ''."""

    server: str
    tables: int
    rate: float
    seconds: float
    counts: Measurements
    thinking_seconds: float
    each: float
    costs: list[float]
    tool: float
    failure: str = ""

    @property
    def answers(self) -> int:
        return len(self.counts.acknowledged)

    def line(self) -> str:
        cuts, latencies = people.percentiles(self.counts.acknowledged), people.percentiles(self.counts.latencies)
        cells = [self.server, f"{self.tables:,}", f"{self.rate:,.0f}", f"{self.answers / self.seconds:,.0f}"]
        cells += [f"{self.thinking_seconds:.1f}", *(f"{1000 * cuts[place]:,.0f}" for place in (49, 94, 98))]
        cells += [
            f"{1000 * latencies[98]:,.0f}",
            f"{self.counts.sent / max(1, self.answers):,.0f}",
            f"{self.each / 1000:,.0f}",
        ]
        cells += [*(f"{cost:.2f}" for cost in self.costs), f"{self.tool:.0%}"]
        return "| " + " | ".join(cells) + " |"


async def measured(server: Server, arguments: argparse.Namespace) -> Row | None:
    """Print a row for each rate until the server falls behind, then of bots if asked for; return the last row with
    which it kept up, or None."""
    gc.collect()
    gc.disable()  # people who stop all at once to tidy up would count as a slow server
    visitors = Visitors(server.address, random.Random(7))
    edition = playable_edition(library.load(arguments.edition)).pinned.digest
    empty, kept_up = server.used.memory(), None
    await visitors.open(arguments.tables, edition, arguments.seats)
    await visitors.answer(max(arguments.rates) / 2, arguments.warm)  # first answers cost less than later ones
    each = (server.used.memory() - empty) / arguments.tables
    for rate in arguments.rates:
        row = await _row(server, arguments, visitors, rate, each)
        if row.failure:
            print(f"\n{server.name} does not keep up with {rate:,.0f} answers a second: {row.failure}.\n", flush=True)
            break
        kept_up = row
    if arguments.bots:
        hosts = Visitors(server.address, random.Random(8))
        hosts.guest = Host
        await hosts.open(arguments.bots, edition, 1, arguments.seats - 1)
        server.name += f", {arguments.bots} tables of bots"
        await visitors.answer(arguments.rates[0], arguments.warm)
        await _row(server, arguments, visitors, arguments.rates[0], each)
        cuts, many = people.percentiles(hosts.waited), len(hosts.waited)
        print(f"\nBots let {many:,} people wait for {cuts[49]:.1f} s, 1 of 100 for {cuts[98]:.1f} s.\n", flush=True)
    return kept_up


async def _row(server: Server, arguments: argparse.Namespace, visitors: Visitors, rate: float, each: float) -> Row:
    """Measure a rate, and print and return its row. each: bytes of memory, of a table."""
    visitors.measurements, visitors.thinking_seconds = Measurements(), []
    before, start, reason = _costs(server), time.perf_counter(), ""
    try:
        await visitors.answer(rate, arguments.seconds)
    except TooSlowError as error:
        reason = str(error)
    seconds, used = time.perf_counter() - start, [b - a for a, b in zip(before, _costs(server), strict=True)]
    result, answers = visitors.measurements, max(1, len(visitors.measurements.acknowledged))
    costs = [1000 * cost / answers for cost in used]
    duration = statistics.mean(visitors.thinking_seconds or [0.0])
    row = Row(server.name, arguments.tables, rate, seconds, result, duration, each, costs, used[-1] / seconds)
    acknowledged, previous = (people.percentiles(taken)[98] for taken in (result.acknowledged, result.latencies))
    if acknowledged > arguments.stop:
        reason = f"1 of 100 takes {1000 * acknowledged:,.0f} ms"
    elif previous > arguments.stop:  # answers are kept first, so what came of them may be shown late
        reason = f"1 of 100 is seen after {1000 * previous:,.0f} ms"
    elif answers < KEPT_UP * rate * arguments.seconds:
        reason = reason or f"it takes {answers / seconds:,.0f}"
    elif visitors.awaited:
        reason = f"{visitors.awaited:,} are not answered after {PATIENCE:.0f} s"
    if reason and row.tool > OWN_LIMIT:
        reason += f", and this tool has taken {row.tool:.0%} of a processor"
    row.failure = reason
    print(row.line(), flush=True)
    return row


def _costs(server: Server) -> list[float]:
    """Return the seconds of processors used so far, in the order of _COSTS."""
    database = server.database.used() if server.database is not None else 0.0
    return [server.used.used(), database, time.process_time()]


def calculated(rows: Sequence[Row], tables: int, every: float) -> str:
    """Return the cost of so many tables with one answer in so many seconds each, by the last row of each kind."""
    lines = [" | ".join(("", *_NEEDED, *_BORNE, "")).strip(), "|" + "---|" * len((*_NEEDED, *_BORNE))]
    answers = tables / every
    for row in rows:
        server, database, _ = row.costs
        needs = [answers * server / 1000, answers * database / 1000, tables * row.each / 1e9]
        needs += [answers * row.counts.sent / max(1, row.answers) / 1e6]
        borne = [f"{1000 / cost * every:,.0f}" if cost else "" for cost in (server, database)]
        cells = [row.server, f"{answers:,.0f}", *(f"{need:.1f}" for need in needs), *borne]
        lines.append("| " + " | ".join(cells) + " |")
    text = f"{tables:,} tables at which somebody answers every {every:.0f} seconds, calculated from the last rows:"
    return "\n".join(("", text, "", *lines))


_HALF = b"GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_WHOLE = _HALF + (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_SILENT = {"say nothing": b"", "say half a request": _HALF, "come to a table and say nothing": _WHOLE}


def silent(server: Server, connections: int) -> None:
    """Print what connections cost the server that come and never say hello, and how long others wait meanwhile."""
    location = urlsplit(server.address)
    place = str(location.hostname), int(location.port or 80)
    print(
        "| connections that | come | memory before, MB | after, MB | others wait at most, ms |\n|---|---|---|---|---|"
    )
    for text, output in _SILENT.items():
        before, stored, slowest = server.used.memory(), list[socket.socket](), 0.0
        for number in range(connections):
            with suppress(OSError):
                stored.append(socket.create_connection(place, timeout=PATIENCE))
                stored[-1].sendall(output)
            if number % (connections // 10 or 1) == 0:
                start = time.perf_counter()
                with urlopen(server.address + "health", timeout=PATIENCE):
                    slowest = max(slowest, time.perf_counter() - start)
        after = server.used.memory()
        for one in stored:
            one.close()
        cells = [
            text,
            f"{len(stored):,}",
            *(f"{size / 1e6:,.0f}" for size in (before, after)),
            f"{1000 * slowest:,.0f}",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


def kinds() -> list[str]:
    """Return the kinds that can be started here."""
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
    parser.add_argument("--seconds", type=float, default=12.0, help="for each row")
    parser.add_argument("--warm", type=float, default=4.0, help="seconds at half of the highest rate, before")
    parser.add_argument("--stop", type=float, default=1.0, help="end with a kind when 1 in 100 takes so many seconds")
    parser.add_argument("--bots", type=int, default=0, metavar="N", help="more tables, at which bots think")
    parser.add_argument("--for", dest="wanted", type=int, default=10_000, metavar="N", help="tables to calculate for")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between two answers at one of these")
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
    connections = arguments.tables * arguments.seats + arguments.bots + SPARE
    if not arguments.silent:
        heads = [*_HEADS, *(f"{cost} ms" for cost in _COSTS), "tool"]
        print("| " + " | ".join(heads) + " |")
        print("|" + "---|" * len(heads))
    rows = list[Row]()
    for kind in [""] if arguments.server else arguments.kinds.split(","):
        with ExitStack() as stack:
            server = (
                Server("given", arguments.server, Watched(arguments.metrics))
                if arguments.server
                else stack.enter_context(start_server(kind, arguments.edition, connections, arguments.data))
            )
            settle(server)
            if arguments.silent:
                silent(server, arguments.silent)
            elif (row := run(measured(server, arguments))) is not None:
                rows.append(row)
    if rows:
        print(calculated(rows, arguments.wanted, arguments.every))


if __name__ == "__main__":
    main()
