"""Databases of tests: a SQLite file, or a PostgreSQL server of this run. `usefixtures("database")` runs a test once
with each."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest

from rulewright.base import cache

SQLITE, POSTGRESQL = "sqlite", "postgresql"
BOTH = (SQLITE, POSTGRESQL)

PATIENCE = 50
"""Number of tries to start a server again after it was killed."""

_used = [SQLITE]
"""The one that is used now."""


def programs() -> Path | None:
    """The folder of PostgreSQL's programs; Debian keeps those of a server out of the way."""
    if (result := shutil.which("initdb")) is not None:
        return Path(result).resolve().parent
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return newest[-1].parent if newest else None


MISSING = (
    "needs PostgreSQL's server"
    if programs() is None
    else "needs psycopg"
    if find_spec("psycopg") is None
    else ""
)  # fmt: skip
needs_postgresql = pytest.mark.skipif(bool(MISSING), reason=MISSING)


class PostgresServer:
    """A server on a socket in a folder of its own. settings: beside the usual ones."""

    def __init__(self, *settings: str) -> None:
        result = programs()
        assert result is not None
        self._programs = result
        self.folder = Path(tempfile.mkdtemp(prefix="rulewright-pg-"))
        self._data = self.folder / "data"
        self._user: str | None = None
        if os.geteuid() == 0:  # the server refuses to be root's
            self._user = "postgres"
            shutil.chown(self.folder, self._user, self._user)
        self._fill()
        texts = {"listen_addresses": "''", "unix_socket_directories": f"'{self.folder}'", "max_connections": "50"}
        lines = [f"{name} = {value}" for name, value in texts.items()] + list(settings)
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        self.start()

    def _fill(self) -> None:
        """Make the first database of a run; the others are copies."""
        import fcntl  # noqa: PLC0415 - not everywhere

        shared = Path(os.environ.get(cache.VARIABLE, "")).absolute()
        if not os.environ.get(cache.VARIABLE) or not shared.is_dir():
            self._make()
            return
        result = shared / "postgresql"
        with (shared / "postgresql.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not result.exists():
                self._make()
                copied = shutil.copytree(self._data, shared / "postgresql.new")
                copied.rename(result)
                return
        shutil.copytree(result, self._data)
        if self._user is not None:
            for path in (self._data, *self._data.rglob("*")):
                shutil.chown(path, self._user, self._user)

    def _make(self) -> None:
        self._run(
            "initdb", "-D", str(self._data), "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"
        )

    def _run(self, program: str, *arguments: str) -> None:
        run, silent = [str(self._programs / program), *arguments], subprocess.DEVNULL
        others: list[int] | None = None if self._user is None else []
        subprocess.run(
            run, check=True, stdout=silent, stderr=silent, cwd=self.folder,
            user=self._user, group=self._user, extra_groups=others,
        )  # fmt: skip

    def start(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", mode, "stop")

    def start_again(self) -> None:
        """Wait until the remains of a killed server are gone."""
        for _ in range(PATIENCE):
            with suppress(subprocess.CalledProcessError):
                self.start()
                return
        raise TimeoutError

    @property
    def process(self) -> int:
        """The first of its processes."""
        return int((self._data / "postmaster.pid").read_text(encoding="utf-8").split()[0])

    def end(self) -> None:
        """Stop it, if it runs, and leave nothing behind."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, schema: str = "public") -> str:
        return f"postgresql:///postgres?user=tests&host={self.folder}&options=-csearch_path%3D{quote(schema)}"

    def schema(self, name: str) -> str:
        """The address of a place of its own for tables, new or not."""
        import psycopg  # noqa: PLC0415 - it is not always there

        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")
        return self.address(name)


@functools.cache
def running() -> PostgresServer:
    """The server of this run; a power cut would harm it, and a killed process does not."""
    server = PostgresServer("fsync = off", "full_page_writes = off", "autovacuum = off")
    atexit.register(server.end)
    return server


def location(folder: Path) -> Path | str:
    """Return the location of a folder's tables."""
    if _used[-1] == SQLITE:
        return folder / "tables.sqlite"
    return running().schema(f"t{sha256(str(folder).encode()).hexdigest()[:16]}")


def use(kind: str) -> Iterator[str]:
    """Select the database in which a test's tables are stored. For a fixture."""
    if kind == POSTGRESQL and MISSING:
        pytest.skip(MISSING)
    _used.append(kind)
    yield kind
    _used.pop()
