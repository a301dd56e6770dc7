"""Sentences as people write them who know other languages and other games."""

from __future__ import annotations

import pytest

from rulewright.syntax import sentences


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("let two be the top 2 of deck", "Leave 'the' out."),
        ("move the highest of deck to hand", "Leave 'the' out."),
        ("repeat while gold is no more than 3", "Say 'is at most'."),
        ("repeat while gold is no fewer than 3", "Say 'is at least'."),
        ("repeat while gold is greater than 3", "Say 'is more than'."),
        ("repeat while gold is less than or equal to 3", "Say 'is at most'."),
        ("choose 1 card from deck into hand", "Say only how many: 'choose 1 from …'."),
        ("choose up to 2 red cards from deck into hand", "Say only how many: 'choose 1 from …'."),
        ("for each seat", "Say 'each seat: …'."),
        ("every player", "Say 'each player: …'."),
    ],
)
def test_what_is_said_otherwise_elsewhere_is_told(text: str, hint: str) -> None:
    with pytest.raises(sentences.SentenceError) as refused:
        sentences.parse(text, "statement")
    assert refused.value.hint == hint


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("let best be (cards in deck) with highest value", "let best be cards in deck with highest value"),
        ("move (cards in deck) where value is 2 to hand", "move cards in deck where value is 2 to hand"),
        ("choose 1 from (deck) into hand", "choose 1 from deck into hand"),
    ],
)
def test_parentheses_that_are_not_needed_change_nothing(text: str, plain: str) -> None:
    assert sentences.parse(text, "statement") == sentences.parse(plain, "statement")
    assert sentences.spelt(text, "statement") == plain


def test_parentheses_that_are_needed_stay() -> None:
    """Without them, the number alone would be doubled."""
    with pytest.raises(sentences.SentenceError):
        sentences.parse("let two be (gold + 1) with highest value", "statement")
    assert sentences.spelt("set gold to (gold + 1) * 2", "statement") == "set gold to (gold + 1) * 2"
