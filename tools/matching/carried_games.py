"""Games that are carried on here and in OpenSpiel at once, in the lock step of the tests.

A side that plays here answers on a copy; the action that its answers stand for there is looked up in the pairing's
table, or found by the position that comes of it, and then played in both. At every step what can be answered is
compared, and at the end what comes of it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pyspiel

import project_folders
from lockstep import Difference, LockStep, all_of
from matching.openspiel_sides import TheirSide
from matching.own_sides import MatchError, OwnSide, give
from matching.scores import Ending
from pairing import Answers, Keys, Pairing
from pairings import PAIRINGS, rules_of
from rulewright.game.decisions import Decision
from rulewright.game.game import Game

OTHER_DEAL = 1_000_000
"""Distance of the seeds of a deal's replacements."""
COMPARED = 0.1
"""Seconds that a comparison may take before it is left to the ends of the games: where one action has many answers."""


def pairing_of(name: str) -> Pairing | None:
    """Return the pairing of a game by OpenSpiel's name, or by the name of a shipped edition."""
    if name in PAIRINGS:
        return PAIRINGS[name]
    return next((one for one in PAIRINGS.values() if one.shelf and Path(one.shelf).stem == Path(name).stem), None)


def edition_of(name: str) -> tuple[Path, dict[str, str], int] | None:
    """Return the edition of a game by OpenSpiel's name, the options with which it is the same, and its seats."""
    if name not in PAIRINGS:
        return None
    pairing = PAIRINGS[name]
    path = (project_folders.TESTS / "openspiel" / pairing.edition).resolve()
    return path, dict(pairing.options or {}), pyspiel.load_game(pairing.theirs).num_players()


class CarriedGames(LockStep):
    """Games of one pairing. thoughts: decisions of more than one answer that own sides had, and their actions."""

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(pairing, rules_of(pairing.name))
        self.seat_count: int = self.game.num_players()
        self.thoughts, self.actions, self._compares = 0, 0, True
        self._queued: dict[int, list[int]] = defaultdict(list)

    @property
    def is_dealt(self) -> bool:
        """Whether a hidden deal makes games differ, so that no opening need be drawn."""
        kind = self.game.get_type()
        hidden = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        return bool(hidden and kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC)

    def count_class(self, theirs: Any, action: int) -> None:
        """Count nothing: no class of action is wanted here."""

    def compare(self, *arguments: Any) -> None:
        """Compare what can be answered, unless that takes too long in this game."""
        if self._compares:
            start = time.process_time()
            super().compare(*arguments)
            self._compares = time.process_time() - start < COMPARED

    def play_match(self, seed: int, sides: list[OwnSide | TheirSide], opening: int) -> Ending:
        """Play a game, to its end in both. opening: answers that are drawn. Raises MatchError if the two differ."""
        try:
            return self._play(seed, sides, opening)
        except Difference as error:
            raise MatchError(f"The rules here and there differ, in deal {seed}. {error}") from error

    def _play(self, seed: int, sides: list[OwnSide | TheirSide], opening: int) -> Ending:
        chance = Random(f"opening {seed}")
        ours, theirs = self._dealt(seed, sides)
        self._queued.clear()
        for side in {id(side): side for side in sides}.values():
            if isinstance(side, TheirSide):
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
            if isinstance(side, TheirSide):
                return side.action(theirs, seat)
            return self._own_action(ours, theirs, seat, side)

        while not theirs.is_terminal():
            if theirs.is_chance_node():
                self.fall(ours, theirs)
            elif theirs.is_simultaneous_node():
                self._all_at_once(ours, theirs, choose)
            else:
                self.one(ours, theirs, lambda state, legal: choose(state.current_player(), legal))
        self.end(ours, theirs)
        return Ending(list(theirs.returns()), list(theirs.returns()))

    def _dealt(self, seed: int, sides: list[OwnSide | TheirSide]) -> tuple[Game, Any]:
        """Return a game at its first decision: the first deal of a seed that all sides can play."""
        for deal in count():
            ours, theirs = self.begin(seed + OTHER_DEAL * deal)
            while theirs.is_chance_node():
                self.fall(ours, theirs)
            if all(side.can_play(theirs) for side in sides if isinstance(side, TheirSide)):
                return ours, theirs
        raise AssertionError

    def _all_at_once(self, ours: Game, theirs: Any, choose: Callable[[int, list[int]], int]) -> None:
        """Let all seats answer, each without knowing what the others do."""
        legal = {seat: theirs.legal_actions(seat) for seat in range(self.seat_count)}
        self.compare(ours, theirs, legal)
        actions = [choose(seat, legal[seat]) for seat in legal]
        for seat, action in enumerate(actions):
            self.answer(ours, seat, self.pairing.table(seat)[action])
        theirs.apply_actions(actions)

    def _own_action(self, ours: Game, theirs: Any, seat: int, side: OwnSide) -> int:
        """Return the action there for what a side answers here."""
        if not self._queued[seat]:
            copy = ours.copy()
            answers = self._think(copy, seat, side)
            self._queued[seat] = self._actions(copy, theirs, seat, answers)
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

    def _actions(self, after: Game, theirs: Any, seat: int, answers: Answers) -> list[int]:
        """Return the actions there of these answers; several where these are given one by one there."""
        legal = theirs.legal_actions(seat)
        if self.pairing.positions is not None:
            own_position, their_position = self.pairing.positions
            goal = own_position(after)
            matches = [action for action in legal if their_position(theirs.child(action)) == goal]
        else:
            table = self.pairing.table(seat)
            if self.pairing.one_by_one and len(answers) == 1:
                by_key = {table[action]: action for action in legal}
                return [by_key[(key,)] for key in all_of(answers[0])]
            matches = [action for action in legal if table[action] == answers]
        if not matches:
            raise Difference(f"{self.pairing.theirs}: {answers} is no action there.\nThere:\n{theirs}")
        return matches[:1]
