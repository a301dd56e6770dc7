"""What somebody who mistyped a name may have meant is found among few names and many, in time for both."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import nearest_of
from rulewright.base.similar_names import MOST_COMPARED, preselect

MANY = tuple(
    f"{colour} {thing}{number}" for number in range(500) for colour in ("red", "blue") for thing in ("card", "coin")
)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("red crad77", "red card77"),
        ("blu coin499", "blue coin499"),
        ("redcoin3", "red coin3"),
        ("Blue-Card12", "blue card12"),
    ],
)
def test_the_nearest_of_many_is_found_among_a_few(name: str, meant: str) -> None:
    found = preselect(name, MANY)
    assert meant in found
    assert len(found) <= 2 * MOST_COMPARED < len(MANY)
    assert nearest_of(name, MANY) == meant


def test_few_are_all_looked_at() -> None:
    assert preselect("xyz", ["a", "b"]) == ["a", "b"]
    assert nearest_of("xyz", ["a", "b"]) == ""
