"""Progress of a run: a bar on terminals, lines elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from rulewright.i18n.localizer import Localizer, phrase

if TYPE_CHECKING:
    from tqdm import tqdm

LINES = 10
"""Number of lines for a whole run, where there is no terminal."""


class Progress:
    """Counter of games. out: stream for the progress, or None for none; localizer: its language."""

    def __init__(self, total: int, done: int, out: TextIO | None, localizer: Localizer) -> None:
        self._total, self._done, self._out, self._localizer = total, done, out, localizer
        self._bar: tqdm[None] | None = None
        if out is not None and out.isatty():
            from tqdm import tqdm  # noqa: PLC0415 - only a terminal has a bar

            unit = " " + localizer.say(phrase("simulation", "games"))
            self._bar = tqdm(total=total, initial=done, unit=unit, file=out, dynamic_ncols=True, smoothing=0.1)

    def add(self, games: int) -> None:
        """Add games; if these were not foreseen, the total grows."""
        if self._done + games > self._total:
            self._total = self._done + games
            if self._bar is not None:
                self._bar.total = self._total
        before, self._done = self._done * LINES // self._total, self._done + games
        if self._bar is not None:
            self._bar.update(games)
        elif self._out is not None and self._done * LINES // self._total > before:
            line = phrase("simulation", "{done} of {total} games", done=self._done, total=self._total)
            print(self._localizer.say(line), file=self._out, flush=True)

    def close(self) -> None:
        """End the bar, if there is one."""
        if self._bar is not None:
            self._bar.close()
