"""Lesson at a terminal: the learner's role, the questions, and what answers lead to and why."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.i18n.languages import code_of, unknown_language
from rulewright.i18n.localizer import Person, phrase
from rulewright.publish.console import ConsoleLine, Styled
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Lesson, LessonOutcome, LessonPoint, LessonText, lesson_text
from rulewright.runtime.view import View
from rulewright.terminal import dialog, prompt
from rulewright.terminal.pace import Pace
from rulewright.terminal.question_commands import QuestionCommands

_HELP = {
    "lessons": phrase("help", "leave this lesson for another"),
    "skip": phrase("help", "go on to the next lesson"),
    "quit": phrase("help", "stop here"),
}
"""Command of a lesson -> what it does."""


class LessonLeft(Exception):
    """Request to leave a lesson. skipping: for the next one; else to choose one."""

    def __init__(self, skipping: bool = False) -> None:
        super().__init__(skipping)
        self.skipping = skipping


class LessonPlayer(QuestionCommands):
    """A lesson that is played at the terminal.

    index: of the present moment among `moments`; explained: keys of rules shown already; previous_view: the learner's
    view before the last answer.
    """

    def __init__(self, lesson: Lesson, moments: tuple[LessonPoint, ...], pace: Pace) -> None:
        super().__init__(pace, _HELP)
        self.lesson, self.moments, self.seat, self.index = lesson, moments, lesson.seat, 0
        self.explained: set[str] = set()
        self.previous_view: View | None = None
        self.commands = {
            "?": self.tell_rules,
            "help": self.help,
            "lang": self.set_language,
            "lessons": self.leave,
            "quit": self.quit,
            "skip": self.skip,
            "table": self.show_table,
        }

    @property
    def moment(self) -> LessonPoint:
        """Present moment of the lesson."""
        return self.moments[self.index]

    @property
    def labels(self) -> Labels:
        """Labels of the game at the present moment, made at each use."""
        return Labels(self.moment.game, self.console.localizer.language)

    def run(self) -> None:
        """Play the lesson to its end. Raises LessonLeft, UserQuit, EndOfInput."""
        self.tell_story()
        blocks = self.describe_events()
        while self.moment.example_answer is not None:
            blocks = self.play_turn(blocks)
        self.screen.show(self.labels, self.seat, [], None, self.previous_view)
        self.pace.tell(blocks)
        self.console.write_line()

    def tell_story(self) -> None:
        """Tell who the learner is, and the example's text; nothing in a lesson that teaches as it goes."""
        if self.lesson.is_taught:
            return
        you = lesson_text("you are", name=Person(self.moment.game.names[self.seat]))
        story = self.lesson.text(self.labels.language, self.moment.game)
        self.console.paragraph(story, first=Styled(self.console.translate(you), "strong"))

    def play_turn(self, blocks: list[list[ConsoleLine]]) -> list[list[ConsoleLine]]:
        """Ask until the learner gives the example's answer, or accepts it.

        blocks: what happened before; returns what happens next, [] if only the language was changed.
        """
        labels = self.labels
        decision = self.moment.game.decision(self.seat, labels.language)
        assert decision is not None
        question = dialog.build_question(labels, decision)
        self.show(labels, blocks, len(blocks) > 1, question)
        self.console.write_lines(prompt.question_lines(question, self.console.width))
        while not self.ask_once(question):
            if self.labels.language != labels.language:
                return []  # asked anew, in the other language
        self.previous_view = self.moment.game.view(self.seat)
        self.index += 1
        return self.describe_events()

    def ask_once(self, question: prompt.Question) -> bool:
        """Take one line: a command, or an answer, which is tried. Return whether the lesson goes on."""
        decision, console = question.decision, self.console
        completions = [*question.labels, *self.commands] if decision.kind != "truth" else []
        text = console.ask(prompt.invitation(question, self.labels.name(self.seat)), completions).strip()
        name, argument = dialog.parse_command(text, self.commands, question)
        try:
            if name:
                self.commands[name](decision, argument)
                return False
            outcome = self.lesson.try_answer(self.moment, prompt.parse_answer(text, question), self.labels.language)
        except (prompt.InvalidAnswer, RulewrightError) as error:
            dialog.complain(console, error.args[0], text, question, self.commands)
            return False
        return outcome is None or self.confirms_example(question, outcome)

    def confirms_example(self, question: prompt.Question, outcome: LessonOutcome) -> bool:
        """Show the outcome of an answer that differs from the example's; return whether to go on with the example's."""
        console = self.console
        heading: ConsoleLine = [Styled(console.translate(lesson_text("allowed too")), "strong")]
        blocks = self.format_log(outcome.lines)
        if (following := outcome.game.decision(self.seat, self.labels.language)) is not None:
            then = phrase("terminal", "Then you are asked: {question}", question=following.prompt)
            blocks.append(console.wrap_paragraph(then, indent="  ", hang="  "))
        if outcome.missing:
            answer = self.lesson.answer_text(self.moment, self.labels.language).rstrip(".")
            first = console.localizer.entry(console.translate(lesson_text("with example", answer=answer)), "").rstrip()
            blocks.append(console.wrap_paragraph(f"{first} {' '.join(outcome.missing)}", hang="  "))
        self.show(Labels(outcome.game, self.labels.language), [[heading], *blocks], bool(outcome.lines))
        console.paragraph(self.example(self.moment))
        options = [console.translate(lesson_text(option)) for option in ("other answer", "example does")]
        if dialog.pick_option(console, options) == 1:
            return True
        self.screen.show(self.labels, self.seat, [])
        self.console.write_lines(prompt.question_lines(question, self.console.width))
        return False

    # ── telling ──

    def show(
        self, labels: Labels, blocks: list[list[ConsoleLine]], has_events: bool, question: prompt.Question | None = None
    ) -> None:
        """Show texts and the table. has_events: whether more happened than the answer; else the texts are written
        alone, and the table only if it has changed."""
        if blocks and not has_events:
            self.console.write_line()
            self.console.write_lines(line for block in blocks for line in block)
            blocks = []
        self.screen.show(labels, self.seat, blocks, question, self.previous_view)

    def describe_events(self) -> list[list[ConsoleLine]]:
        """Return what was logged since the moment before, in blocks, and the rules behind it, each only once in a
        lesson."""
        blocks = self.format_log(self.lesson.lines(self.moment, self.labels.language))
        ended = self.moment.example_answer is None
        before = self.moments[self.index - 1] if self.index else self.moment
        for rule in self.lesson.rules(before, self.labels.language) if self.index or ended else ():
            if rule.key not in self.explained and (ended or rule.key != self.lesson.case.explains):
                self.explained.add(rule.key)
                first = Styled(self.labels.heading_label(rule.title), "key")
                blocks.append(self.console.wrap_paragraph(rule.text, first=first, hang="  "))
        return blocks

    def format_log(self, lines: Iterable[LessonText]) -> list[list[ConsoleLine]]:
        """Format lines in blocks: the log's apart from the explanations between them."""
        return [
            [formatted for line in group for formatted in self.format_line(line)]
            for _, group in groupby(lines, key=lambda line: line.is_explanation)
        ]

    def format_line(self, line: LessonText) -> list[ConsoleLine]:
        """Return a text of the lesson as console lines, wrapped; headings stand out, and explanations are not
        indented."""
        if line.heading:
            return self.console.wrap_paragraph(line.text, "  ", hang="  ", style="key")
        return self.console.wrap_paragraph(line.text, "" if line.is_explanation else "  ", hang="  ")

    def example(self, moment: LessonPoint) -> str:
        """Return what the example answers at a moment, with its label."""
        answer = self.lesson.answer_text(moment, self.labels.language)
        return self.console.localizer.entry(self.console.translate(lesson_text("in example")), answer)

    # ── commands ──

    def present_labels(self) -> Labels:
        return self.labels

    def earlier_view(self, seat: int) -> View | None:
        return self.previous_view

    def set_language(self, decision: Decision, argument: str) -> None:
        """Change the language, and tell the story again. Raises AnswerError for an unknown one."""
        del decision
        language = code_of(argument)
        if not language:
            raise AnswerError(unknown_language(argument))
        self.console.localizer = self.moment.game.localizer(language)
        self.screen.clear()
        self.tell_story()

    def leave(self, decision: Decision, argument: str) -> None:
        """Leave the lesson for another. Raises LessonLeft."""
        raise LessonLeft

    def skip(self, decision: Decision, argument: str) -> None:
        """Go on to the next lesson. Raises LessonLeft."""
        raise LessonLeft(skipping=True)
