"""Import of a backup of SQLite tables into an empty PostgreSQL database, for a club that has grown."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rulewright.i18n.localizer import phrase
from rulewright.server.storage.backup import RestoredCopy, restore
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.schema import VERSIONS, table_names
from rulewright.server.storage.store import Store


def import_copy(path: Path, store: Store) -> RestoredCopy:
    """Copy all tables of a backup, or none; the backup stays unchanged. Raises StoreError."""
    with tempfile.TemporaryDirectory() as folder:
        newest = Path(folder) / "tables.sqlite"
        copy = restore(path, newest)
        source = Store(newest)  # of this version by now
        try:
            with store.writing():
                _copy_rows(source, store)
        finally:
            source.close()
    return copy


def _copy_rows(source: Store, store: Store) -> None:
    """Copy all rows of a log into an empty database. Raises StoreError if it is not empty."""
    read, write = source.database.execute, store.database.execute
    names = table_names(" ".join(VERSIONS))  # what a row belongs to stands before it
    if any(write(f"SELECT 1 FROM {name} LIMIT 1") for name in names):
        raise StoreError(
            phrase(
                "errors", "There are tables in '{where}' already. Nothing has changed.", where=store.database.address
            )
        )
    for name in names:
        for row in read(f"SELECT * FROM {name}"):
            write(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
    write("SELECT setval(pg_get_serial_sequence('games', 'id'), max(id)) FROM games HAVING max(id) IS NOT NULL")
