"""Results of the games of one setting; spec/SIMULATION.md describes the files.

No column is read before the number of its rows is known to be what the plan allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.simulation.chunk_tables import LIMITED, STOP_REASON
from rulewright.simulation.parquet_files import DamagedError, open_checked
from rulewright.simulation.plan import Plan
from rulewright.simulation.sample import Gathering, Sums

COUNTS = tuple(
    f"{what}{when}" for what in ("", "games_", "won_", "points_", "squares_") for when in ("offered", "chosen")
)
"""Numbers of a row of choices, in the order of `ChoiceRow.counts`."""

_ROW_KEYS = frozenset({"setting", "game", "seat", "player", "role", "seed"})
"""Columns that identify a row."""

_MAX_CHOICES = 1_000_000
"""Most rows of a chunk's table of choices."""

Numbers = NDArray[np.float64]


class ResultsError(RulewrightError):
    """Error: a folder holds no results, or files that are not of its run."""


@record
class ChoiceRow:
    """Counts of one answer of a decision by one kind of player, in one setting.

    counts: shape (chunks, len(COUNTS)), seats added up.
    """

    player: str
    step: str
    decision: str
    choice: str
    counts: Numbers

    def per_chunk(self, name: str) -> Numbers:
        """Return one of COUNTS, shape (chunks,)."""
        column: Numbers = self.counts[:, COUNTS.index(name)]
        return column

    def total(self, name: str) -> float:
        """Return one of COUNTS, summed over all chunks."""
        return float(self.per_chunk(name).sum())


@record
class StoppedGame:
    """Game that could not be played to its end. reason: the error that stopped it."""

    seed: int
    rounds: int
    decisions: int
    reason: str


@record
class ChunkFile:
    """Games of one chunk. first: number of the first game; file: name in the folder of each table."""

    first: int
    file: str
    games: int


class SettingResults:
    """Finished games of one setting of a run. Those without a result are only counted. ended: which games of a chunk
    have a result, by the chunk's file, as far as somebody has looked; None for all. Whatever reads a
    file raises DamagedError."""

    def __init__(self, folder: Path, plan: Plan, number: int, chunks: Sequence[ChunkFile]) -> None:
        self.folder, self.plan, self.number, self._chunks = folder, plan, number, chunks
        self._gathered: dict[str, Gathering | Sums] = {}
        # Of the games in a file, which have a result; None where all have.
        self.ended: dict[str, NDArray[np.bool_] | None] = {}
        self._footers: dict[str, tuple[Path, pq.FileMetaData]] = {}  # of the file of each table that was opened last

    @cached_property
    def games(self) -> Sequence[int]:
        """Numbers of the games with a result, ascending."""
        first, last = self._chunks[0].first, self._chunks[-1].first + self._chunks[-1].games
        if last - first == self.played and not self._games_without_result:
            return range(first, last)
        every = np.concatenate([np.arange(chunk.first, chunk.first + chunk.games) for chunk in self._chunks])
        numbers: list[int] = every[~np.isin(every, self._games_without_result)].tolist()
        return numbers

    @property
    def played(self) -> int:
        """Number of games, with or without a result."""
        return sum(chunk.games for chunk in self._chunks)

    @cached_property
    def _games_without_result(self) -> list[int]:
        """Numbers of the games without a result."""
        unfinished = ((part.first, ended) for part in self.parts() if (ended := part.ended) is not None)
        return [first + int(place) for first, ended in unfinished for place in np.flatnonzero(~ended)]

    def parts(self, whole: bool = False) -> Iterator[ResultsPart]:
        """Yield the games, some at a time; a part's columns are read when they are asked for. whole: whether most
        columns will be needed, so that all are read at once."""
        return (ResultsPart(self, chunk, whole) for chunk in self._chunks)

    def samples_of(self, key: str, every: Callable[[], Mapping[str, GameReader]]) -> Gathering | Sums:
        """Return the samples of one reader over all games, by its key. every: returns all readers by key, which run
        when the first is needed, so they must be the same at each call. Raises DamagedError."""
        if key not in self._gathered:
            self._gathered = self.gather(every())
        return self._gathered[key]

    def gather(self, readers: Mapping[str, GameReader]) -> dict[str, Gathering | Sums]:
        """Run readers over all games, and return their samples, which have grown. Raises DamagedError."""
        for part in self.parts(whole=True):
            for read, into in readers.values():
                into.add(read(part))
        return {name: into for name, (_, into) in readers.items()}

    def preload(self, gathered: Mapping[str, Gathering | Sums]) -> None:
        """Take over what was gathered of these games before; it is not checked."""
        self._gathered = dict(gathered)

    @cached_property
    def stopped(self) -> Sequence[StoppedGame]:
        """Games that could not be played to their ends. Raises DamagedError."""
        games: list[StoppedGame] = []
        for chunk in self._chunks:
            if STOP_REASON in self._names("games", chunk):  # in older folders no game stops
                table = self._read("games", chunk, ["seed", "rounds", "decisions", STOP_REASON])
                rows = table.column(STOP_REASON)
                if not pa.types.is_string(rows.type):
                    raise DamagedError(self._path("games", chunk), "a column holds something else")
                if rows.null_count < len(rows):
                    games += [StoppedGame(*row.values()) for row in table.to_pylist() if row[STOP_REASON] is not None]
        return games

    @property
    def limited(self) -> int:
        """Number of games that came to their limit, with or without a result. Raises DamagedError."""
        return self._limited[0]

    @property
    def first_limited(self) -> int | None:
        """Seed of the first game that came to its limit; None if none did."""
        return self._limited[1]

    @cached_property
    def _limited(self) -> tuple[int, int | None]:
        """Number of games that came to their limit, and the seed of the first. Raises DamagedError."""
        count, first = 0, None
        for chunk in self._chunks:
            if LIMITED in self._names("games", chunk):  # in older folders no game has a limit
                table = self._read("games", chunk, ["seed", LIMITED])
                if not pa.types.is_boolean(table[LIMITED].type) or not pa.types.is_uint64(table["seed"].type):
                    raise DamagedError(self._path("games", chunk), "a column holds something else")
                rows = np.flatnonzero(table[LIMITED].to_numpy())
                if len(rows) and first is None:
                    first = int(table["seed"].to_numpy()[rows[0]])
                count += len(rows)
        return count, first

    @property
    def label(self) -> str:
        """Label of this setting among others of its run; '' if there are no others."""
        return self.plan.labels[self.number]

    def game(self, column: str) -> Numbers:
        """Return a column of `games` for the games with a result, shape (games,); nan where it holds nothing."""
        return np.concatenate([part.game(column) for part in self.parts()])

    def seat(self, column: str) -> Numbers:
        """Return a column of `seats` for the games with a result, shape (games, seats); nan where it holds nothing."""
        return np.concatenate([part.seat(column) for part in self.parts()])

    def scored(self, column: str) -> Numbers:
        """Return a column of `seats` for the scored seats, shape (games, scored seats)."""
        return self.seat(column)[:, self.scored_seats]

    @cached_property
    def scored_seats(self) -> NDArray[np.int64]:
        """Numbers, from 0, of the seats that have a place in the ranking."""
        placed = [(part.seat("place") > 0).any(axis=0) for part in self.parts()]
        return np.flatnonzero(np.any(placed, axis=0)) if placed else np.empty(0, np.int64)

    @cached_property
    def columns(self) -> frozenset[str]:
        """Columns of `seats`."""
        return frozenset(self._names("seats", self._chunks[0]))

    @cached_property
    def choices(self) -> list[ChoiceRow]:
        """Counts of the scored seats' choices, in the order of first occurrence. Raises DamagedError."""
        keys = ["player", "step", "decision", "choice"]
        places = self.scored_seats + 1
        numbers: dict[tuple[str, ...], int] = {}
        chunks: list[tuple[list[int], Numbers]] = []
        for chunk in self._chunks:
            table = self._read("choices", chunk, ["seat", *keys, *COUNTS])
            path = self._path("choices", chunk)
            rows_kept = np.flatnonzero(np.isin(_as_numbers(table["seat"], path), places))
            rows = list(zip(*(table[key].to_pylist() for key in keys), strict=True))
            which = [numbers.setdefault(tuple(map(str, rows[row])), len(numbers)) for row in rows_kept]
            chunks.append((which, np.stack([_as_numbers(table[name], path)[rows_kept] for name in COUNTS], axis=1)))
        counts = np.zeros((len(numbers), len(self._chunks), len(COUNTS)))
        for number, (which, counted) in enumerate(chunks):
            np.add.at(counts[:, number], which, counted)
        return [ChoiceRow(key[0], key[1], key[2], key[3], counts[number]) for key, number in numbers.items()]

    def check(self) -> None:
        """Check that every chunk's rows are those that its name promises. Raises ResultsError, DamagedError."""
        after = 0
        for chunk in self._chunks:
            if chunk.first < after:
                file = str(self._path("games", chunk))
                raise ResultsError(phrase("errors", "'{path}' has games that another file has too.", path=file))
            after = chunk.first + chunk.games
            count = len(self.plan.seats)
            game = np.arange(chunk.first, after)
            expected = {
                "games": {"game": game},
                "seats": {"game": np.repeat(game, count), "seat": np.tile(np.arange(1, count + 1), chunk.games)},
            }
            for table, columns in expected.items():
                path = self._path(table, chunk)
                expected_columns = {"setting": np.full(len(columns["game"]), self.number)} | columns
                rows = self._read(table, chunk, list(expected_columns))
                for name, values in expected_columns.items():
                    if not np.array_equal(_as_numbers(rows.column(name), path), values):
                        raise DamagedError(path, f"its column '{name}' does not fit its name")

    def _path(self, table: str, chunk: ChunkFile) -> Path:
        """Return the file of a chunk's table."""
        return self.folder / table / chunk.file

    def _open(self, table: str, chunk: ChunkFile) -> pq.ParquetFile:
        """Open the file of a chunk's table; its end is read once for consecutive calls. Raises DamagedError."""
        path, (last, footer) = self._path(table, chunk), self._footers.get(table, (None, None))
        file = open_checked(path, footer if last == path else None)
        self._footers[table] = path, file.metadata
        return file

    def _names(self, table: str, chunk: ChunkFile) -> list[str]:
        """Return the columns of a chunk's table."""
        names: list[str] = self._open(table, chunk).schema_arrow.names
        return names

    def _read(self, table: str, chunk: ChunkFile, columns: list[str]) -> pa.Table:
        """Return columns of a chunk's table. Raises DamagedError if they are not as the plan allows."""
        path = self._path(table, chunk)
        with self._open(table, chunk) as file:
            if missing := [name for name in columns if name not in file.schema_arrow.names]:
                raise DamagedError(path, f"it has no column '{missing[0]}'")
            rows = chunk.games * len(self.plan.seats) if table == "seats" else chunk.games
            count = file.metadata.num_rows
            if count > _MAX_CHOICES if table == "choices" else count != rows:
                raise DamagedError(path, f"it has {count:,} rows, which cannot be")
            try:
                return file.read(columns=columns, use_threads=False)
            except (OSError, pa.ArrowException, ValueError) as error:
                raise DamagedError(path, str(error).partition("\n")[0]) from None


class ResultsPart:
    """Some games of one setting, and the columns that were read of their tables: a few thousand rows. first: number of
    the first game; whole: as for `SettingResults.parts`. Whatever reads a file raises DamagedError."""

    def __init__(self, setting: SettingResults, chunk: ChunkFile, whole: bool) -> None:
        self.setting, self.first, self._chunk, self._whole = setting, chunk.first, chunk, whole
        self._known: dict[tuple[str, str], Numbers] = {}
        self._scored: dict[str, Numbers] = {}
        self._tables: dict[str, pa.Table] = {}

    @property
    def games(self) -> NDArray[np.int64]:
        """Numbers of the games with a result, ascending."""
        ended = self.ended
        return self.first + (np.arange(self._chunk.games) if ended is None else np.flatnonzero(ended))

    @property
    def ended(self) -> NDArray[np.bool_] | None:
        """Flag of each game, whether it has a result; None if all have."""
        known = self.setting.ended
        if self._chunk.file not in known:
            ended = ~np.isnan(self._column("games", "winners"))
            known[self._chunk.file] = None if ended.all() else ended
        return known[self._chunk.file]

    def game(self, column: str) -> Numbers:
        """Return a column like `SettingResults.game`."""
        return self._of_ended(self._column("games", column))

    def seat(self, column: str) -> Numbers:
        """Return a column like `SettingResults.seat`."""
        return self._of_ended(self._column("seats", column).reshape(-1, len(self.setting.plan.seats)))

    def _of_ended(self, rows: Numbers) -> Numbers:
        """Return the rows of games with a result."""
        ended = self.ended
        return rows if ended is None else rows[ended]

    def scored(self, column: str) -> Numbers:
        """Return a column like `SettingResults.scored`."""
        if column not in self._scored:
            self._scored[column] = self.seat(column)[:, self.setting.scored_seats]
        return self._scored[column]

    def _column(self, table: str, column: str) -> Numbers:
        """Return a column of a table, read once."""
        if (table, column) not in self._known:
            values = self._table(table, column).column(column)
            self._known[table, column] = _as_numbers(values, self.setting._path(table, self._chunk))
        return self._known[table, column]

    def _table(self, table: str, column: str) -> pa.Table:
        """Return a table that has a column."""
        setting, chunk = self.setting, self._chunk
        if not self._whole:
            return setting._read(table, chunk, [column])
        if table not in self._tables:
            names = [name for name in setting._names(table, chunk) if name not in _ROW_KEYS]
            self._tables[table] = setting._read(table, chunk, names)
        table_read = self._tables[table]
        return table_read if column in table_read.column_names else setting._read(table, chunk, [column])


class GameColumns(Protocol):
    """Tables of some games with a result, or of all. Each method raises DamagedError."""

    def game(self, column: str) -> Numbers:
        """Return a column of `games` for the games with a result, shape (games,); nan where it holds nothing."""

    def seat(self, column: str) -> Numbers:
        """Return a column of `seats` for the games with a result, shape (games, seats); nan where it holds nothing."""

    def scored(self, column: str) -> Numbers:
        """Return a column of `seats` for the scored seats, shape (games, scored seats)."""


PartReader = Callable[[GameColumns], Numbers]
"""Function that returns one number of each game with a result, shape (games,); nan if it has none."""

GameReader = tuple[PartReader, Gathering | Sums]
"""Reader of games, and the sample or sums that its numbers are added to."""


class InMemoryResults(SettingResults):
    """Results of games whose tables are in memory. tables: of each chunk, in the order of their games."""

    def __init__(self, plan: Plan, number: int, tables: Sequence[Mapping[str, pa.Table]]) -> None:
        self._tables: dict[str, Mapping[str, pa.Table]] = {}
        chunks, first = [], 0
        for chunk_tables in tables:
            chunks.append(ChunkFile(first, str(first), chunk_tables["games"].num_rows))
            self._tables[chunks[-1].file] = chunk_tables
            first += chunks[-1].games
        super().__init__(Path(), plan, number, chunks)

    def _names(self, table: str, chunk: ChunkFile) -> list[str]:
        names: list[str] = self._tables[chunk.file][table].column_names
        return names

    def _read(self, table: str, chunk: ChunkFile, columns: list[str]) -> pa.Table:
        return self._tables[chunk.file][table].select(columns)


def _as_numbers(column: pa.ChunkedArray, path: Path) -> Numbers:
    """Return a column as floating-point numbers. Raises DamagedError."""
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        raise DamagedError(path, "a column of numbers holds something else")
    # Not cast by Arrow, whose functions take longer to load than a hundred games to play.
    values: Numbers = column.to_numpy().astype(np.float64)
    return values
