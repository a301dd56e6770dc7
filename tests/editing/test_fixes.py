"""Quick fixes: what a hint says is done at a touch, and the mistake is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from places import TESTS
from rulewright.base.diagnostics import Diagnostic
from rulewright.editing import sheets
from rulewright.editing.fixes import Fix, applied, fixes
from written import MARKET


def found_in(path: Path, text: str) -> tuple[list[str], list[Diagnostic]]:
    """The lines of a file, and all that is wrong there."""
    sheet, examined = sheets.read(path, text), sheets.examined(path, text)
    found = {(item.place, item.message): item for item in (*sheet.report.diagnostics, *examined.diagnostics)}
    return sheet.lines, [item for item in found.values() if item.place.file == str(path)]


def mends(path: Path, text: str) -> Iterator[tuple[Diagnostic, Fix, bool]]:
    """All fixes of a file, each with whether what it mends is there less often afterwards."""
    lines, before = found_in(path, text)
    for item in before:
        for fix in fixes(item, lines) if item.hint else ():
            after = found_in(path, applied(fix, lines))[1]
            told = [sum(other.message == item.message for other in all_) for all_ in (before, after)]
            yield item, fix, told[1] < told[0]


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
def test_a_mistake_is_mended(old: str, wrong: str) -> None:
    assert MARKET.count(old) == 1
    text = MARKET.replace(old, wrong)
    done = [gone for _, _, gone in mends(Path("/games/market.yaml"), text)]
    assert done and done[0], found_in(Path("/games/market.yaml"), text)[1]


@pytest.mark.long
def test_fixes_of_all_that_is_known_to_go_wrong() -> None:
    """No fix leaves its mistake; of what has a hint in the files that are wrong, nearly half is mended at a touch."""
    hinted = mended = 0
    for path in sorted((TESTS / "broken").glob("*.yaml")):
        text = path.read_text("utf-8", errors="replace")
        hinted += sum(bool(item.hint) for item in found_in(path, text)[1])
        all_ = list(mends(path, text))
        assert not [(path.name, item.message, fix.title) for item, fix, gone in all_ if not gone]
        mended += len({(item.place, item.message) for item, *_ in all_})
    assert mended * 100 >= hinted * 45
