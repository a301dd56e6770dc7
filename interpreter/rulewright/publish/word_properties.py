"""Properties of words that readers are shown: prices, ranks, costs and yields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.game.messages import amounts
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer
from rulewright.model.declarations import NUMBER, NUMBERS, Kind, WordTable, written_number
from rulewright.model.edition import Edition


def shown_properties(edition: Edition, words: str) -> tuple[str, ...]:
    """Return the attributes and tables of a word list that readers are shown.

    As the edition declares them, else the tables keyed by words that no piece shows.
    """
    if words in edition.shown_properties:
        return edition.shown_properties[words]
    piece_tables = {look.table for look in edition.looks.values()}
    tables = edition.words[words].tables.items()
    return tuple(name for name, table in tables if table.by != NUMBER and name not in piece_tables)


def is_amount(edition: Edition, table: WordTable) -> bool:
    """Return whether a table holds amounts of words, such as a price: numbers by words that some counter counts."""
    counted_words = {counter.by for counter in edition.counters.values() if counter.holds == NUMBER}
    return table.holds == NUMBER != table.by and table.by in counted_words


def property_text(terms: Terms, localizer: Localizer, words: str, number: int, name: str) -> str:
    """Return a word's value of an attribute or a table as text; '' for none. number: index of the word; name: of the
    attribute or table. Raises KeyError if the list has none such."""
    declared = terms.edition.words[words]
    if name in declared.tables:
        return _row_text(terms, localizer, declared.tables[name], number)
    value = declared.words[number].attributes.get(name)
    return value_text(terms, localizer, declared.attributes[name], -1 if value is None else value, value is not None)


def value_text(terms: Terms, localizer: Localizer, holds: str, value: int, present: bool = True) -> str:
    """Return a number, or a word's noun; '' where there is no value. value: a number or the index of a word, -1 for
    none; present: whether there is a number."""
    if holds in NUMBERS:
        return localizer.number(written_number(holds, value)) if present else ""
    return localizer.noun(terms.word(holds, value)).one if value >= 0 else ""


def _row_text(terms: Terms, localizer: Localizer, table: WordTable, number: int) -> str:
    """Return a word's row of a table as text."""
    row = table.rows[number]
    if table.by == NUMBER:
        return localizer.join_items([value_text(terms, localizer, table.holds, value) for value in row[1:]])
    if is_amount(terms.edition, table):
        return localizer.say(tuple(amounts(terms, table.by, row))) if any(row) else ""
    keys = (localizer.say(terms.word(table.by, index)) for index in range(len(row)))
    values = (value_text(terms, localizer, table.holds, value) for value in row)
    return localizer.join_items([localizer.entry(key, value) for key, value in zip(keys, values, strict=True) if value])


def piece_properties(terms: Terms, localizer: Localizer, kind: Kind, row: Sequence[int]) -> list[tuple[str, str]]:
    """List the titles and properties of a piece with these values: of its words, and of the words that these have."""
    words = [
        (list_name, value)
        for list_name, value in zip(kind.attributes.values(), row, strict=True)
        if list_name not in NUMBERS
    ]
    return _titled_properties(terms, localizer, words)


def word_properties_of(terms: Terms, localizer: Localizer, words: str, number: int) -> list[tuple[str, str]]:
    """List the titles and properties of a word, given by its index, and of the words that it has."""
    return _titled_properties(terms, localizer, [(words, number)])


def _titled_properties(terms: Terms, localizer: Localizer, pairs: list[tuple[str, int]]) -> list[tuple[str, str]]:
    """Return the titles and texts of what words show, each once."""
    entries = (
        (localizer.title(terms.attribute(words, name)), property_text(terms, localizer, words, number, name))
        for words, number in _with_attribute_words(terms.edition, pairs)
        for name in shown_properties(terms.edition, words)
    )
    return list(dict.fromkeys((title, text) for title, text in entries if text))


def _with_attribute_words(edition: Edition, pairs: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Yield words, and those among their attributes, each once; empties `pairs`."""
    visited: set[tuple[str, int]] = set()
    while pairs:
        list_name, value = pairs.pop(0)
        if value >= 0 and (list_name, value) not in visited:
            visited.add((list_name, value))
            yield list_name, value
            declared = edition.words[list_name]
            attributes = declared.words[value].attributes.items()
            pairs += [
                (declared.attributes[name], word)
                for name, word in attributes
                if declared.attributes[name] not in NUMBERS
            ]
