"""Training of a learned value: games of many kinds of players, a regression, and matches that decide what is kept.

    value = learn(rules, seats=3, seconds=120)

Data come from games in which seats play differently: at random, but never idle; by what has been learned so far; and by
that with weights that are changed at random, so that it shows what each thing brings. Nothing is known of any game.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import mul
from random import Random
from time import monotonic

from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.players.choice_grouping import AnswerKey, SeatCandidates
from rulewright.players.evaluation import draw_rng_cells, share_beaten
from rulewright.players.kinds import Budget
from rulewright.players.learned_values import FeatureRows, LearnedValue, learned_executor, relative
from rulewright.players.search import SearchPlayer
from rulewright.program.bids import is_bid
from rulewright.program.state_layout import GAME_OVER, PC
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import Executor
from rulewright.runtime.operations import RuleError
from rulewright.runtime.view import ranks

MAX_ANSWERS, MAX_TURN = 4000, 400
"""Limits of answers in a game that is learned from, and in a rollout."""
FIRST_GAMES, ROUND_GAMES = 60, 40
"""Games at random, and games of each round after that."""
FIRST_SHARE = 0.3
"""Part of the time that the games at random may take."""
ROLLOUTS, BEST = 8, 2
"""Rollouts of an answer to the end of the turn, and how many of them count, the best."""
MAX_OPTIONS = 40
"""Most answers that are compared at a decision."""
RANDOM_SEATS, CHANGED_SEATS, CHANGE = 0.1, 0.5, 0.7
"""Share of seats that play at random, and of those whose weights are changed, and by how much, as a logarithm."""
SLIPS = (0.0, 0.1, 0.25)
"""Shares of answers at random, of which each game has one."""
RIDGE = 0.02
"""Force that draws weights towards those of the round before, as a share of the data."""
TRACE_DECAY = 0.9
"""Lambda, for each turn: how far what follows counts as it came, rather than as it was expected."""
POOLED_ROUNDS = 4
"""Rounds from whose games is learned, besides those at random."""
BETTER, LIKELIER = 0.62, 9.0
"""Share of duels that a better value wins, and how many times likelier that must be than an even one, or the other way
round, in a sequential test."""
USEFUL, USEFUL_LIKELIER = 0.75, 5.0
"""Likewise for a search that goes by a value against one without. Whatever is only even does no harm, and games of
searches are long, so that fewer have to do."""
SEARCH_BUDGET = Budget(milliseconds=20)
"""Budget of an answer in duels of searches."""
USE_SHARE = 0.6
"""Part of the time that may go into the question whether a value is of use at all."""
MAX_DUELS = 60
"""Most games of a test; without a decision nothing is kept."""

Weights = Sequence[float]
"""Weights of the words of a seat in a row of results."""
OnRound = Callable[[int, bool], None]
"""Callback with the number of a round, and whether its value is kept."""


@record
class PlayedGame:
    """Game that was played. positions: at each end of a turn, the features of each seat less those of the others.
    leads: of each seat, in points at the end."""

    positions: Sequence[Sequence[Sequence[float]]]
    leads: Sequence[float]


class TurnPlay:
    """Player of whole games in native code, in which each seat looks to the end of its turn only."""

    def __init__(self, machine: Machine, rng: Random) -> None:
        self._machine, self._program, self._rng = machine, machine.program, rng
        self._executor: Executor = learned_executor(machine)
        self.rows = FeatureRows(machine.program)
        self._groupings = [SeatCandidates(machine, seat) for seat in range(machine.program.layout.seats)]

    def play(self, seats: Sequence[Weights | None], slips: float, seed: int, until: float) -> PlayedGame | None:
        """Play a game; return None if it does not end, or not in time. seats: weights of each, None for one that plays
        at random; slips: share of answers at random."""
        with suppress(RuleError):
            return self._play(seats, slips, seed, until)
        return None

    def _play(self, seats: Sequence[Weights | None], slips: float, seed: int, until: float) -> PlayedGame | None:
        """Play a game as `play` does. Raises RuleError."""
        machine, executor, turn_sites = self._machine, self._executor, self._program.turn_sites
        s = machine.new(seed)
        machine.run(s)
        executor.load_state(executor.pack(s), draw_rng_cells(self._rng))
        positions: list[list[list[float]]] = []
        open_, turn = executor.resume(), -1
        for _ in range(MAX_ANSWERS):
            if not open_:
                return PlayedGame(positions, self._leads())
            if monotonic() >= until:
                return None
            decision = open_[0]
            if decision.site in turn_sites and decision.seat != turn:
                positions += [self._position()] if turn >= 0 else []
                turn = decision.seat
            weights = seats[decision.seat]
            if weights is None or self._rng.random() < slips or len(decision.candidates) == decision.least:
                answer = self._random_answer(decision)
            else:
                answer = self._best_answer(decision, weights)
            executor.answer(decision, answer)
            open_ = executor.resume()
        return None

    def _row(self) -> list[int]:
        """Return the row of the present position, which stays as it is."""
        executor = self._executor
        state, cells = executor.state_copy(), draw_rng_cells(self._rng)
        row = executor.play_on_often(1, 0, 1)[0]
        executor.load_state(state, cells)
        executor.resume()
        return row

    def _position(self) -> list[list[float]]:
        """Return the features of the present position by seat, relative to the other sides."""
        columns = zip(*self.rows.features(self._row()), strict=True)
        sides = self._program.seat_sides(self._executor.cells)
        return [list(of_seat) for of_seat in zip(*(relative(column, sides) for column in columns), strict=True)]

    def _leads(self) -> list[float]:
        """Return the lead in points of each seat's side, at present."""
        return relative(self.rows.points(self._row()), self._program.seat_sides(self._executor.cells))

    def _random_answer(self, decision: OpenDecision) -> list[int]:
        """Return a random answer that is not idle: something is chosen, except that half the bids are declined."""
        candidates, rng = decision.candidates, self._rng
        least = decision.least or (round(rng.random()) if is_bid(self._program, decision.site) else 1)
        least = min(least, len(candidates), decision.most)
        number = least if least == decision.most else rng.randint(least, max(least, decision.most))
        places = sorted(rng.sample(range(len(candidates)), min(number, len(candidates))))
        return [candidates[place] for place in places]

    def _best_answer(self, decision: OpenDecision, weights: Weights) -> list[int]:
        """Return the answer after which the best rollouts to the end of the turn are worth most."""
        executor, seat, rng = self._executor, decision.seat, self._rng
        choices = self._groupings[seat].choices(executor.cells, decision)
        state, cells, seed = executor.state_copy(), draw_rng_cells(rng), rng.randrange(2**53)
        options = self._options(decision, choices)
        sides = self._program.seat_sides(self._executor.cells)
        best, most = options[0], -math.inf
        for option in options if len(options) > 1 else ():
            executor.load_state(state, cells)
            executor.answer(decision, option)
            rows = executor.play_on_often(seed, MAX_TURN, ROLLOUTS, turn=seat)
            ends = sorted(relative(self.rows.totals(row, weights), sides)[seat] for row in rows)
            if (worth := sum(ends[-BEST:])) > most:
                best, most = option, worth
        executor.load_state(state, draw_rng_cells(rng))
        executor.resume()
        return best

    def _options(self, decision: OpenDecision, choices: Mapping[AnswerKey, Sequence[int]]) -> list[list[int]]:
        """Return some answers to choose from."""
        if decision.least > 1:
            return [self._random_answer(decision) for _ in range(ROLLOUTS)]
        options = [[items[0]] for items in choices.values()]
        if decision.least == 0:
            options.append([])
        return self._rng.sample(options, min(len(options), MAX_OPTIONS))


# ── learning ──


def fit(games: Sequence[PlayedGame], anchor: Sequence[float] | None) -> list[float]:
    """Return weights of features that tell how the leads go on, by temporal differences with least squares, LSTD(λ).

    What has just been given for something else is worth about as much: that tells more than the far end of a game.
    anchor: weights to which they are drawn, or None for zeros.
    """
    width = len(games[0].positions[0][0])
    anchor = anchor or [0.0] * width
    matrix, right = [[0.0] * width for _ in range(width)], [0.0] * width
    sizes = [1e-6] * width
    for game in games:
        for seat, lead in enumerate(game.leads):
            trace = [0.0] * width
            states = [position[seat] for position in game.positions]
            for now, later in zip(states, [*states[1:], None], strict=True):
                trace = [TRACE_DECAY * old + value for old, value in zip(trace, now, strict=True)]
                change = now if later is None else [a - b for a, b in zip(now, later, strict=True)]
                error = (lead if later is None else 0.0) - sum(map(mul, anchor, change))
                moved = [(place, value) for place, value in enumerate(change) if value]
                for place, weight in enumerate(trace):
                    if weight:
                        right[place] += weight * error
                        line = matrix[place]
                        for other, value in moved:
                            line[other] += weight * value
                for place, value in enumerate(now):
                    sizes[place] += value * value
    for place, size in enumerate(sizes):
        matrix[place][place] += RIDGE * size
    return [old + change for old, change in zip(anchor, _solve(matrix, right), strict=True)]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations by elimination."""
    size, lines = len(right), [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for place in range(size):
        best = max(range(place, size), key=lambda number: abs(lines[number][place]))
        lines[place], lines[best] = lines[best], lines[place]
        pivot = lines[place][place] or 1.0
        for number in range(place + 1, size):
            if factor := lines[number][place] / pivot:
                lines[number] = [a - factor * b for a, b in zip(lines[number], lines[place], strict=True)]
    result = [0.0] * size
    for place in reversed(range(size)):
        rest = sum(lines[place][other] * result[other] for other in range(place + 1, size))
        result[place] = (lines[place][size] - rest) / (lines[place][place] or 1.0)
    return result


def is_better(results: Iterator[float], share: float = BETTER, likelier: float = LIKELIER) -> bool:
    """Return whether one that wins duels with these results, from 0 to 1, is better than its rival.

    It is Wald's sequential probability ratio test of a share of wins against even."""
    ratio = 0.0
    for _ in range(MAX_DUELS):
        result = next(results, None)
        if result is None:
            return False
        ratio += result * math.log(share / 0.5) + (1 - result) * math.log((1 - share) / 0.5)
        if abs(ratio) >= math.log(likelier):
            break
    return ratio >= math.log(likelier)


class ValueTrainer:
    """Trainer of values for one edition, and a number of seats."""

    def __init__(self, rules: Rules, seats: int, rng: Random, until: float) -> None:
        self._rules, self._rng, self._until = rules, rng, until
        self._seats = range(seats)
        self._play = TurnPlay(rules.machine(seats), rng)
        self._first: list[PlayedGame] = []
        self._rounds: list[list[PlayedGame]] = []
        self._values: list[list[float]] = []

    def begin(self, until: float) -> bool:
        """Learn from games at random; return whether any of them ends with somebody ahead."""
        while len(self._first) < FIRST_GAMES and monotonic() < until:
            game = self._play.play([None for _ in self._seats], 0.0, self._seed(), self._until)
            if game is None:
                break
            self._first.append(game)
        if not any(game.positions and any(game.leads) for game in self._first):
            return False
        self._values.append(fit(self._first, None))
        return True

    def advance(self) -> bool:
        """Play a round and learn from it; return whether what was learned is better."""
        games: list[PlayedGame] = []
        for _ in range(ROUND_GAMES):
            game = self._play.play(self._mixture(), self._rng.choice(SLIPS), self._seed(), self._until)
            games += [game] if game is not None else []
        self._rounds.append(games)
        pool = [game for some in self._rounds[-POOLED_ROUNDS:] for game in some]
        new = fit([*self._first, *pool], self._values[-1])
        if is_better(self._duels(new, self._values[-1])):
            self._values.append(new)
            return True
        return False

    def value(self) -> LearnedValue:
        """Return the value learned so far."""
        names = self._play.rows.names
        weights = {name: weight for name, weight in zip(names, self._values[-1], strict=True) if abs(weight) > 1e-9}
        return LearnedValue(self._rules.title, self._rules.play_digest, weights)

    def _mixture(self) -> list[Weights | None]:
        """Return the weights of each seat of a game: of the last two values, some changed at random; None for a seat
        that plays at random."""
        rng, seats = self._rng, list[Weights | None]()
        for _ in self._seats:
            weights = rng.choice(self._values[-2:])
            if rng.random() < CHANGED_SEATS:
                weights = [weight * math.exp(rng.gauss(0, CHANGE)) for weight in weights]
            seats.append(None if rng.random() < RANDOM_SEATS else self._padded(weights))
        return seats

    def _padded(self, weights: Sequence[float]) -> list[float]:
        """Return weights of features as those of a seat's words in a row."""
        value = LearnedValue("", "", dict(zip(self._play.rows.names, weights, strict=True)))
        return self._play.rows.weights(value)

    def _duels(self, new: Sequence[float], old: Sequence[float]) -> Iterator[float]:
        """Yield whether a seat with new weights comes out ahead of the average of others with old ones: 1, 0, or a half
        if neither."""
        for number in range(MAX_DUELS):
            seats: list[Weights | None] = [self._padded(old) for _ in self._seats]
            own = number % len(seats)
            seats[own] = self._padded(new)
            game = self._play.play(seats, 0.0, self._seed(), self._until)
            if game is None:
                return
            lead = game.leads[own]
            yield 0.5 if not lead else float(lead > 0)

    def _seed(self) -> int:
        return self._rng.randrange(2**31)


def search_duels(machine: Machine, value: LearnedValue, rng: Random, until: float) -> Iterator[float]:
    """Yield the share of others that a search which goes by a value has beaten, in games with others that do not."""
    seats = range(machine.program.layout.seats)
    plain, learned = SearchPlayer(machine, SEARCH_BUDGET), SearchPlayer(machine, SEARCH_BUDGET, value=value)
    for number in range(MAX_DUELS):
        own, s = number % len(seats), machine.new(rng.randrange(2**31))
        with suppress(RuleError):
            for _ in range(MAX_ANSWERS):
                if monotonic() >= until:
                    return
                open_ = machine.run(s)
                if not open_:
                    break
                decision = open_[0]
                player = learned if decision.seat == own else plain
                known = information_state(machine, s, decision.seat)
                machine.answer(s, decision, player.choose(known, decision, rng))
            placed = ranks(machine, s)
            places, sides = [placed.get(seat, 0) for seat in seats], [machine.program.side(s, seat) for seat in seats]
            yield share_beaten(places, sides, own) if s[PC] == GAME_OVER else 0.0


def learn(
    rules: Rules, seats: int, seconds: float, seed: int = 1, report: OnRound | None = None
) -> LearnedValue | None:
    """Learn a value of an edition for this time; return None where games do not end, nobody is ever ahead, or a search
    does not play better by what is learned."""
    start, rng = monotonic(), Random(seed)
    trainer = ValueTrainer(rules, seats, rng, start + seconds)
    if not trainer.begin(start + FIRST_SHARE * seconds):
        return None
    duels = search_duels(rules.machine(seats), trainer.value(), rng, start + (FIRST_SHARE + USE_SHARE) * seconds)
    if not is_better(duels, USEFUL, USEFUL_LIKELIER):
        return None
    number = 0
    while monotonic() < start + seconds:
        better = trainer.advance()
        number += 1
        if report is not None:
            report(number, better)
    return trainer.value()
