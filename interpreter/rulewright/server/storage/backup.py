"""Copies of the log in one SQLite file: made while it is in use, looked through, and brought back.

PostgreSQL has tools of its own for that.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from rulewright.base.files import reason
from rulewright.i18n.speech import phrase
from rulewright.server.storage.database import StoreError, other_database, other_version
from rulewright.server.storage.schema import VERSION
from rulewright.server.storage.sqlite_file import APPLICATION


def copied(source: Path, target: Path) -> int:
    """Copy a log as it is at this moment, to a file that is not there yet, for nobody else to read; how many tables it
    has. Nothing that was deleted is in the copy. Raises StoreError."""
    try:
        if not source.is_file():
            raise FileNotFoundError(2, os.strerror(2))
        # It must not be there when SQLite writes it, and never half of it under its own name.
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".copy-") as folder:
            made = Path(folder) / "tables.sqlite"
            with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as log:
                log.execute("VACUUM INTO ?", (str(made),))
            tables = _looked_through(made, source)
            made.chmod(0o600)
            os.link(made, target)  # fails where there is something, which a rename would replace
    except FileExistsError:
        raise StoreError(
            phrase("errors", "'{path}' is there already; it stays as it is. Choose another name.", path=str(target))
        ) from None
    except (OSError, ValueError, sqlite3.Error) as error:
        raise StoreError(
            phrase(
                "errors",
                "'{path}' cannot be copied to '{target}': {why}.",
                path=str(source),
                target=str(target),
                why=reason(error),
            )
        ) from None
    return tables


def _looked_through(path: Path, source: Path) -> int:
    """The number of tables in a copy that is whole. Raises StoreError, sqlite3.Error."""
    with closing(sqlite3.connect(path)) as copy:
        [application], [version] = (copy.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
        if application != APPLICATION:
            raise other_database(str(source))
        if version > VERSION:
            raise other_version(str(source), version, VERSION)
        [found] = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok" or copy.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(phrase("errors", "'{path}' is damaged: some of what it kept is lost.", path=str(source)))
        return int(copy.execute("SELECT count(*) FROM games").fetchone()[0])
