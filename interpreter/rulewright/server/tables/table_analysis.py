"""Analysis of a table's finished game: made decision by decision in the pool of bots, and kept with the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from weakref import WeakKeyDictionary

import msgspec

from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.players.analysis import TRIES, JudgedDecision, check_over, decision_numbers
from rulewright.players.seating import PERSON
from rulewright.server.tables.refusals import TableError
from rulewright.server.tables.table import Table

SETTING = "analysis"
"""Name of the setting that keeps a table's analysis."""


class TableAnalysis:
    """Analysis of one table's game, as far as it is made. rows: judged decisions, those that seem to have cost most
    first; places: of all that will be judged, in the order of the game, by the numbers of their answers; ended: no more
    rows come."""

    def __init__(self, table: Table, game: Game) -> None:
        self.rows: list[JudgedDecision] = []
        self.places: dict[int, int] = {}
        self.ended = False
        self._table, self._game, self._changed = table, game, asyncio.Event()

    async def run(self) -> None:
        """Load the rows that are stored, or judge all decisions and store them; then no more rows come."""
        if stored := _kept_rows(self._table.settings.get(SETTING, "")):
            self.rows, self.places = stored, _places(row.number for row in stored)
        else:
            await self._judge_all()
        self.ended = True
        self._notify()

    async def _judge_all(self) -> None:
        """Judge all decisions and store them with the table; stop, and store nothing, where one cannot be judged."""
        numbers = await asyncio.to_thread(decision_numbers, self._game)
        self.places = _places(numbers)
        host, table_id = self._table.tables, self._table.record.id
        save = json.dumps(self._game.save()).encode()
        costs: dict[int, float] = {}
        for number in numbers:
            cost = await host.bot_pool.glance_at(("analysis", table_id), self._table.pinned, save, number)
            if cost is None:
                return
            costs[number] = cost
        for number in sorted(numbers, key=lambda number: -costs[number]):
            judged = await host.bot_pool.judge(("analysis", table_id), self._table.pinned, save, number, TRIES)
            if judged is None:
                return
            self.rows.append(judged)
            self._notify()
        setting = {SETTING: msgspec.json.encode(self.rows).decode()}
        await host.with_store(lambda store: store.put_settings(table_id, setting))
        self._table.settings = {**self._table.settings, **setting}

    def _notify(self) -> None:
        """Wake those who wait for more rows."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def batches(self) -> AsyncIterator[tuple[list[JudgedDecision], bool]]:
        """Yield the rows as they come, and whether these are the last; perhaps an empty batch at the end."""
        sent = 0
        while True:
            if sent < len(self.rows) or self.ended:
                start, sent, is_last = sent, len(self.rows), self.ended
                yield self.rows[start:sent], is_last
                if is_last:
                    return
            else:
                await self._changed.wait()


_analyses: WeakKeyDictionary[Table, TableAnalysis] = WeakKeyDictionary()
"""Analyses of tables whose readers have asked for them."""


def analysis_of(table: Table, game: Game) -> TableAnalysis:
    """Return the analysis of a table's game, which begins when it is first asked for. Raises AnalysisError before the
    game is over."""
    check_over(game)
    if (analysis := _analyses.get(table)) is None:
        analysis = _analyses[table] = TableAnalysis(table, game)
        table.tables.task(analysis.run())
    return analysis


def check_alone(table: Table) -> None:
    """Check that no more than one person plays, whom the computer may help. Raises TableError."""
    if sum(seat.player == PERSON for seat in table.record.seats) > 1:
        raise TableError(phrase("errors", "While several people play, the computer explains nothing."))


async def explain_computer(table: Table, game: Game) -> JudgedDecision | None:
    """Judge the last answer of the computer beside the next best one; None where none can be explained."""
    seats = [seat for seat, one in enumerate(table.record.seats) if one.player != PERSON]
    save = json.dumps(game.save()).encode()
    return await table.tables.bot_pool.explain_last(("reasons", table.record.id), table.pinned, save, seats)


def _places(numbers: Iterable[int]) -> dict[int, int]:
    """Return the place of each number in their order."""
    return {number: place for place, number in enumerate(sorted(numbers))}


def _kept_rows(text: str) -> list[JudgedDecision]:
    """Read the rows that were kept; none where there are none, or not as they are written today."""
    try:
        return msgspec.json.decode(text, type=list[JudgedDecision]) if text else []
    except msgspec.MsgspecError:
        return []
