"""Room around spaces: the middle of a board has most, where rules go by what is connected."""

from __future__ import annotations

import pytest

from rulewright.game import library
from rulewright.players.room import room_of_candidates


def opening_room(name: str) -> dict[int, float]:
    """Return the room of the candidates of a game's first question."""
    machine = library.load(name).machine(2)
    s = machine.new(1)
    machine.run(s)
    [question] = machine.open_decisions(s)
    return room_of_candidates(machine.program, question)


@pytest.mark.parametrize("name", ["classics/go", "classics/hex"])
def test_the_middle_of_a_connected_board_has_more_room_than_its_edges(name: str) -> None:
    room = opening_room(name)
    size = round(len(room) ** 0.5)
    corner, edge, middle = room[0], room[size // 2], room[size * size // 2]
    assert corner < edge < 0 < middle == max(room.values())
    assert sum(room.values()) == pytest.approx(0)


@pytest.mark.parametrize("name", ["classics/reversi", "classics/mancala"])
def test_where_nothing_is_connected_all_have_the_same_room(name: str) -> None:
    assert not opening_room(name)
