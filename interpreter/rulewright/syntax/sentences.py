"""Parse sentences and expressions into syntax trees, by the grammar in `spec/sentences.lark`."""

from __future__ import annotations

import difflib
import io
import pickle
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from functools import cache as cached
from functools import lru_cache
from typing import TypeAlias

import lark
from lark import Lark, Token
from lark import Tree as ParseTree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from rulewright.base import cache, resources
from rulewright.base.diagnostics import DID_YOU_MEAN, DID_YOU_MEAN_FOR, SAY, SAY_FOR_EXAMPLE
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.syntax import messages, tree
from rulewright.syntax.expression_nodes import Expression, SetExpression
from rulewright.syntax.nouns import join_parts
from rulewright.syntax.phrasing_hints import beginning_hint, phrasing_hint
from rulewright.syntax.sentence_cache import cache_readings
from rulewright.syntax.statement_nodes import HookKey, Keys, NumberRange, Statement
from rulewright.syntax.tree import Node, Span

STARTS = ("statement", "value", "keys", "hook", "span")
MAX_SENTENCE_LENGTH = 1000
JOINT = "\x1f"
"""Character in place of blanks within a declared name that holds reserved words. No file can contain it."""
_BLANK = rf"[^\S{JOINT}]"
_END = rf"(?![\w{JOINT}])"
MAX_NESTING = 40
_MAX_TRIED = 6
_MAX_DESCRIBED = 6
_MAX_LENGTH_DIFFERENCE = 2
"""Largest difference in letters between a misspelt word and the one that was meant."""

_WITH_BODY = ("each", "all", "as", "if", "repeat", "go")
_MARKS = {"LPAR": "(", "RPAR": ")", "COMMA": ",", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/"}
_DESCRIPTIONS: dict[str, str | Wording] = {
    "NAME": messages.A_NAME(),
    "INT": messages.A_WHOLE_NUMBER(),
    "$END": messages.THE_END(),
    **{terminal: f"'{mark}'" for terminal, mark in _MARKS.items()},
}
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
_PRIORITIES = {"NAME": "", "AMONG": ".3", "EMPTY": ".3"}
_OPERANDS = ("NAME", "INT", "RPAR", "ROUNDED", "YES")
"""Terminals after which a minus subtracts."""

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
"""Reserved words, each with one that a name may hold instead."""

_QUOTED = re.compile(r""""([^"]*)"|'([^'"|]*)'""")
"""Keyword of the grammar: in double quotes a reserved one, in single quotes one that names may hold."""


def without_joints(text: str) -> str:
    """Return a sentence as it is written, with blanks within names."""
    return text.replace(JOINT, " ")


class SentenceError(Exception):
    """Raised for a text that cannot be parsed. `offset` and `length`: of the wrong part.

    refused: the word of the language that it wants to call something, or ''.
    """

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


@record
class _Grammar:
    """Grammar and what is derived from it.

    source: for Lark; reserved: what no name may contain, the shortest of phrases; phrases: all that stands in quotes;
    spellings: the words of a terminal that has some.
    """

    source: str
    reserved: frozenset[str]
    phrases: frozenset[str]
    spellings: dict[str, tuple[str, ...]]


@cached
def _grammar() -> _Grammar:
    rules, _, tokens = _text().partition("\nMAY:")
    tokens = "MAY:" + tokens
    reserved = {found[1] for found in _QUOTED.finditer(rules + tokens) if found[1] and _is_phrase(found[1])}
    # What goes on after another phrase could be taken for a name there, as 'at least' after 'is'.
    token_phrases = set(_phrases(tokens))
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
    for line in re.split(r"\n(?=[A-Z]+:)", tokens.strip()):
        name, body = line.split(":", 1)
        if phrases := list(_phrases(body)):
            longest_first = sorted(phrases, key=len, reverse=True)
            terminals[name] = "/(" + "|".join(whole_word(p)[1:-1] for p in longest_first) + ")/"
            spellings[name] = tuple(phrases)
        else:
            terminals[name] = body.strip()
    excluded = "|".join(sorted(reserved)).replace(" ", f"{_BLANK}+")
    word = rf"(?:[^\W\d_]\w*(?:{JOINT}+\w+)+|(?!(?:{excluded}){_END})[^\W\d_]\w*)"
    terminals["NAME"] = rf"/{word}(?:{_BLANK}+{word})*/"
    lines = [f"{name}{_PRIORITIES.get(name, '.2')}: {body}" for name, body in terminals.items()]
    source = rules + "\n" + "\n".join(lines) + f"\n%ignore /{_BLANK}+/\n"
    shortest = {
        phrase for phrase in reserved if not any(f" {other} " in f" {phrase} " for other in reserved - {phrase})
    }
    return _Grammar(source, frozenset(shortest), frozenset(filter(_is_phrase, _phrases(_text()))), spellings)


@cached
def _parser() -> Lark:
    """Return the parser. Its tables are cached, since they take a while to make."""
    source = _grammar().source
    key = cache.key("parser", lark.__version__, source)
    if isinstance(known := cache.get(key), dict):
        with suppress(Exception):  # whatever lies there, the parser is made anew
            return Lark.load(io.BytesIO(pickle.dumps(known)))
    parser = Lark(
        source, parser="lalr", start=list(STARTS), strict=False, maybe_placeholders=True, propagate_positions=True
    )
    saved = io.BytesIO()
    parser.save(saved)
    cache.store(key, pickle.loads(saved.getvalue()))
    return parser


@cached
def _text() -> str:
    """Return the grammar without its comments."""
    return re.sub(r"(?m)^//.*$", "", resources.read_text("spec", "sentences.lark"))


def _phrases(grammar: str) -> Iterator[str]:
    return (found[1] or found[2] or "" for found in _QUOTED.finditer(grammar))


def _is_phrase(quoted: str) -> bool:
    return bool(quoted) and all(word.isalpha() for word in quoted.split())


def reserved() -> frozenset[str]:
    """Return the words and phrases that no name may contain, since names may stand beside them."""
    return _grammar().reserved


def spellings() -> dict[str, tuple[str, ...]]:
    """Return the words of each terminal of the grammar that has some."""
    return _grammar().spellings


@cached
def neighbours() -> frozenset[tuple[str, str]]:
    """Return the pairs of terminals that can follow each other in a sentence."""
    states = _parser().parser.parser._parse_table.states
    pairs = {
        (terminal, after)
        for actions in states.values()
        for terminal, (_, argument) in actions.items()
        if isinstance(argument, int)
        for after in states[argument]
    }
    return frozenset(pairs)


def words() -> frozenset[str]:
    """Return all words of the grammar."""
    return frozenset(word for phrase in _grammar().phrases for word in phrase.split())


@lru_cache(maxsize=10_000)
def reserved_in(name: str) -> str:
    """Return the first reserved word in a name, or ''."""
    phrases = [phrase for phrase in reserved() if f" {phrase} " in f" {name} "]
    return min(phrases, key=f" {name} ".index, default="")


def unreserved(name: str, used_names: Container[str] = ()) -> str:
    """Return a free name in place of one that holds a reserved word; '' if there is none."""
    thing, of, owner = name.partition(" of ")
    candidate = f"{owner} {thing}" if of else name
    while phrase := reserved_in(candidate):
        candidate = " ".join(f" {candidate} ".replace(f" {phrase} ", f" {_INSTEAD[phrase]} ").split())
    return next((other for other in (candidate, f"other {candidate}") if other not in used_names), "")


@cache_readings(tree.to_data, tree.from_data)
def _read(text: str, start: str) -> Node:
    return _node(_parser().parse(text, start=start))


_READ_AS: dict[str, Callable[[str], object]] = {
    "MAY": bool,
    "COMPARE": lambda words: words.partition(" ")[2],
    "AMONG": lambda words: "not" in words.split(),
    "EMPTY": lambda words: "not" in words.split(),
    "ROUNDED": lambda words: words.partition(" ")[2],
}
"""Conversions of terminals whose value in the tree is not their words."""


def _node(parsed: ParseTree[Token]) -> Node:
    """Return the node of what Lark has parsed, whose meta data it has only for rules that are not empty."""
    parts = [
        _node(part) if isinstance(part, ParseTree) else None if part is None else _leaf(part)
        for part in parsed.children
        if not (isinstance(part, Token) and part.type == "POSSESSIVE")
    ]
    span = None if parsed.meta.empty else Span(parsed.meta.start_pos, parsed.meta.end_pos)
    return tree.make(str(parsed.data), parts, span)


def _leaf(token: Token) -> object:
    words = " ".join(without_joints(token).split())
    if token.type == "NAME":
        start = token.start_pos or 0
        return tree.Name(words).with_span(Span(start, start + len(token)))
    return _READ_AS.get(token.type, str)(words)


def parse(text: str, start: str) -> Node:
    """Parse `text` as `start` (one of STARTS).

    Raises SentenceError where it is none, with what was expected and the nearest keyword.
    """
    if len(text) > MAX_SENTENCE_LENGTH:
        raise SentenceError(messages.LONG_SENTENCE(most=MAX_SENTENCE_LENGTH), 0, 20)
    if text.count("(") > MAX_NESTING:
        raise SentenceError(messages.MANY_PARENTHESES(most=MAX_NESTING), 0, 20)
    try:
        return _read(text, start)
    except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF) as error:
        raise _explain(text, start, error) from None


def statement(text: str) -> Statement:
    """Parse an item of a `do` list. Raises SentenceError."""
    node = parse(text, "statement")
    assert isinstance(node, Statement)
    return node


def value(text: str) -> Expression:
    """Parse an expression. Raises SentenceError."""
    node = parse(text, "value")
    assert isinstance(node, Expression)
    return node


def keys(text: str) -> Keys:
    """Parse an order. Raises SentenceError."""
    node = parse(text, "keys")
    assert isinstance(node, Keys)
    return node


def hook(text: str) -> HookKey:
    """Parse a key of a change set. Raises SentenceError."""
    node = parse(text, "hook")
    assert isinstance(node, HookKey)
    return node


def number_range(text: str) -> NumberRange:
    """Parse a range of whole numbers. Raises SentenceError."""
    node = parse(text, "span")
    assert isinstance(node, NumberRange)
    return node


Unreadable: TypeAlias = UnexpectedCharacters | UnexpectedToken | UnexpectedEOF


def _parentheses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of matching parentheses."""
    opened: list[int] = []
    for offset, character in enumerate(text):
        if character == "(":
            opened.append(offset)
        elif character == ")" and opened:
            yield opened.pop(), offset


def _explain(text: str, start: str, error: Unreadable) -> SentenceError:
    """Explain why a text cannot be parsed."""
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
def _beginnings() -> tuple[str, ...]:
    """Return the words that sentences begin with."""
    rules = _text().partition("statement:")[2].partition("\n\n")[0]
    phrases = dict.fromkeys(re.findall(r"""[:|] ["']([a-z ]+)["']""", f":{rules}"))
    return (*(one for one in phrases if not any(one.startswith(f"{other} ") for other in phrases)), "log")


def _hints_at_colon(text: str, end: int, start: str) -> tuple[Wording, ...]:
    """Return a hint for a missing colon, as in 'each seat move …', or none."""
    opening, *_ = [*text.split(maxsplit=1), ""]
    if start == "statement" and opening in _WITH_BODY:
        begins = "|".join(word for word in _beginnings() if word != "as").replace(" ", r"\s+")
        if match := re.compile(rf"\b(?:{begins})\b").search(text, len(opening), end):
            return (messages.COLON_BEFORE(words=match[0], opening=opening),)
    return ()


def _misspelt_keyword(text: str, offset: int, start: str) -> tuple[int, str, str] | None:
    """Find a misspelt keyword that was read as part of a name before an offset: return its offset, the word, and the
    keyword that makes the text a sentence."""
    beginning = re.search(r"[^\W\d_][\w ]*\s*$", text[:offset])
    words = list(re.finditer(r"[^\W\d_]\w+", text[beginning.start() : offset])) if beginning else []
    known = [word for phrase in reserved() for word in phrase.split() if len(word) > 2]
    for candidate in words[:_MAX_TRIED]:
        for keyword in difflib.get_close_matches(candidate[0], known, 2, 0.75) if candidate[0] not in known else ():
            begin = beginning.start() + candidate.start() if beginning else 0
            with suppress(UnexpectedCharacters, UnexpectedToken, UnexpectedEOF):
                _parser().parse(f"{text[:begin]}{keyword}{text[begin + len(candidate[0]) :]}", start=start)
                return begin, candidate[0], keyword
    return None


def _hints_before(before: str, expected: set[str]) -> tuple[Wording, ...]:
    """Return a hint for a misspelt keyword at the end of a name, such as 'seat have' before a condition, or none."""
    words = before.split()
    near = _nearest_keyword(words[-1], expected, 0.55) if words else ""
    if not near or abs(len(near) - len(words[-1])) > _MAX_LENGTH_DIFFERENCE or words[-1] in _grammar().reserved:
        return ()
    return (DID_YOU_MEAN_FOR(name=near, given=words[-1]),)


@record
class Continuations:
    """Continuations of the beginning of a sentence. words: of the language; name: whether a name can follow."""

    words: tuple[str, ...]
    name_can_follow: bool


def continuations(beginning: str, start: str) -> Continuations | None:
    """Return what can follow the beginning of a sentence, which ends with a whole word; None if it begins none."""
    parser = _parser().parse_interactive(beginning, start=start)
    try:
        parser.exhaust_lexer()
        accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]
    except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF):
        return None
    spellings = _grammar().spellings
    words = {phrase for name in accepted for phrase in spellings.get(name, ()) if name != "POSSESSIVE"}
    return Continuations(tuple(sorted(words)), "NAME" in accepted)


def _rank(terminal: str) -> tuple[bool, str]:
    return not terminal.startswith("_"), terminal


@cache_readings(str, str)
def canonical_spelling(text: str, start: str) -> str:
    """Return the canonical spelling of a text: one space between words, none inside parentheses.

    What cannot be read stays as it is; so does the + of a figure that is added to.
    """
    words = " ".join(text.split())
    sign = "+" if words.startswith("+") else ""
    words = words.removeprefix("+")
    try:
        meaning = parse(words, start)
        spelling = sign + _with_spacing(_without_parentheses(words, start, meaning), start)
        same = parse(spelling.removeprefix(sign), start) == meaning
    except SentenceError:
        return text
    return spelling if same else text


def _without_parentheses(text: str, start: str, meaning: Node) -> str:
    """Remove needless parentheses around sets."""
    for opening, end in _parentheses(text):
        without = f"{text[:opening]} {text[opening + 1 : end]} {text[end + 1 :]}"
        with suppress(SentenceError):
            inside = parse(text[opening + 1 : end], "value")
            if isinstance(inside, SetExpression) and inside.bare and parse(without, start) == meaning:
                return _without_parentheses(without, start, meaning)
    return text


def _with_spacing(text: str, start: str) -> str:
    result = ""
    before = ""
    sign = False
    for token in _parser().parse_interactive(text, start=start).iter_parse():
        close = sign or before in ("", "LPAR") or token.type in ("RPAR", "COMMA", "POSSESSIVE")
        result += token if close else f" {token}"
        sign = token.type == "MINUS" and before not in _OPERANDS
        before = token.type
    return result


def _expectation(expected: set[str]) -> Wording:
    """Describe the expected terminals.

    If there are many, the words of the sentence come before those of any expression.
    """
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
    """Return the first spellings of a terminal, in quotes, or what it stands for."""
    if terminal in _DESCRIPTIONS:
        return (_DESCRIPTIONS[terminal],)
    return tuple(f"'{phrase}'" for phrase in _grammar().spellings.get(terminal, ())[:3]) or (terminal.lower(),)


def _hints_at_keyword(text: str, expected: set[str]) -> tuple[Wording, ...]:
    """Ask whether a keyword was meant by the first word of a text; () if none is similar."""
    near = _nearest_keyword(text, expected)
    return (DID_YOU_MEAN(name=near),) if near else ()


def _nearest_keyword(text: str, expected: set[str], likeness: float = 0.6) -> str:
    """Return the expected keyword most similar to the first word of a text, or ''."""
    if not text.strip():
        return ""
    keywords = [word for name in expected for word in _grammar().spellings.get(name, ())[:3]]
    word = text.split(maxsplit=1)[0].lower()
    keywords = [other for other in keywords if not word.endswith(other)]  # 'hand' is no 'and'
    near = difflib.get_close_matches(word, keywords, 1, likeness)
    return near[0] if near else ""
