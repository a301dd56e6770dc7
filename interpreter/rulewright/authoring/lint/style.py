"""Warnings of texts for people that depart from spec/STYLE.md, where a program can see it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report, did_you_mean, there_are
from rulewright.base.records import record
from rulewright.base.wording import Hint, Problem, Wording
from rulewright.i18n.localizer import english
from rulewright.i18n.message_patterns import Agreement, PatternError, all_parts, parts
from rulewright.model.declarations import SEAT, canonical
from rulewright.model.statements import is_heading, log_text
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, text_part

_TEXTS = frozenset(["text", "title", "log", "ask", "none", "ask more", "none more", "some", "all", "notation"])
"""The keys behind which a text for people stands."""
_SLOT_OR_CHOICE = re.compile(r"\{[^{}]*\}|\[[^\[\]{}|]*\](?= ?\{)")
"""Slots, and the articles before them."""
_SLOT = "\ufffc"
"""Stand-in for each letter of a slot, so that all else keeps its place."""


@record
class _TextWithKey:
    """Text. kind: its key, or 'heading' for a log line that is one."""

    kind: str
    scalar: Scalar

    @property
    def words(self) -> str:
        """The text with a placeholder for each letter of a slot, so that offsets remain."""
        return _SLOT_OR_CHOICE.sub(lambda slot: _SLOT * len(slot[0]), self.scalar.text)


@record
class _Remark:
    """Problem in a text. offset, length: of the words that it is about, in characters."""

    offset: int
    problem: Wording
    hints: tuple[Wording, ...]
    length: int = 1


def check(context: LintContext, report: Report) -> None:
    """Warn of texts that depart from the style: quotes, persons, forms, capitals, ends, blanks, unclear words, and
    words with two spellings."""
    entries = context.edition.tree.items()
    texts = [text for key, value in entries if key.text != "title" for text in _all_texts(value, key.text)]
    looking = (
        _straight_quotes,
        _verb_finder(context),
        _unused_forms,
        _capital_finder(context),
        _full_stops,
        _wrong_blanks,
        _unclear_phrases,
    )
    for text in texts:
        for rule in looking:
            for remark in rule(text):
                place = text_part(
                    text.scalar, remark.offset, text.scalar.text[remark.offset : remark.offset + remark.length]
                ).place
                report.warning(place, remark.problem, *remark.hints)
    _warn_of_two_spellings(texts, report)


def _all_texts(node: Node, key: str) -> Iterator[_TextWithKey]:
    """Yield every text below a node of the file, in order."""
    if is_heading(node) and (line := log_text(node)) is not None:
        yield _TextWithKey("heading", line)
    elif isinstance(node, MappingNode):
        for name, value in node.items():
            yield from _all_texts(value, name.text)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _all_texts(item, "")
    elif key in _TEXTS and node.text.strip() and not node.absent:
        yield _TextWithKey(key, node)


# ── quotes, blanks and ends ──

_QUOTE = re.compile(r"\"|(?<![\w.,;:!?)\[\]\ufffc])'(?=\w)")
"""Straight quotation mark; an apostrophe only where it opens a quotation."""


def _straight_quotes(text: _TextWithKey) -> Iterator[_Remark]:
    """Find the first straight quote."""
    for match in _QUOTE.finditer(text.words):
        yield _Remark(match.start(), messages.STRAIGHT_QUOTE(), (messages.WRITE_CURLY_QUOTES(),))
        return


_BLANKS: tuple[tuple[str, Problem], ...] = (
    (r"(?<=\S) {2,}(?=\S)", messages.TWO_BLANKS),
    (r"(?<=[\w\ufffc]) (?=[,;.!?](?!\.))", messages.BLANK_BEFORE_SIGN),
    (r"(?<!\.)\.\.(?!\.)|[,;:!?]{2,}|[!?]\.", messages.TWO_SIGNS),
    (r"(?<=[a-z\ufffc])[,;](?=[a-zA-Z\ufffc])", messages.NO_BLANK_AFTER_SIGN),
)
"""Patterns of wrong blanks and punctuation, each with its problem, in the order in which they are looked for."""


def _wrong_blanks(text: _TextWithKey) -> Iterator[_Remark]:
    """Find the first place with a wrong number of blanks or signs."""
    for pattern, problem in _BLANKS:
        for match in re.finditer(pattern, text.words):
            yield _Remark(match.start(), problem(), (messages.ONE_SIGN_ONE_BLANK(),))
            return


_SENTENCE_ENDS = (*".!?:…", ".”", "!”", "?”", ".)", _SLOT)
"""Ends of a text or log line that need no full stop behind them; a slot may bring its own."""


def _full_stops(text: _TextWithKey) -> Iterator[_Remark]:
    """Find titles and headings with a full stop, and log lines and texts without an end."""
    words = text.words.rstrip()
    if text.kind in ("title", "heading") and words.endswith(".") and not words.endswith("…"):
        problem = messages.TITLE_WITH_STOP if text.kind == "title" else messages.HEADING_WITH_STOP
        yield _Remark(len(words) - 1, problem(), (messages.LEAVE_STOP_OUT(),))
    elif text.kind in ("log", "text") and not words.endswith(_SENTENCE_ENDS) and " " in words:
        problem = messages.LOG_WITHOUT_STOP if text.kind == "log" else messages.TEXT_WITHOUT_STOP
        yield _Remark(len(words) - 1, problem(), (messages.ADD_STOP(),))


# ── persons ──

_THIRD = re.compile(
    r" (?P<adverb>(?:(?:now|also|always|never|still|then|only|just|first|again|already) )?)(?P<verb>[a-z]+s)\b"
)
"""Word in s behind a slot for a person, likely a verb in the third person, after at most one adverb."""
_NO_VERBS = frozenset(
    [
        "always",
        "as",
        "this",
        "thus",
        "plus",
        "minus",
        "unless",
        "less",
        "besides",
        "perhaps",
        "us",
        "its",
        "towards",
        "afterwards",
    ]
)
"""Words in s that are no verbs."""
_IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "isn't": "aren't"}
"""Irregular verbs in the third person, with the form that follows 'you'."""


def _verb_finder(context: LintContext) -> Callable[[_TextWithKey], Iterator[_Remark]]:
    """Return a function that finds verbs and possessives after a slot for a person, who may be the reader, in logs,
    headings and questions."""
    edition = context.edition
    people = {"seat", "you"} | {canonical(c.name) for c in edition.counters.values() if c.holds == SEAT}
    for step in edition.steps.values():
        people |= {canonical(name) for name, kind in step.parameters if canonical(kind.text) == SEAT}

    def look_at(text: _TextWithKey) -> Iterator[_Remark]:
        """Yield remarks on the verbs and possessives behind the slots for persons in a text."""
        logged = text.kind in ("log", "heading")
        known = people if logged else {"seat", "you"}
        for slot in re.finditer(r"\{([^{}]*)\}", text.scalar.text) if logged or text.kind == "ask" else ():
            if canonical(slot[1].strip()) not in known:
                continue
            rest = text.scalar.text[slot.end() :]
            if re.match(r"['’]s\b", rest):
                hints = (messages.WRITE_POSSESSIVE(slot=slot[0]),)
                yield _Remark(slot.end(), messages.POSSESSIVE_OF_YOU(), hints, 2)
            match = _THIRD.match(rest)
            if match is not None and match["verb"] not in _NO_VERBS and not match["verb"].endswith("ss"):
                verb, bare = match["verb"], _bare_form(match["verb"])
                problem = messages.VERB_OF_YOU(verb=f"{match['adverb']}{verb}")
                hints = (messages.WRITE_VERB_FORMS(verb=verb, bare=bare),)
                yield _Remark(slot.end() + match.start("verb"), problem, hints, len(verb))

    return look_at


def _bare_form(verb: str) -> str:
    """Return the form of a verb that follows 'you'."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies") and len(verb) > len("dies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes")) else verb[:-1]


# ── forms ──


def _unused_forms(text: _TextWithKey) -> Iterator[_Remark]:
    """Find forms with keys that nothing matches, and unknown slots."""
    text_ = text.scalar.text
    try:
        pattern = list(all_parts(parts(text_)))
    except PatternError:
        return
    keys = english().table.agreement_keys()
    for agreement in pattern:
        if not isinstance(agreement, Agreement):
            continue
        if name := agreement.misnamed:
            near = did_you_mean(name, agreement.known_slots)
            if near or _has_key(agreement.forms[0].removeprefix(f"{name}:"), keys):  # else the text may be meant
                hints = near or there_are(sorted(agreement.known_slots))
                yield _Remark(text_.find(f"{name}:"), messages.NO_SLOT(name=name), hints, len(name))
        for key, _ in agreement.keyed:
            if key not in keys and not key.isdecimal():
                hints = did_you_mean(key, keys) or there_are((*keys, "a number"))
                yield _Remark(text_.find(key), messages.NO_SUCH_FORM(key=key), hints, len(key))


def _has_key(form: str, keys: Iterable[str]) -> bool:
    """Return whether a form begins with a key that forms agree by, or with a number."""
    key, equals, _ = form.partition("=")
    return bool(equals) and (key.strip().isdecimal() or key.strip() in keys)


# ── capitals ──


def _capital_finder(context: LintContext) -> Callable[[_TextWithKey], Iterator[_Remark]]:
    """Return a function that finds nouns of pieces, zones and counters whose capital differs from their declaration."""
    edition = context.edition
    declared = [kind.noun for kind in edition.kinds.values()]
    declared += [zone.noun for zone in edition.zones.values()]
    declared += [counter.noun for counter in edition.counters.values()]
    nouns = {form for noun in declared for form in (noun.one, noun.many) if form and "{" not in form}
    plain = {noun for noun in nouns if noun == noun.lower()}
    lofty = {noun for noun in nouns if noun[:1].isupper()} - {noun.capitalize() for noun in plain}
    wrong = {noun[:1].upper() + noun[1:]: noun for noun in plain} | {noun.lower(): noun for noun in lofty}
    if not wrong:
        return lambda text: iter(())
    words = "|".join(re.escape(noun) for noun in sorted(wrong, key=len, reverse=True))
    pattern = re.compile(rf"(?<=[a-z0-9,;\ufffc] )({words})(?![\w-])")

    def look_at(text: _TextWithKey) -> Iterator[_Remark]:
        """Yield remarks on the nouns of a text with another capital."""
        for match in pattern.finditer(text.words):
            noun = wrong[match[1]]
            follows = text.words[match.end() :].lstrip()[:1]
            if follows.isupper() and match[1][:1].isupper():  # part of a name of several words
                continue
            problem = messages.OTHER_CAPITAL(given=match[1], noun=noun)
            yield _Remark(match.start(), problem, (messages.WRITE_NOUN(noun=noun),), len(match[1]))

    return look_at


# ── words ──

_PHRASES: tuple[tuple[str, Hint], ...] = (
    (r"\b[Ii]n (?=(your|their|each player's|an opponent's|each opponent's) (own )?turn\b)", messages.WRITE_ON),
    (r"\b(?i:shall)\b", messages.WRITE_MUST),
)
"""Patterns of unusual phrases, each with advice."""


def _unclear_phrases(text: _TextWithKey) -> Iterator[_Remark]:
    """Find phrases with a plainer one in `_PHRASES`."""
    for pattern, better in _PHRASES:
        for match in re.finditer(pattern, text.words):
            phrase = match[0].strip()
            yield _Remark(match.start(), messages.UNUSUAL_WORDING(given=phrase), (better(),), len(phrase))


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
"""Word, with its hyphens."""
_SPELLINGS: tuple[tuple[str, str], ...] = (
    (r"(col|lab|hon|arm|hum|rum|vap|fav|par|neighb|behavi|harb|flav|endeav)our", r"\1or"),
    (r"(def|off|lic|pret)ence", r"\1ense"),
    (r"([a-z]{4})is(e|es|ed|ing|ation)$", r"\1iz\2"),
    (r"^(cent|theat|met|lit|fib|meag)re", r"\1er"),
    (r"grey", "gray"),
    (r"judgement", "judgment"),
    (r"(vel|cel|nal|bel)l(ed|ing)$", r"\1\2"),
)
"""Patterns of British spellings, each with the American one that stands for both in comparisons."""


def _warn_of_two_spellings(texts: list[_TextWithKey], report: Report) -> None:
    """Warn of a word spelt in two ways, at the rarer one's first use."""
    spellings: dict[str, dict[str, list[tuple[Scalar, int, str]]]] = defaultdict(lambda: defaultdict(list))
    for text in texts:
        for match in _WORD.finditer(text.words):
            spelt = match[0].lower()
            spellings[_spelling(spelt)][spelt].append((text.scalar, match.start(), match[0]))
    for spellings_of_word in spellings.values():
        usual, *others = sorted(spellings_of_word, key=lambda spelling: -len(spellings_of_word[spelling]))
        for other in others:
            scalar, offset, word = spellings_of_word[other][0]
            problem = messages.TWO_SPELLINGS(given=word, usual=usual)
            report.warning(text_part(scalar, offset, word).place, problem, messages.SPELL_ALIKE())


@lru_cache(maxsize=4096)
def _spelling(word: str) -> str:
    """Return a key that is equal for spellings of one word."""
    word = word.replace("-", "")
    for pattern, instead in _SPELLINGS:
        word = re.sub(pattern, instead, word)
    return word
