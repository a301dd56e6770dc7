"""Paths of tracks, and listed spaces with places."""

from __future__ import annotations

from itertools import pairwise
from math import atan2

import pytest

from project_folders import GAMES
from rulewright.game import library
from rulewright.game.terms import localizer_of
from rulewright.publish.board_places import board_kind, board_places, path, ring, roads
from rulewright.publish.faces import Faces
from rulewright.publish.printing.parts import empty_board


@pytest.mark.parametrize("count", [5, 12, 13, 30, 63, 100])
def test_a_path_bends_without_a_gap(count: int) -> None:
    places = path(count, False)
    assert len(set(places)) == count
    assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in pairwise(places))


@pytest.mark.parametrize("count", [8, 24, 40])
def test_a_path_that_goes_round_ends_beside_its_first_space(count: int) -> None:
    places = path(count, True)
    assert len(set(places)) == count
    assert all(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in pairwise([*places, places[0]]))


def test_listed_spaces_lie_where_their_drawing_has_them() -> None:
    edition = library.load(str(GAMES / "ferries.yaml")).edition
    (board,) = edition.boards.values()
    words = [word.name for word in edition.words[board.spaces].words]
    places = dict(zip(words, board_places(edition, board), strict=True))
    assert (places["rum"], places["port ellen"], places["skye"]) == ((1, 0), (1, 4), (3, 0))
    assert (places["oban"], places["port ellen"]) in roads(edition, board)
    assert len(roads(edition, board)) == sum(map(len, board.neighbours)) / 2


def test_a_printed_board_names_its_places_and_joins_them() -> None:
    rules = library.load(str(GAMES / "ferries.yaml"))
    (board,) = rules.edition.boards.values()
    svg = empty_board(rules.edition, board, Faces(rules, localizer_of(rules.edition, "en")))
    assert ">Port ellen</text>" in svg
    assert svg.count('stroke="#FFF6E3" stroke-width="22"') == 1


def test_listed_spaces_without_places_lie_on_a_circle_where_no_roads_cross() -> None:
    edition = library.load(str(GAMES / "harbours.yaml")).edition
    (board,) = edition.boards.values()
    places = board_places(edition, board)
    assert board_kind(edition, board) == "places" and len(roads(edition, board)) == 5
    assert len(set(places)) == 4
    # a ring of six, listed to and fro
    order = sorted(
        range(6), key=lambda space: atan2(*ring_around(((1, 2), (0, 3), (0, 4), (1, 5), (2, 5), (3, 4)), space))
    )
    chain = [0, 1, 3, 5, 4, 2]
    start = order.index(0)
    assert [*order[start:], *order[:start]] in (chain, [0, *reversed(chain[1:])])


def ring_around(neighbours: tuple[tuple[int, ...], ...], space: int) -> tuple[float, float]:
    places = ring(neighbours)
    middle_x, middle_y = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return places[space][0] - middle_x, places[space][1] - middle_y
