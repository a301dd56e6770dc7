"""Runs the tables that `tools/grammar.py` makes of the grammar: text -> tokens -> tree (LALR with one token ahead).

Which tokens can stand at a place is known from the state there; so a word is a keyword where one can stand, and a part
of a name elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rulewright.base.records import record
from rulewright.syntax.trees import Token, Tree

END = "$END"

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\W\d_]\w*")
_NEXT_WORD = re.compile(r"\s+(\w+)")
_NUMBER = re.compile("[0-9]+")
_SIGN = re.compile(r"'s\b|[(),*/+-]")

Phrases = Mapping[str, list[tuple[str, list[str]]]]
"""First word -> what is said with it, and the other words."""


class Unreadable(Exception):
    """A text that is no sentence. at: where it cannot go on; token: what stands there, or None for what no token begins
    with; expected: what could stand there."""

    def __init__(self, at: int, token: Token | None, expected: Collection[str], run: _Run) -> None:
        super().__init__(at)
        self.at, self.token, self._expected, self._run = at, token, expected, run

    @property
    def expected(self) -> set[str]:
        fitting = self._run.fitting() if self.token is not None else set()
        return fitting or set(self._expected)


@record
class _Rule:
    """origin: what it makes; data: what its tree is called; size: how many parts it has; parts: those that the tree
    keeps, -1 for one that is missing; spliced: whose own parts are kept instead; lone: whether one part stands for it.
    """

    origin: str
    data: str
    size: int
    parts: list[int]
    spliced: list[int]
    lone: bool


class TableParser:
    """A grammar, ready to read texts."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.rows: list[dict[str, int]] = tables["states"]
        self.rules = [_Rule(*rule) for rule in tables["rules"]]
        self.starts: dict[str, int] = tables["starts"]
        self.ends: dict[str, int] = tables["ends"]
        self.signs: dict[str, str] = tables["signs"]
        self.keywords = _by_first_word((name, phrase) for name, phrases in tables["keywords"] for phrase in phrases)
        self.reserved = _by_first_word(("", phrase) for phrase in tables["reserved"])

    def parse(self, text: str, start: str) -> Tree[Token]:
        """The tree of a text. Raises Unreadable."""
        run = _Run(self, text, start)
        while (token := run.next_token()) is not None:
            run.take(token)
        tree: Tree[Token] = run.take(Token(END, "", len(text), len(text)))
        return tree

    def tokens(self, text: str, start: str) -> Iterator[Token]:
        """The tokens of a text. Raises Unreadable."""
        run = _Run(self, text, start)
        while (token := run.next_token()) is not None:
            yield token
            run.take(token)


class _Run:
    """One text being read."""

    def __init__(self, parser: TableParser, text: str, start: str) -> None:
        self.parser, self.text, self.at = parser, text, 0
        self.states, self.values = [parser.starts[start]], list[Any]()
        self.end = parser.ends[start]

    def next_token(self) -> Token | None:
        """The next token that can stand here, None at the end of the text."""
        self.at = at = _skipped(self.text, self.at)
        if at == len(self.text):
            return None
        row = self.parser.rows[self.states[-1]]
        token = self._token(row)
        if token is None:
            expected = [name for name in row if name.isupper() and name != END]
            raise Unreadable(at, self._token(None), expected or ["<END-OF-FILE>"], self)
        self.at = token.end_pos
        return token

    def _token(self, row: Mapping[str, int] | None) -> Token | None:
        """What begins here, of what a row of the tables allows, if it is given."""
        text, at = self.text, self.at
        if word := _WORD.match(text, at):
            for terminal, others in self.parser.keywords.get(word[0], ()):
                if (row is None or terminal in row) and (end := _end_of(text, word.end(), others)) >= 0:
                    return Token(terminal, text[at:end], at, end)
            if (row is None or "NAME" in row) and (end := self._end_of_name(word)) > at:
                return Token("NAME", text[at:end], at, end)
            return None
        if number := _NUMBER.match(text, at):
            return Token("INT", number[0], at, number.end()) if row is None or "INT" in row else None
        sign = _SIGN.match(text, at)
        if sign is None or not (row is None or self.parser.signs[sign[0]] in row):
            return None
        return Token(self.parser.signs[sign[0]], sign[0], at, sign.end())

    def _end_of_name(self, word: re.Match[str] | None) -> int:
        """Where the run of words ends of which none is reserved."""
        end = self.at
        while word is not None:
            for _, others in self.parser.reserved.get(word[0], ()):
                if _end_of(self.text, word.end(), others) >= 0:
                    return end
            end = word.end()
            after = _skipped(self.text, end)
            word = _WORD.match(self.text, after) if after > end else None
        return end

    def take(self, token: Token) -> Any:
        """Take the next token; gives the tree when that is the end."""
        parser, states, values = self.parser, self.states, self.values
        while True:
            row = parser.rows[states[-1]]
            action = row.get(token.type)
            if action is None:
                raise Unreadable(token.start_pos, token, [name for name in row if name.isupper()], self)
            if action >= 0:
                states.append(action)
                values.append(token)
                return None
            rule = parser.rules[-1 - action]
            made = _made(rule, values[-rule.size :])
            del states[-rule.size :], values[-rule.size :]
            values.append(made)
            states.append(parser.rows[states[-1]][rule.origin])
            if token.type == END and states[-1] == self.end:
                return made

    def fitting(self) -> set[str]:
        """What can stand here so that the text goes on."""
        row = self.parser.rows[self.states[-1]]
        return {name for name in row if name.isupper() and self._goes_on(name)}

    def _goes_on(self, terminal: str) -> bool:
        states = [*self.states]
        while (action := self.parser.rows[states[-1]].get(terminal)) is not None:
            if action >= 0:
                return True
            rule = self.parser.rules[-1 - action]
            del states[-rule.size :]
            states.append(self.parser.rows[states[-1]][rule.origin])
            if terminal == END and states[-1] == self.end:
                return True
        return False


def _made(rule: _Rule, parts: list[Any]) -> Any:
    """What a rule makes of its parts, with where it stands."""
    kept: list[Any] = []
    for part in rule.parts:
        if part in rule.spliced:
            kept += parts[part].children
        else:
            kept.append(parts[part] if part >= 0 else None)
    made = kept[0] if rule.lone and len(kept) == 1 else Tree(rule.data, kept)
    if isinstance(made, Tree):
        span, first, last = made.meta, parts[0], parts[-1]
        span.outer_start = first.meta.outer_start if isinstance(first, Tree) else first.start_pos
        span.outer_end = last.meta.outer_end if isinstance(last, Tree) else last.end_pos
        if span.empty:
            span.start_pos, span.end_pos, span.empty = span.outer_start, span.outer_end, False
    return made


def _by_first_word(phrases: Iterator[tuple[str, str]]) -> Phrases:
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for what, phrase in phrases:
        first, *others = phrase.split()
        found.setdefault(first, []).append((what, others))
    return found


def _skipped(text: str, at: int) -> int:
    """Behind the blanks there."""
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _end_of(text: str, at: int, words: list[str]) -> int:
    """Where these words end, if they come next; else -1."""
    for word in words:
        found = _NEXT_WORD.match(text, at)
        if found is None or found[1] != word:
            return -1
        at = found.end()
    return at
