"""Examples that somebody learns by: the positions are played from one seat, with the answers that one would give.

A lesson is an example as it is written. Where its learner answers in it, it waits: for the same answer, with which it
goes on, or for another one, of which it shows what comes. Nothing is kept between two questions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import RLock

from rulewright.authoring.rule_index import Tellings
from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.examples import examples
from rulewright.authoring.scenarios.expectations import Expected
from rulewright.authoring.scenarios.table import CaseGame
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import AnswerError, Game
from rulewright.game.library import Rules
from rulewright.game.setup import check_options
from rulewright.i18n.localizer import Argument, Phrase, Speech, phrase
from rulewright.model.declarations import Edition
from rulewright.model.editions import examples_of
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import Telling, tell

MOST_WALKED = 32
"""Lessons of an edition of which the moments are kept."""


MOST_COURSES = 12
"""Editions whose lessons are kept."""


WORDS: Mapping[str, Phrase] = {
    "learn": phrase("page", "Learn to play"),
    "lessons": phrase("page", "Lessons"),
    "all lessons": phrase("page", "All lessons"),
    "more examples": phrase("rulebook", "More examples"),
    "no lessons": phrase("page", "There is nothing to learn here."),
    "lesson of": phrase("page", "Lesson {number} / {last}"),
    # For translators: Said of a lesson that somebody has played.
    "lesson done": phrase("page", "done"),
    "you are": phrase("page", "You are {name}."),
    "again": phrase("page", "Again"),
    "next lesson": phrase("page", "Next lesson"),
    # For translators: A heading above what comes of an answer that is not the one of the example.
    "allowed too": phrase("page", "That is allowed, too:"),
    "other answer": phrase("page", "Try something else"),
    "example does": phrase("page", "What the example does"),
    # For translators: Stands before what somebody answers in the example.
    "in example": phrase("page", "In the example"),
}
"""What is said around lessons, on the page and at a terminal."""


def words(what: str, /, **slots: Argument) -> Phrase:
    """One of WORDS, with its slots filled."""
    return replace(WORDS[what], slots=tuple(slots.items()))


class NoLesson(RulewrightError):
    """There is no such lesson, or no such moment in it."""


@record
class Heard:
    """What a learner is told. said: whether it explains what has happened; heading: whether it stands over the lines
    that follow it."""

    text: str
    said: bool = False
    heading: bool = False


@record
class _Span:
    """Lines of the log, from one up to another."""

    start: int
    end: int


@record
class _Said:
    """An explanation of the example; game: as it was then."""

    text: str
    game: Game


@record
class Moment:
    """Where a lesson waits for its learner, or has ended. game: as it is then; parts: what was told since the moment
    before; taken: what the example answers here, None at its end; rest: what comes after that answer."""

    game: Game
    parts: tuple[_Span | _Said, ...]
    taken: tuple[str, ...] | None
    rest: tuple[ScriptedAnswer | Expected, ...]


@record
class Outcome:
    """What comes of an answer that the example does not give. lines: of the log, as the learner reads them."""

    game: Game
    lines: tuple[Heard, ...]


def _shown(lines: list[Heard]) -> list[Heard]:
    """Without headings that another follows at once."""
    after = [*lines, Heard("")][1:]
    return [line for line, next_ in zip(lines, after, strict=True) if not (line.heading and next_.heading)]


@dataclass(eq=False)
class Lesson:
    """One example, seen from a learner's seat."""

    case: Case
    seat: int

    def title(self, speech: Speech) -> str:
        return speech.title(Phrase(f"{self.case.key}.title", self.case.name))

    def text(self, language: str, game: Game) -> str:
        """The story so far. game: as it is at the first moment."""
        return "" if self.case.text is None else self._told("text", self.case.text.text, language, game)

    def lines(self, moment: Moment, language: str) -> list[Heard]:
        """What was told since the moment before."""
        found = []
        for part in moment.parts:
            if isinstance(part, _Said):
                found.append(Heard(self._told("tell", part.text, language, part.game), said=True))
            else:
                found += self.heard(moment.game, part.start, part.end, language)
        return _shown(found)

    def heard(self, game: Game, start: int, end: int, language: str) -> list[Heard]:
        """Lines of the log, without the headings of phases."""
        log = game.log(self.seat, start, language)[: end - start]
        return [Heard(line.text, heading=line.heading) for line in log if not line.phase]

    def moments(self) -> Iterator[Moment]:
        """Plays the example. Raises RulewrightError where it cannot be played."""
        table = CaseGame(self.case.setting, through_json=False)
        game, parts, heard = table.game, list[_Span | _Said](), 0
        if any(self.answers(step) for step in self.case.steps):
            heard = game.log_length  # what was told of the set-up before anybody did anything
        for number, step in enumerate(self.case.steps):
            if isinstance(step, Expected):
                if step.tell is not None and all(check.difference(table) is None for check in step.checks):
                    parts += [_Span(heard, game.log_length), _Said(step.tell.text, game.copy())]
                    heard = game.log_length
            elif not step.refused:
                if self.answers(step):
                    parts.append(_Span(heard, game.log_length))
                    yield Moment(game.copy(), tuple(parts), step.keys, self.case.steps[number + 1 :])
                    parts, heard = [], game.log_length
                table.answer(step.seat, step.keys)
        parts.append(_Span(heard, game.log_length))
        yield Moment(game.copy(), tuple(parts), None, ())

    def answers(self, step: ScriptedAnswer | Expected) -> bool:
        """Whether the learner answers in a step."""
        return isinstance(step, ScriptedAnswer) and not step.refused and step.seat == self.seat

    def tried(self, moment: Moment, keys: Sequence[str], language: str) -> Outcome | None:
        """What comes of an answer, as far as the others then do what they do in the example; None where it is the one
        that the example gives. Raises AnswerError where it is not allowed, RuleError where the rules fail."""
        if moment.taken is None:
            raise NoLesson(phrase("errors", "This lesson is over."))
        if sorted(keys) == sorted(moment.taken):
            return None
        game = moment.game.copy()
        heard = game.log_length
        game.answer(self.seat, keys)
        for step in moment.rest:
            if not isinstance(step, ScriptedAnswer) or step.refused:
                continue
            if step.seat == self.seat:
                break
            try:
                game.answer(step.seat, step.keys)
            except AnswerError:
                break
        return Outcome(game, tuple(_shown(self.heard(game, heard, game.log_length, language))))

    def taken(self, moment: Moment, language: str) -> str:
        """What the example answers, in words."""
        decision = moment.game.decision(self.seat, language)
        if decision is None or moment.taken is None:
            return ""
        return Labels(moment.game, language).answer(decision, moment.taken)

    def why(self, moment: Moment, language: str) -> list[Telling]:
        """The rule that the example explains, and that of the decision."""
        decision = moment.game.decision(self.seat)
        step = [RuleKey.of("steps", decision.step)] if decision is not None and decision.step else []
        keys = dict.fromkeys([RuleKey(self.case.explains), *step])
        told = tuple(key for key in keys if key in moment.game.program.rules)
        return tell(Labels(moment.game, language), told, self.seat)

    def _told(self, what: str, text: str, language: str, game: Game) -> str:
        return game.told(f"{self.case.key}.{what}", " ".join(text.split()), language, self.seat)


class Course:
    """The lessons of an edition, in the order in which one learns them, and behind these its other examples. It may be
    asked from several threads. usual: how many make the game known.

    Raises EditionError where a file of examples is none.
    """

    def __init__(self, rules: Rules) -> None:
        found = examples(rules, check_options(rules, {}))
        self.rules, self.edition = found.rules, rules.edition
        self._lock = RLock()
        self._walked: OrderedDict[int, tuple[Moment, ...]] = OrderedDict()
        order = _order(self.edition)
        cases = sorted(found.cases, key=lambda case: order.get(RuleKey(case.explains), len(order)))
        playable = [lesson for case in cases if self._is_played(lesson := Lesson(case, _learner(case)))]
        if found.lessons is None:
            first = [lesson for lesson in playable if any(map(lesson.answers, lesson.case.steps))]
        else:
            by_name = {lesson.case.name: lesson for lesson in playable}
            first = [by_name[name] for name in dict.fromkeys(found.lessons) if name in by_name]
        self.usual = len(first)
        self.lessons = (*first, *(lesson for lesson in playable if lesson not in first))

    def _is_played(self, lesson: Lesson) -> bool:
        try:
            for moment in lesson.moments():
                if moment.taken is not None:
                    lesson.tried(moment, moment.taken, "en")
        except RulewrightError:
            return False
        return True

    def lesson(self, number: int) -> Lesson:
        """A lesson, counted from 0. Raises NoLesson."""
        if not 0 <= number < len(self.lessons):
            raise NoLesson(phrase("errors", "There is no such lesson."))
        return self.lessons[number]

    def moments(self, number: int) -> tuple[Moment, ...]:
        """The moments of a lesson. Raises NoLesson."""
        lesson = self.lesson(number)
        with self._lock:
            if number not in self._walked:
                self._walked[number] = tuple(lesson.moments())
                if len(self._walked) > MOST_WALKED:
                    self._walked.popitem(last=False)
            self._walked.move_to_end(number)
            return self._walked[number]

    def moment(self, number: int, at: int) -> Moment:
        """Raises NoLesson."""
        moments = self.moments(number)
        if not 0 <= at < len(moments):
            raise NoLesson(phrase("errors", "There is no such moment in this lesson."))
        return moments[at]

    def explaining(self, key: str) -> list[int]:
        """The lessons whose examples explain a rule."""
        return [number for number, lesson in enumerate(self.lessons) if lesson.case.explains == key]


_courses: OrderedDict[Rules, Course] = OrderedDict()
_reading = RLock()


def has_lessons(edition: Edition) -> bool:
    """Whether there are examples beside an edition or what it extends; none of them need be playable."""
    return any(examples_of(file).is_file() for file in edition.files)


def course(rules: Rules) -> Course:
    """The lessons of an edition; read once. Raises EditionError."""
    with _reading:
        if rules not in _courses:
            _courses[rules] = Course(rules)
            if len(_courses) > MOST_COURSES:
                _courses.popitem(last=False)
        _courses.move_to_end(rules)
        return _courses[rules]


def _learner(case: Case) -> int:
    """Who answers most, of several the first; where nobody does, whom the first explanation is about."""
    if case.learner is not None:
        return case.learner
    answers = [step.seat for step in case.steps if isinstance(step, ScriptedAnswer) and not step.refused]
    about = [seat for step in case.steps if isinstance(step, Expected) for seat in step.subject.seats]
    return max(answers, key=answers.count) if answers else about[0] if about else 0


def _order(edition: Edition) -> dict[RuleKey, int]:
    """The rules in the order of a book: set-up, a round by its phases, what words say, powers, scoring, the rest."""
    tellings = Tellings(edition)
    sections = ("setup", "phases", "steps", "words", "powers", "scoring", "ranking", "roles", "options")
    phases = {RuleKey.of("phases", phase.name): number for number, phase in enumerate(edition.phases)}

    def place(key: RuleKey) -> tuple[int, int]:
        home = tellings.homes.get(key, key)
        return sections.index(home.section) if home.section in sections else len(sections), phases.get(home, 0)

    return {key: number for number, key in enumerate(sorted(tellings.texts, key=place))}
