"""Games of one table that grow in number while somebody looks at what they come to; with what they reached."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rulewright.base.diagnostics import RulewrightError, SourcePlace
from rulewright.game.library import Rules
from rulewright.model.declarations import Edition
from rulewright.players.seating import AT_CHANCE
from rulewright.program import coverage
from rulewright.program.form import Program
from rulewright.runtime.game_statistics import Counting
from rulewright.runtime.machine import Machine
from rulewright.simulation import chunk_tables, planning
from rulewright.simulation.chunk_player import CompiledSetting, Work
from rulewright.simulation.plan import Chunk
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.results import HeldResults
from rulewright.workbench.statistics.sample_requests import TableWanted
from rulewright.workbench.statistics.table_sentences import SentencePlace, TableSentences

SEED = 1
MOST_GAMES = 10_000
SECONDS_AT_ONCE = 0.15
"""How long games are played before anything else is heeded."""

_FIRST, _MOST_AT_ONCE = 10, 5000


class NothingPlayed(RulewrightError):
    """None of the games so far could be played to its end."""


class Trial:
    """The games of one table, from the first on, so that the same rules have the same games."""

    def __init__(self, rules: Rules, wanted: TableWanted) -> None:
        """Raises RulewrightError."""
        setting = dict(wanted.setting)
        self._seated, self._setting = planning.seats(rules, wanted.seats), setting
        self._written = TableSentences(rules, self._seated, setting)
        whole = self._written.covered()
        fresh = tuple(Machine(whole).new(0, self._written.here.roles, self._written.here.options))
        plan = planning.plan(rules, self._seated, [setting], self._written.program, SEED, MOST_GAMES)
        self.counting = Counting(whole)
        self._work = Work(plan, (CompiledSetting(whole, fresh),))
        self._tables: list[Mapping[str, Any]] = []
        self._speed = 0.0  # games in a second
        self._first = _FIRST if {seat.player for seat in self._seated} == {AT_CHANCE} else 1
        self.games = 0
        self.seconds = 0.0
        self._bits: dict[str, int] = {}

    def written_as(self, edition: Edition) -> bool:
        """What plays the same may stand elsewhere now: other comments, other words for people. Whether it does,
        sentence by sentence; else these games tell nothing of it. Raises RulewrightError."""
        if edition is not self._written.edition:
            written = TableSentences(Rules(edition), self._seated, self._setting)
            if written.texts != self._written.texts:
                return False
            self._written = written
        return True

    @property
    def sentences(self) -> Sequence[SentencePlace]:
        return self._written.sentences

    @property
    def asked(self) -> Mapping[str, SourcePlace]:
        """Where each decision is asked, by its id."""
        return self._written.asked

    @property
    def program(self) -> Program:
        return self.counting.program

    def grow(self, games: int) -> Iterator[None]:
        """Play until there are so many; pauses often. Raises NothingPlayed."""
        while self.games < games:
            wanted = int(self._speed * SECONDS_AT_ONCE) if self._speed else self._first
            self._play(min(max(1, wanted), _MOST_AT_ONCE, games - self.games))
            yield

    def _play(self, games: int) -> None:
        if not self._tables:
            self._work.counting(0)  # what is made once is no part of its speed
        began, busy = time.perf_counter(), time.process_time()
        tables = chunk_tables.tables(self._work, Chunk(0, self.games, games))
        self._speed = games / max(time.perf_counter() - began, 1e-6)
        self.seconds += time.process_time() - busy
        self.games += games
        self._tables.append(tables)
        setting = self.group().setting
        if len(setting.stopped) == self.games:
            raise NothingPlayed(setting.stopped[0].why)
        for column in (name for name in tables["seats"].column_names if name.startswith("measure: :")):
            name = column.removeprefix("measure: ")
            self._bits[name] = self._bits.get(name, 0) | int(np.bitwise_or.reduce(tables["seats"][column].to_numpy()))

    def group(self, label: str = "") -> GameGroup:
        """The games so far."""
        return GameGroup(HeldResults(self._work.plan, 0, self._tables), label)

    @property
    def missed(self) -> list[SentencePlace]:
        """The sentences that none of the games reached, in the order of the file."""
        reached = coverage.held(coverage.PARTS, self._bits.__getitem__, len(self.sentences))
        found = [sentence for number, sentence in enumerate(self.sentences) if number not in reached]
        return sorted(found, key=lambda sentence: (sentence.place.file, sentence.place.line, sentence.place.column))

    @property
    def moved(self) -> set[int]:
        """The types of pieces of which one lay elsewhere at the end of a game than at its beginning."""
        return coverage.held(coverage.TYPES, self._bits.__getitem__, len(self.program.types))
