"""Sample of one table's games, with the parts of the rules that they reached."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rulewright.base.diagnostics import RulewrightError, SourcePlace
from rulewright.game.library import Rules
from rulewright.model.edition import Edition
from rulewright.players.seating import RANDOM_BOT
from rulewright.program import coverage
from rulewright.program.form import Program
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.machine import Machine
from rulewright.simulation import chunk_tables, planning
from rulewright.simulation.chunk_player import CompiledSetting, Work
from rulewright.simulation.plan import Chunk
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.results import InMemoryResults
from rulewright.workbench.statistics.sample_requests import TableRequest
from rulewright.workbench.statistics.table_sentences import SentencePlace, TableSentences

SEED = 1
"""Seed of the first game."""
MAX_GAMES = 10_000
"""Maximum number of games of a sample."""
SECONDS_AT_ONCE = 0.15
"""Seconds for which games are played between two checks for a new request."""

_FIRST_BATCH, _MAX_BATCH = 10, 5000
"""Games of the first batch if all players are random, and of any batch at most."""


class NothingPlayed(RulewrightError):
    """Error: none of the games so far could be finished."""


class GameSample:
    """Games of one table, from the first seed on: the same rules always play the same games. games: their number;
    seconds: processor time that they took.
    """

    def __init__(self, rules: Rules, request: TableRequest) -> None:
        """Prepare a sample. Raises RulewrightError."""
        setting = dict(request.setting)
        self._seated, self._setting = planning.seats(rules, request.seats), setting
        self._table = TableSentences(rules, self._seated, setting)
        program = self._table.with_coverage()
        initial_state = tuple(
            Machine(program).new(0, self._table.table_setting.roles, self._table.table_setting.options)
        )
        plan = planning.plan(rules, self._seated, [setting], self._table.program, SEED, MAX_GAMES)
        self.counting = StatisticsLayout(program)
        self._work = Work(plan, (CompiledSetting(program, initial_state),))
        self._tables: list[Mapping[str, Any]] = []
        self._speed = 0.0  # games per second
        self._first = _FIRST_BATCH if {seat.player for seat in self._seated} == {RANDOM_BOT} else 1
        self.games = 0
        self.seconds = 0.0
        self._bits: dict[str, int] = {}

    def relocate(self, edition: Edition) -> bool:
        """Take places from a newer text that plays alike; return whether it does, sentence by sentence. Raises
        RulewrightError."""
        if edition is not self._table.edition:
            newer = TableSentences(Rules(edition), self._seated, self._setting)
            if newer.texts != self._table.texts:
                return False
            self._table = newer
        return True

    @property
    def sentences(self) -> Sequence[SentencePlace]:
        """Places of the sentences whose uses are counted."""
        return self._table.sentences

    @property
    def decision_places(self) -> Mapping[str, SourcePlace]:
        """Places at which decisions are asked, by their ids."""
        return self._table.decision_places

    @property
    def program(self) -> Program:
        """Program of the counted games."""
        return self.counting.program

    def grow(self, games: int) -> Iterator[None]:
        """Play until there are this many games in all; yield after each batch. Raises NothingPlayed."""
        while self.games < games:
            batch = int(self._speed * SECONDS_AT_ONCE) if self._speed else self._first
            self._play_more(min(max(1, batch), _MAX_BATCH, games - self.games))
            yield

    def _play_more(self, games: int) -> None:
        """Play more games and add their tables. Raises NothingPlayed if all stopped."""
        if not self._tables:
            self._work.statistics_layout(0)  # one-time preparation is not part of the speed
        began, busy = time.perf_counter(), time.process_time()
        tables = chunk_tables.play_tables(self._work, Chunk(0, self.games, games))
        self._speed = games / max(time.perf_counter() - began, 1e-6)
        self.seconds += time.process_time() - busy
        self.games += games
        self._tables.append(tables)
        setting = self.group().setting
        if len(setting.stopped) == self.games:
            raise NothingPlayed(setting.stopped[0].reason)
        for column in (name for name in tables["seats"].column_names if name.startswith("measure: :")):
            name = column.removeprefix("measure: ")
            self._bits[name] = self._bits.get(name, 0) | int(np.bitwise_or.reduce(tables["seats"][column].to_numpy()))

    def group(self, label: str = "") -> GameGroup:
        """Return the games so far."""
        return GameGroup(InMemoryResults(self._work.plan, 0, self._tables), label)

    @property
    def unreached_sentences(self) -> list[SentencePlace]:
        """Sentences that none of the games reached, in the order of the file."""
        reached = coverage.decode(coverage.PARTS, self._bits.__getitem__, len(self.sentences))
        unreached = [sentence for number, sentence in enumerate(self.sentences) if number not in reached]
        return sorted(unreached, key=lambda sentence: (sentence.place.file, sentence.place.line, sentence.place.column))

    @property
    def moved_types(self) -> set[int]:
        """Types of pieces of which one lay elsewhere at a game's end than at its start."""
        return coverage.decode(coverage.TYPES, self._bits.__getitem__, len(self.program.types))
