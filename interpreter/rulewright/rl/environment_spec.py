"""Who sits at the table, and what comes of a game for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral

from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import check_options, check_seats
from rulewright.i18n.localizer import phrase
from rulewright.players.action_space import Actions
from rulewright.players.observations import Observations
from rulewright.players.policy_files import TrainedFor
from rulewright.players.seating import PERSON, Seat, missing_roles, role_seat, spare_names, usual_people
from rulewright.program.form import Program
from rulewright.runtime.chance_enumeration import ForeseeingMachine
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks

REWARDS = ("win", "rank", "score")


def is_whole(number: object, least: int, most: int) -> bool:
    """Return whether somebody has given a whole number between two bounds, Python's or numpy's, and no truth."""
    return not isinstance(number, bool) and isinstance(number, Integral) and least <= int(number) <= most


def checked_seed(seed: int) -> int:
    """Return a seed that games can begin with. Raises RulewrightError."""
    if not is_whole(seed, 0, 2**53 - 1):
        told = phrase(
            "errors", "A seed is a whole number from 0 to {most}, not '{seed}'.", most=2**53 - 1, seed=str(seed)
        )
        raise RulewrightError(told)
    return int(seed)


def checked_among(name: str | None, known: Sequence[str]) -> str | None:
    """Return how a table is drawn, or None for not at all. Raises RulewrightError for a way that there is not."""
    if name is not None and name not in known:
        slots = {"name": str(name), "known": ", ".join(known)}
        raise RulewrightError(phrase("errors", "There is no render mode '{name}'. Modes: {known}.", **slots))
    return name


class Arena:
    """Who plays what: the same for all games of an environment.

    agents: the seats that learn; the others are virtual players of the edition, and answer at random.
    """

    def __init__(
        self,
        edition: str | Rules,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        reward: str = "win",
    ) -> None:
        """edition: its name, its path or its rules; seats: of those who learn, to whom the virtual players come that
        must join so many; reward: 'score', 'rank' or 'win', as `rewards` has them.

        Raises UnknownEdition, EditionError, GameError, and RulewrightError for a reward that there is not.
        """
        if reward not in REWARDS:
            known = ", ".join(REWARDS)
            raise RulewrightError(
                phrase("errors", "There is no reward '{name}'. Rewards: {known}.", name=reward, known=known)
            )
        self.rules = edition if isinstance(edition, Rules) else library.load(edition)
        self.reward = reward
        people = usual_people(self.rules.edition) if seats is None else seats
        names = spare_names([role.title for role in self.rules.edition.roles.values()])
        sitting = [Seat(next(names), PERSON) for _ in range(people)]
        sitting += map(role_seat, missing_roles(sitting, self.rules.edition))
        self.names = tuple(seat.name for seat in sitting)
        self.roles = {seat.name: seat.role for seat in sitting if seat.role is not None}
        check_seats(self.rules, self.names, [seat.role for seat in sitting])
        self.options = check_options(self.rules, options or {})
        self.agents = tuple(seat for seat, sits in enumerate(sitting) if sits.role is None)

    def __reduce__(self) -> tuple[type[Arena], tuple[Rules, int, Mapping[str, str], str]]:
        return Arena, (self.rules, len(self.agents), self.options, self.reward)

    @cached_property
    def machine(self) -> Machine:
        return self.rules.machine(len(self.names))

    @cached_property
    def foreseeing(self) -> ForeseeingMachine:
        """What finds all that chance can come to."""
        return ForeseeingMachine(self.program)

    @property
    def program(self) -> Program:
        return self.machine.program

    @cached_property
    def actions(self) -> Actions:
        """What can be done."""
        return Actions(self.program)

    @cached_property
    def observations(self) -> Observations:
        """What is seen."""
        return Observations(self.program, self.actions)

    @property
    def trained_for(self) -> TrainedFor:
        """What a policy is trained for here."""
        seen = self.observations.names[: self.observations.now]
        edition, seats = self.rules.edition, len(self.names)
        roles = tuple(sorted(self.roles.values()))
        return TrainedFor(self.rules.title, edition.plays, seats, tuple(seen), tuple(self.actions.names), roles)

    def start(self, seed: int) -> Game:
        """A new game."""
        return Game.start(self.rules, self.names, self.options, seed, self.roles)

    def rewards(self, state: State) -> tuple[float, ...]:
        """What each agent has of a game that is over.

        score: its points. rank: how many more it is ahead of than behind, as a part of all others: 1 for who is ahead
        of all, -1 for who is behind all. win: 1 for who wins alone, and for all others a part of -1, which is shared
        evenly; several winners share what the others have lost. The last two come to 0 over all that are ranked.
        A game that came to its limit without a result gives 0 to all.
        """
        places = ranks(self.machine, state)
        return tuple(self._reward(state, places, seat) for seat in self.agents)

    def _reward(self, state: State, places: Mapping[int, int], seat: int) -> float:
        if seat not in places:
            return 0.0
        if self.reward == "score":
            program = self.program
            points = (program.told(n, self.machine.call(n, state, seat)[0][0]) for n in self._lines)
            return float(sum(points))
        others = len(places) - 1
        if not others:
            return 0.0
        if self.reward == "rank":
            ahead = sum(place > places[seat] for place in places.values())
            return (ahead - sum(place < places[seat] for place in places.values())) / others
        winners = sum(place == 1 for place in places.values())
        lost = 1 / others
        return lost * (len(places) - winners) / winners if places[seat] == 1 else -lost

    @cached_property
    def _lines(self) -> tuple[int, ...]:
        """The functions of the lines of points."""
        return tuple(line.function for line in self.program.scoring)
