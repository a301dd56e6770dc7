"""Tables of words' properties among the components: a row for each word."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer
from rulewright.model.declarations import NUMBER, WordTable
from rulewright.model.edition import Edition
from rulewright.publish import word_properties
from rulewright.publish.rulebook.model import PrintedTable

_MAX_COLUMNS = 8
"""Limit of numbers across the top of a table; with more, they go down its side."""


def word_tables(edition: Edition, localizer: Localizer) -> Iterator[PrintedTable]:
    """Yield the tables of each word list that is no board: its attributes and amounts, then each of its own tables."""
    terms = Terms(edition)
    board_lists = {board.spaces for board in edition.boards.values() if board.positions}
    for words, declared in edition.words.items():
        if words in board_lists:
            continue
        names = word_properties.shown_properties(edition, words)
        title = localizer.title(terms.words(words))
        columns = [
            name
            for name in names
            if name not in declared.tables or word_properties.is_amount(edition, declared.tables[name])
        ]
        if columns:
            heads = tuple(localizer.title(terms.attribute(words, name)) for name in columns)
            rows = (
                (noun, *(word_properties.property_text(terms, localizer, words, number, name) for name in columns))
                for number, noun in enumerate(_nouns(terms, localizer, words))
            )
            yield PrintedTable(title, heads, tuple(rows))
        for name in names:
            if name not in columns:
                title_ = localizer.entry(title, localizer.say(terms.attribute(words, name)))
                yield _grid(terms, localizer, words, declared.tables[name], title_)


def _grid(terms: Terms, localizer: Localizer, words: str, table: WordTable, title: str) -> PrintedTable:
    """Return a table as a grid: a row for each word, a column for each key."""
    rows = [row[1:] if table.by == NUMBER else row for row in table.rows]
    cells = [[word_properties.value_text(terms, localizer, table.holds, value) for value in row] for row in rows]
    names = _nouns(terms, localizer, words)
    if table.by != NUMBER:
        heads = _nouns(terms, localizer, table.by)
    else:
        heads = [localizer.number(number) for number in range(1, len(rows[0]) + 1)]
        if len(heads) > _MAX_COLUMNS:
            names, heads, cells = heads, names, [list(column) for column in zip(*cells, strict=True)]
    return PrintedTable(title, tuple(heads), tuple((name, *row) for name, row in zip(names, cells, strict=True)))


def _nouns(terms: Terms, localizer: Localizer, words: str) -> list[str]:
    """Return the titles of a list's words."""
    numbers = range(len(terms.edition.words[words].words))
    return [localizer.title(localizer.noun(terms.word(words, number)).one) for number in numbers]
