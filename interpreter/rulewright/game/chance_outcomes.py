"""What can come of an answer, or of the set-up, by chance: every game, with its odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.program.form import RANDOM, RANDOM_CELLS
from rulewright.runtime.chance_enumeration import MOST_OUTCOMES, ForeseeingMachine


@record
class PossibleGame:
    """odds: all outcomes of one list together have 1; game: as it then is, at its next decision or its end. It can be
    played on, and not be saved: a save is played again by its seed, which knows nothing of this outcome."""

    odds: Fraction
    game: Game


def beginnings(
    rules: Rules,
    seats: Sequence[str],
    options: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    most: int = MOST_OUTCOMES,
    foreseeing: ForeseeingMachine | None = None,
) -> list[PossibleGame]:
    """Every game that the set-up can lead to, up to its first decision. Seats, options and roles are those of
    `Game.start`, which tells what it raises. foreseeing: what finds them; one of the same rules can be used again.

    Raises TooManyOutcomes where there are more than `most`, as after a whole deck has been shuffled.
    """
    game = Game.start(rules, seats, options, seed=0, roles=roles)

    def begun(machine: ForeseeingMachine) -> Game:
        return Game(rules, game.names, game.roles, game.options, game.seed, machine=machine)

    return _all(game, begun, foreseeing or ForeseeingMachine(game.program), most)


def outcomes(
    game: Game,
    seat: int,
    keys: Iterable[str],
    most: int = MOST_OUTCOMES,
    foreseeing: ForeseeingMachine | None = None,
) -> list[PossibleGame]:
    """Every game that an answer can lead to; the game itself stays as it is. One with odds of 1 where nothing is left
    to chance. foreseeing: as for `beginnings`.

    Raises AnswerError, and TooManyOutcomes where there are more than `most`.
    """
    answer = tuple(keys)

    def answered(machine: ForeseeingMachine) -> Game:
        other = game.copy()
        other.machine = machine
        other.answer(seat, answer)
        return other

    return _all(game, answered, foreseeing or ForeseeingMachine(game.program), most)


def _all(
    game: Game, play: Callable[[ForeseeingMachine], Game], machine: ForeseeingMachine, most: int
) -> list[PossibleGame]:
    """What one and the same position comes to by different ways is one outcome, if the log tells the same of it."""
    odds: dict[str, Fraction] = {}
    games: dict[str, Game] = {}
    for _ in machine.chance.ways(most):
        played = play(machine)
        played.machine = game.machine
        state = played.state
        state[RANDOM : RANDOM + RANDOM_CELLS] = [0] * RANDOM_CELLS
        key = repr((state, played.events))
        odds[key] = odds.get(key, Fraction(0)) + machine.chance.odds
        games.setdefault(key, played)
    return [PossibleGame(odds[key], games[key]) for key in games]
