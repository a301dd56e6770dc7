"""A checksum of all that a copy of the log holds: a bit that has changed in it is found out."""

from __future__ import annotations

import sqlite3
from hashlib import sha256

from rulewright.server.storage.schema import VERSIONS, created

TABLE = "checksum"
"""The table of a copy that has it; the log itself has none."""


def add(copy: sqlite3.Connection) -> None:
    """Write the checksum into a copy. Raises sqlite3.Error."""
    found = _of(copy)
    with copy:
        copy.execute(f"CREATE TABLE {TABLE} (sha256 TEXT NOT NULL) STRICT")
        copy.execute(f"INSERT INTO {TABLE} VALUES (?)", (found,))


def take_out(copy: sqlite3.Connection) -> bool:
    """Remove the checksum of a copy, if it has one. Raises sqlite3.Error."""
    there = _is_there(copy)
    if there:
        with copy:
            copy.execute(f"DROP TABLE {TABLE}")
    return there


def fits(copy: sqlite3.Connection) -> bool:
    """Whether a copy holds what it held when it was made; a copy without a checksum has only tables that are known, as
    older ones have. Raises sqlite3.Error."""
    if not _is_there(copy):
        return _tables(copy) <= set(created(" ".join(VERSIONS)))
    return [row for (row,) in copy.execute(f"SELECT sha256 FROM {TABLE}")] == [_of(copy)]


def _of(copy: sqlite3.Connection) -> str:
    digest = sha256()
    for name, sql in copy.execute(
        "SELECT name, sql FROM sqlite_schema WHERE name <> ? AND sql IS NOT NULL ORDER BY name", (TABLE,)
    ).fetchall():
        digest.update(f"{name} {sql}\n".encode())
    for name in sorted(_tables(copy) - {TABLE}):
        for row in copy.execute(f'SELECT * FROM "{name}" ORDER BY 1, 2'):
            digest.update(f"{row!r}\n".encode())
    for pragma in ("application_id", "user_version"):
        digest.update(repr(copy.execute(f"PRAGMA {pragma}").fetchone()).encode())
    return digest.hexdigest()


def _tables(copy: sqlite3.Connection) -> set[str]:
    return {name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _is_there(copy: sqlite3.Connection) -> bool:
    return TABLE in _tables(copy)
