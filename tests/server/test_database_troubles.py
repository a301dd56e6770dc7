"""PostgreSQL that has gone, says nothing, takes no connections, or is not as it was, while people are at tables."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

import databases
from databases import needs_postgresql
from flaky_postgresql import UnsteadyPostgresql, until
from game_servers import HOSTS, PATIENCE, Reader, begin, guessing, local_player, reading
from rulewright import cli
from rulewright.players.seating import RANDOM_BOT
from rulewright.server import health_checks
from rulewright.server.application import AppSettings, application
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.storage import postgresql, postgresql_connection, postgresql_listener
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.postgresql_connection import ImpatientConnection
from rulewright.server.storage.postgresql_listener import PostgresqlListener
from rulewright.server.storage.schema import VERSION
from rulewright.server.storage.store import Store
from rulewright.server.web.connection import LATER

pytestmark = needs_postgresql
AWAY = "The database cannot be reached just now. Nothing has changed: try again in a moment."
UNKNOWN = "The database has gone just now. Look again whether this was kept, in a moment."


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="rulewright.server")
    for module, names, seconds in (
        (postgresql, ("RECONNECT_SECONDS", "UNDECIDED_SECONDS", "_AWAY_SECONDS", "_RETRY_SECONDS"), 0.02),
        (postgresql_listener, ("WAIT_SECONDS", "RECONNECT_SECONDS"), 0.02),
        (health_checks, ("_CACHE_SECONDS",), 0.0),
    ):
        for name in names:
            monkeypatch.setattr(module, name, seconds)


@contextmanager
def impatient_with(is_silent: Callable[[ImpatientConnection], bool], connecting: bool = True) -> Iterator[None]:
    """Give up soon the connections that are silent, no others: a busy machine is slow to answer.

    connecting: whether attempts to connect are given up soon, too."""
    patience = property(lambda connection: 0.5 if is_silent(connection) else postgresql_connection.MAX_SILENCE_SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ImpatientConnection, "max_silence", patience)
        if connecting:
            patch.setattr("psycopg.connection.timeout_from_conninfo", lambda params: 0.5)
        yield


@pytest.fixture
def unsteady(tmp_path: Path) -> Iterator[UnsteadyPostgresql]:
    for _ in databases.use(databases.POSTGRESQL):
        result = UnsteadyPostgresql(databases.running(), str(databases.location(tmp_path)))
        yield result
        result.end()


@pytest.fixture
def log(tmp_path: Path, unsteady: UnsteadyPostgresql) -> Iterator[Store]:
    """Return the log, by a connection that works."""
    store = Store(databases.location(tmp_path))
    yield store
    store.close()


@pytest.fixture
def steady(tmp_path: Path) -> Iterator[str]:
    for _ in databases.use(databases.POSTGRESQL):
        yield str(databases.location(tmp_path))


@contextmanager
def serving(address: str, folder: Path, clock: Clock | None = None) -> Iterator[TestClient]:
    settings = AppSettings(Limits(hold=0), HOSTS, clock=clock or Clock())
    result = application(Store(address), EditionRegistry([guessing(folder)]), settings)
    with TestClient(result) as client:
        yield client


def ready(client: TestClient) -> bool:
    answer = client.get("/ready")
    assert answer.status_code == 200 or answer.json() == {"ready": False, "why": "store"}
    return answer.status_code == 200


def events(caplog: pytest.LogCaptureFixture, name: str) -> list[dict[str, Any]]:
    return [getattr(record, "fields", {}) for record in caplog.records if record.msg == name]


def refused(reader: Reader, take: str = "1") -> str:
    text = reader.answer(take)
    assert text["type"] == "refused"
    return str(text["text"])


def answer_stored(reader: Reader, take: str = "1") -> None:
    """Try again, as somebody at a table does, until it is kept."""
    until(lambda: reader.answer(take)["type"] == "kept")


@pytest.mark.rotating(3)
def test_a_database_that_restarts(
    unsteady: UnsteadyPostgresql, log: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(unsteady.address, tmp_path) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
        with reading(client, links[0]) as ann:
            ann.answer("1")
            unsteady.cut()
            assert refused(ann) == AWAY
            with reading(client, links[1]) as bo:
                assert bo.closed() == LATER and bo.received[-1]["text"] == AWAY
            assert not ready(client)
            unsteady.let()
            answer_stored(ann, "2")
            assert ready(client)
    assert [row.take for row in log.answers(1)] == [("1",), ("2",)]
    assert events(caplog, "database away") == [{"why": "out of reach"}]
    assert len(events(caplog, "database back")) == 1


@contextmanager
def stopped(*processes: int) -> Iterator[None]:
    """Stop processes without ending them, as on a machine that is moved, or whose disk hangs."""
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        is_accepting = databases.running().process not in processes
        with impatient_with(lambda each: each.pgconn.backend_pid in processes, connecting=not is_accepting):
            yield
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


def backends(log: Store) -> set[int]:
    """The processes of the database for all connections but that of the log, once they wait for their clients: one
    that is stopped while it works or ends may hold a lock that all others wait for."""
    others = (
        "SELECT pid, wait_event = 'ClientRead' FROM pg_stat_activity "
        "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    rows = log.database.execute(others)
    while not all(idle for _, idle in rows):
        rows = log.database.execute(others)
    return {pid for pid, _ in rows}


@pytest.mark.rotating(2)
def test_a_database_with_all_processes_stopped(
    log: Store, steady: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(steady, tmp_path) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
        with reading(client, links[0]) as ann:
            answer_stored(ann)
            with stopped(databases.running().process, *backends(log)):
                assert refused(ann, "2") == UNKNOWN
                assert not ready(client)
                with reading(client, links[1]) as bo:
                    assert bo.closed() == LATER and bo.received[-1]["text"] == AWAY
            until(lambda: ready(client))
            came_through(ann, question=1, take="2")
            with reading(client, links[1]) as bo:
                answer_stored(bo, "3")
    assert [(row.seat, row.take) for row in log.answers(1)] == [(0, ("1",)), (0, ("2",)), (1, ("3",))]
    assert events(caplog, "database away") == [{"why": "no answer"}]
    assert len(events(caplog, "database back")) == 1


def test_only_those_who_come_notice_that_the_first_process_of_the_database_is_stopped(
    log: Store, steady: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(steady, tmp_path) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
        with stopped(databases.running().process):
            for link in links:
                with reading(client, link) as reader:
                    assert reader.answer("1")["type"] == "kept"
            until(lambda: ready(client))
            assert cli.main(["serve", "--port", "0", "--data", steady, "--lang", "en"]) == 2
            assert "timeout expired" in capsys.readouterr().err
        with serving(steady, tmp_path) as other, reading(other, links[0]) as ann:
            assert ann.answer("2")["type"] == "kept"
    assert [(row.seat, row.take) for row in log.answers(1)] == [(0, ("1",)), (1, ("1",)), (0, ("2",))]


@pytest.mark.rotating(2)
def test_unanswered_connections_are_given_up(log: Store, steady: str, tmp_path: Path) -> None:
    """Theirs may be the lock of the computer's player, who then waits until the database lets go of it."""
    with serving(steady, tmp_path) as client:
        token = begin(client, local_player("Ann"), {"player": RANDOM_BOT})["seats"][0]
        with reading(client, token) as ann:
            ann.question()
            with stopped(*backends(log)):
                answer_stored(ann, "1")
                answer_stored(ann, "2")
                until(lambda: ready(client))
            answer_stored(ann, "3")
            answer_stored(ann, "0")
            ann.look(lambda state: state["over"])
    assert [row.take for row in log.answers(1) if row.seat == 0] == [("1",), ("2",), ("3",), ("0",)]


def came_through(reader: Reader, question: int, take: str) -> None:
    """Answer once more what may have been kept; then it is, once."""
    reader.send(type="answer", question=question, take=[take])
    assert reader.until("kept", "refused")
    reader.look(lambda state: state["asked"] is None or state["asked"]["question"] > question)


@pytest.mark.rotating(2)
@pytest.mark.parametrize(
    ("clock", "moment", "unknown"),
    [(300, b"BEGIN", False), (300, b"INSERT INTO answers", False), (300, b"COMMIT", True), (0, b"INSERT INTO", True)],
)
def test_a_database_that_does_not_answer(
    unsteady: UnsteadyPostgresql,
    log: Store,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    clock: int,
    moment: bytes,
    unknown: bool,
) -> None:
    """The last answer of a turn is stored with the time that is left, which is measured at the commit."""
    with serving(unsteady.address, tmp_path) as client:
        token = begin(client, local_player("Ann"), clock=clock)["seats"][0]
        with reading(client, token) as ann:
            answer_stored(ann)
            with impatient_with(lambda each: unsteady.is_frozen()):
                unsteady.freeze(moment)
                assert refused(ann) == (UNKNOWN if unknown else AWAY)
                assert not ready(client)
                unsteady.let()
            until(lambda: ready(client))
            if unknown:
                came_through(ann, question=1, take="1")
            else:
                answer_stored(ann)
    assert [row.take for row in log.answers(1)] == [("1",), ("1",)]
    assert {"why": "no answer"} in events(caplog, "database away")


@pytest.mark.rotating(2)
def test_a_database_without_free_connections(
    unsteady: UnsteadyPostgresql,
    log: Store,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with serving(unsteady.address, tmp_path) as client, ExitStack() as others:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.question()
            unsteady.cut()
            with pytest.raises(psycopg.OperationalError, match="too many clients"):
                while True:
                    others.enter_context(psycopg.connect(databases.running().address()))
            unsteady.let()
            until(lambda: refused(ann) == AWAY)
            (away,) = events(caplog, "database away")
            assert away["why"] in ("out of connections", "out of reach"), "the latter if something else came first"
            assert cli.main(["serve", "--port", "0", "--data", unsteady.address, "--lang", "en"]) == 2
            assert "sorry, too many clients already" in capsys.readouterr().err
            others.close()
            answer_stored(ann)
    assert len(log.answers(1)) == 1


def test_a_slow_database_and_one_that_is_being_restored(
    unsteady: UnsteadyPostgresql, log: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has locked a table for long, or taken it away for now; nobody is told that theirs has gone."""
    monkeypatch.setattr(
        postgresql_connection,
        "_SESSION",
        postgresql_connection._SESSION.replace("lock_timeout = '10s'", "lock_timeout = '20ms'"),
    )
    with serving(unsteady.address, tmp_path) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.question()
            with psycopg.connect(str(databases.location(tmp_path))) as other:
                other.execute("LOCK TABLE answers IN ACCESS EXCLUSIVE MODE")
                assert refused(ann) == "The database takes too long. Nothing has changed: try again in a moment."
            answer_stored(ann, "1")
            log.database.execute("ALTER TABLE answers RENAME TO other")
            assert refused(ann) == "The database refuses this just now. Nothing has changed: try again in a moment."
            log.database.execute("ALTER TABLE other RENAME TO answers")
            answer_stored(ann, "2")
    assert [row.take for row in log.answers(1)] == [("1",), ("2",)]


def test_a_server_without_notifications_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql_listener, "POLL_SECONDS", 0)
    ended = Event()
    listener: Any = SimpleNamespace(missed=ended.set)
    PostgresqlListener({"host": "/nowhere"}, lambda: 0).run(listener, ended)
    assert ended.is_set()


def test_an_outdated_server_does_not_alarm_players(
    log: Store, steady: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Somebody has begun a newer server while this one had lost its connections."""
    with serving(steady, tmp_path) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.question()
            for change, back in (
                (f"UPDATE rulewright SET version = {VERSION + 1}", f"UPDATE rulewright SET version = {VERSION}"),
                ("ALTER TABLE rulewright RENAME TO other", "ALTER TABLE other RENAME TO rulewright"),
            ):
                log.database.execute(change)
                for process in backends(log):
                    log.database.execute("SELECT pg_terminate_backend(?)", (process,))
                until(lambda: not ready(client))
                assert refused(ann) == AWAY
                log.database.execute(back)
            answer_stored(ann)
    assert {"why": "not as it was"} in events(caplog, "database away")
    assert "postgresql://" not in str(ann.received)


def test_a_read_only_database_counts_as_gone(unsteady: UnsteadyPostgresql, log: Store, tmp_path: Path) -> None:
    """A standby can do this that has taken over and is not yet primary."""
    with serving(unsteady.address, tmp_path) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.question()
            log.database.execute("ALTER ROLE tests SET default_transaction_read_only = on")
            try:
                unsteady.cut()
                unsteady.let()
                until(lambda: not ready(client))
                assert refused(ann) == AWAY
            finally:
                log.database.execute("ALTER ROLE tests RESET default_transaction_read_only")
            answer_stored(ann)


# ── clocks ──


class WrongClock(Clock):
    """Clock of a computer with the wrong time."""

    wrong = 7200.0

    def now(self) -> float:
        return super().now() + self.wrong


def test_servers_with_wrong_clocks_have_one_time(unsteady: UnsteadyPostgresql, log: Store, tmp_path: Path) -> None:
    clock = WrongClock()
    with serving(unsteady.address, tmp_path, clock) as one, serving(unsteady.address, tmp_path) as other:
        links = begin(one, local_player("Ann"), local_player("Bo"), clock=300)["seats"]
        with reading(one, links[0]) as ann, reading(other, links[1]) as bo:
            ann.send(type="say", text="Hello")
            for reader in (ann, bo):  # each may have set it, a moment after the other
                deadline = reader.look(lambda state: state["deadline"])["deadline"]
                assert 0 < deadline - log.now() <= 300
            while not bo.document.get("messages"):
                bo.next()
            assert abs(bo.document["messages"]["0"]["at"] - log.now()) < PATIENCE
            clock.wrong = 14400.0  # somebody sets it
            links = begin(one, local_player("Cy"), clock=300)["seats"]
            with reading(one, links[0]) as cy:
                cy.look(lambda state: state["deadline"])
            assert {row[0] for row in log.database.execute("SELECT count(*) FROM answers")} == {0}, "nobody is late"


def test_a_database_of_a_service_file_is_named_by_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "services").write_text("[club]\nhost=/nowhere\npassword=opensesame\n", encoding="utf-8")
    monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
    with pytest.raises(StoreError) as refused:
        Store("postgresql:///?service=club")
    text = str(refused.value)
    assert "'postgresql:///?service=club'" in text and "/nowhere/" in text
    assert "opensesame" not in text and not text.endswith("?.")
