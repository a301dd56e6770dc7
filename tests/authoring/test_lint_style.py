"""Warnings about the wording of texts: where they stand, and what gives none."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from documents import as_text, base, merged
from lint_example import lay
from rulewright.authoring.edition_check import examine

CODES = {"straight-quote", "punctuation", "ending", "person", "capital", "spelling", "wording"}


def style_warnings(
    tmp_path: Path, text: str = "", *, log: str = "", heading: str = "", title: str = "Set-up"
) -> list[tuple[str, str, str]]:
    """Return code, underlined letters and hint of each warning about a text of the set-up or a line of the log."""
    edition = merged(base("lanterns"), {"phases": {"evening": {"title": title}}, "setup": {"text": text}})
    if log:
        edition = merged(
            edition,
            yaml.load(lay(f"log: {log!r}" + (f"\n          heading: {heading}" if heading else "")), yaml.BaseLoader),
        )
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(edition), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    _, report = examine(str(file))
    remarks = [remark for remark in report.diagnostics if remark.code in CODES]
    return [
        (remark.code, lines[(p := remark.place).line - 1][p.column - 1 :][: p.length], remark.hint)
        for remark in remarks
    ]


@pytest.mark.parametrize(
    ("text", "code", "underlined"),
    [
        ('Play the "long" game.', "straight-quote", '"'),
        ("Play the 'long' game.", "straight-quote", "'"),
        ("Draw a card,then play.", "punctuation", ","),
        ("Draw a card.. Then play.", "punctuation", "."),
        ("Draw a card", "ending", "d"),
        ("Take a card of the Deck.", "capital", "Deck"),
        ("Lay a well-known card. A wellknown card is red. A well-known card is blue.", "spelling", "wellknown"),
        ("Draw a grey card. Lay a gray card. Keep the grey card.", "spelling", "gray"),
        ("Draw a card in your turn.", "wording", "in"),
        ("You shall draw.", "wording", "shall"),
    ],
)
def test_nonstandard_wording_gives_a_warning(text: str, code: str, underlined: str, tmp_path: Path) -> None:
    assert [(told, letters) for told, letters, _ in style_warnings(tmp_path, text)] == [(code, underlined)]


@pytest.mark.parametrize(
    ("log", "heading", "hint"),
    [
        ("{seat}['s|r] turn", "yes", None),
        ("{seat}['s|r] turn.", "yes", "Leave it out."),
        ("{seat}['s|r] turn", "no", "Add one: texts are sentences."),
        ("{seat}'s turn", "yes", "Write {seat}['s|r]: the second form is for whoever acts."),
    ],
)
def test_a_heading_of_the_log_is_a_title(log: str, heading: str, hint: str | None, tmp_path: Path) -> None:
    assert [better for _, _, better in style_warnings(tmp_path, log=log, heading=heading)] == ([hint] if hint else [])


@pytest.mark.parametrize(
    "text",
    [
        "It's the players' turn, and don't forget the others' cards.",
        "Deck first: Hand, then street. Play the option “late”.",
        "Set up the street; after the set-up, draw in turn.",
        "If four of you play for a prize, raise it and prise it open. This is for four.",
        "Draw {hand size}, then {hand size}: {hand size}",
        "Wait … then play.",
        "Three.",
    ],
)
def test_standard_wording_gives_no_warning(text: str, tmp_path: Path) -> None:
    assert style_warnings(tmp_path, text) == []


@pytest.mark.parametrize(
    ("log", "better"),
    [
        ("{seat} wins.", "[wins|win]"),
        ("{seat} now has {coins}.", "[has|have]"),
        ("{seat} tries again.", "[tries|try]"),
        ("{seat} passes.", "[passes|pass]"),
        ("{seat} was first.", "[was|were]"),
        ("{seat}'s turn begins.", "['s|r]"),
    ],
)
def test_a_verb_after_a_player_must_fit_you_and_others(log: str, better: str, tmp_path: Path) -> None:
    ((code, _, hint),) = style_warnings(tmp_path, log=log)
    assert code == "person" and better in hint


@pytest.mark.parametrize("log", ["{seat} won.", "{seat} always won.", "{coins} is the price.", "{seat} [wins|win]."])
def test_a_verb_that_fits_everybody_gives_no_warning(log: str, tmp_path: Path) -> None:
    assert style_warnings(tmp_path, log=log) == []


def test_a_title_has_no_full_stop(tmp_path: Path) -> None:
    assert [code for code, _, _ in style_warnings(tmp_path, title="Lay a card.")] == ["ending"]


@pytest.mark.parametrize(
    ("log", "warned"),
    [
        ("{seat} won{coins}[prize: 0=|, and more].", True),
        ("{seat} won{coins}[prize: nothing=|, and more].", True),
        ("{seat} won{coins}[coin: a|b].", True),  # nearly a slot
        ("{seat} won{coins}[coins: 0=|, and more].", False),
        ("{seat} won {coins} [see: this|that].", False),
    ],
)
def test_forms_that_agree_with_no_slot_of_the_text_give_a_warning(log: str, warned: bool, tmp_path: Path) -> None:
    """Otherwise they agree with another slot, and take the last form."""
    edition = merged(base("lanterns"), yaml.load(lay(f"log: {log!r}"), yaml.BaseLoader))
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(edition), encoding="utf-8")
    _, report = examine(str(file))
    assert [remark.code for remark in report.diagnostics if remark.code == "form"] == ["form"] * warned
