"""What words carry, as readers are told it: prices, ranks, costs and yields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.game.messages import amounts
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Speech
from rulewright.model.declarations import NUMBER, NUMBERS, Edition, Kind, WordTable, number_of


def told(edition: Edition, words: str) -> tuple[str, ...]:
    """The attributes and tables of a word list that readers are told: those that the edition names, else its tables
    for words that are not drawn on a piece."""
    if words in edition.carried:
        return edition.carried[words]
    drawn = {look.table for look in edition.looks.values()}
    tables = edition.words[words].tables.items()
    return tuple(name for name, table in tables if table.by != NUMBER and name not in drawn)


def is_amount(edition: Edition, table: WordTable) -> bool:
    """Whether a table tells how many of each word, such as a price: where something counts these words."""
    counted = {counter.by for counter in edition.counters.values() if counter.holds == NUMBER}
    return table.holds == NUMBER != table.by and table.by in counted


def in_words(terms: Terms, speech: Speech, words: str, number: int, name: str) -> str:
    """What a word has for an attribute or a table; '' for nothing."""
    declared = terms.edition.words[words]
    if name in declared.tables:
        return _row(terms, speech, declared.tables[name], number)
    held = declared.words[number].attributes.get(name)
    return held_in_words(terms, speech, declared.attributes[name], -1 if held is None else held, held is not None)


def held_in_words(terms: Terms, speech: Speech, holds: str, value: int, there: bool = True) -> str:
    """A number, or a word's noun; '' where there is none."""
    if holds in NUMBERS:
        return speech.number(number_of(holds, value)) if there else ""
    return speech.noun(terms.word(holds, value)).one if value >= 0 else ""


def _row(terms: Terms, speech: Speech, table: WordTable, number: int) -> str:
    row = table.rows[number]
    if table.by == NUMBER:
        return speech.row([held_in_words(terms, speech, table.holds, value) for value in row[1:]])
    if is_amount(terms.edition, table):
        return speech.say(tuple(amounts(terms, table.by, row))) if any(row) else ""
    keys = (speech.say(terms.word(table.by, at)) for at in range(len(row)))
    values = (held_in_words(terms, speech, table.holds, value) for value in row)
    return speech.row([speech.entry(key, value) for key, value in zip(keys, values, strict=True) if value])


def of_piece(terms: Terms, speech: Speech, kind: Kind, row: Sequence[int]) -> list[tuple[str, str]]:
    """What the words of a piece with these values carry, and the words that these have: each with what it is called."""
    words = [(of, value) for of, value in zip(kind.attributes.values(), row, strict=True) if of not in NUMBERS]
    return _of_words(terms, speech, words)


def of_word(terms: Terms, speech: Speech, words: str, number: int) -> list[tuple[str, str]]:
    """The same of a word."""
    return _of_words(terms, speech, [(words, number)])


def _of_words(terms: Terms, speech: Speech, found: list[tuple[str, int]]) -> list[tuple[str, str]]:
    told_of = (
        (speech.title(terms.attribute(words, name)), in_words(terms, speech, words, number, name))
        for words, number in _reached(terms.edition, found)
        for name in told(terms.edition, words)
    )
    return list(dict.fromkeys((called, text) for called, text in told_of if text))


def _reached(edition: Edition, found: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Words, and those that they have, each once."""
    seen: set[tuple[str, int]] = set()
    while found:
        of, value = found.pop(0)
        if value >= 0 and (of, value) not in seen:
            seen.add((of, value))
            yield of, value
            declared = edition.words[of]
            held = declared.words[value].attributes.items()
            found += [
                (declared.attributes[name], word) for name, word in held if declared.attributes[name] not in NUMBERS
            ]
