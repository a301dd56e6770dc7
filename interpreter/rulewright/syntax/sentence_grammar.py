"""Grammar of sentences, from `spec/sentences.lark`: its parser, its words, and the words that names may not contain."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache as cached
from functools import lru_cache

import lark
from lark import Lark
from lark.parsers.lalr_interactive_parser import InteractiveParser

from rulewright.base import cache, resources
from rulewright.base.records import record

STARTS = ("statement", "value", "keys", "hook", "span")
"""Entry points of the grammar."""
JOINT = "\x1f"
"""Character in place of blanks within a declared name that holds reserved words. No file can contain it."""
_BLANK = rf"[^\S{JOINT}]"
"""Pattern of a blank between words, which JOINT is not."""
_END = rf"(?![\w{JOINT}])"
"""Pattern of the end of a word."""
_INSTEAD = {
    "distance between": "way between", "through": "across",
    "after": "later", "among": "amid", "and": "beside", "any": "some", "are": "being", "as": "like",
    "at least": "least", "at most": "most", "at once": "together", "be": "being", "bottom": "lower", "by": "beside",
    "empty": "vacant", "every": "all", "first": "opening", "for": "towards", "from": "source", "group": "set",
    "has": "having", "highest": "greatest", "if": "maybe", "in": "inside", "into": "inside", "is": "being",
    "outside": "beyond", "that make one": "making one",
    "its": "own", "last": "final", "less than": "under", "lowest": "smallest", "more than": "over", "my": "own",
    "no": "without", "not": "without", "of": "whose", "or": "else", "plus": "extra", "random": "chance",
    "rounded down": "floor", "rounded up": "ceiling", "says": "sayings", "times": "repeats", "to": "towards",
    "top": "upper", "total": "sum", "until": "till", "where": "place", "with": "having", "yes": "agreed",
}  # fmt: skip
"""Words that a name may hold instead of reserved ones, as messages suggest; none of them is reserved."""

_QUOTED = re.compile(r""""([^"]*)"|'([^'"|]*)'""")
"""Keyword of the grammar: in double quotes a reserved one, in single quotes one that names may hold."""


def without_joints(text: str) -> str:
    """Return a sentence as it is written, with blanks within names."""
    return text.replace(JOINT, " ")


@record
class _Grammar:
    """Grammar and its derivatives. source: for Lark; reserved: phrases that no name may contain, without those that
    contain a shorter one; phrases: all quoted phrases of letters; spellings: terminal -> its phrases, in the grammar's
    order, for those that are made of phrases."""

    source: str
    reserved: frozenset[str]
    phrases: frozenset[str]
    spellings: dict[str, tuple[str, ...]]


@cached
def grammar() -> _Grammar:
    """Turn `spec/sentences.lark` into the grammar for Lark: each quoted phrase becomes a terminal of whole words, and
    NAME excludes the reserved ones."""
    rules, _, tokens = grammar_text().partition("\nMAY:")
    tokens = "MAY:" + tokens
    reserved = {match[1] for match in _QUOTED.finditer(rules + tokens) if match[1] and _is_phrase(match[1])}
    # What goes on after another phrase could be taken for a name there, as 'at least' after 'is'.
    token_phrases = set(_quoted_texts(tokens))
    reserved |= {
        phrase.removeprefix(f"{head} ")
        for phrase in token_phrases
        for head in token_phrases
        if phrase.startswith(f"{head} ")
    }
    spellings: dict[str, tuple[str, ...]] = {}
    terminals: dict[str, str] = {}

    def keyword(match: re.Match[str]) -> str:
        phrase = match[1] or match[2] or ""
        if not _is_phrase(phrase):
            return match[0]
        name = "_" + phrase.replace(" ", "_").upper()
        terminals[name] = whole_word(phrase)
        spellings[name] = (phrase,)
        return name

    def whole_word(phrase: str) -> str:
        return "/" + phrase.replace(" ", f"{_BLANK}+") + f"{_END}/"

    rules = _QUOTED.sub(keyword, rules)
    for line in re.split(r"\n(?=[A-Z_]+:)", tokens.strip()):
        name, body = line.split(":", 1)
        if phrases := list(_quoted_texts(body)):
            longest_first = sorted(phrases, key=len, reverse=True)
            terminals[name] = "/(" + "|".join(whole_word(p)[1:-1] for p in longest_first) + ")/"
            spellings[name] = tuple(phrases)
        else:
            terminals[name] = body.strip()
    excluded = "|".join(sorted(reserved)).replace(" ", f"{_BLANK}+")
    word = rf"(?:[^\W\d_]\w*(?:{JOINT}+\w+)+|(?!(?:{excluded}){_END})[^\W\d_]\w*)"
    terminals["NAME"] = rf"/{word}(?:{_BLANK}+{word})*/"
    lines = [f"{name}{_priority(name, spellings)}: {body}" for name, body in terminals.items()]
    source = rules + "\n" + "\n".join(lines) + f"\n%ignore /{_BLANK}+/\n"
    shortest = {
        phrase for phrase in reserved if not any(f" {other} " in f" {phrase} " for other in reserved - {phrase})
    }
    return _Grammar(
        source, frozenset(shortest), frozenset(filter(_is_phrase, _quoted_texts(grammar_text()))), spellings
    )


def _priority(terminal: str, spellings: Mapping[str, Sequence[str]]) -> str:
    """Return the priority of a terminal for Lark: a phrase is preferred to its beginning, as `is among` to `is`, and
    both to a name."""
    if terminal == "NAME":
        return ""
    phrases = {phrase for other, own in spellings.items() if other != terminal for phrase in own}
    goes_on = any(own.startswith(f"{phrase} ") for own in spellings.get(terminal, ()) for phrase in phrases)
    return ".3" if goes_on else ".2"


@cached
def parser() -> Lark:
    """Return the parser. Its tables are cached, since they take a while to make."""
    source = grammar().source
    key = cache.key("parser", lark.__version__, source)
    if isinstance(known := cache.get(key), dict):
        with suppress(Exception):  # whatever lies there, the parser is made anew
            return Lark.load(io.BytesIO(pickle.dumps(known)))
    lark_parser = Lark(
        source, parser="lalr", start=list(STARTS), strict=False, maybe_placeholders=True, propagate_positions=True
    )
    saved = io.BytesIO()
    lark_parser.save(saved)
    cache.store(key, pickle.loads(saved.getvalue()))
    return lark_parser


def accepted(reading: InteractiveParser) -> set[str]:
    """Return the terminals that can follow what has been read."""
    terminals: set[str] = reading.accepts()  # type: ignore[no-untyped-call]
    return terminals


@cached
def grammar_text() -> str:
    """Return the grammar without its comments."""
    return re.sub(r"(?m)^//.*$", "", resources.read_text("spec", "sentences.lark"))


def _quoted_texts(rules: str) -> Iterator[str]:
    """Yield what stands in quotes in a text of the grammar: phrases, and marks such as '('."""
    return (match[1] or match[2] or "" for match in _QUOTED.finditer(rules))


def _is_phrase(quoted: str) -> bool:
    """Return whether a quoted text is made of words."""
    return bool(quoted) and all(word.isalpha() for word in quoted.split())


def reserved() -> frozenset[str]:
    """Return the words and phrases that no name may contain, since names may stand beside them."""
    return grammar().reserved


def spellings() -> dict[str, tuple[str, ...]]:
    """Return terminal -> its phrases, for those that are made of phrases."""
    return grammar().spellings


@cached
def neighbours() -> frozenset[tuple[str, str]]:
    """Return the pairs of terminals that can follow each other in a sentence."""
    states = parser().parser.parser._parse_table.states
    pairs = {
        (terminal, after)
        for actions in states.values()
        for terminal, (_, argument) in actions.items()
        if isinstance(argument, int)
        for after in states[argument]
    }
    return frozenset(pairs)


def words() -> frozenset[str]:
    """Return all words of the grammar, reserved or not."""
    return frozenset(word for phrase in grammar().phrases for word in phrase.split())


@lru_cache(maxsize=10_000)
def reserved_in(name: str) -> str:
    """Return the reserved word or phrase that stands first in a name, or ''."""
    phrases = [phrase for phrase in reserved() if f" {phrase} " in f" {name} "]
    return min(phrases, key=f" {name} ".index, default="")


def unreserved(name: str, used_names: Container[str] = ()) -> str:
    """Return a free name in place of one that holds reserved words: 'owner thing' for 'thing of owner', other words for
    the others; '' if that and 'other …' are used."""
    thing, is_owned, owner = name.partition(" of ")
    candidate = f"{owner} {thing}" if is_owned else name
    while phrase := reserved_in(candidate):
        instead = _INSTEAD.get(phrase, phrase.rpartition(" ")[0] or "other")
        candidate = " ".join(f" {candidate} ".replace(f" {phrase} ", f" {instead} ").split())
    return next((other for other in (candidate, f"other {candidate}") if other not in used_names), "")
