"""Diagnostics as a terminal shows them, and the suggestion of the nearest name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.diagnostics import (
    EditionError,
    Report,
    RulewrightError,
    SourcePlace,
    did_you_mean,
    escape_controls,
    nearest_of,
    shorten_quote,
)
from rulewright.base.wording import Hint, Problem, Wording
from rulewright.i18n.localizer import phrase

WRONG = Problem("some-code", "{text}")
HINT = Hint("{text}")
ODD = Problem("odd", "Strange.")
KNOWN = ["hand limit", "habitat card", "score token", "Talisman"]


def rendered(line: str, column: int, length: int, message: str = "Wrong.", *hints: Wording) -> list[str]:
    report = Report()
    report.add_source("x.yaml", f"first\n{line}\nlast")
    report.error(SourcePlace("x.yaml", 2, column, length), WRONG(text=message), *hints)
    return report.render().split("\n")


def test_a_diagnostic_shows_place_line_underline_and_hint() -> None:
    message = "Nothing here is called 'hand limt'."
    assert rendered("  at most: hand limt", 12, 9, message, *did_you_mean("hand limt", KNOWN)) == [
        "x.yaml:2:12: error[some-code]: Nothing here is called 'hand limt'.",
        "    2 |   at most: hand limt",
        "      |            ^^^^^^^^^",
        "      = Did you mean 'hand limit'?",
    ]


def test_a_report_is_printed_as_messages() -> None:
    report = Report()
    assert str(report) == "Nothing is wrong." and repr(report) == "<Report: 0 errors, 0 warnings>"
    report.error(SourcePlace("x.yaml", 2, 1, 1), WRONG(text="Wrong."))
    assert str(report) == report.render() == "x.yaml:2:1: error[some-code]: Wrong."
    assert repr(report) == "<Report: 1 error, 0 warnings>"


ENDLESS = "a" * 40_000 + "b" * 40_000


def test_long_quotes_in_messages_are_cut() -> None:
    short = shorten_quote(ENDLESS)
    assert len(short) < 510 and short.startswith("aaa") and short.endswith("bbb") and " … " in short
    assert shorten_quote("name") == "name" and shorten_quote(f"{'x' * 300}\n{'y' * 300}") == f"{'x' * 300}\n{'y' * 300}"
    assert len(shorten_quote("line\n" * 80_000)) < 3000
    assert len(str(phrase("errors", "There is no '{name}'.", name=ENDLESS))) < 600
    assert len("\n".join(rendered("x", 1, 1, f"No '{ENDLESS}'.", HINT(text=ENDLESS)))) < 4200


@pytest.mark.parametrize(
    ("line", "column", "length", "excerpt", "underline"),
    [
        ("\tab", 2, 1, "    ab", "    ^"),
        ("a\tb", 2, 1, "a    b", " ^^^^"),
        ("日本: hand", 5, 4, "日本: hand", "      ^^^^"),
        ("日本: hand", 1, 2, "日本: hand", "^^^^"),
        ("e\u0301: hand", 5, 4, "e\u0301: hand", "   ^^^^"),
        ("a\x1b[31mb", 2, 1, r"a\x1b[31mb", " ^^^^"),
        ("\u202eab", 2, 1, r"\u202eab", "      ^"),
        ("abc", 9, 1, "abc", "   ^"),
        ("abc", 2, 99, "abc", " ^^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_the_underline_stands_under_the_place(
    line: str, column: int, length: int, excerpt: str, underline: str
) -> None:
    assert rendered(line, column, length)[1:] == [f"    2 | {excerpt}".rstrip(), f"      | {underline}"]


def test_a_long_line_is_cut_around_the_place() -> None:
    _, excerpt, underline = rendered("y" * 5000 + "here" + "z" * 5000, 5001, 4)
    assert len(excerpt) < 120
    assert excerpt.startswith("    2 | …y") and excerpt.endswith("z…")
    assert excerpt[underline.index("^") :].startswith("here") and underline.endswith(" ^^^^")


@pytest.mark.rotating(12)
@given(st.text(), st.text(), st.integers(1, 200), st.integers(1, 200))
def test_control_characters_of_a_file_do_not_reach_the_terminal(line: str, text: str, column: int, length: int) -> None:
    report = Report()
    report.add_source(text, line)
    report.error(SourcePlace(text, 1, column, length), WRONG(text=text), HINT(text=text))
    rendered = report.render().replace("\n", "")
    assert not [character for character in rendered if unicodedata.category(character) in ("Cc", "Cf", "Cs")]


def test_a_report_is_sorted_without_duplicates_and_cut() -> None:
    report = Report()
    for line in [*range(60, 0, -1), 7]:
        report.error(SourcePlace("b.yaml", line, 1, 1), Problem("late", "Wrong.")())
    report.warning(SourcePlace("a.yaml", 1, 1, 1), ODD())
    paragraphs = report.render().split("\n\n")
    assert paragraphs[0] == "a.yaml:1:1: warning[odd]: Strange."
    assert paragraphs[1:50] == [f"b.yaml:{line}:1: error[late]: Wrong." for line in range(1, 50)]
    assert paragraphs[50:] == ["and 11 more"]
    assert len(report.errors) == 60 and not report.ok


def test_a_report_with_only_warnings_is_ok() -> None:
    report = Report()
    report.warning(SourcePlace("a.yaml", 1, 1, 1), ODD())
    assert report.ok and report.errors == [] and "Strange." in report.render()


def test_an_edition_error_prints_its_report() -> None:
    report = Report()
    report.error(SourcePlace("a.yaml", 1, 1, 1), ODD())
    error = EditionError(report)
    assert isinstance(error, RulewrightError) and str(error) == report.render()
    assert (error.exit_status, RulewrightError("no").exit_status) == (1, 2)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("hand limt", "hand limit"),
        ("Hand-Limit", "hand limit"),
        ("handlimit", "hand limit"),
        ("hand_limits", "hand limit"),
        ("habitats cards", "habitat card"),
        ("score tokens", "score token"),
        ("talisman", "Talisman"),
        ("xyz", ""),
        ("", ""),
        ("hand limit " * 1000, ""),
    ],
)
def test_the_nearest_name_is_suggested(name: str, suggestion: str) -> None:
    assert nearest_of(name, KNOWN) == suggestion


def test_a_name_is_not_its_own_correction() -> None:
    assert nearest_of("hand limit", ["hand limit"]) == ""


def test_a_plural_is_nearer_than_a_changed_letter() -> None:
    assert nearest_of("bids sizes", ["bids sixes", "bid size"]) == "bid size"


def test_visible_leaves_ordinary_text_alone() -> None:
    assert escape_controls("Zauberwürfel – 日本 ✓") == "Zauberwürfel – 日本 ✓"
    assert escape_controls("a\nb\x00") == r"a\nb\x00"
