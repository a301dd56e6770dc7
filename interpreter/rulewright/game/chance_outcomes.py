"""Possible games after an answer or the set-up, one for each chance outcome, with their odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime.chance_enumeration import MAX_OUTCOMES, EnumeratingMachine


@record
class PossibleGame:
    """Possible game. odds: sum to 1 over a list; game: at its next decision or its end. It can be played on, but not
    saved: a save is replayed from its seed, which does not lead to this outcome."""

    odds: Fraction
    game: Game


def beginnings(
    rules: Rules,
    seats: Sequence[str],
    options: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    most: int = MAX_OUTCOMES,
    foreseeing: EnumeratingMachine | None = None,
) -> list[PossibleGame]:
    """Return every game that the set-up can lead to, up to its first decision. Seats, options and roles are as for
    `Game.start`, which also says what is raised. foreseeing: the enumerating machine; it can be reused for the same
    rules.

    Raises TooManyOutcomes if there are more than `most`, as after shuffling a whole deck.
    """
    game = Game.start(rules, seats, options, seed=0, roles=roles)

    def game_of(machine: EnumeratingMachine) -> Game:
        return Game(rules, game.names, game.roles, game.options, game.seed, machine=machine)

    return _enumerate_games(game, game_of, foreseeing or EnumeratingMachine(game.program), most)


def outcomes(
    game: Game,
    seat: int,
    keys: Iterable[str],
    most: int = MAX_OUTCOMES,
    foreseeing: EnumeratingMachine | None = None,
) -> list[PossibleGame]:
    """Return every game that an answer can lead to; the game itself stays unchanged. If nothing is left to chance,
    there is one, with odds of 1. foreseeing: as for `beginnings`.

    Raises AnswerError, and TooManyOutcomes if there are more than `most`.
    """
    answer = tuple(keys)

    def answered(machine: EnumeratingMachine) -> Game:
        other = game.copy()
        other.machine = machine
        other.answer(seat, answer)
        return other

    return _enumerate_games(game, answered, foreseeing or EnumeratingMachine(game.program), most)


def _enumerate_games(
    game: Game, play: Callable[[EnumeratingMachine], Game], machine: EnumeratingMachine, most: int
) -> list[PossibleGame]:
    """Return every game that playing can lead to; those with the same position and log are one. play: plays the game
    on an enumerating machine, once for each path of chance."""
    odds: dict[str, Fraction] = {}
    games: dict[str, Game] = {}
    for _ in machine.chance.paths(most):
        played = play(machine)
        played.machine = game.machine
        state = played.state
        state[RANDOM : RANDOM + RANDOM_CELLS] = [0] * RANDOM_CELLS
        key = repr((state, played.log.events))
        odds[key] = odds.get(key, Fraction(0)) + machine.chance.odds
        games.setdefault(key, played)
    return [PossibleGame(odds[key], games[key]) for key in games]
