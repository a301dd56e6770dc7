"""Players of the levels: a search with few tries, whose judgement is the softer, the lower the level.

Each level but the best draws among the answers that it has tried most, and errs where they look alike to it. All of
these see a win that is there at once; from the second level on also one that they would give away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from time import monotonic

from rulewright.base.records import record
from rulewright.players.choice_grouping import SeatCandidates
from rulewright.players.evaluation import executor_of, goes_by_measure
from rulewright.players.kinds import MAX_MILLISECONDS, SHORT_TRIES, Budget, level_tries
from rulewright.players.learned_values import LearnedValue, learned_executor
from rulewright.players.plain_sight import PlainSight
from rulewright.players.search import SearchPlayer
from rulewright.players.tree_search import TriedAnswer, can_search
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native.tree import LOST, WON
from rulewright.runtime.state import State


@record
class Judgement:
    """Certainty with which a level tells answers apart.

    - worth_a_look: share of the tries of the most tried answer that another needs to be taken
    - considered: most answers that are drawn from, those tried most and of these the best
    - sharpness: power of the tries by which one of them is drawn
    - foresees: whether the level sees what it gives away
    """

    worth_a_look: float
    considered: int
    sharpness: float
    foresees: bool


JUDGEMENTS: Mapping[str, Judgement] = {
    "easy": Judgement(0.4, 6, 1.5, foresees=False),
    "medium": Judgement(0.5, 4, 2.0, foresees=True),
    "hard": Judgement(0.75, 3, 4.0, foresees=True),
}
"""Judgement of each level but the best, which takes what it has tried most."""


SIGHT_SHARE = 0.25
"""Share of the time in which an answer that wins at once is looked for."""


class LevelPlayer:
    """Player of a level. milliseconds: limit of an answer's time, or None; evenly: as for `SearchPlayer`."""

    def __init__(
        self, machine: Machine, level: str, milliseconds: int | None, *, evenly: bool, value: LearnedValue | None
    ) -> None:
        self._machine, self._level, self._milliseconds = machine, level, milliseconds
        self._evenly, self._value = evenly, value
        self._judgement = JUDGEMENTS.get(level)
        self._executor = executor_of(machine) if value is None else learned_executor(machine)  # made before a decision

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose as `Player.choose` does."""
        now = monotonic()
        milliseconds = self._milliseconds or MAX_MILLISECONDS
        choices = SeatCandidates(self._machine, decision.seat).choices(info_state, decision)
        pick, in_native_code = None, self._value is None and can_search(self._machine)
        if self._judgement is not None and len(choices) > 1:
            until, hidden = now + SIGHT_SHARE * milliseconds / 1000, not in_native_code
            sight = PlainSight(self._machine, self._executor, info_state, decision, rng, until, hidden=hidden)
            if (place := sight.first_win()) is not None:
                return [decision.candidates[place]]
            place_of = {key: decision.candidates.index(items[0]) for key, items in choices.items()}
            pick = _SoftPick(self._judgement, sight if decision.most == 1 else None, place_of, rng)
        left = max(1, milliseconds - round(1000 * (monotonic() - now)))
        by_clock = self._level == "best" and self._milliseconds is not None
        tries = level_tries(self._level, len(choices)) * (SHORT_TRIES if goes_by_measure(self._machine.program) else 1)
        budget = Budget(milliseconds=left) if by_clock else Budget(tries, left)
        player = SearchPlayer(self._machine, budget, evenly=self._evenly, value=self._value, pick=pick)
        return player.choose(info_state, decision, rng)


class _SoftPick:
    """Pick of one of the choices that a search has tried. sight: of a decision for one candidate, else None; place_of:
    place of the first candidate of each key."""

    def __init__(
        self, judgement: Judgement, sight: PlainSight | None, place_of: Mapping[int, int], rng: Random
    ) -> None:
        self._judgement, self._rng = judgement, rng
        self._sight, self._place_of = sight if judgement.foresees else None, place_of

    def __call__(self, tried: Sequence[TriedAnswer]) -> int:
        """Draw a choice by its tries; return its place in the list. A level that foresees takes one that loses, or that
        gives somebody else a win, only if there is no other."""
        judgement = self._judgement
        open_ = [number for number, one in enumerate(tried) if one.known == WON]
        open_ = open_ or [number for number, one in enumerate(tried) if not (judgement.foresees and one.known == LOST)]
        open_ = open_ or list(range(len(tried)))
        most = max(tried[number].visits for number in open_)
        open_ = [number for number in open_ if tried[number].visits >= judgement.worth_a_look * most]
        open_ = sorted(open_, key=lambda number: (tried[number].visits, tried[number].mean))[-judgement.considered :]
        first = None
        while open_:
            weights = [max(1, tried[number].visits) ** judgement.sharpness for number in open_]
            [number] = self._rng.choices(open_, weights)
            first = number if first is None else first
            if not self._gives_win(tried[number]):
                return number
            open_.remove(number)
        assert first is not None
        return first

    def _gives_win(self, one: TriedAnswer) -> bool:
        """Return whether an answer lets somebody else win at once, as far as that is looked at."""
        if self._sight is None:
            return False
        place = self._place_of.get(one.key)
        return self._sight.gives_win([] if place is None else [place])
