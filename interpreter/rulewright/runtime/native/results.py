"""Results of games played in bulk, packed into words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rulewright.base.records import record
from rulewright.program.state_layout import ANSWERS, LIMITED, ROUND
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks

GAME_WORDS = 3
"""Words of a game that are of no seat."""
BY_RULES, AT_LIMIT, STOPPED = range(3)
"""Endings of a game: by its rules, at its limit, or not at all, since they could not go on."""


@record
class GameResult:
    """Result of one game. limited: whether it reached its limit; places: by seat, 1 for the winner, shared by equals, 0
    without a result or for a seat that is not scored; points: by seat and scoring line, 0 likewise."""

    rounds: int
    decisions: int
    limited: bool
    places: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]


@record
class GameResults:
    """Results of many games. words: for each game its rounds, its decisions and how it ended, then place and points of
    each seat."""

    seats: int
    lines: int
    words: array[int]

    def __len__(self) -> int:
        return len(self.words) // self._width

    @property
    def _width(self) -> int:
        """Words of a game."""
        return GAME_WORDS + self.seats * (1 + self.lines)

    def __iter__(self) -> Iterator[GameResult]:
        for first in range(0, len(self.words), self._width):
            yield parse_result(self.words[first : first + self._width], self.lines)


@record
class CountedGames:
    """Games with statistics. words: for each game its result, then its row of counts; sums: of choices in all games, as
    in `game_statistics`; stopped: error messages of failed games by their index; these have no places, points or
    counts."""

    words: array[int]
    sums: array[float]
    stopped: Mapping[int, str] = field(default_factory=dict)


def stopped_words(rounds: int, decisions: int, width: int) -> list[int]:
    """Return the words of a failed game: how far it came, and zeros. width: number of words."""
    return [rounds, decisions, STOPPED, *[0] * (width - GAME_WORDS)]


def parse_result(words: Sequence[int], lines: int) -> GameResult:
    """Return the result of a game from its words. lines: number of scoring lines."""
    width = 1 + lines
    seats = range(GAME_WORDS, len(words), width)
    points = tuple([tuple(words[first + 1 : first + width]) for first in seats])
    return GameResult(words[0], words[1], words[2] == AT_LIMIT, tuple(words[GAME_WORDS::width]), points)


def result_words(machine: Machine, s: State, earlier_answers: int = 0) -> list[int]:
    """Return the words of a finished game. earlier_answers: answers before the part that counts. Only seats with a
    place have points. Raises RuleError."""
    places = ranks(machine, s)
    words = [s[ROUND], s[ANSWERS] - earlier_answers, s[LIMITED]]
    for seat in range(machine.program.layout.seats):
        words.append(places.get(seat, 0))
        words += [
            machine.call(line.function, s, seat)[0][0] if seat in places else 0 for line in machine.program.scoring
        ]
    return words
