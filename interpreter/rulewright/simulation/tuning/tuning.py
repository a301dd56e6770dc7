"""A search from beginning to end: the edition as it is, candidates, the best of them, and these on fresh games."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import RANDOM_BOT, Seat
from rulewright.simulation import planning
from rulewright.simulation.command import usual_processes
from rulewright.simulation.plan import MOST_GAMES, PlanError
from rulewright.simulation.tuning import pareto_front, search_strategy
from rulewright.simulation.tuning.configurations import (
    FIRST,
    LEAST_SECONDS,
    MOST_TIMES,
    CandidateGames,
    CandidatePlayers,
    CandidateTable,
)
from rulewright.simulation.tuning.game_cache import RememberedGames
from rulewright.simulation.tuning.goals import Goal, goals
from rulewright.simulation.tuning.measures import GameMeasure, measures
from rulewright.simulation.tuning.search_space import Candidate, SearchSpace, search_space

USUAL_GAMES, USUAL_TRIALS, USUAL_SEED = 2000, 60, 1
MOST_TRIALS = 10_000
FRESH_TIMES = 2
"""How many times the games of the search the fresh ones are."""

CHECKED = 5
"""How many of the front are played on fresh games, the proposed one among them."""

_WORTH_PROCESSES = 6.0
"""Seconds of play that are worth beginning other processes."""


@record
class TuningWanted:
    """What is searched. vary, toward: as on the command line; where the others are None, the usual. seconds: after
    which no further candidate is begun."""

    vary: Sequence[str]
    toward: Sequence[str]
    seats: str | None = None
    games: int | None = None
    trials: int | None = None
    seconds: float | None = None
    seed: int | None = None
    processes: int | None = None


@dataclass
class Tuning:
    """A search, and what is known of it so far. measures: all that could be wanted; tried: in the order of the search,
    without the edition's own values; fresh: games on other seeds, of the edition's own values and the best; ended: why
    it is over: 'all', 'trials', 'time' or 'stopped'; '' while it goes on."""

    table: CandidateTable
    goals: tuple[Goal, ...]
    measures: tuple[GameMeasure, ...]
    base: CandidateGames
    trials: int
    seconds: float | None
    processes: int
    tried: list[CandidateGames] = field(default_factory=list)
    fresh: dict[Candidate, CandidateGames] = field(default_factory=dict)
    ended: str = ""
    base_seconds: float = 0.0

    @property
    def rules(self) -> Rules:
        return self.table.rules

    @property
    def space(self) -> SearchSpace:
        return self.table.space

    @property
    def planned(self) -> int:
        """How many candidates are to be tried, besides the edition's own values."""
        if not search_strategy.whole(self.space, self.trials):
            return self.trials
        return self.space.size - (self.space.now in self.space)

    @property
    def whole(self) -> bool:
        """Whether all combinations are tried."""
        return search_strategy.whole(self.space, self.trials)

    @property
    def drawn(self) -> bool:
        """Whether candidates are drawn at random."""
        return search_strategy.drawn(self.space, self.trials)

    @property
    def fresh_table(self) -> CandidateTable:
        """The same table with other shuffles: those of the next seed."""
        seed, games = (self.table.seed + 1) % 2**64, self.table.games * FRESH_TIMES
        return replace(self.table, seed=seed, games=games, seconds=self.table.seconds * FRESH_TIMES)

    def best(self) -> list[CandidateGames]:
        """Those that no other beats in everything, the edition's own values among them if they are; the best compromise
        first. Told from the games of the search alone."""
        every = [self.base, *self.tried]
        changed = {each.candidate: len(self.space.changes(each.candidate)) for each in every}
        return pareto_front.in_order(self.goals, every, self.base, changed)

    def proposed(self) -> CandidateGames:
        """The best compromise, without those of its changes of which these games cannot show that they help; the
        edition's own values where they cannot show that for any."""
        chosen = self._compromise()
        return chosen if self.helps(chosen) else self.base

    def helps(self, chosen: CandidateGames) -> bool:
        """Whether values are surely nearer to a goal, in fresh games if there are any."""
        known = self.fresh if self.is_checked(chosen.candidate) else self._known()
        base, other = known[self.space.now], known.get(chosen.candidate, chosen)
        if not (base.sound and other.sound):
            return other.sound
        return any(each.says == "better" for each in pareto_front.verdicts(self.goals, base, other))

    def is_checked(self, candidate: Candidate) -> bool:
        """Whether there are fresh games of a candidate, and of the edition's own values, that can be compared."""
        sides = (self.fresh.get(self.space.now), self.fresh.get(candidate))
        return all(each is not None and each.sound for each in sides)

    def _compromise(self) -> CandidateGames:
        best = self.best()
        if not best:
            return self.base
        known, chosen = self._known(), best[0]
        while True:
            for fewer in self._fewer(chosen.candidate):
                played = known.get(fewer)
                if played is None or not played.sound:
                    continue
                if all(each.says != "worse" for each in pareto_front.verdicts(self.goals, chosen, played)):
                    chosen = played
                    break
            else:
                return chosen

    def _known(self) -> dict[Candidate, CandidateGames]:
        return {each.candidate: each for each in (self.base, *self.tried)}

    def _fewer(self, candidate: Candidate) -> Iterator[Candidate]:
        """The same with one change fewer, but with one at least."""
        if len(self.space.changes(candidate)) > 1:
            for at, now in enumerate(self.space.now):
                if candidate[at] != now:
                    yield (*candidate[:at], now, *candidate[at + 1 :])

    def number(self, candidate: Candidate) -> int:
        """By which a candidate is called: 0 for the edition's own values, others in the order of the search."""
        return next((at for at, each in enumerate(self.tried, 1) if each.candidate == candidate), 0)

    def search(self) -> Iterator[CandidateGames]:
        """Play one candidate after the other; each is among those that were tried, then. Ctrl-C leaves what has been
        found, and is passed on."""
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        remembered = RememberedGames(self.table)
        enough = self.planned * self.base_seconds > _WORTH_PROCESSES
        try:
            with CandidatePlayers(self.table, self.processes if enough else 1) as players:
                play = remembered.playing(players.play)
                for played in search_strategy.search(
                    self.space, self.goals, self.base, self.trials, self.table.seed, play
                ):
                    self.tried.append(played)
                    yield played
                    if deadline is not None and time.monotonic() >= deadline:
                        self.ended = "time"
                        return
                while missing := [
                    each for each in self._fewer(self._compromise().candidate) if each not in self._known()
                ]:
                    for played in play(missing):
                        self.tried.append(played)
                        yield played
            self.ended = "all" if self.whole else "trials"
        except KeyboardInterrupt:
            self.ended = "stopped"
            raise
        finally:
            remembered.close()

    def to_check(self) -> list[Candidate]:
        """Whose fresh games are told: the edition's own values, the best compromise, and others of the front."""
        best = (each.candidate for each in self.best()[:CHECKED])
        return list(dict.fromkeys([self.space.now, self._compromise().candidate, *best]))

    def check(self) -> Iterator[CandidateGames]:
        """Play the best again, and the edition's own values, on fresh games."""
        candidates = self.to_check()
        enough = len(candidates) * FRESH_TIMES * self.base_seconds > _WORTH_PROCESSES
        remembered = RememberedGames(self.fresh_table)
        try:
            with CandidatePlayers(self.fresh_table, self.processes if enough else 1) as players:
                for played in remembered.playing(players.play)(candidates):
                    self.fresh[played.candidate] = played
                    yield played
        finally:
            remembered.close()


def prepared(rules: Rules, wanted: TuningWanted) -> Tuning:
    """A search that can begin: the edition's own values are played. Raises RulewrightError."""
    _check(wanted)
    seated = planning.seats(rules, wanted.seats)
    space = search_space(rules, len(seated), wanted.vary)
    trials = wanted.trials or USUAL_TRIALS
    games = wanted.games or USUAL_GAMES
    seed = USUAL_SEED if wanted.seed is None else wanted.seed
    table = CandidateTable(rules, tuple(seated), space, {}, seed, games)
    first = table.results({}, min(FIRST, games))
    known = measures(first)
    wanted_goals = goals(wanted.toward, known)
    table = replace(table, measures={goal.name: goal.measure for goal in wanted_goals})
    began = time.process_time()
    base = table.play(space.now)
    spent = time.process_time() - began
    if not base.sound:
        raise PlanError(phrase("errors", "{title} cannot be played as it is: {why}", title=rules.title, why=base.why))
    most = max(LEAST_SECONDS, MOST_TIMES * spent)
    table = replace(table, unended=base.unended / games, seconds=most)
    processes = wanted.processes or usual_processes()
    return Tuning(table, wanted_goals, tuple(known), base, trials, wanted.seconds, processes, base_seconds=spent)


def seats_of(rules: Rules, people: int) -> str:
    """So many players at random, as `--seats` has them."""
    least, most = rules.edition.people
    if not least <= people <= most:
        raise PlanError(
            phrase(
                "errors",
                "{title} is for {least} to {most} players, not for {given}.",
                title=rules.title,
                least=least,
                most=most,
                given=people,
            )
        )
    return ",".join([RANDOM_BOT] * people)


def _check(wanted: TuningWanted) -> None:
    numbers = (("--games", wanted.games, MOST_GAMES // 10), ("--trials", wanted.trials, MOST_TRIALS))
    for option, given, most in (*numbers, ("--processes", wanted.processes, 1000), ("--time", wanted.seconds, 10**6)):
        if given is not None and not 1 <= given <= most:
            raise PlanError(
                phrase(
                    "errors",
                    "{option} is a whole number from 1 to {most}, not {given}.",
                    option=option,
                    most=most,
                    given=given,
                )
            )
    if wanted.games is not None and wanted.games < 2:
        raise PlanError(phrase("errors", "One game tells nothing of a value: play at least {count}.", count=2))


def seated_in_words(seated: Sequence[Seat]) -> str:
    """random ×3, greedy"""
    names = [seat.role or seat.player for seat in seated]
    return ", ".join(f"{name} ×{names.count(name)}" if names.count(name) > 1 else name for name in dict.fromkeys(names))
