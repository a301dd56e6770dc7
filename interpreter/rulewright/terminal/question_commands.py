"""Commands that somebody may type instead of an answer, in a game as in a lesson."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from rulewright.game.decisions import Decision
from rulewright.i18n.localizer import Phrase
from rulewright.publish.labels import Labels
from rulewright.runtime.view import View
from rulewright.terminal import dialog, help_text, prompt, rules, table
from rulewright.terminal.pace import Pace, UserQuit
from rulewright.terminal.screen import Screen

Commands = Mapping[str, Callable[[Decision, str], None]]
"""Commands by name: functions of the open decision and of what is typed behind the name."""


class QuestionCommands(ABC):
    """Commands about a question, most of which show the question again in the end. commands: those that can be typed;
    helps: texts of commands whose help differs from that in a game."""

    commands: Commands

    def __init__(self, pace: Pace, helps: Mapping[str, Phrase] | None = None) -> None:
        self.pace, self.console, self.screen, self._helps = pace, pace.console, Screen(pace), helps

    @abstractmethod
    def present_labels(self) -> Labels:
        """Return the labels of the game at this moment, in the reader's language."""

    @abstractmethod
    def earlier_view(self, seat: int) -> View | None:
        """Return a seat's view after its last answer, from which changes stand out; None if there was none."""

    def ask_again(self, decision: Decision) -> None:
        """Show the question again, after a long output."""
        self.console.write_line()
        self.console.write_lines(
            prompt.question_lines(dialog.build_question(self.present_labels(), decision), self.console.width)
        )

    def tell_rules(self, decision: Decision, name: str) -> None:
        """Show the rules about a name, or, for '', about the moment, page by page; then ask again."""
        self.console.write_line()
        self.pace.page(lambda: rules.show_rules(self.console, self.present_labels().game, decision, name))
        self.ask_again(decision)

    def help(self, decision: Decision, argument: str) -> None:
        """Show all commands, page by page; then ask again. argument: ignored."""
        del argument
        self.console.write_line()
        self.pace.page(lambda: help_text.show_help(self.console, self.commands, self._helps))
        self.ask_again(decision)

    def show_table(self, decision: Decision, argument: str) -> None:
        """Show the table as the deciding seat sees it, with its boards; then ask again. argument: ignored."""
        del argument
        labels, seat = self.present_labels(), decision.seat
        self.console.write_line()
        self.console.write_lines(table.draw(labels.game, seat, self.console.width, language=labels.language))
        self.screen.show_boards(self.screen.draw_boards(labels, seat, decision.choices, self.earlier_view(seat)))
        self.ask_again(decision)

    def quit(self, decision: Decision, argument: str) -> None:
        """Stop. Raises UserQuit."""
        del decision, argument
        raise UserQuit
