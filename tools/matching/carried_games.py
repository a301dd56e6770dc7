"""Games that are carried on here and in OpenSpiel at once, in the lock step of the tests.

A side that plays here answers on a copy; the action that its answers stand for there is looked up in the pairing's
table, or found by the position that comes of it, and then played in both. At every step what can be answered is
compared, and at the end what comes of it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

from lockstep import Difference, LockStep, all_of
from matching.openspiel_sides import SearchSide
from matching.own_sides import OwnSide, give
from pairing import Answers, Keys, Pairing
from pairings import PAIRINGS, rules_of
from rulewright.game.decisions import Decision
from rulewright.game.game import Game

COMPARED = 0.1
"""Seconds that a comparison may take before it is left to the ends of the games: where one action has many answers."""


def pairing_of(name: str) -> Pairing | None:
    """Return the pairing of a game by OpenSpiel's name, or by the name of a shipped edition."""
    if name in PAIRINGS:
        return PAIRINGS[name]
    return next((one for one in PAIRINGS.values() if one.shelf and Path(one.shelf).stem == Path(name).stem), None)


class CarriedGames(LockStep):
    """Games of one pairing. thoughts: decisions of more than one answer that own sides had, and their actions."""

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(pairing, rules_of(pairing.name))
        self.seat_count: int = self.game.num_players()
        self.thoughts, self.actions, self._compares = 0, 0, True
        self._queued: dict[int, list[int]] = defaultdict(list)

    def count_class(self, theirs: Any, action: int) -> None:
        """Count nothing: no class of action is wanted here."""

    def compare(self, *arguments: Any) -> None:
        """Compare what can be answered, unless that takes too long in this game."""
        if self._compares:
            start = time.process_time()
            super().compare(*arguments)
            self._compares = time.process_time() - start < COMPARED

    def play_match(self, seed: int, sides: list[OwnSide | SearchSide], opening: int) -> list[float]:
        """Play a game; return what each seat has in the end. opening: answers that are drawn. Raises Difference."""
        chance = Random(f"opening {seed}")
        ours, theirs = self.begin(seed)
        self._queued.clear()
        for side in {id(side): side for side in sides}.values():
            if isinstance(side, SearchSide):
                side.begin(seed)
            else:
                side.begin(ours)

        def choose(seat: int, legal: list[int]) -> int:
            nonlocal opening
            if len(legal) == 1 and not self._queued[seat]:
                return legal[0]
            if opening > 0:
                opening -= 1
                return chance.choice(legal)
            side = sides[seat]
            return side.action(theirs) if isinstance(side, SearchSide) else self._own_action(ours, theirs, seat, side)

        while not theirs.is_terminal():
            if theirs.is_chance_node():
                self.fall(ours, theirs)
            else:
                self.one(ours, theirs, lambda state, legal: choose(state.current_player(), legal))
        self.end(ours, theirs)
        return list(theirs.returns())

    def _own_action(self, ours: Game, theirs: Any, seat: int, side: OwnSide) -> int:
        """Return the action there for what a side answers here."""
        if not self._queued[seat]:
            copy = ours.copy()
            answers = self._think(copy, seat, side)
            self._queued[seat] = self._actions(copy, theirs, answers)
            self.actions += len(self._queued[seat])
        return self._queued[seat].pop(0)

    def _think(self, game: Game, seat: int, side: OwnSide) -> Answers:
        """Let a side answer until one action is complete; return its answers. game: a copy."""
        answers_so_far: Answers = ()
        decision = game.decision(seat)
        assert decision is not None
        while True:
            keys = self._keys(game, decision, side)
            if not (decision.id in self.pairing.unsaid and not keys):
                answers_so_far = (*answers_so_far, keys)
            following = game.decision(seat)
            if following is None or following.id in self.pairing.begins | self.pairing.forced:
                return answers_so_far
            if answers_so_far and not self.pairing.positions and not self.pairing.goes_on(seat, answers_so_far):
                return answers_so_far
            decision = following

    def _keys(self, game: Game, decision: Decision, side: OwnSide) -> Keys:
        """Return the keys of one answer, which is given; of all, where several things are chosen one after another."""
        keys = self._answer(game, decision, side)
        if decision.id in self.pairing.together and keys:
            further = game.decision(decision.seat)
            while further is not None and further.id == f"{decision.id} more":
                more = self._answer(game, further, side)
                keys += more
                further = game.decision(decision.seat) if more else None
            return tuple(sorted(keys))
        single = decision.most == 1 and keys and decision.id not in self.pairing.together
        return keys[0] if single else tuple(sorted(keys))

    def _answer(self, game: Game, decision: Decision, side: OwnSide) -> list[str]:
        forced = len(decision.choices) == 1 and decision.least == 1
        self.thoughts += not forced
        keys = [decision.choices[0].key] if forced else side.answer(game, decision.seat)
        give(game, decision.seat, keys, side)
        return keys

    def _actions(self, after: Game, theirs: Any, answers: Answers) -> list[int]:
        """Return the actions there of these answers; several where these are given one by one there."""
        legal = theirs.legal_actions()
        if self.pairing.positions is not None:
            own_position, their_position = self.pairing.positions
            goal = own_position(after)
            matches = [action for action in legal if their_position(theirs.child(action)) == goal]
        else:
            table = self.pairing.table(theirs.current_player())
            if self.pairing.one_by_one and len(answers) == 1:
                by_key = {table[action]: action for action in legal}
                return [by_key[(key,)] for key in all_of(answers[0])]
            matches = [action for action in legal if table[action] == answers]
        if not matches:
            raise Difference(f"{self.pairing.theirs}: {answers} is no action there.\nThere:\n{theirs}")
        return matches[:1]
