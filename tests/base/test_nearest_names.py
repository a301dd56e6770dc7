"""Suggestions for a mistyped name, among few names and among many, in little time."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import nearest_of
from rulewright.base.similar_names import MAX_COMPARED, preselect

MANY = tuple(
    f"{colour} {thing}{number}" for number in range(500) for colour in ("red", "blue") for thing in ("card", "coin")
)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("red crad77", "red card77"),
        ("blu coin499", "blue coin499"),
        ("redcoin3", "red coin3"),
        ("Blue-Card12", "blue card12"),
    ],
)
def test_the_nearest_of_many_names_is_among_the_preselected(name: str, nearest: str) -> None:
    candidates = preselect(name, MANY)
    assert nearest in candidates
    assert len(candidates) <= 2 * MAX_COMPARED < len(MANY)
    assert nearest_of(name, MANY) == nearest


def test_few_names_are_all_compared() -> None:
    assert preselect("xyz", ["a", "b"]) == ["a", "b"]
    assert nearest_of("xyz", ["a", "b"]) == ""
