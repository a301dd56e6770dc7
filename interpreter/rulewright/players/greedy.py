"""Greedy player: looks one step ahead, at what an answer does to the scores until the seat's next decision.

Others answer at random in its trials. But where seats outbid each other, an amount is binding in the trial: others
raise as little as they may, so that a seat that names more than it has sees the result. What it can do with what it has
won counts then as well, and of equal amounts it names the least.

Answers that leave it equally far ahead are played out at random. Where others will be asked for amounts as well, they
name in these playouts what would bring most points if all named the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from random import Random
from time import monotonic

from rulewright.players.choice_grouping import AnswerKey, SeatCandidates, answer_of
from rulewright.players.playouts import Playouts
from rulewright.program.state_layout import PHASE, ROUND
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import OutOfTime, RuleError
from rulewright.runtime.state import State, clone

TRIALS = 48
"""Trials over all choices of a decision, about."""
MAX_WORLDS = 8
"""Maximum number of sampled states in which answers are compared."""
MANY_AMOUNTS = 8
"""Amounts of which all are tried; of more, some."""
NARROWING_STEPS = 4
"""Steps towards the best of many amounts."""
MAX_OTHER_ANSWERS = 40
"""Limit of answers of others in one trial."""
MAX_PATHS, MAX_OWN_ANSWERS = 8, 6
"""Limits of what is tried with what an amount has won: paths, and answers on each."""
OWN_COUNT_WEIGHT = 2**-20
"""Weight of the seat's own count beside the lead."""
SETTLING_WORLDS = 6
"""Sampled states in which equal answers are played out."""
COMMON_WORLDS = 4
"""Sampled states in which an amount is looked for that all could name."""
NEXT_DECISION_VALUE = 1 / 64
"""Value of another decision, beside what comes of it: it is preferred to what is as good."""


class GreedyPlayer:
    """Player that tries each choice in the same few determinizations and takes one of the best at random; of many
    amounts it tries some. milliseconds: limit for thinking, or None; at the limit it decides by what it has tried so
    far."""

    def __init__(self, machine: Machine, milliseconds: int | None = None) -> None:
        self._machine = machine
        self._seconds = math.inf if milliseconds is None else milliseconds / 1000

    def choose(self, info_state: State, decision: OpenDecision, rng: Random, until: float = math.inf) -> list[int]:
        """Choose as `Player.choose` does. until: time limit, on the monotonic clock."""
        until = min(until, monotonic() + self._seconds)
        choices = SeatCandidates(self._machine, decision.seat).choices(info_state, decision)
        if sum(map(len, choices.values())) == decision.least or len(choices) == 1 == decision.least == decision.most:
            return list(decision.candidates[: decision.least])
        site = self._machine.program.sites[decision.site]
        raises = site.element.base == "number" and site.remaining_seats >= 0
        many = len(choices) > MANY_AMOUNTS and site.element.base == "number"
        worlds_tried = max(1, min(MAX_WORLDS, TRIALS // (MANY_AMOUNTS if many else len(choices))))
        trials = self._prepare_trials(info_state, decision, worlds_tried, rng, until)
        keys: list[AnswerKey] = []
        best: float | None = None
        settling: _Settling | None = None
        while len(keys) < decision.most:
            further = [key for key, items in choices.items() if keys.count(key) < len(items)]
            if len(keys) >= max(1, decision.least) and monotonic() >= until:
                break
            if many:
                leads, worlds = self._lead_sums_of_amounts(trials, keys, further, until), trials
            else:
                leads, worlds = self._lead_sums(trials, keys, further, until)
            best_lead, _, key = max((gained, -key if raises else rng.random(), key) for key, gained in leads.items())
            equal = [key for key, gained in leads.items() if gained == best_lead]
            equal = further if many and len(equal) == len(leads) else equal
            may_stop = False
            if len(keys) >= decision.least:
                if best is None:
                    best = sum(trial.average_lead(keys) for trial in worlds)
                if best_lead < best:
                    break
                may_stop = best_lead == best
            if len(equal) + may_stop > 1 and not raises:
                if settling is None:
                    further_trials = self._prepare_trials(info_state, decision, SETTLING_WORLDS, rng, until)
                    settling = _Settling(self._machine, further_trials, rng, until)
                answers = [[*keys, one] for one in equal] + ([keys] if may_stop else [])
                answer = settling.best(answers)
                if answer == keys:
                    break
                key = answer[-1]
            elif may_stop and rng.random() < 0.5:
                break
            keys.append(key)
            best = best_lead
        return answer_of(choices, keys, decision)

    def precedes_other_amounts(self, info_state: State, decision: OpenDecision, rng: Random) -> bool:
        """Return whether the seat is asked for an amount, and others for theirs right after it, without outbidding."""
        site = self._machine.program.sites[decision.site]
        if site.element.base != "number" or site.remaining_seats >= 0:
            return False
        trials = self._prepare_trials(info_state, decision, 1, rng, math.inf)
        return any(trial.asks_others_for_amounts for trial in trials)

    def _lead_sums(
        self, trials: list[_Trial], keys: Sequence[AnswerKey], further: Sequence[AnswerKey], until: float
    ) -> tuple[dict[AnswerKey, float], list[_Trial]]:
        """Return the sum of leads for each further pick, and the trials that count: as many as there is time for.
        Without time for even one, some picks are left out."""
        leads: dict[AnswerKey, float] = dict.fromkeys(further, 0.0)
        order = further if until == math.inf else Random(len(further)).sample(further, len(further))
        for number, trial in enumerate(trials):
            in_trial: dict[AnswerKey, float] = {}
            for key in order:
                if (number or in_trial) and monotonic() >= until:
                    break
                in_trial[key] = trial.average_lead([*keys, key])
            if number and len(in_trial) < len(further):
                return leads, trials[:number]
            leads = {key: leads[key] + in_trial[key] for key in further if key in in_trial}
            if len(leads) < len(further):
                return leads, trials[:1]
        return leads, trials

    def _lead_sums_of_amounts(
        self, trials: list[_Trial], keys: Sequence[AnswerKey], further: Sequence[AnswerKey], until: float
    ) -> dict[AnswerKey, float]:
        """Return the sum of leads for some of many amounts; those without time get the least."""
        evaluated = 0

        def lead_of_amount(key: AnswerKey) -> float:
            nonlocal evaluated
            evaluated += 1
            if evaluated > 1 and monotonic() >= until:
                return -math.inf
            return sum(trial.average_lead([*keys, key]) for trial in trials)

        return search_amounts(sorted(further), lead_of_amount)

    def _prepare_trials(
        self, info_state: State, decision: OpenDecision, count: int, rng: Random, until: float
    ) -> list[_Trial]:
        """Return a trial for each of so many determinizations, or as many as the time allows."""
        worlds = Determinizer(self._machine, info_state, decision.seat)
        trials: list[_Trial] = []
        for _ in range(count):
            if trials and monotonic() >= until:
                break
            with suppress(RuleError):  # a position that the rules never come to
                trials.append(_Trial(self._machine, worlds.draw(rng), decision.seat, rng))
        return trials


class _Settling:
    """Playouts of answers that leave the seat equally far ahead."""

    def __init__(self, machine: Machine, trials: list[_Trial], rng: Random, until: float) -> None:
        self._trials, self._rng, self._until = trials, rng, until
        self._playouts = Playouts(machine, [trial.world for trial in trials], rng, until) if trials else None
        self._of_others: int | None = None
        if self._playouts is not None and self._playouts.has_time and any(t.asks_others_for_amounts for t in trials):
            self._of_others = self._common_amount()

    def best(self, answers: Sequence[list[AnswerKey]]) -> list[AnswerKey]:
        """Return the answer of which random play makes most; one at random where there is no time for it."""
        order = self._rng.sample(range(len(answers)), len(answers))
        totals = dict.fromkeys(order[:1], 0.0)
        for trial in self._trials if self._playouts is not None and self._playouts.has_time else ():
            values: dict[int, float] = {}
            for number in order:
                if monotonic() >= self._until:
                    break
                values[number] = self._value(trial, answers[number], self._of_others)
            if len(values) < len(answers) and trial is not self._trials[0]:
                break
            totals = {number: totals.get(number, 0.0) + value for number, value in values.items()} or totals
        return answers[max(totals, key=totals.__getitem__)]

    def _value(self, trial: _Trial, keys: Sequence[AnswerKey], others: int | None) -> float:
        """Return what an answer is worth by rollouts; 0 where they fail or time is over."""
        assert self._playouts is not None
        with suppress(RuleError, OutOfTime):
            return self._playouts.value(trial.state_after(keys, others), trial.seat)
        return 0.0

    def _common_amount(self) -> int | None:
        """Return the amount that would bring the seat most points if all named the same."""
        points: dict[int, float] = {}
        for trial in self._trials[:COMMON_WORLDS]:
            if monotonic() >= self._until:
                break
            for amount in trial.some_amounts():
                with suppress(RuleError, OutOfTime):
                    assert self._playouts is not None
                    gained = self._playouts.points(trial.state_after([amount], amount), trial.seat)
                    points[amount] = points.get(amount, 0.0) + gained
        return max(points, key=points.__getitem__) if points else None


def search_amounts(amounts: Sequence[int], worth: Callable[[int], float]) -> dict[int, float]:
    """Return what some of many ascending amounts are worth, by amount: the least, the greatest, some in doubling steps,
    then some between the best and those beside them."""
    indices = {0, len(amounts) - 1} | {2**step for step in range(len(amounts).bit_length()) if 2**step < len(amounts)}
    worths = {index: worth(amounts[index]) for index in sorted(indices)}
    for _ in range(NARROWING_STEPS):
        best = max(worths.values())
        edges = [
            (low + high) // 2
            for low, high in pairwise(sorted(worths))
            if high - low > 1 and (worths[low] == best) != (worths[high] == best)
        ]
        worths |= {index: worth(amounts[index]) for index in edges}
    return {amounts[index]: lead for index, lead in worths.items()}


class _Trial:
    """One determinization in which answers are tried."""

    def __init__(self, machine: Machine, world: State, seat: int, rng: Random) -> None:
        self._machine, self.world, self.seat = machine, world, seat
        self._seed = int(rng.random() * 2**53)  # the others answer alike, whatever is tried
        open_ = machine.open_decisions(world)
        self._decision = next((question for question in open_ if question.seat == seat), None)
        self._options = SeatCandidates(machine, seat).choices(world, self._decision) if self._decision else {}
        # A partial answer is completed with other candidates, which differ between determinizations.
        self._rest = sorted(self._decision.candidates, key=lambda _: rng.random()) if self._decision else []
        self._bids = self._is_bidding()
        self._uses: dict[bool, float] = {}

    def _is_bidding(self) -> bool:
        """Return whether the seat must name an amount in a round of bids, or would after one of its answers."""
        decision = self._decision
        if decision is None or self._machine.program.sites[decision.site].remaining_seats < 0:
            return False
        if self._machine.program.sites[decision.site].element.base != "branch" or decision.most != 1:
            return self._is_amount(decision)
        for key in self._options:
            with suppress(RuleError):
                if self._next_amount_decision(self._after_answer(decision, [key])) is not None:
                    return True
        return False

    def some_amounts(self) -> list[int]:
        """Return the amounts that the seat may name; of many, from two to four times MANY_AMOUNTS, spread evenly."""
        amounts = sorted(self._options)
        return amounts[:: max(1, len(amounts) // (2 * MANY_AMOUNTS))]

    def average_lead(self, keys: Sequence[AnswerKey]) -> float:
        """Return the seat's average lead over the others after an answer."""
        decision = self._decision
        if decision is None or self._lacks(keys):
            return 0.0
        try:
            s = self._after_answer(decision, keys)
            if not self._bids:
                return self._play_on(s)
            amount = self._next_amount_decision(s)
            if amount is None:
                return self._lead_if_accepted(s, has_named=self._is_amount(decision) and bool(keys))
            ends: list[float] = []
            for item in (amount.candidates[0], amount.candidates[-1]):
                after = clone(s)
                self._machine.answer(after, amount, (item,))
                ends.append(self._lead_if_accepted(after, has_named=True))
            return max(ends)
        except RuleError:
            return 0.0

    def _lacks(self, keys: Sequence[AnswerKey]) -> bool:
        """Return whether this world does not offer all of an answer: what is offered may follow from hidden pieces."""
        return any(keys.count(key) > len(self._options.get(key, ())) for key in keys)

    def _after_answer(self, decision: OpenDecision, keys: Sequence[AnswerKey]) -> State:
        """Return the state after an answer, completed to the least number of items."""
        s = clone(self.world)
        items = answer_of(self._options, keys, decision)
        items += [item for item in self._rest if item not in items][: max(0, decision.least - len(items))]
        self._machine.answer(s, decision, items)
        return s

    def _next_amount_decision(self, s: State) -> OpenDecision | None:
        """Return the seat's next decision if it is for an amount. Raises RuleError."""
        open_ = self._machine.run(s)
        if len(open_) != 1 or open_[0].seat != self.seat or not open_[0].least == open_[0].most == 1:
            return None
        return open_[0] if self._is_amount(open_[0]) else None

    @cached_property
    def asks_others_for_amounts(self) -> bool:
        """Whether others are asked for an amount at the same place, after the seat's or at once."""
        decision = self._decision
        if decision is None or not self._is_amount(decision):
            return False
        with suppress(RuleError):
            s = self._after_answer(decision, list(self._options)[: decision.least])
            self._machine.run(s)
            return bool(self._amounts_of_others(s, decision))
        return False

    def state_after(self, keys: Sequence[AnswerKey], others: int | None = None) -> State:
        """Return the state after an answer. others: amount that others name who are asked for theirs next, or the
        nearest to it that they may name. Raises RuleError."""
        if self._decision is None or self._lacks(keys):
            raise RuleError("In this world the seat cannot answer so.")
        s = self._after_answer(self._decision, keys)
        if others is None:
            return s
        for _ in range(MAX_OTHER_ANSWERS):
            self._machine.run(s)
            open_ = self._amounts_of_others(s, self._decision)
            if not open_:
                break
            for question in open_:
                self._machine.answer(s, question, [min(question.candidates, key=lambda item: abs(item - others))])
        return s

    def _amounts_of_others(self, s: State, decision: OpenDecision) -> list[OpenDecision]:
        """Return the open decisions of others for an amount that are asked like one of the seat's."""
        open_ = self._machine.open_decisions(s)
        return [question for question in open_ if question.site == decision.site and question.seat != self.seat]

    def _is_amount(self, decision: OpenDecision) -> bool:
        return self._machine.program.sites[decision.site].element.base == "number"

    def _play_on(self, s: State) -> float:
        """Return the lead at the seat's next decision, or at the end of the phase. Raises RuleError."""
        machine, now = self._machine, (s[ROUND], s[PHASE])
        chance = Random(self._seed).random
        for _ in range(MAX_OTHER_ANSWERS):
            open_ = machine.run(s)
            if not open_ or (s[ROUND], s[PHASE]) != now or any(question.seat == self.seat for question in open_):
                break
            for question in open_:
                machine.answer(s, question, machine.random_answer(s, question, chance))
        return lead_of(machine, s, self.seat)

    def _lead_if_accepted(self, s: State, *, has_named: bool) -> float:
        """Return the lead once others have accepted an amount, and what the seat can add to it if it has a decision
        then.

        The others decline where they may, and else take the last candidates: often that is to pass. has_named: whether
        the seat has named the amount, rather than passed.

        Raises RuleError.
        """
        machine, now = self._machine, (s[ROUND], s[PHASE])
        for _ in range(MAX_OTHER_ANSWERS):
            open_ = machine.run(s)
            if not open_ or (s[ROUND], s[PHASE]) != now:
                break
            if any(question.seat == self.seat for question in open_):
                lead = lead_of(machine, s, self.seat)
                if has_named not in self._uses:  # once: what is won is the same, whatever is paid for it
                    self._uses[has_named] = self._best_lead_alone(s) - lead
                return lead + self._uses[has_named] + NEXT_DECISION_VALUE
            if any(machine.program.sites[question.site].remaining_seats < 0 for question in open_):
                break
            for question in open_:
                machine.answer(s, question, question.candidates[len(question.candidates) - question.least :])
        return lead_of(machine, s, self.seat)

    def _best_lead_alone(self, s: State) -> float:
        """Return the greatest lead on some paths on which only this seat decides."""
        machine, now = self._machine, (s[ROUND], s[PHASE])
        best = lead_of(machine, s, self.seat)
        for way in range(MAX_PATHS):
            chance, further = Random(self._seed + way).random, clone(s)
            with suppress(RuleError):
                for _ in range(MAX_OWN_ANSWERS):
                    for question in machine.open_decisions(further):
                        machine.answer(further, question, machine.random_answer(further, question, chance))
                    open_ = machine.run(further)
                    best = max(best, lead_of(machine, further, self.seat))
                    if (further[ROUND], further[PHASE]) != now or {question.seat for question in open_} != {self.seat}:
                        break
        return best


def ranking_counts(machine: Machine, s: State) -> dict[int, int]:
    """Return the first criterion of the edition's ranking for each scored seat: that of the best of its side."""
    program, layout = machine.program, machine.program.layout
    counts_by_seat: dict[int, int] = {}
    for seat in range(layout.seats):
        role = s[layout.role + seat]
        if program.ranking and (role < 0 or program.roles[role] not in program.unscored_roles):
            counts_by_seat[seat] = machine.call(program.ranking[0], s, seat)[0][0]
    best: dict[int, int] = {}
    for seat, count in counts_by_seat.items():
        side = program.side(s, seat)
        best[side] = max(count, best.get(side, count))
    return {seat: best[program.side(s, seat)] for seat in counts_by_seat}


def lead_of(machine: Machine, s: State, seat: int) -> float:
    """Return how far a seat is ahead of the average of the others, by the first criterion of the edition's ranking.

    Of equal leads the one with the larger count is better: where all play together, nothing else differs.
    """
    counts_by_seat = ranking_counts(machine, s)
    if seat not in counts_by_seat:
        return 0.0
    side = machine.program.side
    others = [count for other, count in counts_by_seat.items() if side(s, other) != side(s, seat)]
    lead = counts_by_seat[seat] - (sum(others) / len(others) if others else 0)
    return lead + OWN_COUNT_WEIGHT * counts_by_seat[seat]
