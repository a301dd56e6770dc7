"""Sentences and expressions: text -> syntax tree, by the grammar in `spec/sentences.lark`."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Container, Iterator
from functools import cache as cached
from functools import lru_cache
from typing import Any

from rulewright.base import resources
from rulewright.syntax.parser import END, TableParser, Unreadable
from rulewright.syntax.trees import Token, Tree

Syntax = Tree[Token]

STARTS = ("statement", "value", "keys", "hook", "span")
LONGEST_SENTENCE = 1000
DEEPEST_NESTING = 40

_WITH_BODY = ("each", "all", "as", "if", "repeat", "go")
_SIGNS = {
    "=": "To compare, say 'is', as in 'pot is 3'; to change a counter, 'set pot to 3'.",
    "!": "Say 'is not'.",
    ">": "Say 'is more than' or 'is at least'.",
    "<": "Say 'is less than' or 'is at most'.",
    "≥": "Say 'is at least'.",
    "≤": "Say 'is at most'.",
    ".": "A sentence has no full stop at its end.",
    '"': "Names stand without quotes.",
    "'": "Names stand without quotes; whose something is, is said as in ada's hand.",
    "{": "Braces stand in texts; in sentences a name needs none.",
    "%": "Say a fraction with '/', and which way to round it.",
}
_OPERANDS = ("NAME", "INT", "RPAR", "ROUNDED", "YES")
"""What a minus that follows it is taken from."""

_INSTEAD = {
    "after": "later", "among": "amid", "and": "beside", "any": "some", "are": "being", "as": "like",
    "at least": "least", "at most": "most", "at once": "together", "be": "being", "bottom": "lower", "by": "beside",
    "empty": "vacant", "every": "all", "first": "opening", "for": "towards", "from": "source", "group": "set",
    "has": "having", "highest": "greatest", "if": "maybe", "in": "inside", "into": "inside", "is": "being",
    "its": "own", "last": "final", "less than": "under", "lowest": "smallest", "more than": "over", "my": "own",
    "no": "without", "not": "without", "of": "whose", "or": "else", "plus": "extra", "random": "chance",
    "rounded down": "floor", "rounded up": "ceiling", "times": "repeats", "to": "towards", "top": "upper",
    "total": "sum", "until": "till", "where": "place", "with": "having", "yes": "agreed",
}  # fmt: skip
"""For each reserved word one that a name may hold."""


class SentenceError(Exception):
    """A text that is no sentence: `at` and `length` are offsets into it, `hint` may be empty."""

    def __init__(self, message: str, at: int, length: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.at, self.length, self.hint = message, at, length, hint


@cached
def _tables() -> dict[str, Any]:
    """All that is known of the grammar."""
    tables: dict[str, Any] = json.loads(resources.read_text("spec", "sentences.json"))
    return tables


@cached
def _parser() -> TableParser:
    return TableParser(_tables())


def _beginnings() -> list[str]:
    """The words that sentences begin with."""
    beginnings: list[str] = _tables()["beginnings"]
    return beginnings


@cached
def _shown() -> dict[str, str]:
    """What people are told of a terminal."""
    shown: dict[str, str] = _tables()["shown"]
    return shown


@cached
def reserved() -> frozenset[str]:
    """The words, and runs of words, that no name may contain, for a name may stand beside them in a sentence."""
    every = frozenset[str](_tables()["reserved"])
    return frozenset(phrase for phrase in every if not any(f" {other} " in f" {phrase} " for other in every - {phrase}))


@cached
def words() -> frozenset[str]:
    """Every word that the grammar knows."""
    return frozenset(word for phrase in _tables()["phrases"] for word in phrase.split())


def reserved_in(name: str) -> str:
    """The reserved word that stands first in a name, or ''."""
    held = [phrase for phrase in reserved() if f" {phrase} " in f" {name} "]
    return min(held, key=f" {name} ".index, default="")


def unreserved(name: str, taken: Container[str] = ()) -> str:
    """A name to use instead of one that holds a reserved word, and that is not taken; '' if none comes to mind."""
    thing, of, whose = name.partition(" of ")
    found = f"{whose} {thing}" if of else name
    while phrase := reserved_in(found):
        found = " ".join(f" {found} ".replace(f" {phrase} ", f" {_INSTEAD[phrase]} ").split())
    return next((other for other in (found, f"other {found}") if other not in taken), "")


@lru_cache(maxsize=10_000)
def _read(text: str, start: str) -> Syntax:
    return _parser().parse(text, start)


@lru_cache(maxsize=10_000)
def parse(text: str, start: str) -> Syntax:
    """The syntax tree of `text` read as `start` (one of STARTS).

    Raises SentenceError where it is none, with what was expected and the nearest keyword.
    """
    if len(text) > LONGEST_SENTENCE:
        raise SentenceError(f"A sentence has at most {LONGEST_SENTENCE} characters.", 0, 20)
    if text.count("(") > DEEPEST_NESTING:
        raise SentenceError(f"A sentence has at most {DEEPEST_NESTING} parentheses.", 0, 20)
    try:
        return _read(text, start)
    except Unreadable as error:
        if (found := _without_parentheses(text, start, error)) is not None:
            return found[1]
        raise _told(text, start, error) from None


def hook_condition(text: str) -> Syntax | None:
    """What stands behind the 'if' of a hook that has one. Raises SentenceError."""
    condition = parse(text, "hook").children[3]
    return condition if isinstance(condition, Tree) else None


def _without_parentheses(text: str, start: str, error: Unreadable) -> tuple[str, Syntax] | None:
    """A text without the parentheses that it does not need, and its tree; None if it is no sentence without them, or
    one that means something else."""
    if error.token is None or error.token.type not in ("LPAR", "RPAR"):
        return None
    pair = next((pair for pair in _pairs(text) if error.at in pair), None)
    if pair is None:
        return None
    opening, end = pair
    without = f"{text[:opening]} {text[opening + 1 : end]} {text[end + 1 :]}"
    try:
        inside = _parser().parse(text[opening + 1 : end], "value")
        return without, next(tree for tree in [parse(without, start)] if inside in tree.iter_subtrees())
    except (Unreadable, SentenceError, StopIteration):
        return None


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Where parentheses open and close."""
    opened: list[int] = []
    for at, character in enumerate(text):
        if character == "(":
            opened.append(at)
        elif character == ")" and opened:
            yield opened.pop(), at


def _told(text: str, start: str, error: Unreadable) -> SentenceError:
    """What is wrong with a text that is no sentence."""
    at, token, expected = error.at, error.token, error.expected
    if token is None:
        hint = _SIGNS.get(text[at]) or _hint(text[at:], expected)
        return SentenceError(f"I cannot read '{text[at]}' here.", at, 1, hint)
    ended = token.type == END
    hint = _hint(str(token), expected)
    if start == "statement" and not text[:at].strip() and not ended:
        word = str(token).split()[0]
        if word == "log":
            return SentenceError("'log' is followed by a colon and a text.", at, len(word), 'As in: log: "…"')
        hint = hint or f"Sentences begin with: {', '.join(_beginnings())}."
        return SentenceError(f"No sentence begins with '{word}'.", at, len(word), hint)
    found = "The sentence ends too early" if ended else f"I did not expect '{token}' here"
    if not ended and expected == {"NAME"} and (word := reserved_in(str(token))):
        other = unreserved(word)
        message = f"A name cannot contain '{word}', which is a word of the language."
        return SentenceError(message, at, len(token), f"Say '{other}', for example.")
    message = f"{found}; {_expectation(expected)}."
    hint = _colon_hint(text, at + len(token), start) or hint or _hint_before(text[:at], expected)
    return SentenceError(message, at, max(1, len(token)), hint)


def _colon_hint(text: str, end: int, start: str) -> str:
    """For 'each seat move …', where a colon is missing."""
    opening, *_ = [*text.split(maxsplit=1), ""]
    if start == "statement" and opening in _WITH_BODY:
        begins = "|".join(word for word in _beginnings() if word != "as").replace(" ", r"\s+")
        if found := re.compile(rf"\b(?:{begins})\b").search(text, len(opening), end):
            return f"Is a colon missing before '{found[0]}'? What is done inside '{opening} …' stands behind one."
    return ""


def _hint_before(before: str, expected: set[str]) -> str:
    """For names that swallowed a misspelt keyword, such as 'seat have' before a condition."""
    words = before.split()
    near = _hint(words[-1], expected, 0.55) if words else ""
    return f"{near[:-1]} for '{words[-1]}'?" if near and words[-1] not in reserved() else ""


def _rank(terminal: str) -> tuple[bool, str]:
    return not terminal.startswith("_"), terminal


@lru_cache(maxsize=10_000)
def spelt(text: str, start: str) -> str:
    """The text as it is written by the book: one space between words, none inside parentheses.

    What cannot be read stays as it is; so does the + of a figure that is added to.
    """
    words = " ".join(text.split())
    sign = "+" if words.startswith("+") else ""
    words = words.removeprefix("+")
    try:
        meaning = parse(words, start)
        found = sign + _spaced(_plain(words, start), start)
        same = parse(found.removeprefix(sign), start) == meaning
    except SentenceError:
        return text
    return found if same else text


def _plain(text: str, start: str) -> str:
    """A sentence without the parentheses that it does not need."""
    try:
        _read(text, start)
    except Unreadable as error:
        found = _without_parentheses(text, start, error)
        return _plain(found[0], start) if found is not None else text
    return text


def _spaced(text: str, start: str) -> str:
    found = ""
    before = ""
    sign = False
    for token in _parser().tokens(text, start):
        close = sign or before in ("", "LPAR") or token.type in ("RPAR", "COMMA", "POSSESSIVE")
        found += token if close else f" {token}"
        sign = token.type == "MINUS" and before not in _OPERANDS
        before = token.type
    return found


def _expectation(expected: set[str]) -> str:
    """What could stand here. Where that is much: the words of the sentence itself before those of any expression."""
    shown = _shown()
    names = [shown.get(name, name.lower()) for name in sorted(expected - {"POSSESSIVE"}, key=_rank)]
    names = sorted(set(names)) if len(names) <= 6 else list(dict.fromkeys(names))
    if len(names) > 6:
        words = [name.partition(" or ")[0] for name in names if name.startswith("'")]
        names = ["a name", *words[:8]] if "a name" in names else words[:9]
        return "expected for example " + ", ".join(names)
    return "expected " + (" or ".join(names) or "something else")


def _hint(found: str, expected: set[str], likeness: float = 0.6) -> str:
    """The keyword that a misspelt word was probably meant to be, or nothing."""
    if not found.strip():
        return ""
    wanted = [word for name in expected for word in re.findall(r"'([^']+)'", _shown().get(name, ""))]
    word = found.split(maxsplit=1)[0].lower()
    wanted = [other for other in wanted if not word.endswith(other)]  # 'hand' is no 'and'
    near = difflib.get_close_matches(word, wanted, 1, likeness)
    return f"Did you mean '{near[0]}'?" if near else ""
