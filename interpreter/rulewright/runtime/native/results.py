"""What bulk play gives: how many games ended, in few words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from rulewright.base.records import record
from rulewright.program.form import ANSWERS, LIMITED, ROUND
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import ranks

GAME_WORDS = 3  # those of a game's words that are of no seat


@record
class GameResult:
    """How one game ended. limited: whether it came to its limit; places: of each seat, 1 for the winner, shared by
    equals, and 0 for who is not scored, and where there is no result; points: of each seat, by scoring line, 0
    likewise."""

    rounds: int
    decisions: int
    limited: bool
    places: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]


@record
class GameResults:
    """How many games ended. words: of each game the rounds and decisions and whether it came to its limit, and of each
    seat its place and points."""

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
            yield played(self.words[first : first + self._width], self.lines)


@record
class CountedGames:
    """Games that were counted. words: of each the words of its results, and then its row of counts; sums: of choices,
    over all of them, as `counting` has them."""

    words: array[int]
    sums: array[float]


def played(words: Sequence[int], lines: int) -> GameResult:
    """How a game ended, from its words. lines: of scoring."""
    width = 1 + lines
    seats = range(GAME_WORDS, len(words), width)
    points = tuple([tuple(words[at + 1 : at + width]) for at in seats])
    return GameResult(words[0], words[1], bool(words[2]), tuple(words[GAME_WORDS::width]), points)


def reckoned(machine: Machine, s: State, given: int = 0) -> list[int]:
    """The words of a game that is over. given: the answers that do not count, since they came before.

    Only seats with a place have points: what is not counted cannot be wrong. Raises RuleError.
    """
    places = ranks(machine, s)
    words = [s[ROUND], s[ANSWERS] - given, s[LIMITED]]
    for seat in range(machine.program.layout.seats):
        words.append(places.get(seat, 0))
        words += [
            machine.call(line.function, s, seat)[0][0] if seat in places else 0 for line in machine.program.scoring
        ]
    return words
