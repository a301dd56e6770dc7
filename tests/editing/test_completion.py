"""Completion: keys by the schema, words by the grammar, names by their meaning."""

from __future__ import annotations

import re

import pytest

import highlighting
from rulewright.editing import completion, text_document
from rulewright.model.editions import available
from rulewright.syntax import sentence_grammar, sentences
from small_games.market import MARKET, cursor, sheet

PHRASES = (*sentence_grammar.reserved(), "choose at random", "connected to", "instead of")


def propose(marked: str, within: str = MARKET) -> list[str]:
    text, line, column = cursor(marked, within)
    file = sheet(text, sheet())
    return [proposal.text for proposal in completion.proposals(file, line, column)]


@pytest.mark.parametrize(
    ("marked", "first"),
    [
        ("move sold to market=>|", ["add"]),
        ("move sold to market=>mov|", ["move"]),
        ("move sold to market=>move |", ["sold", "hand", "coins"]),
        ("move sold to market=>swap |", ["sold", "hand", "coins"]),
        ("move sold to market=>shuffle |", ["hand", "coins"]),
        ("move sold to market=>move sold |", ["to"]),
        ("move sold to market=>move sold to |", ["deck", "hand", "market"]),
        ("move sold to market=>move sold to ma|", ["market"]),
        ("move sold to market=>set |", ["sold", "coins"]),
        ("move sold to market=>choose 1 from hand into |", ["deck", "hand", "market"]),
        ("move sold to market=>move hand where |", ["coins", "deck"]),
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
def test_the_likely_completions_come_first(marked: str, first: list[str]) -> None:
    proposals = propose(marked)
    assert [name for name in proposals if name in first][: len(first)] and set(first) <= set(proposals), proposals


def test_sentences_come_before_the_rare_keys_of_a_sentence() -> None:
    proposals = propose("- move sold to market=>- |")
    assert proposals.index("heading: ") > proposals.index("move")


def test_a_variant_changes_the_values_of_its_base() -> None:
    variant = "rulewright: 1\nextends: wild-cards/2022\nroles:\n  fox:\n    change:\n      here\n"
    text, line, column = cursor("here=>hand|", variant)
    file = text_document.read(
        sheet().path, text, text_document.read(sheet().path, variant.replace("here", "hand limit: 3"))
    )
    assert [p.text for p in completion.proposals(file, line, column)] == ["hand limit: "]


def test_existing_keys_are_not_proposed_again() -> None:
    assert "title: " not in propose("ranking: highest coins=>|")
    assert "roles: " in propose("ranking: highest coins=>|")


def test_steps_are_proposed_only_after_do() -> None:
    assert "sell" not in propose("move sold to market=>move |")
    assert "deck" not in propose("- do sell=>- do |")


@pytest.mark.parametrize("name", ["wildlife/2002", "classics/reversi", "classics/backgammon"])
def test_every_word_of_a_sentence_is_proposed_at_its_place(name: str) -> None:
    """Each word of the language in a sentence is among the proposals at its place."""
    lines = [line.strip()[2:] for line in available()[name].read_text("utf-8").splitlines()]
    opening = ("move ", "add ", "set ", "let ", "choose ", "take ")
    known = [line for line in lines if line.startswith(opening) and ":" not in line][:40]
    checked = 0
    for line in known:
        words = line.split()
        for count in range(1, len(words)):
            rest = " ".join(words[count:]) + " "
            continuations = sentences.continuations(" ".join(words[:count]), "statement")
            within = any(f" {words[count - 1]} {words[count]} " in f" {phrase} " for phrase in PHRASES)
            if (
                continuations is not None
                and not within
                and any(rest.startswith(f"{word} ") for word in sentence_grammar.reserved())
            ):
                checked += 1
                assert any(rest.startswith(f"{word} ") for word in continuations.words), (line, rest)
    assert checked >= len(known)


def test_every_word_of_a_sentence_is_coloured() -> None:
    sentence, _ = highlighting.grammar()["patterns"]
    beginning, words = re.compile(sentence["begin"]), re.compile(sentence["patterns"][0]["match"])
    openings = sentences.continuations("", "statement")
    assert openings is not None
    for opening in openings.words:
        match = beginning.search(f"- {opening} hand")
        assert match is not None
        assert match[0] == opening
    assert all(words.fullmatch(word) for word in sentence_grammar.reserved())
    assert not beginning.search("- shuffled")
