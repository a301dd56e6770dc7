"""Two games that differ in one thing, side by side, here and in OpenSpiel.

What can be told apart there can be told apart here, and nothing else. In large games, chance would never deal two hands
of which one seat sees the same. So one thing is changed, of what chance did in the set-up or of what somebody answered,
and then both games go on with the same answers, as long as they can. At each decision, every seat must know which of
the two it is in if it would know that there, and may not if it would not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lockstep import LockStep
from pairing import Pairing
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.runtime import rng
from rulewright.runtime.machine import Machine
from rulewright.runtime.view import piece_names

VISIBLE, HIDDEN = "seen", "hidden"


class OtherChance:
    """The chance of a game's seed; but the fall that is called `change`, counted from 0 on, is another: in a shuffle,
    two pieces have changed places."""

    def __init__(self) -> None:
        self.falls, self.change = 0, -1
        self.choice = random.Random()

    def below(self, s: list[int], limit: int) -> int:
        fell = rng.below(s, limit)
        return (fell + self.choice.randrange(1, limit)) % limit if self._is_other() and limit > 1 else fell

    def shuffled(self, s: list[int], items: Sequence[int]) -> list[int]:
        order = rng.shuffled(s, items)
        if self._is_other() and len(order) > 1:
            one, other = self.choice.sample(range(len(order)), 2)
            order[one], order[other] = order[other], order[one]
        return order

    def draw(self, s: list[int], items: list[int], expected: int) -> list[int]:
        fell = rng.draw(s, items, expected)
        if not self._is_other():
            return fell
        choices = set(self.choice.sample(range(len(items)), expected))
        return [item for index, item in enumerate(items) if index in choices]

    def _is_other(self) -> bool:
        self.falls += 1
        return self.falls == self.change + 1


class Lone(LockStep):
    """A game of which the legal actions have been compared elsewhere."""

    def compare(self, *_: Any) -> None:
        """Do nothing: another part does it."""


class Twins:
    """counts: how often a seat had to tell the two games apart, and how often it could not."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        self.pairing = pairing
        self.steps = Lone(pairing, rules), Lone(pairing, rules)
        self.seats = range(self.steps[0].game.num_players())
        self.counts: Counter[str] = Counter()
        self._chance = OtherChance()
        self._machine = Machine(rules.machine(len(self.seats)).program, chance=self._chance)

    def play(self, seed: int, decisions: int) -> None:
        """Two games, in which something of the set-up or of the first decisions differs. Raises Difference."""
        choice = random.Random(seed)
        games = [self.steps[0].begin(seed), self.steps[1].begin(seed, self.machine(-1, choice))]
        falls = self._chance.falls
        other_answer = choice.randrange(max(1, decisions // 2))
        if falls and choice.random() < 0.7:
            games[1] = self.steps[1].begin(seed, self.machine(choice.randrange(falls), choice))
            other_answer = -1
            if lies(games[0][0]) == lies(games[1][0]):
                return
        distances: set[tuple[str, int]] = set()
        for decision in range(decisions):
            for step, (ours, theirs) in zip(self.steps, games, strict=True):
                step.to_a_decision(ours, theirs)
            one, other = (theirs for _, theirs in games)
            if one.is_terminal() or other.is_terminal() or one.current_player() != other.current_player():
                return
            self.compare(games, distances)
            if not self.go_on(games, choice, change=decision == other_answer):
                return

    def machine(self, change: int, choice: random.Random) -> Machine:
        self._chance.falls, self._chance.change, self._chance.choice = 0, change, choice
        return self._machine

    def go_on(self, games: list[tuple[Game, Any]], choice: random.Random, *, change: bool) -> bool:
        """Give the same answers in both games, or one that differs; return whether that is possible."""
        (_, theirs), (_, other) = games
        seats = [seat for seat in self.seats if theirs.legal_actions(seat)]
        actions = {seat: choice.choice(theirs.legal_actions(seat)) for seat in seats}
        others = dict(actions)
        if change:
            seat = choice.choice(seats)
            others[seat] = choice.choice(other.legal_actions(seat))
        if any(action not in other.legal_actions(seat) for seat, action in others.items()):
            return False
        for step, (first, second), selection in zip(self.steps, games, (actions, others), strict=True):
            row = list(selection.values())
            step.advance(first, second, lambda *_, row=row: row.pop(0), choice)
        return True

    def compare(self, games: list[tuple[Game, Any]], distances: set[tuple[str, int]]) -> None:
        """Compare what each seat knows.

        distances: of positions that it could distinguish before, as far as they are cached.
        """
        for seat in self.seats:
            first = [
                [*knowledge(ours, seat), *(step.pending if seat == theirs.current_player() else ())]
                for step, (ours, theirs) in zip(self.steps, games, strict=True)
            ]
            second = [self.pairing.knows(theirs, seat) for _, theirs in games]
            if first[0] != first[1]:
                distances.add(("here", seat))
            if second[0] != second[1]:
                distances.add(("there", seat))
            results = {where for where in ("here", "there") if (where, seat) in distances}
            if len(results) == 1:
                (ours, theirs), (_, other) = games
                kind = f"{seat} can tell this from another game only {results.pop()}: {differences(first)}"
                raise self.steps[0].difference(ours, theirs, f"{kind}; there, the other one is\n{other}")
            self.counts[VISIBLE if results else HIDDEN] += 1


def knowledge(game: Game, seat: int) -> list[str]:
    """All that a seat sees, is told, and has answered. In which order cards lie in a hand plays no part, as long as
    they are not a pile."""
    view = game.view(seat)
    zones = [
        replace(zone, pieces=tuple(sorted(zone.pieces))) if zone.pieces and not zone.pile else zone
        for zone in view.zones
    ]
    log = [line.text for line in game.log.lines(seat)]
    answers = [f"answered {keys}" for each, keys in game.history.answer_keys() if each == seat]
    return [*map(repr, zones), repr(replace(view, zones=())), *log, *answers]


def lies(game: Game) -> list[list[str]]:
    """Return the contents of zones regardless of visibility, without the order where a zone is no pile."""
    program, layout = game.program, game.program.layout
    piles = {space.address for space in layout.zones if space.pile}
    labels = [(space.address, piece_names(program, game.state, space)) for space in layout.zones]
    return [list(names) if address in piles else sorted(names) for address, names in labels]


def differences(own: list[list[str]]) -> str:
    return " / ".join("\n".join(sorted(set(one) - set(other)))[:1000] for one, other in (own, own[::-1]))
