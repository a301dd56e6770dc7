"""One mistake gives one message: what only follows from it gives none, and it hides no other mistake."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from project_folders import GAMES
from rulewright.authoring.edition_check import examine

WHARF = (GAMES / "wharf.yaml").read_text(encoding="utf-8")

# What is spoilt, and with what; then the code of the only error.
MISTAKES: dict[str, tuple[str, str, str]] = {
    # shapes
    "a zone without its eyes": ("store: {of: seat, seen by: all}", "store: {of: seat}", "missing-key"),
    "a zone seen by whoever": ("shed: {seen by: nobody,", "shed: {seen by: whoever,", "wrong-value"),
    "a zone with a capital": ("block: {seen by: all}", "Block: {seen by: all}", "bad-name"),
    "a kind without a start": ("    starts in: shed\n", "", "missing-key"),
    "a misspelt key of a kind": ("copies: 4", "copy: 4", "unknown-key"),
    "a misspelt section": ("counters:\n", "countres:\n", "unknown-key"),
    "a table that is none": ("tea: {worth: [1, 4, 9]}", "tea: {worth: {}}", "wrong-shape"),
    "a clause that there is not": ('bid. And you?"\n', 'bid. And you?"\n                  when: 3\n', "unknown-key"),
    "a score without points": ("silk: {points: value for silk}", "silk: {title: Silk}", "missing-key"),
    "an option that changes a list": ("change: {credit: 0}", "change: {credit: [0]}", "wrong-shape"),
    "minutes that are none": ("title: The Wharf\n", "title: The Wharf\nminutes: long\n", "wrong-value"),
    # names
    "a zone of what there is not": ("store: {of: seat,", "store: {of: saet,", "unknown-name"),
    "a kind of words that there are not": ("each: ware", "each: wear", "unknown-name"),
    "a counter that holds what there is not": ("bidder: seat,", "bidder: saet,", "type"),
    "a counter of what there is not": ("  seat: {coins: 10, debt: 0}", "  saet: {coins: 10, debt: 0}", "unknown-name"),
    "a term of itself": ("purse: coins + credit - debt", "purse: coins + credit - purse", "circular"),
    "a name of two things": ("game: {bid: 0,", "game: {bid: 0, store: 0,", "name-twice"),
    # sentences
    "a let that is wrong": ("let paid be lowest of (bid, coins)", "let paid be lowest of (bid, coyns)", "unknown-name"),
    "a let that cannot be read": (
        "let paid be lowest of (bid, coins)",
        "let paid be lowest off (bid, coins)",
        "syntax",
    ),
    "a choice that is wrong": ("from bid + 1 to purse as", "from bid + 1 to prse as", "unknown-name"),
    "a choice that cannot be read": ("from bid + 1 to purse as", "form bid + 1 to purse as", "syntax"),
    "a loop over what there is not": ("go round seats by", "go round saets by", "unknown-name"),
    "a condition that is wrong": ("if bidder is nobody:", "if biddr is nobody:", "unknown-name"),
    "a branch that is wrong": ("if: purse is more than bid", "if: purse is more than bids made", "unknown-name"),
    "an actor that there is not": ("- as bidder: do pay", "- as biddr: do pay", "unknown-name"),
    "a step that there is not": ("do: do outbid", "do: do outbit", "unknown-name"),
    "a parameter of what there is not": ("for: {kind: ware}", "for: {kind: wear}", "unknown-name"),
    "a slot that is wrong": ("{paid} for", "{payd} for", "unknown-name"),
    "a ranking that is wrong": ("lowest debt", "lowest dept", "unknown-name"),
}


def error_codes(text: str, folder: Path) -> list[str]:
    """Return the codes of all errors of an edition; check that there are warnings only without errors."""
    file = folder / "wharf.yaml"
    file.write_text(text, encoding="utf-8")
    _, report = examine(str(file))
    assert not report.errors or not report.warnings
    return sorted(found.code for found in report.errors)


def spoilt(*mistakes: str) -> str:
    text = WHARF
    for right, wrong, _ in map(MISTAKES.__getitem__, mistakes):
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    return text


def test_the_edition_without_mistakes_is_accepted(tmp_path: Path) -> None:
    assert error_codes(WHARF, tmp_path) == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake_gives_one_message(mistake: str, tmp_path: Path) -> None:
    assert error_codes(spoilt(mistake), tmp_path) == [MISTAKES[mistake][2]]


RENAMED = [("paid", "total", "syntax"), ("paid", "from", "syntax"), ("offer", "first", "syntax")]
RENAMED += [("purse", "top", "name-keyword"), ("store", "total", "name-keyword"), ("outbid", "last", "name-keyword")]
RENAMED += [("ware", "number", "name-taken"), ("ware", "seat", "name-taken")]


@pytest.mark.parametrize(("name", "other", "code"), RENAMED)
def test_an_invalid_name_gives_one_message(name: str, other: str, code: str, tmp_path: Path) -> None:
    """The number of its uses does not matter."""
    text = re.sub(rf"\b{name}\b", other, WHARF)
    assert text.count(other) > WHARF.count(other) + 1
    assert error_codes(text, tmp_path) == [code]


SEVERAL_MISTAKES = (
    "a zone seen by whoever",
    "a kind without a start",
    "a counter that holds what there is not",
    "a clause that there is not",
    "a let that cannot be read",
    "an actor that there is not",
    "a ranking that is wrong",
    "an option that changes a list",
)


@pytest.mark.parametrize(("one", "other"), list(combinations(SEVERAL_MISTAKES, 2)))
def test_no_mistake_hides_another(one: str, other: str, tmp_path: Path) -> None:
    assert error_codes(spoilt(one, other), tmp_path) == sorted(MISTAKES[name][2] for name in (one, other))
