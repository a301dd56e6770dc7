"""Sentences as authors with habits from other languages and games write them."""

from __future__ import annotations

import re

import pytest

from rulewright.syntax import phrasing_hints, sentence_errors, sentence_grammar, sentences

_WORDS = """
    add all and any are as at be between bottom by choose clockwise connected distance do each empty end every far
    first for from give go has highest if in into is last least less line long longest lowest more most move next no
    not number of once or plus random repeat roll set swap take than through to top total until up where with
"""
WORDS_OF_BOTH = frozenset(_WORDS.split())
"""Words of the language in patterns of phrasings that are foreign all the same."""


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
        ("if mover is in spaces", "Say 'any mover in spaces'; of spaces and other words, 'mover is among spaces'."),
        (
            "move mover to north of start",
            "What it goes to is a zone: say 'let goal be …', then 'move … to goal's ground'.",
        ),
        ("take 2 wood from goods", "Say 'take 2 from goods', or 'take 2 from goods for wood'."),
        ("if goods is at least 2 wood", "Say 'goods for wood is at least 2'."),
        ("set moved of mover to yes", "Say 'mover's moved'."),
        ("if pot is more than 3 and less than 5", "Say it whole, as in 'pot is more than 3 and pot is less than 5'."),
        ("let near be squares next to a1", "Say 'neighbours of …'."),
        ("let way be north of a1 until ground is empty", "Say 'as far as …', or 'as long as …'."),
        ("let free be squares where empty", "Say what is empty: 'where ground is empty'."),
        ("each seat by gold", "Say 'highest gold' or 'lowest gold'."),
        ("pay 2 to pot", "Say 'take 3 from gold'."),
        ("pot is 3", "To change what is counted, say 'set pot to …', 'add … to pot'; to ask, 'if …:'."),
    ],
)
def test_phrasings_of_other_languages_give_a_hint(text: str, hint: str) -> None:
    with pytest.raises(sentence_errors.SentenceError) as refused:
        sentences.parse(text, "statement")
    assert " ".join(map(str, refused.value.hints)) == hint


def test_a_word_of_the_language_is_no_foreign_first_word() -> None:
    """Hints are for words that begin no sentence: take a new one out of `_FIRST_WORDS`."""
    beginnings = [word for word in phrasing_hints._FIRST_WORDS if sentences.continuations(word, "statement")]
    assert not beginnings


def test_no_phrasing_is_foreign_by_a_word_of_the_language() -> None:
    """Take a new word out of the pattern; or, if its phrasing still cannot be read, add it to WORDS_OF_BOTH."""
    no_words = r"\(\?P<\w+>|\\[a-zA-Z]|\[[^\]]*\]"
    literal_words = {
        word
        for pattern, _ in phrasing_hints._PHRASINGS
        for word in re.findall("[a-z]+", re.sub(no_words, " ", pattern))
    }
    assert literal_words & sentence_grammar.words() == WORDS_OF_BOTH


def test_words_suggested_in_place_of_reserved_ones_are_not_reserved() -> None:
    instead = sentence_grammar._INSTEAD
    assert instead.keys() <= sentence_grammar.reserved()
    assert not {word: other for word, other in instead.items() if sentence_grammar.reserved_in(other)}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("let best be (cards in deck) with highest value", "let best be cards in deck with highest value"),
        ("move (cards in deck) where value is 2 to hand", "move cards in deck where value is 2 to hand"),
        ("choose 1 from ((deck plus row)) into hand", "choose 1 from deck plus row into hand"),
    ],
)
def test_redundant_parentheses_change_nothing(text: str, plain: str) -> None:
    assert sentences.parse(text, "statement") == sentences.parse(plain, "statement")
    assert sentences.canonical_spelling(text, "statement") == plain


def test_an_error_after_parentheses_is_reported_there() -> None:
    """The place is not that of the parentheses, which are valid."""
    with pytest.raises(sentence_errors.SentenceError) as refused:
        sentences.parse("move first 1 of (cards in deck) to first 1 of hands", "statement")
    assert refused.value.offset == len("move first 1 of (cards in deck) to ")


def test_a_misplaced_word_is_underlined_whole() -> None:
    with pytest.raises(sentence_errors.SentenceError) as refused:
        sentences.parse("let free be squares where empty", "statement")
    assert str(refused.value) == "I cannot read 'empty' here."


def test_a_local_name_with_a_reserved_word_is_refused_as_such() -> None:
    with pytest.raises(sentence_errors.SentenceError) as refused:
        sentences.parse("let plants to run be yard", "statement")
    assert str(refused.value) == "A name cannot contain 'to', which is a word of the language."


def test_necessary_parentheses_stay() -> None:
    """Otherwise the number alone would be doubled."""
    assert sentences.canonical_spelling("set gold to (gold + 1) * 2", "statement") == "set gold to (gold + 1) * 2"
