"""Read word lists, with the attributes and tables of their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from rulewright.base.diagnostics import SourcePlace, did_you_mean
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.model import messages
from rulewright.model.declarations import FRACTION, NUMBER, NUMBERS, Step, Word, WordList, WordTable, canonical
from rulewright.model.naming import report_ambiguous
from rulewright.model.reader.boards import BoardReader
from rulewright.model.reader.section import by_name, scalar, text_of
from rulewright.program.value_types import parse_hundredths
from rulewright.syntax import source
from rulewright.syntax.messages import OR, QUOTED
from rulewright.syntax.nouns import join_parts
from rulewright.syntax.source import Node, Scalar, entries_of

_NUMBER = re.compile(r"-?(\d{1,9}|\d{1,7}\.\d{1,2})")
"""Number as the value of an attribute, with at most two digits behind the point."""
OTHERWISE = "otherwise"
"""Key of a table for all words that it does not name."""
_NO_ATTRIBUTES = ("noun", "next to", "title", "text", "do")
"""Keys of a word that are no attributes."""

Declared = TypeVar("Declared")
"""Index of a word that has a value; in a table that, and the index of the value in its row."""


class WordReader(BoardReader):
    """Reader of word lists, those of boards included."""

    def read_words(self) -> None:
        """Read all word lists, including those that boards make."""
        lists = [(key, list(entries_of(node))) for key, node in entries_of(self.tree.get("words"))]
        directions = {text_of(node, "directions") for _, node in entries_of(self.tree.get("boards"))}
        for key, spaces in self.read_boards():
            place = next((place for place, (other, _) in enumerate(lists) if other.text == key.text), None)
            if place is None:
                lists.append((key, spaces))
            elif key.text in directions:
                lists[place] = key, spaces
        self._index = {key.text: [word.text for word, _ in entries] for key, entries in lists}
        for key, entries in lists:
            self.edition.words[key.text] = self.word_list(key, entries)

    def word_list(self, key: Scalar, entries: list[tuple[Scalar, Node]]) -> WordList:
        """Return a word list with the attributes and tables of its words."""
        plain_values: dict[str, dict[int, Scalar]] = {}
        rows: dict[str, dict[int, Node]] = {}
        places: dict[str, SourcePlace] = {}
        for number, (_, details) in enumerate(entries):
            for attribute, value in entries_of(details):
                if attribute.text in _NO_ATTRIBUTES:
                    continue
                places.setdefault(attribute.text, attribute.place)
                if isinstance(value, Scalar):
                    plain_values.setdefault(attribute.text, {})[number] = value
                else:
                    rows.setdefault(attribute.text, {})[number] = value
        kinds: dict[str, str] = {}
        attributes: list[dict[str, int]] = [{} for _ in entries]
        for name, values in plain_values.items():
            holds, indices = self.typed_entries(name, values, key.text)
            if indices:
                kinds[name] = holds
            for number, index in indices.items():
                attributes[number][name] = index
        words = [self.word(key, word, details, has) for (word, details), has in zip(entries, attributes, strict=True)]
        tables = {name: table for name, nodes in rows.items() if (table := self.table(name, nodes, len(words)))}
        for name in set(tables) & set(plain_values):
            self.report.error(places[name], messages.TABLE_FOR_SOME(name=name))
        return WordList(key.text, key.place, tuple(words), kinds, places, tables)

    def word(self, words: Scalar, word: Scalar, details: Node, attributes: Mapping[str, int]) -> Word:
        """Read one word of a list. details: what stands behind it; attributes: their numbers, read before."""
        owner = details if isinstance(details, source.MappingNode) else None
        noun, title = self.noun(owner, word.text), text_of(owner, "title")
        rule = RuleKey.of("words", words.text, word=word.text)
        says = self.say_step(rule, owner, title or noun.one.capitalize(), word.place)
        return Word(word.text, noun, attributes, title, scalar(owner, "text"), says)

    def say_step(self, rule: RuleKey, owner: source.MappingNode | None, title: str, place: SourcePlace) -> Step | None:
        """Return the step of what a word or kind of piece says; None without `do`."""
        body = owner.get("do") if owner is not None else None
        return Step(rule, title, place, (), body, scalar(owner, "text")) if body is not None else None

    def typed_entries(
        self, name: str, values: Mapping[Declared, Scalar], own: str = ""
    ) -> tuple[str, dict[Declared, int]]:
        """Return the type of an attribute or table, one of NUMBERS or a word list, and its entries, numbers or indices
        of words. Wrong values are reported and dropped. own: the list that has it, preferred unless a list has its
        name."""
        homes: list[str] = []
        right: dict[Declared, Scalar] = {}
        for entry, value in values.items():
            candidates = self.possible_types(value)
            common = [home for home in homes if home in candidates] if right else candidates
            if candidates and not common:
                first = next(iter(right.values()))
                problem = messages.HOLDS_OTHER_TYPE(
                    name=name, types=_all_lists(homes), example=first.text, given=value.text
                )
                self.report.error(value.place, problem)
            if common:
                homes, right[entry] = common, value
            else:
                self.edition.lost.add(name)
        called_so = [home for home in homes if canonical(home) == canonical(name)]
        called_so = called_so or [home for home in homes if home == own]
        if len(homes) > 1 and not called_so:
            first = next(iter(right.values()))
            shared = {home: self._index[home] for home in homes}
            hint = messages.CALL_IT(list=homes[0], name=name)
            report_ambiguous(self.report, first.place, first.text, shared, hint)
            self.edition.lost.add(name)
            return NUMBER, {}
        holds = next(iter([*called_so, *homes]), NUMBER)
        if holds == NUMBER and any("." in value.text for value in right.values()):
            return FRACTION, {entry: parse_hundredths(value.text) for entry, value in right.items()}
        if holds == NUMBER:
            return holds, {entry: int(value.text) for entry, value in right.items()}
        return holds, {entry: self._index[holds].index(value.text) for entry, value in right.items()}

    def possible_types(self, value: Scalar) -> list[str]:
        """Return the types that a value can have: NUMBER, or the lists with that word; none, reported, if unknown."""
        if _NUMBER.fullmatch(value.text):
            return [NUMBER]
        lists = [name for name, words in self._index.items() if value.text in words]
        if not lists and value.text not in self.edition.lost:
            problem = messages.NEITHER_NUMBER_NOR_WORD(given=value.text)
            every = [word for words in self._index.values() for word in words]
            self.report.error(value.place, problem, *did_you_mean(value.text, every))
        return lists

    def row(self, node: Node, likely_by: str = "") -> tuple[str, dict[int, Scalar]]:
        """Return the type of a table's keys, NUMBER or a word list, and its values for one word, by index; '' if wrong.

        likely_by: the type of its keys if it has nothing but 'otherwise'.
        """
        if isinstance(node, source.SequenceNode):
            return NUMBER, {number: item for number, item in enumerate(node.items, 1) if isinstance(item, Scalar)}
        entries = dict(by_name(node))
        other = entries.pop(OTHERWISE, None)
        if other is not None and not entries and likely_by in self._index:
            entries = dict.fromkeys(self._index[likely_by], other)
        if not entries:
            self.report.error(node.place, messages.TABLE_WITHOUT_WORD(), messages.NAME_A_WORD())
            return "", {}
        lists = [name for name, words in self._index.items() if set(words) >= set(entries)]
        if not lists:
            self.report_strange_key(node, entries)
            return "", {}
        whole = [name for name in lists if len(self._index[name]) == len(entries)]
        either = whole or (lists if other is not None else [])
        if len(either) > 1:
            problem = messages.AMBIGUOUS_LIST if whole else messages.AMBIGUOUS_KEYS
            lists_ = join_parts(messages.AND_OF, either)
            self.report.error(node.place, problem(lists=lists_), messages.RENAME_WORD())
        key_list = (whole or lists)[0]
        missing = [word for word in self._index[key_list] if word not in entries]
        if other is not None:
            entries |= dict.fromkeys(missing, other)
        elif missing:
            self.report.error(node.place, messages.WORD_LEFT_OUT(word=missing[0]), messages.SAY_OTHERWISE())
        return key_list, {
            self._index[key_list].index(word): value for word, value in entries.items() if isinstance(value, Scalar)
        }

    def report_strange_key(self, node: Node, entries: Mapping[str, Node]) -> None:
        """Report the first key of a table that is no word of the list by which it probably goes."""
        likely = max(self._index, key=lambda name: len(set(self._index[name]) & set(entries)), default="")
        words = self._index.get(likely, ())
        strange = next((key for key, _ in entries_of(node) if key.text not in (OTHERWISE, *words)), None)
        if strange is None:
            self.report.error(node.place, messages.NO_LIST_OF_KEYS())
        else:
            problem = messages.STRANGE_KEY(name=strange.text, list=likely)
            self.report.error(strange.place, problem, *did_you_mean(strange.text, words))

    def table(self, name: str, nodes: Mapping[int, Node], words: int) -> WordTable | None:
        """Return the table of all words, with rows of one length; missing values are 0 or nothing.

        None if the type of its keys is unknown.
        """
        key_list = ""
        cells: dict[tuple[int, int], Scalar] = {}
        told_once = False
        for number, node in sorted(nodes.items(), key=lambda row: _has_only_otherwise(row[1])):
            if not key_list and told_once and _has_only_otherwise(node):
                break
            row_by, row = self.row(node, key_list)
            told_once = told_once or not row_by
            key_list = key_list or row_by
            if not row_by:
                self.edition.lost.add(name)
            elif row_by != key_list:
                problem = messages.OTHER_KEYS(name=name, above=_all_lists([key_list]), here=_all_lists([row_by]))
                self.report.error(node.place, problem)
            else:
                cells |= {(number, place): value for place, value in row.items()}
        if not key_list:
            return None
        holds, entries = self.typed_entries(name, cells)
        last = len(self._index[key_list]) - 1 if key_list != NUMBER else max((place for _, place in cells), default=0)
        nothing = 0 if holds in NUMBERS else -1
        rows = tuple(
            tuple(entries.get((number, place), nothing) for place in range(last + 1)) for number in range(words)
        )
        return WordTable(key_list, holds, rows)


def _has_only_otherwise(node: Node) -> bool:
    """Return whether a row of a table has nothing but 'otherwise', so that other rows decide the type of its keys."""
    return isinstance(node, source.MappingNode) and node.entries.keys() == {OTHERWISE}


def _all_lists(homes: list[str]) -> Wording:
    """Return the names of word lists, joined for messages."""
    if homes == [NUMBER]:
        return messages.NUMBERS()
    return messages.WORDS_OF(lists=join_parts(OR, [QUOTED(name=home) for home in homes]))
