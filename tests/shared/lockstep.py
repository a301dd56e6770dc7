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
from functools import lru_cache
from itertools import combinations
from typing import Any

import pyspiel

from pairing import NOTHING, Answers, Keys, Pairing
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.runtime.machine import Machine
from rulewright.runtime.view import View, piece_names

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
PLAYED, ANSWERED, LEFT_OUT = "played", "answered", "left out"

LOOKED_AT = 12
"""Decisions at the end of an opening that are compared; before them it is enough that they can be answered so."""

Chooser = Callable[[Any, list[int]], int]
"""Chooses among the legal actions there."""


class Difference(AssertionError):
    """The two games are not the same."""


def won(game: Game) -> list[float]:
    """1 for whoever alone is first, -1 for the others; nothing for those who share it."""
    ranks = {standing.seat: standing.rank for standing in game.standings()}
    first = [seat for seat, rank in ranks.items() if rank == 1]
    return [0.0 if len(first) > 1 else 1.0 if seat in first else -1.0 for seat in sorted(ranks)]


def points(game: Game) -> list[float]:
    return [float(row.total) for row in sorted(game.standings(), key=lambda row: row.seat)]


class LockStep:
    """counts: how often what happened, over all games; met_counts: the same of classes of actions and ways to end."""

    def __init__(self, pairing: Pairing, rules: Rules) -> None:
        self.pairing, self.rules = pairing, rules
        self.game: Any = pyspiel.load_game(pairing.theirs)
        self.counts: Counter[str] = Counter()
        self.met_counts: Counter[str] = Counter()
        self.known_there: dict[tuple[int, str], str] = {}  # by what a seat knows here
        self.known_here: dict[tuple[int, str], str] = {}
        self._steered = 0  # games
        self._unlooked = 0  # decisions of an opening that are not compared
        self.pending: list[str] = []  # what has been chosen there, while more is to be chosen together here

    def play(self, seed: int, *, steered: bool = False) -> None:
        """One game by chance, or one that is steered, from the next opening if there are any. Raises Difference."""
        openings, seeds = (self.pairing.openings, self.pairing.seeds) if steered else ((), ())
        opening = openings[self._steered % len(openings)] if openings else ()
        seed = seeds[self._steered] if self._steered < len(seeds) else seed
        chance = random.Random(seed)
        self._steered += steered
        choose = self.chooser(chance, opening, steered=steered)
        ours, theirs = self.begin(seed)
        self._unlooked = max(0, len(opening) - LOOKED_AT)
        while not theirs.is_terminal():
            self.advance(ours, theirs, choose, chance)
        self.end(ours, theirs)

    def end(self, ours: Game, theirs: Any) -> None:
        """Over there: here, too, with the same returns."""
        self.finish(ours, theirs)
        expected, result = list(theirs.returns()), (self.pairing.returns or won)(ours)
        if result != expected:
            raise self.difference(ours, theirs, f"it ends with {expected} there and {result} here")
        self.counts[PLAYED] += 1
        self.met_counts[self.pairing.ended(theirs) if self.pairing.ended else outcome(expected)] += 1

    def begin(self, seed: int, machine: Machine | None = None) -> tuple[Game, Any]:
        """A game here, up to its first decision, and there, before everything. machine: what runs it here."""
        self.pending = []
        ours = Game.start(self.rules, NAMES[: self.game.num_players()], self.pairing.options, seed)
        if machine is not None:
            ours = Game(self.rules, ours.names, ours.roles, ours.options, seed, machine=machine)
        return ours, self.game.new_initial_state()

    def advance(self, ours: Game, theirs: Any, choose: Chooser, chance: random.Random) -> None:
        """Go on there: chance, or an answer of one seat or of all.

        chance: decides in which order all of them answer.
        """
        if theirs.is_chance_node():
            self.fall(ours, theirs)
        elif theirs.is_simultaneous_node():
            self.all_at_once(ours, theirs, choose, chance)
        else:
            self.one(ours, theirs, choose)

    def chooser(self, chance: random.Random, opening: Sequence[int] = (), *, steered: bool = False) -> Chooser:
        """Choose after an opening, by chance or steered."""
        steer, first = self.pairing.steer if steered else None, list(opening)

        def choose(theirs: Any, legal: list[int]) -> int:
            if first:
                return first.pop(0)
            return steer(theirs, legal, chance) if steer else chance.choice(legal)

        return choose

    def missing(self) -> list[str]:
        """Return the targets that have not been met."""
        return sorted(self.pairing.meets - self.met_counts.keys())

    def unlisted(self) -> list[str]:
        """Return what was met besides the targets."""
        return sorted(self.met_counts.keys() - self.pairing.meets)

    def choose_action(self, theirs: Any, legal: list[int], choose: Chooser) -> int:
        """The next action there, counted."""
        action = choose(theirs, legal)
        assert action in legal, f"an opening or steered play of {self.pairing.theirs} wants {action}, of {legal}"
        self.count_class(theirs, action)
        return action

    def count_class(self, theirs: Any, action: int) -> None:
        self._unlooked -= self._unlooked > 0
        if self.pairing.class_of:
            self.met_counts[self.pairing.class_of(theirs, action)] += 1

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

    def one(self, ours: Game, theirs: Any, choose: Chooser) -> None:
        """The decision of one seat."""
        seat, legal = theirs.current_player(), theirs.legal_actions()
        if self.left_out(ours, theirs):
            self.counts[LEFT_OUT] += 1
            theirs.apply_action(legal[0])
            return
        self.compare(ours, theirs, {seat: legal})
        action = self.choose_action(theirs, legal, choose)
        self.answer(ours, seat, self.answers_of(ours, theirs, action))
        theirs.apply_action(action)
        self.counts[ANSWERED] += 1

    def answers_of(self, ours: Game, theirs: Any, action: int) -> Answers:
        """Return the answers of a seat here for its action there."""
        seat = theirs.current_player()
        if self.pairing.positions is None:
            return self.pairing.table(seat)[action]
        own_position, their_position = self.pairing.positions
        goal = their_position(theirs.child(action))
        return next(
            answers for answers in self.completions(ours, seat) if own_position(answered(ours, seat, answers)) == goal
        )

    def left_out(self, ours: Game, theirs: Any) -> bool:
        """Whether what is asked there is not asked here: nobody is, where nothing can be taken."""
        legal = theirs.legal_actions()
        answers = [self.pairing.table(theirs.current_player())[action] for action in legal]
        if () not in answers and answers != [NOTHING]:
            return False
        if len(legal) > 1:
            raise self.difference(ours, theirs, f"several actions are left out here: {legal}")
        return True

    def to_a_decision(self, ours: Game, theirs: Any) -> None:
        """Go on there until somebody is asked here, too."""
        while not theirs.is_terminal() and not theirs.is_simultaneous_node():
            if theirs.is_chance_node():
                self.fall(ours, theirs)
            elif self.left_out(ours, theirs):
                theirs.apply_action(theirs.legal_actions()[0])
            else:
                return

    def answer(self, ours: Game, seat: int, answers: Answers) -> None:
        """Answer there. Raises Difference if that is impossible, as in an opening, which is not compared."""
        for keys in answers:
            decision = ours.decision(seat)
            while decision is not None and decision.id in self.pairing.unsaid and keys not in self.possible(decision):
                ours.answer(seat, [])
                decision = ours.decision(seat)
            if decision is None:
                raise Difference(f"{self.pairing.theirs}: nobody asks {seat} for {keys} here")
            try:
                self.take(ours, decision, all_of(keys))
            except AnswerError as error:
                raise Difference(f"{self.pairing.theirs}: {seat} cannot answer {keys} here") from error
        while (decision := ours.decision(seat)) is not None and decision.id in self.pairing.forced:
            ours.answer(seat, [choice.key for choice in decision.choices])

    def take(self, ours: Game, decision: Decision, keys: list[str]) -> None:
        if decision.id in self.pairing.together:
            answer_together(ours, decision, keys)
            return
        self.pending.extend(keys)
        if not self.pairing.one_by_one or len(self.pending) >= decision.least:
            ours.answer(decision.seat, self.pending)
            self.pending = []

    def all_at_once(self, ours: Game, theirs: Any, choose: Chooser, chance: random.Random) -> None:
        """The decisions of all seats; what the others see stays as it is until the last has answered."""
        seats = range(self.game.num_players())
        legal = {seat: theirs.legal_actions(seat) for seat in seats}
        self.compare(ours, theirs, legal)
        actions = [self.choose_action(theirs, legal[seat], choose) for seat in seats]
        order = chance.sample(seats, len(seats))
        for seat in order:
            others = {other: shown_text(ours, other) for other in seats if other != seat}
            self.answer(ours, seat, self.pairing.table(seat)[actions[seat]])
            if seat != order[-1] and others != {other: shown_text(ours, other) for other in others}:
                raise self.difference(ours, theirs, f"what {seat} answers is seen before all have answered")
        theirs.apply_actions(actions)
        self.counts[ANSWERED] += len(order)

    def compare(self, ours: Game, theirs: Any, legal: Mapping[int, list[int]]) -> None:
        """Compare who is asked, the possible answers, and what the seats know."""
        if self._unlooked:
            return
        questions = [seat for seat, _ in ours.pending.ids]
        if self.pairing.sealed and len(questions) > 1:
            questions = [seat for seat in questions if seat in legal]
        if sorted(questions) != sorted(legal):
            raise self.difference(ours, theirs, f"it is the turn of {list(legal)} there and of {questions} here")
        for seat, actions in legal.items():
            expected, offered = self.alternatives(ours, theirs, seat, actions)
            if expected != offered:
                only = f"only there: {sorted(expected - offered)}; only here: {sorted(offered - expected)}"
                raise self.difference(ours, theirs, f"what {seat} can do differs, {only}")
            if self.pairing.secret and self.pairing.listed:
                self.compare_knowledge(ours, theirs, seat)

    def alternatives(self, ours: Game, theirs: Any, seat: int, actions: list[int]) -> tuple[set[Any], set[Any]]:
        """Return the alternatives of a seat there, and here: its answers, or the positions that come of them."""
        if self.pairing.positions is None:
            return {self.pairing.table(seat)[action] for action in actions}, set(self.completions(ours, seat))
        own_position, their_position = self.pairing.positions
        return (
            {their_position(theirs.child(action)) for action in actions},
            {own_position(answered(ours, seat, answers)) for answers in self.completions(ours, seat)},
        )

    def compare_knowledge(self, ours: Game, theirs: Any, seat: int) -> None:
        """Compare which positions each seat can distinguish, as far as they have been met."""
        first, second = f"{shown_text(ours, seat)}\n{sorted(self.pending)}", self.pairing.knows(theirs, seat)
        if self.known_there.setdefault((seat, first), second) != second:
            raise self.difference(ours, theirs, f"{seat} cannot tell this from {self.known_there[seat, first]!r} here")
        if self.known_here.setdefault((seat, second), first) != first:
            raise self.difference(
                ours, theirs, f"{seat} knows more here than there:\n{first}\n{self.known_here[seat, second]}"
            )

    def completions(self, ours: Game, seat: int) -> Iterator[Answers]:
        """All that a seat can answer, with what follows from each on a copy."""
        decision = ours.decision(seat)
        assert decision is not None
        return self.answers_to(ours, decision, ())

    def answers_to(self, ours: Game, decision: Decision, before: Answers) -> Iterator[Answers]:
        if decision.id in self.pairing.together:
            yield from ((*before, keys) for keys in chosen_together(ours, decision))
            return
        for keys in self.possible(decision):
            text = before if decision.id in self.pairing.unsaid and not keys else (*before, keys)
            if text and not self.pairing.positions and not self.pairing.goes_on(decision.seat, text):
                yield text
                continue
            copy = ours.copy()
            copy.answer(decision.seat, all_of(keys))
            following = copy.decision(decision.seat)
            if following is None or following.id in self.pairing.begins | self.pairing.forced:
                yield text
            else:
                yield from self.answers_to(copy, following, text)

    def possible(self, decision: Decision) -> Iterator[Keys]:
        """All answers to one decision; or what can be chosen next, if that is one by one."""
        keys = [choice.key for choice in decision.choices]
        if self.pairing.one_by_one or decision.most == 1:
            yield from (key for key in keys if key not in self.pending)
            if decision.least == 0:
                yield ()
            return
        for size in range(decision.least, decision.most + 1):
            yield from combinations(sorted(keys), size)

    def difference(self, ours: Game, theirs: Any, kind: str) -> Difference:
        answers = " ".join(f"{NAMES[seat]}: {', '.join(keys)};" for seat, keys in ours.history.answer_keys()[-60:])
        return Difference(f"{self.pairing.theirs}: {kind}.\nLast answers: {answers}\nThere:\n{theirs}")


def chosen_together(ours: Game, first: Decision) -> Iterator[tuple[str, ...]]:
    """All sets of things that can be chosen one after another, sorted; each once."""
    worklist, counts = [(ours, first, frozenset[str]())], set[frozenset[str]]()
    while worklist:
        game, decision, content = worklist.pop()
        if decision.least == 0:
            yield tuple(sorted(content))
        for choice in decision.choices:
            selection = content | {choice.key}
            if selection in counts:
                continue
            counts.add(selection)
            copy = game.copy()
            copy.answer(decision.seat, [choice.key])
            following = copy.decision(decision.seat)
            if following is not None and following.id == f"{first.id} more":
                worklist.append((copy, following, selection))
            else:
                yield tuple(sorted(selection))


def answer_together(ours: Game, first: Decision, keys: list[str]) -> None:
    """Check for exactly these items."""
    for answer in [[key] for key in keys] or [[]]:
        ours.answer(first.seat, answer)
    following = ours.decision(first.seat)
    if keys and following is not None and following.id == f"{first.id} more":
        ours.answer(first.seat, [])


def answered(ours: Game, seat: int, answers: Answers) -> Game:
    """Return a copy after a seat's answers."""
    copy = ours.copy()
    for keys in answers:
        copy.answer(seat, all_of(keys))
    return copy


def all_of(keys: Keys) -> list[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def outcome(returns: Sequence[float]) -> str:
    """Return the seat that has most at the end."""
    best = [seat for seat, each in enumerate(returns) if each == max(returns)]
    return f"{NAMES[best[0]]} wins" if len(best) == 1 else "a draw"


def shown_text(ours: Game, seat: int) -> str:
    """All that a seat is shown and told."""
    return "\n".join((repr(ours.view(seat)), *(line.text for line in ours.log.lines(seat))))


@lru_cache(maxsize=8)
def view_of(game: Game, seat: int | None, answers: int) -> View:
    """Return the view, cached while nothing is answered: chance is read from it card by card."""
    return game.view(seat)


def observed_view(game: Game, seat: int | None = None) -> View:
    return view_of(game, seat, len(game.history.answers))


def zone(game: Game, name: str, seat: int | None = None) -> tuple[str, ...]:
    """The pieces in a zone, of a seat as it sees them; or those in one that nobody sees, as they lie."""
    result = observed_view(game, seat).zone(name, seat)
    if result.pieces is not None:
        return result.pieces
    [space] = [space for space in game.program.layout.zones if space.name == name and space.seen_by == "nobody"]
    return piece_names(game.program, game.state, space)
