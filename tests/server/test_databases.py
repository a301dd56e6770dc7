"""The log in both of its databases: former versions, what is refused, and a PostgreSQL server that goes away."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import databases
from databases import location, needs_postgresql
from game_servers import begin, guessing, local_player, reading, server
from rulewright import cli
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition
from rulewright.server.storage import schema, sqlite_file
from rulewright.server.storage.commit_queue import run_batch
from rulewright.server.storage.database import LostError, StoreError, TakenError, UnknownOutcomeError
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.storage.store import NewAnswer, Store

on_both = pytest.mark.usefixtures("database")
ROW = LoggedAnswer(0, "x", ("a",))


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[str]:
    """The address of a place for tables."""
    for _ in databases.use(databases.POSTGRESQL):
        yield str(location(tmp_path))


def table(store: Store, folder: Path) -> int:
    offered = playable_edition(library.load(guessing(folder)))
    seats = [Seat("Ann", "person"), Seat("", "person")]
    return store.create(offered.pinned, "hash", seats, {}, 1, {tokens.new(): (tokens.HOST, None)})


def postgres(store: Store) -> Any:
    return store.database


# ── versions ──


def older(store: Store, version: int) -> None:
    """Make of a log what it was in a former version."""
    added = " ".join(schema.VERSIONS[version:])
    for name in re.findall(r"CREATE INDEX (\w+)", added):
        store.database.execute(f"DROP INDEX {name}")
    for name in reversed(schema.table_names(added)):
        store.database.execute(f"DROP TABLE {name}")
    if isinstance(store.database, sqlite_file.SqliteDatabase):
        store.database.execute(f"PRAGMA user_version = {version}")
    else:
        store.database.execute("UPDATE rulewright SET version = ?", (version,))


def version(store: Store) -> int:
    if isinstance(store.database, sqlite_file.SqliteDatabase):
        return store.database.pragma("user_version")
    return int(store.database.execute("SELECT version FROM rulewright")[0][0])


@on_both
@pytest.mark.parametrize("former", range(1, schema.VERSION))
def test_a_log_of_an_earlier_version_is_upgraded(tmp_path: Path, former: int) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), options={"quick": "yes"})
        with reading(client, links["seats"][0]) as ann:
            ann.answer("1")
    store = Store(location(tmp_path))
    older(store, former)
    store.close()
    with server(tmp_path, [guessing(tmp_path)]) as client:
        with reading(client, links["seats"][0]) as ann:
            assert ann.question()["prompt"] == "What then?"
            ann.answer("1")
            ann.look(lambda state: state["over"])
            ann.send(type="rematch")
            assert ann.until("rematch")["token"]
    store = Store(location(tmp_path))
    assert version(store) == schema.VERSION and store.count() == 2
    store.close()


@needs_postgresql
def test_newer_versions_and_other_databases_stay_as_they_are(
    postgresql: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(postgresql)
    store.database.execute("UPDATE rulewright SET version = 99")
    with pytest.raises(StoreError, match="another version of Rulewright"):
        Store(postgresql)
    store.database.execute("DROP TABLE rulewright")
    assert cli.main(["serve", "--port", "0", "--data", postgresql, "--lang", "en"]) == 2
    assert "a database of something else" in capsys.readouterr().err
    assert store.count() == 0
    store.close()


@needs_postgresql
def test_of_servers_that_start_together_one_makes_the_schema(postgresql: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(Store, [postgresql] * 6))
    assert {store.count() for store in stores} == {0}
    assert stores[0].database.execute("SELECT version FROM rulewright") == [(schema.VERSION,)]
    for store in stores:
        store.close()


@needs_postgresql
def test_tables_that_an_older_server_uses_are_not_changed_under_it(postgresql: str) -> None:
    used = Store(postgresql)
    older(used, 2)
    with pytest.raises(StoreError, match="End all of its servers first"):
        Store(postgresql)
    assert version(used) == 2
    used.close()


@needs_postgresql
def test_tables_of_a_server_that_ends_meanwhile_are_upgraded(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed connection's locks last until the database has ended its process."""
    used, sleep = Store(postgresql), time.sleep
    older(used, 2)

    def end_meanwhile(seconds: float) -> None:
        used.close()
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", end_meanwhile)
    store = Store(postgresql)
    assert version(store) == schema.VERSION
    store.close()


# ── from one to the other ──


@needs_postgresql
def test_tables_of_a_file_go_on_in_postgresql(tmp_path: Path, postgresql: str) -> None:
    for _ in databases.use(databases.SQLITE):
        with server(tmp_path, [guessing(tmp_path)]) as client:
            links = begin(client, local_player("Ann"), local_player("Bo"))["seats"]
            with reading(client, links[0]) as ann:
                ann.answer("1")
    restoring = ["data", "restore", str(tmp_path / "tables.sqlite"), "--data", postgresql, "--lang", "en"]
    assert cli.main(restoring) == 0
    with server(tmp_path, [guessing(tmp_path)]) as client:
        with reading(client, links[0]) as ann:
            assert ann.question()["prompt"] == "What then?"
        assert begin(client, local_player("Cy"))["seats"], "its number is another one"
    assert cli.main(restoring) == 2, "there is something by now"


# ── what cannot be used ──

SECRET = "s3cret"


@needs_postgresql
@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{SECRET}@127.0.0.1:1/club",
        f"postgresql://ann:{SECRET}@nowhere.invalid/club",
        f"postgresql://ann:x@{SECRET}@127.0.0.1:1/club",
        f"postgresql://ann:x/{SECRET}@127.0.0.1/club",
        f"postgresql://ann:12/{SECRET}@127.0.0.1/club",
        f"postgresql://ann:{SECRET}?x@127.0.0.1/club",
        f"postgresql://ann:{SECRET}@127.0.0.1:one/club",
        f"postgresql://ann:{SECRET}@127.0.0.1/club?nonsense=1",
    ],
)
def test_an_unreachable_database_is_reported_without_its_password(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--port", "0", "--data", address, "--lang", "en"]) == 2
    output = capsys.readouterr()
    assert "Tables cannot be kept in 'postgresql://" in output.err or "This is no address of a PostgreSQL" in output.err
    assert SECRET not in output.err + output.out and "Traceback" not in output.err


@needs_postgresql
@pytest.mark.parametrize("address", ["mysql://ann@db/club", "POSTGRESQL://db/club", "postgres:club", "postgresql:/x"])
def test_address_that_is_mistyped_is_no_folder(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["serve", "--port", "0", "--workers", "2", "--data", address, "--lang", "en"]) == 2
    assert "This is no address of a PostgreSQL" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", [["serve", "--port", "0"], ["data", "restore", "copy.sqlite"], ["data", "forget", "Ann"]]
)
def test_empty_folder_is_none(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable must not mean an existing folder."""
    assert cli.main([*command, "--data", "", "--lang", "en"]) == 2
    assert "--data is empty" in capsys.readouterr().err


def test_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "rulewright.server.storage.postgresql", raising=False)
    assert cli.main(["serve", "--port", "0", "--data", "postgresql:///club", "--lang", "en"]) == 2
    assert "rulewright[postgresql]" in " ".join(capsys.readouterr().err.split())


# ── what goes away ──


@needs_postgresql
def test_a_lost_connection_is_restored(postgresql: str, tmp_path: Path) -> None:
    store = Store(postgresql)
    game = table(store, tmp_path)
    killed(store, postgresql)
    store.answer(game, 0, ROW)
    killed(store, postgresql)
    assert store.answers(game) == [ROW]
    killed(store, postgresql)
    assert [error for _, error in run_batch(store, [lambda store: store.answer(game, 1, ROW), Store.count])] == [
        None,
        None,
    ]
    assert store.answers(game) == [ROW, ROW]
    store.close()


def killed(store: Store, address: str) -> None:
    """End a store's connection from the other side."""
    [(process,)] = store.database.execute("SELECT pg_backend_pid()")
    other = Store(address)
    other.database.execute("SELECT pg_terminate_backend(?, 10000)", (process,))
    other.close()


def in_a_transaction(game: int) -> Callable[[Store], None]:
    def work(store: Store) -> None:
        with store.writing():
            store.answer(game, 0, ROW)

    return work


def alone(game: int) -> Callable[[Store], None]:
    return NewAnswer(game, 0, ROW)


KEPT_BY: Mapping[Callable[[int], Callable[[Store], None]], str] = {
    in_a_transaction: "COMMIT",
    alone: "INSERT INTO answers",
}
"""Records, with the statement that stores each."""


@needs_postgresql
@pytest.mark.parametrize("stored", KEPT_BY)
@pytest.mark.parametrize("received", [True, False])
def test_records_stored_during_a_lost_connection_are_confirmed(
    postgresql: str,
    tmp_path: Path,
    received: bool,
    stored: Callable[[int], Callable[[Store], None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store(postgresql)
    game = table(store, tmp_path)
    text, lost = postgres(store)._query, list[str]()

    def losing(statement: str, values: tuple[Any, ...] = ()) -> Any:
        if KEPT_BY[stored] not in statement or lost:
            return text(statement, values)
        lost.append(statement)
        if received:
            text(statement, values)
        postgres(store)._close_connection()
        raise LostError("")

    monkeypatch.setattr(postgres(store), "_query", losing)
    [(_, error)] = run_batch(store, [stored(game)])
    assert lost and (error is None) == received
    assert store.answers(game) == ([ROW] if received else [])
    store.close()


@needs_postgresql
def test_a_silent_connection_is_ended_before_its_record_is_checked(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A silent connection might still store something after the check."""
    store, other = Store(postgresql), Store(postgresql)
    game = table(store, tmp_path)
    process, text = postgres(store)._process, postgres(store)._query

    def losing(statement: str, values: tuple[Any, ...] = ()) -> Any:
        if "INSERT INTO answers" not in statement:
            return text(statement, values)
        monkeypatch.undo()
        postgres(store)._connection = None  # the database does not know yet
        raise LostError("")

    monkeypatch.setattr(postgres(store), "_query", losing)
    connection = postgres(store)._connection
    [(_, error)] = run_batch(store, [NewAnswer(game, 0, ROW)])
    assert isinstance(error, StoreError) and not isinstance(error, UnknownOutcomeError) and connection is not None
    assert other.database.execute("SELECT 1 FROM pg_stat_activity WHERE pid = ?", (process,)) == []
    store.close()
    other.close()


@needs_postgresql
def test_a_connection_with_the_number_of_an_ended_one_goes_on(postgresql: str, tmp_path: Path) -> None:
    store, other = postgres(Store(postgresql)), postgres(Store(postgresql))
    process = other._process
    assert store._stored_tables([(1, 0, 0, "x", None)], (process, store._since)) == set()
    assert other.execute("SELECT pg_backend_pid()") == [(process,)]
    assert store._since != other._since
    store.close()
    other.close()


@pytest.mark.rotating(2)
@needs_postgresql
def test_answers_are_stored_together_and_confirmed_singly(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(postgresql)
    games = [table(store, tmp_path) for _ in range(102)]
    monkeypatch.setattr("rulewright.server.storage.postgresql.MAX_BATCH", 100)
    store.answer(games[3], 0, ROW)
    news = [NewAnswer(game, int(number == 5), ROW) for number, game in enumerate(games)]  # one comes too early
    ends = run_batch(store, [Store.count, *news])
    assert ends[0] == (len(games), None)
    assert [number for number, (_, error) in enumerate(ends[1:]) if isinstance(error, TakenError)] == [3, 5]
    assert sum(error is not None for _, error in ends) == 2
    assert [len(store.answers(game)) for game in games] == [number != 5 for number in range(len(games))]
    removed = [NewAnswer(games[0], 1, ROW), NewAnswer(games[-1] + 1, 0, ROW), NewAnswer(games[1], 1, ROW)]
    assert [type(error) for _, error in run_batch(store, removed)] == [type(None), TakenError, type(None)]
    twice = [NewAnswer(games[0], 2, ROW), NewAnswer(games[0], 2, ROW), NewAnswer(games[0], 3, ROW)]
    assert [type(error) for _, error in run_batch(store, twice)] == [type(None), TakenError, type(None)]
    store.close()


@needs_postgresql
@pytest.mark.parametrize("stored", KEPT_BY)
def test_unknown_outcomes_are_reported_and_not_repeated(
    postgresql: str,
    tmp_path: Path,
    stored: Callable[[int], Callable[[Store], None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store(postgresql)
    games = [table(store, tmp_path) for _ in range(2)]
    monkeypatch.setattr("rulewright.server.storage.postgresql.UNDECIDED_SECONDS", 0.0)
    text = postgres(store)._query

    def losing(statement: str, values: tuple[Any, ...] = ()) -> Any:
        result = text(statement, values)
        if KEPT_BY[stored] in statement:
            monkeypatch.undo()
            postgres(store)._close_connection()
            monkeypatch.setattr("rulewright.server.storage.postgresql.UNDECIDED_SECONDS", 0.0)
            raise LostError("")
        return result

    monkeypatch.setattr(postgres(store), "_query", losing)
    ends = run_batch(store, [stored(game) for game in games])
    assert [type(error) for _, error in ends] == [UnknownOutcomeError] * 2
    assert [store.answers(game) for game in games] == [[ROW], [ROW]]
    store.close()


@needs_postgresql
def test_an_older_log_takes_no_answer(postgresql: str, tmp_path: Path) -> None:
    store = Store(postgresql)
    game = table(store, tmp_path)
    for number in range(3):
        store.answer(game, number, ROW)
    store.database.execute("DELETE FROM answers WHERE number > 0")
    with pytest.raises(TakenError):
        store.answer(game, 3, ROW)
    assert store.answers(game) == [ROW]
    store.close()


@needs_postgresql
def test_a_standby_is_left_for_the_primary(postgresql: str, tmp_path: Path) -> None:
    """The next connection goes to a server of the address that can be written to."""
    store = Store(postgresql)
    game = table(store, tmp_path)
    store.database.execute("SET default_transaction_read_only = on")
    with pytest.raises(StoreError, match="cannot be reached just now"):
        store.answer(game, 0, ROW)
    store.answer(game, 0, ROW)
    assert store.answers(game) == [ROW]
    store.close()


@needs_postgresql
def test_one_process_runs_the_bots_of_a_table_until_it_ends(postgresql: str) -> None:
    one, other = (Store(postgresql).database for _ in range(2))
    assert one.take_lease(7) and one.take_lease(7) and not other.take_lease(7) and other.take_lease(8)
    one.release_lease(7)
    assert other.take_lease(7) and not one.take_lease(7)
    other.close()
    assert within_a_moment(lambda: one.take_lease(7))
    one.close()


def within_a_moment(existing: Any) -> bool:
    return any(existing() for _ in range(10_000))


@needs_postgresql
def test_killed_database_loses_nothing_that_was_acknowledged(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9, of the whole server and of one connection, again and again, while answers are kept."""
    for name in ("RECONNECT_SECONDS", "UNDECIDED_SECONDS", "_AWAY_SECONDS", "_RETRY_SECONDS"):
        monkeypatch.setattr(f"rulewright.server.storage.postgresql.{name}", 0.1)
    running, store = databases.running(), Store(postgresql)
    game, stored = table(store, tmp_path), 0
    for round_ in range(3):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(kill, running, store, whole=round_ == 1)
            refused = 0
            for _ in range(60):
                rows = [LoggedAnswer(0, "x", (str(number),)) for number in range(stored, stored + 3)]
                works = [
                    lambda store, row=row, number=stored + n: store.answer(game, number, row)
                    for n, row in enumerate(rows)
                ]
                ends = run_batch(store, works)
                good = next((n for n, (_, error) in enumerate(ends) if error is not None), 3)
                assert all(error is not None for _, error in ends[good:]), "none without those before"
                stored, refused = stored + good, refused + (good < 3)
                if good < 3:
                    with suppress(StoreError):
                        stored = len(store.answers(game))
                if refused > 3:
                    break
        if round_ == 1:
            running.start_again()
    assert [row.take for row in Store(postgresql).answers(game)] == [(str(n),) for n in range(stored)]
    store.close()


def kill(running: databases.PostgresServer, store: Store, whole: bool) -> None:
    process = running.process if whole else postgres(store)._process
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
