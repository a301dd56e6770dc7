"""Parquet files of a chunk, with checksums of their pages and one over all other bytes."""

from __future__ import annotations

import io
import json
import os
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.simulation.plan import Chunk

GAMES, SEATS, CHOICES = "games", "seats", "choices"
"""Tables of a chunk: a row for each game, for each seat of a game, and for each choice offered."""
MARK = b"rulewright"
"""Key of a file's description of itself."""

_OWN = {GAMES: "winners", SEATS: "place", CHOICES: "offered"}
"""Column of each table that no other one has."""

_SUM = "crc32"
"""Key of the checksum in that description."""
_MARKED = Chunk(0, 0, 0).mark("").keys()
"""Other keys of a file's description of itself."""
_SUM_PATTERN = re.compile(rb'"crc32": "([0-9a-f]{8})"')
"""Checksum over all other bytes, in a file's metadata."""
_NONE_YET = "00000000"
"""Placeholder for the checksum while it is computed."""
_ENDING = 8
"""Bytes after the footer: its length, and b"PAR1"."""
_MAX_FOOTER_SIZE = 16_000_000
"""Greatest footer in bytes."""
_AT_ONCE = 1_000_000
"""Bytes that are read at once."""


class DamagedError(RulewrightError):
    """Error: a chunk's file is not what was written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            phrase(
                "errors",
                "'{path}' is damaged ({why}). Delete it and run '{command}' again to make a new one.",
                path=str(path),
                why=reason,
                command="rulewright simulate",
            )
        )


def to_bytes(table: pa.Table, mark: Mapping[str, Any]) -> bytes:
    """Return a table as the content of a file. mark: the description of the games in it."""
    description = json.dumps({**mark, _SUM: _NONE_YET}).encode()
    target = io.BytesIO()
    marked = table.replace_schema_metadata({MARK: description})
    pq.write_table(marked, target, compression="zstd", write_page_checksum=True)
    content = bytearray(target.getvalue())
    start = content.rindex(description) + description.index(_NONE_YET.encode())
    content[start : start + len(_NONE_YET)] = f"{zlib.crc32(content):08x}".encode()
    return bytes(content)


def open_checked(path: Path, footer: pq.FileMetaData | None = None) -> pq.ParquetFile:
    """Open a file to read columns from, whose pages are checked as they are read. Raises DamagedError."""
    try:
        if not path.is_file():
            raise DamagedError(path, "it is not a file")
        return pq.ParquetFile(path, metadata=footer, page_checksum_verification=True, pre_buffer=False)
    except (OSError, pa.ArrowException, ValueError) as error:
        raise DamagedError(path, str(error).partition("\n")[0]) from None


def read_description(path: Path, table: str) -> dict[str, Any]:
    """Return the description in the file of a table. Raises DamagedError for any wrong bit, and for another table."""
    with open_checked(path) as file:
        names, metadata = file.schema_arrow.names, file.metadata.metadata or {}
    tables = [kind for kind, column in _OWN.items() if column in names]
    if tables != [table]:
        raise DamagedError(path, f"it holds {tables[0] if tables else 'something else'}, not {table}")
    try:
        description = json.loads(metadata.get(MARK, b"null"))
        if not isinstance(description, dict):
            raise DamagedError(path, "it does not say which games it holds")
        # Files of former versions have no such sum; a name that has changed takes it away, too.
        checksum = description.pop(_SUM, None)
        if description.keys() - _MARKED or (checksum is not None and checksum != _sum(path)):
            raise DamagedError(path, "its checksum is wrong")
    except (OSError, ValueError, RecursionError) as error:
        raise DamagedError(path, str(error).partition("\n")[0]) from None
    return description


def _sum(path: Path) -> str | None:
    """Return the checksum over a file as it was before the checksum was written into it; None if it has none."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _ENDING))
        footer = int.from_bytes(file.read(4), "little") + _ENDING
        if not 0 < footer <= min(size, _MAX_FOOTER_SIZE):
            return None
        file.seek(0)
        body_sum = _sum_of(file, size - footer)
        end = bytearray(file.read(footer))
    if (matches := list(_SUM_PATTERN.finditer(end))) == []:
        return None
    end[matches[-1].start(1) : matches[-1].end(1)] = _NONE_YET.encode()
    return f"{zlib.crc32(end, body_sum):08x}"


def _sum_of(file: BinaryIO, length: int) -> int:
    """Return the checksum of the next bytes of a file."""
    checksum = 0
    while length and (part := file.read(min(length, _AT_ONCE))):
        checksum = zlib.crc32(part, checksum)
        length -= len(part)
    return checksum
