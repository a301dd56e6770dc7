"""Rules step by step, as the pane 'Steps' shows them: each sentence that was done, with what it read and changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.authoring.sentence_trace import CounterChange, SentenceStep, SentenceTrace
from rulewright.base.diagnostics import SourcePlace
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_at
from rulewright.program.form import StateZone, Type
from rulewright.program.traced_program import NAMED, SAID
from rulewright.publish.labels import Labels
from rulewright.runtime.state import State
from rulewright.runtime.view import MAKER, held_by
from rulewright.server.views import seat_view
from rulewright.server.views.document import Fragment, Now
from rulewright.workbench.play.answer_effects import zone_key

_IT = "it"
MOST_IN_A_SET = 8
"""Things of a set that are told one by one; of more, only how many there are."""


class PlaceTold(Fragment, frozen=True):
    """A place in a file. file: its name in the folder, '' for one that lies elsewhere, which `named` then names."""

    line: int
    column: int = 1
    file: str = ""
    named: str = ""


class ReadTold(Fragment, frozen=True):
    """Something that a sentence read: as it stands there, what it came to, and where it is declared, if it is."""

    text: str
    told: str
    place: PlaceTold | None = None


class MoveTold(Fragment, frozen=True):
    """Pieces that went from one zone to another. pieces: in words; name: of the first of them, in the edition; start,
    goal: keys of zones, and what these are called."""

    pieces: str
    name: str
    start: str
    goal: str
    start_label: str
    goal_label: str


class CountTold(Fragment, frozen=True):
    """A counter that holds something else. name, owner: which it is; label: what it is called, and whose it is."""

    name: str
    owner: int
    label: str
    before: str
    after: str


class ShuffledTold(Fragment, frozen=True):
    """A zone that was shuffled: its key, and what it is called."""

    zone: str
    label: str


class StepTold(Fragment, frozen=True):
    """A sentence that was done. sentence: its number among `sentences`, -1 where a phase begins; outcome: 'yes' or 'no'
    for a condition; state: the number of the table as it is afterwards, which is the same until something changes;
    shuffled: zones that were; other: what else changed, in words."""

    number: int
    sentence: int
    seat: int | None
    state: int
    resumed: bool = False
    named: tuple[ReadTold, ...] = ()
    read: tuple[ReadTold, ...] = ()
    outcome: str = ""
    moves: tuple[MoveTold, ...] = ()
    counts: tuple[CountTold, ...] = ()
    shuffled: tuple[ShuffledTold, ...] = ()
    other: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SentenceTold(Fragment, frozen=True):
    """outer: the sentences around it, from outside in; part: the phase or step to which it belongs; loops: whether what
    stands inside is done again and again."""

    text: str
    place: PlaceTold
    part: str
    outer: tuple[int, ...] = ()
    loops: bool = False


class QuestionTold(Fragment, frozen=True):
    seat: int
    prompt: str


class TraceTold(Fragment, frozen=True):
    """done: how many sentences were done, of which the newest are here; trouble: why the rules could not go on, or
    ''; states: how many tables there are to look at, the first being the one before all."""

    steps: tuple[StepTold, ...]
    sentences: Mapping[str, SentenceTold]
    done: int
    states: int
    asked: tuple[QuestionTold, ...] = ()
    trouble: str = ""


class TraceTeller:
    """Tells a trace in one language. game: any of these rules; name_of: what a file is called in the folder, None where
    it lies elsewhere."""

    def __init__(self, trace: SentenceTrace, game: Game, language: str, name_of: Callable[[Path], str | None]) -> None:
        self._trace, self._game, self._name_of = trace, game, name_of
        self._labels = Labels(game, language)
        self._program = game.program
        self._zones = {space.address: space for space in self._program.layout.spaces}
        self.states = tables(trace)

    def told(self) -> TraceTold:
        numbers = {id(state): number for number, state in enumerate(self.states)}
        steps = [self._step(step, numbers[id(step.after)]) for step in self._trace.steps]
        used = {step.sentence for step in steps if step.sentence >= 0}
        for step in self._trace.steps:
            used.update(self._trace.chain(step))
        return TraceTold(
            steps=tuple(steps),
            sentences={str(number): self._sentence(number) for number in sorted(used)},
            done=self._trace.done,
            states=len(self.states),
            asked=tuple(self._asked()),
            trouble=self._trace.trouble,
        )

    def number_of(self, step: SentenceStep) -> int:
        """The place of a step among those that are told."""
        return next(place for place, found in enumerate(self._trace.steps) if found is step)

    def _sentence(self, number: int) -> SentenceTold:
        sentence = self._trace.program.sentences[number]
        outer = []
        at = sentence.outer
        while at >= 0:
            outer.append(at)
            at = self._trace.program.sentences[at].outer
        return SentenceTold(
            sentence.text, self._place(sentence.place), sentence.step, tuple(reversed(outer)), sentence.loops
        )

    def _step(self, step: SentenceStep, state: int) -> StepTold:
        sentence = self._trace.program.sentences[step.sentence] if step.sentence >= 0 else None
        test = sentence.test if sentence is not None else ""
        read = tuple(self._read(step, SAID))
        outcome = next(
            (bool(found[0]) for name, _, found in self._trace.read(step, SAID) if name == test and test), None
        )
        return StepTold(
            number=step.number,
            sentence=step.sentence,
            seat=self._trace.acting(step),
            state=state,
            resumed=step.resumed,
            named=tuple(self._named(step)),
            read=tuple(one for one in read if one.text != test),
            outcome="" if outcome is None else "yes" if outcome else "no",
            moves=tuple(self._moves(step)),
            counts=tuple(self._count(step, change) for change in step.counts),
            shuffled=tuple(self._shuffled(self._zones[zone]) for zone in step.shuffled),
            other=tuple(self._other(step)),
            lines=tuple(self._line(text, arguments) for text, _, arguments in step.lines),
        )

    def _named(self, step: SentenceStep) -> Iterator[ReadTold]:
        """What has a name: 'it' only where that says more than the others, or than who acts."""
        found = list(self._read(step, NAMED))
        seat = self._trace.acting(step)
        others = {one.told for one in found if one.text != _IT} | (
            {self._labels.name(seat)} if seat is not None else set()
        )
        return (one for one in found if one.text != _IT or one.told not in others)

    def _read(self, step: SentenceStep, begins: str) -> Iterator[ReadTold]:
        sentence = self._trace.program.sentences[step.sentence] if step.sentence >= 0 else None
        for name, type_, found in self._trace.read(step, begins):
            place = sentence.declared.get(name) if sentence is not None else None
            yield ReadTold(name, self._argument(type_, found), None if place is None else self._place(place))

    def _argument(self, type_: Type, found: Sequence[Any]) -> str:
        if type_.many and type_.base != "amount" and len(found) > MOST_IN_A_SET:
            return self._labels.say(phrase("design", "{count} of them", count=len(found)))
        return self._labels.say(self._game.messages.argument(type_, found, MAKER))

    def _moves(self, step: SentenceStep) -> Iterator[MoveTold]:
        """Those from one zone to another together."""
        ways: dict[tuple[int, int], list[str]] = {}
        for move in step.moves:
            ways.setdefault((move.start, move.goal), []).append(type_at(self._program, move.look).name)
        for (start, goal), names in ways.items():
            yield MoveTold(
                pieces=self._pieces(names),
                name=names[0],
                start=zone_key(self._game, self._zones[start]),
                goal=zone_key(self._game, self._zones[goal]),
                start_label=self.zone(self._zones[start]),
                goal_label=self.zone(self._zones[goal]),
            )

    def _pieces(self, names: Sequence[str]) -> str:
        if len(set(names)) > MOST_IN_A_SET:
            return self._labels.say(phrase("design", "{count} pieces", count=len(names)))
        counted = {name: names.count(name) for name in names}
        return self._labels.speech.row([self._labels.times(name, count) for name, count in counted.items()])

    def _shuffled(self, space: StateZone) -> ShuffledTold:
        return ShuffledTold(zone_key(self._game, space), self.zone(space))

    def zone(self, space: StateZone) -> str:
        """What a zone is called, and whose it is."""
        label = self._labels.zone(space.name)
        if space.of == SEAT:
            return self._labels.say(
                phrase("design", "{zone} of {owner}", zone=label, owner=self._labels.name(space.owner))
            )
        if space.of in self._program.words:
            word = self._labels.say(self._game.messages.spot(space.of, space.owner))
            return self._labels.say(phrase("design", "{zone} of {owner}", zone=label, owner=word))
        return label

    def _count(self, step: SentenceStep, change: CounterChange) -> CountTold:
        counter, name = change.counter, change.counter.name
        label = self._labels.counter(name)
        if counter.of:
            owner = (
                self._labels.name(change.owner) if counter.of == SEAT else self._labels.word(counter.of, change.owner)
            )
            label = self._labels.say(phrase("design", "{zone} of {owner}", zone=label, owner=owner))
        before, after = (
            self._labels.held(name, held_by(self._program, state, counter, change.owner))
            for state in (step.before, step.after)
        )
        return CountTold(name, change.owner, label, before, after)

    def _other(self, step: SentenceStep) -> Iterator[str]:
        for look in step.looks:
            before, after = (
                self._labels.piece(type_at(self._program, number).name) for number in (look.before, look.after)
            )
            yield self._labels.say(phrase("design", "{before} becomes {after}", before=before, after=after))

    def _line(self, text: int, arguments: Sequence[Any] | None) -> str:
        told = self._trace.program.program.texts[text]
        return self._labels.say(self._game.messages.text(told, arguments, MAKER))

    def _asked(self) -> Iterator[QuestionTold]:
        sites = self._program.sites
        for asked in self._trace.asked:
            told = self._game.messages.text(sites[asked.site].ask, asked.arguments, asked.seat)
            yield QuestionTold(asked.seat, self._labels.say(told))

    def _place(self, place: SourcePlace) -> PlaceTold:
        name = self._name_of(Path(place.file))
        return PlaceTold(place.line, place.column, name or "", "" if name else "/".join(Path(place.file).parts[-2:]))


def tables(trace: SentenceTrace) -> list[State]:
    """The states of a trace between which something that people see has changed, the one before all first."""
    found = [trace.steps[0].before] if trace.steps else [trace.first]
    for step in trace.steps:
        if step.after is not found[-1]:
            found.append(step.after)
    return found


def table(game: Game, state: State, seat: int | None, language: str) -> Now:
    """The table at a moment on the way. seat: MAKER, to see all of it; None for a spectator."""
    return seat_view.seen(Labels(game.amid(state), language), seat)
