"""Cases of the workbench: made from lines of play, run, and written anew."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulewright.authoring import scenarios
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n import languages
from rulewright.syntax import formatter
from rulewright.workbench.cases import case_builder, case_runner, case_texts
from rulewright.workbench.cases.case_runner import FileRun
from rulewright.workbench.cases.case_texts import CaseTextError
from rulewright.workbench.play.game_start import GameStart, default_start
from rulewright.workbench.play.play_tree import PlayNode, PlayTree

HILLS = """
rulewright: 1
title: Hills
players: 2
words:
  folk: {elf: , dwarf: }
boards:
  land:
    of: space
    map: |
      gg
      gg
pieces:
  settler: {each: folk, copies: 4, starts in: box, noun: "{folk}"}
zones:
  box: {seen by: all}
  ground: {of: space, seen by: all}
  hand: {of: seat, seen by: owner}
counters:
  seat: {moves: 0}
  space: {visits: 0}
values:
  game: {step: 1}
setup:
  text: Everybody takes a settler.
  do:
    - each seat: move first 1 of box to hand
phases:
  settle:
    do:
      - each seat: do place
    steps:
      place:
        do:
          - choose 1 from box into hand:
              ask: Whom do you take?
          - choose 1 from spaces as goal:
              ask: Where to?
          - move last 1 of hand to goal's ground
          - add step to moves
          - add 1 to goal's visits
          - log: "{seat} settles on {goal}."
scoring:
  moves: {points: moves}
ranking: highest score
"""


def rules(*changes: tuple[str, str]) -> Rules:
    text = HILLS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return library.from_text(text)


def line(tree: PlayTree, *answers: str, beginning: GameStart | None = None) -> PlayNode:
    node = tree.start_game(beginning or default_start(tree.rules.edition))
    for answer in answers:
        [(seat, _)] = tree.game_at(node).pending.ids
        node = tree.answer(node, seat, [answer])
    return node


def test_a_line_becomes_a_case_that_designers_like_to_read() -> None:
    tree = PlayTree(rules())
    node = line(tree, "dwarf", "b1")
    name = case_builder.name_for(tree, node)
    text = case_builder.add_case("", tree, node, name, "hills.yaml", str)
    assert text == (
        """\
# Cases of this game: what must come of what is done.
edition: hills.yaml
seats: [Ada, Ben]

cases:
  Ada settles on b1:
    do:
      - Ada: dwarf
      - Ada: b1
    expect:
      asked: [Ben]
      ground: {b1: dwarf}
      Ada: {points: 1, hand: [elf], moves: 1}
      visits: {b1: 1}
"""
    )
    assert formatter.format_file(None, "x", text) == text


def test_a_second_case_leaves_all_else_as_it_was() -> None:
    tree = PlayTree(rules())
    text = """\
# My own words.
edition: hills.yaml
seats: [Ada, Ben]

cases:
  # The first one.
  it begins: # behind
    expect: {asked: [Ada]} # there

# below all
"""
    node = line(tree, "elf", "a2", "dwarf")
    result = case_builder.add_case(text, tree, node, "Ben has taken one", "hills.yaml", str)
    assert result.startswith(text[: text.index("\n# below")])
    assert "# below all" in result and result.count("seats:") == 1
    with pytest.raises(CaseTextError, match="already"):
        case_builder.add_case(result, tree, node, "Ben has taken one", "hills.yaml", str)
    assert node.parent is not None
    assert case_builder.name_for(tree, node.parent, ["Ada settles on a2"]) == "Ada settles on a2 (2)"


def test_cases_hold_other_seats_seeds_and_positions(tmp_path: Path) -> None:
    tree = PlayTree(rules())
    arguments = {"phase": "settle", "ground": {"a1": ["elf", "elf"]}, "Mia": {"moves": "3"}}
    node = line(tree, "elf", "a1", beginning=GameStart(("Mia", "Tom"), (None, None), {}, 5, arguments))
    text = case_builder.add_case("", tree, node, "again", "hills.yaml", str)
    for output in (
        "seats: [Mia, Tom]",
        "    seed: 5",
        "    given:",
        "{a1: [elf, elf]}",
        "Mia: {points: 4, hand: [], moves: 4}",
    ):
        assert output in text
    (tmp_path / "hills.yaml").write_text(HILLS)
    (tmp_path / "hills.cases.yaml").write_text(text)
    out = io.StringIO()
    assert scenarios.run([str(tmp_path)], out) == 0, out.getvalue()


def test_a_file_with_a_mistake_is_left_alone() -> None:
    tree = PlayTree(rules())
    with pytest.raises(EditionError, match=r"hills\.cases\.yaml:3:1: error\[bad-brackets\]"):
        case_builder.add_case("edition: hills.yaml\ncases: {\n", tree, line(tree), "x", "hills.yaml", str)
    with pytest.raises(CaseTextError, match="name"):
        case_builder.add_case("", tree, line(tree), "  ", "hills.yaml", str)


CASES = """\
edition: hills.yaml
seats: [Ada, Ben]

cases:
  Ada settles:
    do:
      - Ada: dwarf
      - expect: {asked: [Ada], Ada: {hand: {any order: [elf, dwarf]}}}
      - Ada: b1
    expect:
      # What she has.
      Ada: {points: 1, moves: 1}
      ground: {b1: dwarf}
      visits: {b1: 1}

  drawn:
    do:
      - Ada: dwarf
      - Ada: b1
    expect:
      ground:
        drawn: |
          .d
          ..
        with: {d: dwarf}

  Ben settles:
    given: {phase: settle}
    do:
      - Ada: dwarf
      - Ada: b1
      - refused: {Ben: troll}
      - Ben: elf
    expect: {asked: {Ben: place.goal}}
"""


def file_runs(tested: Rules, texts: dict[str, str]) -> list[FileRun]:
    return [result.translated(str) for result in case_runner.run(tested, texts) or ()]


def test_cases_are_run_with_their_differences() -> None:
    [right] = file_runs(rules(), {"hills.cases.yaml": CASES})
    assert [(case.name, case.line, case.answers) for case in right.cases] == [
        ("Ada settles", 5, 2), ("drawn", 16, 2), ("Ben settles", 27, 3),
    ]  # fmt: skip
    assert [case.differences for case in right.cases[:2]] == [[], []]
    [result] = file_runs(rules(("step: 1", "step: 2")), {"hills.cases.yaml": CASES})
    assert [(one.title, one.line, one.details) for one in result.cases[0].differences] == [
        ("Ada’s points", 12, [("expected", "1"), ("actual", "2")]),
        ("Ada’s moves", 12, [("expected", "1"), ("actual", "2")]),
    ]
    assert case_runner.run(rules(), {"x.cases.yaml": CASES}, lambda: True) is None
    [broken] = file_runs(rules(), {"x.cases.yaml": CASES.replace("[elf", "[eft")})
    assert [len(case.differences) for case in broken.cases] == [1, 0, 0]
    assert "eft" in broken.cases[0].differences[0].title and broken.cases[0].differences[0].line == 8
    [none] = file_runs(rules(), {"x.cases.yaml": "cases: ["})
    assert none.error and none.line == 1
    results = case_runner.run(rules(), {"x.cases.yaml": CASES.replace("[elf", "[eft")})
    assert results is not None
    german = results[0].translated(languages.diagnostic_translator("de"))
    assert "„eft“" in german.cases[0].differences[0].title


def test_a_failing_case_can_be_accepted() -> None:
    changed = rules(("step: 1", "step: 2"))
    case = case_runner.find_case(changed, "hills.cases.yaml", CASES, "Ada settles")
    text = case_runner.update_expectations(case, CASES, "hills.cases.yaml", str)
    assert text == CASES.replace("{points: 1, moves: 1}", "{points: 2, moves: 2}")


def test_all_kinds_of_expectations_can_be_updated() -> None:
    changed = rules(("elf: , dwarf: ", "dwarf: , elf: "), ("move last 1 of hand", "move first 1 of hand"))
    for name in ("Ada settles", "drawn"):
        case = case_runner.find_case(changed, "hills.cases.yaml", CASES, name)
        text = case_runner.update_expectations(case, CASES, "hills.cases.yaml", str)
        assert not case_runner.run_case(case_runner.find_case(changed, "hills.cases.yaml", text, name)).failures


def test_an_impossible_answer_cannot_be_accepted() -> None:
    changed = rules(("choose 1 from box into hand", "choose 1 from box where folk is elf into hand"))
    case = case_runner.find_case(changed, "hills.cases.yaml", CASES, "drawn")
    with pytest.raises(CaseTextError, match=r"Antwort von Ada.*dwarf"):
        case_runner.update_expectations(case, CASES, "hills.cases.yaml", languages.diagnostic_translator("de"))


@pytest.mark.parametrize(
    ("name", "edition", "belongs"),
    [
        ("hills.cases.yaml", "hills.yaml", True),
        ("hills.examples.yaml", "somewhere", True),
        ("tests/far.yaml", "../hills.yaml", True),
        ("tests/far.yaml", "hills.yaml", False),
        ("hills.cases.yaml", "other.yaml", False),
        ("notes.txt", "hills.yaml", False),
    ],
)
def test_files_of_cases_of_an_edition(name: str, edition: str, belongs: bool) -> None:
    assert case_texts.has_cases_of(name, f"edition: {edition}\ncases: {{}}\n", "hills.yaml") is belongs
