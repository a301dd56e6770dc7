"""Game tree: immutable nodes with their past, what each seat has observed and done so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import Any

from rulewright.game.game import Game
from rulewright.players.action_space import PartialAnswer
from rulewright.players.observations import Vector
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.rl import chance
from rulewright.rl.chance import ChanceOutcome
from rulewright.rl.environment_spec import Arena
from rulewright.rl.position import GamePosition, GivenAnswer
from rulewright.runtime.chance_enumeration import TooManyOutcomes
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.operations import RuleError
from rulewright.runtime.rng import seeded

MAX_CACHED = 100_000
"""Limit of cached nodes: whoever walks the tree of a small game returns to the same nodes."""

MAX_HISTORY = 256
"""Limit of lines kept of a seat's history; older ones are replaced by a digest."""

History = tuple[str, ...]
"""Observations and actions of a seat, in their order."""


class GameNode:
    """Node of the tree.

    - listed: whether chance nodes have all outcomes, or a sample
    - position: None before the set-up
    - before: node above, None for the root
    - given_answer: an answer whose chance outcome is open, and its action
    - loose: cells of zones that are unordered
    - last_action: seat and action since the node before
    """

    def __init__(
        self,
        arena: Arena,
        listed: bool,
        position: GamePosition | None = None,
        before: GameNode | None = None,
        given_answer: tuple[GivenAnswer, int] | None = None,
        loose: tuple[int, ...] = (),
        last_action: tuple[int, str] | None = None,
    ) -> None:
        self.arena, self.listed, self.position, self.before = arena, listed, position, before
        self.given, self.loose, self.last_action = given_answer, loose, last_action
        self._histories: dict[int, History] = {}
        self._vectors: dict[int, tuple[Vector, ...]] = {}
        self._next: dict[int, GameNode] = {}
        self._cache_left: list[int] = before._cache_left if before is not None else [MAX_CACHED]

    def __deepcopy__(self, memo: object) -> GameNode:
        return self

    # ── going on ──

    @property
    def is_chance(self) -> bool:
        """True where chance decides next: before the game, and after a complete answer."""
        return self.position is None or self.given is not None

    @cached_property
    def outcomes(self) -> list[ChanceOutcome]:
        """All chance outcomes at this node. Raises TooManyOutcomes."""
        if self.position is None:
            return chance.setup_outcomes(self.arena)
        assert self.given is not None
        answer = self.given[0]
        return chance.answer_outcomes(self.arena, self.position.game, self.loose, answer.seat, answer.keys)

    def act(self, action: int) -> GameNode:
        """Return the node after an action of the seat whose turn it is. Raises IllegalAction and, if all outcomes are
        listed, TooManyOutcomes."""
        return self._cached_next(action, self._child_of_action)

    def _cached_next(self, number: int, make: Callable[[int], GameNode]) -> GameNode:
        """Return the node after an action or outcome, cached while there is room."""
        if number in self._next:
            return self._next[number]
        node = make(number)
        if self.listed and self._cache_left[0] > 0:
            self._cache_left[0] -= 1
            self._next[number] = node
        return node

    def _child_of_action(self, action: int) -> GameNode:
        """Return the node after a seat's action: the next decision, or the chance node that comes before it."""
        assert self.position is not None
        seat = min(self.position.decisions)
        next_ = self.position.take_action(seat, action)
        did = seat, self.arena.actions.names[action]
        if isinstance(next_, GamePosition):
            return GameNode(self.arena, self.listed, next_, self, None, self.loose, did)
        pending = GameNode(self.arena, self.listed, self.position, self, (next_, action), self.loose, did)
        if self.listed:
            return pending.after_outcome(0) if len(pending.outcomes) == 1 else pending
        game = self.position.game.copy()
        before = game.state[RANDOM : RANDOM + RANDOM_CELLS], len(game.history.answers)
        game.answer(next_.seat, next_.keys)
        position = self.position.after_answer(next_, action, game)
        after = game.state[RANDOM : RANDOM + RANDOM_CELLS], len(game.history.answers) - 1
        return pending if before != after else pending._at_position(position, ())

    def after_outcome(self, number: int) -> GameNode:
        """Return the node after one of `outcomes`. number: its index. Raises TooManyOutcomes."""
        return self._cached_next(
            number, lambda number: self._after_game(self._outcome(number), self.outcomes[number].loose)
        )

    def _outcome(self, number: int) -> Game:
        return self.outcomes[number].game.copy()

    def after_sample(self, number: int, seed: int) -> GameNode:
        """Return the node after a chance outcome drawn at random: the same for the same seed, number and node. number:
        tells samples of one seed apart."""
        word = repr((seed, number, self.position and self.position.state[RANDOM : RANDOM + RANDOM_CELLS]))
        sample_seed = int.from_bytes(blake2b(word.encode(), digest_size=6).digest(), "little")
        if self.position is None:
            return self._after_game(self.arena.start(sample_seed), ())
        assert self.given is not None
        state = self.position.game.state
        state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(sample_seed)
        game = self.position.game_at(state)
        game.seed = sample_seed
        game.answer(self.given[0].seat, self.given[0].keys)
        return self._after_game(game, ())

    def _after_game(self, game: Game, loose: tuple[int, ...]) -> GameNode:
        if self.position is None:
            return self._at_position(GamePosition.begin(self.arena, game), loose)
        assert self.given is not None
        return self._at_position(self.position.after_answer(*self.given, game), loose)

    def _at_position(self, position: GamePosition, loose: tuple[int, ...]) -> GameNode:
        return GameNode(self.arena, self.listed, position, self, None, loose)

    # ── what is known ──

    def history(self, seat: int) -> History:
        """Return the history of a seat: equal for all nodes that it cannot tell apart."""
        nodes: list[GameNode] = []
        node: GameNode | None = self
        while node is not None and seat not in node._histories:
            nodes.append(node)
            node = node.before
        for node in reversed(nodes):
            node._histories[seat] = _shorten(node._extended_history(seat))
        return self._histories[seat]

    def _extended_history(self, seat: int) -> History:
        """Return the history of a seat at this node: the past, its action, new log lines, and a digest of its view."""
        past = self.before._histories[seat] if self.before is not None else ()
        if self.last_action is not None and self.last_action[0] == seat:
            past = (*past, f"> {self.last_action[1]}")
        if self.position is None or (self.before is not None and self.before._game is self._game):
            return past
        game = self.position.game
        start = 0 if self.before is None or self.before._game is None else self.before._game.log.length
        texts = [line.text for line in game.log.lines(seat, min(start, game.log.length)) if line.text]
        stamp = _view_digest(game, seat)
        if not texts and next((one for one in reversed(past) if one.startswith("#")), "") == stamp:
            return past
        return (*past, *texts, stamp)

    @property
    def _game(self) -> Game | None:
        return self.position.game if self.position is not None else None

    def vectors(self, seat: int, maximum: int) -> tuple[Vector, ...]:
        """Return the vectors that a seat has observed, without repetitions, at most the last `maximum`: the
        same number at each call, since they are kept."""
        nodes: list[GameNode] = []
        node: GameNode | None = self
        while node is not None and seat not in node._vectors:
            nodes.append(node)
            node = node.before
        for node in reversed(nodes):
            past = node.before._vectors[seat] if node.before is not None else ()
            if node.position is not None and node.given is None:
                vector = node.position.vector(seat)
                if not past or (past[-1] != vector).any():
                    past = (*past, vector)[-maximum:]
            node._vectors[seat] = past
        return self._vectors[seat]

    def resample(self, seat: int, draw: Callable[[], float]) -> GameNode:
        """Return a node that the seat to move cannot tell from this one, with what it does not know drawn at random:
        what other seats have observed before is forgotten. draw: returns numbers from 0 to 1."""
        assert self.position is not None
        info_state = information_state(self.arena.machine, self.position.state, seat)
        rng = _CallerRandom(draw)
        game = self.position.game_at(determinize(self.arena.machine, info_state, seat, rng))
        while (first := min(game.pending.ids)[0]) != seat:  # who decides at once with it, and has answered already
            decision = game.known(first)[1]
            game.answer(first, game.offer(decision).keys(game.machine.random_answer(game.state, decision, rng.random)))
        position = GamePosition(
            self.arena,
            game,
            {seat: self.position.picks.get(seat, PartialAnswer())},
            tuple(last if other == seat else -1 for other, last in enumerate(self.position.last)),
        )
        node = GameNode(self.arena, self.listed, position)
        node._histories = {
            other: self.history(seat) if other == seat else ("imagined", _view_digest(position.game, other))
            for other in self.arena.agents
        }
        return node

    # ── keeping ──

    def __reduce__(self) -> tuple[Callable[..., GameNode], tuple[Any, ...]]:
        """Pickle the node without those before it, but with what they say: the histories."""
        agents = self.arena.agents
        histories = {seat: self.history(seat) for seat in agents}
        position = self.position
        saved = None
        if position is not None:
            picks = {seat: picks.actions for seat, picks in position.picks.items()}
            saved = (position.game.state, position.game.seed, picks, position.last)
        given_answer = None if self.given is None else (self.given[0].seat, self.given[0].keys, self.given[1])
        return _restore, (self.arena, self.listed, saved, given_answer, self.loose, histories, dict(self._vectors))


def _shorten(history: History) -> History:
    """Replace the older part of a long history by a digest."""
    if len(history) <= MAX_HISTORY:
        return history
    old, rest = history[: MAX_HISTORY // 2], history[MAX_HISTORY // 2 :]
    return (f"~{blake2b(repr(old).encode(), digest_size=8).hexdigest()}", *rest)


def _view_digest(game: Game, seat: int) -> str:
    """Return a digest of all that a seat sees now."""
    return "#" + blake2b(repr(game.view(seat)).encode(), digest_size=8).hexdigest()


class _CallerRandom(Random):
    """Random generator that takes its numbers from 0 to 1 from a function."""

    def __init__(self, draw: Callable[[], float]) -> None:
        super().__init__()
        self._draw = draw

    def random(self) -> float:
        return min(self._draw(), 1 - 2**-53)


def _restore(
    arena: Arena,
    listed: bool,
    saved: tuple[Any, ...] | None,
    given_answer: tuple[int, Sequence[str], int] | None,
    loose: tuple[int, ...],
    histories: Mapping[int, History],
    vectors: Mapping[int, tuple[Vector, ...]],
) -> GameNode:
    """Restore a pickled node, without its past but with the histories."""
    position = None
    if saved is not None:
        state, seed, picks, last = saved
        roles = [arena.roles.get(name) for name in arena.names]
        game = Game(arena.rules, arena.names, roles, arena.options, seed, state)
        position = GamePosition(arena, game, {seat: PartialAnswer(taken) for seat, taken in picks.items()}, last)
    answer = None if given_answer is None else (GivenAnswer(given_answer[0], tuple(given_answer[1])), given_answer[2])
    node = GameNode(arena, listed, position, None, answer, loose)
    node._histories, node._vectors = dict(histories), dict(vectors)
    return node


def can_list_chance(arena: Arena) -> bool:
    """Return whether all chance outcomes can be listed: in the set-up, and in one game played at random."""
    if len(arena.agents) < len(arena.names):
        return False
    rng, node = Random(0), GameNode(arena, True)
    try:
        for _ in range(60):
            if node.is_chance:
                node = node.after_outcome(rng.randrange(len(node.outcomes)))
            elif node.position is not None and node.position.decisions:
                node = node.act(rng.choice(node.position.possible(min(node.position.decisions))))
            else:
                break
    except (TooManyOutcomes, RuleError):
        return False
    return True
