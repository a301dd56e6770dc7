"""Moments between two decisions that people have to see: cards are turned over, and gone before anybody is asked again.

Found from what everybody sees: a piece that came to lie open is about to go on, or another phase begins. So the same
moments are found in two games that differ only in secrets.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rulewright.base.records import record
from rulewright.program.form import PHASE, ROUND, Program, Text
from rulewright.runtime.state import State, clone

_MOST = 100
"""Moments of one run that are kept."""
_LONGEST = 5000
"""Lines that one run may tell until nobody looks for moments any more."""


@record
class OpenMoment:
    """The table as it was when the log had so many lines."""

    lines: int
    state: State


@record
class PastStep:
    """Something to look back to. lines: how many the log had; answers: how many had been given; moment: which of those
    that followed the last answer, None for the decision after it."""

    lines: int
    answers: int
    moment: int | None = None


class WatchedRun(list[Any]):
    """The lines that a run tells, from which it finds the moments. state: the one that is run; before: how many lines
    the log has already; open_zones: the addresses of zones into which everybody looks."""

    def __init__(self, program: Program, state: State, before: int, open_zones: Collection[int]) -> None:
        super().__init__()
        layout = program.layout
        self.found: list[OpenMoment] = []
        self._texts, self._open, self._state, self._before = program.texts, open_zones, state, before
        self._at = slice(layout.at, layout.at + layout.pieces)
        self._last = clone(state)  # when the line before was told
        self._since = state[self._at]  # where pieces lay when people last looked
        self._shown: dict[int, int] = {}  # what came to lie open since, and where
        self._told = False  # whether anything but headings was told since

    def append(self, told: Any) -> None:
        if len(self.found) < _MOST and len(self) < _LONGEST:
            self._look(self._texts[told[0]])
        super().append(told)

    def end(self) -> list[OpenMoment]:
        """The moments, now that somebody is asked."""
        if self._told and len(self.found) < _MOST and self._gone(self._state[self._at]):
            self._hold(self._last)
        return self.found

    def _look(self, text: Text) -> None:
        now = clone(self._state)
        lying = now[self._at]
        if self._told and self._gone(lying):
            self._hold(self._last)
        if text.of_phase and self._told:
            now[PHASE], now[ROUND] = self._last[PHASE], self._last[ROUND]
            self._hold(now)
        self._shown |= {
            piece: zone
            for piece, (was, zone) in enumerate(zip(self._since, lying, strict=True))
            if was != zone and zone in self._open
        }
        self._told = self._told or not text.heading
        self._last = now

    def _gone(self, lying: list[int]) -> bool:
        """Whether something that has just come to lie open does not lie there any more."""
        return any(lying[piece] != zone for piece, zone in self._shown.items())

    def _hold(self, state: State) -> None:
        self.found.append(OpenMoment(self._before + len(self), state))
        self._since, self._shown, self._told = state[self._at], {}, False
