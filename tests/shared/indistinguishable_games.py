"""Games that look the same to somebody, and are not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulewright.game.game import Game
from rulewright.game.pending_decisions import PendingDecisions
from rulewright.game.snapshots import OpenMoment
from rulewright.program.form import ME, PC
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.state import State
from rulewright.runtime.view import sees_zone


def with_other_secrets(game: Game, seat: int | None, rng: random.Random) -> Game:
    """A game that looks the same to a seat: pieces that it does not see are others, what others sealed is forgotten,
    the seed is another, and so are the hidden pieces in the log."""
    other = game.copy()
    candidates = 0 if seat is None else seat  # whatever a spectator sees, everybody sees
    other.history.present = with_other_state(game, game.state, candidates, rng)
    other.seed = game.seed + 1
    other.log._events = [
        (text, place, other_pieces(game, text, arguments, seat)) for text, place, arguments in game.log._events
    ]
    number, states = game.history._line_states
    other.history._line_states = number, with_other_states(game, states, candidates, rng)
    layout = game.program.layout
    pieces, present = slice(layout.piece_zones, layout.piece_zones + layout.pieces), other.history.present
    other.history.answers = [
        replace(answered, before=as_in(present, answered.before, game.state))
        if answered.before[pieces] == game.state[pieces]  # where nothing has moved since, nothing has in that world
        else answered
        for answered in game.history.answers
    ]
    act_alike(other, game)
    return other


def as_in(other: State, before: State, state: State) -> State:
    """Return an earlier state of a game in another world: what has not changed since is what it is there now."""
    return [there if then == now else then for then, now, there in zip(before, state, other, strict=True)]


def with_other_states(game: Game, moments: Sequence[OpenMoment], seat: int, rng: random.Random) -> list[OpenMoment]:
    """Return states at lines of the log that look the same to a seat, each with hidden pieces of its own."""
    return [replace(one, state=with_other_state(game, between(game, one.state), seat, rng)) for one in moments]


def between(game: Game, state: State) -> State:
    """Return a state in which nobody is asked."""
    still = [*state]
    still[PC] = game.program.start
    return still


def act_alike(other: Game, game: Game) -> None:
    """Return the game with another state: that somebody has answered is no secret."""
    waiting = game.pending
    pending = PendingDecisions(game.machine, other.history, not game.cut_off)
    pending.group, pending.sealed = waiting.group, other.history.answers[waiting.opened :]
    pending.ready = waiting.ready
    other._pending = pending


def with_other_state(game: Game, state: State, seat: int, rng: random.Random) -> State:
    """A state of a game that looks the same to a seat."""
    result = determinize(game.machine, information_state(game.machine, state, seat), seat, rng)
    result[ME] = state[ME]  # who is asked now is no secret either
    return result


def other_pieces(game: Game, text: int, arguments: Any, seat: int | None) -> list[Any]:
    changed = []
    for type_, items in zip(game.program.texts[text].types, arguments, strict=True):
        if type_.base == "piece":
            looks = len(game.program.types)
            changed.append(
                [
                    ((look + 1) % looks, zone)
                    if not told and not sees_zone(game.messages.space(zone), seat)
                    else (look, zone, *told)
                    for look, zone, *told in items
                ]
            )
        else:
            changed.append(items)
    return changed
