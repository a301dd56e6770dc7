"""All that the files of a folder ever said: a history that is only added to, in one SQLite file.

A version is kept whole, compressed: designers go back by looking, and a rule file has a few kilobytes.
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

from rulewright.base.files import reason
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.syntax.source import LARGEST_FILE
from rulewright.workbench.core.workspace import BenchError

FILE = "history.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, at REAL NOT NULL, why TEXT NOT NULL, label TEXT NOT NULL,
    text BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS written (file TEXT PRIMARY KEY, digest TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS of_file ON versions (file, id);
"""
_MOST_LISTED = 1000
_MOST_COMPARED = 200
"""Versions of which it is told what has changed since the one before."""
_LONGEST_LINE = 80
_LONGEST_LABEL = 100
_TOGETHER = 2.0
"""Seconds: what is typed in one go is one version, which the next letter replaces."""

TYPED, OPENED, DISK, MERGED, RESTORED, MADE = "typed", "opened", "disk", "merged", "restored", "made"
"""Why there is a version: somebody typed, opened the file, another program wrote it, both did and it came together, an
older one was taken back, or a pane of the workbench wrote it."""


class VersionsError(BenchError):
    """The history cannot be used: there is no room, it is damaged, or may not be written."""


@record
class Version:
    """at: seconds since 1970; why: one of the reasons above; label: what somebody called it, or ''; line: the first
    line that is not as it was in the version before, '' where that is not known; gone: whether it is one of before."""

    id: int
    at: float
    why: str
    label: str
    line: str = ""
    gone: bool = False


class Versions:
    """May be asked from several threads. All that it does raises VersionsError where its file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._lock, self._folder = Lock(), folder
        self._last: dict[str, tuple[int, str, float]] = {}  # id, text, when it began, by a clock that never jumps
        with self._using():
            self._file = sqlite3.connect(folder / FILE, check_same_thread=False, isolation_level=None, timeout=10)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.executescript(_SCHEMA)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """One at a time. Raises VersionsError."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, OverflowError) as error:
                raise VersionsError(
                    phrase(
                        "errors",
                        "The history in '{path}' cannot be used: {why}.",
                        path=str(self._folder),
                        why=reason(error),
                    )
                ) from None

    def keep(self, file: str, text: str, why: str) -> None:
        """Keep a version, unless it is the last one already."""
        now, moment = time.time(), time.monotonic()
        with self._using():
            number, before, begun = self._last.get(file) or self._newest(file)
            if number and before == text:
                return
            packed = zlib.compress(text.encode())
            if why == TYPED and number and moment - begun < _TOGETHER and self._is_typed(number):
                self._file.execute("UPDATE versions SET text = ?, at = ? WHERE id = ?", (packed, now, number))
                self._last[file] = (number, text, begun)
                return
            row = self._file.execute(
                "INSERT INTO versions (file, at, why, label, text) VALUES (?, ?, ?, '', ?) RETURNING id",
                (file, now, why, packed),
            ).fetchone()
            self._last[file] = (row[0], text, moment)

    def listed(self, file: str) -> list[Version]:
        """Those of a file, the newest first."""
        with self._using():
            rows = self._file.execute(
                "SELECT id, at, why, label FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MOST_LISTED)
            ).fetchall()
            texts = self._file.execute(
                "SELECT text FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MOST_COMPARED + 1)
            ).fetchall()
        lines = [_unpacked(packed).splitlines() for (packed,) in texts]
        changes = (_first_change(before, after) for after, before in pairwise(lines))
        return [Version(*row, *(change or ())) for row, change in zip_longest(rows, changes)]

    def text(self, file: str, number: int) -> str | None:
        """What a version says; None where there is none."""
        with self._using():
            row = self._file.execute("SELECT text FROM versions WHERE file = ? AND id = ?", (file, number)).fetchone()
        return None if row is None else _unpacked(row[0])

    def newest(self, file: str) -> str | None:
        """What a file said last; None where nothing is known of it."""
        with self._using():
            number, text, _ = self._last.get(file) or self._newest(file)
        return text if number else None

    def wrote(self, file: str, text: str) -> None:
        """Note that this is what stands in the file, as far as the workbench knows."""
        with self._using():
            self._file.execute("INSERT OR REPLACE INTO written VALUES (?, ?)", (file, _digest(text)))

    def unwritten(self, file: str, there: str) -> str | None:
        """What was typed and never came to the file, since the workbench ended too soon; None where all did, or nothing
        is known. there: what stands in the file."""
        with self._using():
            number, text, _ = self._last.get(file) or self._newest(file)
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
        return None if not number or row is None or text == there or row[0] == _digest(text) else text

    def is_as_written(self, file: str, there: str) -> bool:
        """Whether a file still is as the workbench knows it."""
        with self._using():
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
        return row is not None and bool(row[0] == _digest(there))

    def as_written(self, file: str) -> str | None:
        """What stands in the file, as far as the workbench knows; None where that is not kept."""
        with self._using():
            row = self._file.execute("SELECT digest FROM written WHERE file = ?", (file,)).fetchone()
            kept = self._file.execute(
                "SELECT text FROM versions WHERE file = ? ORDER BY id DESC LIMIT ?", (file, _MOST_LISTED)
            )
            texts = (_unpacked(packed) for (packed,) in kept)
            return next((text for text in texts if row is not None and _digest(text) == row[0]), None)

    def name(self, file: str, number: int, label: str) -> None:
        """Call a version something; '' for nothing."""
        with self._using():
            self._file.execute(
                "UPDATE versions SET label = ? WHERE file = ? AND id = ?", (label[:_LONGEST_LABEL], file, number)
            )
            self._last.pop(file, None)  # what has a name stays as it is

    def close(self) -> None:
        with self._using():
            self._file.close()

    def _newest(self, file: str) -> tuple[int, str, float]:
        row = self._file.execute(
            "SELECT id, text FROM versions WHERE file = ? ORDER BY id DESC LIMIT 1", (file,)
        ).fetchone()
        return (0, "", -math.inf) if row is None else (row[0], _unpacked(row[1]), -math.inf)

    def _is_typed(self, number: int) -> bool:
        row = self._file.execute("SELECT why, label FROM versions WHERE id = ?", (number,)).fetchone()
        return tuple(row or ()) == (TYPED, "")


def _first_change(before: Sequence[str], after: Sequence[str]) -> tuple[str, bool]:
    """The first line that has come or changed, else the first that has gone, and whether it has."""
    start = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    first = min(len(before), len(after)) if start is None else start
    fewer = len(after) < len(before) and after[first : first + 1] == before[first + len(before) - len(after) :][:1]
    lines = before if fewer or first >= len(after) else after
    told = next((line.strip() for line in lines[first:] if line.strip()), "")
    return told[:_LONGEST_LINE], lines is before


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _unpacked(packed: bytes) -> str:
    """What was kept; somebody else may have written the file, so no more than a rule file may have."""
    unpacking = zlib.decompressobj()
    try:
        return unpacking.decompress(packed, LARGEST_FILE).decode()
    except (zlib.error, UnicodeDecodeError):
        return ""
