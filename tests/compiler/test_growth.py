"""The work of `check` grows in proportion to the file, or the file is refused with a message. Work is counted in
calls, not timed."""

from __future__ import annotations

import re
import sys
from types import FrameType

import pytest

from call_limit import patience
from growing_editions import GROWING, chained
from rulewright.authoring.lint import lint
from rulewright.base.diagnostics import EditionError, Report
from rulewright.compiler import work_budget
from rulewright.game import library
from rulewright.model.reader import read
from small_games.bank import bank

MOST_CALLS = 2_500_000
"""Bound of the work before a file is refused as too large."""

REFUSED = {"too-large", "too-deep", "syntax", "board", "long-key"}


def checked(text: str) -> tuple[int, set[str]]:
    """Return the number of calls that a check takes, and the codes of the errors."""
    calls, codes = 0, set()

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        lint(library.from_text(text).edition, Report())
    except EditionError as refused:
        codes = {found.code for found in refused.report.errors}
    finally:
        sys.setprofile(None)
    return calls, codes


@pytest.fixture(scope="module", autouse=True)
def everything_is_loaded() -> None:
    """Fill caches first: one-time work does not grow."""
    for name in ("counters", "sentences that differ", "words", "spaces"):
        checked(GROWING[name][1](2))


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", GROWING)
def test_work_grows_in_proportion_or_is_refused(name: str) -> None:
    count, make = GROWING[name]
    before, _ = checked(make(count))
    after, codes = checked(make(2 * count))
    assert after <= 3 * before + 10_000 or (codes and codes <= REFUSED), (before, after, codes)
    assert after <= MOST_CALLS


@pytest.mark.rotating(3)
def test_chain_of_space_figures_is_checked_quickly() -> None:
    """Each of the terms is computed from the one before, for each of 400 spaces."""
    terms = [
        f"    t{'abcdefghi'[n]}: total t{'abcdefghi'[n - 1]} of spaces where t{'abcdefghi'[n - 1]} is at least 1"
        for n in range(1, 6)
    ]
    text = (
        "rulewright: 1\ntitle: Chain of terms\nplayers: 2\nboards: {field: {of: space, size: 20 by 20}}\n"
        "counters: {game: {pot: 0}}\nterms:\n  space:\n    ta: number of neighbours of it\n"
        + "\n".join(terms)
        + "\nphases: {play: {do: ['set pot to total tf of spaces', end game]}}\n"
    )
    with patience(calls=MOST_CALLS):
        try:
            library.from_text(text)
        except EditionError as refused:
            assert {found.code for found in refused.report.errors} == {"too-large"}


def test_message_names_a_figure_expanded_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_budget, "MAX_INSTRUCTIONS", 2000)
    with pytest.raises(EditionError) as refused:
        library.from_text(bank(more=chained(14, "tally", "{next} * {next}", "game"), text='"{qa}"'))
    [error] = refused.value.report.errors
    assert error.code == "too-large" and error.place.line == 27
    assert error.message.startswith("These rules are too large: 'qbe' is written out wherever it is read or done,")
    assert error.hint.startswith("Keep what it comes to: in a counter,")


def test_remarks_are_searched_once_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of regular expressions shows in no count of calls: each warning used to search the whole of a long line."""
    searched = 0

    class Counted:
        @staticmethod
        def search(line: str) -> re.Match[str] | None:
            nonlocal searched
            searched += len(line)
            return None

    idle = ", ".join(f"{{if {n} is {n}: add 1 to tally}}" for n in range(20))
    text = bank(f"each seat: [{idle}]")
    monkeypatch.setattr("rulewright.authoring.lint._INTENDED", Counted)
    report = Report()
    edition = read(None, report, "edition", text=text)
    assert edition is not None
    lint(edition, report)
    assert len(report.diagnostics) > 5 and 0 < searched <= len(text)
