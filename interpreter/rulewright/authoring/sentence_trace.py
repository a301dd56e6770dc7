"""What rules do, sentence by sentence: in whose name each is done, what it reads, what it moves and changes.

It is played on a machine that comes to the same states as the one of games.
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
from rulewright.program.form import PHASE, ROUND, Counter, Program, Type
from rulewright.program.traced_program import ACTING, FollowedProgram
from rulewright.runtime.machine import Events, Machine, OpenDecision, RuleError
from rulewright.runtime.state import State, clone

MOST_KEPT = 5_000
"""Sentences, the newest."""
MOST_DONE = 200_000
"""Sentences of one trace: rules that do more between two decisions hardly end."""


class TraceStopped(RulewrightError):
    """A trace that would be too long."""


@record
class PieceMove:
    """A piece, by its number and what it shows then, that goes from one zone to another: addresses, which are the same
    where it goes to another place of its own zone."""

    piece: int
    look: int
    start: int
    goal: int


@record
class CounterChange:
    """A counter that holds something else; owner: a seat or word by its number, -1 for the table."""

    counter: Counter
    owner: int


@record
class LookChange:
    """A piece that shows something else; before, after: as `Program.look` numbers it."""

    piece: int
    before: int
    after: int


@dataclass
class SentenceStep:
    """A sentence that was done, or a phase that begins. number: of all of the trace, from 0; sentence: which it is, of
    those of the program, -1 for a phase; text: the number of the text that told of it, or -1; arguments: what the slots
    of that came to just before, or None where they could not be worked out; resumed: whether it goes on here, after an
    answer or what stands inside it; lines: what was told to the players, as events are; shuffled: zones that were, by
    address."""

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
        """Whether the table looks different after it."""
        return bool(self.moves or self.counts or self.looks or self.shuffled)


@record
class SentenceTrace:
    """What was done from one decision to the next. steps: at most MOST_KEPT, the newest; done: how many there were;
    trouble: why the rules could not go on, or ''; asked: the decisions that are open then."""

    program: FollowedProgram
    steps: tuple[SentenceStep, ...]
    done: int
    trouble: str
    asked: tuple[OpenDecision, ...]
    first: State
    last: State

    def read(self, step: SentenceStep, begins: str) -> Iterator[tuple[str, Type, Any]]:
        """What a step read of those slots that begin so: each as it is called, its type and what it came to."""
        if step.text < 0 or step.arguments is None:
            return
        text = self.program.program.texts[step.text]
        for slot, type_, found in zip(text.slots, text.types, step.arguments, strict=False):
            if slot.startswith(begins):
                yield slot.removeprefix(begins), type_, found

    def acting(self, step: SentenceStep) -> int | None:
        """The seat in whose name a sentence was done."""
        return next((int(found[0]) for _, _, found in self.read(step, ACTING) if found[0] >= 0), None)

    def chain(self, step: SentenceStep) -> tuple[int, ...]:
        """The sentences around a step's, from outside in, without it."""
        found: list[int] = []
        outer = self.program.sentences[step.sentence].outer if step.sentence >= 0 else -1
        while outer >= 0:
            found.append(outer)
            outer = self.program.sentences[outer].outer
        return tuple(reversed(found))


def after_answer(game: Game, number: int) -> SentenceTrace:
    """What was done after one of a game's answers, counted from 0; -1: from its beginning to the first decision."""
    machine, followed = game.rules.followed(len(game.names))
    if number < 0:
        return _run(machine, followed, game.beginning, -1)
    before, (seat, keys) = game.before(number), game.answers()[number]
    state = before.state
    asked = next(asked for asked in machine.asked(state) if asked.seat == seat)
    machine.answer(state, asked, before.chosen(asked, keys))
    return _run(machine, followed, state, followed.asks.get(asked.site, -1))


def _run(machine: Machine, followed: FollowedProgram, state: State, asking: int) -> SentenceTrace:
    first, trouble, asked = clone(state), "", list[OpenDecision]()
    watch = _Watch(followed, state, asking)
    try:
        asked = machine.run(state, watch)
    except (RuleError, TraceStopped) as error:
        trouble = str(error)
    steps = watch.found()
    return SentenceTrace(followed, steps, watch.done, trouble, tuple(asked), first, clone(state))


class _Watch(list[Any]):
    """What a machine tells, from which it finds the steps. state: the one that is run; asking: the sentence that has
    just been answered, or -1."""

    def __init__(self, followed: FollowedProgram, state: State, asking: int) -> None:
        super().__init__()
        self._followed, self._state, self._compared = followed, state, _Compared(followed.program)
        self._here = self._compared.seen(state)
        self._kept = clone(state)
        self.steps: deque[SentenceStep] = deque(maxlen=MOST_KEPT)
        self.done = 0
        self._current: SentenceStep | None = None
        self._answered: SentenceStep | None = None
        if asking >= 0:
            self._begin(asking, -1, (), resumed=True)

    def append(self, told: Any) -> None:
        text, _, arguments = told
        if (number := self._followed.begins.get(text)) is not None:
            self._begin(number, text, arguments, resumed=False)
        elif (number := self._followed.goes_on.get(text)) is not None:
            if self._current is None or self._current.sentence != number:
                self._begin(number, text, (), resumed=True)
        else:
            if self._followed.program.texts[text].of_phase:
                self._begin(-1, -1, (), resumed=False)
            if self._current is not None:
                self._current.lines.append(told)

    def found(self) -> tuple[SentenceStep, ...]:
        """The steps, now that somebody is asked."""
        self.end()
        return tuple(self.steps) or ((self._answered,) if self._answered is not None else ())

    def _begin(self, sentence: int, text: int, arguments: Sequence[Any] | None, resumed: bool) -> None:
        self.end()
        if self.done >= MOST_DONE:
            raise TraceStopped(f"The rules do more than {MOST_DONE:,} sentences without asking anybody.")
        self._current = SentenceStep(self.done, sentence, text, arguments, resumed, self._kept, self._kept)

    def end(self) -> None:
        """The current sentence is over: what it has changed is known.

        Where it only goes on, and does nothing more, it is no step of its own, but for the sentence that was answered,
        if nothing else came of that.
        """
        step = self._current
        if step is None:
            return
        now = self._compared.seen(self._state)
        if now != self._here:
            self._here, self._kept = now, clone(self._state)
            step.after = self._kept
            self._compared.note(step, step.sentence >= 0 and self._followed.sentences[step.sentence].shuffles)
        if not step.resumed or step.changes or step.lines:
            self.steps.append(step)
            self.done += 1
        elif not self.done and self._answered is None:
            self._answered = step
        self._current = None


class _Compared:
    """What people can see of a state, and what becomes of it."""

    def __init__(self, program: Program) -> None:
        self.program, layout = program, program.layout
        self._zones = [space.address for space in layout.spaces]
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
        self._of: itemgetter[Any] = itemgetter(*self._cells)

    def seen(self, s: State) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self._of(s)
        return found

    def note(self, step: SentenceStep, shuffles: bool) -> None:
        """What is different after a step. shuffles: whether what lies in another order was shuffled."""
        before, after = step.before, step.after
        changed = [cell for cell in self._cells if before[cell] != after[cell]]
        zones = set(self._zones).intersection(changed)
        homes = {piece: zone for zone in zones for piece in before[zone]}
        moves = [
            PieceMove(piece, self.program.look(after, piece), homes[piece], zone)
            for zone in self._zones
            if zone in zones
            for piece in after[zone]
            if piece in homes and homes[piece] != zone
        ]
        moved = {move.start for move in moves} | {move.goal for move in moves}
        ordered = [zone for zone in self._zones if zone in zones - moved]
        step.shuffled = tuple(ordered if shuffles else ())
        for zone in ordered if not shuffles else ():
            within = out_of_order(before[zone], after[zone])
            moves += [PieceMove(piece, self.program.look(after, piece), zone, zone) for piece in within]
        step.moves = tuple(moves)
        step.counts = tuple(dict.fromkeys(self._counted[cell] for cell in changed if cell in self._counted))
        pieces = dict.fromkeys(self._faces[cell] for cell in changed if cell in self._faces)
        looks = [
            LookChange(piece, self.program.look(before, piece), self.program.look(after, piece)) for piece in pieces
        ]
        step.looks = tuple(look for look in looks if look.before != look.after)


def out_of_order(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """The fewest pieces of a row that have gone elsewhere in it, the others staying as they were: where two have
    changed places, both."""
    moved = [piece for piece, other in zip(after, before, strict=True) if piece != other]
    if len(moved) == 2:
        return moved
    places = {piece: place for place, piece in enumerate(before)}
    ends: list[int] = []  # of the best rows of each length that stay in order, the last places
    rows: list[tuple[int, ...]] = []
    for piece in after:
        length = bisect_left(ends, places[piece])
        row = (*(rows[length - 1] if length else ()), piece)
        ends[length : length + 1], rows[length : length + 1] = [places[piece]], [row]
    staying = set(rows[-1] if rows else ())
    return [piece for piece in after if piece not in staying]


# ── why something is as it is ──


Reason = tuple[int, SentenceTrace, SentenceStep]
"""Why something is as it is: a step, and the answer after which it was done, as `after_answer` counts."""


def moved_last(game: Game, piece: int, upto: int | None = None) -> Reason | None:
    """The sentence that moved a piece last; None where nothing has moved it. upto: the place of the last step that
    counts, among those after the last answer; else all of them do."""
    cell = game.program.layout.at + piece
    return _last(game, lambda s: s[cell], lambda step: any(move.piece == piece for move in step.moves), upto)


def counted_last(game: Game, counter: str, owner: int, upto: int | None = None) -> Reason | None:
    """The same of the sentence that changed a counter last. owner: a seat or word by its number, -1 for the table."""
    cells = next(found for found in game.program.layout.counters if found.name == counter).cells_of(owner)
    change = (counter, owner)
    return _last(
        game,
        lambda s: [s[cell] for cell in cells],
        lambda step: change in [(one.counter.name, one.owner) for one in step.counts],
        upto,
    )


def _last(
    game: Game, look: Callable[[State], Any], changes: Callable[[SentenceStep], bool], upto: int | None
) -> Reason | None:
    """look: what is different before and after an answer that has led to such a step, but for the last one, where it
    may have become what it was."""
    states = [*(game.before(number).state for number in range(len(game.answers()))), game.state]
    last = len(states) - 2
    for number in range(last, -2, -1):
        if number in (last, -1) or look(states[number]) != look(states[number + 1]):
            trace = after_answer(game, number)
            for step in reversed(trace.steps if number != last or upto is None else trace.steps[: upto + 1]):
                if changes(step):
                    return number, trace, step
    return None
