"""History of a game: its answers, its log, and the states that they led through, to the present one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import inf

from rulewright.game.log import GameLog
from rulewright.game.snapshots import PastStep, Snapshot
from rulewright.game.undo import Answered
from rulewright.program.state_layout import ROUND
from rulewright.runtime.machine import Events
from rulewright.runtime.state import State


class GameHistory:
    """History of one game. beginning: state before the set-up; present: state now; between: whether `present` lies
    between two decisions; answers: oldest first. Never change these states; they include hidden parts."""

    def __init__(self, beginning: State, opening: Sequence[Snapshot], present: State, log: GameLog) -> None:
        """opening: snapshots of the set-up."""
        self.beginning, self.present, self.between, self.log = beginning, present, False, log
        self.answers: list[Answered] = []
        self._opening = opening
        self._steps: tuple[Sequence[PastStep], int] = (), 0  # steps, and the number of answers covered by them
        self._line_states: tuple[int, Sequence[Snapshot]] = 0, ()
        """Number of the last answer that the log tells of, and the states at its lines."""

    def answer_keys(self) -> list[tuple[int, tuple[str, ...]]]:
        """Return the seat and the keys of each answer."""
        return [(answered.seat, answered.keys) for answered in self.answers]

    def add(self, answered: Answered, present: State, events: Events, states: Sequence[Snapshot] = ()) -> None:
        """Add an answer, with the state and the log lines that it led to. states: those at these lines."""
        self.answers.append(answered)
        self.present = present
        self.log.extend(events)
        if events:
            self._line_states = len(self.answers), states

    def cut(self, number: int) -> Sequence[Answered]:
        """Go back to before an answer, counted from 0; return the answers removed."""
        undone = self.answers[number:]
        del self.answers[number:]
        self.log.cut(undone[0].events)
        self.present = undone[0].before
        steps, begin = self._steps
        self._steps = [step for step in steps if step.answers <= number], min(begin, number + 1)
        self._line_states = self._line_states_until(number)
        return undone

    # ── other positions ──

    def copy(self) -> GameHistory:
        """Return an independent copy."""
        return self.with_state(self.present, self.between)

    def with_present(self, state: State) -> GameHistory:
        """Return a history with another present, which is not copied; all the rest is shared."""
        other = object.__new__(GameHistory)
        other.__dict__.update(self.__dict__)
        other.present = state
        return other

    def with_state(self, state: State, between: bool = False) -> GameHistory:
        """Return an independent history whose present is another state, between two decisions or at one."""
        other = self._until(len(self.answers), self.log.length, state, between)
        other._steps = self._steps
        return other

    def before(self, number: int) -> GameHistory:
        """Return an independent history that ends just before an answer, counted from 0."""
        return self._until(number, self.answers[number].events, self.answers[number].before)

    def until(self, step: PastStep) -> GameHistory:
        """Return an independent history that ends at a step."""
        other = self._until(step.answers, step.lines, self.state_at(step), step.moment is not None)
        steps = self.steps()
        other._steps = steps[: bisect_left(steps, _order(step), key=_order) + 1], step.answers + 1
        return other

    def _until(self, answers: int, lines: int, present: State, between: bool = False) -> GameHistory:
        """Return the history up to so many answers and lines. between: whether its present lies between decisions."""
        other = GameHistory(self.beginning, self._opening, present, self.log.until(lines))
        other.answers, other.between = self.answers[:answers], between
        other._line_states = self._line_states_until(answers)
        return other

    def _line_states_until(self, answers: int) -> tuple[int, Sequence[Snapshot]]:
        """Return `_line_states`, as far as they are of the first answers; else none, of answer 0."""
        return self._line_states if self._line_states[0] <= answers else (0, ())

    # ── steps ──

    def steps(self) -> Sequence[PastStep]:
        """List the steps, oldest first: decisions before which the log had grown, the present if it has grown since,
        and the snapshots between them."""
        steps, begin = self._steps  # those after earlier answers are cached
        if begin > len(self.answers):
            return steps
        result = list(steps)
        last_lines = next((step.lines for step in reversed(result) if step.moment is None), -1)
        for answers in range(begin, len(self.answers) + 1):
            lines = self.answers[answers].events if answers < len(self.answers) else self.log.length
            result += [PastStep(one.lines, answers, place) for place, one in enumerate(self._snapshots(answers))]
            if lines > last_lines:
                result.append(PastStep(lines, answers))
                last_lines = lines
        self._steps = result, len(self.answers) + 1
        return result

    def rounds(self) -> dict[int, PastStep]:
        """Map each round, by its number, to its last step."""
        return {self.state_at(step)[ROUND]: step for step in self.steps()}

    def state_at(self, step: PastStep) -> State:
        """Return the state of a step."""
        if step.moment is not None:
            return self._snapshots(step.answers)[step.moment].state
        return self.answers[step.answers].before if step.answers < len(self.answers) else self.present

    def states_since(self, number: int) -> Sequence[State]:
        """Return the states at the decisions since a number of answers, the present last."""
        return [*(answered.before for answered in self.answers[number:]), self.present]

    @property
    def last_change(self) -> object:
        """Key that is equal only if the same answer, step and log lines led to the present."""
        return self.answers[-1:], self.steps()[-1], self._line_states

    def transitions(self) -> Iterator[Sequence[State]]:
        """Yield sequences of states that led to the present, the latest first: those around each answer since the last
        step, which the log does not tell; then those that led to this step, as far as they are stored."""
        steps = self.steps()
        last = steps[-1]
        since = self.states_since(last.answers)
        yield from (since[number - 1 : number + 1] for number in range(len(since) - 1, 0, -1))
        if len(steps) == 1:
            return  # nothing led to the first
        before, (answers, states) = steps[-2], self._line_states
        between = states if answers == last.answers else ()
        yield [
            self.state_at(before) if before.answers == last.answers else self.answers[last.answers - 1].before,
            *(line.state for line in between if before.lines <= line.lines < last.lines),
            self.state_at(last),
        ]

    def _snapshots(self, answers: int) -> Sequence[Snapshot]:
        """Return the snapshots after the last of that many answers."""
        return self.answers[answers - 1].moments if answers else self._opening


def _order(step: PastStep) -> tuple[int, float]:
    """Return the sort key of a step: the snapshots after an answer in their order, then the decision."""
    return step.answers, inf if step.moment is None else step.moment
