"""Environment specification: seats, agents and rewards of a game."""

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
from rulewright.players.action_space import ActionSpace
from rulewright.players.observations import Observations
from rulewright.players.policy_files import TrainedFor
from rulewright.players.seating import PERSON, Seat, missing_roles, role_seat, spare_names, usual_people
from rulewright.program.form import Program
from rulewright.runtime.chance_enumeration import EnumeratingMachine
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks

REWARDS = ("win", "rank", "score")
"""Kinds of rewards at the end of a game; see `Arena`."""


def is_whole(number: object, least: int, most: int) -> bool:
    """Return whether a value is a whole number between two bounds, Python's or numpy's, and no bool."""
    return not isinstance(number, bool) and isinstance(number, Integral) and least <= int(number) <= most


def check_seed(seed: int) -> int:
    """Return a seed that games can begin with. Raises RulewrightError."""
    if not is_whole(seed, 0, 2**53 - 1):
        message = phrase(
            "errors", "A seed is a whole number from 0 to {most}, not '{seed}'.", most=2**53 - 1, seed=str(seed)
        )
        raise RulewrightError(message)
    return int(seed)


def check_render_mode(name: str | None, modes: Sequence[str]) -> str | None:
    """Return the render mode, or None for no rendering. Raises RulewrightError for an unknown mode."""
    if name is not None and name not in modes:
        slots = {"name": str(name), "known": ", ".join(modes)}
        raise RulewrightError(phrase("errors", "There is no render mode '{name}'. Modes: {known}.", **slots))
    return name


class Arena:
    """Players and roles of an environment: the same for all its games.

    agents: the seats that learn; the others are virtual players of the edition, and answer at random.
    """

    def __init__(
        self,
        edition: str | Rules,
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        reward: str = "win",
    ) -> None:
        """Load the edition and seat its players.

        edition: its name, its path or its rules; seats: number of learning seats, which virtual players join as the
        edition demands; reward: 'score', 'rank' or 'win', as in `rewards`.

        Raises UnknownEdition, EditionError, GameError, and RulewrightError for an unknown reward.
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
        seated = [Seat(next(names), PERSON) for _ in range(people)]
        seated += map(role_seat, missing_roles(seated, self.rules.edition))
        self.names = tuple(seat.name for seat in seated)
        self.roles = {seat.name: seat.role for seat in seated if seat.role is not None}
        check_seats(self.rules, self.names, [seat.role for seat in seated])
        self.options = check_options(self.rules, options or {})
        self.agents = tuple(seat for seat, sits in enumerate(seated) if sits.role is None)

    def __reduce__(self) -> tuple[type[Arena], tuple[Rules, int, Mapping[str, str], str]]:
        return Arena, (self.rules, len(self.agents), self.options, self.reward)

    @cached_property
    def machine(self) -> Machine:
        """Machine for this number of seats; compiled on first use."""
        return self.rules.machine(len(self.names))

    @cached_property
    def foreseeing(self) -> EnumeratingMachine:
        """Machine that lists all chance outcomes."""
        return EnumeratingMachine(self.program)

    @property
    def program(self) -> Program:
        """Program of the machine."""
        return self.machine.program

    @cached_property
    def actions(self) -> ActionSpace:
        """Action space of the program."""
        return ActionSpace(self.program)

    @cached_property
    def observations(self) -> Observations:
        """Encoder of observations."""
        return Observations(self.program, self.actions)

    @property
    def trained_for(self) -> TrainedFor:
        """Description of the game for policies trained here."""
        observations = self.observations.names[: self.observations.now]
        edition, seats = self.rules.edition, len(self.names)
        roles = tuple(sorted(self.roles.values()))
        return TrainedFor(
            self.rules.title, edition.play_digest, seats, tuple(observations), tuple(self.actions.names), roles
        )

    def start(self, seed: int) -> Game:
        """Start a new game."""
        return Game.start(self.rules, self.names, self.options, seed, self.roles)

    def rewards(self, state: State) -> tuple[float, ...]:
        """Return the reward of each agent for a game that is over.

        'score' is its points. 'rank' is the number of players behind it less the number ahead of it, divided by the
        number of other players: 1 for the first alone, -1 for the last alone. 'win' is 1 for a single winner, and for
        all others an equal share of -1; several winners share what the others have lost. The last two sum to 0 over all
        ranked players, and are 0 for one who is alone. A game that came to its limit without a result gives 0 to all.
        """
        places = ranks(self.machine, state)
        return tuple(self._reward_of(state, places, seat) for seat in self.agents)

    def _reward_of(self, state: State, places: Mapping[int, int], seat: int) -> float:
        """Return a seat's reward at a game's end: its points, its rank or its win against the others; 0 if it is not
        placed."""
        if seat not in places:
            return 0.0
        if self.reward == "score":
            program = self.program
            points = (program.decode(n, self.machine.call(n, state, seat)[0][0]) for n in self._lines)
            return float(sum(points))
        others = len(places) - 1
        if not others:
            return 0.0
        if self.reward == "rank":
            ahead = sum(place > places[seat] for place in places.values())
            return (ahead - sum(place < places[seat] for place in places.values())) / others
        winners = sum(place == 1 for place in places.values())
        share = 1 / others
        return share * (len(places) - winners) / winners if places[seat] == 1 else -share

    @cached_property
    def _lines(self) -> tuple[int, ...]:
        """Functions of the score lines."""
        return tuple(line.function for line in self.program.scoring)
