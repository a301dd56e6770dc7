"""The random generator against `spec/RANDOM.md`, and the document against its own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base import resources
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime import rng

WORD = 2**32
SPEC = resources.read_text("spec", "RANDOM.md")


class Specified:
    """Generator written from the document alone."""

    def __init__(self, seed: int) -> None:
        self.a, self.b, self.c, self.n = seed % WORD, (seed >> 32) % WORD, 0, 1
        for _ in range(12):
            self.bits()

    @classmethod
    def from_cells(cls, cells: list[int]) -> Specified:
        result = cls(0)
        result.a, result.b, result.c, result.n = cells
        return result

    @property
    def cells(self) -> list[int]:
        return [self.a, self.b, self.c, self.n]

    def bits(self) -> int:
        result = (self.a + self.b + self.n) % WORD
        rotated = self.c * 2**21 % WORD + self.c // 2**11
        self.a, self.b = self.b ^ self.b // 2**9, 9 * self.c % WORD
        self.c, self.n = (rotated + result) % WORD, (self.n + 1) % WORD
        return result

    def fair(self, limit: int) -> int:
        while (number := self.bits()) * limit % WORD < WORD % limit:
            pass
        return number

    def below(self, limit: int) -> int:
        return self.fair(limit) * limit // WORD

    def shuffle(self, items: list[int]) -> list[int]:
        items, left = list(items), len(items)
        while left > 1:
            fewest = limit = left
            while fewest > 2 and limit * (fewest - 1) <= 2**26:
                fewest -= 1
                limit *= fewest
            number = self.fair(limit)
            while left >= fewest:
                place, number = number * left // WORD, number * left % WORD
                left -= 1
                items[place], items[left] = items[left], items[place]
        return items

    def draw(self, items: list[int], expected: int) -> list[int]:
        results: list[int] = []
        for place in range(len(items)):
            if len(results) < expected and self.below(len(items) - place) < expected - len(results):
                results.append(items[place])
        return results


def state(cells: list[int]) -> list[int]:
    """Return the part of a state that the generator needs."""
    return [0] * RANDOM + cells


def new_state(seed: int) -> list[int]:
    return state(rng.seeded(seed))


def used(s: list[int]) -> int:
    """Return the number of results taken since the seeding."""
    return s[RANDOM + 3] - 13


def table(first_cells: str) -> Iterator[list[str]]:
    """Yield the rows of the document's table whose heading begins so."""
    rows = SPEC.partition(f"\n| {first_cells}")[2].split("\n\n")[0].splitlines()[2:]
    assert rows, first_cells
    for row in rows:
        yield [cell.strip() for cell in row.strip("|").split("|")]


def numbers(text: str, base: int = 10) -> list[int]:
    return [int(word, base) for word in text.split()]


# ── the vectors of the document ──


def test_cells_of_the_generator_are_where_the_document_says() -> None:
    assert (RANDOM, RANDOM_CELLS) == (5, 4)
    assert re.search(r"the numbers 5 to 8 if its first cell is number 0", SPEC)


def test_seeds_and_results() -> None:
    for seed, cells, results in table("seed | a, b"):
        s = new_state(int(seed))
        assert s[RANDOM:] == Specified(int(seed)).cells == numbers(cells, 16), seed
        assert [rng.next_bits(s) for _ in range(4)] == numbers(results, 16), seed


def test_numbers_below_limits() -> None:
    for seed, limit, expected, results in table("seed | limit"):
        s = new_state(int(seed))
        assert [rng.below(s, int(limit)) for _ in range(8)] == numbers(expected), limit
        assert used(s) == int(results), limit


def test_lists_are_shuffled_as_documented() -> None:
    for seed, length, expected, results in table("seed | length | the list"):
        s = new_state(int(seed))
        assert (rng.shuffled(s, range(int(length))), used(s)) == (numbers(expected), int(results)), length


def test_lists_are_drawn_from_as_documented() -> None:
    for seed, length, request, expected, results in table("seed | length | wanted"):
        s = new_state(int(seed))
        assert rng.draw(s, list(range(int(length))), int(request)) == numbers(expected), (length, request)
        assert used(s) == int(results), (length, request)


# ── the generator and the words of the document agree everywhere ──

cells_of_a_state = st.lists(st.integers(0, WORD - 1), min_size=4, max_size=4)


@given(st.integers(-(2**70), 2**70))
def test_any_seed(seed: int) -> None:
    assert rng.seeded(seed) == Specified(seed).cells == rng.seeded(seed % 2**64)


@given(cells_of_a_state, st.integers(1, WORD))
def test_any_number(cells: list[int], limit: int) -> None:
    s, specified = state(cells), Specified.from_cells(cells)
    assert (rng.below(s, limit), s[RANDOM:]) == (specified.below(limit), specified.cells)


@given(cells_of_a_state, st.integers(0, 60))
def test_any_shuffle(cells: list[int], length: int) -> None:
    s, specified = state(cells), Specified.from_cells(cells)
    items = rng.shuffled(s, range(length))
    assert sorted(items) == list(range(length))
    assert (items, s[RANDOM:]) == (specified.shuffle(list(range(length))), specified.cells)


@given(cells_of_a_state, st.integers(0, 40), st.integers(-2, 42))
def test_any_draw(cells: list[int], length: int, count: int) -> None:
    s, specified, items = state(cells), Specified.from_cells(cells), list(range(length))
    picture = rng.draw(s, items, count)
    assert items == list(range(length)) and len(picture) == max(0, min(length, count))
    assert picture == sorted(picture)
    assert (picture, s[RANDOM:]) == (specified.draw(items, count), specified.cells)


# ── evenness ──


def before(first: int, second: int = 1) -> list[int]:
    """Return a state whose next results are these two."""
    return state([first, 0, (second - 1) * pow(9, -1, WORD) % WORD, 0])


@pytest.mark.parametrize("limit", [*range(1, 61), 46 * 45, 10**6 + 3, 2**31 - 1, 2**31 + 1, WORD - 1, WORD])
def test_every_number_has_equally_many_results(limit: int) -> None:
    """Results that lead to one number form an interval; its ends are tried, and the result before it."""
    rejected = WORD % limit
    for number in {*range(min(limit, 60)), limit // 2, limit - 1}:
        first = -(-(number * WORD + rejected) // limit)
        last = -(-(number + 1) * WORD // limit) - 1
        assert last - first + 1 == WORD // limit
        for result in (first, last):
            s = before(result)
            assert (rng.below(s, limit), s[RANDOM + 3]) == (number, 1)
        if first * limit - limit >= number * WORD:  # the result before it would lead here as well
            s = before(first - 1)
            rng.below(s, limit)
            assert s[RANDOM + 3] > 1


@pytest.mark.parametrize("results", [(0, 7**11), (7**11, 0), (0, 0)], ids=["first", "second", "both"])
@pytest.mark.parametrize(("length", "least"), [(13, 2), (46, 7), (60, 10)])
def test_shuffle_rejects_as_well(length: int, least: int, results: tuple[int, int]) -> None:
    """Limits that do not divide 2³² reject the result 0."""
    s = before(*results)
    specified = Specified.from_cells(s[RANDOM:])
    assert rng.shuffled(s, range(length)) == specified.shuffle(list(range(length)))
    assert s[RANDOM:] == specified.cells and s[RANDOM + 3] > least


def chi_square(results: Counter[tuple[int, ...]], outcomes: int) -> float:
    expected = results.total() / outcomes
    return sum(count**2 / expected for count in results.values()) - results.total()


def test_all_orders_and_choices_come_equally_often() -> None:
    """24 orders and 20 choices, so 23 and 19 degrees of freedom: 60 has a chance below 1 in 20,000."""
    s = new_state(2022)
    orders, choices = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for _ in range(12_000):
        orders[tuple(rng.shuffled(s, range(4)))] += 1
        choices[tuple(rng.draw(s, [0, 1, 2, 3, 4, 5], 3))] += 1
    assert chi_square(orders, 24) < 60 and chi_square(choices, 20) < 60


# ── games use it as specified ──

LOTTERY = """
rulewright: 1
title: Lottery
players: 4
pieces:
  ball: {has: {value: 1 to 9}, starts in: urn, noun: "{value}"}
zones:
  urn: {seen by: all, pile: yes}
  drum: {seen by: all}
phases:
  draw:
    do:
      - shuffle urn
      - choose at random 3 from balls in urn into drum
      - each seat by random:
          - log: "{seat}"
      - end game
"""


RULES = library.from_text(LOTTERY)


@given(st.integers(0, 2**53 - 1))
def test_game_shuffles_draws_and_orders(seed: int) -> None:
    specified = Specified(seed)
    urn = specified.shuffle(list(range(1, 10)))
    picture = specified.draw(urn, 3)
    ranks = [specified.below(2**31 - 1) for _ in range(4)]
    game = Game.start(RULES, ["0", "1", "2", "3"], seed=seed)
    view = game.view(None)
    assert view.zone("urn").pieces == tuple(str(ball) for ball in urn if ball not in picture)
    assert view.zone("drum").pieces == tuple(map(str, picture))
    lines = [line.text for line in game.log.lines(None) if not line.heading]
    assert lines == [str(seat) for seat in sorted(range(4), key=ranks.__getitem__)]


def test_limit_of_random_orders() -> None:
    code = RULES.machine(4).program.code
    assert [instruction[2] for instruction in code if instruction[0] == "random"] == [2 * (2**31 - 1) + 1]


def test_chance_seed_is_a_whole_number_of_json() -> None:
    seeds = {Game.start(RULES, ["a", "b", "c", "d"]).seed for _ in range(50)}
    assert len(seeds) > 40 and all(0 <= seed < 2**53 for seed in seeds)
