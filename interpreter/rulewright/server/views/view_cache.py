"""What a table shows at one moment, worked out once for all who look: for each language, and each distinct view.

What is worked out knows which cells of the state it was made from. As long as those have not changed, the next moment
takes it over. So an answer costs what it changes, however many read, and however much lies on the table.
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
from rulewright.program.form import FUEL, ME
from rulewright.publish.labels import Labels
from rulewright.runtime.read_tracking import changed
from rulewright.server.views import seat_view
from rulewright.server.views.document import Line, LogChange, Now, change

T = TypeVar("T")
U = TypeVar("U")

MadeFrom = tuple[T, int]
"""What was made, and the cells of the state from which, as the bits of a number."""

_MOST_SCENES = 8
"""Moments of a table that are kept, the last ones."""

_encode = Encoder().encode


@record
class ToldLines:
    """The log from a line on. marks: of each line one by which it is known again."""

    marks: Sequence[int]
    change: Raw


class TableMoment:
    """One moment of a game. game: as it is then; it notes what is read of its state."""

    def __init__(self, game: Game, before: TableMoment | None = None) -> None:
        """before: the moment from which is taken over what has not changed."""
        self.game, self._state = game.observed()
        self._kept: dict[Hashable, tuple[Hashable, MadeFrom[Any]]] = {}
        self._parts: dict[Hashable, tuple[Sequence[MadeFrom[Any]], int]] = {}  # each with the cells that changed since
        self._fixed: dict[Hashable, Any] = {}
        if before is not None and before.game.messages is self.game.messages:  # else somebody has another name by now
            new = changed(before._state, self._state) & ~(1 << FUEL)  # whoever looks has as much as it takes
            if self.game.at_once:
                new &= ~(1 << ME)  # whoever is asked has it then
            self._kept = {key: kept for key, kept in before._kept.items() if not kept[1][1] & new}
            self._parts = {key: (parts, since | new) for key, (parts, since) in before._parts.items()}
            self._fixed = before._fixed
        self._labels: dict[str, Labels] = {}
        self._shown: dict[Hashable, Any] = {}

    def labels(self, language: str) -> Labels:
        if language not in self._labels:
            self._labels[language] = Labels(self.game, language)
        return self._labels[language]

    def fixed(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is the same at all moments of a game."""
        if key not in self._fixed:
            self._fixed[key] = make()
        found: T = self._fixed[key]
        return found

    def once(self, key: Hashable, make: Callable[[], T], of: Hashable = None) -> T:
        """What was made under this key, here or at a moment before, if nothing of what it was made from is different.
        of: all that it depends on besides the state."""
        kept = self._kept.get(key)
        if kept is None or kept[0] != of:
            kept = self._kept[key] = of, self._made(make)
        found: T
        found, cells = kept[1]
        self._state.read |= cells
        return found

    def each(self, key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        """The same of several things, which are always as many under this key; those that are different are made."""
        made, since = self._parts.get(key, ((), 0))
        if made:
            made = [self._made(make, item) if old[1] & since else old for old, item in zip(made, items, strict=True)]
        else:
            made = [self._made(make, item) for item in items]
        self._parts[key] = made, 0
        read = self._state.read
        for _, cells in made:
            read |= cells
        self._state.read = read
        return [one for one, _ in made]

    def _made(self, make: Callable[..., T], *of: Any) -> MadeFrom[T]:
        """Something, and the cells that it was made from."""
        state = self._state
        outer, state.read = state.read, 0
        try:
            return make(*of), state.read
        finally:
            state.read |= outer

    # ── what is shown ──

    def shown(self, key: Hashable, make: Callable[[], T]) -> T:
        """What all who come with this key are shown of this moment. key: names all that it depends on besides the
        game."""
        if key not in self._shown:
            self._shown[key] = make()
        found: T = self._shown[key]
        return found

    def log(self, language: str, seat: int | None, start: int, steps: Sequence[PastStep]) -> ToldLines:
        """The log from a line on, as a seat may read it. steps: those of the game, of which one brought each line."""
        game, lines = self.game, range(start, self.game.log_length)
        others = self.shown(("not alike", start), lambda: [number for number in lines if not game.read_alike(number)])
        seen = {number: game.seen_of_line(number, seat) for number in others}

        def line(number: int) -> Line:
            key = "line", language, number, seen.get(number)
            return self.shown(key, lambda: seat_view.line(game, number, language, seat, steps))

        def made() -> ToldLines:
            found = tuple(map(line, lines))
            return ToldLines(list(map(hash, found)), Raw(_encode(LogChange(start, found))))

        return self.shown(("log", language, start, tuple(seen.values())), made)

    def since(self, before: Now | None, now: Now) -> Raw | None:
        """What turns what was shown at another moment into what is shown at this one, as JSON; None where nothing
        does."""
        if before is now:
            return None

        def made() -> tuple[Now | None, Raw | None]:
            told = now if before is None else change(before, now)
            return before, Raw(_encode(told)) if told else None  # what is kept has no other's number

        return self.shown(("since", id(before), id(now)), made)[1]


class Stage:
    """Of one table, the moments that are looked at: the game now, and the steps between the last answers."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[Hashable, tuple[Any, TableMoment]] = OrderedDict()
        self._last: TableMoment | None = None

    def now(self, game: Game) -> TableMoment:
        return self._scene(id(game), game, lambda: game)

    def past(self, game: Game, step: PastStep) -> TableMoment:
        state = game.state_at(step)
        return self._scene((id(state), step), state, lambda: game.past(step))

    def _scene(self, key: Hashable, of: Any, make: Callable[[], Game]) -> TableMoment:
        if key not in self._scenes:
            self._last = TableMoment(make(), self._last)
            self._scenes[key] = of, self._last  # what it is of is kept, lest its number be another's
            if len(self._scenes) > _MOST_SCENES:
                self._scenes.popitem(last=False)
        return self._scenes[key][1]
