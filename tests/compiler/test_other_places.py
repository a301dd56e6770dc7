"""Related places of a diagnostic: where two places of a file conflict, both are shown."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from small_games.market import MARKET

CASES = [
    ("number of seats + 1", "{by: number of seats, 2: 3, 3: 4, 02: 5, 4: 5}", ["2: 3, 3: 4"]),
    ("number of seats + 1", "{by: number of seats, 2: 3, 3: deck, 4: 5}", ["3, 3: deck"]),
    ("number of seats + 1", "half\n    half: third\n    third: hand limit", ["half: third", "third: hand"]),
    ("add 2 to coins", "let coins be 2", ["coins: 0"]),
    ("add 2 to coins", "move seats to hand", ["hand: {of"]),
    ("do sell", "do sell for 2", ["sell:\n"]),
    ("do sell", "do sell as sale", ["sell:\n"]),
]
"""Text of an edition, its replacement, and the text at each related place."""


@pytest.mark.parametrize(("old", "new", "others"), CASES)
def test_the_related_place_is_shown(old: str, new: str, others: list[str]) -> None:
    assert MARKET.count(old) == 1
    text = MARKET.replace(old, new)
    with pytest.raises(EditionError) as caught:
        library.from_text(text)
    lines, error = text.splitlines(keepends=True), caught.value.report.errors[0]
    beginnings = [lines[other.place.line - 1][other.place.column - 1 :] for other in error.related]
    assert len(beginnings) == len(others), error
    assert all(beginning.startswith(other) for beginning, other in zip(beginnings, others, strict=True))
