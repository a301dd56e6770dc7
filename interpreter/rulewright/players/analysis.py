"""Analysis of a finished game: every decision judged from what its seat knew then, played answer beside best one.

A search finds the best answer; then it and the played one are tried anew, equally often (see `answer_values`): the best
of noisy numbers would invent mistakes. What others hold, and what chance brought later, changes no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
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
from rulewright.players.tree_search import can_search
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS, ROUND

TRIES = 600
"""Usual tries of each answer that is judged."""
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
    - played, best: the answer given and the one that a search finds
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
    on the monotonic clock."""
    check_over(game)
    answered = game.history.answers[number]
    before = game.with_history(game.history.before(number))
    info_state, decision = before.known(answered.seat)
    offer = before.offer(decision)
    seed = f"{game.seed} {number} judged"
    choices = SeatCandidates(game.machine, decision.seat).choices(info_state, decision)
    names = {item: key for key, items in choices.items() for item in items}
    played = offer.candidates_for(answered.keys)
    limit = None if until == math.inf else max(1, int(500 * (until - monotonic())))
    player = SearchPlayer(game.machine, Budget(tries, limit), evenly=limit is None, value=value_of(game.program))
    best = player.choose(info_state, decision, Random(seed))
    answers = [played]
    if _same(best, played, names):
        best = played
    else:
        answers.append(best)
    if decision.most == 1 and len(choices) + (not decision.least) <= MAX_COMPARED:
        all_answers = [items[:1] for items in choices.values()] + ([] if decision.least else [[]])
        answers += [one for one in all_answers if not any(_same(one, other, names) for other in answers)]
    judge_ = AnswerJudge(game.machine, info_state, decision, seed, tries)
    values = judge_.values(answers, until)
    estimates = [ValueEstimate.of(of_answer) for of_answer in values]
    judged = [JudgedAnswer(tuple(offer.keys(items)), value) for items, value in zip(answers, estimates, strict=True)]
    at_best = answers.index(best)
    cost = ValueEstimate.of([high - low for high, low in zip(values[at_best], values[0], strict=True)])
    verdict = BEST if at_best == 0 else verdict_on(cost)
    others = sorted(
        (one for place, one in enumerate(judged) if place not in (0, at_best)), key=lambda one: -one.value.mean
    )
    return JudgedDecision(
        number,
        answered.seat,
        before.history.present[ROUND],
        judged[0],
        judged[at_best],
        tuple(others),
        cost,
        verdict,
        judge_.tries * len(values[0]),
        _line(game, number, judged[at_best].keys, tries) if verdict in ERRORS else (),
    )


def verdict_on(cost: ValueEstimate) -> str:
    """Return the verdict on an answer other than the one that a search takes for the best; BEST if surely no worse."""
    if cost.mean <= 0 and not cost.margin:
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
