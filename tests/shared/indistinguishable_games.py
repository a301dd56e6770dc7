"""Games that look the same to somebody, and are not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.game.game import Game
from rulewright.game.pending_decisions import PendingDecisions
from rulewright.game.snapshots import Snapshot
from rulewright.program.state_layout import ME, PC
from rulewright.runtime.information_state import determinize, information_state, lasting_piece_cells
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
    layout, present = game.program.layout, other.history.present
    pieces, numbers = (
        slice(layout.piece_zones, layout.piece_zones + layout.pieces),
        numbers_in(game, present, candidates),
    )
    now = renumbered(game, game.state, numbers)
    other.history.answers = []
    for answered in game.history.answers:
        before = renumbered(game, answered.before, numbers)
        # where nothing has moved since, nothing has in that world
        same = as_in(present, before, now) if before[pieces] == now[pieces] else before
        other.history.answers.append(replace(answered, before=same))
    act_alike(other, game)
    return other


def as_in(other: State, before: State, state: State) -> State:
    """Return an earlier state of a game in another world: what has not changed since is what it is there now."""
    return [there if then == now else then for then, now, there in zip(before, state, other, strict=True)]


def numbers_in(game: Game, other: State, seat: int) -> dict[int, int]:
    """Return what the pieces of a game are in a state that looks the same to a seat: those that it sees lie where they
    lay, and others stand for others of their type."""
    program, spare = game.program, dict[int, list[int]]()
    visible = [space.address for space in program.layout.zones if sees_zone(space, seat)]
    numbers = {piece: there for zone in visible for piece, there in zip(game.state[zone], other[zone], strict=True)}
    for piece in sorted(set(range(program.layout.pieces)) - set(numbers.values()), reverse=True):
        spare.setdefault(program.type_of[piece], []).append(piece)
    return {
        piece: numbers[piece] if piece in numbers else spare[program.type_of[piece]].pop()
        for piece in range(program.layout.pieces)
    }


def renumbered(game: Game, state: State, numbers: Mapping[int, int]) -> State:
    """Return a state in which each piece is another one of its type."""
    layout, result = game.program.layout, [*state]
    for space in layout.zones:
        result[space.address] = tuple(numbers[piece] for piece in state[space.address])
    for piece, new in numbers.items():
        cells = [layout.piece_zones, *(mark.address for mark, _ in layout.marked.get(piece, ()))]
        for start in cells + ([layout.memory, layout.lost_places] if layout.memory >= 0 else []):
            result[start + new] = state[start + piece]
        if piece in layout.faces:
            result[layout.faces[new].cell] = state[layout.faces[piece].cell]
    for cell, many in lasting_piece_cells(layout):
        old = state[cell]
        result[cell] = tuple(numbers.get(piece, piece) for piece in old) if many else numbers.get(old, old)
    return result


def with_other_states(game: Game, moments: Sequence[Snapshot], seat: int, rng: random.Random) -> list[Snapshot]:
    """Return states at lines of the log that look the same to a seat, each with hidden pieces of its own."""
    return [replace(one, state=with_other_state(game, between(game, one.state), seat, rng)) for one in moments]


def between(game: Game, state: State) -> State:
    """Return a state in which nobody is asked."""
    still = [*state]
    still[PC] = game.program.start
    return still


def act_alike(other: Game, game: Game) -> None:
    """Make another game show who has answered as this one does: that somebody has answered is no secret."""
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
