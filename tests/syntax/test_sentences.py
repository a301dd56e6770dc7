"""Sentences as authors with habits from other languages and games write them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.syntax import phrasing_hints, sentence_errors, sentence_grammar, sentences


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


def test_a_new_word_of_the_language_is_foreign_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    known = phrasing_hints._foreign_phrasings()
    assert len(known) == len(phrasing_hints._PHRASINGS)
    monkeypatch.setattr(sentence_grammar, "words", lambda: frozenset({"is", "contains"}))
    phrasing_hints._foreign_phrasings.cache_clear()
    remaining = phrasing_hints._foreign_phrasings()
    phrasing_hints._foreign_phrasings.cache_clear()
    assert [pattern.pattern for pattern, _ in known if (pattern, _) not in remaining] == [
        r"(?<!\w)[\w']+ (?:contains?|includes?)\b"
    ]


def test_a_new_phrase_of_the_language_is_foreign_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phrase counts although each of its words is in another one, too; other sentences keep their hints."""
    sentences_ = {"if a1 is next to a2": 15, "if a1 next to a2": 10}
    before = {text: phrasing_hints.phrasing_hint(text, offset) for text, offset in sentences_.items()}
    grammar = sentence_grammar.grammar()
    longer = replace(grammar, phrases=grammar.phrases | {"is next to"})
    monkeypatch.setattr(sentence_grammar, "grammar", lambda: longer)
    phrasing_hints._own_phrases.cache_clear()
    after = {text: phrasing_hints.phrasing_hint(text, offset) for text, offset in sentences_.items()}
    phrasing_hints._own_phrases.cache_clear()
    assert None not in before.values()
    assert after == {"if a1 is next to a2": None, "if a1 next to a2": before["if a1 next to a2"]}


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
