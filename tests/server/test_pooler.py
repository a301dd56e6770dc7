"""PgBouncer between a server and PostgreSQL: one that shares connections is found out before anybody plays."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

import databases
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.open_store import open_store

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
PATIENCE = 60.0

pytestmark = [
    databases.needs_postgresql,
    pytest.mark.skipif(PGBOUNCER is None, reason="needs PgBouncer"),
]


@contextmanager
def pooled(mode: str, schema: str) -> Iterator[str]:
    """The address of a pooler before the tests' database."""
    real = databases.running()
    real.schema(schema)
    folder = Path(tempfile.mkdtemp(prefix="rulewright-pool-"))
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to be root's
    settings = folder / "pool.ini"
    settings.write_text(
        f"[databases]\n"
        f"rw = host={real.folder} dbname=postgres user=tests connect_query='SET search_path = {schema}'\n"
        f"[pgbouncer]\nlisten_addr =\nunix_socket_dir = {folder}\nauth_type = any\npool_mode = {mode}\n"
        f"logfile = {folder}/log\npidfile = {folder}/pid\n",
        encoding="utf-8",
    )
    if user is not None:
        for path in (folder, settings):
            shutil.chown(path, user, user)
    assert PGBOUNCER is not None
    process = subprocess.Popen(
        [PGBOUNCER, "-q", str(settings)], stderr=subprocess.DEVNULL, user=user, group=user, cwd=folder
    )
    try:
        wait_for(folder / ".s.PGSQL.6432")
        yield f"postgresql:///rw?user=tests&host={folder}&port=6432"
    finally:
        process.terminate()
        process.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(path: Path) -> None:
    """Wait until a process listens at a socket. Raises TimeoutError."""
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as existing:
            existing.connect(str(path))
            return
    raise TimeoutError


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("transaction", "A pooler between them must give each client a connection of its own"),
        ("statement", "transaction blocks not allowed in statement pooling mode"),
    ],
)
def test_a_pooler_that_shares_connections_is_refused(mode: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.server.storage.postgresql_listener.SELF_TEST_SECONDS", 0.5)
    with (
        pooled(mode, f"pooled_by_{mode}") as address,
        pytest.raises(StoreError, match=f"Tables cannot be kept in .*{reason}"),
        open_store(address, "here"),
    ):
        pass


def test_a_pooler_with_a_connection_per_client_works() -> None:
    with pooled("session", "pooled_by_session") as address, open_store(address, "here") as store:
        assert store.count() == 0
        store.close()
