"""Moments of a game with their past: what each seat has seen and done so far. They never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import Any

from rulewright.game.game import Game
from rulewright.players.action_space import Picks
from rulewright.players.observations import Vector
from rulewright.program.form import RANDOM, RANDOM_CELLS
from rulewright.rl import chance
from rulewright.rl.chance import ChanceOutcome
from rulewright.rl.environment_spec import Arena
from rulewright.rl.position import GamePosition, GivenAnswer
from rulewright.runtime.chance_enumeration import TooManyOutcomes
from rulewright.runtime.information_state import sight, world
from rulewright.runtime.operations import RuleError
from rulewright.runtime.rng import seeded

MOST_KEPT = 100_000
"""Of a small game, so many moments are kept: whoever walks its tree comes by again."""

MOST_TOLD = 256
"""Of what was seen and done, so many lines at most are told as they are; for older ones a word stands that tells them
apart."""

SeenSoFar = tuple[str, ...]
"""What a seat has seen and done, in its order."""


class GameNode:
    """One moment. position: None before the set-up; given: an answer of which chance decides what comes; loose: the
    cells of zones that are in no order; did: what has been done since the moment before."""

    def __init__(
        self,
        arena: Arena,
        listed: bool,
        position: GamePosition | None = None,
        before: GameNode | None = None,
        given: tuple[GivenAnswer, int] | None = None,
        loose: tuple[int, ...] = (),
        did: tuple[int, str] | None = None,
    ) -> None:
        self.arena, self.listed, self.position, self.before = arena, listed, position, before
        self.given, self.loose, self.did = given, loose, did
        self._known: dict[int, SeenSoFar] = {}
        self._seen: dict[int, tuple[Vector, ...]] = {}
        self._next: dict[int, GameNode] = {}
        self._room: list[int] = before._room if before is not None else [MOST_KEPT]

    def __deepcopy__(self, memo: object) -> GameNode:
        return self

    # ── going on ──

    @property
    def left_to_chance(self) -> bool:
        return self.position is None or self.given is not None

    @cached_property
    def outcomes(self) -> list[ChanceOutcome]:
        """All that chance can come to now. Raises TooManyOutcomes."""
        if self.position is None:
            return chance.openings(self.arena)
        assert self.given is not None
        answer = self.given[0]
        return chance.after(self.arena, self.position.game, self.loose, answer.seat, answer.keys)

    def act(self, action: int) -> GameNode:
        """The moment after an action of the seat whose turn it is. Raises IllegalAction."""
        return self._kept_next(action, self._act)

    def _kept_next(self, number: int, make: Callable[[int], GameNode]) -> GameNode:
        if number in self._next:
            return self._next[number]
        made = make(number)
        if self.listed and self._room[0] > 0:
            self._room[0] -= 1
            self._next[number] = made
        return made

    def _act(self, action: int) -> GameNode:
        assert self.position is not None
        seat = min(self.position.asked)
        found = self.position.picked(seat, action)
        did = seat, self.arena.actions.names[action]
        if isinstance(found, GamePosition):
            return GameNode(self.arena, self.listed, found, self, None, self.loose, did)
        waiting = GameNode(self.arena, self.listed, self.position, self, (found, action), self.loose, did)
        if self.listed:
            return waiting.come(0) if len(waiting.outcomes) == 1 else waiting
        game = self.position.game.copy()
        before = game.state[RANDOM : RANDOM + RANDOM_CELLS], len(game.answers())
        game.answer(found.seat, found.keys)
        position = self.position.answered(found, action, game)
        after = game.state[RANDOM : RANDOM + RANDOM_CELLS], len(game.answers()) - 1
        return waiting if before != after else waiting._at(position, ())

    def come(self, number: int) -> GameNode:
        """The moment after one of `outcomes`."""
        return self._kept_next(number, lambda number: self._come(self._outcome(number), self.outcomes[number].loose))

    def _outcome(self, number: int) -> Game:
        return self.outcomes[number].game.copy()

    def sampled(self, number: int, seed: int) -> GameNode:
        """The moment after one of many things that chance may come to: the same for the same numbers."""
        word = repr((seed, number, self.position and self.position.state[RANDOM : RANDOM + RANDOM_CELLS]))
        luck = int.from_bytes(blake2b(word.encode(), digest_size=6).digest(), "little")
        if self.position is None:
            return self._come(self.arena.start(luck), ())
        assert self.given is not None
        state = self.position.game.state
        state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(luck)
        game = self.position.game.elsewhere(state)
        game.seed = luck
        game.answer(self.given[0].seat, self.given[0].keys)
        return self._come(game, ())

    def _come(self, game: Game, loose: tuple[int, ...]) -> GameNode:
        if self.position is None:
            return self._at(GamePosition.begin(self.arena, game), loose)
        assert self.given is not None
        return self._at(self.position.answered(*self.given, game), loose)

    def _at(self, position: GamePosition, loose: tuple[int, ...]) -> GameNode:
        return GameNode(self.arena, self.listed, position, self, None, loose)

    # ── what is known ──

    def known(self, seat: int) -> SeenSoFar:
        """What a seat has seen and done so far: for all moments that it cannot tell apart, the same."""
        chain: list[GameNode] = []
        here: GameNode | None = self
        while here is not None and seat not in here._known:
            chain.append(here)
            here = here.before
        for moment in reversed(chain):
            moment._known[seat] = _folded(moment._with_news(seat))
        return self._known[seat]

    def _with_news(self, seat: int) -> SeenSoFar:
        past = self.before._known[seat] if self.before is not None else ()
        if self.did is not None and self.did[0] == seat:
            past = (*past, f"> {self.did[1]}")
        if self.position is None or (self.before is not None and self.before._game is self._game):
            return past
        game = self.position.game
        start = 0 if self.before is None or self.before._game is None else self.before._game.log_length
        told = [line.text for line in game.log(seat, min(start, game.log_length)) if line.text]
        stamp = _stamp(game, seat)
        if not told and next((one for one in reversed(past) if one.startswith("#")), "") == stamp:
            return past
        return (*past, *told, stamp)

    @property
    def _game(self) -> Game | None:
        return self.position.game if self.position is not None else None

    def seen(self, seat: int, most: int) -> tuple[Vector, ...]:
        """The vectors of what a seat has seen, each that differs from the one before, the last ones of so many."""
        chain: list[GameNode] = []
        here: GameNode | None = self
        while here is not None and seat not in here._seen:
            chain.append(here)
            here = here.before
        for moment in reversed(chain):
            past = moment.before._seen[seat] if moment.before is not None else ()
            if moment.position is not None and moment.given is None:
                vector = moment.position.vector(seat)
                if not past or (past[-1] != vector).any():
                    past = (*past, vector)[-most:]
            moment._seen[seat] = past
        return self._seen[seat]

    def imagined(self, seat: int, luck: Callable[[], float]) -> GameNode:
        """A moment that the seat whose turn it is cannot tell from this one: what it does not know is by chance."""
        assert self.position is not None
        known = sight(self.arena.machine, self.position.state, seat)
        chosen = _Luck(luck)
        game = self.position.game.elsewhere(world(self.arena.machine, known, seat, chosen))
        while (first := min(game.asked())[0]) != seat:  # who decides at once with it, and has answered already
            asked = game.known(first)[1]
            game.answer(first, game.keys(asked, game.machine.random_answer(game.state, asked, chosen.random)))
        position = GamePosition(
            self.arena,
            game,
            {seat: self.position.picks.get(seat, Picks())},
            tuple(last if other == seat else -1 for other, last in enumerate(self.position.last)),
        )
        found = GameNode(self.arena, self.listed, position)
        found._known = {
            other: self.known(seat) if other == seat else ("imagined", _stamp(position.game, other))
            for other in self.arena.agents
        }
        return found

    # ── keeping ──

    def __reduce__(self) -> tuple[Callable[..., GameNode], tuple[Any, ...]]:
        agents = self.arena.agents
        known = {seat: self.known(seat) for seat in agents}
        position = self.position
        kept = None
        if position is not None:
            picks = {seat: picks.taken for seat, picks in position.picks.items()}
            kept = (position.game.state, position.game.seed, picks, position.last)
        given = None if self.given is None else (self.given[0].seat, self.given[0].keys, self.given[1])
        return _kept, (self.arena, self.listed, kept, given, self.loose, known, dict(self._seen))


def _folded(known: SeenSoFar) -> SeenSoFar:
    """The same with one word for what was long ago, where it is much."""
    if len(known) <= MOST_TOLD:
        return known
    old, rest = known[: MOST_TOLD // 2], known[MOST_TOLD // 2 :]
    return (f"~{blake2b(repr(old).encode(), digest_size=8).hexdigest()}", *rest)


def _stamp(game: Game, seat: int) -> str:
    """A word for all that a seat sees now."""
    return "#" + blake2b(repr(game.view(seat)).encode(), digest_size=8).hexdigest()


class _Luck(Random):
    """Numbers from 0 to 1 that somebody else draws."""

    def __init__(self, luck: Callable[[], float]) -> None:
        super().__init__()
        self._luck = luck

    def random(self) -> float:
        return min(self._luck(), 1 - 2**-53)


def _kept(
    arena: Arena,
    listed: bool,
    kept: tuple[Any, ...] | None,
    given: tuple[int, Sequence[str], int] | None,
    loose: tuple[int, ...],
    known: Mapping[int, SeenSoFar],
    seen: Mapping[int, tuple[Vector, ...]],
) -> GameNode:
    """A moment that was kept, without its past but for what is known of it."""
    position = None
    if kept is not None:
        state, seed, picks, last = kept
        roles = [arena.roles.get(name) for name in arena.names]
        game = Game(arena.rules, arena.names, roles, arena.options, seed, state)
        position = GamePosition(arena, game, {seat: Picks(taken) for seat, taken in picks.items()}, last)
    answer = None if given is None else (GivenAnswer(given[0], tuple(given[1])), given[2])
    found = GameNode(arena, listed, position, None, answer, loose)
    found._known, found._seen = dict(known), dict(seen)
    return found


def can_be_listed(arena: Arena) -> bool:
    """Whether all that chance comes to can be listed: in the set-up, and in one game that is played by chance."""
    if len(arena.agents) < len(arena.names):
        return False
    luck, moment = Random(0), GameNode(arena, True)
    try:
        for _ in range(60):
            if moment.left_to_chance:
                moment = moment.come(luck.randrange(len(moment.outcomes)))
            elif moment.position is not None and moment.position.asked:
                moment = moment.act(luck.choice(moment.position.possible(min(moment.position.asked))))
            else:
                break
    except (TooManyOutcomes, RuleError):
        return False
    return True
