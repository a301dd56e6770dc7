"""Player of a run's games: the data and work of each process that takes part."""

from __future__ import annotations

import math
import random
import threading
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase
from rulewright.players import Player, make_player, max_tries
from rulewright.players.seating import RANDOM_BOT
from rulewright.program.form import Program
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime import native
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.machine import Machine
from rulewright.runtime.native.results import CountedGames
from rulewright.runtime.operations import OpenDecision, RuleError
from rulewright.runtime.rng import fractions, seeded
from rulewright.runtime.state import State
from rulewright.simulation.plan import Chunk, Plan
from rulewright.simulation.tally import AnswerFunction, Tally

if TYPE_CHECKING:
    from rulewright.players.policies import Policy

MAX_READY = 16
"""Limit of settings that a process has ready."""
ANSWERS_NATIVE, ANSWERS_BY_MACHINE = 500_000, 20_000
"""Answers of games in half a second at most, in native code and otherwise."""
MAX_AT_ONCE = 20_000
"""Most games of a chunk."""
MIN_CHUNKS, LONGER = 64, 4
"""A long run in native code has chunks that take up to LONGER times as long, if at least MIN_CHUNKS remain.

The overhead of a chunk is then smaller.
"""
SUPPOSED_ANSWERS = 500
"""Number of answers supposed of a game of which nothing is known."""


class TakesTooLong(RulewrightError):
    """Error: games take longer than their time limit."""


@record
class CompiledSetting:
    """Compiled setting. initial_state: without a seed; key: cache key for results of the program, or ''."""

    program: Program
    initial_state: tuple[Any, ...]
    key: str = ""


@dataclass
class Work:
    """Run that can be played anywhere: it can be sent to other processes, and needs no files. policies: trained
    players, by kind; until: limit of processor time of this process, in seconds, checked between answers of games that
    are not played in native code; it is not sent to other processes."""

    plan: Plan
    tables: tuple[CompiledSetting, ...]
    policies: Mapping[str, Policy] = field(default_factory=dict)
    until: float = math.inf
    _local: threading.local = field(default_factory=threading.local, repr=False, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Work, (self.plan, self.tables, self.policies)  # what is ready here is not sent

    def statistics_layout(self, setting: int) -> StatisticsLayout:
        """Return what the tables of a setting count."""
        return self._ready(setting).counting

    def play(self, chunk: Chunk) -> CountedGames:
        """Play the games of a chunk; an error that stops a game is recorded. Raises TakesTooLong past the time
        limit."""
        return self._ready(chunk.setting).play(self.plan.seeds(chunk))

    def games_per_chunk(self) -> int:
        """Return the number of games that take about half a second, from the length of a random first one; more for a
        long run. Raises PlayerError for an unknown kind, TakesTooLong past the time limit."""
        kinds = [seat.player for seat in self.plan.seats]
        all_random = set(kinds) == {RANDOM_BOT}
        random_player = (
            self._ready(0) if all_random else _SettingPlayer(self.tables[0], [RANDOM_BOT] * len(kinds), {}, self.until)
        )
        first = random_player.play(self.plan.seeds(Chunk(0, 0, 1)))
        answers = SUPPOSED_ANSWERS if first.stopped else max(1, first.words[1])
        # A thinking player plays about half a game for each answer that it tries at a decision.
        simulated_answers = sum(max_tries(kind) for kind in kinds) * answers // len(kinds) * answers // 2
        if random_player.notice or simulated_answers:
            return max(1, min(MAX_AT_ONCE, ANSWERS_BY_MACHINE // answers, ANSWERS_NATIVE // max(1, simulated_answers)))
        short = max(1, ANSWERS_NATIVE // answers)
        return min(MAX_AT_ONCE, max(short, min(LONGER * short, self.plan.games // MIN_CHUNKS)))

    @property
    def notice(self) -> Phrase | str:
        """Notice about how games are played, or ''."""
        return self._ready(0).notice

    def _ready(self, setting: int) -> _SettingPlayer:
        """Return the player of a setting, made on first use in each thread."""
        ready: dict[int, _SettingPlayer] = self._local.__dict__.setdefault("ready", {})
        if setting not in ready:
            if len(ready) >= MAX_READY:
                del ready[next(iter(ready))]
            kinds = [seat.player for seat in self.plan.seats]
            ready[setting] = _SettingPlayer(self.tables[setting], kinds, self.policies, self.until)
        return ready[setting]


class _SettingPlayer:
    """One setting as this process plays it: in native code if all is random and that is possible."""

    def __init__(
        self,
        table: CompiledSetting,
        players: Sequence[str],
        policies: Mapping[str, Policy],
        until: float = math.inf,
    ) -> None:
        self.counting = StatisticsLayout(table.program)
        self._until = until
        self._table, self._players = table, players
        self._native: native.Bulk | None = None
        self.notice: Phrase | str = ""
        if all(player == RANDOM_BOT for player in players):
            try:
                self._native = native.Bulk(table.program, self.counting, table.key)
            except (native.CannotRun, native.Unbounded) as error:
                self.notice = native.fallback_notice(error)
        self._machine = None if self._native is not None else Machine(table.program)
        self._thinking: dict[str, Player] = {}
        if self._machine is not None:
            self._thinking = thinking_players(players, policies, self._machine)

    def play(self, seeds: range) -> CountedGames:
        """Play the games with these seeds; an error that stops a game is recorded. Raises TakesTooLong past the time
        limit."""
        if self._native is not None:
            return self._native.counted_games(list(self._table.initial_state), seeds)
        assert self._machine is not None
        tally, words, stopped = Tally(self.counting, self._machine), array("i"), dict[int, str]()
        for place, seed in enumerate(seeds):
            s = self._initial_state(seed)
            try:
                words.extend(tally.play(s, self._answer_function(seed, self._machine)))
            except RuleError as error:
                words.extend(tally.stopped_game(s))
                stopped[place] = str(error)
        return CountedGames(words, tally.sums, stopped)

    def _initial_state(self, seed: int) -> State:
        """Return the initial state with the random numbers of a seed."""
        s = list(self._table.initial_state)
        s[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
        return s

    def _answer_function(self, seed: int, machine: Machine) -> AnswerFunction:
        """Return the function that answers a game's decisions; it raises TakesTooLong past the time limit."""
        answer = answer_function(seed, machine, self._players, self._thinking)
        if math.isinf(self._until):
            return answer

        def in_time(s: State, decision: OpenDecision) -> Sequence[int]:
            if time.process_time() > self._until:
                raise TakesTooLong
            return answer(s, decision)

        return in_time


def thinking_players(kinds: Iterable[str], policies: Mapping[str, Policy], machine: Machine) -> dict[str, Player]:
    """Return a player for each kind that is not random, by kind: the policy of that name, else one of the
    computer's. Raises PlayerError."""
    thinking = set(kinds) - {RANDOM_BOT}
    players = {kind: make_player(kind, machine) for kind in thinking - policies.keys()}
    return players | {kind: policies[kind].player(machine) for kind in thinking & policies.keys()}


def answer_function(
    seed: int, machine: Machine, kinds: Sequence[str], thinking: Mapping[str, Player]
) -> AnswerFunction:
    """Return the function that answers in the game of a seed: thinking players, by kind, and random answers for the
    others; without any, the one of `random_answer_function`. kinds: of each seat. Random numbers depend on the game's
    seed, the seat, and its number of answers, so that one player does not change another's."""
    if not thinking:
        return random_answer_function(seed, machine)
    from rulewright.runtime.information_state import information_state  # noqa: PLC0415 - chance needs none

    seed %= 2**64
    answers_given = [0] * len(kinds)

    def answer(s: State, question: OpenDecision) -> Sequence[int]:
        seat = question.seat
        rng = random.Random(f"{seed} {seat} {answers_given[seat]}")
        answers_given[seat] += 1
        chooser = thinking.get(kinds[seat])
        if chooser is None:
            return machine.random_answer(s, question, rng.random)
        return chooser.choose(information_state(machine, s, seat), question, rng)

    return answer


def random_answer_function(seed: int, machine: Machine) -> AnswerFunction:
    """Return a function that answers all decisions of one game at random, as native code does; its random numbers go on
    from call to call."""
    chance = fractions(seed)

    def answer(s: State, question: OpenDecision) -> Sequence[int]:
        return machine.random_answer(s, question, chance)

    return answer
