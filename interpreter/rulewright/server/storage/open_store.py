"""Opening of the log: in a folder for one server alone, or in a PostgreSQL database for many."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from rulewright.base import files
from rulewright.i18n.localizer import phrase
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.sqlite_file import unusable_error
from rulewright.server.storage.store import Store

FILE, LOCK = "tables.sqlite", "server"
"""Names of files in the server's folder: the database, and the lock of the server that uses it."""


@contextmanager
def open_store(data: Path | str, address: str) -> Iterator[Store]:
    """Open the log, which the caller closes: of a folder, locked for this server alone while the context is open, or of
    a database, if its notifications arrive. Raises StoreError. data: the folder, or the database's address; address: of
    the server, for whoever finds the folder locked."""
    with lock_folder(data, address) if isinstance(data, Path) else nullcontext():
        store = Store(data / FILE if isinstance(data, Path) else data)
        try:
            store.check_news()
        except BaseException:
            store.close()
            raise
        yield store


@contextmanager
def lock_folder(folder: Path, address: str) -> Iterator[None]:
    """Lock a folder for this server alone; the lock's file names process and address. Raises StoreError."""
    path = folder / LOCK
    with ExitStack() as stack:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            stack.enter_context(files.lock(path))
            path.write_text(f"{os.getpid()} {address}\n", encoding="utf-8")
        except BlockingIOError:
            process, _, host = path.read_text(encoding="utf-8").strip().partition(" ")
            raise StoreError(
                phrase(
                    "errors",
                    "The tables in '{path}' are served already, at {address} (process {number}). Go there, or end that "
                    "server first, or choose another folder with {option}.",
                    path=str(folder),
                    address=host,
                    number=process,
                    option="--data",
                )
            ) from None
        except (OSError, ValueError) as error:
            raise unusable_error(path, error) from None
        yield
