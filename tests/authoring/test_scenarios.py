"""Every scenario file of the project, and the runner: what it prints about failures and broken files."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from project_folders import TESTS
from rulewright.authoring.scenarios import case_game, run
from rulewright.base import resources
from rulewright.program.state_layout import Layout
from rulewright.runtime.state import State, from_json
from rulewright.syntax import schema
from small_games.pebbles import FIRST, PEBBLES, ran

CASES_FOLDER = TESTS
FILES = [  # those of the small games are run beside the games
    *(file for file in sorted((CASES_FOLDER / "scenarios").rglob("*.yaml")) if file.parent.name != "games"),
    *sorted(resources.folder("editions").rglob("*.examples.yaml")),
]
SCHEMA = resources.folder("spec") / schema.SCENARIOS


# ── the project's own cases ──


@pytest.mark.rotating(4)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_scenario_files_pass(file: Path) -> None:
    out = io.StringIO()
    assert run([str(file)], out) == 0, out.getvalue()
    assert not out.getvalue().startswith("0 passed")


def test_the_examples_of_the_reference_run(tmp_path: Path) -> None:
    text = resources.read_text("spec", "SCENARIOS.md")
    examples = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        assert ran(tmp_path, example, "")[0] == 0


def test_the_reference_names_every_key() -> None:
    text = resources.read_text("spec", "SCENARIOS.md")
    root = json.loads(SCHEMA.read_text(encoding="utf-8"))
    keys = {key for part in [root, *root["$defs"].values()] for key in part.get("properties", {})}
    assert len(keys) > 20
    assert [key for key in keys if f"`{key}" not in text and f"{{{key}: " not in text] == []


def test_the_schema_is_one_and_describes_every_key() -> None:
    root = schema.load(schema.SCENARIOS)
    Draft202012Validator.check_schema(root)
    undescribed = []

    def look(part: object, path: str) -> None:
        if isinstance(part, dict):
            for group in ("properties", "patternProperties"):
                for key, value in part.get(group, {}).items():
                    if not value.get("description"):
                        undescribed.append(f"{path}/{key}")
            for key, value in part.items():
                look(value, f"{path}/{key}")
        elif isinstance(part, list):
            for value in part:
                look(value, path)

    look(root, "")
    assert undescribed == []


# ── what passes and what fails ──


def test_a_case_that_passes_is_counted_and_nothing_more(tmp_path: Path) -> None:
    body = "  one:\n    do:\n      - Ada: grey pebble\n    expect: {asked: [Ben]}\n"
    assert ran(tmp_path, body) == (0, "1 passed, 0 failed\n")


def test_a_failure_shows_its_line_and_both_sides(tmp_path: Path) -> None:
    body = """\
  a case that fails:
    do:
      - Ada: [grey pebble, white pebble]
    expect:
      asked: {Ben: {least: 1}}
      Ada:
        turns: 2
        pouch: [white pebble]
"""
    assert ran(tmp_path, body) == (
        1,
        f"""\
x.yaml:{FIRST + 6}: a case that fails
    Ada’s turns
      expected  2
      actual    1

x.yaml:{FIRST + 7}: a case that fails
    Ada’s pouch
      expected  white pebble
      actual    grey pebble, white pebble

0 passed, 1 failed
""",
    )


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("asked: nobody", "expected  nobody\n      actual    Ada (gather.pouch)"),
        ("asked: [Ben]", "expected  Ben\n      actual    Ada (gather.pouch)"),
        ("asked: {Ada: {most: 1}}", "expected  Ada (most 1)\n      actual    Ada (most 2)"),
        ("asked: {Ada: {choices: [grey pebble]}}", "expected  Ada (choices grey pebble)"),
        ("phase: resting", "expected  resting\n      actual    gathering"),
        ("round: 7", "expected  7\n      actual    1"),
        ("over: yes", "expected  yes\n      actual    no"),
        ("windy: yes", "windy\n      expected  yes\n      actual    no"),
        ("heap: 5", "expected  5 pieces\n      actual    6 pieces: grey pebble, grey"),
        ("heap: {includes: [grey pebble, grey pebble, grey pebble, grey pebble]}", "(with others perhaps)"),
        ("heap: {any order: [white pebble]}", "expected  white pebble (in any order)"),
        ("heap: [white pebble]", "expected  white pebble\n      actual    grey pebble, grey pebble"),
        ("Ada: {points: 9}", "Ada’s points\n      expected  9\n      actual    0"),
        ("Ada: {rank: 2}", "Ada’s rank\n      expected  2\n      actual    1"),
        ("Ada: {lines: {pebbles: 3}}", "Ada’s points for 'pebbles'\n      expected  3\n      actual    0"),
        ("Ada: {scored: no}", "Ada is scored\n      expected  no\n      actual    yes"),
        ("seen by Ben: {heap: 6}", "expected  6 pieces, unseen\n      actual    seen: grey pebble"),
        ("seen by Ben: {bank: [coin, coin]}", "expected  coin, coin\n      actual    2 pieces, unseen"),
        ("seen by a spectator: {Ada: {pouch: 1}}", "expected  1 piece, unseen\n      actual    0 pieces, unseen"),
        ("seen by Ben: {waiting: [Ben]}", "expected  Ben\n      actual    Ada"),
        ("log: [Gathering, Nobody laughs.]", "expected  Nobody laughs.\n      actual    nothing more was told"),
        ("log: []", "expected  nothing is told\n      actual    Gathering"),
        ("log of Ben: [Resting]", "the log of Ben\n      expected  Resting\n      actual    Gathering"),
    ],
)
def test_every_expectation_can_fail(tmp_path: Path, expectation: str, message: str) -> None:
    status, out = ran(tmp_path, f"  one:\n    expect:\n      {expectation}\n")
    assert status == 1
    assert f"x.yaml:{FIRST + 2}: one\n" in out
    assert message in out


def test_an_expectation_of_hidden_points_can_fail(tmp_path: Path) -> None:
    """Only its owner sees the colour of a pebble."""
    whites = PEBBLES.replace("points: number of pouch", "points: number of (pouch where colour is white)")
    body = "  one:\n    do: [Ada: white pebble]\n    expect:\n      seen by Ben: {Ada: {points: %s}}\n"
    status, out = ran(tmp_path, body % 1, whites)
    assert status == 1
    assert "expected  1\n      actual    hidden" in out
    assert ran(tmp_path, body % "hidden", whites)[0] == 0
    assert ran(tmp_path, (body % 1).replace("seen by Ben", "seen by Ada"), whites)[0] == 0


def test_seats_that_are_not_scored(tmp_path: Path) -> None:
    seats = "  one:\n    seats: [Ada, {Robin: crow}]\n    expect: "
    assert ran(tmp_path, seats + "{Robin: {scored: no}, Ada: {rank: 1}}\n")[0] == 0
    assert "actual    not scored" in ran(tmp_path, seats + "{Robin: {points: 0}}\n")[1]


def test_an_answer_that_is_not_offered_shows_what_was(tmp_path: Path) -> None:
    status, out = ran(tmp_path, "  one:\n    do:\n      - Ada: grey pebbel\n    expect: {round: 1}\n")
    assert status == 1
    assert f"x.yaml:{FIRST + 2}: one\n    Ada’s answer\n      answer   grey pebbel\n" in out
    assert "refused  'grey pebbel' cannot be chosen. Did you mean 'grey pebble'?" in out
    assert "offered  1 to 2 of grey pebble, grey pebble, grey pebble, white pebble" in out


def test_an_answer_of_the_wrong_seat_shows_who_is_asked(tmp_path: Path) -> None:
    out = ran(tmp_path, "  one:\n    do:\n      - Ben: grey pebble\n    expect: {round: 1}\n")[1]
    assert "refused  Ben is not asked anything now." in out
    assert "offered  nothing; asked: Ada (gather.pouch)" in out


def test_an_answer_that_should_be_refused_and_is_not(tmp_path: Path) -> None:
    status, out = ran(tmp_path, "  one:\n    do:\n      - refused: {Ada: grey pebble}\n")
    assert status == 1
    assert "expected  grey pebble is refused\n      actual    accepted" in out


def test_steps_after_a_failure_are_not_played(tmp_path: Path) -> None:
    body = "  one:\n    do:\n      - expect: {round: 2}\n      - Ben: nothing\n    expect: {round: 3}\n"
    out = ran(tmp_path, body)[1]
    assert out.count("x.yaml:") == 1


MARKETS = """\
edition:
  rulewright: 1
  title: Markets
  players: 2
  words: {row name: {left row: {}, right row: {}}}
  pieces: {card: {has: {value: 1 to 6}, starts in: box, noun: "{value}"}}
  zones:
    box: {seen by: all}
    market: {of: row name, seen by: all}
    hand: {of: seat, seen by: owner}
  counters: {seat: {coins: 3}}
  setup: {do: [move first 3 of box to left row's market, move first 3 of box to right row's market]}
  phases:
    play:
      do: [each seat: [choose 1 from markets of row names into hand: {ask: "Which?"}, take 1 from coins], end game]
seats: [Ada, Ben]
cases:
  one:
    do: [Ada: "FIRST", Ben: "SECOND"]
    expect: {over: yes, Ada: {coins: 2, hand: ["3"]}, Ben: {coins: 2, hand: ["4"]}}
"""


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("3", "4", []),
        ("3 on left row", "4", []),
        ("9", "4", ["answer   9"]),
        ("9", "8", ["answer   9"]),
        ("3", "3", ["answer   3"]),
        ("3 on right row", "4", ["answer   3 on right row"]),
    ],
)
def test_one_refused_answer_is_reported_once(tmp_path: Path, first: str, second: str, lines: list[str]) -> None:
    """Answers and expectations after a refused answer only follow from it."""
    path = tmp_path / "markets.cases.yaml"
    path.write_text(MARKETS.replace("FIRST", first).replace("SECOND", second), encoding="utf-8")
    out = io.StringIO()
    assert run([str(path)], out) == len(lines)
    assert [line.strip() for line in out.getvalue().splitlines() if line.strip().startswith("answer")] == lines
    assert out.getvalue().count("markets.cases.yaml:") == len(lines)


@pytest.mark.rotating(2)
def test_rules_that_fail_are_a_failure_of_the_case(tmp_path: Path) -> None:
    body = """\
  one:
    given: {phase: gathering, windy: yes, heap: [grey pebble, white pebble, white pebble], Ben: {pouch: rest}}
    do:
      - {Ada: [grey pebble], Ben: [white pebble]}
    expect: {round: 2}
  two:
    expect: {round: 1}
"""
    status, out = ran(tmp_path, body)
    assert status == 1
    assert f"x.yaml:{FIRST + 3}: one\n    the rules\n      failed  The rules never come to an end" in out
    assert out.endswith("1 passed, 1 failed\n")


# ── the second pass, through JSON ──

ROUND_TWO = "  one:\n    do:\n      - {Ada: grey pebble, Ben: grey pebble}\n    expect: {Ada: {turns: 1}}\n"


def test_state_lost_through_json_fails_an_expectation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(text: str, layout: Layout) -> State:
        state = from_json(text, layout)
        state[next(counter.address for counter in layout.counters if counter.name == "turns")] = 0
        return state

    monkeypatch.setattr(case_game, "from_json", forgetful)
    status, out = ran(tmp_path, ROUND_TWO)
    assert status == 1
    assert "Ada’s turns, when the game is saved as JSON and made again after every answer\n" in out
    assert "expected  1\n      actual    0" in out


def test_state_lost_through_json_fails_without_an_expectation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(text: str, layout: Layout) -> State:
        state = from_json(text, layout)
        state[next(counter.address for counter in layout.counters if counter.name == "turns") + 1] = 0
        return state

    monkeypatch.setattr(case_game, "from_json", forgetful)
    status, out = ran(tmp_path, ROUND_TWO)
    assert status == 1
    assert "the game, when the game is saved as JSON" in out
    assert "actual    another state" in out


def test_the_log_survives_json(tmp_path: Path) -> None:
    body = (
        "  one:\n    do:\n      - {Ada: grey pebble, Ben: grey pebble}\n"
        "    expect: {log: [Ada takes a hidden piece., Ben takes a hidden piece., Everybody rests.], "
        "log of Ada: [Ada takes grey pebble., Ben takes a hidden piece.]}\n"
    )
    assert ran(tmp_path, body)[0] == 0


# ── files that cannot be run ──


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("  one: {expcet: {round: 1}}", "error[unknown-key]: 'expcet' is not known here.\n"),
        ("  one: {expcet: {round: 1}}", "= Did you mean 'expect'?"),
        ("  one: {expect: {rond: 1}}", "'rond' is no zone or counter of the table.\n"),
        ("  one: {expect: {rond: 1}}", "= Did you mean 'round'?"),
        ("  one: {expect: {phase: gatherin}}", "There is no phase 'gatherin'.\n"),
        ("  one: {expect: {asked: [Bem]}}", "There is no seat 'Bem'.\n"),
        ("  one: {expect: {asked: {Ada: gather.puch}}}", "= Did you mean 'gather.pouch'?"),
        ("  one: {expect: {asked: {Ada: {leest: 1}}}}", "'leest' is not known here."),
        ("  one: {expect: {heap: [grey peble]}}", "= Did you mean 'grey pebble'?"),
        ("  one: {expect: {heap: [coin]}}", "'heap' holds no coin."),
        ("  one: {expect: {heap: {any ordr: [coin]}}}", "Expected a list of pieces for 'heap', or a number."),
        ("  one: {expect: {heap: {any order: [], more: []}}}", "'more' is not known here."),
        ("  one: {expect: {heap: {any order: [], includes: []}}}", "Expected a list of pieces for 'heap'"),
        ("  one: {expect: {heap: many}}", "Expected a whole number here."),
        ("  one: {expect: {windy: 1}}", "Expected yes or no here."),
        ("  one: {expect: {Ada: 3}}", "Expected what 'Ada' has"),
        ("  one: {expect: {Ada: {puch: 3}}}", "= Did you mean 'pouch'?"),
        ("  one: {expect: {Ada: {heap: 3}}}", "'heap' is a zone of the table; it stands beside the seats."),
        ("  one: {expect: {pouch: 3}}", "'pouch' is a zone of each seat; it stands below a seat's name."),
        ("  one: {expect: {turns: 3}}", "'turns' is a counter of each seat; it stands below a seat's name."),
        ("  one: {expect: {Ada: {lines: {peebles: 1}}}}", "= Did you mean 'pebbles'?"),
        ("  one: {expect: {Ada: {rank: first}}}", "Expected a number from 0, not 'first'."),
        ("  one: {expect: {Ada: {powers: [flight]}}}", "There is no power 'flight'."),
        ("  one: {expect: {seen by Bem: {heap: 6}}}", "There is no seat 'Bem'."),
        ("  one: {expect: {seen by Ben: {haep: 6}}}", "= Did you mean 'heap'?"),
        ("  one: {expect: {log of Bem: [x]}}", "There is no seat 'Bem'."),
        ("  one: {expect: {over: perhaps}}", "Expected yes, no or at its limit, not 'perhaps'."),
        ("  one: {do: [Bem: x], expect: {round: 1}}", "There is no seat 'Bem'."),
        ("  one: {do: [{expect: {round: 1}, Ada: x}]}", "'expect' is a step of its own."),
        ("  one: {do: [refused: {Adda: x}]}", "There is no seat 'Adda'."),
        ("  one: {do: [Ada: {x: y}], expect: {round: 1}}", "Expected what is chosen"),
        ("  one: {do: [Ada: coin]}", "This case expects nothing."),
        ("  one: {}", "This case expects nothing."),
        ("  one: {seats: [Ada], expect: {round: 1}}", "Pebbles has 2 seats, not 1."),
        ("  one: {seats: [Ada, Ada], expect: {round: 1}}", "Two players are called 'Ada'"),
        ("  one: {seats: [Ada, {Robin: crew}], expect: {round: 1}}", "Did you mean 'crow'?"),
        ("  one: {seats: [Ada, heap], expect: {round: 1}}", "The seat 'heap' is called like something else"),
        ("  one: {seats: [log, Ada], expect: {round: 1}}", "The seat 'log' is called like something else"),
        ("  one: {options: {fats: yes}, expect: {round: 1}}", "Did you mean 'fast'?"),
        ("  one: {options: {fast: very}, expect: {round: 1}}", "The option 'fast' can be no or yes, not 'very'."),
        ("  one: {seed: x, expect: {round: 1}}", "Expected a number from 0, not 'x'."),
        ("  one: {given: {heap: []}, expect: {round: 1}}", "'phase' is missing in 'given'."),
        ("  one: {given: {phase: gathring}, expect: {round: 1}}", "= Did you mean 'gathering'?"),
        ("  one: {given: {phase: gathering, round: 0}, expect: {round: 1}}", "Rounds count from 1."),
        ("  one: {given: {phase: gathering, haep: []}, expect: {round: 1}}", "= Did you mean 'heap'?"),
        ("  one: {given: {phase: gathering, heap: []}, expect: {round: 1}}", "6 more pieces start in 'heap'"),
        ("  one: {given: {phase: gathering, heap: 3}, expect: {round: 1}}", "Expected a list of pieces for 'heap'"),
        ("  one: {given: {phase: gathering, heap: {x: []}}, expect: {round: 1}}", "Expected 'top' for 'heap'"),
        ("  one: {given: {phase: gathering, windy: 3}, expect: {round: 1}}", "Expected yes or no here."),
        ("  one: {given: {phase: gathering, Ada: 3}, expect: {round: 1}}", "Expected what 'Ada' has"),
        ("  one: {given: {phase: gathering, Ada: {pouch: [coin]}}, expect: {round: 1}}", "'pouch' holds no coin."),
        (
            "  one: {given: {phase: gathering, Ada: {pouch: [grey pebble, grey pebble, grey pebble, grey pebble]}}, "
            "expect: {round: 1}}",
            "This position needs more of 'grey pebble' than there are: 3.",
        ),
        (
            "  one: {given: {phase: gathering, heap: [grey pebble], Ada: {pouch: rest}}, expect: {round: 1}}",
            "'pouch' has room for 4 pieces, not for 5.",
        ),
        (
            "  one: {given: {phase: gathering, heap: [], Ada: {pouch: rest}, Ben: {pouch: rest}}, expect: {round: 1}}",
            "Only one zone can take the rest.",
        ),
    ],
)
def test_invalid_cases_give_an_error(tmp_path: Path, body: str, message: str) -> None:
    status, out = ran(tmp_path, body + "\n")
    assert message in out
    assert status == 2
    assert re.search(rf"^x\.yaml:{FIRST}:[0-9]+: error\[", out, re.MULTILINE)
    assert re.search(r"^ +\| +\^+$", out, re.MULTILINE)
    assert out.endswith("\n0 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("edition: pebles/1\nseats: [Ada]\ncases: {one: {}}\n", "x.yaml:1:10: error[unknown-edition]"),
        ("edition: ./none.yaml\nseats: [Ada]\ncases: {one: {}}\n", "There is no file './none.yaml'."),
        ("cases: {one: {}}\n", "'edition' is missing."),
        ("edition: x\n", "'cases' is missing."),
        ("edition: x\ncases: {}\n", "Nothing stands here; at least one entry is expected."),
        ("edition: [\n", "x.yaml:"),
        ("", "This file is empty."),
        ("just a text\n", "error["),
        ("rulewright: 1\ntitle: x\n", "error[other-file]: This is a game, not a file of cases."),
        ("edition: {title: x}\nseats: [Ada]\ncases: {one: {}}\n", "x.yaml:1:10: error[missing-key]"),
    ],
)
def test_files_without_cases_are_refused(tmp_path: Path, text: str, message: str) -> None:
    status, out = ran(tmp_path, text, "")
    assert status == 2
    assert message in out


def test_errors_of_an_edition_in_the_file_show_their_lines(tmp_path: Path) -> None:
    spoilt = PEBBLES.replace("- if heap is empty: end game", "- if haep is empty: end game")
    line = spoilt[: spoilt.index("haep")].count("\n") + 1
    status, out = ran(tmp_path, "  one: {expect: {round: 1}}\n", spoilt)
    assert status == 2
    assert f"x.yaml:{line}:14: error" in out
    assert "Did you mean 'heap'?" in out


def test_an_edition_of_another_file_is_found_beside_the_file(tmp_path: Path) -> None:
    lines = PEBBLES.split("\nseats:", maxsplit=1)[0].split("\n")[1:]
    edition = "\n".join(line.removeprefix("  ") for line in lines)
    (tmp_path / "pebbles.yaml").write_text(edition, encoding="utf-8")
    text = "edition: pebbles.yaml\nseats: [Ada, Ben]\ncases: {one: {expect: {round: 1}}}\n"
    assert ran(tmp_path, text, "") == (0, "1 passed, 0 failed\n")


def test_folders_are_searched_and_other_files_still_run(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "good.yaml").write_text(PEBBLES + "  one: {expect: {round: 1}}\n", encoding="utf-8")
    (tmp_path / "bad.yaml").write_text(PEBBLES + "  one: {expect: {round: 1}, x: y}\n", encoding="utf-8")
    out = io.StringIO()
    assert run([str(tmp_path)], out) == 2
    assert "bad.yaml" in out.getvalue()
    assert out.getvalue().endswith("\n1 passed, 0 failed\n")


def test_paths_without_a_file(tmp_path: Path) -> None:
    out = io.StringIO()
    assert run([str(tmp_path), str(tmp_path / "none.yaml")], out) == 2
    assert "There is no .yaml file in" in out.getvalue()
    assert "There is no such file." in out.getvalue()
    assert out.getvalue().endswith("\n0 passed, 0 failed\n")
