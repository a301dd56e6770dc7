"""The log of the tables: acknowledged means kept, whatever happens to the server, the disk or the editions."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from databases import location
from game_servers import ask, begin, guessing, local_player, process, reading, server, whole
from project_folders import GAMES
from rulewright import cli
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition, restore_rules
from rulewright.server.limits import Limits
from rulewright.server.storage.commit_queue import run_batch
from rulewright.server.storage.database import FullError, StoreError, TakenError
from rulewright.server.storage.records import LoggedAnswer, TokenGrant
from rulewright.server.storage.sqlite_file import SqliteDatabase
from rulewright.server.storage.store import NewAnswer, Store
from rulewright.server.views.merge_patches import merge_own, merge_patch
from rulewright.server.web.protocol import VERSION

KILLS = int(os.environ.get("RULEWRIGHT_KILLS", "5"))
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

on_both = pytest.mark.usefixtures("database")

SEATS = [Seat("Ann", "person"), Seat("", "person")]


def sqlite_of(store: Store) -> SqliteDatabase:
    assert isinstance(store.database, SqliteDatabase)
    return store.database


def table(store: Store, path: str) -> int:
    offered = playable_edition(library.load(path))
    return store.create(offered.pinned, "hash", SEATS, {"a": "b"}, 2**53 - 1, {tokens.new(): (tokens.HOST, None)})


# ── what is kept ──


@on_both
def test_stored_tables_are_restored(tmp_path: Path) -> None:
    store = Store(location(tmp_path))
    game = table(store, guessing(tmp_path))
    rows = [LoggedAnswer(0, "x", ("a", "b")), LoggedAnswer(1, "y", ()), LoggedAnswer(0, "", None)]
    for number, row in enumerate(rows):
        store.answer(game, number, row)
    store.sit(game, 1, "Bo", "token")
    store.close()
    again = Store(location(tmp_path))
    assert (again.answers(game), again.people(game), again.count()) == (rows, {1: "Bo"}, 1)
    record = again.record(game)
    assert (record.seed, record.options, list(record.seats)) == (2**53 - 1, {"a": "b"}, SEATS)
    assert again.grant("token") == TokenGrant(game, tokens.SEAT, 1)
    assert again.grant("Token") is None
    again.close()


def test_commits_survive_a_power_cut(tmp_path: Path) -> None:
    """Every commit waits for the disk, of a new log and of one that was there."""
    for _ in range(2):
        store = Store(tmp_path / "tables.sqlite")
        questions = [store.database.execute(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous")]
        assert questions == ["wal", 2], "FULL"
        strict = [store.database.execute(f"PRAGMA {name}")[0][0] for name in ("trusted_schema", "foreign_keys")]
        assert strict == [0, 1], "a file that somebody else made runs nothing, and answers are of games that there are"
        store.close()


def test_only_who_runs_the_server_can_read_the_log(tmp_path: Path) -> None:
    """The log holds the hidden state of every table."""
    path = tmp_path / "new" / "deeper" / "tables.sqlite"
    before = os.umask(0)
    try:
        store = Store(path)
        table(store, guessing(tmp_path))
    finally:
        os.umask(before)
    files = [file for file in path.parent.iterdir() if file.is_file()]
    assert path in files and len(files) == 3, "with what SQLite keeps beside it"
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    store.close()


@on_both
def test_a_seat_gets_another_link(tmp_path: Path) -> None:
    store = Store(location(tmp_path))
    game, other = table(store, guessing(tmp_path)), table(store, guessing(tmp_path))
    for number in (game, other):
        store.sit(number, 0, "Al", f"Al {number}")
        store.sit(number, 1, "Bo", f"Bo {number}")
    assert store.replace(game, 1, "new") == [tokens.digest(f"Bo {game}")]
    assert store.grant("new") == TokenGrant(game, tokens.SEAT, 1)
    assert store.grant(f"Bo {game}") is None
    for token in (f"Al {game}", f"Al {other}", f"Bo {other}"):
        assert store.grant(token) is not None
    with pytest.raises(TakenError, match="Somebody else was faster"):
        store.replace(game, 0, "new")
    assert store.grant(f"Al {game}") is not None, "all or nothing"
    store.share(game, "watch")
    store.share(game, "watch")
    assert store.grant("watch") == TokenGrant(game, tokens.WATCH, None)
    store.close()


@on_both
def test_numbers_and_seats_are_unique(tmp_path: Path) -> None:
    """Two servers, one log."""
    one, other = (Store(location(tmp_path)) for _ in range(2))
    game = table(one, guessing(tmp_path))
    one.answer(game, 0, LoggedAnswer(0, "x", ("a",)))
    with pytest.raises(TakenError):
        other.answer(game, 0, LoggedAnswer(0, "x", ("b",)))
    assert other.answers(game) == [LoggedAnswer(0, "x", ("a",))]
    other.sit(game, 1, "Bo", "bo")
    with pytest.raises(TakenError):
        one.sit(game, 1, "Cy", "cy")
    assert one.grant("cy") is None
    one.close()
    other.close()


def adding(game: int, number: int, *take: str) -> Callable[[Store], None]:
    return lambda store: store.answer(game, number, LoggedAnswer(0, "x", take))


def test_simultaneous_answers_share_one_sync(tmp_path: Path) -> None:
    store, texts = Store(tmp_path / "tables.sqlite"), list[str]()
    games = [table(store, guessing(tmp_path)) for _ in range(3)]
    adding(games[1], 0, "first")(store)
    sqlite_of(store).connection.set_trace_callback(texts.append)
    ends = run_batch(store, [*(adding(game, 0, "second") for game in games), Store.count])
    assert [type(error) for _, error in ends] == [type(None), TakenError, type(None), type(None)]
    assert ends[3][0] == 3
    assert texts.count("COMMIT") == 1
    store.close()
    again = Store(tmp_path / "tables.sqlite")
    assert [again.answers(game)[0].take for game in games] == [("second",), ("first",), ("second",)]
    again.close()


def test_a_failing_record_does_not_block_others(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    games = [table(store, guessing(tmp_path)) for _ in range(3)]
    pages = store.database.execute("PRAGMA page_count")[0][0]
    store.database.execute(f"PRAGMA max_page_count = {pages}")
    much = tuple(map(str, range(10_000)))
    ends = run_batch(store, [adding(games[0], 0, "a"), adding(games[1], 0, *much), adding(games[2], 0, "c")])
    assert [type(error) for _, error in ends] == [type(None), FullError, type(None)]
    assert [len(store.answers(game)) for game in games] == [1, 0, 1]
    store.close()


def test_tokens_are_nowhere_in_the_files(tmp_path: Path) -> None:
    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), {"player": "friend"})
        known = [links["host"], links["seats"][0], tokens.invite(links["host"], 1), tokens.watch(links["host"])]
        content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    content += b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Guessing" in content
    assert not any(token.encode() in content for token in known)


def test_a_full_disk_is_reported_and_the_table_goes_on(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    game = table(store, guessing(tmp_path))
    pages = store.database.execute("PRAGMA page_count")[0][0]
    store.database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="disk of the server is full"):
        store.answer(game, 0, LoggedAnswer(0, "x", tuple(map(str, range(10_000)))))
    assert store.answers(game) == []
    store.database.execute("PRAGMA max_page_count = 100000")
    store.answer(game, 0, LoggedAnswer(0, "x", ("a",)))
    store.close()


@on_both
def test_an_answer_that_cannot_be_stored_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreError("full")

    with server(tmp_path, [guessing(tmp_path)]) as client:
        links = begin(client, local_player("Ann"), local_player("Bo"))
        with reading(client, links["seats"][0]) as ann:
            before = ann.question()
            with monkeypatch.context() as broken:
                broken.setattr(NewAnswer, "values", full)
                assert ann.refused(type="answer", question=0, take=["1"]) == "full"
                ann.send(type="again")
                assert ann.until("state")["asked"] == before
            assert ann.answer("1")["type"] == "kept"


@on_both
def test_computer_goes_on_when_the_disk_has_room_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[object] = []
    values = NewAnswer.values

    def full_at_first(new: NewAnswer) -> Any:
        if len(failed) < 2:
            failed.append(new)
            raise StoreError("full")
        return values(new)

    monkeypatch.setattr(NewAnswer, "values", full_at_first)
    with server(tmp_path, [guessing(tmp_path)], Limits(patience=0.01, hold=0)) as client:
        links = begin(client, local_player("Ann"), {"player": "random"})
        with reading(client, links["seats"][0]) as ann:
            ann.look(lambda state: state["ready"] == [1] and not state["trouble"])
    assert len(failed) == 2


@pytest.mark.parametrize("change", ["user_version = 99", "application_id = 7"])
def test_other_databases_are_left_alone(tmp_path: Path, change: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tables.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA {change}")
    database.close()
    before = path.read_bytes()
    assert cli.main(["serve", "--port", "0", "--data", str(tmp_path), "--lang", "en"]) == 2
    text = capsys.readouterr().err
    assert ("another version" in text or "something else" in text) and str(path) in text
    assert path.read_bytes() == before


def test_database_of_something_else_is_not_made_a_log(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (text TEXT)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="something else"):
        Store(path)
    assert path.read_bytes() == before


@on_both
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE editions SET text = text || ' '",
        "UPDATE editions SET bases = '{'",
        "UPDATE answers SET number = 1",
        "UPDATE answers SET take = '['",
        "UPDATE games SET seats = '{'",
        "DROP TABLE people",
    ],
)
def test_damaged_logs_are_reported_and_not_played(tmp_path: Path, damage: str) -> None:
    store = Store(location(tmp_path))
    offered = playable_edition(library.load(guessing(tmp_path)))
    game = store.create(offered.pinned, "hash", SEATS, {}, 1, {tokens.new(): (tokens.HOST, None)})
    store.answer(game, 0, LoggedAnswer(0, "x", ("a",)))

    def read() -> None:
        assert store.edition(offered.pinned.digest) == offered.pinned
        assert len(store.answers(game)) == 1 and store.people(game) == {} and store.record(game).seed == 1

    read()
    store.database.execute(damage)
    with pytest.raises(StoreError, match=r"is damaged|refuses this just now"):
        read()
    assert store.edition("another") is None
    store.close()


def test_errors_of_the_system_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    path = tmp_path / "file" / "tables.sqlite"
    with pytest.raises(StoreError) as refused:
        Store(path)
    text, _, reason = str(refused.value).partition(": ")
    assert text == f"Tables cannot be kept in '{path}'" and reason.removesuffix(".").strip() and "{" not in reason
    store = Store(tmp_path / "tables.sqlite")
    game = table(store, guessing(tmp_path))
    store.database.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match=r"This cannot be kept \(.*readonly.*\)\. Nothing has changed\."):
        store.answer(game, 0, LoggedAnswer(0, "x", ()))
    store.database.execute("PRAGMA query_only = OFF")
    assert store.answers(game) == []
    store.close()


def test_other_files_are_no_databases(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite").write_text("not a database, but long enough to be taken for one" * 100)
    with pytest.raises(StoreError, match="cannot be kept in"):
        Store(tmp_path / "tables.sqlite")
    with pytest.raises(StoreError):
        Store(tmp_path / "tables.sqlite" / "below a file")


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", ["wild-cards/2020", str(GAMES / "hex.yaml")])
def test_pinned_edition_is_the_same_when_its_file_has_gone(name: str) -> None:
    rules = library.load(name)
    again = restore_rules(playable_edition(rules).pinned)
    assert again.hash == rules.hash
    assert again.title == rules.title
    assert playable_edition(again).pinned.digest == playable_edition(rules).pinned.digest


@on_both
def test_table_goes_on_when_its_edition_has_changed_or_gone(tmp_path: Path) -> None:
    path = Path(guessing(tmp_path))
    with server(tmp_path, [str(path)]) as client:
        token = begin(client, local_player("Ann"), local_player("Bo"))["seats"][0]
        with reading(client, token) as ann:
            ann.answer("1")
    path.write_text(path.read_text().replace("0 to 3", "5 to 9"), encoding="utf-8")
    with server(tmp_path, [str(path)]) as client, reading(client, token) as ann:
        assert [choice["key"] for choice in ann.question()["choices"]] == ["0", "1", "2", "3"]
        assert ann.table["title"] == "Guessing"


# ── a server that is killed ──


class Player:
    """One person at a server of its own, with the last state that came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.document: dict[str, Any] = {}

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def until(self, type_: str) -> None:
        while self.hear() != type_:
            continue

    def hear(self) -> str:
        """The type of the next message."""
        message = json.loads(self.socket.recv(timeout=60))
        if message["type"] == "updates":
            for update in message["of"]:
                self.document = merge_patch(self.document, update["change"])
            self.state = whole(
                merge_own(self.document["now"], self.document.get("own", {})), self.document["table"]["pieces"]
            )
        return str(message["type"])

    def number(self) -> int:
        """Return the number of the open decision; when the game is over, one that is never reached."""
        return sys.maxsize if self.state["asked"] is None else int(self.state["asked"]["question"])


@contextmanager
def playing(address: str, token: str) -> Iterator[Player]:
    with connect(address.replace("http", "ws") + "play", max_size=None) as socket:
        player = Player(socket)
        player.send(type="hello", protocol=VERSION, tokens=[token], language="en")
        player.until("updates")
        yield player


def begin_table(address: str, edition: str) -> str:
    """The token of one who plays alone."""
    expected = playable_edition(library.load(edition)).pinned.digest
    return str(ask(address, "tables", {"edition": expected, "seats": [local_player("Ann")], "options": {}})["seats"][0])


@posix_only
def test_killed_server_loses_no_acknowledged_answer(tmp_path: Path) -> None:
    """One person plays alone, as fast as they can, game after game; the server is killed while it answers."""
    rng, edition = random.Random(5), str(GAMES / "patience.yaml")
    token, acknowledged = "", [0]  # of each game in turn, so many answers
    for _ in range(KILLS):
        with process(tmp_path, edition) as (running, address):
            token = token or begin_table(address, edition)
            with playing(address, token) as player:
                assert player.number() in (acknowledged[-1], acknowledged[-1] + 1, sys.maxsize)
                for left in range(rng.randrange(12), -1, -1):
                    if player.state["over"]:
                        token = ""
                        acknowledged.append(0)
                        break
                    question = player.state["asked"]
                    offered = [choice["key"] for choice in question["choices"] for _ in range(choice["count"])]
                    take = rng.sample(offered, rng.randint(question["least"], question["most"]))
                    player.send(type="answer", question=question["question"], take=take)
                    if not left:  # it is killed before, while or after it keeps this one
                        running.send_signal(signal.SIGKILL)
                        break
                    player.until("kept")
                    acknowledged[-1] = question["question"] + 1
                    while player.number() < acknowledged[-1]:
                        player.until("updates")
    assert any(acknowledged)
    store = Store(tmp_path / "tables.sqlite")
    for game, count in enumerate(acknowledged, 1):
        assert not count or len(store.answers(game)) in (count, count + 1)
    store.close()
    # A process that the server was just about to begin says that nothing came of it; the server itself says nothing.
    assert "rulewright" not in (tmp_path / "said.txt").read_text(encoding="utf-8")


@pytest.mark.rotating(2)
@posix_only
def test_a_used_port_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with process(tmp_path, str(GAMES / "hex.yaml")) as (_, address):
        port = address.rstrip("/").rpartition(":")[2]
        assert cli.main(["serve", "--port", port, "--data", str(tmp_path), "--lang", "en"]) == 2
    assert "Nothing can be served at 127.0.0.1" in capsys.readouterr().err
