"""One lesson at a terminal: who one is, what is asked, what comes of an answer and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import AnswerError, Decision
from rulewright.i18n.languages import code_of, unknown_language
from rulewright.i18n.localizer import Person, phrase
from rulewright.publish.console import ConsoleLine, Styled
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import Lesson, LessonOutcome, LessonPoint, LessonText, lesson_text
from rulewright.runtime.view import View
from rulewright.terminal import dialog, help_text, prompt, rules, table
from rulewright.terminal.pace import Left, Pace
from rulewright.terminal.screen import Scene

_HELP = {
    "lessons": phrase("help", "leave this lesson for another"),
    "skip": phrase("help", "go on to the next lesson"),
    "quit": phrase("help", "stop here"),
}


class LessonLeft(Exception):
    """Somebody does not want to end a lesson. skipping: but the next one; else to choose one."""

    def __init__(self, skipping: bool = False) -> None:
        super().__init__(skipping)
        self.skipping = skipping


class PlayedLesson:
    """at: the moment that it has come to; explained: rules that were told already; seen: what its learner saw before
    the last answer."""

    def __init__(self, lesson: Lesson, moments: tuple[LessonPoint, ...], pace: Pace) -> None:
        self.lesson, self.moments, self.pace, self.console = lesson, moments, pace, pace.console
        self.seat, self.at = lesson.seat, 0
        self.scene = Scene(pace)
        self.explained: set[str] = set()
        self.seen: View | None = None
        self.commands: Mapping[str, Callable[[Decision, str], None]] = {
            "?": self.tell_rules,
            "help": self.help,
            "lang": self.speak,
            "lessons": self.leave,
            "quit": self.quit,
            "skip": self.skip,
            "table": self.show_table,
        }

    @property
    def moment(self) -> LessonPoint:
        return self.moments[self.at]

    @property
    def labels(self) -> Labels:
        return Labels(self.moment.game, self.console.speech.language)

    def run(self) -> None:
        """Until it is over. Raises LessonLeft, Left, EndOfInput."""
        self.tell_story()
        told = self.happened()
        while self.moment.example_answer is not None:
            told = self.turn(told)
        self.scene.show(self.labels, self.seat, [], None, self.seen)
        self.pace.tell(told)
        self.console.write_line()

    def tell_story(self) -> None:
        you = lesson_text("you are", name=Person(self.moment.game.names[self.seat]))
        story = self.lesson.text(self.labels.language, self.moment.game)
        self.console.paragraph(story, first=Styled(self.console.translate(you), "strong"))

    def turn(self, told: list[list[ConsoleLine]]) -> list[list[ConsoleLine]]:
        """Ask, until the answer is that of the example, or its learner goes on with that. told: what happened before;
        gives what happens then."""
        labels = self.labels
        decision = self.moment.game.decision(self.seat, labels.language)
        assert decision is not None
        asked = dialog.question(labels, decision)
        self.show(labels, told, len(told) > 1, asked)
        self.console.lines(prompt.lines(asked, self.console.width))
        while not self.is_answered(asked):
            if self.labels.language != labels.language:
                return []  # asked anew, in the other language
        self.seen = self.moment.game.view(self.seat)
        self.at += 1
        return self.happened()

    def is_answered(self, asked: prompt.Question) -> bool:
        """Take one line; whether the lesson goes on."""
        decision, console = asked.decision, self.console
        completions = [*asked.labels, *self.commands] if decision.kind != "truth" else []
        text = console.ask(prompt.invitation(asked, self.labels.name(self.seat)), completions).strip()
        name, argument = dialog.command(text, self.commands, asked)
        try:
            if name:
                self.commands[name](decision, argument)
                return False
            outcome = self.lesson.try_answer(self.moment, prompt.understand(text, asked), self.labels.language)
        except (prompt.NotUnderstood, RulewrightError) as error:
            dialog.complain(console, error.args[0], text, asked, self.commands)
            return False
        return outcome is None or self.goes_on(asked, outcome)

    def goes_on(self, asked: prompt.Question, outcome: LessonOutcome) -> bool:
        """What comes of another answer than the example's; whether the lesson then goes on as in the example."""
        console = self.console
        heading: ConsoleLine = [Styled(console.translate(lesson_text("allowed too")), "strong")]
        told = self.heard(outcome.lines)
        if (following := outcome.game.decision(self.seat, self.labels.language)) is not None:
            then = phrase("terminal", "Then you are asked: {question}", question=following.prompt)
            told.append(console.wrap_paragraph(then, indent="  ", hang="  "))
        self.show(Labels(outcome.game, self.labels.language), [[heading], *told], bool(outcome.lines))
        console.paragraph(self.example(self.moment))
        ways = [console.translate(lesson_text(way)) for way in ("other answer", "example does")]
        if dialog.pick(console, ways) == 1:
            return True
        self.scene.show(self.labels, self.seat, [])
        self.console.lines(prompt.lines(asked, self.console.width))
        return False

    # ── telling ──

    def show(
        self, labels: Labels, told: list[list[ConsoleLine]], happened: bool, asked: prompt.Question | None = None
    ) -> None:
        """What is told, and the table. happened: whether anything did besides the answer; else the table is not drawn
        again where it still stands on the screen."""
        if told and not happened:
            self.console.write_line()
            self.console.lines(line for block in told for line in block)
            told = []
        self.scene.show(labels, self.seat, told, asked, self.seen)

    def happened(self) -> list[list[ConsoleLine]]:
        """What was told since the moment before, in blocks, and the rules that are behind it."""
        blocks = self.heard(self.lesson.lines(self.moment, self.labels.language))
        ended = self.moment.example_answer is None
        before = self.moments[self.at - 1] if self.at else self.moment
        if self.at:
            blocks.insert(0, [[Styled(self.example(before), "strong")]])
        for why in self.lesson.rules(before, self.labels.language) if self.at or ended else ():
            if why.key not in self.explained and (ended or why.key != self.lesson.case.explains):
                self.explained.add(why.key)
                first = Styled(self.labels.heading_label(why.title), "key")
                blocks.append(self.console.wrap_paragraph(why.text, first=first, hang="  "))
        return blocks

    def heard(self, lines: Iterable[LessonText]) -> list[list[ConsoleLine]]:
        """Lines of the log; what the example explains stands out."""
        return [
            [shown for line in found for shown in self.shown(line)]
            for _, found in groupby(lines, key=lambda line: line.is_explanation)
        ]

    def shown(self, line: LessonText) -> list[ConsoleLine]:
        if line.heading:
            return self.console.wrap_paragraph(line.text, "  ", hang="  ", style="key")
        return self.console.wrap_paragraph(line.text, "" if line.is_explanation else "  ", hang="  ")

    def example(self, moment: LessonPoint) -> str:
        taken = self.lesson.answer_text(moment, self.labels.language)
        return self.console.speech.entry(self.console.translate(lesson_text("in example")), taken)

    def ask_again(self, decision: Decision) -> None:
        self.console.write_line()
        self.console.lines(prompt.lines(dialog.question(self.labels, decision), self.console.width))

    # ── commands ──

    def tell_rules(self, decision: Decision, name: str) -> None:
        self.console.write_line()
        self.pace.page(lambda: rules.tell(self.console, self.moment.game, decision, name))
        self.ask_again(decision)

    def help(self, decision: Decision, argument: str) -> None:
        del argument
        self.console.write_line()
        self.pace.page(lambda: help_text.tell(self.console, self.commands, _HELP))
        self.ask_again(decision)

    def show_table(self, decision: Decision, argument: str) -> None:
        del argument
        labels, width = self.labels, self.console.width
        self.console.write_line()
        self.console.lines(table.draw(self.moment.game, self.seat, width, language=labels.language))
        self.scene.show_boards(self.scene.drawn_boards(labels, self.seat, decision.choices, self.seen))
        self.ask_again(decision)

    def speak(self, decision: Decision, argument: str) -> None:
        """Another language from now on. Raises AnswerError."""
        del decision
        language = code_of(argument)
        if not language:
            raise AnswerError(unknown_language(argument))
        self.console.speech = self.moment.game.speech(language)
        self.scene.clear()
        self.tell_story()

    def leave(self, decision: Decision, argument: str) -> None:
        raise LessonLeft

    def skip(self, decision: Decision, argument: str) -> None:
        raise LessonLeft(skipping=True)

    def quit(self, decision: Decision, argument: str) -> None:
        raise Left
