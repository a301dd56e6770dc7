"""Routes: several answers in a row that take one piece on from space to space, such as two dice or a chain of jumps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from rulewright.base.records import record
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State

MAX_ANSWERS = 80
"""Answers tried for one decision."""
MAX_LENGTH = 5
"""Answers of one route."""

Route = tuple[tuple[int, ...], int]
"""Answers in a row, each by the number of its word, and the number of the space where the piece stands after them."""


@record
class _Reached:
    """Position on a route: the answers that led to it, the piece that moves, and its space."""

    state: State
    decision: OpenDecision | None
    answers: tuple[int, ...]
    piece: int
    space: int


def find_routes(machine: Machine, state: State, decision: OpenDecision) -> list[Route]:
    """Return the routes that begin with an answer to a decision, and end where no single answer leads.

    There are no routes where the decision is not about the spaces of a board that a piece goes to, and none by chance.
    Of several ways to one space, the first one counts, and none if they leave the pieces in different places. state:
    everything that its seat knows, where nothing is hidden from it.
    """
    if decision.least != 1 or decision.most != 1 or machine.program.sites[decision.site].element.base != "word":
        return []
    return _RouteFinder(machine, decision).find(state)


class _RouteFinder:
    """Finder of the routes from one decision."""

    def __init__(self, machine: Machine, decision: OpenDecision) -> None:
        self._machine, self._decision, layout = machine, decision, machine.program.layout
        self._words = machine.program.sites[decision.site].element.detail
        self._places = slice(layout.piece_zones, layout.piece_zones + layout.pieces)
        self._space_of = {zone.address: zone.owner for zone in layout.zones if zone.of == self._words}
        self._left = MAX_ANSWERS

    def find(self, state: State) -> list[Route]:
        """Return the routes to spaces that are no answers themselves; none where two lead to the same space with
        different results."""
        open_routes = list(self._first_moves(state))
        direct = {one.space for one in open_routes if one.space == one.answers[0]}
        routes: dict[int, tuple[Route, State] | None] = {}
        for reached in open_routes:  # which grows
            if reached.space not in direct:
                new = (reached.answers, reached.space), reached.state[self._places]
                known = routes.setdefault(reached.space, new)
                if known is not None and known[1] != new[1]:
                    routes[reached.space] = None
            open_routes += self._further_moves(reached)
        return [one[0] for one in routes.values() if one is not None]

    def _first_moves(self, state: State) -> Iterator[_Reached]:
        """Yield what each answer moves; nothing where answers choose what moves."""
        for answer in self._decision.candidates:
            after = self._answered(state, self._decision, answer)
            if after is None:
                continue
            moved = self._moved(state, after[0])
            if not moved or any(source == answer for _, source, _ in moved):
                return
            movers = [one for one in moved if one[2] == answer] or moved
            if len(movers) == 1:
                [(piece, _, space)] = movers
                yield _Reached(*after, (answer,), piece, space)

    def _further_moves(self, reached: _Reached) -> Iterator[_Reached]:
        """Yield where the same piece goes on: itself chosen again, or at once its next space."""
        decision = reached.decision
        if len(reached.answers) == MAX_LENGTH or decision is None or decision.least != 1 or decision.most != 1:
            return
        element = self._machine.program.sites[decision.site].element
        if element.base != "word" or element.detail != self._words:
            return
        again = reached.space in decision.candidates
        for answer in [reached.space] if again else decision.candidates:
            after = self._answered(reached.state, decision, answer)
            if after is None:
                continue
            answers = (*reached.answers, answer)
            moved = self._moved(reached.state, after[0])
            spaces = [space for piece, _, space in moved if piece == reached.piece]
            if spaces:
                yield _Reached(*after, answers, reached.piece, spaces[0])
            elif again and not moved:
                yield from self._further_moves(_Reached(*after, answers, reached.piece, -1))

    def _answered(self, state: State, decision: OpenDecision, answer: int) -> tuple[State, OpenDecision | None] | None:
        """Return the state after an answer, and the seat's next decision if it alone is asked; None where chance comes
        in, or too many answers have been tried."""
        if self._left <= 0:
            return None
        self._left -= 1
        after = list(state)
        with suppress(RuleError):
            self._machine.answer(after, decision, [answer])
            then = self._machine.run(after)
            chance = slice(RANDOM, RANDOM + RANDOM_CELLS)
            if after[chance] == state[chance]:
                is_alone = len(then) == 1 and not self._machine.simultaneous_seats(after)
                return after, then[0] if is_alone and then[0].seat == decision.seat else None
        return None

    def _moved(self, before: State, after: State) -> list[tuple[int, int, int]]:
        """List the pieces that have moved from space to space, each with both."""
        pairs = enumerate(zip(before[self._places], after[self._places], strict=True))
        spaces = self._space_of
        return [
            (piece, spaces[was], spaces[now])
            for piece, (was, now) in pairs
            if was != now and was in spaces and now in spaces
        ]
