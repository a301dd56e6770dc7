"""Running a server: whether it lives and is ready, what it counts, what it writes down, and how it ends."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import socket
import sqlite3
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from game_servers import (
    FRIEND,
    HOSTS,
    PATIENCE,
    ask,
    begin,
    guessing,
    local_player,
    next_message,
    process,
    reading,
    server,
)
from rulewright import cli
from rulewright.commands.arguments import build_parsers
from rulewright.i18n.languages import localizer_for
from rulewright.server import health_checks, prometheus, structured_log
from rulewright.server.application import AppSettings, application, server_config
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.health_checks import HealthChecks
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, listen
from rulewright.server.metrics import Metrics
from rulewright.server.network.client_addresses import HostNames
from rulewright.server.server import ServerSettings, serve
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.open_store import open_store
from rulewright.server.storage.store import Store
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.web import edition_list
from rulewright.server.web.protocol import VERSION

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


# ── whether it lives and is ready ──


def test_health_checks_may_use_any_host_name(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        for path, text in (("/health", {"alive": True}), ("/ready", {"ready": True})):
            answer = client.get(path, headers={"host": "server1:8421", "origin": "https://elsewhere.example"})
            assert (answer.status_code, answer.json()) == (200, text)
            assert answer.headers["cache-control"] == "no-store"
        assert client.get("/words", headers={"host": "server1:8421"}).status_code == 421
        assert client.post("/ready").status_code == 404


@pytest.mark.rotating(2)
def test_a_server_that_loads_its_games_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first players would wait while games are loaded."""
    store, offers = Store(tmp_path / "tables.sqlite"), EditionRegistry([])
    offers.being_read = True
    with TestClient(application(store, offers, AppSettings(hosts=HOSTS))) as client:
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "games"})
        edition_list.preload(offers)
        assert client.get("/ready").json() == {"ready": True}
        offers.being_read = True
        monkeypatch.setattr(EditionRegistry, "read_ahead", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            edition_list.preload(offers)
        assert client.get("/ready").json() == {"ready": True}, "everybody reads what they need"


@pytest.mark.parametrize("question", [signal.SIGINT, signal.SIGTERM])
def test_a_server_stopped_before_it_serves_ends_silently(
    tmp_path: Path, question: signal.Signals, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is interrupted, and what is being read for the first time is none of its business."""
    monkeypatch.setattr(edition_list, "preload", lambda offers: None)
    before = signal.getsignal(question)
    serve(ServerSettings("127.0.0.1", 0, tmp_path / "data"), lambda _: signal.raise_signal(question))
    assert capfd.readouterr() == ("", "")
    assert signal.getsignal(question) is before


def refused(store: Store) -> None:
    raise StoreError("It is gone.")


def test_server_that_cannot_reach_its_store_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_checks, "_CACHE_SECONDS", 0)
    with server(tmp_path, [guessing(tmp_path)]) as client, monkeypatch.context() as removed:
        removed.setattr(Store, "check_readable", refused)
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "store"})
        assert client.get("/health").status_code == 200
        removed.undo()
        assert client.get("/ready").status_code == 200, "it is found again"


def test_server_that_stops_is_not_ready(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    tables = TableRegistry(store, EditionRegistry([]), BotPool(), Limits(), Clock(), Metrics())
    tables.closing = True
    answer = TestClient(HealthChecks(JSONResponse({}), tables)).get("/ready")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "stopping"})
    store.close()


def test_a_stopping_server_ignores_other_servers(tmp_path: Path) -> None:
    """Listeners may report until the very end, when nothing new is started."""
    store = Store(tmp_path / "tables.sqlite")
    tables = TableRegistry(store, EditionRegistry([]), BotPool(), Limits(), Clock(), Metrics())

    async def ended() -> int:
        await tables.close()
        tables.missed()
        return len(asyncio.all_tasks())

    assert asyncio.run(ended()) == 1
    store.close()


def test_documented_defaults_are_those_of_the_server() -> None:
    serve = build_parsers(localizer_for("en"))[1]["serve"]
    assert (serve.get_default("connections"), serve.get_default("tables")) == (Limits().connections, Limits().tables)


# ── what it counts ──


def values(port: int) -> dict[str, float]:
    """Return the metrics that Prometheus reads, by name and labels."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    return {
        ",".join([sample.name, *map(str, sample.labels.values())]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_prometheus_reads_the_metrics(tmp_path: Path) -> None:
    store, measures = Store(tmp_path / "tables.sqlite"), Metrics()
    app = application(store, EditionRegistry([guessing(tmp_path)]), AppSettings(hosts=HOSTS, metrics=measures))
    with TestClient(app) as client, prometheus.serve_metrics(measures, "127.0.0.1", 0) as port:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, links["seats"][0]) as ann:
            assert ann.answer("1")["type"] == "kept"
            assert ann.refused(type="answer", question=7, take=["1"])
            ann.answer("2")
            results = values(port)
            assert results["rulewright_connections"] == results["rulewright_tables_watched"] == 1
        assert results["rulewright_messages_total,no,answer"] >= 1, "the last one may not be counted yet"
        assert results["rulewright_messages_total,yes,answer"] == 1
        assert results["rulewright_requests_total,begin,201"] == 1
        assert 1 <= results["rulewright_answer_seconds_count"] == results["rulewright_answer_seconds_bucket,+Inf"] <= 2
        assert results["rulewright_sent_bytes_total"] > results["rulewright_sent_messages_total"] > 2
        assert results["rulewright_log_works_total"] >= results["rulewright_commit_seconds_count"] > 0
        assert results["rulewright_log_failures_total"] == 0
        assert results["process_cpu_seconds_total"] > 0 and results["rulewright_tables_in_memory"] == 1


PAGES = """begin differences edition editions file glance index learn lesson lesson_answer lesson_explained lessons
    moment picture pictures play qr rulebook table turns words worker"""


def test_metrics_keep_the_labels_of_pages(tmp_path: Path) -> None:
    """Endpoints' names are labels of `rulewright_requests`, which dashboards select by."""
    app = application(
        Store(tmp_path / "tables.sqlite"), EditionRegistry([guessing(tmp_path)]), AppSettings(hosts=HOSTS)
    )
    names = {route.endpoint.__name__ for route in app.routes if isinstance(route, Route | WebSocketRoute)}
    assert names == set(PAGES.split())


def test_classes_of_durations_hold_those_below() -> None:
    measures = Metrics()
    for seconds in (0.0005, 0.001, 0.2, 60):
        measures.answered.add(seconds)
    with prometheus.serve_metrics(measures, "127.0.0.1", 0) as port:
        results = values(port)
    counts = [results[f"rulewright_answer_seconds_bucket,{end}"] for end in ("0.001", "0.15", "0.25", "10.0", "+Inf")]
    assert counts == [2, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("text", "place"),
    [("9100", ("127.0.0.1", 9100)), ("0.0.0.0:9100", ("0.0.0.0", 9100)), ("[::1]:9100", ("::1", 9100))],
)
def test_metrics_are_on_this_computer_unless_somebody_says_otherwise(text: str, place: tuple[str, int]) -> None:
    assert prometheus.parse_address(text) == place


@pytest.mark.parametrize("argument", ["", "x", "9100:", ":9100", "65536", "http://x:1", "-1", "::1:9100"])
def test_an_invalid_address_of_metrics_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argument: str
) -> None:
    with pytest.raises(ValueError):
        prometheus.parse_address(argument)
    if argument:
        command = ["serve", "--port", "0", "--data", str(tmp_path), f"--metrics={argument}", "--lang", "en"]
        assert cli.main(command) == 2
        assert f"'{argument}' is no place for metrics: write 9100 or" in capsys.readouterr().err


def test_a_port_out_of_range_is_refused() -> None:
    """Systems cut such numbers to size, and would serve at another port."""
    with pytest.raises(ServingError, match=r"Nothing can be served at 127\.0\.0\.1, port 99999"):
        listen("127.0.0.1", 99_999)


def test_a_used_port_of_metrics_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as answer:
        port = str(answer.getsockname()[1])
        command = ["serve", "--port", "0", "--data", str(tmp_path), "--metrics", port, "--lang", "en"]
        assert cli.main(command) == 2
    assert f"port {port}" in (text := capsys.readouterr().err) and "--metrics" in text


# ── what it writes down ──


@pytest.fixture
def log_output() -> Iterator[StringIO]:
    """The lines of the log, as they are written."""
    names = ("rulewright.server", *structured_log.LIBRARIES)
    before = [(one, one.handlers, one.propagate, one.level) for one in map(logging.getLogger, names)]
    stream = StringIO()
    structured_log.write_to(stream)
    yield stream
    for logger, handlers, propagate, level in before:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_log_names_nobody_and_quotes_nothing(tmp_path: Path, log_output: StringIO) -> None:
    """Neither people, nor what they say and answer, nor links, nor from where they come."""
    secrets = ["Annabel", "Bodkin", "Hello there", "testclient", "203.0.113.9", "trick=1"]
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Annabel"), FRIEND)
        secrets += [links["host"], links["seats"][0]]
        client.get(f"/{links['host']}?trick=1", headers={"x-forwarded-for": "203.0.113.9"})
        client.get("/editions/Annabel")
        with reading(client, links["seats"][0]) as ann:
            ann.refused(type="say", text="Hello there" * 99)
            ann.send(type="say", text="Hello there")
            ann.refused(type="answer", question=10, take=["Annabel"])
    lines = [json.loads(line) for line in log_output.getvalue().splitlines()]
    assert {"table begun", "request", "connection ended", "stopping", "stopped"} <= {one["event"] for one in lines}
    assert [one["page"] for one in lines if one["event"] == "request"][-2:] == ["none", "edition"]
    assert not [secret for secret in secrets if secret in log_output.getvalue()]


def test_errors_are_logged_by_type_and_place_without_message(log_output: StringIO) -> None:
    def fails(name: str) -> None:
        raise sqlite3.OperationalError(f"no such {name}")

    try:
        fails("Annabel")
    except sqlite3.Error:
        logging.getLogger("uvicorn.error").exception("Exception in %s\nof Annabel", "Annabel")
    data: dict[str, Any] = json.loads(log_output.getvalue())
    assert (data["level"], data["event"], data["said"]) == ("error", "library", "Exception in %s")
    assert data["error"] == "OperationalError"
    assert re.fullmatch(r"test_operating\.py:\d+ fails", data["places"][-1])
    assert "Annabel" not in log_output.getvalue()


def test_a_log_without_a_reader_does_no_harm(log_output: StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    log_output.close()
    structured_log.event("connection ended")
    assert capsys.readouterr().err == ""


def test_the_log_counts_lost_lines(tmp_path: Path, log_output: StringIO) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with sqlite3.connect(tmp_path / "tables.sqlite") as db:
            db.execute("DROP TABLE answers")
        with reading(client, token) as ann:
            assert ann.closed()
    lines = [json.loads(line) for line in log_output.getvalue().splitlines()]
    assert {"works": 1, "level": "warning"}.items() <= next(o for o in lines if o["event"] == "log failed").items()


# ── how it ends ──


@pytest.mark.rotating(12)
@posix_only
def test_a_stopping_server_saves_answers_and_sends_pages_away(tmp_path: Path) -> None:
    """Systemd and containers stop servers in this way."""
    with process(tmp_path, guessing(tmp_path), "--log", "json", "--metrics", "0") as (running, first):
        assert running.stdout is not None
        port = int(first.rstrip("}"))  # the last of the first event
        event = json.loads(running.stdout.readline())
        assert event["event"] == "begun"
        address = event["address"]
        assert ask(address, "health") == {"alive": True}
        edition = ask(address, "editions")["editions"][0]["edition"]
        expected = {"edition": edition, "seats": [local_player("Ann"), local_player("Bo")], "options": {}}
        token = ask(address, "tables", expected)["seats"][0]
        with connect(address.replace("http", "ws") + "play", open_timeout=PATIENCE) as socket:
            socket.send(json.dumps({"type": "hello", "protocol": VERSION, "tokens": [token], "language": "en"}))
            next_message(socket, "updates")
            assert values(port)["rulewright_connections"] == 1
            socket.send(json.dumps({"type": "answer", "question": 0, "take": ["1"]}))
            next_message(socket, "kept")
            running.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                next_message(socket, "nothing more")
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012, "come back"
        assert running.wait(PATIENCE) == 0
        events = [json.loads(line)["event"] for line in running.stdout.read().splitlines()]
    assert events[-2:] == ["stopping", "stopped"]
    store = Store(tmp_path / "tables.sqlite")
    assert [row.take for row in store.answers(1)] == [("1",)]
    store.close()


@pytest.mark.rotating(2)
def test_clients_that_wait_at_the_end_are_no_error(tmp_path: Path, log_output: StringIO) -> None:
    event = Event()

    async def slow(_: Request) -> None:
        event.set()
        await asyncio.get_running_loop().create_future()

    with open_store(tmp_path, "") as store, listen("127.0.0.1", 0) as listening:
        route = Route("/slow", slow)
        settings = AppSettings(hosts=HostNames(["127.0.0.1"]), routes=[route])
        config = server_config(store, EditionRegistry([]), settings)
        config.timeout_graceful_shutdown = 1
        stopping = uvicorn.Server(config)
        running = Thread(target=stopping.run, args=([listening],))
        running.start()
        with socket.create_connection(listening.getsockname()) as page:
            page.sendall(b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert event.wait(PATIENCE)
            stopping.should_exit = True
            assert b" 500 " in page.recv(1000)
        running.join(PATIENCE)
        assert not running.is_alive()
    lines = [json.loads(line) for line in log_output.getvalue().splitlines()]
    assert [one["level"] for one in lines if one["event"] != "request"] == ["info", "info"], "stopping, stopped"


# ── how much it bears ──


@pytest.mark.rotating(10)
@posix_only
def test_load_is_reported_in_rows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Few tables, for a moment: that the tool plays at all, by the protocol of today."""
    import load  # noqa: PLC0415 - it needs what other systems lack

    arguments = [
        "--tables",
        "8",
        "--seats",
        "2",
        "--rates",
        "8",
        "--seconds",
        "1",
        "--warm",
        "0.1",
        "--kinds",
        "sqlite",
    ]
    monkeypatch.setattr("sys.argv", ["load.py", *arguments, "--stop", str(PATIENCE)])
    load.main()
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    text, needed = (dict(zip(lines[at], lines[at + 2], strict=False)) for at in (0, -3))
    assert (text["server"], text["tables"], text["due/s"]) == ("sqlite", "8", "8")
    assert all(
        float(text[cost].replace(",", "")) > 0 for cost in ("server ms", "people ms", "bytes", "p50", "seen p99")
    )
    assert text["database ms"] == "0.00"
    assert (needed["server"], needed["answers/s"]) == ("sqlite", "500")
    assert 0.25 < float(needed["processors of servers"]) / float(text["server ms"]) < 1
