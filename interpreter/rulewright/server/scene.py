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

from rulewright.game.game import Game
from rulewright.game.moments import PastStep
from rulewright.program.form import FUEL, ME
from rulewright.publish.labels import Labels
from rulewright.runtime.reading import bits, changed
from rulewright.server import seat_view
from rulewright.server.document import Fragment, Line, LogChange, change

T = TypeVar("T")
U = TypeVar("U")

MadeFrom = tuple[T, int]
"""What was made, and the cells of the state from which, as the bits of a number."""

_MOST_SCENES, _MOST_LINES, _MOST_CHANGES = 8, 64, 16
"""Of a table: moments, lines of the log, and changes of which is kept what was said of them, the last ones."""

_encoder = Encoder()


class TableMoment:
    """One moment of a game. game: as it is then; it notes what is read of its state."""

    def __init__(self, game: Game, before: TableMoment | None = None) -> None:
        """before: the moment from which is taken over what has not changed."""
        self.game, self._state = game.observed()
        self._kept: dict[Hashable, MadeFrom[Any]] = {}
        self._parts: dict[Hashable, tuple[Sequence[MadeFrom[Any]], int]] = {}  # each with the cells that changed since
        self._fixed: dict[Hashable, Any] = {}
        if before is not None and before.game.messages is self.game.messages:  # else somebody has another name by now
            new = changed(before._state, self._state) & ~(1 << FUEL)  # whoever looks has as much as it takes
            if self.game.at_once:
                new &= ~(1 << ME)  # whoever is asked has it then
            self._kept = {key: made for key, made in before._kept.items() if not made[1] & new}
            self._parts = {key: (parts, since | new) for key, (parts, since) in before._parts.items()}
            self._fixed = before._fixed
        self._used = 0  # cells, by what was taken over while something is made
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

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under this key, here or at a moment before, if nothing of what it was made from is different.
        key: names all that it depends on besides the state."""
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = self._made(make)
        self._used |= kept[1]
        found: T = kept[0]
        return found

    def each(self, key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        """The same of several things, which are always as many under this key; those that are different are made."""
        kept = self._parts.get(key)
        if kept is None:
            made: Sequence[MadeFrom[U]] = [self._made(lambda: make(item)) for item in items]  # noqa: B023 - called at once
        else:
            made = [
                self._made(lambda: make(item)) if old[1] & kept[1] else old  # noqa: B023
                for old, item in zip(kept[0], items, strict=True)
            ]
        self._parts[key] = made, 0
        for _, used in made:
            self._used |= used
        return [one for one, _ in made]

    def _made(self, make: Callable[[], T]) -> MadeFrom[T]:
        """Something, and the cells that it was made from."""
        outer, used = self._state.read, self._used
        self._state.read, self._used = set(), 0
        try:
            return make(), bits(self._state.read) | self._used
        finally:
            self._state.read, self._used = outer, used

    def shown(self, key: Hashable, make: Callable[[], T]) -> T:
        """What all who come with this key are shown of this moment. key: names all that it depends on besides the
        game."""
        if key not in self._shown:
            self._shown[key] = make()
        found: T = self._shown[key]
        return found


class _KeptLine:
    """A line of the log. told: what was told in it; alike: whether all read the same; read: by language, and by what
    makes it another one for some."""

    def __init__(self, told: Any, alike: bool) -> None:
        self.told, self.alike = told, alike
        self.read: dict[Hashable, Line] = {}


class Stage:
    """Of one table, the moments that are looked at: the game now, and the steps between the last answers."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[Hashable, tuple[Any, TableMoment]] = OrderedDict()
        self._last: TableMoment | None = None
        self._lines: OrderedDict[int, _KeptLine] = OrderedDict()
        self._encodings: OrderedDict[tuple[int, ...], tuple[Any, Raw | None]] = OrderedDict()

    def now(self, game: Game) -> TableMoment:
        return self._scene((id(game),), game, lambda: game)

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

    def lines(
        self, scene: TableMoment, language: str, seat: int | None, start: int, steps: Sequence[PastStep]
    ) -> list[Line]:
        """The log from a line on, as `seat_view.line` has each of them."""
        game, end = scene.game, scene.game.log_length
        kept = [self._line(game, number) for number in range(max(start, end - _MOST_LINES), end)]
        found = [seat_view.line(game, number, language, seat, steps) for number in range(start, end - len(kept))]
        for number, line in enumerate(kept, end - len(kept)):
            key = language, None if line.alike else game.seen_of_line(number, seat)
            if key not in line.read:
                line.read[key] = seat_view.line(game, number, language, seat, steps)
            found.append(line.read[key])
        return found

    def _line(self, game: Game, number: int) -> _KeptLine:
        told, kept = game.told_in(number), self._lines.get(number)
        if kept is None or kept.told is not told:  # another one after something was taken back
            kept = self._lines[number] = _KeptLine(told, game.read_alike(number))
            if len(self._lines) > _MOST_LINES:
                self._lines.popitem(last=False)
        return kept

    def change(self, before: Fragment | None, after: Fragment) -> Raw | None:
        """What turns one part into the other, as JSON, or None where nothing does."""
        if before is after:
            return None
        return self._encoded((before, after), lambda: after if before is None else change(before, after))

    def log(self, start: int, lines: Sequence[Line]) -> Raw:
        """Lines of the log from number `start` on, as JSON."""
        found = self._encoded((start, *lines), lambda: LogChange(start, tuple(lines)))
        assert found is not None
        return found

    def _encoded(self, of: Sequence[Any], make: Callable[[], Any]) -> Raw | None:
        """What is made of the very same things is encoded once, for all who are told it."""
        key = tuple(map(id, of))
        if key not in self._encodings:
            made = make()
            self._encodings[key] = of, Raw(_encoder.encode(made)) if made else None
            if len(self._encodings) > _MOST_CHANGES:
                self._encodings.popitem(last=False)
        return self._encodings[key][1]
