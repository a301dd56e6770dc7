"""What stands on a screen: the table and its boards, drawn anew only where something has changed."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.game.game import Choice
from rulewright.publish.console import ConsoleLine, plain_text
from rulewright.publish.labels import Labels
from rulewright.runtime.view import View
from rulewright.terminal import board, prompt, table
from rulewright.terminal.pace import Pace


class Scene:
    """drawn, boards: the last that one reader was shown."""

    def __init__(self, pace: Pace) -> None:
        self.pace, self.console = pace, pace.console
        self.clear()

    def clear(self) -> None:
        """Nothing stands there any more."""
        self.drawn: list[ConsoleLine] = []
        self.boards: list[ConsoleLine] = []

    def show(
        self,
        labels: Labels,
        seat: int,
        told: Sequence[Sequence[ConsoleLine]],
        asked: prompt.Question | None = None,
        seen: View | None = None,
    ) -> None:
        """What has happened, in blocks, and the table, unless it still stands there; then there is room for a question.

        Where the table is higher than the room on the screen, it leaves out what the question lists anyway.
        """
        console, game = self.console, labels.game
        room = console.height - (len(prompt.lines(asked, console.width)) if asked else 0) - 2
        drawn = table.draw(game, seat, console.width, brief=True, language=labels.language)
        boards = self.drawn_boards(labels, seat, asked.choices if asked else (), seen, brief=True)
        moved = [*map(plain_text, boards)] != [*map(plain_text, self.boards)]
        board_lines = len(boards) + 1 if boards and moved else 0
        if told or drawn != self.drawn:
            short = table.draw(game, seat, console.width, asked.pieces if asked else (), True, labels.language)
            shown = drawn if len(drawn) + board_lines <= room else short
            if told:
                console.write_line()
                self.pace.tell(told, len(shown) + board_lines + console.height - room)
            console.write_line()
            console.lines(shown)
        if moved:
            self.show_boards(boards)
        self.drawn, self.boards = drawn, boards
        console.write_line()

    def drawn_boards(
        self,
        labels: Labels,
        seat: int | None,
        choices: Sequence[Choice] = (),
        seen: View | None = None,
        brief: bool = False,
    ) -> list[ConsoleLine]:
        """The boards, with what can be chosen on them, and what has changed since somebody saw them. brief: of large
        maps, only the part where anything lies."""
        chosen = {(choice.words, choice.word) for choice in choices if choice.word}
        view, console = labels.game.view(seat), self.console
        room = console.height // 2
        return board.draw(labels.game, view, console.width, room, chosen, seen, labels.language, brief)

    def show_boards(self, boards: list[ConsoleLine]) -> None:
        if boards:
            self.console.write_line()
            self.console.lines(boards)
