"""A text that several windows edit: whatever they do, all come to the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.workbench.core.shared_text import ChangeError, SharedText, TextUpdate, apply_changes, diff

TEXTS = st.text(st.sampled_from("ab\n😀é"), max_size=30)


@given(TEXTS, TEXTS)
def test_changes_between_two_texts_make_one_of_the_other(before: str, after: str) -> None:
    assert apply_changes(before, diff(before, after)) == after


def test_unchanged_text_stays() -> None:
    before = "players: 2 to 4\nvalues:\n  limit: 7\nend: yes\n"
    assert diff(before, before.replace("7", "12")) == [33, [1, "12"], 10]


def test_lengths_count_units_of_utf_16() -> None:
    assert apply_changes("a😀b", [3, [1, "c", "d"]]) == "a😀c\nd"


@pytest.mark.parametrize(
    "changes",
    [[4], [2], [-1, 4], [[4, 1]], [[1], [1]], [True, 2], "abc", [2, [1, "\ud800"]], [[1, None], 2], [[0.5], 3]],
)
def test_a_change_that_does_not_fit_changes_nothing(changes: object) -> None:
    shared = SharedText("abc")
    with pytest.raises(ChangeError):
        shared.push(0, [TextUpdate("one", [3]), TextUpdate("one", changes)])  # type: ignore[arg-type]
    assert (shared.text, shared.version) == ("abc", 0)


def test_half_a_letter_is_no_change() -> None:
    with pytest.raises(ChangeError):
        apply_changes("😀", [1, [1]])


def test_an_outdated_window_is_updated_first() -> None:
    shared = SharedText("abc")
    assert shared.push(0, [TextUpdate("one", [3, [0, "d"]])])
    assert not shared.push(0, [TextUpdate("two", [[1], 2])])
    assert shared.since(0) == [TextUpdate("one", [3, [0, "d"]])]
    assert shared.push(1, [TextUpdate("two", [[1], 3])])
    assert shared.text == "bcd"


def test_a_window_that_slept_too_long_takes_the_whole_text() -> None:
    shared = SharedText("")
    for number in range(5100):
        shared.push(number, [TextUpdate("one", [number, [0, "x"]])])
    assert shared.since(0) is None
    assert shared.since(5099) == [TextUpdate("one", [5099, [0, "x"]])]
    assert shared.since(5101) is None


def test_lines_that_are_all_alike_take_no_minutes() -> None:
    """Every window waits meanwhile."""
    before, after = "- 0\n" * 20_000, "- 1\n" + "- 0\n- 2\n" * 10_000 + "- 3\n"
    assert apply_changes(before, diff(before, after)) == after
    lines = [f"- {number % 700}\n" for number in range(20_000)]
    before, after = "".join(lines), "".join(sorted(lines))
    assert apply_changes(before, diff(before, after)) == after
