"""Copies of the log in one SQLite file: made while it is in use, with a checksum, looked through, and brought back.

PostgreSQL has tools of its own for that.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from rulewright.base.files import reason
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server.storage import checksum
from rulewright.server.storage.database import StoreError, other_database, other_version
from rulewright.server.storage.schema import VERSION
from rulewright.server.storage.sqlite_file import APPLICATION

_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CANTOPEN", "SQLITE_IOERR")
"""How the names of SQLite's errors begin where a file that is there cannot be read."""


@record
class RestoredCopy:
    """tables: how many there are; checked: whether the copy that was read had a checksum."""

    tables: int
    checked: bool


def backed_up(source: Path, target: Path) -> int:
    """Copy a log as it is at this moment, to a file that is not there yet, for nobody else to read; how many tables it
    has. Nothing that was deleted is in the copy. Raises StoreError."""
    return _copied(source, target, restoring=False).tables


def restored(source: Path, target: Path) -> RestoredCopy:
    """Bring a copy back to a file that is not there yet, if it holds what it held when it was made. Raises
    StoreError."""
    return _copied(source, target, restoring=True)


def _copied(source: Path, target: Path, *, restoring: bool) -> RestoredCopy:
    try:
        if not source.is_file():
            raise FileNotFoundError(2, os.strerror(2))
        # It must not be there when SQLite writes it, and never half of it under its own name.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as folder:
            made = Path(folder) / "tables.sqlite"
            _vacuum(source, made)
            with closing(sqlite3.connect(made)) as copy:
                tables = _looked_through(copy, source)
                checked = checksum.take_out(copy)
                if not restoring:
                    checksum.add(copy)
            made.chmod(0o600)
            os.link(made, target)  # fails where there is something, which a rename would replace
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
                why=reason(error),
            )
        ) from None
    return RestoredCopy(tables, checked)


def _vacuum(source: Path, made: Path) -> None:
    """Raises StoreError for a source that cannot be read, sqlite3.Error."""
    try:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as log:
            log.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            log.execute("VACUUM INTO ?", (str(made),))
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith(_DAMAGED):
            raise _damaged(source) from None
        raise


def _looked_through(copy: sqlite3.Connection, source: Path) -> int:
    """The number of tables in a copy that is whole. Raises StoreError, sqlite3.Error."""
    [application], [version] = (copy.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
    if application != APPLICATION:
        raise other_database(str(source))
    if version > VERSION:
        raise other_version(str(source), version, VERSION)
    try:
        [found] = copy.execute("PRAGMA integrity_check(1)").fetchone()
        whole = found == "ok" and copy.execute("PRAGMA foreign_key_check").fetchone() is None and checksum.fits(copy)
        tables = int(copy.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.Error:  # such as a text that is none
        raise _damaged(source) from None
    if not whole:
        raise _damaged(source)
    return tables


def _damaged(source: Path) -> StoreError:
    return StoreError(phrase("errors", "'{path}' is damaged: some of what it kept is lost.", path=str(source)))
