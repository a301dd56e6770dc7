"""Backups of the log in one SQLite file: made while it is in use, with a checksum, verified and restored.

PostgreSQL has tools of its own for that.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from rulewright.base.files import error_reason
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server.storage import checksum
from rulewright.server.storage.database import StoreError, other_database_error, other_version_error
from rulewright.server.storage.schema import VERSION
from rulewright.server.storage.sqlite_file import APPLICATION

_DAMAGE_CODES = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CANTOPEN", "SQLITE_IOERR")
"""Beginnings of SQLite's error names where an existing file cannot be read."""


@record
class RestoredCopy:
    """Result of a copy. tables: their number; checked: whether the source had a checksum."""

    tables: int
    checked: bool


def back_up(source: Path, target: Path) -> int:
    """Copy a log, as it is at this moment, to a new private file without deleted data, and add a checksum; return the
    number of tables. Raises StoreError, also if the target exists."""
    return _copy(source, target, restoring=False).tables


def restore(source: Path, target: Path) -> RestoredCopy:
    """Copy a backup to a new private file, without its checksum, if that is right. Raises StoreError, also if the
    target exists."""
    return _copy(source, target, restoring=True)


def _copy(source: Path, target: Path, *, restoring: bool) -> RestoredCopy:
    """Copy and verify a log through a temporary file, so that the target is whole or absent. restoring: the copy gets
    no checksum. Raises StoreError."""
    try:
        if not source.is_file():
            raise FileNotFoundError(2, os.strerror(2))
        # It must not be there when SQLite writes it, and never half of it under its own name.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as folder:
            temporary = Path(folder) / "tables.sqlite"
            _vacuum(source, temporary)
            with closing(sqlite3.connect(temporary)) as copy:
                tables = _check_copy(copy, source)
                checked = checksum.remove(copy)
                if not restoring:
                    checksum.add(copy)
            temporary.chmod(0o600)
            os.link(temporary, target)  # fails where there is something, which a rename would replace
    except FileExistsError:
        raise StoreError(
            phrase("errors", "'{path}' is there already; it stays as it is. Choose another name.", path=str(target))
        ) from None
    except (OSError, ValueError, sqlite3.Error, UnicodeError) as error:
        raise StoreError(
            phrase(
                "errors",
                "'{path}' cannot be copied to '{target}': {why}.",
                path=str(source),
                target=str(target),
                why=error_reason(error),
            )
        ) from None
    return RestoredCopy(tables, checked)


def _vacuum(source: Path, target: Path) -> None:
    """Copy a database without its free pages. Raises StoreError if the source cannot be read, sqlite3.Error."""
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as log:
            log.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            log.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith(_DAMAGE_CODES):
            raise _damaged_error(source) from None
        raise


def _check_copy(copy: sqlite3.Connection, source: Path) -> int:
    """Verify a copy and return its number of tables. Raises StoreError, sqlite3.Error."""
    [application], [version] = (copy.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
    if application != APPLICATION:
        raise other_database_error(str(source))
    if version > VERSION:
        raise other_version_error(str(source), version, VERSION)
    try:
        [result] = copy.execute("PRAGMA integrity_check(1)").fetchone()
        whole = (
            result == "ok" and copy.execute("PRAGMA foreign_key_check").fetchone() is None and checksum.is_valid(copy)
        )
        tables = int(copy.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.Error:  # such as a text that is not UTF-8
        raise _damaged_error(source) from None
    if not whole:
        raise _damaged_error(source)
    return tables


def _damaged_error(source: Path) -> StoreError:
    return StoreError(phrase("errors", "'{path}' is damaged: some of what it kept is lost.", path=str(source)))
