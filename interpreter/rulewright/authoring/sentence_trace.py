"""Traces of statements: acting seat, values read, moves and changes of each.

A traced machine reaches the same states as the one of games.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.program.form import Program
from rulewright.program.state_layout import PHASE, ROUND, Counter
from rulewright.program.traced_program import ACTING_SLOT, TracedProgram
from rulewright.program.value_types import Type
from rulewright.runtime.machine import Events, Machine, OpenDecision, RuleError
from rulewright.runtime.state import State, clone

MAX_STEPS = 5_000
"""Most statements in a trace: the newest."""
MAX_STATEMENTS = 200_000
"""Most statements between two decisions: rules that run more hardly end."""


class TraceStopped(RulewrightError):
    """Raised where more than MAX_STATEMENTS are run."""


@record
class PieceMove:
    """Move of a piece.

    piece: its number; look: its appearance afterwards, as a number; start, goal: addresses of zones, equal for a move
    within a zone.
    """

    piece: int
    look: int
    start: int
    goal: int


@record
class CounterChange:
    """Changed counter. owner: index of a seat or word, -1 for the table."""

    counter: Counter
    owner: int


@record
class LookChange:
    """Changed appearance of a piece. before, after: numbers of `Program.appearance`."""

    before: int
    after: int


@dataclass
class SentenceStep:
    """Executed statement, or beginning of a phase.

    - number: in the trace, from 0
    - sentence: number of the statement in the program, -1 for a phase
    - text: number of the text that announced it, or -1
    - arguments: values of that text's slots just before, () if it is resumed, None if they could not be computed
    - resumed: whether the statement continues here, after an answer or an inner statement
    - before, after: states, the same object where nothing visible has changed
    - lines: events for players
    - shuffled: addresses of shuffled zones
    - moves, counts, looks: pieces that it moved, counters and appearances that it changed
    """

    number: int
    sentence: int
    text: int
    arguments: Sequence[Any] | None
    resumed: bool
    before: State
    after: State
    lines: Events = field(default_factory=list)
    moves: tuple[PieceMove, ...] = ()
    counts: tuple[CounterChange, ...] = ()
    looks: tuple[LookChange, ...] = ()
    shuffled: tuple[int, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether it moved, counted, changed or shuffled anything on the table; a new phase or round alone is none."""
        return bool(self.moves or self.counts or self.looks or self.shuffled)


@record
class SentenceTrace:
    """Statements executed from one decision to the next.

    - steps: the newest, at most MAX_STEPS
    - done: number of all
    - error: why the rules stopped, or ''
    - decisions: open afterwards
    - first, last: states before and after
    """

    program: TracedProgram
    steps: tuple[SentenceStep, ...]
    done: int
    error: str
    decisions: tuple[OpenDecision, ...]
    first: State
    last: State

    def read(self, step: SentenceStep, prefix: str) -> Iterator[tuple[str, Type, Any]]:
        """Yield the values that a step read as (name without prefix, type, values). prefix: of the slots to yield."""
        if step.text < 0 or step.arguments is None:
            return
        text = self.program.program.texts[step.text]
        for slot, type_, argument in zip(text.slots, text.types, step.arguments, strict=False):
            if slot.startswith(prefix):
                yield slot.removeprefix(prefix), type_, argument

    def acting(self, step: SentenceStep) -> int | None:
        """Return the acting seat of a statement, None without one or where it is resumed."""
        return next((int(values[0]) for _, _, values in self.read(step, ACTING_SLOT) if values[0] >= 0), None)

    def chain(self, step: SentenceStep) -> tuple[int, ...]:
        """Return the statements around a step's own, the outermost first."""
        result: list[int] = []
        outer = self.program.sentences[step.sentence].outer if step.sentence >= 0 else -1
        while outer >= 0:
            result.append(outer)
            outer = self.program.sentences[outer].outer
        return tuple(reversed(result))


def after_answer(game: Game, number: int) -> SentenceTrace:
    """Trace the statements after an answer of a game, which stays as it is, up to the next decision. number: of the
    answer, from 0; -1: from the beginning to the first decision."""
    machine, traced = game.rules.traced_machine(len(game.names))
    if number < 0:
        return _run(machine, traced, clone(game.history.beginning), -1)
    answered = game.history.answers[number]
    state = clone(answered.before)
    decision = next(decision for decision in machine.open_decisions(state) if decision.seat == answered.seat)
    items = game.with_history(game.history.before(number)).offer(decision).candidates_for(answered.keys)
    machine.answer(state, decision, items)
    return _run(machine, traced, state, traced.asks.get(decision.site, -1))


def _run(machine: Machine, traced: TracedProgram, state: State, asking: int) -> SentenceTrace:
    """Run a traced program from a state, which changes, to the next decision; return the trace. asking: statement that
    was answered, or -1."""
    first, problem, decisions = clone(state), "", list[OpenDecision]()
    watch = _Watch(traced, state, asking)
    try:
        decisions = machine.run(state, watch)
    except (RuleError, TraceStopped) as error:
        problem = str(error)
    steps = watch.finish()
    return SentenceTrace(traced, steps, watch.done, problem, tuple(decisions), first, clone(state))


class _Watch(list[Any]):
    """Event list of a machine that derives steps from events. state: of the run, which the machine changes; asking:
    statement just answered, or -1; steps: finished ones; done: number of all."""

    def __init__(self, traced: TracedProgram, state: State, asking: int) -> None:
        super().__init__()
        self._traced, self._state, self._compared = traced, state, _Compared(traced.program)
        self._visible = self._compared.visible_cells(state)
        self._snapshot = clone(state)
        self.steps: deque[SentenceStep] = deque(maxlen=MAX_STEPS)
        self.done = 0
        self._current: SentenceStep | None = None
        self._answered: SentenceStep | None = None
        if asking >= 0:
            self._begin(asking, -1, (), resumed=True)

    def append(self, event: Any) -> None:
        """Take an event: a marker begins or continues a statement, any other event belongs to the present one."""
        text, _, arguments = event
        if (number := self._traced.begins.get(text)) is not None:
            self._begin(number, text, arguments, resumed=False)
        elif (number := self._traced.continues.get(text)) is not None:
            if self._current is None or self._current.sentence != number:
                self._begin(number, text, (), resumed=True)
        else:
            if self._traced.program.texts[text].of_phase:
                self._begin(-1, -1, (), resumed=False)
            if self._current is not None:
                self._current.lines.append(event)

    def finish(self) -> tuple[SentenceStep, ...]:
        """Finish the trace, and return its steps."""
        self.end()
        return tuple(self.steps) or ((self._answered,) if self._answered is not None else ())

    def _begin(self, sentence: int, text: int, arguments: Sequence[Any] | None, resumed: bool) -> None:
        """Begin a statement, or a phase. Raises TraceStopped beyond MAX_STATEMENTS."""
        self.end()
        if self.done >= MAX_STATEMENTS:
            raise TraceStopped(f"The rules do more than {MAX_STATEMENTS:,} sentences without asking anybody.")
        self._current = SentenceStep(self.done, sentence, text, arguments, resumed, self._snapshot, self._snapshot)

    def end(self) -> None:
        """Finish the present statement, and record its changes. A continuation without changes is no step of its own,
        unless it is the answered statement and nothing else came of the answer."""
        step = self._current
        if step is None:
            return
        now = self._compared.visible_cells(self._state)
        if now != self._visible:
            self._visible, self._snapshot = now, clone(self._state)
            step.after = self._snapshot
            self._compared.note(step, step.sentence >= 0 and self._traced.sentences[step.sentence].shuffles)
        if not step.resumed or step.changes or step.lines:
            self.steps.append(step)
            self.done += 1
        elif not self.done and self._answered is None:
            self._answered = step
        self._current = None


class _Compared:
    """Comparer of states, by what people can see."""

    def __init__(self, program: Program) -> None:
        self.program, layout = program, program.layout
        self._zones = [space.address for space in layout.zones]
        self._counted = {
            cell: CounterChange(counter, owner if counter.of else -1)
            for counter in layout.counters
            for owner in range(counter.owners)
            for cell in counter.cells_of(owner)
        }
        self._faces = {face.cell: piece for piece, face in layout.faces.items()}
        for piece, marks in layout.marked.items():
            self._faces |= {mark.address + piece: piece for mark, _ in marks}
        self._cells = [*self._zones, *self._counted, *self._faces, PHASE, ROUND]
        self._get_cells: itemgetter[Any] = itemgetter(*self._cells)

    def visible_cells(self, s: State) -> tuple[Any, ...]:
        """Return what a state's zones, counters, faces and marks of pieces, phase and round hold."""
        result: tuple[Any, ...] = self._get_cells(s)
        return result

    def note(self, step: SentenceStep, shuffles: bool) -> None:
        """Record in a step what differs between its states. shuffles: whether reordered zones were shuffled; else their
        pieces have moved within them."""
        before, after = step.before, step.after
        changed = [cell for cell in self._cells if before[cell] != after[cell]]
        zones = set(self._zones).intersection(changed)
        homes = {piece: zone for zone in zones for piece in before[zone]}
        moves = [
            PieceMove(piece, self.program.appearance(after, piece), homes[piece], zone)
            for zone in self._zones
            if zone in zones
            for piece in after[zone]
            if piece in homes and homes[piece] != zone
        ]
        moved = {move.start for move in moves} | {move.goal for move in moves}
        ordered = [zone for zone in self._zones if zone in zones - moved]
        step.shuffled = tuple(ordered if shuffles else ())
        for zone in ordered if not shuffles else ():
            within = pieces_moved(before[zone], after[zone])
            moves += [PieceMove(piece, self.program.appearance(after, piece), zone, zone) for piece in within]
        step.moves = tuple(moves)
        step.counts = tuple(dict.fromkeys(self._counted[cell] for cell in changed if cell in self._counted))
        pieces = dict.fromkeys(self._faces[cell] for cell in changed if cell in self._faces)
        looks = [
            LookChange(self.program.appearance(before, piece), self.program.appearance(after, piece))
            for piece in pieces
        ]
        step.looks = tuple(look for look in looks if look.before != look.after)


def pieces_moved(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return the fewest pieces whose moves explain a new order of a row, in that order; both if two changed places.
    before, after: the same pieces."""
    moved = [piece for piece, other in zip(after, before, strict=True) if piece != other]
    if len(moved) == 2:
        return moved
    places = {piece: place for place, piece in enumerate(before)}
    ends: list[int] = []  # the last places of the best rows of each length that stay in order
    rows: list[tuple[int, ...]] = []
    for piece in after:
        length = bisect_left(ends, places[piece])
        row = (*(rows[length - 1] if length else ()), piece)
        ends[length : length + 1], rows[length : length + 1] = [places[piece]], [row]
    staying = set(rows[-1] if rows else ())
    return [piece for piece in after if piece not in staying]


# ── why something is as it is ──


Reason = tuple[int, SentenceTrace, SentenceStep]
"""Reason for a value: number of the answer, as `after_answer` counts, trace after it, and step."""


def moved_last(game: Game, piece: int, upto: int | None = None) -> Reason | None:
    """Return the statement that moved a piece last, of those that traces keep; None if none did. upto: index of the
    last step to consider after the last answer; None for all."""
    cell = game.program.layout.piece_zones + piece
    return _find_last(game, lambda s: s[cell], lambda step: any(move.piece == piece for move in step.moves), upto)


def counted_last(game: Game, counter: str, owner: int, upto: int | None = None) -> Reason | None:
    """Return the statement that changed a counter last; None if none did. owner: index of a seat or word, -1 for the
    table; upto: as for `moved_last`."""
    cells = next(each for each in game.program.layout.counters if each.name == counter).cells_of(owner)
    change = (counter, owner)
    return _find_last(
        game,
        lambda s: [s[cell] for cell in cells],
        lambda step: change in [(one.counter.name, one.owner) for one in step.counts],
        upto,
    )


def _find_last(
    game: Game, look: Callable[[State], Any], changes: Callable[[SentenceStep], bool], upto: int | None
) -> Reason | None:
    """Return the last step that satisfies `changes`; None without one. look: value that differs before and after an
    answer with such a step; the last answer and the beginning are traced whatever it says."""
    states = [*(answered.before for answered in game.history.answers), game.history.present]
    last = len(states) - 2
    for number in range(last, -2, -1):
        if number in (last, -1) or look(states[number]) != look(states[number + 1]):
            trace = after_answer(game, number)
            for step in reversed(trace.steps if number != last or upto is None else trace.steps[: upto + 1]):
                if changes(step):
                    return number, trace, step
    return None
