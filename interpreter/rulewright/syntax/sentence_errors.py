"""Errors of sentences that cannot be parsed: what was expected, and the nearest keyword."""

from __future__ import annotations

import difflib
import re
from contextlib import suppress
from functools import cache as cached
from typing import TypeAlias

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from rulewright.base.diagnostics import DID_YOU_MEAN, DID_YOU_MEAN_FOR, SAY, SAY_FOR_EXAMPLE
from rulewright.base.wording import Wording
from rulewright.syntax import messages
from rulewright.syntax.nouns import join_parts
from rulewright.syntax.phrasing_hints import beginning_hint, phrasing_hint
from rulewright.syntax.sentence_grammar import (
    accepted,
    grammar,
    grammar_text,
    parser,
    reserved,
    reserved_in,
    unreserved,
    without_joints,
)
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES

_MAX_TRIED = 6
"""Words before an error that are tried as misspelt keywords."""
_MAX_DESCRIBED = 6
"""Number of things that could follow beyond which only some are named, as examples."""
_MAX_LENGTH_DIFFERENCE = 2
"""Largest difference in letters between a misspelt word and the one that was meant."""

_MARKS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/"}
"""Marks of the grammar, by terminal."""
_DESCRIPTIONS: dict[str, str | Wording] = {
    "NAME": messages.A_NAME(),
    "INT": messages.A_WHOLE_NUMBER(),
    "$END": messages.THE_END(),
    **{terminal: f"'{mark}'" for terminal, mark in _MARKS.items()},
}
"""Terminals in words, for what was expected; all others are keywords, which describe themselves."""
_SIGNS: dict[str, Wording] = {
    "=": messages.COMPARE_OR_SET(),
    "!": SAY(words="is not"),
    ">": messages.SAY_EITHER(words="is more than", others="is at least"),
    "<": messages.SAY_EITHER(words="is less than", others="is at most"),
    "≥": SAY(words="is at least"),
    "≤": SAY(words="is at most"),
    ".": messages.NO_FULL_STOP(),
    '"': messages.NO_QUOTES(),
    "'": messages.NO_QUOTES_BUT_OWNER(),
    "{": messages.NO_BRACES(),
    "%": messages.REMAINDER(),
}
"""Hints at signs that begin no terminal, such as those of other languages."""


class SentenceError(Exception):
    """Raised for a text that cannot be parsed. offset, length: of the wrong part, in the text; problem, hints: what is
    said of it, names with blanks; reserved_word: the word of the language that it wants to call something, or ''."""

    def __init__(
        self, problem: Wording, offset: int, length: int, hints: tuple[Wording, ...] = (), reserved_word: str = ""
    ) -> None:
        self.problem, self.hints = _as_written(problem), tuple(map(_as_written, hints))
        self.offset, self.length, self.reserved_word = offset, length, reserved_word
        super().__init__(str(self.problem))


def _as_written(wording: Wording) -> Wording:
    """Return a wording with blanks within the names that it quotes."""
    arguments = (
        (slot, without_joints(value) if isinstance(value, str) else value) for slot, value in wording.arguments
    )
    return Wording(wording.template, tuple(arguments))


Unreadable: TypeAlias = UnexpectedCharacters | UnexpectedToken | UnexpectedEOF
"""Lark's errors for a text that is none of the grammar's."""


def explain(text: str, start: str, error: Unreadable) -> SentenceError:
    """Return the error that explains why a text cannot be parsed; nothing is raised. start: entry point of the grammar;
    error: Lark's."""
    if isinstance(error, UnexpectedCharacters):
        return _explain_character(text, error.pos_in_stream or 0, error.allowed or set())
    token = getattr(error, "token", Token("$END", ""))
    ended = token.type == "$END"
    excerpt = str(token)
    offset = len(text) if ended else (token.start_pos or 0)
    expected: set[str] = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or ())
    if start == "statement" and not text[:offset].strip() and not ended:
        return _explain_beginning(text, excerpt, offset, expected)
    if not ended and expected in ({"NAME"}, {"_BE"}) and (word := reserved_in(excerpt)):
        hint = SAY_FOR_EXAMPLE(words=unreserved(word))
        return SentenceError(messages.KEYWORD_IN_NAME(word=word), offset, len(token), (hint,), word)
    phrasing = phrasing_hint(text, offset)
    if phrasing is None and (misspelt := _misspelt_keyword(text, offset, start)) is not None:
        begin, word, keyword = misspelt
        problem, hint = messages.CANNOT_READ(given=word), DID_YOU_MEAN_FOR(name=keyword, given=word)
        return SentenceError(problem, begin, len(word), (hint,))
    expectation = _expectation(expected)
    problem = (
        messages.ENDS_TOO_EARLY(expectation=expectation)
        if ended
        else messages.UNEXPECTED(given=excerpt, expectation=expectation)
    )
    hints = (phrasing,) if phrasing else _hints_at_colon(text, offset + len(token), start)
    if not hints and ended and text.count("(") > text.count(")") and "COMMA" in expected:
        hints = (messages.OPEN_PARENTHESIS(),)
    hints = hints or _hints_at_keyword(excerpt, expected) or _hints_before(text[:offset], expected)
    return SentenceError(problem, offset, max(1, len(token)), hints)


def _explain_character(text: str, offset: int, expected: set[str]) -> SentenceError:
    """Explain a character that begins no terminal."""
    hint = phrasing_hint(text, offset) or _SIGNS.get(text[offset])
    cannot = (re.match(r"\w+", text[offset:]) or text[offset])[0]
    hints = (hint,) if hint else _hints_at_keyword(text[offset:], expected)
    return SentenceError(messages.CANNOT_READ(given=cannot), offset, len(cannot), hints)


def _explain_beginning(text: str, excerpt: str, offset: int, expected: set[str]) -> SentenceError:
    """Explain a first word that begins no statement."""
    word = excerpt.split(maxsplit=1)[0]
    if word == "log":
        return SentenceError(messages.LOG_WITHOUT_COLON(), offset, len(word), (messages.AS_IN_LOG(),))
    hint = beginning_hint(text) or phrasing_hint(text, offset)
    hints = (hint,) if hint else _hints_at_keyword(excerpt, expected)
    hints = hints or (messages.BEGINNINGS(words=_beginnings()),)
    return SentenceError(messages.NO_SUCH_BEGINNING(word=word), offset, len(word), hints)


@cached
def _statement_openings() -> dict[str, type[Statement]]:
    """Return the phrases that alternatives of `statement` begin with, in the grammar's order, each with its class."""
    rules = grammar_text().partition("statement:")[2].partition("\n\n")[0]
    alternatives = re.findall(r"""[:|] ["']([a-z ]+)["'].*-> (\w+)""", f":{rules}")
    return {phrase: cls for phrase, rule in alternatives if issubclass(cls := CLASSES[rule], Statement)}


@cached
def _beginnings() -> tuple[str, ...]:
    """Return the phrases that sentences begin with, the shortest for each first word, in the grammar's order; last
    'log'."""
    phrases = _statement_openings()
    return (*(one for one in phrases if not any(one.startswith(f"{other} ") for other in phrases)), "log")


def _hints_at_colon(text: str, end: int, start: str) -> tuple[Wording, ...]:
    """Return a hint for a missing colon, as in 'each seat move …', or none."""
    opening, *_ = [*text.split(maxsplit=1), ""]
    with_body = {phrase.split()[0] for phrase, cls in _statement_openings().items() if cls.has_body}
    if start == "statement" and opening in with_body:
        begins = "|".join(word for word in _beginnings() if word != "as").replace(" ", r"\s+")
        if match := re.compile(rf"\b(?:{begins})\b").search(text, len(opening), end):
            return (messages.COLON_BEFORE(words=match[0], opening=opening),)
    return ()


def _misspelt_keyword(text: str, offset: int, start: str) -> tuple[int, str, str] | None:
    """Find a misspelt keyword that was read as part of a name before an offset: return its offset, the word, and the
    keyword that makes the text a sentence; None if there is none."""
    beginning = re.search(r"[^\W\d_][\w ]*\s*$", text[:offset])
    words = list(re.finditer(r"[^\W\d_]\w+", text[beginning.start() : offset])) if beginning else []
    known = [word for phrase in reserved() for word in phrase.split() if len(word) > 2]
    for candidate in words[:_MAX_TRIED]:
        for keyword in difflib.get_close_matches(candidate[0], known, 2, 0.75) if candidate[0] not in known else ():
            begin = beginning.start() + candidate.start() if beginning else 0
            with suppress(UnexpectedCharacters, UnexpectedToken, UnexpectedEOF):
                parser().parse(f"{text[:begin]}{keyword}{text[begin + len(candidate[0]) :]}", start=start)
                return begin, candidate[0], keyword
    return None


def _hints_before(before: str, expected: set[str]) -> tuple[Wording, ...]:
    """Return a hint for a misspelt keyword at the end of a name, such as 'seat have' before a condition, or none."""
    words = before.split()
    near = _nearest_keyword(words[-1], expected, 0.55) if words else ""
    if not near or abs(len(near) - len(words[-1])) > _MAX_LENGTH_DIFFERENCE or words[-1] in grammar().reserved:
        return ()
    return (DID_YOU_MEAN_FOR(name=near, given=words[-1]),)


def _rank(terminal: str) -> tuple[bool, str]:
    """Return the sort key of a terminal: keywords of one rule, whose names begin with '_', before all others."""
    return not terminal.startswith("_"), terminal


@cached
def _of_any_value() -> tuple[frozenset[str], frozenset[str]]:
    """Return the terminals that any value may begin with, without a name, a number and a parenthesis, and those that
    may follow any value."""
    starting, following = (parser().parse_interactive(text, start="value") for text in ("", "a"))
    following.exhaust_lexer()
    return frozenset(accepted(starting) - {"NAME", "INT", "LPAR"}), frozenset(accepted(following))


def _particular(expected: set[str]) -> set[str]:
    """Return the terminals that this sentence expects at this place, without those that any value allows; all of them
    where nothing else is left."""
    starting, following = _of_any_value()
    particular = expected - following
    return particular - starting if "NAME" in particular else particular or expected


def _expectation(expected: set[str]) -> Wording:
    """Describe the expected terminals: of many, only those particular to the sentence, or else some."""
    expected = expected if len(expected - {"POSSESSIVE"}) <= _MAX_DESCRIBED else _particular(expected)
    every = [_description(name) for name in sorted(expected - {"POSSESSIVE"}, key=_rank)]
    descriptions = list(dict.fromkeys(every))
    if len(every) <= _MAX_DESCRIBED:
        descriptions.sort(key=lambda parts: str(join_parts(messages.OR, parts)))
    if len(descriptions) > _MAX_DESCRIBED:
        words = [part for part, *_ in descriptions if isinstance(part, str) and part.startswith("'")]
        name = messages.A_NAME()
        listed: tuple[str | Wording, ...] = (name, *words[:8]) if (name,) in descriptions else tuple(words[:9])
        return messages.EXPECTED_FOR_EXAMPLE(words=listed)
    every_part = tuple(part for parts in descriptions for part in parts)
    return messages.EXPECTED(something=join_parts(messages.OR, every_part) if every_part else messages.SOMETHING_ELSE())


def _description(terminal: str) -> tuple[str | Wording, ...]:
    """Return the first three spellings of a terminal, in quotes, or what it stands for."""
    if terminal in _DESCRIPTIONS:
        return (_DESCRIPTIONS[terminal],)
    return tuple(f"'{phrase}'" for phrase in grammar().spellings.get(terminal, ())[:3]) or (terminal.lower(),)


def _hints_at_keyword(text: str, expected: set[str]) -> tuple[Wording, ...]:
    """Ask whether a keyword was meant by the first word of a text; () if none is similar."""
    near = _nearest_keyword(text, expected)
    return (DID_YOU_MEAN(name=near),) if near else ()


def _nearest_keyword(text: str, expected: set[str], likeness: float = 0.6) -> str:
    """Return the expected keyword most similar to the first word of a text, or ''. likeness: least similarity, from 0
    to 1; a keyword that the word ends in does not count."""
    if not text.strip():
        return ""
    keywords = [word for name in expected for word in grammar().spellings.get(name, ())[:3]]
    word = text.split(maxsplit=1)[0].lower()
    keywords = [other for other in keywords if not word.endswith(other)]  # not 'and' for 'hand'
    near = difflib.get_close_matches(word, keywords, 1, likeness)
    return near[0] if near else ""
