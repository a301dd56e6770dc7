"""Servers as the files in tools/deploy set them up: what can be checked without containers, and tried here."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

import databases
from game_servers import PATIENCE, guessing, local_player, process
from project_folders import ROOT
from proxies import CADDY, DEPLOY, NGINX, both, command, free_ports, missing, proxy
from rulewright.commands.arguments import build_parsers
from rulewright.i18n.languages import localizer_for
from rulewright.server.network.client_addresses import ClientAddresses
from rulewright.server.storage.store import Store
from rulewright.server.web.protocol import VERSION
from screenshots import hosted

if sys.platform == "win32":
    pytest.skip("it is set up on Linux", allow_module_level=True)

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVERS = [SERVICES["server1"], SERVICES["server2"]]


def instructions() -> list[tuple[str, str]]:
    """Yield the instructions of the Containerfile, each with its arguments."""
    text = re.sub(r"(?m)^#.*\n", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8")).replace("\\\n", " ")
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in text.splitlines() if line.strip()]


def of(name: str) -> list[str]:
    return [rest for instruction, rest in instructions() if instruction == name]


# ── what stands in the files ──


def test_files_of_the_image_exist_and_are_not_ignored() -> None:
    lines = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    allowed = [line[1:] for line in lines if line.startswith("!")]
    assert "*" in lines, "everything else stays out"
    copied = [source for rest in of("COPY") for source in rest.split()[:-1]]
    assert {source for source in copied if not source.startswith("interpreter/")} == set(allowed)
    assert all((ROOT / source).exists() for source in copied)


def test_files_that_change_most_often_are_copied_last() -> None:
    """A new sentence then needs no download of dependencies, nor any work for an edition."""
    order = [rest for instruction, rest in instructions() if instruction in ("COPY", "RUN")]
    [fetched] = [number for number, rest in enumerate(order) if "pip install" in rest]
    assert fetched < order.index("interpreter interpreter") < order.index("editions editions") == len(order) - 1
    for source in [source for rest in order[:fetched] for source in rest.split()[:-1]]:
        assert not (ROOT / source).is_dir()


def test_image_runs_as_nobody_in_particular_and_holds_no_secret() -> None:
    [image] = of("FROM")
    assert image.partition("@")[0] == "docker.io/library/debian:trixie-slim" and of("USER") == ["8421:8421"]
    [build] = [rest for rest in of("RUN") if "pip install" in rest]
    assert "--require-hashes --requirement requirements.txt" in build and "--no-deps --no-build-isolation" in build
    assert not of("ARG") and not of("ENV") and not of("ADD")


@pytest.mark.parametrize("inputs", [json.loads(of("CMD")[0]), *(server["command"] for server in SERVERS)])
def test_command_lines_are_understood(inputs: list[str]) -> None:
    whole = [*json.loads(of("ENTRYPOINT")[0])[1:], *inputs]
    arguments = build_parsers(localizer_for("en"))[0].parse_args(whole)
    assert (arguments.command, arguments.host, arguments.log) == ("serve", "0.0.0.0", "json")


def test_ports_and_addresses_agree() -> None:
    arguments = build_parsers(localizer_for("en"))[0].parse_args(
        [*json.loads(of("ENTRYPOINT")[0])[1:], *SERVERS[0]["command"]]
    )
    assert of("EXPOSE") == [f"{arguments.port} {arguments.metrics.rpartition(':')[2]}"]
    assert f"127.0.0.1:{arguments.port}/health" in of("HEALTHCHECK")[0]
    for file in ("Caddyfile", "nginx.conf"):
        text = (DEPLOY / file).read_text(encoding="utf-8")
        assert set(re.findall(r"server\d:\d+", text)) == {f"server{n}:{arguments.port}" for n in (1, 2)}
    [network] = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert arguments.trust_proxy == [network["subnet"]]


def test_image_and_compose_file_ask_alike_whether_a_server_lives() -> None:
    """Images of Podman do not keep what a Containerfile says of it."""
    words, _, command = of("HEALTHCHECK")[0].partition("CMD")
    lines = dict(re.findall(r"--([a-z-]+)=(\w+)", words))
    for server in SERVERS:
        check = dict(server["healthcheck"])
        assert check.pop("test") == ["CMD", *json.loads(command)]
        assert {key.replace("_", "-"): value for key, value in check.items()} == lines


@pytest.mark.parametrize("name", ["server1", "server2", "proxy"])
def test_containers_have_minimal_rights(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"] and service["tmpfs"] == ["/tmp"]


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert all(service["networks"] == ["inside"] for service in SERVICES.values())
    assert all(service["restart"] == "unless-stopped" for service in SERVICES.values())


def test_volumes_secrets_and_files_are_there() -> None:
    names = {mount.partition(":")[0] for service in SERVICES.values() for mount in service.get("volumes", ())}
    assert {name for name in names if not name.startswith("/")} == COMPOSE["volumes"].keys()
    used = {name for service in SERVICES.values() for name in service.get("secrets", ())}
    assert used == COMPOSE["secrets"].keys()
    assert SERVERS[0] == SERVERS[1] and SERVERS[0]["environment"]["PGSERVICEFILE"] == "/run/secrets/database"
    build = SERVERS[0]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT and (ROOT / build["dockerfile"]).is_file()


def test_secrets_are_made_once_and_by_chance(tmp_path: Path) -> None:
    results = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        script = Path(shutil.copy(DEPLOY / "secrets.sh", tmp_path / name))
        subprocess.run(["sh", str(script)], check=True)
        assert subprocess.run(["sh", str(script)], check=False, capture_output=True).returncode == 1
        folder = script.parent / "secrets"
        assert folder.stat().st_mode & 0o777 == 0o700
        results.append((folder / "password").read_text(encoding="utf-8"))
        lines = (folder / "database").read_text(encoding="utf-8").splitlines()
        texts = dict(line.split("=") for line in lines[1:])
        environment = SERVICES["database"]["environment"]
        assert texts == {
            "host": "database",
            "dbname": environment["POSTGRES_DB"],
            "user": environment["POSTGRES_USER"],
            "password": results[-1],
        }
        assert lines[0] == "[rulewright]" and "service=rulewright" in " ".join(SERVERS[0]["command"])
    assert len(set(results)) == 2 and len(results[0]) == 48
    assert "secrets/" in (DEPLOY / ".gitignore").read_text(encoding="utf-8").split()


# ── tried ──


@both
def test_proxies_understand_their_files(kind: str, tmp_path: Path) -> None:
    words, environment = command(kind, tmp_path, 8443, ["127.0.0.1:1", "127.0.0.1:2"])
    check = {CADDY: [words[0], "validate", *words[2:]], NGINX: [*words, "-t"]}[kind]
    done = subprocess.run(check, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def sent(address: str, trust: ssl.SSLContext, path: str, content: Any = None, **headers: str) -> Any:
    body = None if content is None else json.dumps(content).encode()
    request = Request(address + path, body, {"content-type": "application/json", **headers})
    with urlopen(request, timeout=PATIENCE, context=trust) as answer:
        return json.load(answer)


def ask(address: str, trust: ssl.SSLContext, path: str, content: Any = None) -> Any:
    """Ask through the proxy until a server tells it. A proxy answers 502 where it asks on a connection that it kept
    open, to a server that has died meanwhile; what only asks may be asked again."""
    late = time.monotonic() + 4 * PATIENCE
    while time.monotonic() < late:
        with suppress(HTTPError, TimeoutError):
            return sent(address, trust, path, content)
    raise AssertionError(f"no server tells {path}")


def until_ready(address: str, trust: ssl.SSLContext) -> None:
    """Wait until the proxy, which sends nothing to servers that are not ready, finds one that is."""
    assert ask(address, trust, "ready") == {"ready": True}


@asynccontextmanager
async def sitting(
    address: str, trust: ssl.SSLContext, token: str
) -> AsyncIterator[tuple[ClientConnection, int | None]]:
    """A connection that has said hello, and the number of what it is asked then."""
    async with connect(address.replace("http", "ws") + "play", ssl=trust, open_timeout=PATIENCE) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
        own = (await until(socket, "updates"))["of"][0]["change"].get("own", {})
        yield socket, (own.get("asked") or {}).get("question")


async def until(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while (message := json.loads(await asyncio.wait_for(socket.recv(), PATIENCE)))["type"] != kind:
        assert message["type"] != "refused", message
    lines: dict[str, Any] = message
    return lines


@pytest.mark.rotating(2)
@both
def test_players_over_tls_are_counted_by_their_own_addresses(kind: str, tmp_path: Path) -> None:
    with hosted(tmp_path, [guessing(tmp_path)], callers=ClientAddresses(["127.0.0.1"])) as home:
        server = home.address.removeprefix("http://").rstrip("/")
        with proxy(kind, tmp_path / "proxy", server) as (address, trust):
            until_ready(address, trust)
            edition = sent(address, trust, "editions")["editions"][0]["edition"]
            expected = {"edition": edition, "seats": [local_player("Ann")], "options": {}}
            headers = {"origin": address.rstrip("/")}  # as a browser says it
            token = sent(address, trust, "tables", expected, **headers)["seats"][0]
            asyncio.run(played(address, trust, token, ("1", "2")))
            with pytest.raises(HTTPError) as refused:
                for number in range(30):  # 20 at once from one address, whatever it claims to be
                    forged = {"x-forwarded-for": f"203.0.113.{number}", "forwarded": f"for=203.0.113.{number}"}
                    sent(address, trust, "tables", expected, **forged)
            assert refused.value.code == 429


async def played(address: str, trust: ssl.SSLContext, token: str, takes: Sequence[str]) -> None:
    """Give the first answers of a game."""
    async with sitting(address, trust, token) as (socket, _):
        for number, take in enumerate(takes):
            await socket.send(json.dumps({"type": "answer", "question": number, "take": [take]}))
            await until(socket, "kept")


@pytest.mark.rotating(2)
@pytest.mark.skipif(missing(NGINX), reason="needs nginx")
def test_all_pages_come_back_at_once_to_a_server_that_was_gone_before(tmp_path: Path) -> None:
    """Each server is gone once. nginx counts a connection as well done when it ends, and those of pages last."""
    ports = free_ports(2)
    with proxy(NGINX, tmp_path / "proxy", *(f"127.0.0.1:{port}" for port in ports)) as (address, trust):
        asyncio.run(gone_in_turn(address, trust, ports))


async def gone_in_turn(address: str, trust: ssl.SSLContext, ports: Sequence[int]) -> None:
    async def stay(socket: ServerConnection) -> None:
        await socket.wait_closed()

    for existing in ports:
        async with serve(stay, "127.0.0.1", existing), AsyncExitStack() as pages:
            for number in range(20):  # of tables, so that each server is the home of some
                page = connect(f"{address.replace('http', 'ws')}play/{number}", ssl=trust, open_timeout=PATIENCE)
                await pages.enter_async_context(page)


class Family:
    """Two people at one table, who come back by themselves as pages do."""

    def __init__(self, address: str, trust: ssl.SSLContext, tokens: Sequence[str]) -> None:
        self.address, self.trust, self.tokens = address, trust, tokens
        self.acknowledged: list[tuple[int, int]] = []  # seat and question of what was acknowledged

    def answer(self, seat: int, question: int) -> None:
        """Answer a question, through whatever happens meanwhile, and once."""
        while not asyncio.run(self._answered(seat, question)):
            continue

    async def _answered(self, seat: int, question: int) -> bool:
        with suppress(ConnectionClosed, InvalidStatus, InvalidMessage, OSError, TimeoutError):
            async with sitting(self.address, self.trust, self.tokens[seat]) as (socket, decision):
                if decision != question:  # it was kept, and that was not heard any more
                    return True
                await socket.send(json.dumps({"type": "answer", "question": question, "take": ["1"]}))
                await until(socket, "kept")
                self.acknowledged.append((seat, question))
                return True
        return False


@pytest.mark.rotating(6)
@databases.needs_postgresql
@both
def test_family_plays_on_while_servers_die(kind: str, tmp_path: Path) -> None:
    """Two servers, a database and a proxy, as the files set them up: one server is killed, then the other one; each
    begins again at its address. Whoever is at a table comes back at the server that is left."""
    address = databases.running().schema(f"family_{kind}")
    edition = guessing(tmp_path)
    options = ("--data", address, "--trust-proxy", "127.0.0.1")
    with ExitStack() as stack:
        running = [stack.enter_context(process(tmp_path, edition, *options)) for _ in range(2)]
        places = [where.removeprefix("http://").rstrip("/") for _, where in running]
        front, trust = stack.enter_context(proxy(kind, tmp_path / "proxy", *places))
        until_ready(front, trust)
        offered = sent(front, trust, "editions")["editions"][0]["edition"]
        expected = {"edition": offered, "seats": [local_player("Ann"), local_player("Bo")], "options": {}}
        family = Family(front, trust, sent(front, trust, "tables", expected)["seats"])
        for turn, question in enumerate(range(0, 4, 2)):
            family.answer(0, question)
            family.answer(1, question)
            running[turn][0].kill()
            running[turn][0].wait()
            family.answer(0, question + 1)
            family.answer(1, question + 1)
            port = places[turn].rpartition(":")[2]
            stack.enter_context(process(tmp_path, edition, *options, "--port", port))
        until_ready(front, trust)
        assert ask(front, trust, "turns", {"tokens": [family.tokens[0]]}) == {"turns": [{"over": True}]}
    with closing(Store(address)) as store:
        rows = [(row.seat, row.take) for row in store.answers(1)]
    assert sorted(rows) == [(seat, ("1",)) for seat in (0, 1) for _ in range(4)], "each once, and none is missing"
    assert len(family.acknowledged) >= 6
