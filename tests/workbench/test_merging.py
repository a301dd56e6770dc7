"""Two changes of one text come together where they change different lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from

from rulewright.workbench.core.text_merge import merge

BASE = "a\nb\nc\nd\n"


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"),
        ("A\nb\nc\nd\n", "a\nB\nc\nd\n", "A\nB\nc\nd\n"),  # neighbours
        ("a\nb\nd\n", "a\nb\nc\nd\ne\n", "a\nb\nd\ne\n"),
        ("x\na\nb\nc\nd\n", "a\nB\nc\nd\n", "x\na\nB\nc\nd\n"),
        ("a\nB\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nc\nd\n"),
        ("a\nB\nc\nd\n", "a\nB\nc\nD\n", "a\nB\nc\nD\n"),
        ("a\nb\nc\nd", "A\nb\nc\nd\n", "A\nb\nc\nd"),
        (BASE, "", ""),
        ("A\nb\nc\nd\n", "X\nb\nc\nd\n", None),
        ("a\nc\nd\n", "a\nB\nc\nd\n", None),
        ("x\na\nb\nc\nd\n", "y\na\nb\nc\nd\n", None),
        ("a\nb\nx\nc\nd\n", "a\nd\n", None),
        ("x\na\nb\nc\nd\n", "A\nb\nc\nd\n", None),
        ("x\na\nb\nc\nd\n", "else", None),
    ],
)
def test_texts_are_merged(mine: str, theirs: str, expected: str | None) -> None:
    assert merge(BASE, mine, theirs) == expected == merge(BASE, theirs, mine)


TEXTS = lists(sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8).map("".join)


@given(TEXTS, TEXTS)
def test_changes_of_one_side_are_taken(base: str, mine: str) -> None:
    assert merge(base, mine, base) == merge(base, base, mine) == merge(base, mine, mine) == mine


@given(TEXTS, TEXTS, TEXTS)
def test_merging_is_symmetric(base: str, mine: str, theirs: str) -> None:
    assert merge(base, mine, theirs) == merge(base, theirs, mine)
