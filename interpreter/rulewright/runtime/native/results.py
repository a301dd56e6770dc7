"""Results of bulk play: how many games ended, in few words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rulewright.base.records import record
from rulewright.program.form import ANSWERS, LIMITED, ROUND
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks

GAME_WORDS = 3  # those of a game's words that are of no seat
BY_RULES, AT_LIMIT, STOPPED = range(3)
"""Endings of a game: by its rules, at its limit, or not at all, since they could not go on."""


@record
class GameResult:
    """Result of one game. limited: whether it came to its limit; places: of each seat, 1 for the winner, shared by
    equals, and 0 for who is not scored, and where there is no result; points: of each seat, by scoring line, 0
    likewise."""

    rounds: int
    decisions: int
    limited: bool
    places: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]


@record
class GameResults:
    """Results of many games. words: of each game the rounds and decisions and how it came to its end, and of each seat
    its place and points."""

    seats: int
    lines: int
    words: array[int]

    def __len__(self) -> int:
        return len(self.words) // self._width

    @property
    def _width(self) -> int:
        return GAME_WORDS + self.seats * (1 + self.lines)

    def __iter__(self) -> Iterator[GameResult]:
        for first in range(0, len(self.words), self._width):
            yield parse_result(self.words[first : first + self._width], self.lines)


@record
class CountedGames:
    """Games that were counted. words: of each its results, and then its row of counts; sums: of choices in all games,
    as `game_statistics` has them; stopped: why some could not be played to their ends, by their places. Those have no
    places, points or counts."""

    words: array[int]
    sums: array[float]
    stopped: Mapping[int, str] = field(default_factory=dict)


def stopped_words(rounds: int, decisions: int, width: int) -> list[int]:
    """The words of a game that could not be played to its end: how far it came. width: how many a game has."""
    return [rounds, decisions, STOPPED, *[0] * (width - GAME_WORDS)]


def parse_result(words: Sequence[int], lines: int) -> GameResult:
    """Return the result of a game from its words. lines: of scoring."""
    width = 1 + lines
    seats = range(GAME_WORDS, len(words), width)
    points = tuple([tuple(words[first + 1 : first + width]) for first in seats])
    return GameResult(words[0], words[1], words[2] == AT_LIMIT, tuple(words[GAME_WORDS::width]), points)


def result_words(machine: Machine, s: State, earlier_answers: int = 0) -> list[int]:
    """The words of a game that is over. earlier_answers: number of answers before, which do not count.

    Only seats with a place have points: what is not counted cannot be wrong. Raises RuleError.
    """
    places = ranks(machine, s)
    words = [s[ROUND], s[ANSWERS] - earlier_answers, s[LIMITED]]
    for seat in range(machine.program.layout.seats):
        words.append(places.get(seat, 0))
        words += [
            machine.call(line.function, s, seat)[0][0] if seat in places else 0 for line in machine.program.scoring
        ]
    return words
