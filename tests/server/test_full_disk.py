"""A disk without room: it is told, nothing is half done, and all goes on when there is room again."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.testclient import TestClient

from game_servers import HOSTS, begin, guessing, local_player, reading
from rulewright.server import health_checks
from rulewright.server.application import AppSettings, application
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.limits import Limits
from rulewright.server.storage import sqlite_file
from rulewright.server.storage.sqlite_file import unusable_error
from rulewright.server.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "tables.sqlite")


@pytest.fixture
def client(tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(health_checks, "_CACHE_SECONDS", 0.0)
    with TestClient(
        application(store, EditionRegistry([guessing(tmp_path)]), AppSettings(Limits(begun=1000), HOSTS))
    ) as client:
        yield client


def room(store: Store, pages: int) -> None:
    """Let the database grow by a number of pages."""
    [(existing,)] = store.database.execute("PRAGMA page_count")
    store.database.execute(f"PRAGMA max_page_count = {existing + pages}")


def fill(client: TestClient, store: Store) -> dict[str, object]:
    """Begin tables until there is no room for another one; what was answered then."""
    room(store, 2)
    edition = client.get("/editions").json()["editions"][0]["edition"]
    expected = {"edition": edition, "seats": [local_player("Ann" * 12), local_player("Bo" * 12)], "options": {}}
    while (answer := client.post("/tables", json=expected)).status_code == 201:
        continue
    return {"status": answer.status_code, **answer.json()}


def test_unsaved_changes_are_refused_whole(client: TestClient, store: Store) -> None:
    links = begin(client, local_player("Ann"), local_player("Bo"))
    assert client.get("/ready").json() == {"ready": True}
    text = fill(client, store)
    assert text == {"status": 507, "text": "This cannot be kept: the disk of the server is full. Nothing has changed."}
    count = store.count()
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()) == (503, {"ready": False, "why": "disk"})
    assert client.get("/health").status_code == 200
    assert store.count() == count and not store.database.execute("SELECT 1 FROM editions WHERE name = ''")
    assert not store.database.execute("SELECT 1 FROM tokens WHERE game NOT IN (SELECT id FROM games)")
    room(store, 1000)
    assert client.get("/ready").json() == {"ready": True}
    begin(client, local_player("Ann"), local_player("Bo"))
    with reading(client, links["seats"][0]) as ann:
        assert ann.answer("1")["type"] == "kept"


def disk(monkeypatch: pytest.MonkeyPatch, free: int, total: int = 1 << 40) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free, total=total))


def test_a_server_with_little_room_takes_no_players(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before anything has failed: files that grow have some room of their own."""
    disk(monkeypatch, sqlite_file.MIN_FREE_BYTES - 1)
    assert client.get("/ready").json() == {"ready": False, "why": "disk"}
    disk(monkeypatch, sqlite_file.MIN_FREE_BYTES)
    assert client.get("/ready").json() == {"ready": True}
    disk(monkeypatch, 0, total=0)
    assert client.get("/ready").json() == {"ready": True}, "this system does not say"


def sqlite_error(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("error", "free", "reason"),
    [
        pytest.param(sqlite_error("SQLITE_FULL"), 1 << 30, "the disk is full", id="full"),
        pytest.param(sqlite_error("SQLITE_IOERR_SHMSIZE"), 0, "the disk is full", id="no room beside it"),
        pytest.param(sqlite_error("SQLITE_IOERR_READ"), 1 << 30, "disk I/O error", id="another error"),
        pytest.param(OSError(errno.ENOSPC, "No space left on device"), 0, "the disk is full", id="no file"),
        pytest.param(OSError(errno.EACCES, "Permission denied"), 0, "Permission denied", id="not allowed"),
    ],
)
def test_messages_where_no_table_can_be_made(
    error: Exception, free: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk(monkeypatch, free)
    assert str(unusable_error(Path("tables.sqlite"), error)) == f"Tables cannot be kept in 'tables.sqlite': {reason}."
