"""The panes 'Play' and 'Cases', asked as their pages ask them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.workbench.core.workspace import OWN_FOLDER
from small_games.stones import OPEN_STONES
from workbenches import Refused, Workbench, workbench

FILE = "stones.yaml"
STONES = OPEN_STONES.replace("players: 2", "players: 2 to 3").replace(
    "phases:", 'options:\n  quick: {text: "A quick game.", change: {step: +1}}\nphases:', 1
)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {FILE: STONES}) as result:
        yield result


def answer(bench: Workbench, result: Any, stone: str) -> Any:
    """Answer for the asked seat."""
    [seat] = result["game"]["asked_seats"]
    return bench.post("play/answer", {"node": result["node"], "seat": seat, "take": [stone]}, file=FILE)


def start_play(bench: Workbench, **options: Any) -> Any:
    return bench.post("play/begin", {"people": 2, **options}, file=FILE)


def test_a_game_is_there_at_once(bench: Workbench) -> None:
    result = bench.get("play", file=FILE)
    assert result["people"] == 3 and result["seed"] == 1 and len(result["line"]) == 1
    assert result["game"]["now"]["asked"]["prompt"] == "Which stone do you take?"
    assert bench.get("play", file=FILE)["node"] == result["node"]
    assert bench.get("play/form", file=FILE)["people"] == [2, 3]


def test_a_virtual_player_that_may_join_is_chosen(bench: Workbench, tmp_path: Path) -> None:
    role = "\nroles:\n  leo: {title: Leo, joins: {2: optional}}\n"
    (tmp_path / "roles.yaml").write_text(STONES.replace("\nphases:", f"{role}phases:", 1), encoding="utf-8")

    def seats(**options: Any) -> Any:
        result = bench.post("play/begin", options, file="roles.yaml")
        return result["line"][0]["seats"], result["roles"]

    joins = bench.get("play/form", file="roles.yaml")["roles"][0]["joins"]
    assert seats(people=2) == (["Ada", "Ben"], [])
    assert seats(people=2, roles=["leo"]) == (["Ada", "Ben", "Leo"], ["leo"])
    assert joins == {"2": False}
    assert seats(people=3, roles=["leo"])[1] == []


def test_every_seat_sees_what_it_may_see(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")

    def bag(sight: str) -> Any:
        game = bench.get("play", file=FILE, node=result["node"], sight=sight)["game"]
        return game["now"]["zones"]["bag/0/"].get("pieces"), game["log"][-1]

    assert bag("0")[0] == ["red stone"] and bag("all")[0] == ["red stone"]
    assert bag("1")[0] is None and bag("asked")[0] is None
    assert "red stone" in json.dumps(bag("0")[1]) and "red stone" not in json.dumps(bag("1")[1])


def test_options_and_seeds_are_chosen(bench: Workbench) -> None:
    result = start_play(bench, seed=7, options={"quick": "yes"})
    assert (result["seed"], result["options"]) == (7, {"quick": "yes"})
    assert answer(bench, result, "red stone")["game"]["now"]["counters"]["turns"] == ["2", "0"]
    with pytest.raises(Refused, match="players"):
        start_play(bench, people=9)
    with pytest.raises(Refused):
        start_play(bench, people="two")


def test_one_goes_back_and_tries_something_else(bench: Workbench) -> None:
    first = start_play(bench)
    one = answer(bench, first, "red stone")
    back = bench.post("play/go", {"node": first["node"]}, file=FILE)
    assert [each["node"] for each in back["line"]] == [first["node"], one["node"]]
    other = answer(bench, back, "blue stone")
    bench.post("play/title", {"node": other["node"], "title": "blue first"}, file=FILE)
    listed = {each["node"]: each for each in bench.get("play/lines", file=FILE)["nodes"]}
    assert listed[one["node"]]["of"] == listed[other["node"]]["of"] == first["node"]
    assert listed[other["node"]]["title"] == "blue first" and listed[one["node"]]["taken"] == "red stone"
    assert bench.post("play/delete", {"node": other["node"]}, file=FILE) == {"at": first["node"]}
    with pytest.raises(Refused, match="not there"):
        bench.post("play/go", {"node": other["node"]}, file=FILE)


def test_refused_answers_give_a_reason(bench: Workbench) -> None:
    result = start_play(bench)
    with pytest.raises(Refused, match="cannot be chosen"):
        answer(bench, result, "green stone")
    assert len(bench.get("play", file=FILE)["line"]) == 1


def test_bots_play_on(bench: Workbench) -> None:
    result = start_play(bench)
    once = bench.post("play/computer", {"node": result["node"], "kind": "random"}, file=FILE)
    assert len(once["line"]) == 2
    expected = {"node": once["node"], "kind": "random", "until": "round"}
    assert bench.post("play/computer", expected, file=FILE)["game"]["now"]["round"] == 2
    ended = bench.post("play/computer", {**expected, "until": "end"}, file=FILE)
    assert ended["game"]["now"]["over"] and ended["game"]["now"]["result"]
    with pytest.raises(Refused):
        bench.post("play/computer", {"node": result["node"], "kind": "oracle"}, file=FILE)


def test_a_change_of_rules_shows_where_a_line_branches(bench: Workbench) -> None:
    result = answer(bench, answer(bench, start_play(bench), "red stone"), "blue stone")
    bench.type(FILE, STONES.replace("step: 1", "step: 3"))
    now = bench.get("play", file=FILE, node=result["node"])
    first = now["line"][1]["node"]
    assert now["parted"]["node"] == first and now["node"] == result["node"]
    assert now["parted"]["figures"] == [["Ada: turns", "1", "3"]] and now["parted"]["zones"] == []
    assert [each.get("state", "") for each in now["line"]] == ["", "parted", ""]
    after = bench.post("play/accept", {"node": first}, file=FILE)
    assert after["parted"] is None and after["node"] == result["node"] and len(after["line"]) == 3


def test_both_lines_are_kept(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")
    bench.type(FILE, STONES.replace("step: 1", "step: 3"))
    new = bench.post("play/both", {"node": result["node"]}, file=FILE)
    assert new["parted"] is None and new["game"]["now"]["counters"]["turns"] == ["3", "0"]
    old = bench.get("play", file=FILE, node=result["node"])
    assert old["kept"][0]["lines"] == ["Ada takes red stone."] and old["stopped"] is None


def test_an_impossible_line_stops(bench: Workbench) -> None:
    result = answer(bench, answer(bench, start_play(bench), "red stone"), "blue stone")
    bench.type(FILE, STONES.replace("choose 1 from heap into", "choose 1 from heap where colour is red into"))
    now = bench.get("play", file=FILE, node=result["node"])
    assert now["stopped"]["node"] == result["node"] and "blue stone" in now["stopped"]["text"]
    assert now["node"] == now["line"][1]["node"] and now["game"]["asked_seats"] == [1]
    bench.type(FILE, STONES.replace("players: 2 to 3", "players: 3"))
    assert bench.get("play", file=FILE, node=result["node"])["game"] is None


def test_an_error_of_a_game_names_the_line_of_its_rule(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")
    [line] = [number for number, text in enumerate(STONES.splitlines(), 1) if "choose 1 from heap into" in text]
    wrong = "let half be 1 / (number of heap - number of heap) rounded up"
    indent = " " * (len(STONES.splitlines()[line - 1]) - len(STONES.splitlines()[line - 1].lstrip()))
    texts = STONES.splitlines()
    texts.insert(line - 1, f"{indent}- {wrong}")
    bench.type(FILE, "\n".join(texts) + "\n")
    stopped = bench.get("play", file=FILE, node=result["node"])["stopped"]
    assert (stopped["file"], stopped["line"]) == (FILE, line)
    assert stopped["text"].startswith(f"{FILE}:{line}: '{wrong}'")


def test_mistakes_leave_the_last_game(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")
    bench.type(FILE, STONES.replace("ranking:", "rankin:"))
    assert bench.get("play", file=FILE, node=result["node"])["game"]["asked_seats"] == [1]


def test_lines_come_back_when_the_workbench_does(tmp_path: Path) -> None:
    with workbench(tmp_path, {FILE: STONES}) as bench:
        result = answer(bench, start_play(bench), "red stone")
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):  # it writes soon after
            thread.join()
    with workbench(tmp_path) as bench:
        assert bench.get("play", file=FILE)["node"] == result["node"]


def cases(bench: Workbench) -> Any:
    """All cases, as soon as they have been run."""
    since = len(bench.messages)
    result = bench.get("cases", file=FILE)
    while not result["current"]:
        bench.wait(lambda message: message["type"] == "cases", since)
        since = len(bench.messages)
        result = bench.get("cases", file=FILE)
    return result["files"]


def test_a_line_becomes_a_case_that_is_run_after_every_change(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")
    name = bench.get("cases/name", file=FILE, node=result["node"])["name"]
    assert name == "Ada takes red stone"
    assert bench.post("cases/make", {"node": result["node"], "name": name}, file=FILE) == {"file": "stones.cases.yaml"}
    assert bench.get("cases/name", file=FILE, node=result["node"])["name"] == "Ada takes red stone (2)"
    assert bench.get("play", file=FILE)["line"][1]["case"] == name
    assert [(one["name"], one.get("differences", [])) for one in cases(bench)[0]["cases"]] == [(name, [])]
    bench.type(FILE, STONES.replace("step: 1", "step: 3"))
    [one] = cases(bench)[0]["cases"]
    assert [each["title"] for each in one["differences"]] == ["Ada’s turns"]
    bench.post("cases/mend", {"cases": "stones.cases.yaml", "name": name}, file=FILE)
    bench.wait(lambda message: message["type"] == "edited" and message["file"] == "stones.cases.yaml")
    assert "turns: 3" in bench.bench.text("stones.cases.yaml")


def test_both_pictures_of_a_case(bench: Workbench) -> None:
    result = answer(bench, start_play(bench), "red stone")
    bench.post("cases/make", {"node": result["node"], "name": "x"}, file=FILE)
    bench.type(FILE, STONES.replace("choose 1 from heap into bag", "choose 1 to 2 from heap into bag"))
    bench.type(
        FILE, STONES.replace("- add step to turns", "- add step to turns\n          - move first 1 of heap to bag")
    )
    picture = bench.get("cases/picture", file=FILE, cases="stones.cases.yaml", name="x")["picture"]
    assert picture["expected"]["bag/0/"]["pieces"] == ["red stone"]
    assert picture["now"]["zones"]["bag/0/"]["pieces"] == ["red stone", "red stone"]
    with pytest.raises(Refused, match="no case"):
        bench.get("cases/picture", file=FILE, cases="stones.cases.yaml", name="y")
    with pytest.raises(Refused):
        bench.get("cases/picture", file=FILE, cases="../stones.cases.yaml", name="x")


def test_a_case_is_played_from_where_it_ends(bench: Workbench) -> None:
    text = """\
edition: stones.yaml
seats: [Mia, Tom]
cases:
  the last stone:
    given: {phase: taking, heap: [red stone, red stone], Tom: {bag: rest}}
    do:
      - Mia: red stone
      - refused: {Mia: red stone}
      - Tom: red stone
    expect: {over: yes}
"""
    bench.bench.replace("stones.cases.yaml", text)
    expected = {"cases": "stones.cases.yaml", "name": "the last stone"}
    node = bench.post("cases/play", expected, file=FILE)["node"]
    result = bench.post("play/go", {"node": node}, file=FILE)
    assert result["position"] and result["game"]["now"]["over"] and len(result["line"]) == 3
    assert result["line"][-1]["title"] == "the last stone"
    assert bench.post("cases/play", expected, file=FILE)["node"] == node


def test_lines_are_kept_when_the_workbench_ends_and_under_any_name(tmp_path: Path) -> None:
    file = f"{'遊戲' * 30}.yaml"
    with workbench(tmp_path, {file: STONES}) as bench:
        node = bench.post("play/begin", {"people": 2}, file=file)["node"]
    with workbench(tmp_path) as bench:
        assert bench.get("play", file=file)["node"] == node
        [stored] = (tmp_path / OWN_FOLDER / "lines").iterdir()
        stored.unlink()
        stored.mkdir()
        since = len(bench.messages)
        bench.post("play/begin", {"people": 3}, file=file)
        text = bench.wait(lambda message: message["type"] == "refused", since)
        assert "cannot be written" in str(text["text"])
