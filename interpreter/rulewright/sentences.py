"""Sentences and expressions: text -> syntax tree, by the grammar in `spec/sentences.lark`."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache, lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from rulewright import resources

Syntax = Tree[Token]

STARTS = ("statement", "value", "keys", "hook", "span")
LONGEST_SENTENCE = 1000
DEEPEST_NESTING = 40

_WITH_BODY = ("each", "all", "as", "if", "repeat", "go")
_MARKS = {"LPAR": "'('", "RPAR": "')'", "COMMA": "','", "PLUS": "'+'", "MINUS": "'-'", "STAR": "'*'", "SLASH": "'/'"}
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
_PRIORITIES = {"NAME": "", "AMONG": ".3", "EMPTY": ".3"}
_OPERANDS = ("NAME", "INT", "RPAR", "ROUNDED", "YES")
"""What a minus that follows it is taken from."""

_QUOTED = re.compile(r'"([^"]*)"')


class SentenceError(Exception):
    """A text that is no sentence: `at` and `length` are offsets into it, `hint` may be empty."""

    def __init__(self, message: str, at: int, length: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.at, self.length, self.hint = message, at, length, hint


@dataclass(frozen=True)
class _Grammar:
    parser: Lark
    keywords: frozenset[str]
    shown: dict[str, str]


@cache
def _grammar() -> _Grammar:
    text = re.sub(r"(?m)^//.*$", "", resources.read_text("spec", "sentences.lark"))
    rules, _, tokens = text.partition("\nMAY:")
    tokens = "MAY:" + tokens
    keywords = {phrase for phrase in _QUOTED.findall(rules) if _is_phrase(phrase)}
    keywords |= {word for quoted in _QUOTED.findall(tokens) for word in quoted.split() if word.isalpha()}
    shown: dict[str, str] = {"NAME": "a name", "INT": "a whole number", "$END": "the end", **_MARKS}
    terminals: dict[str, str] = {}

    def keyword(match: re.Match[str]) -> str:
        if not _is_phrase(match[1]):
            return match[0]
        name = "_" + match[1].replace(" ", "_").upper()
        terminals[name] = whole_word(match[1])
        shown[name] = f"'{match[1]}'"
        return name

    def whole_word(phrase: str) -> str:
        return "/" + phrase.replace(" ", r"\s+") + r"\b/"

    rules = _QUOTED.sub(keyword, rules)
    for line in re.split(r"\n(?=[A-Z]+:)", tokens.strip()):
        name, body = line.split(":", 1)
        if phrases := _QUOTED.findall(body):
            longest_first = sorted(phrases, key=len, reverse=True)
            terminals[name] = "/(" + "|".join(whole_word(p)[1:-1] for p in longest_first) + ")/"
            shown[name] = " or ".join(f"'{p}'" for p in phrases[:3])
        else:
            terminals[name] = body.strip()
    reserved = "|".join(sorted(keywords)).replace(" ", r"\s+")
    word = rf"(?!(?:{reserved})\b)[^\W\d_]\w*"
    terminals["NAME"] = rf"/{word}(?:\s+{word})*/"
    lines = [f"{name}{_PRIORITIES.get(name, '.2')}: {body}" for name, body in terminals.items()]
    source = rules + "\n" + "\n".join(lines) + "\n%ignore /\\s+/\n"
    parser = Lark(
        source, parser="lalr", start=list(STARTS), strict=False, maybe_placeholders=True, propagate_positions=True
    )
    return _Grammar(parser, frozenset(keywords), shown)


def _is_phrase(quoted: str) -> bool:
    return all(word.isalpha() for word in quoted.split())


def keywords() -> frozenset[str]:
    """The words, and runs of words, that no name may contain."""
    return _grammar().keywords


@lru_cache(maxsize=10_000)
def parse(text: str, start: str) -> Syntax:
    """The syntax tree of `text` read as `start` (one of STARTS).

    Raises SentenceError where it is none, with what was expected and the nearest keyword.
    """
    grammar = _grammar()
    if len(text) > LONGEST_SENTENCE:
        raise SentenceError(f"A sentence has at most {LONGEST_SENTENCE} characters.", 0, 20)
    if text.count("(") > DEEPEST_NESTING:
        raise SentenceError(f"A sentence has at most {DEEPEST_NESTING} parentheses.", 0, 20)
    try:
        return grammar.parser.parse(text, start=start)
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        hint = _SIGNS.get(text[at]) or _hint(text[at:], error.allowed or set())
        raise SentenceError(f"I cannot read '{text[at]}' here.", at, 1, hint) from None
    except (UnexpectedToken, UnexpectedEOF) as error:
        token = getattr(error, "token", Token("$END", ""))
        ended = token.type == "$END"
        at = len(text) if ended else (token.start_pos or 0)
        expected: set[str] = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
        hint = _hint(str(token), expected)
        if start == "statement" and not text[:at].strip() and not ended:
            word = str(token).split()[0]
            if word == "log":
                raise SentenceError(
                    "'log' is followed by a colon and a text.", at, len(word), 'As in: log: "…"'
                ) from None
            hint = hint or f"Sentences begin with: {', '.join(_beginnings())}."
            raise SentenceError(f"No sentence begins with '{word}'.", at, len(word), hint) from None
        found = "The sentence ends too early" if ended else f"I did not expect '{token}' here"
        message = f"{found}; {_expectation(expected)}."
        hint = _colon_hint(text, at, start) or hint or _hint_before(text[:at], expected)
        raise SentenceError(message, at, max(1, len(token)), hint) from None


@cache
def _beginnings() -> tuple[str, ...]:
    """The words that sentences begin with."""
    rules = resources.read_text("spec", "sentences.lark").partition("statement:")[2].partition("\n\n")[0]
    return tuple(dict.fromkeys([*re.findall(r'[:|] "([a-z ]+)"', f":{rules}"), "log"]))


def _colon_hint(text: str, at: int, start: str) -> str:
    """For 'each seat move …', where a colon is missing."""
    opening, found = ([*part.split(maxsplit=1), ""][0] for part in (text, text[at:]))
    if start == "statement" and opening in _WITH_BODY and found in _beginnings():
        return f"Is a colon missing before '{found}'? What is done inside '{opening} …' stands behind one."
    return ""


def _hint_before(before: str, expected: set[str]) -> str:
    """For names that swallowed a misspelt keyword, such as 'seat have' before a condition."""
    words = before.split()
    near = _hint(words[-1], expected, 0.55) if words else ""
    return f"{near[:-1]} for '{words[-1]}'?" if near and words[-1] not in keywords() else ""


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
        found = sign + _spaced(words, start)
        same = str(parse(found.removeprefix(sign), start)) == str(meaning)
    except SentenceError:
        return text
    return found if same else text


def _spaced(text: str, start: str) -> str:
    found = ""
    before = ""
    sign = False
    for token in _grammar().parser.parse_interactive(text, start=start).iter_parse():
        close = sign or before in ("", "LPAR") or token.type in ("RPAR", "COMMA", "POSSESSIVE")
        found += token if close else f" {token}"
        sign = token.type == "MINUS" and before not in _OPERANDS
        before = token.type
    return found


def _expectation(expected: set[str]) -> str:
    """What could stand here. Where that is much: the words of the sentence itself before those of any expression."""
    shown = _grammar().shown
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
    wanted = [word for name in expected for word in re.findall(r"'([^']+)'", _grammar().shown.get(name, ""))]
    word = found.split(maxsplit=1)[0].lower()
    wanted = [other for other in wanted if not word.endswith(other)]  # 'hand' is no 'and'
    near = difflib.get_close_matches(word, wanted, 1, likeness)
    return f"Did you mean '{near[0]}'?" if near else ""
