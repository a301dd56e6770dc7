"""How fast what happened goes by: nothing leaves a screen before somebody could read it.

It waits only where somebody sits: never where a program types the answers, or reads what is written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rulewright.i18n.localizer import Phrase, Speech, phrase
from rulewright.publish.console import Console, ConsoleLine

USUAL = "usual"
PACES = {
    "slow": phrase("pace", "slow"),
    USUAL: phrase("pace", "usual"),
    "fast": phrase("pace", "fast"),
    "at once": phrase("pace", "at once"),
}
"""By their names: 'slow' waits for Enter after all that one seat did; 'usual' where something would leave the screen
unread; 'fast' only breathes between the parts; 'at once' does nothing of all that."""

_BREATH = 0.4  # seconds
_FEW = 6  # lines that are read at a glance, and may leave the screen
_LEAVING = ("q", "quit", "exit")


class Left(Exception):
    """Somebody wants to stop instead of going on."""


def pace_called(text: str, speech: Speech) -> str:
    """A pace by its name, in English or in the reader's language; '' for no such."""
    said = " ".join(text.replace("-", " ").split()).casefold()
    return next((name for name, told in PACES.items() if said in (name, speech.say(told).casefold())), "")


class Pace:
    """How things are told on a console. name: one of PACES."""

    def __init__(self, console: Console, name: str = "") -> None:
        self.console = console
        self.name = name or (USUAL if console.interactive else "at once")

    @property
    def waits(self) -> bool:
        return self.console.interactive and self.name in ("slow", USUAL)

    def tell(self, blocks: Sequence[Sequence[ConsoleLine]], following: int = 0) -> None:
        """Write blocks, so that each can be read. following: how many lines come right after them. Raises Left."""
        room = self.console.height - 1
        on_screen = 0
        for number, block in enumerate(blocks):
            full = on_screen and on_screen + len(block) > room
            if number and self.waits and (full or self.name == "slow"):
                self.wait()
                on_screen = 0
            elif number and self.console.interactive and self.name == "fast":
                self.console.flush()
                time.sleep(_BREATH)
            self.console.lines(block)
            on_screen += len(block)
        if on_screen > _FEW and self.waits and on_screen + following > room:
            self.wait()

    def page(self, say: Callable[[], None]) -> None:
        """Let something be read that was asked for, screen by screen. Who stops reading it, stops nothing else."""
        with self.console.capture() as lines:
            say()
        room = self.console.height - 1
        for start in range(0, len(lines), room):
            try:
                if start and self.waits:
                    self.wait()
            except Left:
                return
            self.console.lines(lines[start : start + room])

    def wait(self, told: Phrase | None = None) -> None:
        """Until somebody presses Enter. The name of another pace goes on with that. Raises Left."""
        answer = self.console.ask(told or phrase("terminal", "Enter goes on>"), list(PACES)).strip()
        if answer.casefold().removeprefix("/") in _LEAVING:
            raise Left
        word, _, rest = answer.casefold().removeprefix("/").partition(" ")
        self.name = pace_called(rest if word == "pace" else answer, self.console.speech) or self.name
