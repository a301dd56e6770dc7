"""Position of a game: parts of what each seat sees of it, which callers can cache."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.game.messages import limit_text
from rulewright.i18n.localizer import Phrase
from rulewright.program.form import MarkedSet, Measure
from rulewright.program.state_layout import GAME_OVER, LIMITED, PC, ROUND, Counter, StateZone
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import CounterValue, ScoreView, ZoneView


class CurrentPosition:
    """Position in which a game stands; it does not follow the game after an answer."""

    def __init__(self, machine: Machine, state: State) -> None:
        self._machine, self._program, self._state = machine, machine.program, state

    @property
    def round(self) -> int:
        """Number of the round, 0 during set-up."""
        number: int = self._state[ROUND]
        return number

    @property
    def phase(self) -> str:
        """Name of the phase, '' during set-up."""
        return views.phase_of(self._program, self._state)

    @property
    def ended(self) -> bool:
        """Whether the rules have reached the end."""
        return bool(self._state[PC] == GAME_OVER)

    def limit_text(self) -> Phrase | None:
        """Return that the game ended at its limit, in words; None if it did not."""
        return limit_text(self._program, self._state) if self._state[LIMITED] else None

    def zone(self, space: StateZone, seat: int | None) -> ZoneView:
        """Return a zone as a seat, or a spectator, sees it."""
        return views.zone_view(self._program, self._state, space, seat)

    def may_look_different(self, space: StateZone, seat: int | None) -> bool:
        """Return whether a zone may look different to a seat than to a spectator."""
        if seat is None or views.sees_zone(space, None):
            return False
        return views.sees_zone(space, seat) or self._program.layout.memory >= 0

    def counter(self, counter: Counter) -> CounterValue | tuple[CounterValue, ...] | Mapping[str, CounterValue]:
        """Return a counter's content, which everybody may see: of the table, of each seat, or by word."""
        return views.counter_value(self._program, self._state, counter)

    def has_power(self, name: str, seat: int) -> bool:
        """Return whether a seat has a power now, whoever may know it. Raises KeyError for an unknown name."""
        return bool(self._machine.call(self._program.powers[name].function, self._state, seat)[0][0])

    def measure(self, measure: Measure, seat: int, seen_by: int | None) -> int | float | None:
        """Return a measure of a seat; during the game None if the viewer may not know it. seen_by: the viewer's seat,
        None for a spectator."""
        if not self.ended and not views.sees_figure(measure.seen_by, seat, seen_by):
            return None
        return self._program.decode(measure.function, self._machine.call(measure.function, self._state, seat)[0][0])

    def members(self, marked: MarkedSet, seat: int) -> tuple[int, ...]:
        """Return the members of a set that a table marks for a seat, as indices of what it holds: spaces, pieces,
        seats; () unless everybody may see them."""
        if marked.seen_by != "all":
            return ()
        return tuple(self._machine.call(marked.function, self._state, seat)[0])

    def own_members(self, marked: MarkedSet, seat: int) -> tuple[int, ...]:
        """Like `members`, as the seat itself sees them; () where it may not."""
        return tuple(self._machine.call(marked.function, self._state, seat)[0]) if marked.seen_by != "nobody" else ()

    def is_scored(self, seat: int) -> bool:
        """Return whether a seat is scored: all are but roles that the edition leaves out."""
        return views.role_of(self._program, self._state, seat) not in self._program.unscored_roles

    def score(self, seat: int, seen_by: int | None, ended: bool) -> ScoreView:
        """Return the points of a seat that is scored (not checked), as a viewer sees them. seen_by: as for `measure`;
        ended: whether everybody sees all."""
        score = views.scores(self._machine, self._state, seat, seen_by, None, ended)
        assert score is not None
        return score
