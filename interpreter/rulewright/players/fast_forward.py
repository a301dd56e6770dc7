"""Games played at random until a seat has a decision in a certain phase or step, for people to go on from there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from rulewright import players
from rulewright.players.seating import RANDOM_BOT
from rulewright.players.session import Session

_MAX_GAMES = 50
"""Maximum number of games tried, with consecutive seeds."""
_MAX_ANSWERS = 20_000
"""Limit of answers over all these games."""


def play_until(begin: Callable[[int], Session], seed: int, place: str) -> Session | None:
    """Play random games until a seat is asked in this phase or step; return None at the limits.

    begin: starts a new game, not yet saved, for a seed; seed: of the first game, counted up for further ones. Raises
    SessionError where the rules stop.
    """
    answers = 0
    for number in count(seed):
        session = begin(number)
        while (decisions := session.game.decisions()) and answers < _MAX_ANSWERS:
            if any(place in (decision.phase, decision.id.partition(".")[0]) for decision in decisions):
                return session
            first = decisions[0]
            keys = players.choose(RANDOM_BOT, session.game, first.seat, session.answer_count(first.seat))
            session.answer(first.seat, keys, first.id)
            answers += 1
        if answers >= _MAX_ANSWERS or number >= seed + _MAX_GAMES:
            return None
    return None
