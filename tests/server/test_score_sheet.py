"""The score sheet: the points of each round, during a game."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from game_servers import begin, guessing, local_player, reading, server


@pytest.mark.rotating(3)
def test_points_of_each_round_so_far_are_sent_on_request(tmp_path: Path) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(server(tmp_path, [guessing(tmp_path)]))
        links = begin(client, local_player("Ann"), local_player("Bo"))
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        for reader in (ann, bo):
            for key in ("1", "2"):
                reader.answer(key)
        ann.look(lambda state: state["round"] == 2)
        ann.send(type="scores")
        sheet = ann.until("scores")
        assert [(one["round"], one["points"]) for one in sheet["rounds"]] == [(1, [0, 0]), (2, [0, 0])]


@pytest.mark.rotating(3)
def test_the_moves_are_sent_in_the_format_that_looks_name(tmp_path: Path) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(server(tmp_path, ["classics/chess"]))
        links = begin(client, local_player("Ann"), local_player("Bo"))
        ann = stack.enter_context(reading(client, links["seats"][0]))
        for key in ("e2", "e4"):
            ann.answer(key)
        ann.send(type="record")
        file = ann.until("recorded")
        assert file["name"].endswith(".pgn") and "\n1. e4 *\n" in file["text"]
