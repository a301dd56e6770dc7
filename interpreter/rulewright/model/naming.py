"""The names that an edition gives: which they are, which cannot be, and sentences in which each is one word."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.records import record
from rulewright.model.declarations import Edition, canonical
from rulewright.syntax import reserved_words, schema, sentences, source
from rulewright.syntax.nouns import an, plural
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

BUILT_IN = {
    "seat": "the seats", "player": "the players", "virtual player": "the virtual players",
    "opponent": "the opponents", "you": "whoever acts", "nobody": "nobody", "nothing": "nothing",
    "it": "the thing that is looked at",
}  # fmt: skip
"""What sentences say of every game, and what each of these is."""

_NO_OTHER = ("you", "nobody", "nothing", "it")
"""Those of them that are never a name for one thing among several."""

_OF_SIDES = {"partner": "the partners"}
_ALL_THERE_ARE = ("card", "piece")
_TYPES = {"number": "numbers", "fraction": "fractions", "seat": "seats", "game": "what the game has"}
"""What no word list or kind of piece is called, for it stands where one of these can."""

_WORDS_OWN = ("noun", "next to", "title", "text", "do")
"""Keys below a word that are no attributes."""

_OF_BOARDS = {"of": "word list", "directions": "word list", "columns": "attribute", "rows": "attribute"}
"""Keys of a board that hold a name."""

_NUMBERED = ("value", "term", "counter", "attribute", "parameter")
"""What can be a number."""

_THINGS = ("kind of piece", "zone", "value", "term", "counter", "option")
"""Sorts of names that no name by let, as, choose or each may hide."""

_MOST_SHARED = 8
"""Words of two lists that a message names."""

_SENTENCES = ("statement", "value", "keys", "hook")
_SLOT = re.compile(r"(?<=\{)[^{}]+(?=\})")


@record
class GivenName:
    """A name that an edition gives. sort: what it is a name of, for people."""

    sort: str
    key: Scalar

    @property
    def name(self) -> str:
        return self.key.text


def given(tree: Node) -> Iterator[GivenName]:
    """The names in an edition's tree that a sentence may hold, in the order of its sections."""
    for key, words in _below(tree, "words"):
        yield GivenName("word list", key)
        for word, details in _items(words):
            yield GivenName("word", word)
            yield from _attributes(details)
    for _, board in _below(tree, "boards"):
        yield from _of_board(board)
    for key, kind in _below(tree, "pieces"):
        yield GivenName("kind of piece", key)
        for attribute, _ in _below(kind, "has"):
            yield GivenName("attribute", attribute)
    for section, sort in (("zones", "zone"), ("options", "option")):
        yield from (GivenName(sort, key) for key, _ in _below(tree, section))
    for section, sort in (("values", "value"), ("terms", "term"), ("counters", "counter")):
        for _, entries in _below(tree, section):
            for key, details in _items(entries):
                yield GivenName(sort, key)
                yield from _parameters(details)
    for _, phase in (*_below(tree, "phases"), *(_items(tree) if isinstance(tree, MappingNode) else ())):
        for step, details in _below(phase, "steps"):
            yield GivenName("step", step)
            yield from _parameters(details)
    yield from (GivenName("phase", key) for key, _ in _below(tree, "phases"))


def sayable_options(tree: Node) -> list[tuple[Scalar, Node]]:
    """The options of an edition's tree that sentences can name: those of yes or no."""
    return [(key, details) for key, details in _below(tree, "options") if not any(_below(details, "choices"))]


def _of_board(board: Node) -> Iterator[GivenName]:
    for own, sort in _OF_BOARDS.items():
        if isinstance(board, MappingNode) and isinstance(named := board.get(own), Scalar):
            yield GivenName(sort, named)
    for space, details in _below(board, "spaces"):
        yield GivenName("space", space)
        yield from _attributes(details)
    for _, details in _below(board, "legend"):
        yield from _attributes(details)


def _attributes(details: Node) -> Iterator[GivenName]:
    return (GivenName("attribute", key) for key, _ in _items(details) if key.text not in _WORDS_OWN)


def _parameters(details: Node) -> Iterator[GivenName]:
    return (GivenName("parameter", key) for key, _ in _below(details, "for"))


def _items(node: Node | None) -> Iterable[tuple[Scalar, Node]]:
    return node.items() if isinstance(node, MappingNode) else ()


def _below(node: Node | None, key: str) -> Iterable[tuple[Scalar, Node]]:
    return _items(node.get(key) if isinstance(node, MappingNode) else None)


# ── names that cannot be ──


@record
class NameRefusal:
    """Why something cannot be called so. other: a name that would do, or ''; taken: whether the name has another
    meaning, and no word of the language stands in it."""

    message: str
    other: str = ""
    taken: bool = False

    @property
    def hint(self) -> str:
        return f"Say '{self.other}', for example." if self.other else ""


TYPED = ("word list", "kind of piece")
"""What sorts of names are asked for where the language's own types stand."""


class NameRules:
    """Tells names that sentences could not hold, or would take for something else.

    known: the names that there are, and what each is a name of; sides: whether seats have partners; sayable: the
    options that sentences can name.
    """

    def __init__(self, known: Iterable[tuple[str, str]], sides: bool, sayable: Container[str] = ()) -> None:
        self._taken = set()
        self._sorts: dict[str, list[str]] = {}
        self._things: dict[str, list[tuple[str, str]]] = {}
        self._of_parts: dict[str, list[tuple[str, str]]] = {}  # by a part of a name, whole names with their sorts
        for sort, name in known:
            self._taken.add(name)
            for part, _ in reserved_words.parts_of_name(name):
                self._of_parts.setdefault(canonical(part), []).append((sort, name))
            self._sorts.setdefault(canonical(name), []).append(sort)
            if sort in _THINGS and (sort != "option" or name in sayable):
                self._things.setdefault(canonical(name), []).append((sort, name))
        self._built_in = {**BUILT_IN, **(_OF_SIDES if sides else {})}

    def refusal(self, sort: str, name: str) -> NameRefusal | None:
        """Why nothing of a sort can be called so; None if it can."""
        if sort == "parameter" and (refusal := self._refusal_of_one(name) or self._refusal_of_hiding(name)) is not None:
            return refusal
        one = canonical(name)
        if sort != "parameter" and ((sort in TYPED and one in _TYPES) or one in self._built_in):
            meant = _TYPES.get(one) or self._built_in[one]
            return NameRefusal(f"'{name}' is what the language itself calls {meant}.", self._other(name), taken=True)
        if reserved_words.is_word_of_language(name):
            message = f"A name cannot be '{name}', which is a word of the language."
            return NameRefusal(message, sentences.unreserved(name, self._taken))
        if (parts := self.parts_read(sort, name)) is not None:
            told = " and ".join(dict.fromkeys(f"'{part}' is {self._told(part, number)}" for part, number in parts))
            message = f"'{name}' says something already: {told}."
            return NameRefusal(message, sentences.unreserved(name, self._taken))
        return None

    def refusal_of_made(self, name: str) -> NameRefusal | None:
        """Why a sentence cannot call something so."""
        if (refusal := self._refusal_of_one(name)) is not None:
            return refusal
        for sort, whole in self._of_parts.get(canonical(name), ()):
            if self.parts_read(sort, whole, canonical(name)) is not None:
                message = f"With '{name}', '{whole}' would say two things; that is the name of {an(sort)}."
                return NameRefusal(message, self._other(name), taken=True)
        return None

    def _refusal_of_one(self, name: str) -> NameRefusal | None:
        """Why a thing cannot be called so for a while. One of the seats may be called `seat`."""
        if (one := canonical(name)) in _NO_OTHER:
            return NameRefusal(f"'{name}' is what the language itself calls {self._built_in[one]}.", taken=True)
        return None

    def _refusal_of_hiding(self, name: str) -> NameRefusal | None:
        """Why what is handed over cannot be called so: it would hide something. One of the columns may be `column`."""
        one = canonical(name)
        for sort, other in self._things.get(one, ()):
            if other == name or name != one:
                message = f"'{name}' is the name of {an(sort)} already; choose another."
                return NameRefusal(message, self._other(name), taken=True)
        return None

    def parts_read(self, sort: str, name: str, local: str = "") -> tuple[tuple[str, bool], ...] | None:
        """The parts of a name that are names themselves, if a sentence could mean them; else None. local: a name that
        a sentence makes besides."""
        parts = reserved_words.parts_of_name(name)
        if sort in ("step", "phase") and parts and parts[0][0].startswith("what "):  # as in 'do what card says'
            parts = ((parts[0][0].removeprefix("what "), False), *parts[1:])
        if parts and all(canonical(part) == local or self._told(part, number) for part, number in parts):
            return parts
        return None

    def _told(self, part: str, number: bool) -> str:
        """What else is called so; '' if nothing is. number: whether it must be one."""
        sorts = self._sorts.get(canonical(part), [])
        if number:
            sorts = [sort for sort in sorts if sort in _NUMBERED]
        if sorts:
            return an(sorts[0])
        known = not number and canonical(part) in (*self._built_in, *_ALL_THERE_ARE)
        return "the language's own" if known else ""

    def _other(self, name: str) -> str:
        return "" if (other := f"other {name}") in self._taken else other


def another(name: str, taken: Container[str]) -> str:
    """Return the hint for a name that something else has."""
    return "" if (other := f"other {name}") in taken else f"Say '{other}', for example."


def rules(edition: Edition, without: Container[str] = ()) -> NameRules:
    """What an edition's names are held against: all that it declares, the spaces of maps and directions too. without:
    names that count no more."""
    known = [(each.sort, each.name) for each in given(edition.tree)]
    known += [("word", word.name) for list_ in edition.words.values() for word in list_.words]
    sayable = {key.text for key, _ in sayable_options(edition.tree)}
    return NameRules([each for each in known if each[1] not in without], bool(edition.sides), sayable)


# ── sentences in which each name is one word ──


def of_many_words(tree: Node) -> frozenset[str]:
    """The names in an edition's tree that hold reserved words, as sentences may say them."""
    names = {each.name for each in given(tree) if sentences.reserved_in(each.name)}
    names = {name for name in names if not reserved_words.is_word_of_language(name)}
    return frozenset(form for name in names for form in (name, plural(name), canonical(name)))


def joined(tree: MappingNode) -> MappingNode:
    """An edition's tree in whose sentences each name that holds reserved words is one word."""
    names = of_many_words(tree)
    if not names:
        return tree
    found = _joined(tree, schema.load(), names)
    assert isinstance(found, MappingNode)
    return found


def _joined(node: Node, shape: dict[str, Any], names: frozenset[str]) -> Node:
    """A node of a shape with its names joined; itself if there are none in it."""
    match node:
        case Scalar():
            return _joined_text(node, shape, names)
        case SequenceNode():
            items = [_joined(item, schema.item(shape), names) for item in node.items]
            same = all(one is other for one, other in zip(items, node.items, strict=True))
            return node if same else SequenceNode(items, node.place)
    keys: dict[str, Scalar] = {}
    entries: dict[str, Node] = {}
    same = True
    for key, inner in node.items():
        if shape is schema.load() and key.text == "looks":  # no sentences stand there
            keys[key.text], entries[key.text] = key, inner
            continue
        below, _ = schema.member(shape, key.text)
        said = "by" in node.entries or any(part.get("keyGrammar") in _SENTENCES for part in (below,))
        new_key = _with_text(key, reserved_words.joined(key.text, names)) if said else key
        new = _joined(inner, below, names)
        same = same and new is inner and new_key is key
        keys[new_key.text], entries[new_key.text] = new_key, new
    return node if same else source.MappingNode(node.place, entries, keys)


def _joined_text(text: Scalar, shape: dict[str, Any], names: frozenset[str]) -> Scalar:
    if schema.is_text(shape):
        return _with_text(text, _SLOT.sub(lambda slot: reserved_words.joined(slot[0], names), text.text))
    if any(part.get("grammar") in _SENTENCES for part in schema.alternatives(shape)):
        return _with_text(text, reserved_words.joined(text.text, names))
    return text


def _with_text(scalar: Scalar, text: str) -> Scalar:
    return scalar if text == scalar.text else replace(scalar, text=text)


def report_ambiguous(
    report: Report, place: SourcePlace, word: str, lists: Mapping[str, Collection[str]], hint: str = ""
) -> None:
    """Report a word of several lists where any of them could be meant: once for the same lists, whichever word it is.
    lists: those that have it, each with its words."""
    told = f"is a word of {' and of '.join(lists)}; I cannot tell which is meant."
    if any(found.message.endswith(told) for found in report.errors if found.place != place):
        return
    first, *others = map(set, lists.values())
    more = sorted(first.intersection(*others) - {word})
    named = ", ".join(more[:_MOST_SHARED]) + (" …" if len(more) > _MOST_SHARED else "")
    also = f"; they also share {named}" if more else ""
    hint = hint or f"Give the words of one of these lists other names{also}."
    report.error(place, "ambiguous-word", f"'{word}' {told}", hint)
