"""One game, here and there: what each action of OpenSpiel's is, and what else it takes to hold it against ours."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from rulewright.base.records import record
from rulewright.game.game import Game

Keys = str | tuple[str, ...]
"""One answer: its key; where there can be several, all of them, sorted."""
Answers = tuple[Keys, ...]
"""Answers that one action stands for, one after the other, all by one seat."""

NOTHING: Answers = ((),)
"""The answer that takes nothing, where something may be taken. Where nothing can be, nobody is asked."""

STATES, OBSERVATIONS = "states", "observations"


@record
class Pairing:
    """theirs: as OpenSpiel calls the game. actions: what each action is here, nothing for one that is forced there and
    left out here; second: the same for the second seat, where numbers mean other things for it. begins: the decisions
    that begin another action, where one may end or go on; unsaid: those of which an action says nothing where nothing
    is taken; sealed: whether what seats are asked there in turn they are asked here all at once; one_by_one: whether
    what is chosen here together is chosen there one after another; together: the decisions for the first of several
    things that are chosen here one after another, in any order, and there at once; forced: decisions of one answer that
    are none there.

    positions: what lies where, here and there, of games in which actions are compared by where they lead; then
    `actions` only tells which are left out.

    fell: what chance comes to next there, as it fell here; listed: whether all that it can come to is compared, with
    its odds: games in which that is not too much. returns: of each seat, at the end. secret: by what a seat tells games
    apart there, where anything is hidden: by information STATES, which remember all, or by the row of all its
    OBSERVATIONS, of games that have no such states.

    shelf: the edition, as seen from tests/openspiel, where it is not called as the game is there; options: of the
    edition, as it has to be played to be the same.

    class_of: what sort of thing an action there is, for counting; ended: the way in which a game there has ended;
    meets: all classes and ends that there are, of which each has to come up; steer: chooses among the legal actions
    there, towards what is rare; openings: rows of actions that lead to positions which chance
    would not; seeds: of steered games that meet what is rare, where chance has its part in it."""

    theirs: str
    actions: Mapping[int, Answers]
    second: Mapping[int, Answers] | None = None
    begins: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()
    sealed: bool = False
    one_by_one: bool = False
    together: frozenset[str] = frozenset()
    forced: frozenset[str] = frozenset()
    positions: tuple[Callable[[Game], Any], Callable[[Any], Any]] | None = None
    fell: Callable[[Game, Any], int] | None = None
    listed: bool = False
    returns: Callable[[Game], list[float]] | None = None
    secret: str = ""
    shelf: str = ""
    options: Mapping[str, str] | None = None
    class_of: Callable[[Any, int], str] | None = None
    ended: Callable[[Any], str] | None = None
    meets: frozenset[str] = frozenset()
    steer: Callable[[Any, list[int], random.Random], int] | None = None
    openings: Sequence[Sequence[int]] = ()
    seeds: Sequence[int] = ()

    @property
    def name(self) -> str:
        return self.theirs.partition("(")[0]

    @property
    def edition(self) -> str:
        return self.shelf or f"{self.name}.yaml"

    def table(self, seat: int) -> Mapping[int, Answers]:
        """Return the answers of each action of a seat."""
        return self.actions if self.second is None or seat == 0 else self.second

    def goes_on(self, seat: int, answers: Answers) -> bool:
        """Whether a seat has an action that begins with these answers, and has more."""
        return answers in self._beginnings[self.second is not None and seat > 0]

    @cached_property
    def _beginnings(self) -> tuple[set[Answers], set[Answers]]:
        tables = (self.actions, self.second or {})
        first, second = (
            {answers[:length] for answers in table.values() for length in range(1, len(answers))} for table in tables
        )
        return first, second

    def knows(self, theirs: Any, seat: int) -> str:
        """Return what a seat knows there now."""
        state = self.secret == STATES
        return str(theirs.information_state_string(seat) if state else theirs.observation_string(seat))
