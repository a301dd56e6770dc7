"""Menu of lessons at a terminal: what the game is about, then lesson by lesson."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.terms import localizer_of
from rulewright.i18n.localizer import Argument, Localizer, Phrase, phrase, suggestion
from rulewright.publish.console import Console, ConsoleLine, EndOfInput, Styled
from rulewright.publish.lessons import Course, lesson_text
from rulewright.publish.rulebook.summary import SummaryPart, summarize
from rulewright.terminal import dialog
from rulewright.terminal.lesson import LessonLeft, LessonPlayer
from rulewright.terminal.lesson_progress import done_lessons, mark_done
from rulewright.terminal.pace import Pace, UserQuit
from rulewright.terminal.play_loop import INTERRUPTED
from rulewright.terminal.rules import ALL


class NoSuchLesson(RulewrightError):
    """Raised for an unknown lesson; the argument is a phrase that says what to type."""


def find_lesson(course: Course, text: str, localizer: Localizer) -> int:
    """Find a lesson by its number from 1, its title or a part of that, or its name in the edition; return its index.

    Raises NoSuchLesson.
    """
    titles = _titles(course, localizer)
    slots: dict[str, Argument] = {"name": text, "last": len(titles)}
    if re.fullmatch("[0-9]{1,4}", text):
        if 1 <= int(text) <= len(titles):
            return int(text) - 1
        raise NoSuchLesson(phrase("errors", "There is no lesson {name}. The last one is {last}.", **slots))
    folded_title = " ".join(text.casefold().split())
    names_of_lessons = [
        (title.casefold(), lesson.case.name) for title, lesson in zip(titles, course.lessons, strict=True)
    ]
    exact = [number for number, names in enumerate(names_of_lessons) if folded_title in names]
    partial = [number for number, title in enumerate(titles) if folded_title in title.casefold()]
    if len(matches := exact or partial) == 1:
        return matches[0]
    slots["hint"] = suggestion(text, titles)
    message = phrase("errors", "Which lesson is '{name}'? {hint} Type a number from 1 to {last}, or a title.", **slots)
    raise NoSuchLesson(message)


def teach(course: Course, console: Console, pace: str = "", number: int | None = None) -> int:
    """Let somebody play lessons until they stop; return the exit status. number: index of the first; None to choose
    one. pace: as for `Pace`. The console gets the edition's texts in its language."""
    console.localizer = localizer_of(course.edition, console.localizer.language)
    return _LessonMenu(course, Pace(console, pace)).run(number)


def _titles(course: Course, localizer: Localizer) -> list[str]:
    """Return the titles of all lessons, in a localizer's language."""
    edition_localizer = localizer_of(course.edition, localizer.language)
    return [lesson.title(edition_localizer) for lesson in course.lessons]


class _LessonMenu:
    """Menu of an edition's lessons."""

    def __init__(self, course: Course, pace: Pace) -> None:
        self.course, self.pace, self.console = course, pace, pace.console

    def run(self, number: int | None) -> int:
        """Let somebody play lessons until they stop; return the exit status."""
        try:
            if number is None:
                self.show_summary()
            while True:
                number = self.play(self.ask_for_lesson() if number is None else number)
        except (UserQuit, EndOfInput):
            return 0
        except KeyboardInterrupt:
            self.console.write_line()
            return INTERRUPTED

    def show_summary(self) -> None:
        """Show the game's summary."""
        summary = summarize(self.course.rules, self.console.localizer.language, {})
        title: ConsoleLine = [Styled(summary.title, "title")]
        blocks = [[title, *self.console.wrap_paragraph(summary.text)], *map(self.format_part, summary.parts)]
        self.pace.tell(blocks, following=self.course.usual + 4)

    def format_part(self, part: SummaryPart) -> list[ConsoleLine]:
        """Return a part of the summary as lines."""
        lines: list[ConsoleLine] = [[], [Styled(part.title, "strong")]]
        for number, point in enumerate(part.points, 1):
            sign = f"{number}." if part.ordered else "–"
            first = Styled(self.console.localizer.with_colon(f"{sign} {point.title}"), "key")
            lines += self.console.wrap_paragraph(point.text, indent="  ", first=first, hang="  ")
        return lines

    # ── choosing ──

    def ask_for_lesson(self) -> int:
        """List the lessons, ask for one and return its index; Enter takes the first unfinished one, or stops if there
        is none. Raises UserQuit, EndOfInput."""
        console, course = self.console, self.course
        done = done_lessons(course.edition.name)
        usual = range(course.usual or len(course.lessons))
        following = next((number for number in usual if course.lesson(number).case.name not in done), None)
        console.write_line()
        console.write_line(Styled(console.translate(lesson_text("lessons")), "strong"))
        self.list_lessons(usual)
        if len(usual) < len(course.lessons):
            more = len(course.lessons) - len(usual)
            message = phrase("terminal", "'{all}' lists {count} more [example|examples].", all=ALL, count=more)
            console.paragraph(message, indent="  ", style="faint")
        if following is None:
            self.tell_first_game()
        while True:
            answer = console.ask(_invitation(following), _titles(course, console.localizer)).strip()
            if dialog.parse_command(answer, ("quit",))[0] or (not answer and following is None):
                raise UserQuit
            if answer == ALL:
                self.list_lessons(range(len(usual), len(course.lessons)))
                continue
            try:
                return find_lesson(course, answer or str(1 + (following or 0)), console.localizer)
            except NoSuchLesson as error:
                console.paragraph(error.args[0], style="bad")

    def list_lessons(self, numbers: Sequence[int]) -> None:
        """List lessons, with a mark at those that are done."""
        done, titles = done_lessons(self.course.edition.name), _titles(self.course, self.console.localizer)
        mark = f"  ✓ {self.console.translate(lesson_text('lesson done'))}"
        for number in numbers:
            is_done = self.course.lesson(number).case.name in done
            self.console.write_line(
                "  ", Styled(f"{number + 1:>2})", "key"), f" {titles[number]}", Styled(mark if is_done else "", "faint")
            )

    def tell_first_game(self) -> None:
        """Show how to begin a first game."""
        message = phrase(
            "terminal", "You are ready for a first game. There, too, '?' explains each moment. Begin with:"
        )
        self.console.write_line()
        self.console.command(message, f"rulewright play {self.course.edition.name}")

    # ── playing ──

    def play(self, number: int) -> int | None:
        """Play a lesson, and mark it as done at its end; return the index of the next one, or None to choose. Raises
        UserQuit, EndOfInput."""
        course, console = self.course, self.console
        lesson = course.lesson(number)
        following = number + 1 if number + 1 < course.usual else None
        console.write_line()
        console.write_line(Styled(self.heading(number), "title"))
        try:
            LessonPlayer(lesson, course.points(number), self.pace).run()
        except LessonLeft as request:
            return following if request.skipping else None
        mark_done(course.edition.name, lesson.case.name)
        options: list[tuple[str, int | None]] = [
            (console.translate(lesson_text("all lessons")), None),
            (console.translate(lesson_text("again")), number),
        ]
        if following is not None:
            title = _titles(course, console.localizer)[following]
            options.insert(
                0, (console.localizer.entry(console.translate(lesson_text("next lesson")), title), following)
            )
        return options[dialog.pick_option(console, [text for text, _ in options])][1]

    def heading(self, number: int) -> str:
        """Return `Lesson 3/12 · Title`; of an example that is no lesson, its title."""
        title = _titles(self.course, self.console.localizer)[number]
        if number >= self.course.usual:
            return title
        position = lesson_text("lesson of", number=number + 1, last=self.course.usual)
        return f"{self.console.translate(position)} · {title}"


def _invitation(following: int | None) -> Phrase:
    """Return the prompt for a lesson. following: index of the one that Enter takes, None if it stops."""
    if following is None:
        return phrase("menu", "Number or name; Enter stops here>")
    return phrase("menu", "Number or name [{number}]>", number=following + 1)
