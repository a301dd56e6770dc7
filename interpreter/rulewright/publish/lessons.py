"""Lessons: examples that are played from one seat, with the answers that the example gives there.

A lesson is an example as it is written. Where its learner answers in it, it waits: for the same answer, with which it
goes on, or for another one, of which it shows the outcome. No state is kept between two requests.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import RLock

from rulewright.authoring.rule_index import RuleIndex
from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.checks import Expected
from rulewright.authoring.scenarios.examples import examples
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import check_options
from rulewright.i18n.localizer import YOU, Argument, Localizer, Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.model.editions import examples_of
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import ShownRule, rule_texts
from rulewright.runtime import view as views
from rulewright.runtime.state import State

MAX_CACHED_LESSONS = 32
"""Limit of lessons of an edition whose waiting points are cached."""


MAX_CACHED_COURSES = 12
"""Limit of editions whose lessons are cached."""


WORDS: Mapping[str, Phrase] = {
    "learn": phrase("page", "Learn to play"),
    "lessons": phrase("page", "Lessons"),
    "all lessons": phrase("page", "All lessons"),
    "more examples": phrase("rulebook", "More examples"),
    "no lessons": phrase("page", "There is nothing to learn here."),
    "lesson of": phrase("page", "Lesson {number} of {last}"),
    # For translators: The button that begins the lessons of a game.
    "start learning": phrase("page", "Start"),
    "lessons take": phrase("page", "Short lessons: {number} · about {minutes} min"),
    # For translators: Marks the answer that a lesson gives.
    "do this": phrase("page", "Do this"),
    # For translators: Said of a lesson that somebody has played.
    "lesson done": phrase("page", "done"),
    "you are": phrase("page", "You are {name}."),
    "again": phrase("page", "Again"),
    "next lesson": phrase("page", "Next lesson"),
    # For translators: A heading above what comes of an answer that is not the one of the example.
    "allowed too": phrase("page", "You may do that, too."),
    "other answer": phrase("page", "Take it back"),
    "example does": phrase("page", "Go on with the lesson"),
    # For translators: Before what another answer would have led to: 'With e4 instead: You take one stone.'
    "with example": phrase("page", "With {answer} instead"),
    # For translators: Stands before what somebody answers in the example.
    "in example": phrase("page", "The lesson plays"),
}
"""Texts around lessons, on the page and at a terminal."""


def lesson_text(key: str, /, **slots: Argument) -> Phrase:
    """Return one of WORDS, with its slots filled."""
    return replace(WORDS[key], slots=tuple(slots.items()))


class UnknownLesson(RulewrightError):
    """Raised where there is no such lesson, or no such waiting point in it."""


@record
class LessonText:
    """Line for the learner.

    is_explanation: whether it explains what has happened; heading: whether it is the heading of the following lines;
    seat: of whom a line of the log tells, or None.
    """

    text: str
    is_explanation: bool = False
    heading: bool = False
    seat: int | None = None


@record
class _LogRange:
    """Range of log lines."""

    start: int
    end: int


@record
class _Explanation:
    """Explanation in the example; key: 'tell' or 'teach'; game: at that point."""

    key: str
    text: str
    game: Game


@record
class LessonPoint:
    """Point where a lesson waits for its learner, or its end.

    game: at that point; parts: texts since the point before; example_answer: the one here, None at the end; rest: the
    answers of all seats after it.
    """

    game: Game
    parts: tuple[_LogRange | _Explanation, ...]
    example_answer: tuple[str, ...] | None
    rest: tuple[ScriptedAnswer, ...]


@record
class LessonOutcome:
    """Outcome of an answer that differs from the example's.

    lines: of the log, as the learner reads them; missing: those that the example's answer would have brought besides.
    """

    game: Game
    lines: tuple[LessonText, ...]
    missing: tuple[str, ...] = ()


def _without_empty_headings(lines: list[LessonText]) -> list[LessonText]:
    """Drop headings that another heading follows at once."""
    after = [*lines, LessonText("")][1:]
    return [line for line, next_ in zip(lines, after, strict=True) if not (line.heading and next_.heading)]


def _missing_lines(lines: Sequence[LessonText], of_example: Sequence[LessonText], answers: Iterable[str]) -> list[str]:
    """Return the lines of the example that have no counterpart among an answer's own. answers: of both, as texts: lines
    that differ in these alone are the same."""
    own = Counter(_without_answers(line.text, answers) for line in lines)
    missing = []
    for line in of_example:
        text = _without_answers(line.text, answers)
        own[text] -= 1
        if own[text] < 0 and not line.heading:
            missing.append(line.text)
    return missing


def _without_answers(text: str, answers: Iterable[str]) -> str:
    """Return a text without the answers that it names."""
    for answer in answers:
        text = re.sub(re.escape(answer), "", text, flags=re.IGNORECASE) if answer else text
    return text


@record
class LessonPage:
    """Explanation with the position that it is about: of a trick that was taken, the one where it still lies.
    is_last: whether it is the one that the point itself has."""

    text: str
    game: Game
    is_last: bool


def _before_pieces_left(game: Game) -> Game:
    """Return the game at the last snapshot since its last answer, if pieces that all saw there have left their zone
    since, as a trick that was taken; else the same game."""
    history, layout = game.history, game.program.layout
    steps = [step for step in history.steps() if step.answers == len(history.answers) and step.moment is not None]
    if not steps or not history.answers:
        return game
    zones = slice(layout.piece_zones, layout.piece_zones + layout.pieces)
    open_zones = {zone.address for zone in layout.zones if views.sees_zone(zone, None)}

    def open_pieces(state: State) -> Counter[tuple[int, int]]:
        """Count the pieces that all see, by zone and type: which of equal ones they are nobody knows."""
        pairs = zip(state[zones], game.program.type_of, strict=True)
        return Counter((zone, piece) for zone, piece in pairs if zone in open_zones)

    has_left = bool(open_pieces(history.state_at(steps[-1])) - open_pieces(history.present))
    return game.with_history(history.until(steps[-1])) if has_left else game


@dataclass(eq=False)
class Lesson:
    """One example, seen from a learner's seat. is_taught: whether it addresses the learner, who is called 'You'."""

    case: Case
    seat: int
    is_taught: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats; of a taught learner, YOU."""
        names = self.case.setting.seats
        return (*names[: self.seat], YOU, *names[self.seat + 1 :]) if self.is_taught else names

    def title(self, localizer: Localizer) -> str:
        """Return the title of its case in a language."""
        return localizer.title(Phrase(f"{self.case.key}.title", self.case.name))

    def text(self, language: str, game: Game) -> str:
        """Return the story so far; '' without one, and in a taught lesson. game: at the first point, whose figures it
        has."""
        if self.case.text is None or self.is_taught:
            return ""
        return self._translate("text", self.case.text.text, language, game)

    def lines(self, point: LessonPoint, language: str) -> list[LessonText]:
        """Return the log's lines and the explanations since the point before, without headings that another follows at
        once."""
        result = []
        for part in point.parts:
            if isinstance(part, _Explanation):
                result.append(
                    LessonText(self._translate(part.key, part.text, language, part.game), is_explanation=True)
                )
            else:
                result += self.log_lines(point.game, part.start, part.end, language)
        return _without_empty_headings(result)

    def pages(self, point: LessonPoint, language: str) -> list[LessonPage]:
        """Return the explanations before a point, each with the position that it is about; the last, which the point
        shows with its own position, only if pieces have left since."""
        explained = [part for part in point.parts if isinstance(part, _Explanation)]
        result = []
        for part in explained:
            position, is_last = _before_pieces_left(part.game), part is explained[-1]
            if not is_last or position is not part.game:
                text = self._translate(part.key, part.text, language, part.game)
                result.append(LessonPage(text, position, is_last))
        return result

    def log_lines(self, game: Game, start: int, end: int, language: str) -> list[LessonText]:
        """Return the lines of the log from `start` to before `end`, without the headings of phases."""
        log = game.log.lines(self.seat, start, language)[: end - start]
        return [LessonText(line.text, heading=line.heading, seat=line.seat) for line in log if not line.phase]

    def points(self) -> Iterator[LessonPoint]:
        """Play the example; yield its waiting points. Raises RulewrightError where it cannot be played."""
        table = CaseGame(replace(self.case.setting, seats=self.seats), through_json=False)
        game, parts, log_start = table.game, list[_LogRange | _Explanation](), 0
        if self.asks_learner:
            log_start = game.log.length  # what was told of the set-up before anybody did anything
        remaining = list(self.case.answers)
        for step in self.case.told_steps(table, self.is_taught):
            if isinstance(step, ScriptedAnswer):
                del remaining[0]
                if step.seat == self.seat:
                    parts.append(_LogRange(log_start, game.log.length))
                    yield LessonPoint(game.copy(), tuple(parts), step.keys, tuple(remaining))
                    parts, log_start = [], game.log.length
                table.answer(step.seat, step.keys)
            elif (text := step.teach if self.is_taught else step.tell) is not None:
                key = "teach" if self.is_taught else "tell"
                parts += [_LogRange(log_start, game.log.length), _Explanation(key, text.text, game.copy())]
                log_start = game.log.length
        parts.append(_LogRange(log_start, game.log.length))
        yield LessonPoint(game.copy(), tuple(parts), None, ())

    @property
    def asks_learner(self) -> bool:
        """Whether the learner answers in the example."""
        return any(answer.seat == self.seat for answer in self.case.answers)

    def try_answer(self, point: LessonPoint, keys: Sequence[str], language: str) -> LessonOutcome | None:
        """Try an answer in a copy of the game, with the others' answers of the example that follow, up to the learner's
        next and as long as they are allowed; return None for the example's own answer. Raises AnswerError where the
        answer is not allowed, RuleError where the rules fail, UnknownLesson at the end."""
        if point.example_answer is None:
            raise UnknownLesson(phrase("errors", "This lesson is over."))
        if sorted(keys) == sorted(point.example_answer):
            return None
        game, lines = self._play_on(point, keys, language)
        _, of_example = self._play_on(point, point.example_answer, language)
        own = (self.answer_text(point, language), self._answer_text(point, keys, language))
        return LessonOutcome(game, tuple(lines), tuple(_missing_lines(lines, of_example, own)))

    def _play_on(self, point: LessonPoint, keys: Sequence[str], language: str) -> tuple[Game, list[LessonText]]:
        """Give an answer in a copy of the game, and the others' that follow; return the game and its new lines."""
        game = point.game.copy()
        log_start = game.log.length
        game.answer(self.seat, keys)
        for step in point.rest:
            if step.seat == self.seat:
                break
            try:
                game.answer(step.seat, step.keys)
            except AnswerError:
                break
        return game, _without_empty_headings(self.log_lines(game, log_start, game.log.length, language))

    def answer_text(self, point: LessonPoint, language: str) -> str:
        """Return the example's answer as text; '' where the learner is not asked."""
        return self._answer_text(point, point.example_answer or (), language)

    def _answer_text(self, point: LessonPoint, keys: Sequence[str], language: str) -> str:
        """Return an answer at a point as text; '' where the learner is not asked."""
        decision = point.game.decision(self.seat, language)
        if decision is None or point.example_answer is None:
            return ""
        return Labels(point.game, language).answer(decision, keys)

    def rules(self, point: LessonPoint, language: str) -> list[ShownRule]:
        """Return the rule that the example explains, and that of the decision's step, of those with a text."""
        decision = point.game.decision(self.seat)
        step = [RuleKey.of("steps", decision.step)] if decision is not None and decision.step else []
        keys = dict.fromkeys([RuleKey(self.case.explains), *step])
        known_keys = tuple(key for key in keys if key in point.game.program.rules)
        return rule_texts(Labels(point.game, language), known_keys, self.seat)

    def _translate(self, part: str, text: str, language: str, game: Game) -> str:
        """Return a text of the example in a language, with the figures of a game."""
        return game.rule_texts.aside(f"{self.case.key}.{part}", " ".join(text.split()), language, self.seat)


class Course:
    """Lessons of an edition in the order of learning, then its other examples. Thread-safe.

    usual: number of lessons that teach the game; the rest are further examples. Raises EditionError where a file of
    examples is invalid.
    """

    def __init__(self, rules: Rules) -> None:
        example_set = examples(rules, check_options(rules, {}))
        self.rules, self.edition = example_set.rules, rules.edition
        self._lock = RLock()
        self._points: OrderedDict[int, tuple[LessonPoint, ...]] = OrderedDict()
        order = _book_order(self.edition)
        cases = sorted(example_set.cases, key=lambda case: order.get(RuleKey(case.explains), len(order)))
        lessons = (Lesson(case, _learner(case), case.is_taught) for case in cases)
        playable = [lesson for lesson in lessons if self._is_playable(lesson)]
        if example_set.lessons is None:
            first = [lesson for lesson in playable if lesson.asks_learner]
        else:
            by_name = {lesson.case.name: lesson for lesson in playable}
            first = [by_name[name] for name in dict.fromkeys(example_set.lessons) if name in by_name]
        self.usual = len(first)
        self.lessons = (*first, *(lesson for lesson in playable if lesson not in first))

    def _is_playable(self, lesson: Lesson) -> bool:
        """Play a lesson; return whether it can be played to its end."""
        try:
            for _ in lesson.points():
                pass
        except RulewrightError:
            return False
        return True

    def lesson(self, number: int) -> Lesson:
        """Return a lesson, counted from 0. Raises UnknownLesson."""
        if not 0 <= number < len(self.lessons):
            raise UnknownLesson(phrase("errors", "There is no such lesson."))
        return self.lessons[number]

    def points(self, number: int) -> tuple[LessonPoint, ...]:
        """Return the waiting points of a lesson. Raises UnknownLesson."""
        lesson = self.lesson(number)
        with self._lock:
            if number not in self._points:
                self._points[number] = tuple(lesson.points())
                if len(self._points) > MAX_CACHED_LESSONS:
                    self._points.popitem(last=False)
            self._points.move_to_end(number)
            return self._points[number]

    def point(self, number: int, index: int) -> LessonPoint:
        """Return one waiting point of a lesson. Raises UnknownLesson."""
        points = self.points(number)
        if not 0 <= index < len(points):
            raise UnknownLesson(phrase("errors", "There is no such moment in this lesson."))
        return points[index]

    def story(self, number: int) -> tuple[Lesson, tuple[LessonPoint, ...]]:
        """Return a lesson as readers of the rulebook are told it, not as one that teaches, with its points. Raises
        UnknownLesson."""
        lesson = self.lesson(number)
        if not lesson.is_taught:
            return lesson, self.points(number)
        untaught = Lesson(lesson.case, lesson.seat)
        return untaught, tuple(untaught.points())

    def lessons_on(self, key: str) -> list[int]:
        """List the numbers, from 0, of the lessons whose examples explain a rule."""
        return [number for number, lesson in enumerate(self.lessons) if lesson.case.explains == key]


_courses: OrderedDict[Rules, Course] = OrderedDict()
"""Cache of courses, the latest made last; `_courses_lock` guards it."""
_courses_lock = RLock()


def has_lessons(edition: Edition) -> bool:
    """Return whether an edition or its bases have examples; these need not be playable."""
    return any(examples_of(file).is_file() for file in edition.files)


def course(rules: Rules) -> Course:
    """Return the cached lessons of an edition. Raises EditionError."""
    with _courses_lock:
        if rules not in _courses:
            _courses[rules] = Course(rules)
            if len(_courses) > MAX_CACHED_COURSES:
                _courses.popitem(last=False)
        _courses.move_to_end(rules)
        return _courses[rules]


def _learner(case: Case) -> int:
    """Return the seat that the example declares as its learner; else the one with most answers, of several the first;
    without answers, the one that the first explanation is about."""
    if case.learner is not None:
        return case.learner
    answers = [step.seat for step in case.answers]
    about = [seat for step in case.steps if isinstance(step, Expected) for seat in step.subject.seats]
    return max(answers, key=answers.count) if answers else about[0] if about else 0


def _book_order(edition: Edition) -> dict[RuleKey, int]:
    """Map the rules to their position in a book: set-up, a round by its phases, words, powers, scoring, the rest."""
    rule_index = RuleIndex(edition)
    sections = ("setup", "phases", "steps", "words", "powers", "scoring", "ranking", "roles", "options")
    phases = {RuleKey.of("phases", phase.name): number for number, phase in enumerate(edition.phases)}

    def place(key: RuleKey) -> tuple[int, int]:
        containing = rule_index.homes.get(key, key)
        section = sections.index(containing.section) if containing.section in sections else len(sections)
        return section, phases.get(containing, 0)

    return {key: number for number, key in enumerate(sorted(rule_index.texts, key=place))}
