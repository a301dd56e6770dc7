"""Examples, played: the position, what each does, what comes of it, all in the language of the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.examples import leaving_out
from rulewright.authoring.scenarios.expectations import Expected
from rulewright.authoring.scenarios.table import CaseGame
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Decision, Game
from rulewright.i18n.speech import Argument, Person, Phrase, Speech, Term, english, phrase
from rulewright.model.declarations import NUMBER, SEAT, Board, Edition
from rulewright.program.form import GAME_OVER, PC
from rulewright.publish.rulebook.model import Example, ExampleLine, ShownTable
from rulewright.publish.rulebook.positions import Positions
from rulewright.runtime.position import TABLE, Spot
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import NARRATOR, View, held, sees, view

_SCORES = ("scoring", "ranking")


class Untold(RulewrightError):
    """An example that cannot be played by these rules."""


def example(case: Case, anchor: str, speech: Speech) -> Example:
    """A case as it is played. Raises Untold where an answer is refused, or the rules themselves fail."""
    try:
        return _Telling(case, speech).example(anchor)
    except RulewrightError as error:
        raise Untold(leaving_out(case.name, case.place, str(error))) from None


class _Telling:
    """One case, told while it is played."""

    def __init__(self, case: Case, speech: Speech) -> None:
        self.case, self.speech = case, speech
        self.table = CaseGame(case.setting, through_json=False)
        self.game = self.table.game
        self.heard, self.scored = 0, False

    def example(self, anchor: str) -> Example:
        case, begins = self.case, self.case.setting.state
        title = self.speech.title(Phrase(f"{case.key}.title", case.name))
        text = self.told("text", case.text.text) if case.text is not None else ""
        answered = any(isinstance(step, ScriptedAnswer) for step in case.steps)
        start = self.game.state  # behind the set-up, if no position is laid out
        course = tuple(self.course())
        watching, positions = _Watching(self.game, case.laid), Positions(self.game, self.speech)
        if begins is None and answered:
            before, after = ShownTable(), positions.of(watching.changed(start, self.game.state))
        elif begins is None:
            before, after = ShownTable(), positions.of(watching.all())
        else:
            laid, changed = watching.laid(begins), watching.changed(begins, self.game.state)
            near = (laid, changed)
            before = positions.of(laid, near=near)
            after = positions.of(changed, empty=True, near=near)
        return Example(anchor, title, text, before, course, after)

    def told(self, what: str, text: str) -> str:
        return self.game.told(f"{self.case.key}.{what}", " ".join(text.split()), self.speech.language)

    def course(self) -> Iterator[ExampleLine]:
        """What happened, line by line."""
        yield from self.happened()
        for number, step in enumerate(self.case.steps):
            if isinstance(step, Expected):
                if step.tell is not None and all(check.difference(self.table) is None for check in step.checks):
                    yield ExampleLine(self.told("tell", step.tell.text), said=True)
            elif not step.refused:
                yield from self.answered(step, number)
        if not self.scored and self.case.explains.partition(".")[0] in _SCORES:
            yield from self.scores()

    def happened(self) -> Iterator[ExampleLine]:
        """What has been told since it was last heard; when the game is over, the points, too."""
        lines = self.game.log(NARRATOR, self.heard, self.speech.language)
        self.heard += len(lines)
        yield from (ExampleLine(line.text) for line in lines if not line.heading)
        if self.game.over and not self.scored:
            yield from self.scores()

    def answered(self, step: ScriptedAnswer, number: int) -> Iterator[ExampleLine]:
        """What comes of an answer; the answer itself where nothing tells of it."""
        seat, asked = step.seat, self.game.decision(step.seat)
        question = self.game.decision(seat, self.speech.language)
        self.table.answer(seat, step.keys)
        if asked is not None and question is not None and not self.is_told(asked, step, number):
            yield ExampleLine(self.reply(question, step))
        yield from self.happened()

    def is_told(self, asked: Decision, step: ScriptedAnswer, number: int) -> bool:
        """Whether the log tells of an answer: in a line that names who gave it and all that was chosen."""
        name = self.case.setting.seats[step.seat]
        chosen = [] if asked.kind in ("truth", "branch") else asked.choices
        named = [choice.piece or choice.word or choice.key for choice in chosen if choice.key in step.keys]
        if asked.kind == "truth" and "no" in step.keys:
            return False
        lines = self.ahead(step, number, not named) if step.keys else self.game.phrases(NARRATOR, self.heard)
        return any({name, *named} <= set(_named(line)) for line in lines)

    def ahead(self, step: ScriptedAnswer, number: int, alone: bool) -> Iterator[Phrase]:
        """What is told from now on, until the same seat chooses some of the same again. alone: only until another seat
        answers, as after a mere yes."""
        game = self.case.setting.game(self.game.state)
        yield from self.game.phrases(NARRATOR, self.heard)
        for later in self.case.steps[number + 1 :]:
            if isinstance(later, ScriptedAnswer) and not later.refused:
                if alone if later.seat != step.seat else set(later.keys) & set(step.keys):
                    return
                start = len(game.phrases(NARRATOR))
                game.answer(later.seat, later.keys)
                yield from game.phrases(NARRATOR, start)

    def reply(self, asked: Decision, step: ScriptedAnswer) -> str:
        """A line for an answer that leaves no other trace."""
        labels = {choice.key: choice.label for choice in asked.choices}
        chosen = Counter(step.keys)
        answers = [labels[key] if count == 1 else f"{count} × {labels[key]}" for key, count in chosen.items()]
        return self.speech.say(
            phrase(
                "rulebook",
                "“{question}” {player}: “{answer}”",
                question=asked.prompt,
                player=Person(self.case.setting.seats[step.seat]),
                answer=tuple(answers) or asked.none or phrase("argument", "nothing"),
            )
        )

    def scores(self) -> Iterator[ExampleLine]:
        """The points of each seat: of the line that is explained, or of all with their total."""
        self.scored = True
        titles = [line.name for line in self.game.program.scoring]
        explained = self.case.explains.removeprefix("scoring.")
        for standing in sorted(self.game.standings(self.speech.language), key=lambda found: found.seat):
            player = Person(self.case.setting.seats[standing.seat])
            lines = [f"{title} {self.speech.number(points)}" for title, points in standing.lines]
            if explained in titles:
                told = phrase("rulebook", "{player}: {lines}.", player=player, lines=lines[titles.index(explained)])
            else:
                told = phrase(
                    "rulebook",
                    "{player}: {lines}; {total} [point|points] in all, rank {rank}.",
                    player=player,
                    lines=tuple(lines),
                    total=standing.total,
                    rank=standing.rank,
                )
            yield ExampleLine(self.speech.say(told))


def _named(line: Phrase) -> Iterator[str]:
    """The people and things that a line names, in English."""
    for _, argument in line.slots:
        yield from _names_in(argument)


def _names_in(argument: Argument) -> Iterator[str]:
    for item in argument if isinstance(argument, tuple) else (argument,):
        match item:
            case Person(name, _):
                yield name
            case Term():
                yield english().say(replace(item, count=1))
            case str() | int():
                yield str(item)


class _Watching:
    """Looks at a game, as whoever tells its story, and at what of it matters in an example.

    spots: the zones and counters that its position names.
    """

    def __init__(self, game: Game, spots: frozenset[Spot]) -> None:
        self.game, self.layout, self.spots = game, game.program.layout, spots
        boards = game.rules.edition.boards.values()
        self._spaces = {(space.name, space.owner): space for space in self.layout.spaces}
        self._counters = {counter.name: counter for counter in self.layout.counters}
        self.drawn = [{found.spaces, *_lists(game.rules.edition, found)} for found in boards if found.positions]

    def all(self) -> View:
        """What can be seen of a table, and the piles of which nobody sees more than the back."""
        found = self.game.view(NARRATOR)
        return replace(found, zones=tuple(zone for zone in found.zones if zone.pile or zone.pieces is not None))

    def laid(self, s: State) -> View:
        """What the position names."""
        return self.only(s, set(self.spots))

    def changed(self, before: State, after: State) -> View:
        """What is different afterwards, of what the position names, of boards and of all that belongs to a seat."""
        spots = set(self.spots)
        for space in self.layout.spaces:
            if (space.of == SEAT or any(space.of in drawn for drawn in self.drawn)) and sees(space, NARRATOR):
                spots.add((space.name, space.owner))
        for counter in self.layout.counters:
            if counter.of == SEAT:
                spots |= {(counter.name, seat) for seat in range(counter.cells)}
        return self.only(after, {spot for spot in spots if self.held(before, spot) != self.held(after, spot)})

    def only(self, s: State, spots: set[Spot]) -> View:
        """A view of these zones and counters; of a board of which it shows something, it shows all."""
        still = clone(s)
        still[PC] = GAME_OVER  # of a position that has only been laid out nobody can say who will be asked
        found = view(self.game.machine, still, NARRATOR)
        of = {space.of for space in self.layout.spaces if (space.name, space.owner) in spots}
        whole = {words for drawn in self.drawn if drawn & of for words in drawn}
        zones = (
            zone
            for zone, space in zip(found.zones, self.layout.spaces, strict=True)
            if (space.name, space.owner) in spots or space.of in whole
        )
        counters: dict[str, Any] = {}
        for counter in self.layout.counters:
            cells = [(counter.name, at) for at in (range(counter.cells) if counter.of else (TABLE,))]
            usual = held(self.game.program, counter.type, counter.start)
            shown = found.counters[counter.name]
            if isinstance(shown, Mapping):
                pairs = zip(cells, shown.items(), strict=True)
                counters[counter.name] = {word: value if cell in spots else usual for cell, (word, value) in pairs}
            elif isinstance(shown, tuple):
                pairs_ = zip(cells, shown, strict=True)
                counters[counter.name] = tuple(value if cell in spots else usual for cell, value in pairs_)
            else:
                counters[counter.name] = shown if cells[0] in spots else usual
        return replace(found, zones=tuple(zones), counters=counters)

    def held(self, s: State, spot: Spot) -> object:
        """What can be compared of a zone or counter."""
        if (space := self._spaces.get(spot)) is not None:
            return Counter(self.game.program.look(s, piece) for piece in s[space.address])
        return s[self._counters[spot[0]].address + max(0, spot[1])]


def _lists(edition: Edition, board: Board) -> list[str]:
    """The word lists of the regions of a board's spaces."""
    return [of for of in edition.words[board.spaces].attributes.values() if of != NUMBER]
