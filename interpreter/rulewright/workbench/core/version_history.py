"""History of all files of a folder, append-only, in one SQLite file.

Versions are stored whole, compressed: designers go back by looking, and a rule file has a few kilobytes.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise, zip_longest
from pathlib import Path
from threading import Lock

from rulewright.base.files import error_reason
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.syntax.source import MAX_FILE_SIZE
from rulewright.workbench.core.workspace import BenchError

FILE = "history.sqlite"
"""File of the history in its folder."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, at REAL NOT NULL, why TEXT NOT NULL, label TEXT NOT NULL,
    text BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS written (file TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS of_file ON versions (file, id);
"""
"""Tables: versions (`at` in seconds since 1970, `text` compressed), and digests of the files as last written."""
_MAX_LISTED = 1000
"""Maximum number of versions listed, or searched for a text, newest first."""
_MAX_COMPARED = 200
"""Maximum number of versions whose change against the one before is shown."""
_MAX_LINE_LENGTH = 80
"""Characters of a line that a list of versions shows."""
_MAX_LABEL_LENGTH = 100
"""Characters of a version's label that are kept."""
_REPLACE_WITHIN = 2.0
"""Seconds within which further typing replaces the last version."""

TYPED, OPENED, DISK, MERGED, RESTORED, PANE = "typed", "opened", "disk", "merged", "restored", "made"
"""Reasons for a version: typed here; read when opened; written by another program; merged from both; restored from an
older version; written by a pane of the workbench."""


class VersionsError(BenchError):
    """Unusable history: no room, damaged, or not writable."""


@record
class Version:
    """Version of a file.

    - time: seconds since 1970
    - reason: one of those above
    - label: a name given by the user, or ''
    - line: the first changed line, '' if unknown
    - is_removed: whether that line was removed
    """

    id: int
    time: float
    reason: str
    label: str
    line: str = ""
    is_removed: bool = False


class Versions:
    """Store of versions, safe to use from several threads. All methods raise VersionsError if its file cannot be
    used."""

    def __init__(self, folder: Path) -> None:
        self._lock, self._folder = Lock(), folder
        self._last: dict[str, tuple[int, str, float]] = {}  # id, text, start by a monotonic clock
        with self._using():
            self._file = sqlite3.connect(folder / FILE, check_same_thread=False, isolation_level=None, timeout=10)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.executescript(_SCHEMA)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Lock the file, and raise its errors as our own. Raises VersionsError."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OverflowError) as error:
                raise VersionsError(
                    phrase(
                        "errors",
                        "The history in '{path}' cannot be used: {why}.",
                        path=str(self._folder),
                        why=error_reason(error),
                    )
                ) from None

    def store(self, file: str, text: str, reason: str) -> None:
        """Store a version, unless it equals the newest one. What is typed soon after typing replaces that one, if it
        has no label. reason: one of those above."""
        now, moment = time.time(), time.monotonic()
        with self._using():
            number, before, start = self._last.get(file) or self._newest(file)
            if number and before == text:
                return
            packed = zlib.compress(text.encode())
            if reason == TYPED and number and moment - start < _REPLACE_WITHIN and self._is_typed(number):
                self._file.execute("UPDATE versions SET text = ?, at = ? WHERE id = ?", (packed, now, number))
                self._last[file] = (number, text, start)
                return
            row = self._file.execute(
                "INSERT INTO versions (file, at, why, label, text) VALUES (?, ?, ?, '', ?) RETURNING id",
                (file, now, reason, packed),
            ).fetchone()
            self._last[file] = (row[0], text, moment)

    def list_versions(self, file: str) -> list[Version]:
        """List the newest versions of a file, newest first; of older ones among them the changed line is not known."""
        with self._using():
            rows = self._file.execute(
                "SELECT id, at, why, label FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MAX_LISTED)
            ).fetchall()
            texts = self._file.execute(
                "SELECT text FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MAX_COMPARED + 1)
            ).fetchall()
        lines = [_decompress(packed).splitlines() for (packed,) in texts]
        changes = (_first_change(before, after) for after, before in pairwise(lines))
        return [Version(*row, *(change or ())) for row, change in zip_longest(rows, changes)]

    def text(self, file: str, number: int) -> str | None:
        """Return the text of a version, given by its id; None if the file has none such."""
        with self._using():
            row = self._file.execute("SELECT text FROM versions WHERE file = ? AND id = ?", (file, number)).fetchone()
        return None if row is None else _decompress(row[0])

    def note_written(self, file: str, text: str) -> None:
        """Note the text that the workbench has written to the file."""
        with self._using():
            self._file.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", (file, _digest(text)))

    def unwritten(self, file: str, disk_text: str) -> str | None:
        """Return text that was typed and never written because the workbench ended too soon; None if there is none.
        disk_text: content of the file."""
        with self._using():
            number, text, _ = self._last.get(file) or self._newest(file)
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
        return None if not number or row is None or text == disk_text or row[0] == _digest(text) else text

    def is_as_written(self, file: str, disk_text: str) -> bool:
        """Return whether a file still has the text that the workbench has written last."""
        with self._using():
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
        return row is not None and bool(row[0] == _digest(disk_text))

    def as_written(self, file: str) -> str | None:
        """Return the text that the workbench has written last to a file; None if no version has it."""
        with self._using():
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
            stored = self._file.execute(
                "SELECT text FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MAX_LISTED)
            )
            texts = (_decompress(packed) for (packed,) in stored)
            return next((text for text in texts if row is not None and _digest(text) == row[0]), None)

    def set_label(self, file: str, number: int, label: str) -> None:
        """Label a version, given by its id; '' removes the label, and a long one is cut. Nothing happens if there is no
        such version."""
        with self._using():
            self._file.execute(
                "UPDATE versions SET label = ? WHERE file = ? AND id = ?", (label[:_MAX_LABEL_LENGTH], file, number)
            )
            self._last.pop(file, None)  # a labelled version is not replaced

    def close(self) -> None:
        """Close the file."""
        with self._using():
            self._file.close()

    def _newest(self, file: str) -> tuple[int, str, float]:
        """Return number and text of a file's newest version, and a time long ago; 0 and '' without one."""
        row = self._file.execute(
            "SELECT id, text FROM versions WHERE file = ? ORDER BY id DESC LIMIT 1", (file,)
        ).fetchone()
        return (0, "", -math.inf) if row is None else (row[0], _decompress(row[1]), -math.inf)

    def _is_typed(self, number: int) -> bool:
        """Return whether a version was typed and has no label."""
        row = self._file.execute("SELECT why, label FROM versions WHERE id = ?", (number,)).fetchone()
        return tuple(row or ()) == (TYPED, "")


def _first_change(before: Sequence[str], after: Sequence[str]) -> tuple[str, bool]:
    """Return the first added or changed line, else the first removed one, and whether it was removed."""
    start = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    first = min(len(before), len(after)) if start is None else start
    fewer = len(after) < len(before) and after[first : first + 1] == before[first + len(before) - len(after) :][:1]
    lines = before if fewer or first >= len(after) else after
    first_text = next((line.strip() for line in lines[first:] if line.strip()), "")
    return first_text[:_MAX_LINE_LENGTH], lines is before


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _decompress(packed: bytes) -> str:
    """Decompress a text, up to the size of a rule file: another program may have written the database. '' for damaged
    data."""
    unpacking = zlib.decompressobj()
    try:
        return unpacking.decompress(packed, MAX_FILE_SIZE).decode()
    except (zlib.error, UnicodeDecodeError):
        return ""
