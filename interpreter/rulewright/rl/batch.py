"""Thousands of games at once, in native code: arrays of what is seen and can be done, one row for each game.

    batch = Batch("my-game.yaml", games=4096)
    while learning:
        batch.step(policy(batch.observations, batch.masks))

In each game one seat is asked at a time: `seats` says which. A game that ends begins anew in the same step; `done` says
so, and `rewards` what each agent had of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import SEAT
from rulewright.players.action_space import MAX_NUMBERS
from rulewright.players.observations import PLACES
from rulewright.program.state_layout import NOTHING, Counter
from rulewright.program.value_types import PARTS
from rulewright.rl.environment_spec import Arena, check_seed, is_whole
from rulewright.rl.position import IllegalAction
from rulewright.runtime.native import CannotRun, Unbounded
from rulewright.runtime.native.batches import (
    AS_NUMBER,
    AS_PARTS,
    AS_SEAT,
    AS_WORD,
    BY_NUMBER,
    BY_PIECE,
    BY_PLACE,
    BY_SEAT,
    Batches,
    BatchPlan,
    ObservedZone,
)
from rulewright.runtime.native.results import GAME_WORDS

MAX_GAMES = 1_000_000
"""Maximum number of games side by side."""


class Batch:
    """Games that are played side by side. All arrays are read-only views of the same memory: each step changes them.

    observations: games × numbers; masks: games × actions, 1 for each possible action; seats: whose turn it is; rewards:
    games × agents, 0 except where a game has ended; done: games that have ended and begun anew; limited: those of them
    that ended at their limit.
    """

    def __init__(
        self,
        edition: str | Rules,
        games: int = 4096,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        reward: str = "win",
        seed: int = 0,
    ) -> None:
        """Start the games.

        games: their number; edition, seats, options, reward: as for Arena, with the same errors; seed: of the first
        game; each further one has the next number.

        Raises RulewrightError for a wrong number of games or seed, for an edition in which pieces have counters, seats
        remember, or counters hold lists, and where there is no native code for it.
        """
        if not is_whole(games, 1, MAX_GAMES):
            slots: dict[str, Any] = {"most": MAX_GAMES, "number": str(games)}
            raise RulewrightError(phrase("errors", "A batch has 1 to {most} games, not {number}.", **slots))
        check_seed(seed)
        self.arena = Arena(edition, seats, options, reward)
        arena, layout = self.arena, self.arena.program.layout
        if layout.memory >= 0 or layout.marks or any(counter.type.many for counter in layout.counters):
            raise RulewrightError(
                phrase(
                    "errors",
                    "{title} cannot be played in batches yet: its pieces have counters, its players remember pieces, "
                    "or a counter holds a list.",
                    title=arena.rules.title,
                )
            )
        try:
            self._code = Batches(arena.program, _plan_batch(arena), games)
        except (CannotRun, Unbounded):
            message = phrase("errors", "There is no native code for {title} here.", title=arena.rules.title)
            raise RulewrightError(message) from None
        self.observations: NDArray[np.float32] = _read_only(self._code.vectors, np.float32).reshape(games, -1)
        self.masks: NDArray[np.int8] = _read_only(self._code.masks, np.int8).reshape(games, -1)
        self.seats: NDArray[np.int32] = _read_only(self._code.turns, np.int32)
        self.done: NDArray[np.bool_] = _read_only(self._code.done, np.bool_)
        self._rewards: NDArray[np.float32] = np.zeros((games, len(arena.agents)), np.float32)
        self._limited: NDArray[np.bool_] = np.zeros(games, np.bool_)
        self.rewards: NDArray[np.float32] = _read_only(self._rewards, np.float32).reshape(self._rewards.shape)
        self.limited: NDArray[np.bool_] = _read_only(self._limited, np.bool_)
        self._actions: Any = np.frombuffer(self._code.actions, np.int32)
        self._sampled: NDArray[np.int32] = np.frombuffer(self._code.sampled, np.int32)
        self._rows: NDArray[np.int32] = np.frombuffer(self._code.rows, np.int32).reshape(games, -1)
        self._ended: NDArray[np.intp] = np.zeros(0, np.intp)
        roles = [arena.program.roles.index(role) if role else NOTHING for role in map(arena.roles.get, arena.names)]
        option_choices = [option.choices.index(arena.options[option.name]) for option in arena.program.options]
        self._code.begin(arena.machine.new(seed, roles, option_choices), seed)

    def step(self, actions: Any) -> None:
        """Take one action in each game. Raises IllegalAction, and nothing has changed then; raises RuleError."""
        self._actions[:] = self._check_actions(actions)
        if (game := self._code.first_refused()) >= 0:
            slots = {"number": game, "action": int(self._actions[game])}
            raise IllegalAction(phrase("errors", "Game {number} cannot take action {action} now.", **slots))
        self._code.step()
        self._update_rewards()

    def _check_actions(self, actions: Any) -> NDArray[np.int32]:
        """Return one number for each game. Raises IllegalAction for anything else."""
        games = len(self.done)
        try:
            numbers = np.asarray(actions)
            with np.errstate(invalid="ignore"):
                integers = (
                    numbers.astype(np.int32) if numbers.dtype.kind in "iuf" and numbers.shape == (games,) else None
                )
            if integers is not None and (integers == numbers).all():
                return integers
        except (TypeError, ValueError, OverflowError):
            pass
        raise IllegalAction(
            phrase("errors", "A step takes {games} whole numbers, one action for each game.", games=games)
        )

    def sample(self) -> NDArray[np.int32]:
        """Draw a possible action for each game, all with equal probability, the same ones again for the same seed.

        The next sample changes the array.
        """
        self._code.sample()
        return self._sampled

    def describe(self) -> list[str]:
        """Return the name of each number of an observation."""
        return list(self.arena.observations.names)

    def describe_actions(self) -> list[str]:
        """Return the name of each action."""
        return list(self.arena.actions.names)

    def _update_rewards(self) -> None:
        """Set rewards and limits of the games that ended in this step, and reset those of the last step."""
        if self._ended.size:
            self._rewards[self._ended] = 0
            self._limited[self._ended] = False
        self._ended = ended = np.flatnonzero(self.done)
        if not ended.size:
            return
        self._limited[ended] = self._rows[ended, 2] != 0
        agents, program = list(self.arena.agents), self.arena.program
        width = 1 + len(program.scoring)
        if self.arena.reward == "score":
            rows = self._rows[ended]
            parts = [PARTS if program.functions[line.function].fraction else 1 for line in program.scoring]
            points = rows[:, GAME_WORDS:].reshape(len(ended), -1, width)[:, :, 1:] / np.array(parts or [1])[: width - 1]
            self._rewards[ended] = points.sum(2)[:, agents]
            return
        # Seats first, each with all games behind it: sums over few seats are slow.
        places = np.stack([column[ended] for column in self._rows[:, GAME_WORDS::width].T])
        ranked = places > 0
        others = np.maximum(ranked.sum(0) - 1, 1).astype(np.float32)
        if self.arena.reward == "rank":
            both = ranked[:, None] & ranked[None, :]
            rewards = (np.sign(places[None, :] - places[:, None]) * both).sum(1) / others
        else:
            won = places == 1
            winners = np.maximum(won.sum(0), 1)
            rewards = np.where(won, (others + 1 - winners) / winners, np.float32(-1)) / others
            rewards *= ranked & (ranked.sum(0) > 1)
        self._rewards[ended] = rewards[agents].T


def _read_only(memory: Any, kind: Any) -> NDArray[Any]:
    """Return a read-only array over memory that native code writes to."""
    array: NDArray[Any] = np.frombuffer(memory, kind)
    array.flags.writeable = False
    return array


def _plan_batch(arena: Arena) -> BatchPlan:
    """Return what native code must know of actions and observations; `BatchPlan` says what each part is."""
    program, actions, observations = arena.program, arena.actions, arena.observations
    layout, seats = program.layout, range(program.layout.seats)
    sites = []
    for number, site in enumerate(program.sites):
        match site.element.base:
            case "piece":
                sites.append((BY_PIECE, 0))
            case "number":
                sites.append((BY_PLACE, actions.numbers))
            case "seat":
                sites.append((BY_SEAT, actions.seats))
            case "truth":
                sites.append((BY_NUMBER, actions.truths))
            case _:
                sites.append((BY_NUMBER, actions.words_of(number)))
    pieces, each = {}, {}
    types = range(len(program.types))
    for seat in seats:
        for space in layout.zones:
            piece_actions = actions.pieces_in(space, seat)
            hidden = piece_actions.first.get(-1, -1)
            pieces[seat, space.address] = [piece_actions.first.get(number, hidden) for number in types]
            each[seat, space.address] = piece_actions.each
    return BatchPlan(
        sites,
        pieces,
        each,
        arena.agents,
        [_zone_plans(arena, me) for me in seats],
        [[entry for counter in layout.counters for entry in _counter_plan(arena, counter, me)] for me in seats],
        {
            "O_SEAT": observations.seat,
            "O_ROUND": observations.round,
            "O_PHASE": observations.phase,
            "O_WAITING": observations.waiting,
            "O_ROLES": observations.roles,
            "O_SITES": observations.sites,
            "O_SPAN": observations.span,
            "O_PICKS": observations.chosen,
            "O_LAST": observations.last,
        },
        len(observations),
        len(actions),
        MAX_NUMBERS,
        PLACES,
    )


def _zone_plans(arena: Arena, me: int) -> list[ObservedZone]:
    """Describe the zones as a seat sees them, for native code."""
    zones, seats = [], len(arena.names)
    for space in arena.program.layout.zones:
        place = (space.owner - me) % seats if space.of == SEAT else space.owner
        fields = arena.observations.zones[space.name, place]
        columns = tuple(fields.columns.get(number, 0) for number in range(len(arena.program.types)))
        zones.append(
            ObservedZone(
                space.address,
                fields.first,
                columns if fields.visible else (),
                fields.tops,
                fields.places,
                len(fields.columns),
            )
        )
    return zones


def _counter_plan(arena: Arena, counter: Counter, me: int) -> list[tuple[int, int, int]]:
    """List each cell of a counter, its encoding, and its index in a seat's vector."""
    kind = {"word": AS_WORD, "seat": AS_SEAT, "fraction": AS_PARTS}.get(counter.type.base, AS_NUMBER)
    observations = arena.observations
    each, start = observations.value_width(counter), observations.counters[counter.name]
    cells = []
    for owner in range(counter.owners):
        place = (owner - me) % counter.owners if counter.of == SEAT else owner
        for number, cell in enumerate(counter.cells_of(owner)):
            cells.append((cell, kind, start + (place * counter.width + number) * each))
    return cells
