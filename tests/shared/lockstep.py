"""Plays a game here and in OpenSpiel at once, and compares all that can be compared.

OpenSpiel's rules are tested for years, by others: where the two differ, ours are wrong until shown otherwise.

What one of OpenSpiel's actions is here stands in a table that is made beforehand, from the numbers of actions alone. At
each decision all that may be answered here is found on copies, and has to be what is legal there, no more and no less.
Chance that OpenSpiel keeps explicit is set there as it fell here. Where something is hidden, what a seat can tell apart
there it has to tell apart here, and no more.

Random play misses the rules that are rarely met. So each class of action and each way to end is counted, and a pairing
says which of them must be met: by play that is steered towards them, and from positions that are set up by a row of
actions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pyspiel

from rulewright.base.records import record
from rulewright.game import chances
from rulewright.game.game import Decision, Game
from rulewright.game.library import Rules
from rulewright.runtime.view import piece_names

Keys = str | tuple[str, ...]
"""One answer: its key; where there can be several, all of them, sorted."""
Answers = tuple[Keys, ...]
"""What one action is here: answers, one after the other, all by one seat."""

NOTHING: Answers = ((),)
"""The answer that takes nothing, where something may be taken. Where nothing can be, nobody is asked."""

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
PLAYED, ANSWERED, LEFT_OUT = "played", "answered", "left out"


class Difference(AssertionError):
    """The two games are not the same."""


@record
class Pairing:
    """One game, here and there. theirs: as OpenSpiel calls it; actions: what each action is here, nothing for one that
    is forced there and left out here; second: the same for the second seat, where its numbers mean other things;
    most_answers: that an action has; further: the decisions that only go on with an action, where some have fewer
    answers than others; final: the decisions with which an action ends, which then need not be tried; unsaid: the
    decisions of which an action there says nothing where nothing is taken; fell: what chance comes to next there, as it
    fell here; returns: of each seat, at the end; secret: whether anything is hidden; shelf: the edition, as seen from
    tests/openspiel, where it is not called as the game is there; options: of the edition, as it has to be played to be
    the same; class_of: what sort of thing an action there is, for
    counting; ended: the way in which a game there has ended; meets: the classes and the ends of which each has to come
    up; steer: chooses among the legal actions there, towards what is rare; openings: rows of actions that lead to
    positions which chance would not; listed: whether all that chance can come to is compared, with its odds: games in
    which that is not too much; sealed: whether what seats are asked there in turn they are asked here all at once;
    one_by_one: whether what is chosen here together is chosen there one after another."""

    theirs: str
    actions: Mapping[int, Answers]
    second: Mapping[int, Answers] | None = None
    most_answers: int = 1
    further: frozenset[str] = frozenset()
    final: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    fell: Callable[[Game, Any], int] | None = None
    returns: Callable[[Game], list[float]] | None = None
    secret: bool = False
    shelf: str = ""
    options: Mapping[str, str] | None = None
    class_of: Callable[[Any, int], str] | None = None
    ended: Callable[[Any], str] | None = None
    meets: frozenset[str] = frozenset()
    steer: Callable[[Any, list[int], random.Random], int] | None = None
    openings: Sequence[Sequence[int]] = ()
    listed: bool = False
    sealed: bool = False
    one_by_one: bool = False

    @property
    def name(self) -> str:
        return self.theirs.partition("(")[0]

    def table(self, seat: int) -> Mapping[int, Answers]:
        """What each action of a seat is here."""
        return self.actions if self.second is None or seat == 0 else self.second

    @property
    def edition(self) -> str:
        return self.shelf or f"{self.name}.yaml"


def won(game: Game) -> list[float]:
    """1 for whoever alone is first, -1 for the others; nothing for those who share it."""
    ranks = {standing.seat: standing.rank for standing in game.standings()}
    first = [seat for seat, rank in ranks.items() if rank == 1]
    return [0.0 if len(first) > 1 else 1.0 if seat in first else -1.0 for seat in sorted(ranks)]


def points(game: Game) -> list[float]:
    return [float(standing.total) for standing in sorted(game.standings(), key=lambda standing: standing.seat)]


class LockStep:
    """counts: how often what happened, over all games."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        self.pairing, self.rules = pairing, rules
        self.game: Any = pyspiel.load_game(pairing.theirs)
        self.counts: Counter[str] = Counter()
        self.known_there: dict[tuple[int, str], str] = {}  # by what a seat knows here
        self.known_here: dict[tuple[int, str], str] = {}
        self._steer: Callable[[Any, list[int], random.Random], int] | None = None
        self._opening: list[int] = []
        self._held: list[str] = []  # what has been chosen there, while more is to be chosen together here

    def play(self, seed: int, *, steered: bool = False) -> None:
        """One game by chance, or one that is steered, from one of the openings if there are any. Raises Difference."""
        chance = random.Random(seed)
        self._steer = self.pairing.steer if steered else None
        openings = self.pairing.openings if steered else ()
        self._opening = list(openings[seed % len(openings)]) if openings else []
        seats = self.game.num_players()
        ours, theirs = Game.start(self.rules, NAMES[:seats], self.pairing.options, seed), self.game.new_initial_state()
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                self.fall(ours, theirs)
            elif theirs.is_simultaneous_node():
                self.all_at_once(ours, theirs, chance)
            else:
                self.one(ours, theirs, chance)
        self.finish(ours, theirs)
        expected, found = list(theirs.returns()), (self.pairing.returns or won)(ours)
        if found != expected:
            raise self.difference(ours, theirs, f"it ends with {expected} there and {found} here")
        self.counts[PLAYED] += 1
        self.counts[f"returns {expected}"] += 1
        self.counts[self.pairing.ended(theirs) if self.pairing.ended else outcome(expected)] += 1

    def missing(self) -> list[str]:
        """What has to be met and has not been."""
        return sorted(name for name in self.pairing.meets if not self.counts[name])

    def choose(self, theirs: Any, legal: list[int], chance: random.Random) -> int:
        """The next action there: of the opening, steered, or by chance."""
        action = (
            self._opening.pop(0)
            if self._opening
            else self._steer(theirs, legal, chance)
            if self._steer
            else chance.choice(legal)
        )
        assert action in legal, f"an opening or steered play of {self.pairing.theirs} wants {action}, of {legal}"
        if self.pairing.class_of:
            self.counts[self.pairing.class_of(theirs, action)] += 1
        return action

    def finish(self, ours: Game, theirs: Any) -> None:
        """Over there: here, too, but for answers of which there is only one, such as a last card."""
        while not ours.over:
            for decision in ours.decisions():
                if len(decision.choices) != 1 or decision.least != 1:
                    raise self.difference(ours, theirs, "it is over there, and goes on here")
                ours.answer(decision.seat, [decision.choices[0].key])
                self.counts[LEFT_OUT] += 1

    def fall(self, ours: Game, theirs: Any) -> None:
        assert self.pairing.fell is not None
        try:
            outcome = self.pairing.fell(ours, theirs)
        except LookupError as error:
            raise self.difference(ours, theirs, "chance is asked there and not here") from error
        if outcome not in theirs.legal_actions():
            raise self.difference(ours, theirs, f"chance cannot fall as {outcome} there")
        theirs.apply_action(outcome)

    def one(self, ours: Game, theirs: Any, chance: random.Random) -> None:
        """The decision of one seat."""
        seat, legal = theirs.current_player(), theirs.legal_actions()
        answers = [self.pairing.table(seat)[action] for action in legal]
        if () in answers or answers == [NOTHING]:  # nobody is asked here where nothing can be taken
            if len(legal) > 1:
                raise self.difference(ours, theirs, f"several actions are left out here: {legal}")
            self.counts[LEFT_OUT] += 1
            theirs.apply_action(legal[0])
            return
        self.compare(ours, theirs, {seat: legal})
        action = self.choose(theirs, legal, chance)
        self.answer(ours, seat, self.pairing.table(seat)[action])
        theirs.apply_action(action)
        self.counts[ANSWERED] += 1

    def answer(self, ours: Game, seat: int, answers: Answers) -> None:
        for keys in answers:
            decision = ours.decision(seat)
            while decision is not None and decision.id in self.pairing.unsaid and keys not in self.possible(decision):
                ours.answer(seat, [])
                decision = ours.decision(seat)
            assert decision is not None
            self._held.extend(all_of(keys))
            if not self.pairing.one_by_one or len(self._held) >= decision.least:
                ours.answer(seat, self._held)
                self._held = []

    def all_at_once(self, ours: Game, theirs: Any, chance: random.Random) -> None:
        """The decisions of all seats; what the others see stays as it is until the last has answered."""
        seats = range(self.game.num_players())
        legal = {seat: theirs.legal_actions(seat) for seat in seats}
        self.compare(ours, theirs, legal)
        actions = [self.choose(theirs, legal[seat], chance) for seat in seats]
        order = chance.sample(seats, len(seats))
        for seat in order:
            others = {other: told(ours, other) for other in seats if other != seat}
            self.answer(ours, seat, self.pairing.table(seat)[actions[seat]])
            if seat != order[-1] and others != {other: told(ours, other) for other in others}:
                raise self.difference(ours, theirs, f"what {seat} answers is seen before all have answered")
        theirs.apply_actions(actions)
        self.counts[ANSWERED] += len(order)

    def compare(self, ours: Game, theirs: Any, legal: Mapping[int, list[int]]) -> None:
        """Who is asked, what they may answer, and what they know."""
        asked = [seat for seat, _ in ours.asked()]
        if self.pairing.sealed and len(asked) > 1:
            asked = [seat for seat in asked if seat in legal]
        if sorted(asked) != sorted(legal):
            raise self.difference(ours, theirs, f"it is the turn of {list(legal)} there and of {asked} here")
        for seat, actions in legal.items():
            wanted = {self.pairing.table(seat)[action] for action in actions}
            offered = set(self.completions(ours, seat, self.pairing.most_answers))
            if wanted != offered:
                only = f"only there: {sorted(wanted - offered)}; only here: {sorted(offered - wanted)}"
                raise self.difference(ours, theirs, f"what {seat} can do differs, {only}")
            if self.pairing.secret:
                self.compare_knowledge(ours, theirs, seat)

    def compare_knowledge(self, ours: Game, theirs: Any, seat: int) -> None:
        """What is told apart there is told apart here, and the other way round, as far as both have been met."""
        here, there = f"{told(ours, seat)}\n{sorted(self._held)}", theirs.information_state_string(seat)
        if self.known_there.setdefault((seat, here), there) != there:
            raise self.difference(ours, theirs, f"{seat} cannot tell this from {self.known_there[seat, here]!r} here")
        if self.known_here.setdefault((seat, there), here) != here:
            raise self.difference(
                ours, theirs, f"{seat} knows more here than there:\n{here}\n{self.known_here[seat, there]}"
            )

    def completions(self, ours: Game, seat: int, most: int) -> Iterator[Answers]:
        """All that a seat can answer, with what follows from each on a copy; so many answers at most."""
        decision = ours.decision(seat)
        assert decision is not None
        return self.answers_to(ours, decision, most)

    def answers_to(self, ours: Game, decision: Decision, most: int) -> Iterator[Answers]:
        for keys in self.possible(decision):
            if most == 1 or decision.id in self.pairing.final:
                yield (keys,)
                continue
            copy = ours.copy()
            copy.answer(decision.seat, all_of(keys))
            said = () if decision.id in self.pairing.unsaid and not keys else (keys,)
            following = copy.decision(decision.seat)
            if following is None or (self.pairing.further and following.id not in self.pairing.further):
                yield said
                continue
            for rest in self.answers_to(copy, following, most - 1):
                yield (*said, *rest)

    def possible(self, decision: Decision) -> Iterator[Keys]:
        """All answers to one decision; or what can be chosen next, if that is one by one."""
        keys = [choice.key for choice in decision.choices]
        if self.pairing.one_by_one or decision.most == 1:
            yield from (key for key in keys if key not in self._held)
            if decision.least == 0:
                yield ()
            return
        for size in range(decision.least, decision.most + 1):
            yield from combinations(sorted(keys), size)

    def difference(self, ours: Game, theirs: Any, what: str) -> Difference:
        answers = " ".join(f"{NAMES[seat]}: {', '.join(keys)};" for seat, keys in ours.answers()[-60:])
        return Difference(f"{self.pairing.theirs}: {what}.\nLast answers: {answers}\nThere:\n{theirs}")


class AllOfChance:
    """Compares the odds of chance: all positions that the players cannot exclude are kept here, each with its odds, and
    what chance comes to next in them has the odds that it has there, to the fraction.

    compared: how many times chance was compared."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        self.pairing, self.game = pairing, pyspiel.load_game(pairing.theirs)
        self.beginnings = chances.beginnings(rules, NAMES[: self.game.num_players()], pairing.options)
        self.compared = 0

    def play(self, seed: int, enough: int) -> None:
        """One game by chance, or as much of it as is needed to compare so many times in all. Raises Difference."""
        chance, theirs = random.Random(seed), self.game.new_initial_state()
        possible = [(found.odds, found.game) for found in self.beginnings]
        while not theirs.is_terminal() and self.compared < enough:
            if theirs.is_chance_node():
                possible = self.fall(possible, theirs, chance)
                continue
            seats = range(self.game.num_players()) if theirs.is_simultaneous_node() else [theirs.current_player()]
            actions = [chance.choice(theirs.legal_actions(seat)) for seat in seats]
            for seat, action in zip(seats, actions, strict=True):
                for keys in self.pairing.table(seat)[action]:
                    possible = [
                        (odds * found.odds, found.game)
                        for odds, game in possible
                        for found in chances.outcomes(game, seat, all_of(keys))
                    ]
            if theirs.is_simultaneous_node():
                theirs.apply_actions(actions)
            else:
                theirs.apply_action(actions[0])

    def fall(self, possible: list[tuple[Fraction, Game]], theirs: Any, chance: random.Random) -> Any:
        """What is left of the positions after chance has fallen one way."""
        assert self.pairing.fell is not None
        found: dict[int, list[tuple[Fraction, Game]]] = {}
        for odds, game in possible:
            found.setdefault(self.pairing.fell(game, theirs), []).append((odds, game))
        here = {outcome: sum(odds for odds, _ in games) for outcome, games in found.items()}
        there = {outcome: Fraction(odds).limit_denominator(10**6) for outcome, odds in theirs.chance_outcomes()}
        if here != there:
            raise Difference(f"{self.pairing.theirs}: the odds are {there} there and {here} here, after\n{theirs}")
        self.compared += 1
        outcome = chance.choice(sorted(here))
        theirs.apply_action(outcome)
        return [(odds / here[outcome], game) for odds, game in found[outcome]]


def all_of(keys: Keys) -> list[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def outcome(returns: Sequence[float]) -> str:
    """Who has most at the end."""
    best = [seat for seat, each in enumerate(returns) if each == max(returns)]
    return f"{NAMES[best[0]]} wins" if len(best) == 1 else "a draw"


def told(ours: Game, seat: int) -> str:
    """All that a seat is shown and told."""
    return "\n".join((repr(ours.view(seat)), *(line.text for line in ours.log(seat))))


def zone(game: Game, name: str, seat: int | None = None) -> tuple[str, ...]:
    """The pieces in a zone, of a seat as it sees them; or those in one that nobody sees, as they lie."""
    found = game.view(seat).zone(name, seat)
    if found.pieces is not None:
        return found.pieces
    [space] = [space for space in game.program.layout.spaces if space.name == name and space.seen_by == "nobody"]
    return piece_names(game.program, game.state, space)
