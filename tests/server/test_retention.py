"""Storage over years: backups, expiry, and erasing people."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import databases
from game_servers import FRIEND, begin, guessing, local_player, reading, server
from rulewright import cli
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition
from rulewright.server.limits import Limits
from rulewright.server.storage import retention
from rulewright.server.storage.backup import RestoredCopy, back_up, restore
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.open_store import FILE, lock_folder
from rulewright.server.storage.records import Deadline, LoggedAnswer
from rulewright.server.storage.schema import VERSIONS, tables_of_games
from rulewright.server.storage.store import Store

both = pytest.mark.usefixtures("database")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(databases.location(tmp_path))) as store:
        yield store


def table(store: Store, folder: Path, host: str = "Ann", friend: str = "Bo") -> int:
    """A table in full use: somebody at the device where it began, a friend, a computer's player."""
    offered = playable_edition(library.load(guessing(folder)))
    seats = [Seat(host, "person"), Seat("", "person"), Seat("Bot", "random")]
    mine, other = {f"{host} 1": (tokens.SEAT, 0)}, f"{friend} 2"
    game = store.create(offered.pinned, "hash", seats, {}, 1, {tokens.new(): (tokens.HOST, None), **mine})
    store.sit(game, 1, friend, other)
    store.answer(game, 0, LoggedAnswer(0, "guess", ("1",)))
    store.put_settings(game, {"chat": "on"})
    store.put_deadline(game, Deadline(0, 0, 0))
    for seat, text in ((0, f"I am {host}"), (1, f"I am {friend}")):
        store.say(game, (seat, 0, text, ""), 50)
    return game


def rows(store: Store) -> dict[str, int]:
    names = [*tables_of_games(), "games"]
    return {name: int(store.database.execute(f"SELECT count(*) FROM {name}")[0][0]) for name in names}


# ── what expires ──


def later(monkeypatch: pytest.MonkeyPatch, store: Store, days: float) -> None:
    now = store.now()
    monkeypatch.setattr(type(store.database), "now", lambda self: now + days * retention.DAY_SECONDS)


@both
def test_unvisited_tables_are_removed_with_all_their_records(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, used, followed = (table(store, tmp_path, f"Ann {n}", f"Bo {n}") for n in range(3))
    offered = playable_edition(library.load(guessing(tmp_path)))
    store.create(offered.pinned, "hash", [Seat("Cy", "person")], {}, 1, {}, (followed, [0]))
    before = rows(store)
    assert before.pop("visits") == 0 and all(before.values()), "each table of the schema has something to lose"
    assert retention.delete_expired(store, 365) == [], "what was there before anybody counted is as if visited today"
    later(monkeypatch, store, 364)
    assert retention.delete_expired(store, 365) == []
    retention.record_visits(store, [used, 10**6])
    later(monkeypatch, store, 1)
    assert retention.delete_expired(store, 365) == [old, followed, followed + 1]
    assert retention.delete_expired(store, 365) == [] and store.count() == 1
    after = rows(store)
    assert (after.pop("rematches"), after.pop("visits")) == (0, 1)
    assert all(0 < count < before[name] for name, count in after.items())
    assert store.answers(used) and store.grant("Ann 1 1") and not store.grant("Ann 0 1")


def test_every_table_of_the_schema_is_known() -> None:
    results = set(re.findall(r"CREATE TABLE (\w+)", "".join(VERSIONS)))
    assert set(tables_of_games()) == results - {"games", "editions"}


def looked(folder: Path, statement: str, *values: int) -> list[tuple[int, ...]]:
    with closing(Store(databases.location(folder))) as store:
        return store.database.execute(statement, values)


@both
def test_visits_are_recorded_and_expired_links_open_nothing(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)], Limits(hold=0, keep=10)) as client:
        links = begin(client, local_player("Ann"), FRIEND)
        with reading(client, links["seats"][0]) as ann:
            ann.until("lobby")
    [(noted,)] = looked(tmp_path, "SELECT day FROM visits")
    looked(tmp_path, "UPDATE visits SET day = ?", noted - 11)
    with server(tmp_path, [guessing(tmp_path)], Limits(hold=0)) as client, reading(client, links["seats"][0]) as ann:
        ann.until("lobby")
    assert looked(tmp_path, "SELECT day FROM visits") == [(noted,)], "without a limit it stays, and is noted"
    looked(tmp_path, "UPDATE visits SET day = ?", noted - 11)
    with server(tmp_path, [guessing(tmp_path)], Limits(hold=0, keep=10)) as client:
        begin(client, local_player("Bo"), FRIEND)  # by now the server has looked
        with reading(client, links["seats"][0]) as ann:
            assert ann.until("refused")["text"] == "This link leads nowhere."


# ── who is forgotten ──


@both
def test_a_person_is_erased_and_the_game_stays(tmp_path: Path, store: Store) -> None:
    games = [table(store, tmp_path, "Ann", "Bo"), table(store, tmp_path, "Cy", "ann ")]
    result = retention.find_by_name(store, " ANN")
    assert [(place.game, place.seat) for place in result] == [(games[0], 0), (games[1], 1)]
    retention.erase(store, result)
    assert retention.find_by_name(store, "Ann") == [] and retention.find_by_name(store, "Bo")
    assert store.grant("Ann 1") is None and store.grant("ann  2") is None
    assert store.grant("Bo 2") is not None and store.grant("Cy 1") is not None
    assert [text for *_, text, _ in store.messages(games[0]).values()] == ["I am Bo"]
    assert store.answers(games[0]) == [LoggedAnswer(0, "guess", ("1",))]
    names = [seat.name for seat in store.record(games[0]).seats]
    assert names[0] and names[0] not in ("Ann", "Bo", "Bot") and names[1:] == ["", "Bot"]
    assert store.people(games[1])[1] not in ("", "ann", "Cy", "Bot")


@both
def test_a_person_is_found_by_the_link_of_a_seat(tmp_path: Path, store: Store) -> None:
    game = table(store, tmp_path)
    place = retention.find_by_link(store, "Bo 2")
    assert place is not None and (place.game, place.seat) == (game, 1)
    store.share(game, "watching")
    assert retention.find_by_link(store, "watching") is None and retention.find_by_link(store, "nothing") is None


@databases.needs_postgresql
@pytest.mark.parametrize("database", [databases.POSTGRESQL], indirect=True)
def test_a_person_is_erased_while_tables_are_served(tmp_path: Path, database: str) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Annabel"), local_player("Bo"))
        with reading(client, links["seats"][1]) as bo, reading(client, links["seats"][0]) as ann:
            ann.answer("1")
            bo.look(lambda state: state["asked"])
            with closing(Store(databases.location(tmp_path))) as other:
                retention.erase(other, retention.find_by_name(other, "Annabel"))
            assert "another link" in ann.until("refused")["text"]
            bo.until("table")
            while "Annabel" in json.dumps(bo.document):
                bo.next()
            assert bo.answer("1")["type"] == "kept"


def run_command(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert cli.main(["data", *words, "--lang", "en"]) == status
    output = capsys.readouterr()
    return " ".join((output.out + output.err).split())


def test_the_command_erases_the_chosen_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "kept"
    store = Store(folder / FILE)
    first, second = table(store, tmp_path, "Annabel", "Bo"), table(store, tmp_path, "Cy", "Annabel")
    store.close()
    indexes = ("--data", str(folder))
    text = run_command(capsys, "forget", "Annabel", *indexes)
    assert f"{first} " in text and f"{second} " in text and "2 tables; nothing has changed" in text
    assert "Nobody is found" in run_command(capsys, "forget", "Dora", *indexes, status=1)
    assert "Say who: write NAME or --link LINK." in run_command(capsys, "forget", *indexes, status=2)
    assert "Say who" in run_command(capsys, "forget", "Cy", "--link", "x", *indexes, status=2)
    assert "Forgotten at 1 table" in run_command(capsys, "forget", "Annabel", "--table", str(first), *indexes)
    assert "Forgotten at 1" in run_command(
        capsys, "forget", "--link", "https://games.example.org/table#Annabel 2", *indexes
    )
    assert "Nobody is found" in run_command(capsys, "forget", "Annabel", "--all", *indexes, status=1)
    assert not any(b"Annabel" in file.read_bytes() for file in folder.iterdir()), "nor in what SQLite leaves behind"
    with lock_folder(folder, "http://127.0.0.1:8421/"):
        assert "are served already, at http://127.0.0.1:8421/" in run_command(
            capsys, "forget", "Bo", "--all", *indexes, status=2
        )


# ── copies ──


def test_a_backup_is_made_while_tables_are_served_and_restored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, existing = tmp_path / "copy.sqlite", ("--data", str(tmp_path))
    with server(tmp_path, [guessing(tmp_path)]) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.answer("1")
            assert "1 table is kept in" in run_command(capsys, "backup", str(copy), *existing)
            ann.answer("2")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert "is there already; it stays" in run_command(capsys, "backup", str(copy), *existing, status=2)
    again = tmp_path / "again"
    assert "1 table is back in" in run_command(capsys, "restore", str(copy), "--data", str(again))
    assert "is there already; it stays" in run_command(capsys, "restore", str(copy), "--data", str(again), status=2)
    with server(again, [guessing(tmp_path)]) as client, reading(client, token) as ann:
        assert ann.question()["prompt"] == "What then?", "what came after the copy is gone"
    with lock_folder(again, "http://127.0.0.1:8421/"):
        assert "served already" in run_command(capsys, "restore", str(copy), "--data", str(again), status=2)
    assert not list(tmp_path.glob("*/.copy-*")) and not list(tmp_path.glob(".copy-*"))


def test_other_files_are_no_backups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, other = Store(tmp_path / "whole.sqlite"), tmp_path / "other.sqlite"
    table(store, tmp_path)
    store.close()
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE x (y)")
    (tmp_path / "text.sqlite").write_text("x" * 5000, encoding="utf-8")
    data = bytearray((tmp_path / "whole.sqlite").read_bytes())
    data[8192:12288] = bytes(4096)
    (tmp_path / "broken.sqlite").write_bytes(data)
    expected = {"other": "something else", "text": "is damaged", "broken": "is damaged", "missing": "cannot be copied"}
    for name, reason in expected.items():
        text = run_command(
            capsys, "restore", str(tmp_path / f"{name}.sqlite"), "--data", str(tmp_path / "new"), status=2
        )
        assert reason in text and "Traceback" not in text
        assert not (tmp_path / "new" / FILE).exists()
    (tmp_path / "later").mkdir()
    with closing(sqlite3.connect(tmp_path / "whole.sqlite")) as db:
        db.execute("PRAGMA user_version = 99")
    text = run_command(capsys, "restore", str(tmp_path / "whole.sqlite"), "--data", str(tmp_path / "new"), status=2)
    assert "another version" in text


def all_rows(path: Path) -> list[object]:
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return [(name, *row) for name in names for row in db.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]


@pytest.mark.rotating(6)
def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    """A backup with any changed bit, or without its end, is refused with a message or restores the same tables."""
    whole, copy, bad = (tmp_path / name for name in ("tables.sqlite", "copy.sqlite", "bad.sqlite"))
    with closing(Store(whole)) as store:
        table(store, tmp_path)
    back_up(whole, copy)
    assert restore(copy, tmp_path / "back.sqlite") == RestoredCopy(1, checked=True)
    stored = all_rows(whole)
    assert all_rows(tmp_path / "back.sqlite") == stored
    data, rng, refused = copy.read_bytes(), random.Random(5), 0
    for number in range(300):
        index = rng.randrange(len(data)) if number % 2 else data.index(b"Guessing") + number
        bad.write_bytes(data[:index] + bytes([data[index] ^ 1 << number % 8]) + data[index + 1 :])
        again = tmp_path / f"again{number}.sqlite"
        try:
            restore(bad, again)
        except StoreError as error:
            assert str(bad) in str(error) and not again.exists()
            refused += 1
        else:
            assert all_rows(again) == stored
    assert refused > 100
    for length in (0, 1, 50, 100, 512, 4096, len(data) // 2, len(data) - 4096, len(data) - 1):
        bad.write_bytes(data[:length])
        with pytest.raises(StoreError, match=r"is damaged|something else"):
            restore(bad, tmp_path / "cut.sqlite")


def test_an_old_backup_without_checksum_is_restored_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Store(tmp_path / "old.sqlite")) as store:
        table(store, tmp_path)
    text = run_command(capsys, "restore", str(tmp_path / "old.sqlite"), "--data", str(tmp_path / "back"))
    assert "1 table is back in" in text and "has no checksum" in text


@both
def test_a_damaged_edition_affects_only_its_tables(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
    with closing(Store(databases.location(tmp_path))) as store, store.writing():
        store.database.execute("UPDATE editions SET text = 'spoilt'")
    with server(tmp_path, [guessing(tmp_path)]) as client:
        with reading(client, links["seats"][0]) as ann:
            assert ann.question(), "it is offered as it was"
        later = begin(client, local_player("Cy"), local_player("Di"))
        with reading(client, later["seats"][0]) as cy:
            assert cy.question()
    with server(tmp_path, []) as client, reading(client, links["seats"][0]) as ann:
        assert ann.question(), "the new table has mended it"


@databases.needs_postgresql
def test_postgresql_has_a_tool_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert "pg_dump" in run_command(capsys, "backup", "copy", "--data", "postgresql:///x", status=2)


@databases.needs_postgresql
def test_a_missing_database_gives_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    text = run_command(capsys, "restore", "copy", "--data", "postgresql:///x?host=/nowhere", status=2)
    assert "Tables cannot be kept in" in text
    assert text.rstrip().endswith(".") and not text.rstrip().endswith("..")


@databases.needs_postgresql
def test_postgresql_is_backed_up_and_restored(tmp_path: Path) -> None:
    """The commands are those that OPERATIONS.md shows."""
    postgres, copy = databases.running(), tmp_path / "copy.dump"
    address = postgres.schema("copied")
    with closing(Store(address)) as store:
        game = table(store, tmp_path)
        before = rows(store)
    run("pg_dump", "--format=custom", f"--file={copy}", "--schema=copied", postgres.address())
    with closing(Store(address)) as store:
        store.answer(game, 1, LoggedAnswer(1, "guess", ("2",)))
        table(store, tmp_path, "Cy", "Di")
    run("pg_restore", "--clean", "--if-exists", "--single-transaction", f"--dbname={postgres.address()}", str(copy))
    with closing(Store(address)) as store:
        assert rows(store) == before and store.grant("Bo 2") is not None
        assert table(store, tmp_path, "Ed", "Flo") == game + 1, "numbers go on"


def run(program: str, *words: str) -> None:
    result = databases.programs()
    assert result is not None
    subprocess.run([str(result / program), *words], check=True, capture_output=True)
