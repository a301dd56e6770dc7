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
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

import people
from rulewright import players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.players.seating import AT_CHANCE, PERSON
from rulewright.server import tokens
from rulewright.server.document import merged
from rulewright.server.edition_registry import called, offer, restored
from rulewright.server.log_rows import apply, played
from rulewright.server.protocol import VERSION
from rulewright.server.store import Pinned, Store
from usage import Processes

HERE = Path(__file__).resolve().parents[1]
AGAIN = 0.2
"""Seconds until somebody comes back."""
TOLD = 30.0
"""Seconds after which it is told again how far the games are."""

NGINX = """\
daemon off; pid {folder}/pid; error_log /dev/null; worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    upstream servers {{ {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://servers; proxy_http_version 1.1; proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;
            proxy_read_timeout 60s; proxy_connect_timeout 2s;
        }}
    }}
}}
"""
CADDY = """\
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy {servers} {{
        lb_policy random
        lb_try_duration 5s
        fail_duration 1s
        trusted_proxies 127.0.0.1/32
    }}
}}
"""


@dataclass
class Told:
    """What people know of a table. given: by seat, what was answered to each question, the last of several tries last;
    acknowledged: of those, up to which all were; shown: how the game ended on somebody's page."""

    tokens: list[str]
    given: dict[int, list[list[list[str]]]] = field(default_factory=dict)
    acknowledged: dict[int, list[tuple[int, list[str]]]] = field(default_factory=dict)
    shown: Any = None


# ── servers ──


class Servers:
    """number: how many; each can be killed and begun again. options: more of their command line."""

    def __init__(self, number: int, data: str, edition: str, *options: str) -> None:
        self.ports = [_free_port() for _ in range(number)]
        self._command = [sys.executable, "-m", "rulewright", "serve", "--data", data, "--trust-proxy", "127.0.0.1"]
        self._command += [*options, *([] if called(edition) == edition else [edition])]
        digest = offer(library.load(edition)).pinned.digest
        self._processes = [self._begin(port) for port in self.ports]
        self.killed, self._spent = 0, 0.0
        for port in self.ports:
            _until_there(port)
            with urlopen(f"http://127.0.0.1:{port}/editions/{digest}"):  # it tells it when it has read it
                pass

    def _begin(self, port: int) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(HERE / "interpreter")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # to compile all modules anew takes longer than to begin
        command = [*self._command, "--port", str(port)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)

    def used(self) -> float:
        """Seconds of a processor, of those that were killed too."""
        return self._spent + sum(Processes(process.pid).used() for process in self._processes)

    def memory(self) -> int:
        """Bytes."""
        return sum(Processes(process.pid).memory() for process in self._processes)

    def kill(self, which: int) -> None:
        spent = Processes(self._processes[which].pid).used()
        self._processes[which].send_signal(signal.SIGKILL)
        self._processes[which].wait()
        self.killed += 1
        self._spent += spent
        self._processes[which] = self._begin(self.ports[which])
        _until_there(self.ports[which])

    def close(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()


class Workers(Servers):
    """One server with so many workers; it begins again by itself who is killed."""

    def __init__(self, number: int, data: str, edition: str) -> None:
        super().__init__(1, data, edition, "--workers", str(number))

    def kill(self, which: int) -> None:
        workers = Processes(self._processes[0].pid).workers()
        if workers:
            os.kill(workers[self.killed % len(workers)], signal.SIGKILL)
            self.killed += 1

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
            process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _until_there(port: int) -> None:
    """Wait until somebody answers there."""
    for _ in range(1200):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise SystemExit(f"Nobody answers at port {port}.")


@contextmanager
def proxied(kind: str, ports: Sequence[int]) -> Iterator[list[str]]:
    """The addresses at which people find the servers: that of a proxy in front, or with 'none' those of all."""
    if kind == "none":
        yield [f"http://127.0.0.1:{port}/" for port in ports]
        return
    folder, port = Path(tempfile.mkdtemp(prefix="rulewright-proxy-")), _free_port()
    if kind == "nginx":
        servers = " ".join(f"server 127.0.0.1:{one} max_fails=1 fail_timeout=1s;" for one in ports)
        (folder / "conf").write_text(NGINX.format(folder=folder, servers=servers, port=port), encoding="utf-8")
        command = ["nginx", "-c", str(folder / "conf"), "-e", "/dev/null"]
    else:
        servers = " ".join(f"127.0.0.1:{one}" for one in ports)
        (folder / "Caddyfile").write_text(CADDY.format(servers=servers, port=port), encoding="utf-8")
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        _until_there(port)
        yield [f"http://127.0.0.1:{port}/"]
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


# ── people ──


def begun(addresses: Sequence[str], edition: str, seats: int, rng: Random, bots: int = 1) -> Told:
    """A new table with seats for people, and the computer's players."""
    for _ in range(200):
        with suppress(HTTPException, OSError):
            return Told(people.table(rng.choice(addresses), edition, seats, [AT_CHANCE] * bots, somewhere(rng)))
        time.sleep(AGAIN)
    raise SystemExit("No table can be begun.")


def somewhere(rng: Random) -> dict[str, str]:
    """What a proxy in front of the proxy would say: limits by address count people, and not this tool."""
    return {"x-forwarded-for": f"10.0.{rng.randrange(250)}.{rng.randrange(250)}"}


async def play(addresses: Sequence[str], told: Told, seat: int, rng: Random) -> None:
    """One person, to the end of the game, however often the connection is lost."""
    while True:
        with suppress(WebSocketException, OSError, TimeoutError):
            address = f"{rng.choice(addresses).replace('http', 'ws')}play/{tokens.home(told.tokens[seat])}"
            async with connect(address, max_size=None, open_timeout=20) as line:
                hello = {"type": "hello", "protocol": VERSION, "tokens": [told.tokens[seat]], "language": "en"}
                await line.send(json.dumps(hello))
                if await _played(line, told, seat, rng):
                    return
        await asyncio.sleep(AGAIN * rng.random())


async def _played(line: Any, told: Told, seat: int, rng: Random) -> bool:
    """Whether the game is over."""
    shown: dict[str, Any] = {}
    given, asked_last, sent = told.given.setdefault(seat, []), -1, dict[int, list[str]]()
    stood = -1
    while True:
        message = json.loads(await asyncio.wait_for(line.recv(), 120))
        if message["type"] == "kept":
            told.acknowledged.setdefault(seat, []).append((message["question"], sent[message["question"]]))
        elif message["type"] == "refused":
            asked_last = -1
            await asyncio.sleep(AGAIN)
            await line.send(json.dumps({"type": "again"}))
        for update in message.get("of", ()):
            shown = merged({} if update["number"] == 1 else shown, update["change"])
        now = {**shown.get("now", {}), **shown.get("own", {})}
        if now.get("over"):
            told.shown = now.get("standings")
            return True
        if now.get("held") and stood < len(given):
            stood = len(given)
            if rng.random() < 0.5:
                await line.send(json.dumps({"type": "stand"}))
        asked = now.get("asked")
        if asked is None or asked["question"] <= asked_last:
            continue
        asked_last = asked["question"]
        take = people.drawn(asked, rng)
        while len(given) <= asked_last:
            given.append([])
        given[asked_last].append(take)
        sent[asked_last] = take
        await asyncio.sleep(0.05 * rng.random())
        await line.send(json.dumps({"type": "answer", "question": asked_last, "take": take}))


# ── what is true in the end ──


def faults(store: Store, game: int, told: Told, over: bool = True) -> list[str]:
    """What is wrong at a table, by its log and by what people know of it. over: whether its game must have ended."""
    found, record, rows = [], store.record(game), store.answers(game)
    pinned = store.edition(record.edition)
    assert pinned is not None
    of_seat: dict[int, list[list[str]]] = {}
    for row in rows:
        of_seat.setdefault(row.seat, []).append(list(row.take or ()))
    for seat, answers in told.given.items():
        kept = of_seat.get(seat, [])
        for question, take in told.acknowledged.get(seat, []):
            if question >= len(kept) or kept[question] != take:
                found.append(f"table {game}: answer {question} of seat {seat} was acknowledged and is lost")
        if len(kept) > len(answers) or any(take not in tried for take, tried in zip(kept, answers, strict=False)):
            found.append(f"table {game}: seat {seat} has answers that nobody gave, or one twice")
    rules = _rules(pinned)
    alone = played(rules, record, record.seats, []).game
    for number, row in enumerate(rows):
        if record.seats[row.seat].player != PERSON and row.take != _alone(alone, row.seat):
            found.append(f"table {game}: answer {number} of the computer is another one than alone")
        apply(alone, row)
    if not over and told.shown is None:
        return found
    if not alone.over:
        found.append(f"table {game}: the game has not ended")
    ended = [row.seat for row in alone.standings()] if alone.over else []
    if told.shown is None:
        found.append(f"table {game}: nobody saw the end")
    elif [row.get("seat", 0) for row in told.shown] != ended:
        found.append(f"table {game}: it ended otherwise on the pages")
    return found


@cache
def _rules(pinned: Pinned) -> Rules:
    return restored(pinned)


def _alone(game: Game, seat: int) -> tuple[str, ...]:
    """What the computer's player answers."""
    given = sum(other == seat for other, _ in game.answers())
    sight, asked = game.known(seat)
    luck = players.luck(game, seat, given)
    return tuple(game.keys(asked, players.player(AT_CHANCE, game.machine).choose(sight, asked, Random(luck))))


async def tried(addresses: Sequence[str], servers: Servers, arguments: argparse.Namespace) -> list[Told]:
    """Play all games while servers are killed."""
    rng = random.Random(arguments.seed)
    edition = offer(library.load(arguments.edition)).pinned.digest
    gate, tables = asyncio.Semaphore(arguments.at_once), list[Told]()
    start = time.monotonic()

    async def table(number: int) -> None:
        async with gate:
            told = await asyncio.to_thread(begun, addresses, edition, arguments.people, random.Random(number))
            tables.append(told)
            seats = range(len(told.tokens))
            await asyncio.gather(*(play(addresses, told, seat, random.Random(f"{number} {seat}")) for seat in seats))

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
            await asyncio.sleep(TOLD)
            over = sum(told.shown is not None for told in tables)
            seconds = time.monotonic() - start
            print(f"{seconds:.0f} s: {over} games are over, {servers.killed} servers killed", file=sys.stderr)

    beside = [asyncio.create_task(killing()), asyncio.create_task(telling())]
    await asyncio.gather(*map(table, range(arguments.games)))
    for task in beside:
        task.cancel()
    killer.shutdown()
    return tables


def run(arguments: argparse.Namespace) -> tuple[str, list[str]]:
    """Play all games; what was done, and what is wrong."""
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
        store = Store(postgres.address())
        stack.callback(store.close)
        found = list[str]()
        for told in tables:
            entrance = store.entrance(told.tokens[0])
            found += ["a table is lost"] if entrance is None else faults(store, entrance.game, told)
    given = sum(len(asked) for told in tables for asked in told.acknowledged.values())
    done = f"{len(tables)} games, {given} answers acknowledged, {servers.killed} servers killed, {seconds:.0f} seconds"
    return done, found


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
    done, found = run(parser.parse_args())
    print(done)
    print(
        "\n".join(found) or "Nothing was lost, nothing counted twice, all games ended as the machine alone plays them."
    )
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
