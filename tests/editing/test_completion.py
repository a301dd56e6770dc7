"""What can stand at a place: keys by the schema, words by the grammar, names by what they mean there."""

from __future__ import annotations

import pytest

import highlighting
from rulewright.editing import completion, text_document
from rulewright.model.editions import available
from rulewright.syntax import sentences
from written import MARKET, cursor, sheet

PHRASES = (*sentences.reserved(), "choose at random", "connected to", "instead of")


def proposed(marked: str, within: str = MARKET) -> list[str]:
    text, line, column = cursor(marked, within)
    found = sheet(text, sheet())
    return [proposal.text for proposal in completion.proposals(found, line, column)]


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("move sold to market=>|", ["add"]),
        ("move sold to market=>mov|", ["move"]),
        ("move sold to market=>move |", ["sold", "coins", "hand"]),
        ("move sold to market=>move sold |", ["to"]),
        ("move sold to market=>move sold to |", ["deck", "hand", "market"]),
        ("move sold to market=>move sold to ma|", ["market"]),
        ("move sold to market=>set |", ["sold", "coins"]),
        ("move sold to market=>do |", ["sell", "trade"]),
        ("- do sell=>- do s|", ["sell"]),
        ("top hand limit of=>top hand li|", ["hand limit"]),
        ("{hand limit}=>{ha|", ["hand"]),
        ("seen by: all=>seen by: |", ["all", "nobody", "owner"]),
        ("seen by: all=>see|", ["seen by: "]),
        ("starts in: deck, noun=>starts in: |, noun", ["deck", "hand", "market"]),
        ("starts in: deck, noun=>starts in: d|, noun", ["deck"]),
        ("ranking: highest coins=>ranking: |", ["highest"]),
        ("ranking: highest coins=>ranki|", ["ranking: "]),
        ("hand limit: number of seats + 1=>hand limit: number |", ["number of"]),
    ],
)
def test_what_comes_first(marked: str, first: list[str]) -> None:
    found = proposed(marked)
    assert [name for name in found if name in first][: len(first)] and set(first) <= set(found), found


def test_sentences_come_before_the_rare_keys_of_a_sentence() -> None:
    found = proposed("- move sold to market=>- |")
    assert found.index("heading: ") > found.index("move")


def test_a_variant_changes_the_values_of_its_base() -> None:
    variant = "rulewright: 1\nextends: wild-cards/2022\nroles:\n  fox:\n    change:\n      here\n"
    text, line, column = cursor("here=>hand|", variant)
    found = text_document.read(
        sheet().path, text, text_document.read(sheet().path, variant.replace("here", "hand limit: 3"))
    )
    assert [p.text for p in completion.proposals(found, line, column)] == ["hand limit: "]


def test_keys_that_are_there_are_not_proposed_again() -> None:
    assert "title: " not in proposed("ranking: highest coins=>|")
    assert "roles: " in proposed("ranking: highest coins=>|")


def test_steps_only_where_one_is_done() -> None:
    assert "sell" not in proposed("move sold to market=>move |")
    assert "deck" not in proposed("- do sell=>- do |")


@pytest.mark.parametrize("name", ["wildlife/2002", "classics/reversi", "classics/backgammon"])
def test_every_sentence_could_have_been_completed(name: str) -> None:
    """Where a word of the language stands in a sentence, it is among those that can follow there."""
    lines = [line.strip()[2:] for line in available()[name].read_text("utf-8").splitlines()]
    opening = ("move ", "add ", "set ", "let ", "choose ", "take ")
    known = [line for line in lines if line.startswith(opening) and ":" not in line][:40]
    checked = 0
    for line in known:
        words = line.split()
        for count in range(1, len(words)):
            rest = " ".join(words[count:]) + " "
            found = sentences.continuations(" ".join(words[:count]), "statement")
            within = any(f" {words[count - 1]} {words[count]} " in f" {phrase} " for phrase in PHRASES)
            if found is not None and not within and any(rest.startswith(f"{word} ") for word in sentences.reserved()):
                checked += 1
                assert any(rest.startswith(f"{word} ") for word in found.words), (line, rest)
    assert checked >= len(known)


def test_every_word_of_a_sentence_is_coloured() -> None:
    assert highlighting.FILE.read_text("utf-8") == highlighting.grammar_text(), "python tools/highlighting.py"
