"""Checksum over all content of a backup, which reveals any changed bit."""

from __future__ import annotations

import sqlite3
from hashlib import sha256

from rulewright.server.storage.schema import VERSIONS, table_names

TABLE = "checksum"
"""Table of a backup that holds the checksum; the log itself has none."""


def add(copy: sqlite3.Connection) -> None:
    """Write the checksum into a copy. Raises sqlite3.Error."""
    value = _digest_content(copy)
    with copy:
        copy.execute(f"CREATE TABLE {TABLE} (sha256 TEXT NOT NULL) STRICT")
        copy.execute(f"INSERT INTO {TABLE} VALUES (?)", (value,))


def remove(copy: sqlite3.Connection) -> bool:
    """Remove a copy's checksum; return whether it had one. Raises sqlite3.Error."""
    present = _has_checksum(copy)
    if present:
        with copy:
            copy.execute(f"DROP TABLE {TABLE}")
    return present


def is_valid(copy: sqlite3.Connection) -> bool:
    """Return whether a copy is unchanged; one without a checksum, as older ones are, must have known tables only.
    Raises sqlite3.Error."""
    if not _has_checksum(copy):
        return _tables(copy) <= set(table_names(" ".join(VERSIONS)))
    return [row for (row,) in copy.execute(f"SELECT sha256 FROM {TABLE}")] == [_digest_content(copy)]


def _digest_content(copy: sqlite3.Connection) -> str:
    """Return the digest of all tables, their rows and the versions."""
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
    """Return the names of a database's tables."""
    return {name for (name,) in copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def _has_checksum(copy: sqlite3.Connection) -> bool:
    return TABLE in _tables(copy)
