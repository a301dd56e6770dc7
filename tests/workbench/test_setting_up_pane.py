"""The pane 'Set up': the source of a position, its messages, and the game that starts with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from small_games.counting import COUNTING
from workbenches import Refused, Workbench, workbench

FILE = "counting.yaml"
CASES = """edition: counting.yaml
seats: [Nora, Timo]

cases:
  a full hand:
    given: {phase: take, round: 2, Nora: {hand: [chip, chip], taken: 1}}
    expect: {round: 2}
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    files = {FILE: COUNTING, "counting.cases.yaml": CASES}
    with workbench(tmp_path_factory.mktemp("setup"), files) as result:
        yield result


def test_a_position_begins_as_usual(bench: Workbench) -> None:
    result = bench.get("setup", file=FILE)
    assert len(result["draft"]["zones"]["heap//"]) == 30 and result["draft"]["phase"] == "take"
    assert result["cases"] == [{"file": "counting.cases.yaml", "name": "a full hand"}]
    assert [one["key"] for one in result["counters"]] == ["taken/0", "taken/1"]


def test_a_position_begins_where_the_game_is(bench: Workbench) -> None:
    node = bench.get("play", file=FILE)["node"]
    bench.post("play/answer", {"node": node, "seat": 0, "take": ["2"]}, file=FILE)
    assert bench.get("setup", file=FILE, **{"from": "node"})["draft"]["zones"]["hand/0/"] == ["chip", "chip"]


def test_a_position_begins_as_a_case_does(bench: Workbench) -> None:
    slots = {"from": "case", "in": "counting.cases.yaml", "name": "a full hand"}
    draft = bench.get("setup", file=FILE, **slots)["draft"]
    assert draft["seats"] == ["Nora", "Timo"] and draft["round"] == 2
    assert (draft["zones"]["hand/0/"], draft["counters"]["taken/0"]) == (["chip", "chip"], "1")
    text = bench.post("setup/check", draft, file=FILE)
    assert text["text"] == "given: {phase: take, round: 2, Nora: {hand: [chip, chip], taken: 1}}\n"


def test_a_game_begins_with_it_among_the_lines_of_play(bench: Workbench) -> None:
    draft = bench.get("setup", file=FILE)["draft"]
    draft["zones"]["hand/1/"].append(draft["zones"]["heap//"].pop())
    node = bench.post("setup/play", draft, file=FILE)["node"]
    assert bench.get("play", file=FILE, node=node)["game"]["now"]["zones"]["hand/1/"]["count"] == 1


def test_an_impossible_position_is_reported_and_not_played(bench: Workbench) -> None:
    draft = bench.get("setup", file=FILE)["draft"]
    draft["zones"]["hand/1/"] = ["chip"] * 2
    text = bench.post("setup/check", draft, file=FILE)
    assert not text["text"] and "needs more of 'chip' than there are: 30" in text["trouble"]
    with pytest.raises(Refused, match="needs more of"):
        bench.post("setup/play", draft, file=FILE)


@pytest.mark.parametrize("wrong", [{"round": 0}, {"zones": 3}, {"seats": ["Ada"]}, {"phase": ["x"]}, {"seed": -1}])
def test_an_invalid_draft_is_refused(bench: Workbench, wrong: dict[str, object]) -> None:
    draft = bench.get("setup", file=FILE)["draft"] | wrong
    with pytest.raises(Refused, match="400"):
        bench.post("setup/play", draft, file=FILE)


def test_an_unknown_case_is_refused(bench: Workbench) -> None:
    for slots in ({"in": "counting.cases.yaml", "name": "another"}, {"in": "../x.yaml", "name": "a"}, {"in": ""}):
        with pytest.raises(Refused, match="400"):
            bench.get("setup", file=FILE, **{"from": "case"}, **slots)
