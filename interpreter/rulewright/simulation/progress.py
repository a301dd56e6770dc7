"""How far a run is: a bar on terminals, lines elsewhere."""

from __future__ import annotations

from typing import TextIO

from tqdm import tqdm

LINES = 10


class Progress:
    """Counts games. out: where that is told, or None for nowhere."""

    def __init__(self, total: int, done: int, out: TextIO | None) -> None:
        self._total, self._done, self._out = total, done, out
        self._bar: tqdm[None] | None = None
        if out is not None and out.isatty():
            self._bar = tqdm(total=total, initial=done, unit=" games", file=out, dynamic_ncols=True, smoothing=0.1)

    def add(self, games: int) -> None:
        before, self._done = self._done * LINES // self._total, self._done + games
        if self._bar is not None:
            self._bar.update(games)
        elif self._out is not None and self._done * LINES // self._total > before:
            print(f"{self._done:,} of {self._total:,} games", file=self._out, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
