"""Cache of what a table shows, shared by all viewers: for each language, and each distinct view.

A cached value knows which cells of the state it was computed from. As long as those are unchanged, the next snapshot
reuses it. So an answer costs what it changes, however many watch and however much is on the table.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.json import Encoder

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.snapshots import PastStep
from rulewright.program.state_layout import FUEL, ME
from rulewright.publish.labels import Labels
from rulewright.runtime.read_tracking import changed_cells
from rulewright.server.views import seat_view
from rulewright.server.views.document import Line, LogChange, Now
from rulewright.server.views.merge_patches import merge_patch_between

T = TypeVar("T")
U = TypeVar("U")

Tracked = tuple[T, int]
"""Value, and the cells of the state that it was computed from, as bits of a number."""

_MAX_SNAPSHOTS = 8
"""Snapshots cached for a table."""

_encode = Encoder().encode


@record
class LogUpdate:
    """Log from a line on. marks: a hash of each line, by which it is recognized. change: the lines, as a `LogChange` in
    JSON."""

    marks: Sequence[int]
    change: Raw


class TableSnapshot:
    """Snapshot of a game, with what was computed from it. game: records what is read of its state."""

    def __init__(self, game: Game, before: TableSnapshot | None = None) -> None:
        """Take a snapshot. before: one whose still valid values are reused."""
        self.game, self._state = game.observed()
        self._values: dict[Hashable, tuple[Hashable, Tracked[Any]]] = {}
        self._parts: dict[Hashable, tuple[Sequence[Tracked[Any]], int]] = {}  # each with the cells that changed since
        self._fixed: dict[Hashable, Any] = {}
        if before is not None and before.game.messages is self.game.messages:  # else somebody has another name by now
            new = changed_cells(before._state, self._state) & ~(1 << FUEL)  # whoever looks has as much as it takes
            if self.game.pending.at_once:
                new &= ~(1 << ME)  # whoever is asked has it then
            self._values = {key: entry for key, entry in before._values.items() if not entry[1][1] & new}
            self._parts = {key: (parts, since | new) for key, (parts, since) in before._parts.items()}
            self._fixed = before._fixed
        self._labels: dict[str, Labels] = {}
        self._shared: dict[Hashable, Any] = {}

    def labels(self, language: str) -> Labels:
        """Return the game's labels in a language, made once."""
        if language not in self._labels:
            self._labels[language] = Labels(self.game, language)
        return self._labels[language]

    def fixed(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return a value that is the same in all snapshots of a game, computed once."""
        if key not in self._fixed:
            self._fixed[key] = make()
        value: T = self._fixed[key]
        return value

    def once(self, key: Hashable, make: Callable[[], T], of: Hashable = None) -> T:
        """Return the value of a key, recomputed only if cells that it was computed from have changed. of: all that it
        depends on besides the state."""
        entry = self._values.get(key)
        if entry is None or entry[0] != of:
            entry = self._values[key] = of, self._compute(make)
        value: T
        value, cells = entry[1]
        self._state.read |= cells
        return value

    def each(self, key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        """Like `once`, for each of several items, always the same number for a key; only changed ones are
        recomputed."""
        parts, since = self._parts.get(key, ((), 0))
        if parts:
            parts = [
                self._compute(make, item) if old[1] & since else old for old, item in zip(parts, items, strict=True)
            ]
        else:
            parts = [self._compute(make, item) for item in items]
        self._parts[key] = parts, 0
        read = self._state.read
        for _, cells in parts:
            read |= cells
        self._state.read = read
        return [one for one, _ in parts]

    def _compute(self, make: Callable[..., T], *of: Any) -> Tracked[T]:
        """Compute a value, and the cells that it reads."""
        state = self._state
        outer, state.read = state.read, 0
        try:
            return make(*of), state.read
        finally:
            state.read |= outer

    # ── what is shown ──

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what all viewers with this key are shown of this snapshot. key: all that it depends on besides the
        game."""
        if key not in self._shared:
            self._shared[key] = make()
        value: T = self._shared[key]
        return value

    def log(self, language: str, seat: int | None, start: int, steps: Sequence[PastStep]) -> LogUpdate:
        """Return the log from a line on, as a seat may read it. steps: the game's, each of which brought some lines."""
        log, lines = self.game.log, range(start, self.game.log.length)
        others = self.shared(("not alike", start), lambda: [n for n in lines if not log.is_same_for_all(n)])
        visible = {number: log.version(number, seat) for number in others}

        def line(number: int) -> Line:
            key = "line", language, number, visible.get(number)
            return self.shared(key, lambda: seat_view.line(self.game, number, language, seat, steps))

        def build() -> LogUpdate:
            lines_sent = tuple(map(line, lines))
            return LogUpdate(list(map(hash, lines_sent)), Raw(_encode(LogChange(start, lines_sent))))

        return self.shared(("log", language, start, tuple(visible.values())), build)

    def since(self, before: Now | None, now: Now) -> Raw | None:
        """Return the JSON patch between what two snapshots show; None if nothing has changed."""
        if before is now:
            return None

        def build() -> tuple[Now | None, Raw | None]:
            patch = now if before is None else merge_patch_between(before, now)
            return before, Raw(_encode(patch)) if patch else None  # what is kept has no other's number

        return self.shared(("since", id(before), id(now)), build)[1]


class ViewCache:
    """Snapshots of one table that are being viewed: the present game, and the steps between the last answers."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[Hashable, tuple[Any, TableSnapshot]] = OrderedDict()
        self._last: TableSnapshot | None = None

    def now(self, game: Game) -> TableSnapshot:
        """Return the snapshot of the present game."""
        return self._cached_snapshot(id(game), game, lambda: game)

    def past(self, game: Game, step: PastStep) -> TableSnapshot:
        """Return the snapshot of an earlier step."""
        state = game.history.state_at(step)
        return self._cached_snapshot((id(state), step), state, lambda: game.with_history(game.history.until(step)))

    def _cached_snapshot(self, key: Hashable, of: Any, make: Callable[[], Game]) -> TableSnapshot:
        """Return the snapshot for a key; make it from a game if it is not cached."""
        if key not in self._scenes:
            self._last = TableSnapshot(make(), self._last)
            self._scenes[key] = of, self._last  # what it is of is kept, lest its number be another's
            if len(self._scenes) > _MAX_SNAPSHOTS:
                self._scenes.popitem(last=False)
        return self._scenes[key][1]
