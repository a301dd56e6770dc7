"""Games that are played by chance until somebody is asked at a certain place of the rules; people go on there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from rulewright import players
from rulewright.players.seating import AT_CHANCE
from rulewright.players.session import Session

_MOST_GAMES = 50
_MOST_ANSWERS = 20_000
"""Of all these games."""


def arrived(begin: Callable[[int], Session], seed: int, place: str) -> Session | None:
    """The first game in which somebody is asked in a phase or a step; None if none is found soon.

    begin: a new game, saved nowhere yet, for a seed; seed: of the first one. Raises SessionError where the rules stop.
    """
    given = 0
    for number in count(seed):
        session = begin(number)
        while (decisions := session.game.decisions()) and given < _MOST_ANSWERS:
            if any(place in (asked.phase, asked.id.partition(".")[0]) for asked in decisions):
                return session
            asked = decisions[0]
            keys = players.choose(AT_CHANCE, session.game, asked.seat, session.answers(asked.seat))
            session.answer(asked.seat, keys, asked.id)
            given += 1
        if given >= _MOST_ANSWERS or number >= seed + _MOST_GAMES:
            return None
    return None
