"""The tables of a chunk: from the words of its games to Parquet. `spec/SIMULATION.md` says what the columns mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from rulewright.program.value_types import PARTS
from rulewright.runtime.game_statistics import (
    GAMES,
    LEAD_CHANGES,
    OF_GAME,
    OFFERED,
    PICKED,
    POINTS,
    SQUARES,
    SUMS,
    TIMES,
    WIN,
    WON,
    StatisticsLayout,
)
from rulewright.runtime.native.results import AT_LIMIT, GAME_WORDS, STOPPED, CountedGames
from rulewright.simulation import parquet_files
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.parquet_files import CHOICES, SEATS, to_bytes
from rulewright.simulation.plan import Chunk, Plan

LIMITED, STOP_REASON = "limited", "stopped"
"""Columns of `games`: whether a game came to its limit, and why it could not be played to its end."""

Integers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


def to_files(plan: Plan, chunk: Chunk, tables: Mapping[str, pa.Table]) -> dict[str, bytes]:
    """Return the tables of a chunk as files, by the tables' names; nothing is written."""
    mark = chunk.mark(plan.identity)
    return {name: to_bytes(table, mark) for name, table in tables.items()}


def play_tables(work: Work, chunk: Chunk) -> dict[str, pa.Table]:
    """Play a chunk, and return its three tables by name. They depend on the plan and the chunk alone."""
    rows = _Rows(work.plan, chunk, work.statistics_layout(chunk.setting), work.play(chunk))
    return {
        parquet_files.GAMES: pa.table(rows.games()),
        SEATS: pa.table(rows.seats()),
        CHOICES: pa.table(rows.choices()),
    }


class _Rows:
    """Rows of one chunk. Arrays have a row per game; those with a second dimension a column per seat."""

    def __init__(self, plan: Plan, chunk: Chunk, counting: StatisticsLayout, games: CountedGames) -> None:
        self._plan, self._chunk, self._counting = plan, chunk, counting
        program = counting.program
        seats, lines = program.layout.seats, len(program.scoring)
        width = GAME_WORDS + seats * (1 + lines)
        words = np.frombuffer(games.words, dtype=np.int32).reshape(chunk.games, width + counting.size)
        self._sums = np.frombuffer(games.sums).reshape(seats, 2, counting.choices, SUMS)
        self._rounds, self._decisions, self._limited = words[:, 0], words[:, 1], words[:, 2] == AT_LIMIT
        self._stopped = [games.stopped.get(place) for place in range(chunk.games)] if games.stopped else []
        self._ended = words[:, 2] != STOPPED
        if not program.limit.scored:
            self._ended &= ~self._limited
        results = words[:, GAME_WORDS:width].reshape(chunk.games, seats, 1 + lines)
        self._places, self._points = results[:, :, 0], results[:, :, 1:]
        self._totals: Integers = self._points.sum(axis=2, dtype=np.int64)
        self._parts = PARTS if program.fractions else 1  # of a point
        self._lead_changes = words[:, width + LEAD_CHANGES]
        self._of_seat = words[:, width + OF_GAME :].reshape(chunk.games, seats, counting.seat_width)
        self._winners = (self._places == 1).sum(axis=1)
        self._scored = [seat for seat in range(seats) if plan.seats[seat].role not in program.unscored_roles]

    # ── games ──

    def games(self) -> Mapping[str, Any]:
        """Return the columns of the table of games."""
        chunk = self._chunk
        return {
            "setting": _column(np.full(chunk.games, chunk.setting), pa.int32()),
            "game": _column(np.arange(chunk.first, chunk.first + chunk.games), pa.int64()),
            "seed": _column(self._plan.table_seeds(chunk), pa.uint64()),
            "rounds": _column(self._rounds, pa.int32()),
            "decisions": _column(self._decisions, pa.int32()),
            "lead_changes": _column(self._lead_changes, pa.int32()),
            "margin": self._margins(),
            "winners": _column(self._winners, pa.int8(), self._ended),
            "tie_break": self._tie_breaks(),
            LIMITED: _column(self._limited, pa.bool_()),
            STOP_REASON: pa.array(self._stopped or [None] * self._chunk.games, pa.string()),
        }

    def _margins(self) -> pa.Array:
        """Return each game's difference of points between the first two places; nulls for games without a result, and
        with fewer than two scored seats."""
        if len(self._scored) < 2:
            return pa.nulls(self._chunk.games, pa.int64())
        order = np.argsort(self._places[:, self._scored], axis=1, kind="stable")[:, :2]
        totals = np.take_along_axis(self._totals[:, self._scored], order, axis=1)
        return self._points_column(np.abs(totals[:, 0] - totals[:, 1]), pa.int64(), self._ended)

    def _points_column(self, points: Any, type_: pa.DataType, known: Flags) -> pa.Array:
        """Return a column of points, with fractions if the program has them."""
        if self._parts == 1:
            return _column(points, type_, known)
        return _column(points / self._parts, pa.float64(), known)

    def _tie_breaks(self) -> pa.Array:
        """Return for each game whether seats with equal first ranking values were separated by further ones; nulls for
        games without a result."""
        if not self._scored:
            return _column(np.zeros(self._chunk.games), pa.bool_(), self._ended)
        keys = self._of_seat[:, self._scored, 0]
        best = (keys == keys.max(axis=1, keepdims=True)).sum(axis=1)
        return _column(best > self._winners, pa.bool_(), self._ended)

    # ── seats ──

    def seats(self) -> Mapping[str, Any]:
        """Return the columns of the table of seats."""
        plan, chunk, counting = self._plan, self._chunk, self._counting
        seats = range(len(plan.seats))
        count = chunk.games * len(seats)
        ended = np.repeat(self._ended, len(seats))
        scored = np.tile([seat in self._scored for seat in seats], chunk.games) & ended
        columns = {
            "setting": _column(np.full(count, chunk.setting), pa.int32()),
            "game": _column(np.repeat(np.arange(chunk.first, chunk.first + chunk.games), len(seats)), pa.int64()),
            "seat": _column(np.tile(np.arange(1, len(seats) + 1), chunk.games), pa.int8()),
            "player": _names([seat.player for seat in plan.seats], chunk.games),
            "role": _names([seat.role for seat in plan.seats], chunk.games),
            "place": _column(self._places.ravel(), pa.int8()),
            "won": _column((self._shares() / WIN).ravel(), pa.float64(), ended),
            "total": self._points_column(self._totals.ravel(), pa.int64(), scored),
        }
        for number, line in enumerate(counting.program.scoring):
            columns[f"points: {line.name}"] = self._points_column(
                self._points[:, :, number].ravel(), pa.int32(), scored
            )
        first = counting.measures_offset
        for number, measure in enumerate(counting.program.measures, first):
            columns[f"measure: {measure.name}"] = _column(self._of_seat[:, :, number].ravel(), pa.int32())
        for number, power in enumerate(counting.program.powers, counting.powers_offset):
            columns[f"held: {power}"] = _column(self._of_seat[:, :, number].ravel(), pa.int32())
        for number, power in enumerate(counting.power_decisions, counting.uses_offset):
            columns[f"used: {power}"] = _column(self._of_seat[:, :, number].ravel(), pa.int32())
        return columns

    def _shares(self) -> Integers:
        """Return each seat's share of the win in WIN-ths, game by game."""
        share_per_winner = np.where(self._winners > 0, WIN // np.maximum(self._winners, 1), 0).astype(np.int64)
        shares: Integers = (self._places == 1) * share_per_winner[:, None]
        return shares

    # ── choices ──

    def choices(self) -> Mapping[str, Any]:
        """Return the columns of the table of choices: counts and results by seat, decision and answer."""
        counting, plan = self._counting, self._plan
        choice_keys = [(it.id, it.step, choice) for it in counting.decisions for choice in it.choices]
        seats, rows = np.nonzero(self._sums[:, OFFERED, :, TIMES])
        columns: dict[str, Any] = {
            "setting": np.full(len(seats), self._chunk.setting),
            "seat": seats + 1,
            "player": [plan.seats[seat].player for seat in seats],
            **{
                name: [choice_keys[number][at] for number in rows]
                for at, name in enumerate(("decision", "step", "choice"))
            },
        }
        parts = {WON: WIN, POINTS: self._parts, SQUARES: self._parts**2}
        kinds, sums = ((OFFERED, "offered"), (PICKED, "chosen")), ((GAMES, "games"), (WON, "won"), *_OF_POINTS)
        columns |= {suffix: self._sums[seats, kind, rows, TIMES] for kind, suffix in kinds}
        for kind, suffix in kinds:
            for place, name in sums:
                columns[f"{name}_{suffix}"] = self._sums[seats, kind, rows, place] / parts.get(place, 1)
        types = {name: self._type_of(name) for name in columns}
        return {
            name: pa.array(column, types[name]) if isinstance(column, list) else _column(column, types[name])
            for name, column in columns.items()
        }

    def _type_of(self, column: str) -> pa.DataType:
        """Return the type of a column of choices."""
        kind = column.partition("_")[0]
        return pa.float64() if kind == "points" and self._parts > 1 else _TYPES[kind]


_DTYPES: dict[pa.DataType, type[np.generic]] = {
    pa.int8(): np.int8,
    pa.int32(): np.int32,
    pa.int64(): np.int64,
    pa.uint64(): np.uint64,
    pa.float64(): np.float64,
}
"""NumPy's type for each of Arrow's. Arrow's own `to_pandas_dtype` needs pandas in older versions."""


def _column(values: Any, type_: pa.DataType, known: Flags | None = None) -> pa.Array:
    """Return numbers as a column, null where they are not known.

    Arrow's own conversion loads a part of numpy which takes longer than a hundred games.
    """
    data = _bits(values) if type_ == pa.bool_() else np.ascontiguousarray(values, _DTYPES[type_])
    valid = None if known is None else _bits(known)
    return pa.Array.from_buffers(type_, len(values), [valid and pa.py_buffer(valid), pa.py_buffer(data)])


def _names(of_seats: Sequence[str | None], games: int) -> pa.Array:
    """Return a column with a name of each seat, again for every game; null where it has none."""
    encoded = [(name or "").encode() for name in of_seats]
    ends = np.cumsum(np.tile([len(name) for name in encoded], games), dtype=np.int32)
    known = _bits(np.tile([name is not None for name in of_seats], games))
    data = [known, np.concatenate([np.zeros(1, np.int32), ends]), b"".join(encoded) * games]
    return pa.Array.from_buffers(pa.string(), len(ends), list(map(pa.py_buffer, data)))


def _bits(flags: Any) -> bytes:
    """Pack booleans as Arrow stores them."""
    return np.packbits(flags, bitorder="little").tobytes()


_OF_POINTS = ((POINTS, "points"), (SQUARES, "squares"))
"""Sums of points: index among the sums of a choice, and name of its column."""
_TYPES = {
    "setting": pa.int32(),
    "seat": pa.int8(),
    "player": pa.string(),
    "decision": pa.string(),
    "step": pa.string(),
    "choice": pa.string(),
    "offered": pa.int64(),
    "chosen": pa.int64(),
    "games": pa.int64(),
    "won": pa.float64(),
    "points": pa.int64(),
    "squares": pa.float64(),
}
"""Types of the columns of choices, by the part of their name before `_`."""
