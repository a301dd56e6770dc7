"""Analysis of a finished game: every decision judged from what its seat knew then, played answer beside best one.

A search finds a good answer; then it and the played one are tried anew, equally often (see `answer_values`): the best
of noisy numbers would invent mistakes. Few tries see less of what an answer leads to than many, and of one answer less
than of another: what looks like a mistake is tried again, many more times, and only the second look counts. What others
hold, and what chance brought later, changes no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from statistics import fmean
from time import monotonic

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.players.answer_values import AnswerJudge, ValueEstimate
from rulewright.players.choice_grouping import SeatCandidates
from rulewright.players.kinds import Budget
from rulewright.players.learned_values import value_of
from rulewright.players.search import SearchPlayer
from rulewright.players.tree_search import TriedAnswer, can_search
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS, ROUND

TRIES = 600
"""Usual tries of each answer that is judged."""
GLANCE_TRIES = 48
"""Tries of each answer at a glance, which only tells what to judge first."""
SECOND_LOOK, DECISIONS_SEEN = 16, 300
"""Factor of the tries at the second look, at most; answers of rollouts for which each further factor stands, so that
long games take no longer."""
QUICK_SECONDS, LINE_TRIES = 0.15, 150
"""Longest first look at the reasons of an answer after which there is a second one; tries for each answer of the line
that may follow it."""
MAX_COMPARED = 3
"""Answers of a decision of which all are judged, if there are no more."""
LINE_LENGTH = 3
"""Answers that may follow the best one, at most."""
GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
BEST, CLOSE = "best", "close"
"""Verdicts; CLOSE where the interval of the cost contains 0."""
COSTS = ((0.2, BLUNDER), (0.1, MISTAKE), (0.05, INACCURACY))
"""Least costs of verdicts; GOOD costs less."""
ERRORS = frozenset({INACCURACY, MISTAKE, BLUNDER})
"""Verdicts on answers that were not good enough."""


class AnalysisError(RulewrightError):
    """Error: a game that cannot be analysed."""


@record
class JudgedAnswer:
    """Answer by its keys, with its value to its seat."""

    keys: tuple[str, ...]
    value: ValueEstimate


@record
class LineAnswer:
    """Answer that may follow. decision: id of the site that asks for it; keys: of its choices."""

    seat: int
    decision: str
    keys: tuple[str, ...]


@record
class JudgedDecision:
    """Decision of a finished game, judged.

    - number: of its answer in the game, from 0
    - seat: that answered
    - round: of the game
    - played, best: the answer given, and the one with the highest value
    - others: further answers, the best first
    - cost: value of the best answer less that of the played one
    - verdict: on the played answer
    - tries: of each answer
    - line: answers that may follow the best one; () unless the verdict is an error and nothing is hidden
    """

    number: int
    seat: int
    round: int
    played: JudgedAnswer
    best: JudgedAnswer
    others: tuple[JudgedAnswer, ...]
    cost: ValueEstimate
    verdict: str
    tries: int
    line: tuple[LineAnswer, ...] = ()


def check_over(game: Game) -> None:
    """Check that a game is over: before, an analysis could tell what is hidden. Raises AnalysisError."""
    if not game.over:
        raise AnalysisError(phrase("errors", "This game is not over: it can be analysed afterwards."))


def decision_numbers(game: Game) -> list[int]:
    """List the numbers of all answers of a finished game that were a choice. Raises AnalysisError."""
    check_over(game)
    return [number for number in range(len(game.history.answers)) if _is_choice(game, number)]


def analyse(game: Game, tries: int = TRIES, seconds: float = math.inf) -> Iterator[JudgedDecision]:
    """Judge the decisions of a finished game, one after the other.

    tries: of each answer that is judged; seconds: about how long all may take together, each decision its part: fewer
    tries then, of each answer equally many. Raises AnalysisError.
    """
    numbers = decision_numbers(game)
    end = monotonic() + seconds
    for place, number in enumerate(numbers):
        now = monotonic()
        yield judge(game, number, tries, now + max(0.0, end - now) / (len(numbers) - place))


def judge(game: Game, number: int, tries: int = TRIES, until: float = math.inf) -> JudgedDecision:
    """Judge one answer of a finished game. number: from 0, of `decision_numbers`; until: time by which this should end,
    on the monotonic clock: there is no second look then."""
    check_over(game)
    compared = _Comparison(game, number, tries, until)
    values, each = compared.values("judged", tries, until)
    if until == math.inf and verdict_on(compared.cost(values)) in ERRORS:
        values, each = compared.values("judged again", tries * _second_look(game, number), until)
    return compared.decision(values, each)


def glance_at(game: Game, number: int) -> float:
    """Return a rough estimate of what one answer of a finished game cost. number: from 0, of `decision_numbers`."""
    check_over(game)
    compared = _Comparison(game, number, GLANCE_TRIES, math.inf)
    values, _ = compared.values("glance", GLANCE_TRIES, math.inf)
    return compared.cost(values).mean


def explain_last(game: Game, seats: Collection[int]) -> JudgedDecision:
    """Judge the last answer of some seats beside the next best one, in a game that may go on, with what may follow it.
    Raises AnalysisError where anything is ever hidden, or where they have chosen nothing yet."""
    numbers = range(len(game.history.answers) - 1, -1, -1)
    own = (number for number in numbers if game.history.answers[number].seat in seats)
    if not can_search(game.machine) or (last := next((one for one in own if _is_choice(game, one)), None)) is None:
        raise AnalysisError(phrase("errors", "There is no move that could be explained."))
    compared = _Comparison(game, last, TRIES, math.inf, with_second=True)
    started = monotonic()
    values, each = compared.values("explained", TRIES, math.inf)
    if monotonic() - started < QUICK_SECONDS:
        values, each = compared.values("explained again", TRIES * SECOND_LOOK, math.inf)
    judged = replace(compared.decision(values, each), line=())
    first = judged.best if judged.verdict in ERRORS else judged.played
    line = _line(game, last, first.keys, LINE_TRIES)
    moves = [judged.seat, *(one.seat for one in line)]
    is_whole = all(one != other for one, other in pairwise(moves))  # and no move is answered part by part
    return replace(judged, line=line if is_whole else ())


def _second(choices: Sequence[TriedAnswer]) -> int:
    """Return the place of the choice with the second most visits; of one choice its own."""
    places = sorted(range(len(choices)), key=lambda place: -choices[place].visits)
    return places[1] if len(places) > 1 else places[0]


class _Comparison:
    """Answers to one decision of a game that are compared, the played one first. with_second: whether the second choice
    of a search is among them, too."""

    def __init__(self, game: Game, number: int, tries: int, until: float, with_second: bool = False) -> None:
        self._with_second = with_second
        self._game, self._number = game, number
        self._answered = game.history.answers[number]
        self._before = game.with_history(game.history.before(number))
        self._info_state, self._decision = self._before.known(self._answered.seat)
        self._offer = self._before.offer(self._decision)
        self._answers = self._list_answers(tries, until)

    def _list_answers(self, tries: int, until: float) -> list[list[int]]:
        """List the answer given, the one that a search finds, and of few answers all."""
        game, decision = self._game, self._decision
        choices = SeatCandidates(game.machine, decision.seat).choices(self._info_state, decision)
        names = {item: key for key, items in choices.items() for item in items}
        limit = None if until == math.inf else max(1, int(500 * (until - monotonic())))
        player = SearchPlayer(game.machine, Budget(tries, limit), evenly=limit is None, value=value_of(game.program))
        best = player.choose(self._info_state, decision, Random(f"{game.seed} {self._number} judged"))
        candidates = [best]
        if self._with_second:
            second = SearchPlayer(game.machine, Budget(tries), value=value_of(game.program), pick=_second)
            candidates.append(second.choose(self._info_state, decision, Random(f"{game.seed} {self._number} second")))
        if decision.most == 1 and len(choices) + (not decision.least) <= MAX_COMPARED:
            candidates += [items[:1] for items in choices.values()] + ([] if decision.least else [[]])
        answers = [list(self._offer.candidates_for(self._answered.keys))]
        for one in candidates:
            if not any(_same(one, other, names) for other in answers):
                answers.append(one)
        return answers

    def values(self, look: str, tries: int, until: float) -> tuple[list[list[float]], int]:
        """Return the values of all answers in each batch, and the tries of each answer. look: which one this is."""
        seed = f"{self._game.seed} {self._number} {look}"
        answer_judge = AnswerJudge(self._game.machine, self._info_state, self._decision, seed, tries)
        values = answer_judge.values(self._answers, until)
        return values, answer_judge.tries * len(values[0])

    def cost(self, values: Sequence[Sequence[float]]) -> ValueEstimate:
        """Return what the answer given is worth less than the best one."""
        best = values[_best_of(values)]
        return ValueEstimate.of([high - low for high, low in zip(best, values[0], strict=True)])

    def decision(self, values: Sequence[Sequence[float]], tries: int) -> JudgedDecision:
        """Return the decision as it is judged. tries: of each answer."""
        judged = [
            JudgedAnswer(tuple(self._offer.keys(items)), ValueEstimate.of(of_answer))
            for items, of_answer in zip(self._answers, values, strict=True)
        ]
        at_best, cost = _best_of(values), self.cost(values)
        verdict = verdict_on(cost)
        others = (one for place, one in enumerate(judged) if place not in (0, at_best))
        return JudgedDecision(
            self._number,
            self._answered.seat,
            self._before.history.present[ROUND],
            judged[0],
            judged[at_best],
            tuple(sorted(others, key=lambda one: -one.value.mean)),
            cost,
            verdict,
            tries,
            _line(self._game, self._number, judged[at_best].keys, min(tries, TRIES)) if verdict in ERRORS else (),
        )


def _best_of(values: Sequence[Sequence[float]]) -> int:
    """Return the place of the answer with the highest value; of equal ones the first."""
    means = [fmean(of_answer) for of_answer in values]
    return means.index(max(means))


def _second_look(game: Game, number: int) -> int:
    """Return by how many times more tries are made at a second look: fewer where games from there are long, so that
    all take about as long."""
    ahead = len(game.history.answers) - number
    factor = max(2, min(SECOND_LOOK, DECISIONS_SEEN // ahead))
    return factor if can_search(game.machine) else min(4, factor)


def verdict_on(cost: ValueEstimate) -> str:
    """Return the verdict on an answer by what the best one is worth more."""
    if cost.mean <= 0:
        return BEST
    if cost.mean - cost.margin <= 0:
        return CLOSE
    return next((verdict for least, verdict in COSTS if cost.mean >= least), GOOD)


def _same(one: Sequence[int], other: Sequence[int], names: dict[int, int]) -> bool:
    """Return whether the seat cannot tell two answers apart."""
    return sorted(names[item] for item in one) == sorted(names[item] for item in other)


def _is_choice(game: Game, number: int) -> bool:
    """Return whether an answer could have been another one."""
    answered = game.history.answers[number]
    before = game.with_history(game.history.before(number))
    info_state, decision = before.known(answered.seat)
    if len(decision.candidates) == decision.least:
        return False
    choices = SeatCandidates(game.machine, decision.seat).choices(info_state, decision)
    return len(choices) > 1 or decision.least != decision.most


def _line(game: Game, number: int, keys: Sequence[str], tries: int) -> tuple[LineAnswer, ...]:
    """Return the answers that a search expects after this one, until chance decides; () where anything is hidden."""
    if not can_search(game.machine):
        return ()
    following = game.with_history(game.history.before(number))
    player = SearchPlayer(game.machine, Budget(tries), evenly=True)
    line: list[LineAnswer] = []
    seat = game.history.answers[number].seat
    while True:
        rng_cells = following.history.present[RANDOM : RANDOM + RANDOM_CELLS]
        following.answer(seat, keys)
        is_chance = following.history.present[RANDOM : RANDOM + RANDOM_CELLS] != rng_cells
        if is_chance or len(line) == LINE_LENGTH or not (open_decisions := following.pending.open):
            return tuple(line)
        info_state, decision = following.known(open_decisions[0].seat)
        items = player.choose(info_state, decision, Random(f"{game.seed} {number} {len(line)}"))
        seat, keys = decision.seat, following.offer(decision).keys(items)
        line.append(LineAnswer(seat, game.program.sites[decision.site].id, tuple(keys)))
