"""Words: lists of them, and their attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from rulewright.base.diagnostics import SourcePlace, nearest
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import FRACTION, NUMBER, NUMBERS, Step, Word, WordList, WordTable, canonical
from rulewright.model.naming import report_ambiguous
from rulewright.model.reader.boards import BoardReader
from rulewright.model.reader.section import by_name, items, scalar, text_of
from rulewright.program.form import parts_of
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar

_NUMBER = re.compile(r"-?(\d{1,9}|\d{1,7}\.\d{1,2})")
OTHERWISE = "otherwise"
"""In a table, what it is for all words that are left."""
_NO_ATTRIBUTES = ("noun", "next to", "title", "text", "do")

Declared = TypeVar("Declared")
"""Where something is told: the number of a word, and in a table what for."""


class WordReader(BoardReader):
    """Reads word lists, those of boards included."""

    def words(self) -> None:
        lists = [(key, list(items(node))) for key, node in items(self.tree.get("words"))]
        ways = {text_of(node, "directions") for _, node in items(self.tree.get("boards"))}
        for key, spaces in self.boards():
            place = next((place for place, (other, _) in enumerate(lists) if other.text == key.text), None)
            if place is None:
                lists.append((key, spaces))
            elif key.text in ways:
                lists[place] = key, spaces
        self._index = {key.text: [word.text for word, _ in entries] for key, entries in lists}
        for key, entries in lists:
            self.edition.words[key.text] = self.word_list(key, entries)

    def word_list(self, key: Scalar, entries: list[tuple[Scalar, Node]]) -> WordList:
        told: dict[str, dict[int, Scalar]] = {}
        rows: dict[str, dict[int, Node]] = {}
        places: dict[str, SourcePlace] = {}
        for number, (_, details) in enumerate(entries):
            for attribute, value in items(details):
                if attribute.text in _NO_ATTRIBUTES:
                    continue
                places.setdefault(attribute.text, attribute.place)
                if isinstance(value, Scalar):
                    told.setdefault(attribute.text, {})[number] = value
                else:
                    rows.setdefault(attribute.text, {})[number] = value
        kinds: dict[str, str] = {}
        attributes: list[dict[str, int]] = [{} for _ in entries]
        for name, values in told.items():
            holds, found = self.held(name, values, key.text)
            if found:
                kinds[name] = holds
            for number, index in found.items():
                attributes[number][name] = index
        words = [self.word(key, word, details, has) for (word, details), has in zip(entries, attributes, strict=True)]
        tables = {name: table for name, nodes in rows.items() if (table := self.table(name, nodes, len(words)))}
        for name in set(tables) & set(told):
            self.report.error(places[name], "table", f"'{name}' is a table for some words, and not for others.")
        return WordList(key.text, key.place, tuple(words), kinds, places, tables)

    def word(self, words: Scalar, word: Scalar, details: Node, attributes: Mapping[str, int]) -> Word:
        told = details if isinstance(details, source.MappingNode) else None
        noun, title = self.noun(told, word.text), text_of(told, "title")
        rule = RuleKey.of("words", words.text, word=word.text)
        says = self.says(rule, told, title or noun.one.capitalize(), word.place)
        return Word(word.text, noun, attributes, title, scalar(told, "text"), says)

    def says(self, rule: RuleKey, told: source.MappingNode | None, title: str, place: SourcePlace) -> Step | None:
        """What is done where a sentence does what a word, or a piece of a kind, says."""
        body = told.get("do") if told is not None else None
        return Step(rule, title, place, (), body, scalar(told, "text")) if body is not None else None

    def held(self, name: str, values: Mapping[Declared, Scalar], own: str = "") -> tuple[str, dict[Declared, int]]:
        """What an attribute or table of this name holds, one of NUMBERS or the name of a word list; and its entries,
        the numbers or the words' indices. What is wrong with them is told, and left out. own: the list that has it,
        which counts where no list is called so."""
        homes: list[str] = []
        right: dict[Declared, Scalar] = {}
        for entry, value in values.items():
            found = self.homes(value)
            common = [home for home in homes if home in found] if right else found
            if found and not common:
                first = next(iter(right.values()))
                message = f"'{name}' holds {_all(homes)}, such as '{first.text}'; '{value.text}' is none of them."
                self.report.error(value.place, "type", message)
            if common:
                homes, right[entry] = common, value
            else:
                self.edition.lost.add(name)
        called_so = [home for home in homes if canonical(home) == canonical(name)]
        called_so = called_so or [home for home in homes if home == own]
        if len(homes) > 1 and not called_so:
            first = next(iter(right.values()))
            hint = f"Call this '{homes[0]}' instead of '{name}', for example, or give one of the words another name."
            shared = {home: self._index[home] for home in homes}
            report_ambiguous(self.report, first.place, first.text, shared, hint)
            self.edition.lost.add(name)
            return NUMBER, {}
        holds = next(iter([*called_so, *homes]), NUMBER)
        if holds == NUMBER and any("." in value.text for value in right.values()):
            return FRACTION, {entry: parts_of(value.text) for entry, value in right.items()}
        if holds == NUMBER:
            return holds, {entry: int(value.text) for entry, value in right.items()}
        return holds, {entry: self._index[holds].index(value.text) for entry, value in right.items()}

    def homes(self, value: Scalar) -> list[str]:
        """What a value can be: NUMBER, or the lists that have the word; none if that is wrong."""
        if _NUMBER.fullmatch(value.text):
            return [NUMBER]
        found = [name for name, words in self._index.items() if value.text in words]
        if not found and value.text not in self.edition.lost:
            message = f"'{value.text}' is neither a number nor a word of a list."
            every = [word for words in self._index.values() for word in words]
            self.report.error(value.place, "unknown-name", message, nearest(value.text, every))
        return found

    def row(self, node: Node, likely_by: str = "") -> tuple[str, dict[int, Scalar]]:
        """What a table says of one word, and what it goes by: NUMBER, or the word list; '' if that is wrong. likely_by:
        what it goes by where it says nothing but 'otherwise'."""
        if isinstance(node, source.SequenceNode):
            return NUMBER, {number: item for number, item in enumerate(node.items, 1) if isinstance(item, Scalar)}
        entries = dict(by_name(node))
        other = entries.pop(OTHERWISE, None)
        if other is not None and not entries and likely_by in self._index:
            entries = dict.fromkeys(self._index[likely_by], other)
        if not entries:
            message = "This table says nothing but 'otherwise', so I cannot tell by which list it goes."
            hint = "Name one of the words, too; or say it without a table, if it is always the same."
            self.report.error(node.place, "table", message, hint)
            return "", {}
        lists = [name for name, words in self._index.items() if set(words) >= set(entries)]
        if not lists:
            likely = max(self._index, key=lambda name: len(set(self._index[name]) & set(entries)), default="")
            strange = next(
                (key for key, _ in items(node) if key.text not in (OTHERWISE, *self._index.get(likely, ()))), None
            )
            message = "A table goes by the words of one list"
            message += f", and '{strange.text}' is no word of '{likely}'." if strange else "."
            hint = nearest(strange.text, self._index.get(likely, ())) if strange else ""
            self.report.error(strange.place if strange else node.place, "table", message, hint)
            return "", {}
        whole = [name for name in lists if len(self._index[name]) == len(entries)]
        either = whole or (lists if other is not None else [])
        if len(either) > 1:
            message = (
                f"These are {'the ' if whole else ''}words of {' and of '.join(either)}; I cannot tell which are meant."
            )
            self.report.error(node.place, "ambiguous-word", message, "Give one of the words another name.")
        by = (whole or lists)[0]
        missing = [word for word in self._index[by] if word not in entries]
        if other is not None:
            entries |= dict.fromkeys(missing, other)
        elif missing:
            message = f"This says nothing of '{missing[0]}'; a table tells all of them."
            self.report.error(node.place, "table", message, "Say 'otherwise: 0', for example, for all that are left.")
        return by, {self._index[by].index(word): value for word, value in entries.items() if isinstance(value, Scalar)}

    def table(self, name: str, nodes: Mapping[int, Node], words: int) -> WordTable | None:
        """The rows of all words, of one length; what a word has not is 0 or nothing. None if it is not known what the
        table goes by."""
        by = ""
        told: dict[tuple[int, int], Scalar] = {}
        told_once = False
        for number, node in sorted(nodes.items(), key=lambda row: _tells_no_word(row[1])):
            if not by and told_once and _tells_no_word(node):
                break
            found, row = self.row(node, by)
            told_once = told_once or not found
            by = by or found
            if not found:
                self.edition.lost.add(name)
            elif found != by:
                message = f"'{name}' goes by {_all([by])} above, here by {_all([found])}."
                self.report.error(node.place, "table", message)
            else:
                told |= {(number, place): value for place, value in row.items()}
        if not by:
            return None
        holds, entries = self.held(name, told)
        last = len(self._index[by]) - 1 if by != NUMBER else max((place for _, place in told), default=0)
        nothing = 0 if holds in NUMBERS else -1
        rows = tuple(
            tuple(entries.get((number, place), nothing) for place in range(last + 1)) for number in range(words)
        )
        return WordTable(by, holds, rows)


def _tells_no_word(node: Node) -> bool:
    """Whether a row says nothing but what it is otherwise: by which list it goes, other rows tell."""
    return isinstance(node, source.MappingNode) and node.entries.keys() == {OTHERWISE}


def _all(homes: list[str]) -> str:
    return "numbers" if homes == [NUMBER] else "words of " + " or ".join(f"'{home}'" for home in homes)
