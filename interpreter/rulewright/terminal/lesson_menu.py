"""Learning a game at a terminal: what it is about, then lesson by lesson, in the order in which one learns them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.terms import speech_of
from rulewright.i18n.localizer import Argument, Phrase, Speech, meant, phrase
from rulewright.publish.console import Console, ConsoleLine, EndOfInput, Styled
from rulewright.publish.lessons import Course, lesson_text
from rulewright.publish.rulebook.summary import SummaryPart, summarize
from rulewright.terminal import dialog
from rulewright.terminal.lesson import LessonLeft, PlayedLesson
from rulewright.terminal.lesson_progress import learn, learned
from rulewright.terminal.pace import Left, Pace
from rulewright.terminal.play_loop import INTERRUPTED
from rulewright.terminal.rules import ALL


class NoSuchLesson(RulewrightError):
    """A lesson that there is not."""


def numbered(course: Course, wanted: str, speech: Speech) -> int:
    """A lesson by its number, from 1, by its title or a part of that, or by its name in the edition; counted from 0.

    Raises NoSuchLesson.
    """
    titles = _titles(course, speech)
    slots: dict[str, Argument] = {"name": wanted, "last": len(titles)}
    if re.fullmatch("[0-9]{1,4}", wanted):
        if 1 <= int(wanted) <= len(titles):
            return int(wanted) - 1
        raise NoSuchLesson(phrase("errors", "There is no lesson {name}. The last one is {last}.", **slots))
    said = " ".join(wanted.casefold().split())
    called = [(title.casefold(), lesson.case.name) for title, lesson in zip(titles, course.lessons, strict=True)]
    exact = [number for number, names in enumerate(called) if said in names]
    partly = [number for number, title in enumerate(titles) if said in title.casefold()]
    if len(found := exact or partly) == 1:
        return found[0]
    slots["hint"] = meant(wanted, titles)
    told = phrase("errors", "Which lesson is '{name}'? {hint} Type a number from 1 to {last}, or a title.", **slots)
    raise NoSuchLesson(told)


def teach(course: Course, console: Console, pace: str = "", number: int | None = None) -> int:
    """Let somebody play lessons until they have had enough; the exit status. number: of the first, counted from 0; None
    to choose one."""
    console.speech = speech_of(course.edition, console.speech.language)
    return _Teaching(course, Pace(console, pace)).run(number)


def _titles(course: Course, speech: Speech) -> list[str]:
    said = speech_of(course.edition, speech.language)
    return [lesson.title(said) for lesson in course.lessons]


class _Teaching:
    """The list of an edition's lessons, and the way from one to the next."""

    def __init__(self, course: Course, pace: Pace) -> None:
        self.course, self.pace, self.console = course, pace, pace.console

    def run(self, number: int | None) -> int:
        try:
            if number is None:
                self.begin()
            while True:
                number = self.play(self.chosen() if number is None else number)
        except (Left, EndOfInput):
            return 0
        except KeyboardInterrupt:
            self.console.write_line()
            return INTERRUPTED

    def begin(self) -> None:
        """The game in a minute."""
        found = summarize(self.course.rules, self.console.speech.language, {})
        title: ConsoleLine = [Styled(found.title, "title")]
        blocks = [[title, *self.console.wrap_paragraph(found.text)], *map(self.part, found.parts)]
        self.pace.tell(blocks, following=self.course.usual + 4)

    def part(self, part: SummaryPart) -> list[ConsoleLine]:
        lines: list[ConsoleLine] = [[], [Styled(part.title, "strong")]]
        for number, point in enumerate(part.points, 1):
            sign = f"{number}." if part.ordered else "–"
            first = Styled(self.console.speech.headed(f"{sign} {point.title}"), "key")
            lines += self.console.wrap_paragraph(point.text, indent="  ", first=first, hang="  ")
        return lines

    # ── choosing ──

    def chosen(self) -> int:
        """A lesson that somebody wants to play; Enter takes the first that is not done. Raises Left."""
        console, course = self.console, self.course
        done = learned(course.edition.name)
        usual = range(course.usual or len(course.lessons))
        following = next((number for number in usual if course.lesson(number).case.name not in done), None)
        console.write_line()
        console.write_line(Styled(console.translate(lesson_text("lessons")), "strong"))
        self.listed(usual)
        if len(usual) < len(course.lessons):
            more = len(course.lessons) - len(usual)
            told = phrase("terminal", "'{all}' lists {count} more [example|examples].", all=ALL, count=more)
            console.paragraph(told, indent="  ", style="faint")
        if following is None:
            self.tell_first_game()
        while True:
            answer = console.ask(_invitation(following), _titles(course, console.speech)).strip()
            if dialog.command(answer, ("quit",))[0] or (not answer and following is None):
                raise Left
            if answer == ALL:
                self.listed(range(len(usual), len(course.lessons)))
                continue
            try:
                return numbered(course, answer or str(1 + (following or 0)), console.speech)
            except NoSuchLesson as error:
                console.paragraph(error.args[0], style="bad")

    def listed(self, numbers: Sequence[int]) -> None:
        done, titles = learned(self.course.edition.name), _titles(self.course, self.console.speech)
        mark = f"  ✓ {self.console.translate(lesson_text('lesson done'))}"
        for number in numbers:
            is_done = self.course.lesson(number).case.name in done
            self.console.write_line(
                "  ", Styled(f"{number + 1:>2})", "key"), f" {titles[number]}", Styled(mark if is_done else "", "faint")
            )

    def tell_first_game(self) -> None:
        told = phrase("terminal", "You are ready for a first game. There, too, '?' explains each moment. Begin with:")
        self.console.write_line()
        self.console.command(told, f"rulewright play {self.course.edition.name}")

    # ── playing ──

    def play(self, number: int) -> int | None:
        """Play one lesson; which one comes next, or None to choose."""
        course, console = self.course, self.console
        lesson = course.lesson(number)
        following = number + 1 if number + 1 < course.usual else None
        console.write_line()
        console.write_line(Styled(self.heading(number), "title"))
        try:
            PlayedLesson(lesson, course.points(number), self.pace).run()
        except LessonLeft as left:
            return following if left.skipping else None
        learn(course.edition.name, lesson.case.name)
        ways: list[tuple[str, int | None]] = [
            (console.translate(lesson_text("all lessons")), None),
            (console.translate(lesson_text("again")), number),
        ]
        if following is not None:
            title = _titles(course, console.speech)[following]
            ways.insert(0, (console.speech.entry(console.translate(lesson_text("next lesson")), title), following))
        return ways[dialog.pick(console, [text for text, _ in ways])][1]

    def heading(self, number: int) -> str:
        """`Lesson 3/12 · Title`; of an example that is none of the usual lessons, its title."""
        title = _titles(self.course, self.console.speech)[number]
        if number >= self.course.usual:
            return title
        where = lesson_text("lesson of", number=number + 1, last=self.course.usual)
        return f"{self.console.translate(where)} · {title}"


def _invitation(following: int | None) -> Phrase:
    if following is None:
        return phrase("menu", "Number or name; Enter stops here>")
    return phrase("menu", "Number or name [{number}]>", number=following + 1)
