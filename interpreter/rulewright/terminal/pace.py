"""Pace of output: nothing scrolls off a screen before it could be read.

It waits only for people, never where a program types or reads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.publish.console import Console, ConsoleLine

USUAL = "usual"
"""Pace of an interactive console where no other is named."""
PACES = {
    "slow": phrase("pace", "slow"),
    USUAL: phrase("pace", "usual"),
    "fast": phrase("pace", "fast"),
    "at once": phrase("pace", "at once"),
}
"""Paces by name: 'slow' waits for Enter after each seat's actions; 'usual' where something would scroll off unread;
'fast' only pauses between parts; 'at once' does none of that."""

_PAUSE_SECONDS = 0.4
_GLANCE_LINES = 6
"""Lines that are read at a glance, and may leave the screen."""
_QUIT_WORDS = ("q", "quit", "exit")


class UserQuit(Exception):
    """Exception: the user stops instead of going on."""


def find_pace(text: str, localizer: Localizer) -> str:
    """Find a pace by its name, in English or in the reader's language; '' if there is none."""
    folded = " ".join(text.replace("-", " ").split()).casefold()
    return next((name for name, label in PACES.items() if folded in (name, localizer.say(label).casefold())), "")


class Pace:
    """Pace of output on a console. name: one of PACES; '' for USUAL, or 'at once' if the console is not interactive."""

    def __init__(self, console: Console, name: str = "") -> None:
        self.console = console
        self.name = name or (USUAL if console.interactive else "at once")

    @property
    def waits(self) -> bool:
        """Whether it ever waits for Enter."""
        return self.console.interactive and self.name in ("slow", USUAL)

    def tell(self, blocks: Sequence[Sequence[ConsoleLine]], following: int = 0) -> None:
        """Write blocks so that each can be read: wait or pause between them, and after them if they would scroll off
        unread. following: lines that come right after them. Raises UserQuit, EndOfInput."""
        room = self.console.height - 1
        on_screen = 0
        for number, block in enumerate(blocks):
            full = on_screen and on_screen + len(block) > room
            if number and self.waits and (full or self.name == "slow"):
                self.wait()
                on_screen = 0
            elif number and self.console.interactive and self.name == "fast":
                self.console.flush()
                time.sleep(_PAUSE_SECONDS)
            self.console.write_lines(block)
            on_screen += len(block)
        if on_screen > _GLANCE_LINES and self.waits and on_screen + following > room:
            self.wait()

    def page(self, say: Callable[[], None]) -> None:
        """Show a text screen by screen; whoever stops reading it stops nothing else. say: writes it to the console."""
        with self.console.capture() as lines:
            say()
        room = self.console.height - 1
        for start in range(0, len(lines), room):
            try:
                if start and self.waits:
                    self.wait()
            except UserQuit:
                return
            self.console.write_lines(lines[start : start + room])

    def wait(self, prompt: Phrase | None = None) -> None:
        """Wait for Enter; the name of another pace switches to that. prompt: instead of the usual one. Raises UserQuit,
        EndOfInput."""
        answer = self.console.ask(prompt or phrase("terminal", "Enter goes on>"), list(PACES)).strip()
        if answer.casefold().removeprefix("/") in _QUIT_WORDS:
            raise UserQuit
        word, _, rest = answer.casefold().removeprefix("/").partition(" ")
        self.name = find_pace(rest if word == "pace" else answer, self.console.localizer) or self.name
