"""Sources of points: which steps of the rules have brought each seat its points, as the lines of the log tell, for
the score sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.program.state_layout import ROUND
from rulewright.program.value_types import exact_sum
from rulewright.runtime.machine import Events
from rulewright.runtime.state import State, clone

_LOG = ".log"
"""Ending of the key of a text that the log shows."""


@record
class PointSource:
    """Points that a step has brought. step: its name or its phase's, '' for the set-up; points: by seat."""

    step: str
    points: tuple[int | float, ...]


@record
class _PointsChange:
    """Change of a seat's points between two lines of the log. before, after: the steps that tell these lines;
    told_before, told_after: whether the line mentions the seat and the number of points; round: in which it began."""

    round: int
    seat: int
    points: int | float
    before: str
    after: str
    told_before: bool
    told_after: bool


def point_sources(game: Game) -> tuple[PointSource, ...]:
    """Return what each step has brought, in the order in which they first brought something.

    Where a line before and one after tell of the same points, or neither does, it goes as with most other points.
    Empty where the score has several lines, which tell it themselves, or one that not everybody sees.
    """
    return _attributed(game, list(_changes(game))) if _is_single(game) else ()


def round_sources(game: Game, since: int) -> dict[int, tuple[PointSource, ...]]:
    """Return the same for each round from number `since` on, by its number."""
    if not _is_single(game):
        return {}
    states = game.history.states_since(0)
    first = next(number for number, state in enumerate(states) if state[ROUND] >= since or state is states[-1])
    by_round: dict[int, list[_PointsChange]] = {}
    for one in _changes(game, first):
        by_round.setdefault(one.round, []).append(one)
    return {number: _attributed(game, changes) for number, changes in by_round.items()}


def _is_single(game: Game) -> bool:
    """Return whether the score is a single line that everybody sees."""
    scoring = game.program.scoring
    return len(scoring) == 1 and scoring[0].seen_by == "all"


def _attributed(game: Game, changes: Sequence[_PointsChange]) -> tuple[PointSource, ...]:
    """Return what each step has brought by these changes."""
    # Rules tell of points before or after they give them: mostly one of both, which settles what either could be.
    votes = Counter(one.told_before for one in changes if one.told_before != one.told_after)
    points: dict[str, list[int | float]] = {}
    for one in changes:
        is_before = one.told_before if one.told_before != one.told_after else votes[True] > votes[False]
        step = (one.before or one.after) if is_before else (one.after or one.before)
        of_step = points.setdefault(step, [0] * len(game.names))
        of_step[one.seat] = exact_sum((of_step[one.seat], one.points))
    return tuple(PointSource(step, tuple(each)) for step, each in points.items() if any(each))


def _changes(game: Game, first: int = -1) -> Iterator[_PointsChange]:
    """Yield all changes of points from an answer on: what followed the answers around which totals differ is played
    once more. first: number of that answer, -1 for the set-up."""
    states = [game.history.beginning, *game.history.states_since(0)][first + 1 :]
    totals = [_points(game, state) for state in states]
    for number, (before, after) in enumerate(pairwise(totals), first):
        if before != after:
            changes = _replay_changes(game, number)
            yield from changes if number >= 0 else (replace(one, before="", after="") for one in changes)


def _replay_changes(game: Game, number: int) -> Sequence[_PointsChange]:
    """Return the changes of points after an answer, counted from 0, by playing what followed it once more, on a copy;
    -1: in the set-up."""
    machine, step = game.machine, ""
    if number < 0:
        state = clone(game.history.beginning)
    else:
        answered = game.history.answers[number]
        state = clone(answered.before)
        decision = next(one for one in machine.open_decisions(state) if one.seat == answered.seat)
        step = game.program.sites[decision.site].step
        items = game.with_history(game.history.before(number)).offer(decision).candidates_for(answered.keys)
        machine.answer(state, decision, items)
    watch = _PointsRun(game, state, step)
    machine.run(state, watch)
    watch.note("", [])
    return watch.changes


def _points(game: Game, state: State) -> list[int | float]:
    """Return the points of all seats in a state."""
    program, function = game.program, game.program.scoring[0].function
    return [program.decode(function, game.machine.call(function, state, seat)[0][0]) for seat in range(len(game.names))]


class _PointsRun(list[Any]):
    """List of events that notes, at each line of the log, which points have changed since the one before. step: of the
    question that was answered. changes: those noted so far."""

    def __init__(self, game: Game, state: State, step: str) -> None:
        super().__init__()
        self.changes: list[_PointsChange] = []
        self._game, self._state, self._step = game, state, step
        self._last, self._round = _points(game, state), state[ROUND]

    def append(self, event: Any) -> None:
        """Note the changes of points before this event, which may be the line that tells them; then append it."""
        key = self._game.program.texts[event[0]].key
        step = key.removesuffix(_LOG) if key.endswith(_LOG) else ""
        self.note(step, [event])
        self._step = step or self._step
        super().append(event)

    def note(self, step: str, following: Events) -> None:
        """Note what has changed since the last call. step: that logs the line which follows, '' for another text;
        following: that line, if there is one."""
        now = _points(self._game, self._state)
        for seat, (was, now_has) in enumerate(zip(self._last, now, strict=True)):
            if was != now_has:
                points = exact_sum((now_has, -was))
                mentioned = (self._mentions(lines, seat, points) for lines in (self[-1:], following))
                self.changes.append(_PointsChange(self._round, seat, points, self._step, step, *mentioned))
        self._last, self._round = now, self._state[ROUND]

    def _mentions(self, lines: Events, seat: int, points: int | float) -> bool:
        """Return whether a line tells a seat and a number of points."""
        for text, _, arguments in lines:
            types = [type_.base for type_ in self._game.program.texts[text].types]
            typed = [(base, list(items)) for base, items in zip(types, arguments or (), strict=False)]
            return any(base == "seat" and seat in items for base, items in typed) and any(
                base == "number" and items == [abs(points)] for base, items in typed
            )
        return False
