"""Words: lists of them, and their attributes."""

from __future__ import annotations

import re

from rulewright import source
from rulewright.declarations import NUMBER, Table, Word, WordList
from rulewright.diagnostics import Place, nearest
from rulewright.edition.boards import Boards
from rulewright.edition.section import by_name, items
from rulewright.source import Node, Scalar

_NUMBER = re.compile(r"-?\d{1,9}")
_NO_ATTRIBUTES = ("noun", "next to")

Value = tuple[str, int]
"""NUMBER or the name of a word list; the number, or the index of the word."""


class Words(Boards):
    """Reads word lists, those of boards included."""

    def words(self) -> None:
        lists = [(key, list(items(node))) for key, node in items(self.tree.get("words"))]
        for key, spaces in self.boards():
            if key.text not in [other.text for other, _ in lists]:  # reported by `names`
                lists.append((key, spaces))
        self._index = {key.text: [word.text for word, _ in entries] for key, entries in lists}
        self._home = {word: name for name, words in self._index.items() for word in words}
        for key, entries in lists:
            self.edition.words[key.text] = self.word_list(key, entries)

    def word_list(self, key: Scalar, entries: list[tuple[Scalar, Node]]) -> WordList:
        words: list[Word] = []
        kinds: dict[str, str] = {}
        places: dict[str, Place] = {}
        tables: dict[str, list[tuple[int, dict[int, Value], Place]]] = {}
        by: dict[str, str] = {}
        for number, (word, details) in enumerate(entries):
            attributes: dict[str, int] = {}
            owner = details if isinstance(details, source.Mapping) else None
            for attribute, value in items(details):
                if attribute.text in _NO_ATTRIBUTES:
                    continue
                places.setdefault(attribute.text, attribute.place)
                if isinstance(value, Scalar):
                    if found := self.attribute_value(value):
                        kinds[attribute.text], attributes[attribute.text] = found
                    else:
                        self.edition.lost.add(attribute.text)
                else:
                    name, row = self.row(value)
                    if not name:
                        self.edition.lost.add(attribute.text)
                    if by.setdefault(attribute.text, name) != name:
                        message = f"'{attribute.text}' goes by {_by(by[attribute.text])} above, here by {_by(name)}."
                        self.report.error(value.place, "table", message)
                        continue
                    tables.setdefault(attribute.text, []).append((number, row, value.place))
            words.append(Word(word.text, self.noun(owner, word.text), attributes))
        made = {name: self.table(by[name], rows, len(words)) for name, rows in tables.items() if by[name]}
        for name in set(made) & set(kinds):
            self.report.error(places[name], "table", f"'{name}' is a table for some words, and not for others.")
        return WordList(key.text, key.place, tuple(words), kinds, places, made)

    def attribute_value(self, value: Scalar) -> Value | None:
        """A number, or a word of some list."""
        if _NUMBER.fullmatch(value.text):
            return NUMBER, int(value.text)
        if value.text in self._home:
            home = self._home[value.text]
            return home, self._index[home].index(value.text)
        if value.text in self.edition.lost:
            return None
        message = f"'{value.text}' is neither a number nor a word of a list."
        self.report.error(value.place, "unknown-name", message, nearest(value.text, self._home))
        return None

    def row(self, node: Node) -> tuple[str, dict[int, Value]]:
        """What a table says of one word, and what it goes by: NUMBER, or the word list; '' if that is wrong."""
        if isinstance(node, source.Sequence):
            values = [self.attribute_value(item) for item in node.items if isinstance(item, Scalar)]
            return NUMBER, {number: value for number, value in enumerate(values, 1) if value}
        entries = dict(by_name(node))
        lists = [name for name, words in self._index.items() if set(words) >= set(entries)]
        if not lists or not entries:
            likely = max(self._index, key=lambda name: len(set(self._index[name]) & set(entries)), default="")
            strange = next((key for key, _ in items(node) if key.text not in self._index.get(likely, ())), None)
            message = "A table goes by the words of one list"
            message += f", and '{strange.text}' is no word of '{likely}'." if strange else "."
            hint = nearest(strange.text, self._index.get(likely, ())) if strange else ""
            self.report.error(strange.place if strange else node.place, "table", message, hint)
            return "", {}
        missing = [word for word in self._index[lists[0]] if word not in entries]
        if missing:
            self.report.error(node.place, "table", f"This says nothing of '{missing[0]}'; a table tells all of them.")
        values_by_word = {
            self._index[lists[0]].index(word): found
            for word, value in entries.items()
            if isinstance(value, Scalar) and (found := self.attribute_value(value))
        }
        return lists[0], values_by_word

    def table(self, by: str, rows: list[tuple[int, dict[int, Value], Place]], words: int) -> Table:
        """The rows of all words, of one length; what a word has not is 0 or nothing."""
        holds = NUMBER
        for _, row, place in rows:
            found = {kind for kind, _ in row.values()}
            if len(found) > 1 or (row is not rows[0][1] and found and found != {holds}):
                self.report.error(place, "table", "A table holds numbers, or words of one list.")
            holds = next(iter(found), holds)
        last = len(self._index[by]) - 1 if by != NUMBER else max((max(row, default=0) for _, row, _ in rows), default=0)
        nothing = 0 if holds == NUMBER else -1
        told = {number: row for number, row, _ in rows}
        entries = tuple(
            tuple(told.get(number, {}).get(place, (holds, nothing))[1] for place in range(last + 1))
            for number in range(words)
        )
        return Table(by, holds, entries)


def _by(name: str) -> str:
    return "number" if name == NUMBER else f"words of '{name}'"
