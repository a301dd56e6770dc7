"""Kinds of a file's words, for colours: words of the language, numbers, and names by their meaning; and the other
places of the name under the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.editing import case_files, navigation
from rulewright.editing.completion import BUILT_IN
from rulewright.editing.text_document import OpenFile
from rulewright.model.declarations import canonical
from rulewright.model.references import HOOKS, STEPS, Use
from rulewright.syntax import schema, sentence_grammar, sentences
from rulewright.syntax.source import Scalar

WORD, NUMBER, LOCAL_NAME = "word of the language", "number", "name made here"
"""Kinds of words that have no declaration; the others have the kinds of symbols. `protocol_kinds` has their colours."""
_BUILT_IN = frozenset(map(canonical, BUILT_IN))
_SECTIONS = ("ranking", "setup", "sides", "limit")
"""Kinds of symbols that are sections: their key is a word of the language and no name."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
"""Whole number in a sentence."""
_CASE_KINDS = {
    "seat": LOCAL_NAME,
    "piece": "kind of piece",
    "decision": "step",
    "rule": "step",
    "case": "",
    "choice": "choice",
}
"""Kind of a name in a case, as `case_files.names_of_edition` has it -> kind of its colour, where they differ."""


@record
class ColouredWord:
    """Part of one line with its kind: WORD, NUMBER, LOCAL_NAME (introduced by a sentence) or the kind of a symbol;
    declared: whether the name is declared here."""

    place: SourcePlace
    kind: str
    declared: bool = False


def coloured(open_file: OpenFile, first: int = 1, last: int | None = None) -> list[ColouredWord]:
    """Return the coloured words of lines first to last, from 1, in order."""
    last = len(open_file.lines) if last is None else last
    coloured_words: dict[tuple[int, int], ColouredWord] = {}
    ends: dict[int, int] = {}
    for word in sorted(_coloured_words(open_file, first, last), key=_sort_key):
        place = word.place
        if place.column >= ends.get(place.line, 0):
            coloured_words[place.line, place.column] = word
            ends[place.line] = place.column + place.length
    return list(coloured_words.values())


def highlights(open_file: OpenFile, line: int, column: int) -> list[SourcePlace]:
    """Return the places with the same meaning as the name at a place, line and column from 1; of a local name, those in
    its rule."""
    known = open_file.known
    if known is None:
        return []
    if (spot := navigation.spot_at(open_file, line, column)) is not None and spot.entries:
        cases = [open_file] if open_file.kind == schema.SCENARIOS else []
        places = [*(entry.place for entry in spot.entries), *navigation.references(known, spot.entries, cases)]
        return sorted({place for place in places if place.file == open_file.file})
    current = next((use for use in known.uses if _is_at(use.place, open_file, line, column)), None)
    same = (
        []
        if current is None
        else [use for use in known.uses if use.name == current.name and use.user[:2] == current.user[:2]]
    )
    return sorted({use.place for use in same if use.place.file == open_file.file})


def _sort_key(word: ColouredWord) -> tuple[int, int, bool, int]:
    """Return the sort key of a word: its place; at one place, names come before words of the language, then longer ones
    before shorter ones."""
    return word.place.line, word.place.column, word.kind == WORD, -word.place.length


def _coloured_words(open_file: OpenFile, first: int, last: int) -> Iterator[ColouredWord]:
    """Yield the coloured words of lines, not yet in order."""
    known = open_file.known
    if known is None:
        return
    kinds: dict[str, str] = {}
    for entry in known.entries:
        kinds.setdefault(canonical(entry.name), entry.kind)
        if entry.place.file != open_file.file or not first <= entry.place.line <= last:
            continue
        if entry.kind not in _SECTIONS and canonical(_text_at(open_file, entry.place)) == canonical(entry.name):
            yield ColouredWord(entry.place, entry.kind, True)
    uses, scalars = known.uses, known.sentences
    if open_file.kind == schema.SCENARIOS:
        case_texts: list[Scalar] = []
        uses = [*uses, *case_files.uses_in_texts(open_file, case_texts)]
        scalars = [*scalars, *case_texts]
        for name in case_files.names_of_edition(open_file):
            kind = name.kind.partition(" of ")[0] if name.kind.startswith(("word of", "choice of")) else name.kind
            if first <= name.scalar.place.line <= last and (colour_kind := _CASE_KINDS.get(kind, kind)):
                yield ColouredWord(name.scalar.place, colour_kind)
    yield from _name_words(uses, kinds, open_file, first, last)
    for scalar in scalars:
        if scalar.place.file == open_file.file and scalar.place.line <= last:
            yield from _words_of_language(scalar, open_file, first, last)


def _name_words(
    uses: Iterable[Use], kinds: dict[str, str], open_file: OpenFile, first: int, last: int
) -> Iterator[ColouredWord]:
    """Yield the names used in lines, with the kinds of their declarations."""
    for use in uses:
        if use.within.place.file != open_file.file or use.within.place.line > last:
            continue
        place = use.place
        if first <= place.line <= last and canonical(_text_at(open_file, place)) == use.name:
            known = kinds.get(use.name, WORD if use.name in _BUILT_IN else LOCAL_NAME)
            yield ColouredWord(place, "step" if use.kind in (STEPS, HOOKS) else known)


def _words_of_language(scalar: Scalar, open_file: OpenFile, first: int, last: int) -> Iterator[ColouredWord]:
    """Yield the words of the language and the numbers in a sentence."""
    for start, word, kind in _words_in(scalar.text):
        place = scalar.place_at(start, len(word))
        if first <= place.line <= last and _text_at(open_file, place) == word:
            yield ColouredWord(place, kind)


@lru_cache(maxsize=10_000)
def _words_in(text: str) -> tuple[tuple[int, str, str], ...]:
    """Return the words of the language and the numbers in a text, with their offsets."""
    kinds = ((_pattern(), WORD), (_NUMBER, NUMBER))
    return tuple((match.start(), match[0], kind) for pattern, kind in kinds for match in pattern.finditer(text))


@cache
def _pattern() -> re.Pattern[str]:
    """Return the pattern of words of the language; those that names may hold count at the beginning of a sentence
    only."""
    following = sentences.continuations("", "statement")
    opening = {*(following.words if following else ()), "otherwise"}
    inner = "|".join(
        re.escape(word) for word in sorted(_single_words(sentence_grammar.reserved()), key=len, reverse=True)
    )
    first = "|".join(re.escape(word) for word in sorted(_single_words(opening), key=len, reverse=True))
    return re.compile(rf"^(?:{first})\b|\b(?:{inner})\b")


def _single_words(phrases: Iterable[str]) -> set[str]:
    """Return the words of phrases that begin with a letter."""
    return {word for phrase in phrases for word in phrase.split() if word[0].isalpha()}


def _text_at(open_file: OpenFile, place: SourcePlace) -> str:
    """Return the text at a place in a file, '' beyond its end."""
    line = open_file.lines[place.line - 1] if place.line <= len(open_file.lines) else ""
    return line[place.column - 1 : place.column - 1 + place.length]


def _is_at(place: SourcePlace, open_file: OpenFile, line: int, column: int) -> bool:
    """Return whether a place holds a cursor, also one right behind it."""
    return place.file == open_file.file and place.line == line and place.column <= column <= place.column + place.length
