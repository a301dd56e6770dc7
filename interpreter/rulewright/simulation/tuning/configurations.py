"""Games of candidates: all on the same seeds, so that differences come from the values and not from the shuffles."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.base.processes import end_by_parent_alone, spawn_context
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Argument, Phrase, message_of, phrase
from rulewright.players.seating import Seat
from rulewright.simulation import chunk_tables, planning
from rulewright.simulation.chunk_player import TakesTooLong, Work
from rulewright.simulation.plan import Chunk
from rulewright.simulation.quantities import Numbers
from rulewright.simulation.results import InMemoryResults
from rulewright.simulation.tuning.measures import GameMeasure, game_numbers
from rulewright.simulation.tuning.search_space import Candidate, SearchSpace

FIRST_GAMES = 20
"""Games after which a candidate is given up if none of them ends."""

MAX_LIMITED = 0.05
"""Share of games without a result that a candidate may have beyond that of the edition itself."""

MAX_TIMES, MIN_SECONDS = 20, 30.0
"""Limits of a candidate's time: a multiple of what the edition's own values take, and the seconds of one processor that
it may take in any case."""


@dataclass(frozen=True, eq=False)
class CandidateGames:
    """Results of a candidate's games.

    values: of each measure, by its name, a number of each game, shape (games,), nan where a game has none; unended:
    number of games that came to their limit without a result; problem: why it cannot be played, else ''; late: whether
    the problem is the time it takes, which another computer might have.
    """

    candidate: Candidate
    values: Mapping[str, Numbers] = field(default_factory=dict)
    unended: int = 0
    problem: Phrase | str = ""
    late: bool = False

    @property
    def sound(self) -> bool:
        """Whether it can be played."""
        return not self.problem


@dataclass(frozen=True)
class CandidateTable:
    """Table at which candidates are played. Can be sent to other processes.

    games: of each candidate, from the same seeds; unended: share of games without a result that the edition itself has;
    seconds: of one processor that a candidate may take.
    """

    rules: Rules
    seated: tuple[Seat, ...]
    space: SearchSpace
    measures: Mapping[str, GameMeasure]
    seed: int
    games: int
    unended: float = 1.0
    seconds: float = math.inf

    def play(self, candidate: Candidate) -> CandidateGames:
        """Play the games of a candidate. An error becomes its problem and is not raised."""
        try:
            results = self.play_games(self.space.changes(candidate), self.games)
        except EditionError as error:
            first = next(iter(error.report.errors), None)
            return CandidateGames(candidate, problem=str(error) if first is None else first.message)
        except TakesTooLong:
            seconds: dict[str, Argument] = {"seconds": round(self.seconds), "games": self.games}
            problem = phrase(
                "tuning", "Its games take too long: {games} of them more than {seconds} seconds.", **seconds
            )
            return CandidateGames(candidate, problem=problem, late=True)
        except RulewrightError as error:
            return CandidateGames(candidate, problem=message_of(error))
        unended = results.played - len(results.games)
        if not len(results.games):
            stopped = results.stopped
            for_ever = phrase("tuning", "No game ends.")
            return CandidateGames(
                candidate, unended=unended, problem=stopped[0].reason if len(stopped) == unended else for_ever
            )
        if unended > results.played * (self.unended + MAX_LIMITED):
            slots: dict[str, Argument] = {"count": unended, "games": results.played}
            problem = phrase("tuning", "{count} of {games} games come to no result.", **slots)
            return CandidateGames(candidate, unended=unended, problem=problem)
        return CandidateGames(candidate, game_numbers(results, self.games, self.measures), unended)

    def play_games(self, changes: Mapping[tuple[str, ...], str], games: int) -> InMemoryResults:
        """Play games of the edition with these changes, or only the first FIRST_GAMES if none of these ends.

        Raises RulewrightError, and TakesTooLong past `seconds`.
        """
        began = time.process_time()
        rules = library.with_changes(self.rules, changes) if changes else self.rules
        compiled = planning.compile_setting(rules, self.seated, {})
        plan = planning.plan(rules, self.seated, [{}], compiled.program, self.seed, games)
        work, played = Work(plan, (compiled,), until=began + self.seconds), 0
        tables: list[Mapping[str, Any]] = []
        at_once = 1
        while played < games:
            count = min(at_once, games - played)
            tables.append(chunk_tables.play_tables(work, Chunk(0, played, count)))
            played += count
            seconds_spent = time.process_time() - began
            if played < games and seconds_spent >= self.seconds:
                raise TakesTooLong
            if played < FIRST_GAMES:
                at_once = FIRST_GAMES - played
            elif at_once < FIRST_GAMES:
                results = InMemoryResults(plan, 0, tables)
                if not len(results.games):
                    return results
                at_once = max(1, work.games_per_chunk())
            if not math.isinf(self.seconds):  # native code is not left in the middle of what it is given
                at_once = max(1, min(at_once, int((self.seconds - seconds_spent) * played / max(seconds_spent, 1e-9))))
        return InMemoryResults(plan, 0, tables)


class CandidatePlayers:
    """Player of candidates: in this process, or in several where that is worth their start. A context manager."""

    def __init__(self, table: CandidateTable, processes: int) -> None:
        self._table, self._processes = table, processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> CandidatePlayers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_processes()

    def play(self, candidates: Sequence[Candidate]) -> Iterator[CandidateGames]:
        """Yield the games of candidates, in their order. In several processes, one that dies makes each candidate left
        run in a process of its own, where its death becomes that candidate's problem."""
        if self._processes < 2 or len(candidates) < 2:
            yield from map(self._table.play, candidates)
            return
        done = 0
        try:
            for games in self._start_pool().map(_play, candidates):
                done += 1
                yield games
        except BrokenProcessPool:
            for candidate in candidates[done:]:
                yield self._play_isolated(candidate)

    def _play_isolated(self, candidate: Candidate) -> CandidateGames:
        """Play a candidate that may end the process that plays it."""
        self._end_processes()
        try:
            return self._start_pool(1).submit(_play, candidate).result()
        except BrokenProcessPool:
            return CandidateGames(candidate, problem=phrase("tuning", "A game needs too much memory, or never ends."))
        finally:
            self._end_processes()

    def _start_pool(self, processes: int = 0) -> ProcessPoolExecutor:
        """Start worker processes, unless they run already; return the pool."""
        if self._pool is None:
            # Begun afresh, not forked: the same on every system, and safe beside threads.
            context = spawn_context()
            count = processes or self._processes
            self._pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(self._table,))
        return self._pool

    def _end_processes(self) -> None:
        """Terminate the worker processes at once."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)


_table: CandidateTable | None = None
"""Table of this process, if it plays for another."""


def _begin(table: CandidateTable) -> None:
    """Set the table of a worker process."""
    global _table  # noqa: PLW0603 - what an initializer leaves behind has nowhere else to be
    _table = table
    end_by_parent_alone()


def _play(candidate: Candidate) -> CandidateGames:
    """Play a candidate at the table that this process has begun with."""
    assert _table is not None
    return _table.play(candidate)
