"""Quick fixes: each does what its hint says, and the mistake is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from example_counts import one_in
from project_folders import TESTS
from rulewright.base.diagnostics import Diagnostic, Fix, SourcePlace
from rulewright.base.template_edits import AddSentence, Reword
from rulewright.base.wording import Hint, Problem
from rulewright.editing import text_document
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fixes import fixes
from small_games.market import MARKET


def lines_and_diagnostics(path: Path, text: str) -> tuple[list[str], list[Diagnostic]]:
    """Return the lines of a file, and all diagnostics of it."""
    sheet, examined = text_document.read(path, text), text_document.examine_text(path, text)
    diagnostics = {(item.place, item.message): item for item in (*sheet.report.diagnostics, *examined.diagnostics)}
    return sheet.lines, [item for item in diagnostics.values() if item.place.file == str(path)]


def try_fixes(path: Path, text: str) -> Iterator[tuple[Diagnostic, Fix, bool]]:
    """Yield all fixes of a file, each with whether its diagnostic is reported less often afterwards."""
    lines, before = lines_and_diagnostics(path, text)
    for item in before:
        for fix in fixes(item, lines) if item.hint else ():
            after = lines_and_diagnostics(path, text_after_fix(fix, lines))[1]
            counts = [sum(other.message == item.message for other in all_) for all_ in (before, after)]
            yield item, fix, counts[1] < counts[0]


@pytest.mark.parametrize(
    ("old", "wrong"),
    [
        ("sold to market", "sold to maket"),
        ("copies: 5", "copeis: 5"),
        ("if deck is empty", "if number of deck = 0"),
        ("add 2 to coins", "coins += 2"),
        ("      - each seat:\n          - do sell", "      - do sell"),
        ("text: On your turn, sell a card.", "text: On your turn: sell a card."),
        ("{seen by: nobody, pile: yes}", "{seen by: nobody, pile: yes"),
        ("players: 2 to 4", "players: [2, 4]"),
        ("seen by: all", "seen by: everybody"),
        (" as sold:\n              ask: Which card?", " as sold"),
        ("move sold to market", "move sold to market."),
        ("ranking: highest coins", "Ranking: highest coins"),
        ("    hand limit: number", "\thand limit: number"),
    ],
)
def test_a_fix_removes_its_mistake(old: str, wrong: str) -> None:
    assert MARKET.count(old) == 1
    text = MARKET.replace(old, wrong)
    done = [gone for _, _, gone in try_fixes(Path("/games/market.yaml"), text)]
    assert done and done[0], lines_and_diagnostics(Path("/games/market.yaml"), text)[1]


DO_LISTS = ["do:", "  - each seat:", "      - log: It is so.", "steps: [each seat: [log: It is so.], end game]"]


@pytest.mark.parametrize(
    ("line", "column", "after", "lines"),
    [
        (3, 9, False, [["do:", "  - shuffle deck", *DO_LISTS[1:]]]),
        (3, 9, True, [[*DO_LISTS[:3], "  - shuffle deck", DO_LISTS[3]]]),
        (4, 22, False, [[*DO_LISTS[:3], "steps: [shuffle deck, each seat: [log: It is so.], end game]"]]),
        (4, 22, True, [[*DO_LISTS[:3], "steps: [each seat: [log: It is so.], shuffle deck, end game]"]]),
        (1, 1, True, []),
    ],
)
def test_a_sentence_is_added_beside_the_outermost(line: int, column: int, after: bool, lines: list[list[str]]) -> None:
    place = SourcePlace("x.yaml", line, column, 3)
    hint = Hint("Shuffle it.", fixes=(AddSentence("shuffle {zone}", after),))
    diagnostic = Diagnostic(place, Problem("x", "It is not shuffled.")(), (hint(zone="deck"),))
    assert [text_after_fix(fix, DO_LISTS).split("\n") for fix in fixes(diagnostic, DO_LISTS)] == lines


def test_a_pattern_has_slots() -> None:
    problem = Problem("x", "{zone} is no zone.", fixes=(Reword("from {zone}$", ("from deck",)),))
    diagnostic = Diagnostic(SourcePlace("x.yaml", 1, 1, 4), problem(zone="a+b"))
    text = ["draw from a+b"]
    assert [text_after_fix(fix, text) for fix in fixes(diagnostic, text)] == []
    diagnostic = replace(diagnostic, place=SourcePlace("x.yaml", 1, 11, 3))
    assert [text_after_fix(fix, text) for fix in fixes(diagnostic, text)] == ["draw from deck"]


EXPLAINED = {
    "A figure is of one type in all of its cases.": "nobody knows which case is meant",
    "Say which, by a name from 'choose', 'let' or 'each … as'.": "which piece is meant, nobody knows",
    "Use 'repeat while' to do something again.": "what goes round, and how long, is for the designer to say",
    "The rule's own sentence says 3, too: name it under 'values', and write {NAME} in both.": "it needs a name first",
    "Give the words of one of these lists other names.": "which list's, and which names, is for the designer to say",
}
"""Hints without an edit, and why."""


@pytest.mark.parametrize("name", one_in(6, sorted(path.name for path in (TESTS / "broken").glob("*.yaml"))))
def test_every_hint_has_a_fix(name: str) -> None:
    """Every hint has a fix, each fix removes its mistake, and the first leaves no more mistakes than there were."""
    path = TESTS / "broken" / name
    text = path.read_text("utf-8", errors="replace")
    lines, before = lines_and_diagnostics(path, text)
    for item in before:
        offered = list(fixes(item, lines)) if item.hint and item.hint not in EXPLAINED else []
        assert offered or not item.hint or item.hint in EXPLAINED, (item.message, item.hint)
        for number, fix in enumerate(offered):
            after = lines_and_diagnostics(path, text_after_fix(fix, lines))[1]
            counts = [sum(other.message == item.message for other in all_) for all_ in (before, after)]
            assert counts[1] < counts[0], (item.message, fix)
            assert number or count_errors(after) <= count_errors(before), (item.message, fix, after)


def count_errors(diagnostics: list[Diagnostic]) -> int:
    return sum(item.severity == "error" for item in diagnostics)
