"""Charts of word lists: their attributes and tables."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.model.declarations import NUMBER, NUMBERS, WordList, WordTable, written_number
from rulewright.model.edition import Edition
from rulewright.publish.console import ConsoleLine, ConsolePart, Styled, cell_width
from rulewright.publish.labels import Labels
from rulewright.terminal.grid import Column, grid

_GAP = 2
"""Blanks before each column."""


def charted_lists(edition: Edition) -> list[str]:
    """List the word lists with something to chart, without spaces of boards that have positions, which are drawn; those
    of other boards only if the edition names what is shown."""
    spaces = {
        board.spaces
        for board in edition.boards.values()
        if board.positions or board.spaces not in edition.shown_properties
    }
    return [name for name in edition.words if name not in spaces and _charted_parts(edition, name)]


def _charted_parts(edition: Edition, name: str) -> tuple[str, ...]:
    """Return the names of a word list's attributes and tables that players see: all, unless the edition names some."""
    words = edition.words[name]
    return edition.shown_properties.get(name, (*words.attributes, *words.tables))


def draw(labels: Labels, name: str, width: int, tables_only: bool = False) -> list[ConsoleLine]:
    """Draw a word list with its attributes, and a chart for each of its tables. tables_only: without attributes."""
    words, title = labels.edition.words[name], labels.say(labels.terms.words(name))
    parts = _charted_parts(labels.edition, name)
    tables = [table for table in parts if table in words.tables]
    attributes = [
        (labels.say(labels.terms.attribute(name, attribute)), _attribute_column(labels, words, attribute))
        for attribute in parts
        if attribute not in words.tables
    ]
    lines: list[ConsoleLine] = []
    if attributes and not tables_only:
        lines += _chart(labels, title, _nouns(labels, name), attributes, width)
    for table_name in tables:
        table = words.tables[table_name]
        entries = zip(_headings(labels, table), zip(*_entries(labels, table), strict=True), strict=True)
        heading = labels.localizer.entry(title, labels.say(labels.terms.attribute(name, table_name)))
        columns = [(word, list(column)) for word, column in entries]
        lines += _chart(labels, heading, _nouns(labels, name), columns, width)
    return lines


def _attribute_column(labels: Labels, words: WordList, name: str) -> list[str]:
    """Return each word's value of an attribute as text."""
    value_type = words.attributes[name]
    return [
        _value_text(labels, value_type, word.attributes.get(name, -1 if value_type not in NUMBERS else 0))
        for word in words.words
    ]


def _headings(labels: Labels, table: WordTable) -> list[str]:
    """Return a table's headings: the words of a list, or numbers from 1."""
    if table.by != NUMBER:
        return _nouns(labels, table.by)
    return [labels.localizer.number(number) for number in range(1, len(table.rows[0]))]


def _entries(labels: Labels, table: WordTable) -> list[list[str]]:
    """Return each word's row as texts; in a table by number without the value by 0."""
    first = table.by == NUMBER  # the value by 0 is not shown
    return [[_value_text(labels, table.holds, value) for value in row[first:]] for row in table.rows]


def _value_text(labels: Labels, value_type: str, value: int) -> str:
    """Return a value of a word as text; '' for no word, below 0."""
    if value_type in NUMBERS:
        return labels.localizer.number(written_number(value_type, value))
    return labels.word(value_type, value) if value >= 0 else ""


def _nouns(labels: Labels, words: str) -> list[str]:
    """Return the nouns of a list's words."""
    return [labels.word(words, number) for number in range(len(labels.edition.words[words].words))]


def _chart(
    labels: Labels, title: str, names: list[str], columns: Sequence[tuple[str, list[str]]], width: int
) -> list[ConsoleLine]:
    """Draw words as rows and their properties as columns, or transposed if only that fits."""
    rows = [(name, [entries[number] for _, entries in columns]) for number, name in enumerate(names)]
    down, across = rows, [(name, entries) for name, entries in columns]
    if _width(names, across) > width >= _width([name for name, _ in across], rows):
        down, across = across, down
    margin = max(cell_width(name) for name, _ in down)
    heads: list[list[ConsolePart]] = [[Styled(name, "key"), " " * (margin - cell_width(name))] for name, _ in down]
    columns_shown = [
        Column(name, [[e] if e else [] for e in entries], _are_numbers(entries)) for name, entries in across
    ]
    return [[Styled(title, "strong")], *grid(heads, margin, columns_shown, width, labels.localizer.entry)]


def _width(names: Sequence[str], columns: Sequence[tuple[str, list[str]]]) -> int:
    """Return the width of a chart with these names of rows, whose columns are not broken."""
    return max(map(cell_width, names)) + sum(_GAP + max(map(cell_width, [name, *entries])) for name, entries in columns)


def _are_numbers(entries: Sequence[str]) -> bool:
    """Return whether all entries are numbers, with whatever a language puts between digits."""
    return all(any(map(str.isdecimal, entry)) and not any(map(str.isalpha, entry)) for entry in entries)
