"""Snapshots between two decisions, of pieces that people must see: revealed, and gone before the next question.

They depend on public events only: a revealed piece is about to move on, or another phase begins. So games that differ
in secrets alone have the same snapshots.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rulewright.base.records import record
from rulewright.program.form import Program, Text
from rulewright.program.state_layout import PHASE, ROUND
from rulewright.runtime.state import State, clone

_MAX_SNAPSHOTS = 100
"""Maximum snapshots of one run."""
_MAX_LENGTH = 5000
"""Maximum log lines of one run in which snapshots are taken."""
_MAX_LINE_STATES = 60
"""Maximum states of one run that are kept to tell in which order pieces moved."""


@record
class Snapshot:
    """State when the log had a number of lines, hidden parts included."""

    lines: int
    state: State


@record
class PastStep:
    """Step of the history that people can look at again. lines: length of the log; answers: number given before;
    moment: index of the snapshot after the last answer, None for the decision itself."""

    lines: int
    answers: int
    moment: int | None = None


class WatchedRun(list[Any]):
    """List of events that takes snapshots while a run appends to it. state: that of the run; before: length of the log
    at its start; open_zones: addresses of the zones that everybody sees.

    moments: the snapshots; line_states: states at lines of the log before which pieces had moved.
    """

    def __init__(self, program: Program, state: State, before: int, open_zones: Collection[int]) -> None:
        super().__init__()
        layout = program.layout
        self.moments: list[Snapshot] = []
        self.line_states: list[Snapshot] = []
        self._texts, self._open, self._state, self._before = program.texts, open_zones, state, before
        self._zones = slice(layout.piece_zones, layout.piece_zones + layout.pieces)
        self._last = clone(state)  # at the previous line
        self._since = state[self._zones]  # zones of the pieces at the last snapshot
        self._revealed: dict[int, int] = {}  # pieces revealed since, with their zones
        self._has_logged = False  # whether anything but headings was logged since

    def append(self, event: Any) -> None:
        """Append an event; before it, watch what has changed, unless a limit is reached."""
        if len(self.moments) < _MAX_SNAPSHOTS and len(self) < _MAX_LENGTH:
            self._watch_zones(self._texts[event[0]])
        super().append(event)

    def end(self) -> list[Snapshot]:
        """Return the snapshots, at the next decision; take a last one if a revealed piece is gone there."""
        if self._has_logged and len(self.moments) < _MAX_SNAPSHOTS and self._has_left(self._state[self._zones]):
            self._take_snapshot(self._last)
        return self.moments

    def _watch_zones(self, text: Text) -> None:
        """Note the zones at an emitted text; take a snapshot if something shown is gone, or a phase ends."""
        now = clone(self._state)
        zones = now[self._zones]
        if zones != self._last[self._zones] and len(self.line_states) < _MAX_LINE_STATES:
            self.line_states.append(Snapshot(self._before + len(self), now))
        if self._has_logged and self._has_left(zones):
            self._take_snapshot(self._last)
        if text.of_phase and self._has_logged:
            now[PHASE], now[ROUND] = self._last[PHASE], self._last[ROUND]
            self._take_snapshot(now)
        self._revealed |= {
            piece: zone
            for piece, (was, zone) in enumerate(zip(self._since, zones, strict=True))
            if was != zone and zone in self._open
        }
        self._has_logged = self._has_logged or not text.heading
        self._last = now

    def _has_left(self, zones: list[int]) -> bool:
        """Return whether a piece revealed before has left its zone."""
        return any(zones[piece] != zone for piece, zone in self._revealed.items())

    def _take_snapshot(self, state: State) -> None:
        """Add a snapshot of a state, which is not copied, before the next event, and begin to watch anew."""
        self.moments.append(Snapshot(self._before + len(self), state))
        self._since, self._revealed, self._has_logged = state[self._zones], {}, False
