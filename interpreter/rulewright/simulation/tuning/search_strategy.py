"""Strategies of a search: play all candidates if they are few, else those that a sampler proposes, or random ones if it
is not installed.

The sampler is Optuna's tree-structured Parzen estimator for several goals (Ozaki and others 2022). It proposes
`AT_ONCE` candidates before it gets their results, however many processes play: so the same seed tries the same ones.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any

from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.goals import Goal
from rulewright.simulation.tuning.pareto_front import losses
from rulewright.simulation.tuning.search_space import Candidate, SearchSpace

AT_ONCE = 6
"""Candidates that a sampler proposes before it gets their results."""
MAX_REPEATED = 12
"""Number of known candidates in a row that a sampler may propose before a random unknown one is taken."""

PlayAll = Callable[[Sequence[Candidate]], Iterator[CandidateGames]]
"""Player of candidates; yields each with its games."""


def tries_all(space: SearchSpace, trials: int) -> bool:
    """Return whether every combination is tried."""
    return space.size <= trials


def draws_randomly(space: SearchSpace, trials: int) -> bool:
    """Return whether candidates are drawn at random: there are many, and the sampler is not installed."""
    return not tries_all(space, trials) and find_spec("optuna") is None


def search(
    space: SearchSpace, goals: Sequence[Goal], base: CandidateGames, trials: int, seed: int, play: PlayAll
) -> Iterator[CandidateGames]:
    """Play candidates, one after the other, and yield their games; the edition's own values are not among them. base:
    games of these. It plays on only as far as it is iterated."""
    if tries_all(space, trials):
        yield from play(_all_candidates(space, seed))
    elif draws_randomly(space, trials):
        yield from play(_random_candidates(space, trials, seed))
    else:
        yield from _play_sampled(space, goals, base, trials, seed, play)


def _all_candidates(space: SearchSpace, seed: int) -> list[Candidate]:
    """Return all combinations except the edition's own, in an order that shows the shape of the whole early on."""
    every = [candidate for candidate in product(*(each.tried for each in space.varied)) if candidate != space.now]
    random.Random(seed).shuffle(every)
    return every


def _random_candidates(space: SearchSpace, trials: int, seed: int) -> list[Candidate]:
    """Return different combinations at random, without the edition's own. There must be more combinations than
    trials."""
    chance, candidates = random.Random(seed), {space.now: None}
    while len(candidates) <= trials:
        candidates[tuple(chance.choice(each.tried) for each in space.varied)] = None
    return list(candidates)[1:]


def _play_sampled(
    space: SearchSpace, goals: Sequence[Goal], base: CandidateGames, trials: int, seed: int, play: PlayAll
) -> Iterator[CandidateGames]:
    """Play candidates that a sampler proposes, and tell it their results, until enough are tried."""
    sampler = _Sampler(space, goals, seed)
    known = {base.candidate: base}
    if base.sound:
        sampler.add_known(base)
    while len(known) - 1 < trials:
        batch = sampler.propose(min(AT_ONCE, trials + 1 - len(known)), known)
        for played in play([candidate for candidate, _ in batch]):
            known[played.candidate] = played
            yield played
        for candidate, trial in batch:
            sampler.tell(trial, known[candidate])


class _Sampler:
    """Optuna as a source of candidates, which gets their results."""

    def __init__(self, space: SearchSpace, goals: Sequence[Goal], seed: int) -> None:
        import optuna  # noqa: PLC0415 - an extra, which takes long to load

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._optuna, self._space, self._goals = optuna, space, goals
        self._rest = random.Random(seed)
        self._distributions: dict[str, Any] = {
            str(at): optuna.distributions.IntDistribution(0, len(each.tried) - 1)
            if each.ordered
            else optuna.distributions.CategoricalDistribution(tuple(range(len(each.tried))))
            for at, each in enumerate(space.varied)
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=seed % 2**32, multivariate=True, constant_liar=True, n_startup_trials=AT_ONCE * 2
            )
        self._study = optuna.create_study(directions=["minimize"] * len(goals), sampler=sampler)

    def add_known(self, played: CandidateGames) -> None:
        """Add the games of a candidate that was not proposed, if its values are among those that are tried."""
        places = [each.tried.index(value) if value in each.tried else -1 for each, value in self._pairs(played)]
        if min(places) < 0:
            return
        parameters = {str(at): place for at, place in enumerate(places)}
        self._study.add_trial(
            self._optuna.trial.create_trial(
                params=parameters, distributions=self._distributions, values=losses(self._goals, played)
            )
        )

    def _pairs(self, played: CandidateGames) -> Iterator[tuple[Any, str]]:
        """Pair the varied values with a candidate's."""
        return zip(self._space.varied, played.candidate, strict=True)

    def propose(self, count: int, known: dict[Candidate, CandidateGames]) -> list[tuple[Candidate, Any]]:
        """Return candidates that nobody has tried, each with its trial; there must be enough of them. Of known ones
        that come up, the results are told to the sampler."""
        batch: dict[Candidate, Any] = {}
        repeated = 0
        while len(batch) < count:
            if repeated > MAX_REPEATED:
                self._study.enqueue_trial(self._random_unknown({*known, *batch}))
            trial = self._study.ask(self._distributions)
            each = enumerate(self._space.varied)
            candidate = tuple(varied.tried[trial.params[str(at)]] for at, varied in each)
            if candidate in known:
                self.tell(trial, known[candidate])
                repeated += 1
            elif candidate in batch:
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
                repeated += 1
            else:
                batch[candidate] = trial
                repeated = 0
        return list(batch.items())

    def _random_unknown(self, known: set[Candidate]) -> dict[str, int]:
        """Return any candidate that is not known, in Optuna's form."""
        while True:
            places = [self._rest.randrange(len(each.tried)) for each in self._space.varied]
            if tuple(each.tried[at] for each, at in zip(self._space.varied, places, strict=True)) not in known:
                return {str(at): place for at, place in enumerate(places)}

    def tell(self, trial: Any, played: CandidateGames) -> None:
        """Tell the sampler the results of a candidate that it proposed; one that cannot be played, or has no figure,
        counts as failed."""
        figures = losses(self._goals, played) if played.sound else []
        if not played.sound or any(figure == float("inf") for figure in figures):
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        else:
            self._study.tell(trial, figures)
