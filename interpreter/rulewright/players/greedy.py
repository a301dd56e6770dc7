"""A player that looks one step ahead: what does an answer do to the scores, until it is asked again?

Others answer at random in its trials. But where seats name amounts one after the other, it is taken at its word: others
add as little as they may, so that whoever names more than it has sees what comes of that. Then what it can do with what
it has won counts as well, and of amounts that come to the same it names the least.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from random import Random
from time import monotonic

from rulewright.players.choice_grouping import AnswerKey, Eyes, answer_of
from rulewright.program.form import PHASE, ROUND
from rulewright.runtime.information_state import Worlds
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State, clone

TRIALS = 48  # of all options of a decision, about
MOST_WORLDS = 8
MANY_AMOUNTS = 8  # more are not all tried
NARROWED = 4  # times, towards the best of many amounts
FURTHER_ANSWERS = 40  # of others, in one trial
WAYS_ON, OWN_ANSWERS = 8, 6  # that are tried with what an amount has won, and answers on each
OWN_COUNT = 2**-20  # what a seat's own count is worth beside its lead
TIES_BROKEN = 1 / 64  # what it is worth to decide again, beside what comes of that: it is preferred to what is as good


class GreedyPlayer:
    """Tries each option in the same few worlds, and takes one of the best at random; of many amounts it tries some.

    milliseconds: for which it may think, or None: then it decides by what it has tried until then.
    """

    def __init__(self, machine: Machine, milliseconds: int | None = None) -> None:
        self._machine = machine
        self._seconds = math.inf if milliseconds is None else milliseconds / 1000

    def choose(self, sight: State, asked: OpenDecision, rng: Random, until: float = math.inf) -> list[int]:
        """As `Player.choose`. until: when it has to be done, on the monotonic clock."""
        until = min(until, monotonic() + self._seconds)
        options = Eyes(self._machine, asked.seat).options(sight, asked)
        if sum(map(len, options.values())) == asked.least or len(options) == 1 == asked.least == asked.most:
            return list(asked.candidates[: asked.least])
        site = self._machine.program.sites[asked.site]
        raises = site.element.base == "number" and site.among >= 0
        many = len(options) > MANY_AMOUNTS and site.element.base == "number"
        trials = self._trials(sight, asked, MANY_AMOUNTS if many else len(options), rng, until)
        keys: list[AnswerKey] = []
        best: float | None = None
        while len(keys) < asked.most:
            further = [key for key, items in options.items() if keys.count(key) < len(items)]
            if len(keys) >= max(1, asked.least) and monotonic() >= until:
                break
            if many:
                leads, worlds = self._sought(trials, keys, further, until), trials
            else:
                leads, worlds = self._leads(trials, keys, further, until)
            gained, _, key = max((gained, -key if raises else rng.random(), key) for key, gained in leads.items())
            if len(keys) >= asked.least:
                if best is None:
                    best = sum(trial.lead(keys) for trial in worlds)
                if gained < best or (gained == best and rng.random() < 0.5):
                    break
            keys.append(key)
            best = gained
        return answer_of(options, keys, asked)

    def _leads(
        self, trials: list[_Trial], keys: Sequence[AnswerKey], further: Sequence[AnswerKey], until: float
    ) -> tuple[dict[AnswerKey, float], list[_Trial]]:
        """What each further pick comes to, and in which worlds: as many as there is time for. Where that is not even
        one, some picks are left out."""
        leads: dict[AnswerKey, float] = dict.fromkeys(further, 0.0)
        order = further if until == math.inf else Random(len(further)).sample(further, len(further))
        for number, trial in enumerate(trials):
            found: dict[AnswerKey, float] = {}
            for key in order:
                if (number or found) and monotonic() >= until:
                    break
                found[key] = trial.lead([*keys, key])
            if number and len(found) < len(further):
                return leads, trials[:number]
            leads = {key: leads[key] + found[key] for key in further if key in found}
            if len(leads) < len(further):
                return leads, trials[:1]
        return leads, trials

    def _sought(
        self, trials: list[_Trial], keys: Sequence[AnswerKey], further: Sequence[AnswerKey], until: float
    ) -> dict[AnswerKey, float]:
        """What some of many amounts come to; what there is no time for comes last."""
        looked = 0

        def lead(key: AnswerKey) -> float:
            nonlocal looked
            looked += 1
            if looked > 1 and monotonic() >= until:
                return -math.inf
            return sum(trial.lead([*keys, key]) for trial in trials)

        return sought(sorted(further), lead)

    def _trials(self, sight: State, asked: OpenDecision, options: int, rng: Random, until: float) -> list[_Trial]:
        worlds = Worlds(self._machine, sight, asked.seat)
        trials: list[_Trial] = []
        for _ in range(max(1, min(MOST_WORLDS, TRIALS // options))):
            if trials and monotonic() >= until:
                break
            with suppress(RuleError):  # a position that the rules never come to
                trials.append(_Trial(self._machine, worlds.draw(rng), asked.seat, rng))
        return trials


def sought(amounts: Sequence[int], worth: Callable[[int], float]) -> dict[int, float]:
    """What some of many amounts, which go up, are worth: the least, the greatest, some in steps that double, and then
    those beside the best."""
    places = {0, len(amounts) - 1} | {2**step for step in range(len(amounts).bit_length()) if 2**step < len(amounts)}
    found = {place: worth(amounts[place]) for place in sorted(places)}
    for _ in range(NARROWED):
        best = max(found.values())
        edges = [
            (low + high) // 2
            for low, high in pairwise(sorted(found))
            if high - low > 1 and (found[low] == best) != (found[high] == best)
        ]
        found |= {place: worth(amounts[place]) for place in edges}
    return {amounts[place]: lead for place, lead in found.items()}


class _Trial:
    """One world in which answers are tried."""

    def __init__(self, machine: Machine, world: State, seat: int, rng: Random) -> None:
        self._machine, self._world, self._seat = machine, world, seat
        self._luck = int(rng.random() * 2**53)  # the others answer alike, whatever is tried
        open_ = machine.asked(world)
        self._asked = next((asked for asked in open_ if asked.seat == seat), None)
        self._options = Eyes(machine, seat).options(world, self._asked) if self._asked else {}
        # An answer of which a part is tried is made whole with others, never the same in all worlds.
        self._rest = sorted(self._asked.candidates, key=lambda _: rng.random()) if self._asked else []
        self._outbids = self._may_outbid()
        self._uses: dict[bool, float] = {}

    def _may_outbid(self) -> bool:
        """Whether the seat is asked for an amount by one who goes round, or would be by one of its answers."""
        asked = self._asked
        if asked is None or self._machine.program.sites[asked.site].among < 0:
            return False
        if self._machine.program.sites[asked.site].element.base != "branch" or asked.most != 1:
            return self._is_amount(asked)
        for key in self._options:
            with suppress(RuleError):
                if self._amount(self._answered(asked, [key])) is not None:
                    return True
        return False

    def lead(self, keys: Sequence[AnswerKey]) -> float:
        """How far the seat is ahead of the others, on average, after an answer."""
        asked = self._asked
        if asked is None or any(keys.count(key) > len(self._options.get(key, ())) for key in keys):
            return 0.0
        try:
            s = self._answered(asked, keys)
            if not self._outbids:
                return self._come_to(s)
            amount = self._amount(s)
            if amount is None:
                return self._let_stand(s, named=self._is_amount(asked) and bool(keys))
            ends: list[float] = []
            for item in (amount.candidates[0], amount.candidates[-1]):
                named = clone(s)
                self._machine.answer(named, amount, (item,))
                ends.append(self._let_stand(named, named=True))
            return max(ends)
        except RuleError:
            return 0.0

    def _answered(self, asked: OpenDecision, keys: Sequence[AnswerKey]) -> State:
        s = clone(self._world)
        items = answer_of(self._options, keys, asked)
        items += [item for item in self._rest if item not in items][: max(0, asked.least - len(items))]
        self._machine.answer(s, asked, items)
        return s

    def _amount(self, s: State) -> OpenDecision | None:
        """What the seat is asked now, if that is an amount. Raises RuleError."""
        open_ = self._machine.run(s)
        if len(open_) != 1 or open_[0].seat != self._seat or not open_[0].least == open_[0].most == 1:
            return None
        return open_[0] if self._is_amount(open_[0]) else None

    def _is_amount(self, asked: OpenDecision) -> bool:
        return self._machine.program.sites[asked.site].element.base == "number"

    def _come_to(self, s: State) -> float:
        """The lead when the seat is asked again, or the phase ends. Raises RuleError."""
        machine, now = self._machine, (s[ROUND], s[PHASE])
        chance = Random(self._luck).random
        for _ in range(FURTHER_ANSWERS):
            open_ = machine.run(s)
            if not open_ or (s[ROUND], s[PHASE]) != now or any(asked.seat == self._seat for asked in open_):
                break
            for asked in open_:
                machine.answer(s, asked, machine.random_answer(s, asked, chance))
        return ahead(machine, s, self._seat)

    def _let_stand(self, s: State, *, named: bool) -> float:
        """The lead once others have let an amount stand, and what the seat can add to it if it is asked then. They add
        as little as they may, and rather what is offered last: often that is to pass. named: whether the seat has
        named the amount, rather than passed.

        Raises RuleError.
        """
        machine, now = self._machine, (s[ROUND], s[PHASE])
        for _ in range(FURTHER_ANSWERS):
            open_ = machine.run(s)
            if not open_ or (s[ROUND], s[PHASE]) != now:
                break
            if any(asked.seat == self._seat for asked in open_):
                lead = ahead(machine, s, self._seat)
                if named not in self._uses:  # once: what is won is the same, whatever is paid for it
                    self._uses[named] = self._best_use(s) - lead
                return lead + self._uses[named] + TIES_BROKEN
            if any(machine.program.sites[asked.site].among < 0 for asked in open_):
                break
            for asked in open_:
                machine.answer(s, asked, asked.candidates[len(asked.candidates) - asked.least :])
        return ahead(machine, s, self._seat)

    def _best_use(self, s: State) -> float:
        """The greatest lead on some ways on which only the seat decides."""
        machine, now = self._machine, (s[ROUND], s[PHASE])
        best = ahead(machine, s, self._seat)
        for way in range(WAYS_ON):
            chance, further = Random(self._luck + way).random, clone(s)
            with suppress(RuleError):
                for _ in range(OWN_ANSWERS):
                    for asked in machine.asked(further):
                        machine.answer(further, asked, machine.random_answer(further, asked, chance))
                    open_ = machine.run(further)
                    best = max(best, ahead(machine, further, self._seat))
                    if (further[ROUND], further[PHASE]) != now or {asked.seat for asked in open_} != {self._seat}:
                        break
        return best


def counts(machine: Machine, s: State) -> dict[int, int]:
    """What counts first in the edition's ranking, of each seat that is scored: that of the best of its side."""
    program, layout = machine.program, machine.program.layout
    found: dict[int, int] = {}
    for seat in range(layout.seats):
        role = s[layout.role + seat]
        if program.ranking and (role < 0 or program.roles[role] not in program.unscored_roles):
            found[seat] = machine.call(program.ranking[0], s, seat)[0][0]
    best: dict[int, int] = {}
    for seat, count in found.items():
        side = program.side(s, seat)
        best[side] = max(count, best.get(side, count))
    return {seat: best[program.side(s, seat)] for seat in found}


def ahead(machine: Machine, s: State, seat: int) -> float:
    """How far a seat is ahead of the average of the others, by what counts first in the edition's ranking; of equal
    leads the one with the larger count is better, which is all that differs where everybody plays together."""
    found = counts(machine, s)
    if seat not in found:
        return 0.0
    side = machine.program.side
    others = [count for other, count in found.items() if side(s, other) != side(s, seat)]
    lead = found[seat] - (sum(others) / len(others) if others else 0)
    return lead + OWN_COUNT * found[seat]
