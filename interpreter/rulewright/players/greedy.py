"""A player that looks one step ahead: what does an answer do to the scores, until it is asked again?"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random

from rulewright.players.options import AnswerKey, Eyes, answer_of
from rulewright.program.form import PHASE, ROUND
from rulewright.runtime.knowledge import Worlds
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError, pick
from rulewright.runtime.state import State, clone

TRIALS = 48  # of all options of a decision, about
MOST_WORLDS = 8
FURTHER_ANSWERS = 40  # of others, in one trial


class GreedyPlayer:
    """Tries each option in the same few worlds, others answering at random, and takes one of the best at random."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        options = Eyes(self._machine, asked.seat).options(sight, asked)
        if sum(map(len, options.values())) == asked.least or len(options) == 1 == asked.least == asked.most:
            return list(asked.candidates[: asked.least])
        worlds = Worlds(self._machine, sight, asked.seat)
        tried = max(1, min(MOST_WORLDS, TRIALS // len(options)))
        trials: list[_Trial] = []
        for _ in range(tried):
            with suppress(RuleError):  # a position that the rules never come to
                trials.append(_Trial(self._machine, worlds.draw(rng), asked.seat, rng))
        keys: list[AnswerKey] = []
        best: float | None = None
        while len(keys) < asked.most:
            further = [key for key, items in options.items() if keys.count(key) < len(items)]
            leads = [(sum(trial.lead([*keys, key]) for trial in trials), rng.random(), key) for key in further]
            lead, _, key = max(leads)
            if len(keys) >= asked.least:
                if best is None:
                    best = sum(trial.lead(keys) for trial in trials)
                if lead < best or (lead == best and rng.random() < 0.5):
                    break
            keys.append(key)
            best = lead
        return answer_of(options, keys, asked)


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

    def lead(self, keys: list[AnswerKey]) -> float:
        """How far the seat is ahead of the others, on average, after an answer."""
        machine, s, chance = self._machine, clone(self._world), Random(self._luck).random
        asked = self._asked
        if asked is None or any(keys.count(key) > len(self._options.get(key, ())) for key in keys):
            return 0.0
        items = answer_of(self._options, keys, asked)
        items += [item for item in self._rest if item not in items][: max(0, asked.least - len(items))]
        machine.answer(s, asked, items)
        try:
            self._go_on(s, chance)
            return ahead(machine, s, self._seat)
        except RuleError:
            return 0.0

    def _go_on(self, s: State, chance: Callable[[], float]) -> None:
        """Until the seat is asked again, or the phase ends."""
        machine, now = self._machine, (s[ROUND], s[PHASE])
        for _ in range(FURTHER_ANSWERS):
            machine.run(s)
            open_ = machine.asked(s)
            if not open_ or (s[ROUND], s[PHASE]) != now or any(asked.seat == self._seat for asked in open_):
                return
            for asked in open_:
                machine.answer(s, asked, pick(chance, asked.candidates, asked.least, asked.most))


def ahead(machine: Machine, s: State, seat: int) -> float:
    """How far a seat is ahead of the average of the others, by what counts first in the edition's ranking."""
    program, layout = machine.program, machine.program.layout
    if not program.ranking:
        return 0.0
    counts: dict[int, int] = {}
    for other in range(layout.seats):
        role = s[layout.role + other]
        if role < 0 or program.roles[role] not in program.unscored_roles:
            counts[other] = machine.call(program.ranking[0], s, other)[0][0]
    if seat not in counts:
        return 0.0
    others = [count for other, count in counts.items() if other != seat]
    return counts[seat] - (sum(others) / len(others) if others else 0)
