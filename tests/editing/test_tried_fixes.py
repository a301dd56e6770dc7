"""No fix leaves a file with as many mistakes as before, and most mistakes have a fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from fix_trials import broken, mistakes, trials
from rulewright.authoring.edition_check import examine
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fixes import fixes
from rulewright.editing.verified_fixes import is_mended, soundness, verify_fixes

GAME = """\
rulewright: 1
title: Pits
players: 2
pieces:
  seed: {copies: 8, starts in: store}
zones:
  store: {seen by: all}
  hand:
    of: seat
    seen by: all
phases:
  sow:
    text: Take a seed.
    do:
      - each seat: move first 1 of store to hand
      - if store is empty: end game
scoring:
  seeds: {text: A point for each., points: number of hand}
"""
PATH = Path("/games/pits.yaml")


def offer(text: str) -> dict[str, str]:
    """Return the text that each fix leads to, by its title."""
    diagnostics = mistakes(PATH, text)
    lines = text.split("\n")
    return {
        str(fix.title): text_after_fix(fix, lines)
        for each in verify_fixes(PATH, text, diagnostics, None)
        for fix in each
    }


@pytest.mark.rotating(6)
@pytest.mark.parametrize("numbers", [range(start, start + 5) for start in range(0, 20, 5)])
def test_no_fix_leaves_more_mistakes(numbers: range, tmp_path: Path) -> None:
    for number in numbers:
        path, text = broken(number)
        for trial in trials(path, text):
            assert not trial.offered or trial.mends, (number, trial)
            if trial.offered:
                assert trial.errors[1] <= trial.errors[0], (number, trial)


@pytest.mark.rotating(5)
def test_most_mistakes_have_a_fix() -> None:
    """Otherwise the test of all fixes would hold for none."""
    broken_files = [(path, text, mistakes(path, text)) for path, text in map(broken, range(100, 116))]
    mended = [any(verify_fixes(path, text, each, None)) for path, text, each in broken_files if each]
    assert sum(mended) >= len(mended) / 3, mended


def test_a_line_too_deep_does_not_make_the_line_above_a_heading() -> None:
    text = GAME.replace("    seen by: all\nphases", "       seen by: all\nphases")
    assert text != GAME
    every = offer(text)
    assert "Add a colon to the line above" not in every
    assert GAME in every.values()


COUNTED = """\
rulewright: 1
title: Race
players: 2
counters:
  seat: {points: 0}
phases:
  run:
    text: Everybody gets a point.
    do:
      - each seat: add 1 to points
ranking: highest points
"""


@pytest.mark.parametrize(
    "text", [GAME.replace("      - if store is empty: end game\n", ""), COUNTED], ids=["a pile", "counters"]
)
def test_a_fix_of_an_endless_game_uses_its_names(text: str) -> None:
    [end] = [made for title, made in offer(text).items() if "end game" in title]
    assert not mistakes(PATH, end)


def test_no_log_is_offered_where_no_sentence_can_stand() -> None:
    text = GAME + "options:\n  quick:\n    text: Quick.\n    change:\n      values:\n"
    assert not any("log:" in made for made in offer(text).values())
    diagnostics = [one for one in mistakes(PATH, text) if one.code == "nothing-here"]
    assert diagnostics and not [fix for one in diagnostics for fix in fixes(one, text.split("\n")) if "log:" in fix.new]


def test_an_edit_without_effect_is_not_offered() -> None:
    text = GAME.replace("copies: 8", "copies: 100000000")
    assert mistakes(PATH, text) and "Say '100000000'" not in offer(text)


def test_fewer_or_milder_mistakes_count_as_mended() -> None:
    states = [soundness(PATH, text) for text in (GAME, GAME.replace("hand\n", "hnad\n"), GAME.replace("}", "", 1))]
    assert [[is_mended(one, other) for other in states] for one in states] == [
        [False, False, False], [True, False, False], [True, True, False],
    ]  # fmt: skip


def test_the_unbroken_game_has_no_diagnostics(tmp_path: Path) -> None:
    (tmp_path / "pits.yaml").write_text(GAME, encoding="utf-8")
    assert examine(str(tmp_path / "pits.yaml"))[1].ok and not mistakes(PATH, GAME)
