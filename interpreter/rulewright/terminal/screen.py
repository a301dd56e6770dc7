"""Screen with the table and its boards, redrawn only where something has changed."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.game.choices import Choice
from rulewright.publish.console import ConsoleLine, plain_text
from rulewright.publish.labels import Labels
from rulewright.runtime.view import View
from rulewright.terminal import board, prompt, table
from rulewright.terminal.pace import Pace


class Screen:
    """Screen of one reader at a time. last_table, last_boards: lines shown last, [] if none are on it."""

    def __init__(self, pace: Pace) -> None:
        self.pace, self.console = pace, pace.console
        self.clear()

    def clear(self) -> None:
        """Forget what is on the screen, so that all is drawn anew; the console stays."""
        self.last_table: list[ConsoleLine] = []
        self.last_boards: list[ConsoleLine] = []

    def show(
        self,
        labels: Labels,
        seat: int,
        blocks: Sequence[Sequence[ConsoleLine]],
        question: prompt.Question | None = None,
        before: View | None = None,
    ) -> None:
        """Show what happened, in blocks, and the table unless it is still there; then there is room for a question.

        A table higher than the room leaves out what the question lists anyway. before: view from which changes on
        boards stand out. Raises UserQuit, EndOfInput.
        """
        console, game = self.console, labels.game
        room = console.height - (len(prompt.question_lines(question, console.width)) if question else 0) - 2
        table_lines = table.draw(game, seat, console.width, brief=True, language=labels.language)
        boards = self.draw_boards(labels, seat, question.choices if question else (), before, brief=True)
        has_changed = [*map(plain_text, boards)] != [*map(plain_text, self.last_boards)]
        board_lines = len(boards) + 1 if boards and has_changed else 0
        if blocks or table_lines != self.last_table:
            short = table.draw(game, seat, console.width, question.pieces if question else (), True, labels.language)
            visible_lines = table_lines if len(table_lines) + board_lines <= room else short
            if blocks:
                console.write_line()
                self.pace.tell(blocks, len(visible_lines) + board_lines + console.height - room)
            console.write_line()
            console.write_lines(visible_lines)
        if has_changed:
            self.show_boards(boards)
        self.last_table, self.last_boards = table_lines, boards
        console.write_line()

    def draw_boards(
        self,
        labels: Labels,
        seat: int | None,
        choices: Sequence[Choice] = (),
        before: View | None = None,
        brief: bool = False,
    ) -> list[ConsoleLine]:
        """Return the drawn boards, with choosable spaces and changes since an earlier view. seat: None for a spectator;
        brief: of large maps, only the part with pieces, and only what has changed if boards are on the screen."""
        choosable = {(choice.words, choice.word) for choice in choices if choice.word}
        view, console = labels.game.view(seat), self.console
        room = console.height // 2
        extent: board.Extent = "all" if not brief else "changes" if self.last_boards else "pieces"
        return board.draw(labels.game, view, console.width, room, choosable, before, labels.language, extent)

    def show_boards(self, boards: list[ConsoleLine]) -> None:
        """Write drawn boards below a blank line; nothing without boards."""
        if boards:
            self.console.write_line()
            self.console.write_lines(boards)
