"""Search from beginning to end: the unchanged edition, candidates, the best of them, and these on new games."""

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
from rulewright.simulation.plan import MAX_GAMES, PlanError
from rulewright.simulation.tuning import pareto_front, search_strategy
from rulewright.simulation.tuning.configurations import (
    FIRST_GAMES,
    MAX_TIMES,
    MIN_SECONDS,
    CandidateGames,
    CandidatePlayers,
    CandidateTable,
)
from rulewright.simulation.tuning.game_cache import GameCache
from rulewright.simulation.tuning.goals import Goal, goals
from rulewright.simulation.tuning.measures import GameMeasure, measures
from rulewright.simulation.tuning.search_space import Candidate, SearchSpace, search_space

USUAL_GAMES, USUAL_TRIALS, USUAL_SEED = 2000, 60, 1
"""Values of a search that does not say them."""
MAX_TRIALS = 10_000
"""Maximum number of trials that may be asked for."""
CHECK_FACTOR = 2
"""Factor of the number of check games over that of the search."""

CHECKED = 5
"""Number of candidates of the front that are checked, the proposed one among them."""

_WORTH_PROCESSES = 6.0
"""Seconds of play that are worth starting other processes."""


@record
class TuningRequest:
    """Parameters of a search; None stands for the usual value. vary, toward: as on the command line; seconds: after
    which no new candidate begins."""

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
    """Search and its results so far. measures: all possible ones; tried: in the order of the search, without the
    edition's own values; checked: games on other seeds, of the edition's own values and the best; ended: why the search
    ended: 'all', 'trials', 'time' or 'stopped'; '' while it goes on."""

    table: CandidateTable
    goals: tuple[Goal, ...]
    measures: tuple[GameMeasure, ...]
    base: CandidateGames
    trials: int
    seconds: float | None
    processes: int
    tried: list[CandidateGames] = field(default_factory=list)
    checked: dict[Candidate, CandidateGames] = field(default_factory=dict)
    ended: str = ""
    base_seconds: float = 0.0

    @property
    def rules(self) -> Rules:
        """Rules of the tuned edition."""
        return self.table.rules

    @property
    def space(self) -> SearchSpace:
        """All varied names and their values."""
        return self.table.space

    @property
    def planned(self) -> int:
        """Number of candidates to try, besides the edition's own values."""
        if not search_strategy.tries_all(self.space, self.trials):
            return self.trials
        return self.space.size - (self.space.now in self.space)

    @property
    def whole(self) -> bool:
        """Whether all combinations are tried."""
        return search_strategy.tries_all(self.space, self.trials)

    @property
    def random_draws(self) -> bool:
        """Whether candidates are drawn at random."""
        return search_strategy.draws_randomly(self.space, self.trials)

    @property
    def check_table(self) -> CandidateTable:
        """Table for checks, with other shuffles: those of the next seed."""
        seed, games = (self.table.seed + 1) % 2**64, self.table.games * CHECK_FACTOR
        return replace(self.table, seed=seed, games=games, seconds=self.table.seconds * CHECK_FACTOR)

    def best(self) -> list[CandidateGames]:
        """Return the candidates that no other beats in everything, the edition's own values among them if they are, the
        best compromise first; worked out at each call.

        Decided by the games of the search alone.
        """
        every = [self.base, *self.tried]
        changed = {each.candidate: len(self.space.changes(each.candidate)) for each in every}
        return pareto_front.order_by_compromise(self.goals, every, self.base, changed)

    def proposed(self) -> CandidateGames:
        """Return the best compromise, without those of its changes that these games cannot show to help.

        Returns the edition's own values where they cannot show that for any.
        """
        candidate = self._simplest_compromise()
        return candidate if self.helps(candidate) else self.base

    def helps(self, played: CandidateGames) -> bool:
        """Return whether a candidate is surely nearer to a goal than the edition's own values, in check games if there
        are any; of candidates of which one cannot be played, whether this one can."""
        known = self.checked if self.is_checked(played.candidate) else self._known()
        base, other = known[self.space.now], known.get(played.candidate, played)
        if not (base.sound and other.sound):
            return other.sound
        return any(each.judgement == "better" for each in pareto_front.verdicts(self.goals, base, other))

    def is_checked(self, candidate: Candidate) -> bool:
        """Return whether a candidate and the edition's own values have check games that can be compared."""
        sides = (self.checked.get(self.space.now), self.checked.get(candidate))
        return all(each is not None and each.sound for each in sides)

    def _simplest_compromise(self) -> CandidateGames:
        """Return the best compromise, with each change taken back that brings nothing sure."""
        best = self.best()
        if not best:
            return self.base
        known, compromise = self._known(), best[0]
        while True:
            for fewer in self._with_one_change_less(compromise.candidate):
                played = known.get(fewer)
                if played is None or not played.sound:
                    continue
                if all(each.judgement != "worse" for each in pareto_front.verdicts(self.goals, compromise, played)):
                    compromise = played
                    break
            else:
                return compromise

    def _known(self) -> dict[Candidate, CandidateGames]:
        """Map candidates to their games in the search."""
        return {each.candidate: each for each in (self.base, *self.tried)}

    def _with_one_change_less(self, candidate: Candidate) -> Iterator[Candidate]:
        """Yield the candidates with one change fewer, but with one at least."""
        if len(self.space.changes(candidate)) > 1:
            for index, now in enumerate(self.space.now):
                if candidate[index] != now:
                    yield (*candidate[:index], now, *candidate[index + 1 :])

    def number(self, candidate: Candidate) -> int:
        """Return the number of a candidate: others than the edition's own values in the order of the search; 0 for
        these, and for one that was not tried."""
        return next((at for at, each in enumerate(self.tried, 1) if each.candidate == candidate), 0)

    def search(self) -> Iterator[CandidateGames]:
        """Play one candidate after the other, in the end also those with fewer changes than the best compromise; each
        is added to `tried` before it is yielded.

        It goes on only as far as it is iterated. KeyboardInterrupt keeps the results, and is passed on.
        """
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        game_cache = GameCache(self.table)
        enough = self.planned * self.base_seconds > _WORTH_PROCESSES
        try:
            with CandidatePlayers(self.table, self.processes if enough else 1) as players:
                play = game_cache.wrap(players.play)
                for played in search_strategy.search(
                    self.space, self.goals, self.base, self.trials, self.table.seed, play
                ):
                    self.tried.append(played)
                    yield played
                    if deadline is not None and time.monotonic() >= deadline:
                        self.ended = "time"
                        return
                while missing := [
                    each
                    for each in self._with_one_change_less(self._simplest_compromise().candidate)
                    if each not in self._known()
                ]:
                    for played in play(missing):
                        self.tried.append(played)
                        yield played
            self.ended = "all" if self.whole else "trials"
        except KeyboardInterrupt:
            self.ended = "stopped"
            raise
        finally:
            game_cache.close()

    def to_check(self) -> list[Candidate]:
        """Return the candidates to check: the edition's own values, the best compromise, and others of the front."""
        best = (each.candidate for each in self.best()[:CHECKED])
        return list(dict.fromkeys([self.space.now, self._simplest_compromise().candidate, *best]))

    def check(self) -> Iterator[CandidateGames]:
        """Play the best candidates, and the edition's own values, on new games; each is added to `checked` before it is
        yielded."""
        candidates = self.to_check()
        enough = len(candidates) * CHECK_FACTOR * self.base_seconds > _WORTH_PROCESSES
        game_cache = GameCache(self.check_table)
        try:
            with CandidatePlayers(self.check_table, self.processes if enough else 1) as players:
                for played in game_cache.wrap(players.play)(candidates):
                    self.checked[played.candidate] = played
                    yield played
        finally:
            game_cache.close()


def prepare(rules: Rules, request: TuningRequest) -> Tuning:
    """Prepare a search: check it, and play the edition's own values. Raises RulewrightError."""
    _check(request)
    seated = planning.seats(rules, request.seats)
    space = search_space(rules, len(seated), request.vary)
    trials = request.trials or USUAL_TRIALS
    games = request.games or USUAL_GAMES
    seed = USUAL_SEED if request.seed is None else request.seed
    table = CandidateTable(rules, tuple(seated), space, {}, seed, games)
    first = table.play_games({}, min(FIRST_GAMES, games))
    known = measures(first)
    chosen_goals = goals(request.toward, known)
    table = replace(table, measures={goal.name: goal.measure for goal in chosen_goals})
    began = time.process_time()
    base = table.play(space.now)
    seconds_spent = time.process_time() - began
    if not base.sound:
        raise PlanError(
            phrase("errors", "{title} cannot be played as it is: {why}", title=rules.title, why=base.problem)
        )
    most = max(MIN_SECONDS, MAX_TIMES * seconds_spent)
    table = replace(table, unended=base.unended / games, seconds=most)
    processes = request.processes or usual_processes()
    return Tuning(
        table, chosen_goals, tuple(known), base, trials, request.seconds, processes, base_seconds=seconds_spent
    )


def seats_of(rules: Rules, people: int) -> str:
    """Return so many random players, as `--seats` has them. Raises PlanError for a number that the edition is not
    for."""
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


def _check(request: TuningRequest) -> None:
    """Raise PlanError for numbers of a request out of range."""
    numbers = (("--games", request.games, MAX_GAMES // 10), ("--trials", request.trials, MAX_TRIALS))
    for option, value, most in (*numbers, ("--processes", request.processes, 1000), ("--time", request.seconds, 10**6)):
        if value is not None and not 1 <= value <= most:
            raise PlanError(
                phrase(
                    "errors",
                    "{option} is a whole number from 1 to {most}, not {given}.",
                    option=option,
                    most=most,
                    given=value,
                )
            )
    if request.games is not None and request.games < 2:
        raise PlanError(phrase("errors", "One game tells nothing of a value: play at least {count}.", count=2))


def format_players(seated: Sequence[Seat]) -> str:
    """Return players as text: random ×3, greedy."""
    names = [seat.role or seat.player for seat in seated]
    return ", ".join(f"{name} ×{names.count(name)}" if names.count(name) > 1 else name for name in dict.fromkeys(names))
