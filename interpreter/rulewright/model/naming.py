"""Names that an edition declares: their list, the rules for usable names, and joining their words in sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulewright.base.diagnostics import SAY_FOR_EXAMPLE, Report, SourcePlace
from rulewright.base.records import record
from rulewright.base.wording import Wording, Words
from rulewright.model import messages
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.syntax import names_with_reserved_words, schema, sentence_grammar, source
from rulewright.syntax.messages import AND
from rulewright.syntax.nouns import join_parts, plural
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, entries_of, value_of

BUILT_IN = {
    "seat": messages.SEATS, "player": messages.PLAYERS, "virtual player": messages.VIRTUAL_PLAYERS,
    "opponent": messages.OPPONENTS, "you": messages.WHOEVER_ACTS, "nobody": messages.NOBODY,
    "nothing": messages.NOTHING, "it": messages.LOOKED_AT,
}  # fmt: skip
"""Names that every game has, each with its meaning for messages."""

_NO_OTHER = ("you", "nobody", "nothing", "it")
"""Built-in names that no parameter or local name may have."""

_OF_SIDES = {"partner": messages.PARTNERS}
"""Names built in where an edition has sides, with what messages call them."""
_ALL_THERE_ARE = ("card", "piece")
"""Built-in names of all pieces, whatever is declared."""
_TYPES = {
    "number": messages.NUMBERS,
    "fraction": messages.FRACTIONS,
    "seat": messages.SEATS,
    "game": messages.OF_GAME,
}
"""Types of the language: no word list or kind of piece may have their names."""

_WORDS_OWN = ("noun", "next to", "title", "text", "do")
"""Keys of a word that are no attributes."""

_OF_BOARDS = {"of": "word list", "directions": "word list", "columns": "attribute", "rows": "attribute"}
"""Keys of a board whose value is a name, with its sort."""

_NUMBERED = ("value", "term", "counter", "attribute", "parameter")
"""Sorts of names whose value can be a number."""

_THINGS = ("kind of piece", "zone", "value", "term", "counter", "option")
"""Sorts of names that no name by let, as, choose or each may hide."""

_MAX_SHARED = 8
"""Limit of shared words that a message lists."""

_SENTENCES = ("statement", "value", "keys", "hook")
"""Grammars by which a text of the schema is parsed."""
_SLOT = re.compile(r"(?<=\{)[^{}]+(?=\})")
"""Content of a slot of a text."""


@record
class GivenName:
    """Declared name. sort: of what it names, for messages, such as 'zone'; key: its text in the file."""

    sort: str
    key: Scalar

    @property
    def name(self) -> str:
        """Name as the file has it."""
        return self.key.text


def given_names(tree: Node) -> Iterator[GivenName]:
    """Yield the names declared in an edition's tree that sentences may hold, section by section in a fixed order."""
    for key, words in _below(tree, "words"):
        yield GivenName("word list", key)
        for word, details in entries_of(words):
            yield GivenName("word", word)
            yield from _attributes(details)
    for _, board in _below(tree, "boards"):
        yield from _names_of_board(board)
    for key, kind in _below(tree, "pieces"):
        yield GivenName("kind of piece", key)
        for attribute, _ in _below(kind, "has"):
            yield GivenName("attribute", attribute)
    for section, sort in (("zones", "zone"), ("options", "option")):
        yield from (GivenName(sort, key) for key, _ in _below(tree, section))
    for section, sort in (("values", "value"), ("terms", "term"), ("counters", "counter")):
        for _, entries in _below(tree, section):
            for key, details in entries_of(entries):
                yield GivenName(sort, key)
                yield from _parameters(details)
    for _, phase in (*_below(tree, "phases"), *(entries_of(tree) if isinstance(tree, MappingNode) else ())):
        for step, details in _below(phase, "steps"):
            yield GivenName("step", step)
            yield from _parameters(details)
    yield from (GivenName("phase", key) for key, _ in _below(tree, "phases"))


def nameable_options(tree: Node) -> list[tuple[Scalar, Node]]:
    """Return the options that sentences can name: those of yes or no."""
    return [(key, details) for key, details in _below(tree, "options") if not any(_below(details, "choices"))]


def _names_of_board(board: Node) -> Iterator[GivenName]:
    """Yield the names that a board declares: its lists, spaces and attributes."""
    for own, sort in _OF_BOARDS.items():
        if isinstance(board, MappingNode) and isinstance(name_node := board.get(own), Scalar):
            yield GivenName(sort, name_node)
    for space, details in _below(board, "spaces"):
        yield GivenName("space", space)
        yield from _attributes(details)
    for _, details in _below(board, "legend"):
        yield from _attributes(details)


def _attributes(details: Node) -> Iterator[GivenName]:
    """Yield the attributes among the details of a word or space."""
    return (GivenName("attribute", key) for key, _ in entries_of(details) if key.text not in _WORDS_OWN)


def _parameters(details: Node) -> Iterator[GivenName]:
    """Yield the parameters of a figure or step."""
    return (GivenName("parameter", key) for key, _ in _below(details, "for"))


def _below(node: Node | None, key: str) -> Iterable[tuple[Scalar, Node]]:
    """Return the entries of a mapping below a key; none where there is no mapping."""
    return entries_of(value_of(node, key))


# ── names that cannot be ──


@record
class NameRefusal:
    """Reason why a name cannot be used. other: a similar usable name, or ''."""

    problem: Wording
    other: str = ""

    @property
    def hints(self) -> tuple[Wording, ...]:
        """Hint that suggests the other name, as the only item; () without one."""
        return (SAY_FOR_EXAMPLE(words=self.other),) if self.other else ()

    @property
    def is_taken(self) -> bool:
        """Whether the name has another meaning, rather than containing a word of the language."""
        return self.problem.template in _OTHER_MEANINGS


_OTHER_MEANINGS = (messages.TAKEN_BY_LANGUAGE, messages.NAME_TAKEN, messages.TWO_READINGS)
"""Problems of names that mean something else already."""
TYPED = ("word list", "kind of piece")
"""Sorts of names that can stand where the language's own types do."""


class NameRules:
    """Rules for names that sentences can hold and nobody misreads. known: declared names, each with its sort; sides:
    whether seats have partners; sayable: options that sentences can name."""

    def __init__(self, known: Iterable[tuple[str, str]], sides: bool, sayable: Container[str] = ()) -> None:
        self._used_names = set()
        self._sorts: dict[str, list[str]] = {}
        self._things: dict[str, list[tuple[str, str]]] = {}
        self._of_parts: dict[str, list[tuple[str, str]]] = {}  # by a part of a name, whole names with their sorts
        for sort, name in known:
            self._used_names.add(name)
            for part, _ in names_with_reserved_words.parts_of_name(name):
                self._of_parts.setdefault(canonical(part), []).append((sort, name))
            self._sorts.setdefault(canonical(name), []).append(sort)
            if sort in _THINGS and (sort != "option" or name in sayable):
                self._things.setdefault(canonical(name), []).append((sort, name))
        self._built_in = {**BUILT_IN, **(_OF_SIDES if sides else {})}

    def refusal(self, sort: str, name: str) -> NameRefusal | None:
        """Return why nothing of a sort can have this name; None if it can."""
        if sort == "parameter" and (refusal := self._built_in_refusal(name) or self._hiding_refusal(name)) is not None:
            return refusal
        one = canonical(name)
        if sort != "parameter" and ((sort in TYPED and one in _TYPES) or one in self._built_in):
            meaning = _TYPES.get(one) or self._built_in[one]
            return NameRefusal(messages.TAKEN_BY_LANGUAGE(name=name, meaning=meaning()), self._other_name(name))
        if names_with_reserved_words.is_word_of_language(name):
            return NameRefusal(
                messages.WORD_OF_LANGUAGE(name=name), sentence_grammar.unreserved(name, self._used_names)
            )
        if (parts := self.readable_parts(sort, name)) is not None:
            meanings = ((part, self._meaning(part, number)) for part, number in parts)
            readings = dict.fromkeys(messages.READS_AS(part=part, meaning=what()) for part, what in meanings if what)
            problem = messages.SAYS_SOMETHING(name=name, readings=join_parts(AND, readings))
            return NameRefusal(problem, sentence_grammar.unreserved(name, self._used_names))
        return None

    def local_refusal(self, name: str) -> NameRefusal | None:
        """Return why a sentence cannot introduce this name; None if it can."""
        if (refusal := self._built_in_refusal(name)) is not None:
            return refusal
        for sort, whole in self._of_parts.get(canonical(name), ()):
            if self.readable_parts(sort, whole, canonical(name)) is not None:
                problem = messages.TWO_READINGS(name=name, whole=whole, sort=messages.A_SORT[sort]())
                return NameRefusal(problem, self._other_name(name))
        return None

    def _built_in_refusal(self, name: str) -> NameRefusal | None:
        """Refuse a local name that is built in; None for others. One of the seats may be called `seat`."""
        if (one := canonical(name)) in _NO_OTHER:
            return NameRefusal(messages.TAKEN_BY_LANGUAGE(name=name, meaning=self._built_in[one]()))
        return None

    def _hiding_refusal(self, name: str) -> NameRefusal | None:
        """Refuse a parameter that would hide a declaration; None for others. One of the columns may be called
        `column`."""
        one = canonical(name)
        for sort, other in self._things.get(one, ()):
            if other == name or name != one:
                problem = messages.NAME_TAKEN(name=name, sort=messages.A_SORT[sort]())
                return NameRefusal(problem, self._other_name(name))
        return None

    def readable_parts(self, sort: str, name: str, local: str = "") -> tuple[tuple[str, bool], ...] | None:
        """Split a name into parts that are names themselves, if a sentence could be read so; else None.

        local: another name that is known in the sentence.
        """
        parts = names_with_reserved_words.parts_of_name(name)
        if sort in ("step", "phase") and parts and parts[0][0].startswith("what "):  # as in 'do what card says'
            parts = ((parts[0][0].removeprefix("what "), False), *parts[1:])
        if parts and all(canonical(part) == local or self._meaning(part, number) for part, number in parts):
            return parts
        return None

    def _meaning(self, part: str, number: bool) -> Words | None:
        """Return what a part of a name means by itself, with its article; None if nothing.

        number: whether it must be a number.
        """
        sorts = self._sorts.get(canonical(part), [])
        if number:
            sorts = [sort for sort in sorts if sort in _NUMBERED]
        if sorts:
            return messages.A_SORT[sorts[0]]
        known = not number and canonical(part) in (*self._built_in, *_ALL_THERE_ARE)
        return messages.LANGUAGES_OWN if known else None

    def _other_name(self, name: str) -> str:
        """Return `other NAME`, or '' if that is used already."""
        return "" if (other := f"other {name}") in self._used_names else other


def hints_at_other_name(name: str, used_names: Container[str]) -> tuple[Wording, ...]:
    """Return the hint to call something `other NAME`, as the only item; () if that name is used, too."""
    return () if (other := f"other {name}") in used_names else (SAY_FOR_EXAMPLE(words=other),)


def name_rules(edition: Edition, without: Container[str] = ()) -> NameRules:
    """Return the rules for names in an edition, from all names that it declares, spaces of maps and directions too.

    without: names to leave out.
    """
    known = [(each.sort, each.name) for each in given_names(edition.tree)]
    known += [("word", word.name) for list_ in edition.words.values() for word in list_.words]
    sayable = {key.text for key, _ in nameable_options(edition.tree)}
    return NameRules([each for each in known if each[1] not in without], bool(edition.sides), sayable)


# ── sentences in which each name is one word ──


def multiword_names(tree: Node) -> frozenset[str]:
    """Return the declared names that hold reserved words, in each form that sentences may use."""
    names = {each.name for each in given_names(tree) if sentence_grammar.reserved_in(each.name)}
    names = {name for name in names if not names_with_reserved_words.is_word_of_language(name)}
    return frozenset(form for name in names for form in (name, plural(name), canonical(name)))


def join_names(tree: MappingNode) -> MappingNode:
    """Return the tree with the words of each name that holds reserved words joined into one, in all sentences."""
    names = multiword_names(tree)
    if not names:
        return tree
    result = _join(tree, schema.load(), names)
    assert isinstance(result, MappingNode)
    return result


def _join(node: Node, shape: dict[str, Any], names: frozenset[str], with_slots: bool = True) -> Node:
    """Return a node with its names joined; the same node if it has none. shape: its JSON Schema; with_slots: names also
    stand in slots of its texts."""
    match node:
        case Scalar():
            return _join_text(node, shape, names, with_slots)
        case SequenceNode():
            items = [_join(item, schema.item(shape), names, with_slots) for item in node.items]
            same = all(one is other for one, other in zip(items, node.items, strict=True))
            return node if same else SequenceNode(items, node.place)
    keys: dict[str, Scalar] = {}
    entries: dict[str, Node] = {}
    same = True
    for key, inner in node.items():
        below, _ = schema.member(shape, key.text)
        is_sentence = "by" in node.entries or any(part.get("keyGrammar") in _SENTENCES for part in (below,))
        new_key = _with_text(key, names_with_reserved_words.join_names(key.text, names)) if is_sentence else key
        slots_below = with_slots and not (shape is schema.load() and key.text == "looks")  # those are names of pictures
        new = _join(inner, below, names, slots_below)
        same = same and new is inner and new_key is key
        keys[new_key.text], entries[new_key.text] = new_key, new
    return node if same else source.MappingNode(node.place, entries, keys)


def _join_text(text: Scalar, shape: dict[str, Any], names: frozenset[str], with_slots: bool) -> Scalar:
    """Return a text with its names joined, if it is a sentence or has slots with names. shape, with_slots: as of
    `_join`."""
    if schema.is_text(shape):
        if not with_slots:
            return text
        return _with_text(text, _SLOT.sub(lambda slot: names_with_reserved_words.join_names(slot[0], names), text.text))
    if any(part.get("grammar") in _SENTENCES for part in schema.alternatives(shape)):
        return _with_text(text, names_with_reserved_words.join_names(text.text, names))
    return text


def _with_text(scalar: Scalar, text: str) -> Scalar:
    """Return a scalar with another text at the same place."""
    return scalar if text == scalar.text else replace(scalar, text=text)


def report_ambiguous(
    report: Report, place: SourcePlace, word: str, lists: Mapping[str, Collection[str]], *hints: Wording
) -> None:
    """Report a word of several lists where any could be meant, once for the same lists.

    lists: those that have the word, each with its words.
    """
    problem = messages.AMBIGUOUS_WORD(word=word, lists=join_parts(messages.AND_OF, lists))
    problems = (error.problem for error in report.errors if error.place != place)
    if any(other.template == problem.template and other["lists"] == problem["lists"] for other in problems):
        return
    first, *others = map(set, lists.values())
    more = tuple(sorted(first.intersection(*others) - {word}))
    rename = messages.RENAME_WORDS()
    if more:
        examples = more if len(more) <= _MAX_SHARED else messages.MORE_WORDS(words=more[:_MAX_SHARED])
        rename = messages.RENAME_WORDS_AND_OTHERS(words=examples)
    report.error(place, problem, *(hints or (rename,)))
