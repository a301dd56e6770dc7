"""Trace of sentences for the pane 'Steps': each with what it read and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.authoring.sentence_trace import CounterChange, SentenceStep, SentenceTrace
from rulewright.base.diagnostics import SourcePlace
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.state_layout import StateZone
from rulewright.program.traced_program import NAME_SLOT, VALUE_SLOT
from rulewright.program.value_types import Type
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import MAKER, owner_value
from rulewright.server.views import seat_view
from rulewright.server.views.document import Fragment, Now
from rulewright.server.views.seat_view import zone_key

_IT_NAME = "it"
"""Name that sentences give the piece or seat in question without being told another."""
MAX_LISTED_ITEMS = 8
"""Maximum number of items of a set that are listed; of more, only the number is given."""


class PlaceView(Fragment, frozen=True):
    """Place in a file. file: its name in the folder, '' for a file elsewhere, which `other_file` names. line, column:
    from 1."""

    line: int
    column: int = 1
    file: str = ""
    other_file: str = ""


class ReadView(Fragment, frozen=True):
    """Value read by a sentence: its text, the value in words, and where it is declared, if anywhere."""

    text: str
    value: str
    place: PlaceView | None = None


class MoveView(Fragment, frozen=True):
    """Pieces moved from one zone to another. pieces: in words; name: of the first of them, in the edition; start, goal:
    keys of zones, with their labels."""

    pieces: str
    name: str
    start: str
    goal: str
    start_label: str
    goal_label: str


class CountView(Fragment, frozen=True):
    """Changed counter. name, owner: identify it; label: its title and owner in words."""

    name: str
    owner: int
    label: str
    before: str
    after: str


class ShuffleView(Fragment, frozen=True):
    """Shuffled zone: its key and title."""

    zone: str
    label: str


class StepView(Fragment, frozen=True):
    """Executed sentence.

    - sentence: its number among `sentences`, -1 where a phase begins
    - seat: in whose name it runs
    - state: number of the table afterwards, the same until something changes
    - resumed: whether it goes on after something inside
    - named_values, read_values: names given by rules, and other values that it read
    - outcome: 'yes' or 'no' for a condition
    - shuffled: shuffled zones
    - other: further changes, in words
    - lines: of the log
    """

    number: int
    sentence: int
    seat: int | None
    state: int
    resumed: bool = False
    named_values: tuple[ReadView, ...] = ()
    read_values: tuple[ReadView, ...] = ()
    outcome: str = ""
    moves: tuple[MoveView, ...] = ()
    counts: tuple[CountView, ...] = ()
    shuffled: tuple[ShuffleView, ...] = ()
    other: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SentenceView(Fragment, frozen=True):
    """Sentence of the rules. outer: enclosing sentences, outermost first; part: its phase or step; loops: whether it
    repeats what it encloses."""

    text: str
    place: PlaceView
    part: str
    outer: tuple[int, ...] = ()
    loops: bool = False


class QuestionView(Fragment, frozen=True):
    """Question to a seat, in words."""

    seat: int
    prompt: str


class TraceView(Fragment, frozen=True):
    """Trace. done: number of executed sentences, the newest of which are included; error: why the rules could not go
    on, or ''; states: number of tables to look at, the first being the one before all."""

    steps: tuple[StepView, ...]
    sentences: Mapping[str, SentenceView]
    done: int
    states: int
    questions: tuple[QuestionView, ...] = ()
    error: str = ""


class TraceDescriber:
    """Describer of a trace in one language. game: any with these rules; name_of: returns a file's name in the folder,
    None outside."""

    def __init__(self, trace: SentenceTrace, game: Game, language: str, name_of: Callable[[Path], str | None]) -> None:
        self._trace, self._game, self._name_of = trace, game, name_of
        self._labels = Labels(game, language)
        self._program = game.program
        self._zones = {space.address: space for space in self._program.layout.zones}
        self.states = tables(trace)

    def describe(self) -> TraceView:
        """Describe the trace."""
        numbers = {id(state): number for number, state in enumerate(self.states)}
        steps = [self._step_view(step, numbers[id(step.after)]) for step in self._trace.steps]
        used = {step.sentence for step in steps if step.sentence >= 0}
        for step in self._trace.steps:
            used.update(self._trace.chain(step))
        return TraceView(
            steps=tuple(steps),
            sentences={str(number): self._sentence_view(number) for number in sorted(used)},
            done=self._trace.done,
            states=len(self.states),
            questions=tuple(self._questions()),
            error=self._trace.error,
        )

    def _sentence_view(self, number: int) -> SentenceView:
        """Describe a sentence: its text, its place and the sentences around it."""
        sentence = self._trace.program.sentences[number]
        outer = []
        number_of_outer = sentence.outer
        while number_of_outer >= 0:
            outer.append(number_of_outer)
            number_of_outer = self._trace.program.sentences[number_of_outer].outer
        return SentenceView(
            sentence.text, self._place(sentence.place), sentence.step, tuple(reversed(outer)), sentence.loops
        )

    def _step_view(self, step: SentenceStep, state: int) -> StepView:
        """Describe a step: its sentence, the values that it read, and what it changed."""
        sentence = self._trace.program.sentences[step.sentence] if step.sentence >= 0 else None
        test = sentence.test if sentence is not None else ""
        read = tuple(self._read(step, VALUE_SLOT))
        outcome = next(
            (bool(found[0]) for name, _, found in self._trace.read(step, VALUE_SLOT) if name == test and test), None
        )
        return StepView(
            number=step.number,
            sentence=step.sentence,
            seat=self._trace.acting(step),
            state=state,
            resumed=step.resumed,
            named_values=tuple(self._named_values(step)),
            read_values=tuple(one for one in read if one.text != test),
            outcome="" if outcome is None else "yes" if outcome else "no",
            moves=tuple(self._moves(step)),
            counts=tuple(self._counter_view(step, change) for change in step.counts),
            shuffled=tuple(self._shuffled(self._zones[zone]) for zone in step.shuffled),
            other=tuple(self._other_changes(step)),
            lines=tuple(self._line(text, arguments) for text, _, arguments in step.lines),
        )

    def _named_values(self, step: SentenceStep) -> Iterator[ReadView]:
        """Yield the named values: 'it' only if it adds to the others and to the acting seat."""
        values = list(self._read(step, NAME_SLOT))
        seat = self._trace.acting(step)
        others = {one.value for one in values if one.text != _IT_NAME} | (
            {self._labels.name(seat)} if seat is not None else set()
        )
        return (one for one in values if one.text != _IT_NAME or one.value not in others)

    def _read(self, step: SentenceStep, begins: str) -> Iterator[ReadView]:
        """Yield the values that a step read. begins: prefix of their slots in the trace."""
        sentence = self._trace.program.sentences[step.sentence] if step.sentence >= 0 else None
        for name, type_, items in self._trace.read(step, begins):
            place = sentence.declared.get(name) if sentence is not None else None
            yield ReadView(name, self._argument(type_, items), None if place is None else self._place(place))

    def _argument(self, type_: Type, items: Sequence[Any]) -> str:
        if type_.many and type_.base != "amount" and len(items) > MAX_LISTED_ITEMS:
            return self._labels.say(phrase("design", "{count} of them", count=len(items)))
        return self._labels.say(self._game.messages.argument(type_, items, MAKER))

    def _moves(self, step: SentenceStep) -> Iterator[MoveView]:
        """Yield the moves, joined for each pair of zones."""
        pieces_by_zones: dict[tuple[int, int], list[str]] = {}
        for move in step.moves:
            pieces_by_zones.setdefault((move.start, move.goal), []).append(
                type_with_marks(self._program, move.look).name
            )
        for (start, goal), names in pieces_by_zones.items():
            yield MoveView(
                pieces=self._name_pieces(names),
                name=names[0],
                start=zone_key(self._program, self._zones[start]),
                goal=zone_key(self._program, self._zones[goal]),
                start_label=self.zone(self._zones[start]),
                goal_label=self.zone(self._zones[goal]),
            )

    def _name_pieces(self, names: Sequence[str]) -> str:
        """Name pieces, equal ones together; only their number if they are many."""
        if len(set(names)) > MAX_LISTED_ITEMS:
            return self._labels.say(phrase("design", "{count} pieces", count=len(names)))
        counted = {name: names.count(name) for name in names}
        return self._labels.localizer.join_items(
            [self._labels.counted_piece(name, count) for name, count in counted.items()]
        )

    def _shuffled(self, space: StateZone) -> ShuffleView:
        return ShuffleView(zone_key(self._program, space), self.zone(space))

    def zone(self, space: StateZone) -> str:
        """Return a zone's title and owner in words."""
        label = self._labels.zone(space.name)
        if space.of == SEAT:
            return self._labels.say(
                phrase("design", "{zone} of {owner}", zone=label, owner=self._labels.name(space.owner))
            )
        if space.of in self._program.words:
            word = self._labels.say(self._game.messages.word_label(space.of, space.owner))
            return self._labels.say(phrase("design", "{zone} of {owner}", zone=label, owner=word))
        return label

    def _counter_view(self, step: SentenceStep, change: CounterChange) -> CountView:
        """Describe a change of a counter."""
        counter, name = change.counter, change.counter.name
        label = self._labels.counter(name)
        if counter.of:
            owner = (
                self._labels.name(change.owner) if counter.of == SEAT else self._labels.word(counter.of, change.owner)
            )
            label = self._labels.say(phrase("design", "{zone} of {owner}", zone=label, owner=owner))
        before, after = (
            self._labels.counter_value(name, owner_value(self._program, state, counter, change.owner))
            for state in (step.before, step.after)
        )
        return CountView(name, change.owner, label, before, after)

    def _other_changes(self, step: SentenceStep) -> Iterator[str]:
        """Yield the changes of pieces' looks in words."""
        for look in step.looks:
            before, after = (
                self._labels.piece(type_with_marks(self._program, number).name) for number in (look.before, look.after)
            )
            yield self._labels.say(phrase("design", "{before} becomes {after}", before=before, after=after))

    def _line(self, text: int, arguments: Sequence[Any] | None) -> str:
        text_form = self._trace.program.program.texts[text]
        return self._labels.say(self._game.messages.text(text_form, arguments, MAKER))

    def _questions(self) -> Iterator[QuestionView]:
        sites = self._program.sites
        for decision in self._trace.decisions:
            prompt = self._game.messages.text(sites[decision.site].ask, decision.arguments, decision.seat)
            yield QuestionView(decision.seat, self._labels.say(prompt))

    def _place(self, place: SourcePlace) -> PlaceView:
        """Return a place for the page: with the name of its file in the folder, or of a file elsewhere with its
        folder's name."""
        name = self._name_of(Path(place.file))
        return PlaceView(place.line, place.column, name or "", "" if name else "/".join(Path(place.file).parts[-2:]))


def tables(trace: SentenceTrace) -> list[State]:
    """List the states of a trace in which something visible has changed, the one before all first."""
    states = [trace.steps[0].before] if trace.steps else [trace.first]
    for step in trace.steps:
        if step.after is not states[-1]:
            states.append(step.after)
    return states


def table(game: Game, state: State, seat: int | None, language: str) -> Now:
    """Return the table in an intermediate state. seat: MAKER to see everything; None for a spectator."""
    return seat_view.table_state(
        Labels(game.with_history(game.history.with_state(state, between=True)), language), seat
    )
