"""Plays a game here and in OpenSpiel at once, and compares all that can be compared.

OpenSpiel's rules are tested for years, by others: where the two differ, ours are wrong until shown otherwise.

What one of OpenSpiel's actions is here stands in a table that is made beforehand, from the numbers of actions alone. At
each decision all that may be answered here is found on copies, and has to be what is legal there, no more and no less.
Chance that OpenSpiel keeps explicit is set there as it fell here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pyspiel

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.library import Rules

Answers = tuple[str, ...]
"""What one action is here: the key of each answer, one after the other, all by one seat."""

NAMES = ("Ada", "Ben", "Cleo", "Dora")
PLAYED = "played"


class Difference(AssertionError):
    """The two games are not the same."""


@record
class Pairing:
    """One game, here and there. edition: a file, as seen from tests/openspiel; theirs: as OpenSpiel calls it;
    actions: what each action is here, nothing for one that is forced there and left out here; most_answers: that an
    action has; fell: the numbers of chance there, as it fell here since a copy; returns: of each seat, at the end."""

    edition: str
    theirs: str
    actions: Mapping[int, Answers]
    most_answers: int = 1
    fell: Callable[[Game, Game], list[int]] | None = None
    returns: Callable[[Game], list[float]] | None = None


def won(game: Game) -> list[float]:
    """1 for whoever alone is first, -1 for the others; nothing for those who share it."""
    ranks = {standing.seat: standing.rank for standing in game.standings()}
    first = [seat for seat, rank in ranks.items() if rank == 1]
    return [0.0 if len(first) > 1 else 1.0 if seat in first else -1.0 for seat in sorted(ranks)]


class LockStep:
    """counts: how often what happened, over all games."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        self.pairing, self.rules = pairing, rules
        self.game: Any = pyspiel.load_game(pairing.theirs)
        self.counts: Counter[str] = Counter()

    def play(self, seed: int) -> None:
        """One game by chance. Raises Difference."""
        chance = random.Random(seed)
        seats = self.game.num_players()
        ours, theirs = Game.start(self.rules, NAMES[:seats], seed=seed), self.game.new_initial_state()
        while not theirs.is_terminal():
            action = chance.choice(self.compared(ours, theirs))
            self.apply(ours, theirs, action)
        if not ours.over:
            raise self.difference(ours, theirs, "it is over there, and goes on here")
        expected, found = list(theirs.returns()), (self.pairing.returns or won)(ours)
        if found != expected:
            raise self.difference(ours, theirs, f"it ends with {expected} there and {found} here")
        self.counts[PLAYED] += 1
        self.counts[f"returns {expected}"] += 1

    def compared(self, ours: Game, theirs: Any) -> list[int]:
        """What is legal there, after it was found to be what can be answered here."""
        legal, seat = list(theirs.legal_actions()), theirs.current_player()
        if legal and all(not self.pairing.actions[action] for action in legal):
            if len(legal) > 1:
                raise self.difference(ours, theirs, f"several actions are left out here: {legal}")
            return legal
        asked = [one for one, _ in ours.asked()]
        if asked != [seat]:
            raise self.difference(ours, theirs, f"it is the turn of {seat} there and of {asked} here")
        wanted = {self.pairing.actions[action] for action in legal}
        offered = set(self.completions(ours, seat, self.pairing.most_answers))
        if wanted != offered:
            only = f"only there: {sorted(wanted - offered)}; only here: {sorted(offered - wanted)}"
            raise self.difference(ours, theirs, f"what can be done differs, {only}")
        return legal

    def completions(self, ours: Game, seat: int, most: int) -> Iterator[Answers]:
        """All that a seat can answer until somebody else is asked, or chance falls; at most so many answers."""
        decision = ours.decision(seat)
        assert decision is not None
        for choice in decision.choices:
            if most == 1:
                yield (choice.key,)
                continue
            copy = ours.copy()
            copy.answer(seat, [choice.key])
            for rest in self.completions(copy, seat, most - 1):
                yield (choice.key, *rest)

    def apply(self, ours: Game, theirs: Any, action: int) -> None:
        seat, before = theirs.current_player(), ours.copy()
        answers = self.pairing.actions[action]
        for key in answers:
            ours.answer(seat, [key])
        theirs.apply_action(action)
        self.counts["answers" if answers else "left out"] += 1
        if theirs.is_chance_node():
            assert self.pairing.fell is not None
            for outcome in self.pairing.fell(before, ours):
                if outcome not in dict(theirs.chance_outcomes()):
                    raise self.difference(ours, theirs, f"chance cannot fall as {outcome} there")
                theirs.apply_action(outcome)

    def difference(self, ours: Game, theirs: Any, what: str) -> Difference:
        answers = " ".join(f"{NAMES[seat]}: {', '.join(keys)};" for seat, keys in ours.answers())
        return Difference(f"{self.pairing.theirs}: {what}.\nAnswers: {answers}\nThere:\n{theirs}")
