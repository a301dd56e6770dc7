"""An edition's declarations: what there is, by name and with its place in the file.

Reads a schema-valid tree; says what the schema cannot: names that refer to nothing, counts that do not fit.
Sentences and expressions stay text here; `compiler` gives them meaning.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from lark import Tree

from rulewright import conflicts, extend, schema, sentences, source
from rulewright.complaints import short
from rulewright.declarations import (
    NUMBER,
    ChangeSet,
    CounterDeclaration,
    Edition,
    Figure,
    Hook,
    Kind,
    Noun,
    OptionDeclaration,
    Phase,
    Role,
    ScoreDeclaration,
    Step,
    Word,
    WordList,
    Zone,
    canonical,
    plural,
)
from rulewright.diagnostics import Place, Report, few, nearest
from rulewright.program import NOTHING
from rulewright.source import Node, Scalar, Sequence

MOST_PIECES = 1000
MOST_ROWS = 10_000
MOST_SEATS = 12

_Declared = TypeVar("_Declared")


def read(path: Path | None, report: Report, name: str, text: str | None = None, shown_as: str = "") -> Edition | None:
    """The edition in a file (or a text), or None if the file is too broken to speak of declarations."""
    file = shown_as or str(path)
    found = extend.read(path, text, report, file)
    if found is None:
        return None
    tree, bases, removed = found
    canonical_json = json.dumps(_rules(tree, schema.load()), ensure_ascii=False, separators=(",", ":"))
    identity = hashlib.sha256(canonical_json.encode()).hexdigest()[:16]
    edition = Edition(name, file, identity, tree, tuple(bases), removed)
    _Reader(tree, report, edition).read()
    return edition


def _rules(node: Node, shape: dict[str, Any]) -> Any:
    """What a tree means for its hash: neither blanks nor the order of the language's own keys count."""
    match node:
        case Scalar():
            return None if node.absent else "".join(node.text.split())
        case Sequence():
            return [_rules(item, {}) for item in node.items]
    entries = [(key.text, inner, *schema.member(shape, key.text)) for key, inner in node.items()]
    own = sorted((entry for entry in entries if not entry[3]), key=lambda entry: entry[0])
    given = [entry for entry in entries if entry[3]]
    return {"".join(key.split()): _rules(inner, within) for key, inner, within, _ in (*own, *given)}


class _Reader:
    """Fills an Edition, section by section: what refers comes after what is referred to."""

    def __init__(self, tree: source.Mapping, report: Report, edition: Edition) -> None:
        self.tree, self.report, self.edition = tree, report, edition

    def read(self) -> None:
        edition, tree = self.edition, self.tree
        edition.title = _text(tree, "title")
        edition.edition = _text(tree, "edition")
        edition.credits = _text(tree, "credits")
        edition.text = _scalar(tree, "text")
        edition.reconstructed = {key.text: _plain(node) for key, node in _items(tree.get("reconstructed"))}
        edition.people = self.span(tree.get("players"))
        edition.seats = self.span(tree.get("seats")) if tree.get("seats") else edition.people
        self.words()
        self.kinds()
        self.zones()
        self.figures()
        self.counters()
        self.phases()
        self.powers()
        self.roles()
        self.options()
        edition.change_sets = conflicts.ranked(edition.change_sets, self.report)
        self.scores()
        self.seats()
        self.names()

    # ── helpers ──

    def span(self, node: Node | None) -> tuple[int, int]:
        assert isinstance(node, Scalar)
        syntax = self.parse(node, "span")
        if syntax is None:
            return (1, 1)
        bounds = [_signed(child) for child in syntax.children]
        low, high = bounds[0], bounds[-1]
        if low > high:
            self.report.error(
                node.place, "empty-span", f"A span goes from the smaller number to the larger: '{node.text}'."
            )
            return (low, low)
        return (low, high)

    def parse(self, node: Scalar, start: str) -> sentences.Syntax | None:
        try:
            return sentences.parse(node.text, start)
        except sentences.SentenceError as error:
            self.report.error(node.place_at(error.at, error.length), "syntax", error.message, error.hint)
            return None

    def known(self, node: Scalar, table: Iterable[str], what: str) -> str:
        """The name in `table` that the node names, in one or many; else an error and ''."""
        by_canonical = {canonical(name): name for name in table}
        found = by_canonical.get(canonical(node.text))
        if found is None:
            message = f"There is no {what} called '{short(node.text)}'."
            hint = self.edition.missing(node.text, by_canonical.values()) or few(by_canonical.values())
            self.report.error(node.place, "unknown-name", message, hint)
        return found or ""

    def noun(self, owner: source.Mapping | None, default: str) -> Noun:
        text = _text(owner, "noun") or default
        one, _, many = (part.strip() for part in text.partition("|"))
        return Noun(one, many or plural(one))

    def flag(self, owner: source.Mapping, key: str, default: bool) -> bool:
        text = _text(owner, key)
        return default if not text else text == "yes"

    def parameters(self, owner: source.Mapping) -> tuple[tuple[str, Scalar], ...]:
        found = [(key, node) for key, node in _items(owner.get("for")) if isinstance(node, Scalar)]
        for key, _ in found[1:]:
            message = "A step, value or term is told 'for' one thing."
            self.report.error(key.place, "parameters", message, "Let it look up the rest.")
        return tuple((key.text, node) for key, node in found[:1])

    # ── sections ──

    def words(self) -> None:
        lists = list(_items(self.tree.get("words")))
        home = {word.text: key.text for key, node in lists for word, _ in _items(node)}
        index = {key.text: [word.text for word, _ in _items(node)] for key, node in lists}
        for key, node in lists:
            words: list[Word] = []
            kinds: dict[str, str] = {}
            places: dict[str, Place] = {}
            for word, details in _items(node):
                attributes: dict[str, int] = {}
                owner = details if isinstance(details, source.Mapping) else None
                for attribute, value in _items(details):
                    if attribute.text == "noun" or not isinstance(value, Scalar):
                        continue
                    places.setdefault(attribute.text, attribute.place)
                    if re.fullmatch(r"-?\d{1,9}", value.text):
                        kinds[attribute.text], attributes[attribute.text] = NUMBER, int(value.text)
                    elif value.text in home:
                        kinds[attribute.text] = home[value.text]
                        attributes[attribute.text] = index[home[value.text]].index(value.text)
                    else:
                        message = f"'{value.text}' is neither a number nor a word of a list."
                        self.report.error(value.place, "unknown-name", message, nearest(value.text, home))
                words.append(Word(word.text, self.noun(owner, word.text), attributes))
            self.edition.words[key.text] = WordList(key.text, key.place, tuple(words), kinds, places)

    def kinds(self) -> None:
        total = 0
        for key, node in _items(self.tree.get("pieces")):
            assert isinstance(node, source.Mapping)
            attributes, ranges = self.attributes(node)
            changing = self.changing(node, ranges)
            rows = tuple(self.rows(node, attributes, ranges, changing))
            total += sum(count for _, count in rows)
            each = _scalar(node, "each")
            self.edition.kinds[key.text] = Kind(
                name=key.text,
                place=key.place,
                noun=self.noun(node, key.text),
                attributes=attributes,
                rows=rows,
                starts_in=self.known(_need(node, "starts in"), self.zone_names(), "zone"),
                power_in=self.known(_need(node, "power in"), self.zone_names(), "zone") if node.get("power in") else "",
                power_word=next(iter(attributes)) if each and attributes else "",
                changing=changing,
                faces=ranges.get(changing, range(0)),
            )
            if node.get("power in") and not each:
                message = "A kind with powers says with 'each' which word list its powers are named after."
                self.report.error(key.place, "power-without-words", message)
        for kind in self.edition.kinds.values():
            for other in self.edition.kinds.values():
                if kind.changing in other.attributes and kind.changing != other.changing:
                    message = f"'{kind.changing}' changes for a {kind.name}, so it must for a {other.name}."
                    self.report.error(other.place, "changing", message, "Give one of the two another name.")
        if total > MOST_PIECES:
            place = self.tree.keys["pieces"].place
            self.report.error(
                place, "too-many-pieces", f"An edition has at most {MOST_PIECES} pieces, this has {total}."
            )

    def changing(self, node: source.Mapping, ranges: dict[str, range]) -> str:
        """The attribute that changes, one of those that a piece `has`."""
        named = _scalar(node, "changing")
        if named is None:
            return ""
        each = _scalar(node, "each")
        return self.known(named, [name for name in ranges if each is None or name != each.text], "attribute")

    def zone_names(self) -> list[str]:
        return [key.text for key, _ in _items(self.tree.get("zones"))]

    def attributes(self, node: source.Mapping) -> tuple[dict[str, str], dict[str, range]]:
        attributes: dict[str, str] = {}
        ranges: dict[str, range] = {}
        named = [(word_list.text, word_list) for word_list in [_scalar(node, "each")] if word_list is not None]
        named += [(key.text, value) for key, value in _items(node.get("has")) if isinstance(value, Scalar)]
        for attribute, value in named:
            if re.match(r"\s*-?\d", value.text):
                low, high = self.span(value)
                high = min(high, low + MOST_PIECES)
                attributes[attribute], ranges[attribute] = NUMBER, range(low, high + 1)
            elif found := self.known(value, self.edition.words, "word list"):
                attributes[attribute] = found
                ranges[attribute] = range(len(self.edition.words[found].words))
        return attributes, ranges

    def rows(
        self, node: source.Mapping, attributes: dict[str, str], ranges: dict[str, range], changing: str
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """The values of a kind's attributes (of the changing one the first) and how many such pieces there are."""
        copies = node.get("copies")
        if math.prod(map(len, ranges.values())) > MOST_ROWS:
            message = f"This kind would have more than {MOST_ROWS:,} sorts of pieces."
            self.report.error(node.place, "too-many-pieces", message, "Shorten the ranges of its attributes.")
            return
        for values in product(*(span[:1] if name == changing else span for name, span in ranges.items())):
            lasting = {name: value for name, value in zip(attributes, values, strict=True) if name != changing}
            count = self.copies(copies, lasting, attributes, ranges)
            if count:
                yield values, count

    def copies(
        self, node: Node | None, values: dict[str, int], attributes: dict[str, str], ranges: dict[str, range]
    ) -> int:
        """How many copies of one row: a number, or a list by number, or a mapping by word, from outside in."""
        left = dict(values)
        while isinstance(node, (source.Mapping, Sequence)):
            by_word = isinstance(node, source.Mapping)
            attribute = next((a for a in left if (attributes[a] != NUMBER) == by_word), None)
            if attribute is None:
                what = "word" if by_word else "number"
                self.report.error(
                    node.place, "copies", f"These copies go by a {what}, but the piece has no such attribute."
                )
                return 0
            value = left.pop(attribute)
            if isinstance(node, source.Mapping):
                words = [word.name for word in self.edition.words[attributes[attribute]].words]
                for key in node.keys.values():
                    self.known(key, words, f"word of {attributes[attribute]}")
                node = node.get(words[value])
            else:
                if len(node.items) != len(ranges[attribute]):
                    expected = f"{len(ranges[attribute])} counts, one for each {attribute}"
                    message = f"This list has {len(node.items)} counts; expected {expected}."
                    self.report.error(node.place, "copies", message)
                    return 0
                node = node.items[value - ranges[attribute][0]]
        if node is None:
            return 1 if len(left) == len(values) else 0
        if not re.fullmatch(r"\d{1,4}", node.text):
            self.report.error(node.place, "copies", f"Expected a number of copies, not '{node.text}'.")
            return 0
        return int(node.text)

    def zones(self) -> None:
        kinds = self.edition.kinds
        for key, node in _items(self.tree.get("zones")):
            assert isinstance(node, source.Mapping)
            refills = _scalar(node, "refills from")
            holds = self.kind_names(node.get("holds")) or frozenset(kinds)
            self.edition.zones[key.text] = Zone(
                name=key.text,
                place=key.place,
                of_seat=_text(node, "of") == "seat",
                holds=holds,
                seen_by=_text(node, "seen by"),
                at_most=_scalar(node, "at most"),
                counting=self.kind_names(node.get("counting")) or holds,
                pile=self.flag(node, "pile", False),
                refills_from=self.known(refills, self.zone_names(), "zone") if refills else "",
                noun=self.noun(node, key.text),
            )
        for zone in self.edition.zones.values():
            self.refilling(zone)
        for kind in kinds.values():
            for name, what in ((kind.starts_in, "start"), (kind.power_in, "give a power")):
                found = self.edition.zones.get(name)
                if found is None:
                    continue
                if kind.name not in found.holds:
                    self.report.error(kind.place, "zone-does-not-hold", f"'{name}' does not hold a {kind.name}.")
                elif found.of_seat != (what != "start"):
                    belongs = "a zone of each seat" if what != "start" else "a zone of the table"
                    self.report.error(kind.place, "zone-owner", f"A {kind.name} can only {what} in {belongs}.")

    def refilling(self, zone: Zone) -> None:
        source_zone = self.edition.zones.get(zone.refills_from)
        if source_zone is None:
            return
        if not source_zone.holds <= zone.holds:
            message = f"'{source_zone.name}' holds what '{zone.name}' does not, so it cannot refill it."
            self.report.error(zone.place, "zone-does-not-hold", message)
        if source_zone.of_seat and not zone.of_seat:
            message = f"'{source_zone.name}' is a zone of each seat; it cannot refill a zone of the table."
            self.report.error(zone.place, "zone-owner", message)

    def names(self) -> None:
        """Names that a sentence could not contain, or that would mean two things. Options need not be in one."""
        keywords = sentences.keywords()
        edition = self.edition
        seen: dict[str, str] = {}
        sections = ("words", "pieces", "zones")
        named = [(section, key) for section in sections for key, _ in _items(self.tree.get(section))]
        named += [
            (section, key) for section in ("values", "terms", "counters") for _, _, key, _ in self.scoped(section)
        ]
        for section, key in named:
            if (other := seen.get(canonical(key.text))) is not None:
                message = f"'{key.text}' is declared already, in '{other}'."
                self.report.error(key.place, "name-twice", message, "Singular and plural are one name.")
            seen.setdefault(canonical(key.text), section)
        phases = {key.text for key, _ in _items(self.tree.get("phases"))}
        steps = [Scalar(step.name, step.place) for step in edition.steps.values() if step.name not in phases]
        words = [word for _, node in _items(self.tree.get("words")) for word, _ in _items(node)]
        for key in [*(key for _, key in named), *steps, *words]:
            if reserved := [word for word in key.text.split() if word in keywords]:
                message = f"A name cannot contain '{reserved[0]}', which is a word of the language."
                self.report.error(key.place, "name-keyword", message, "Choose another word.")

    def kind_names(self, node: Node | None) -> frozenset[str]:
        items = node.items if isinstance(node, Sequence) else [node] if node is not None else []
        found = (self.known(item, self.edition.kinds, "kind of piece") for item in items if isinstance(item, Scalar))
        return frozenset(name for name in found if name)

    def figures(self) -> None:
        for section, is_value in (("values", True), ("terms", False)):
            for scope, of_seat, key, node in self.scoped(section):
                del scope
                body: Node | None = node
                parameters: tuple[tuple[str, Scalar], ...] = ()
                cases: tuple[tuple[Scalar, Scalar], ...] = ()
                if isinstance(node, source.Mapping):
                    body = node.get("is") or node.get("by")
                    parameters = self.parameters(node)
                    if node.get("by"):
                        cases = tuple(
                            (k, v) for k, v in _items(node) if k.text not in _FIGURE_KEYS and isinstance(v, Scalar)
                        )
                if isinstance(body, Scalar):
                    figure = Figure(key.text, key.place, of_seat, is_value, parameters, body, cases)
                    self.declare(self.edition.figures, key, figure)

    def scoped(self, section: str) -> Iterator[tuple[str, bool, Scalar, Node]]:
        for scope, entries in _items(self.tree.get(section)):
            for key, node in _items(entries):
                yield scope.text, scope.text == "seat", key, node

    def declare(self, table: dict[str, _Declared], key: Scalar, thing: _Declared) -> None:
        table[key.text] = thing

    def counters(self) -> None:
        for _, of_seat, key, node in self.scoped("counters"):
            owner = node if isinstance(node, source.Mapping) else None
            start = _scalar(owner, "starts at") if owner else node
            assert isinstance(start, Scalar)
            holds, first = self.first_held(start)
            shown = owner is None or self.flag(owner, "shown", True)
            noun = self.noun(owner, key.text)
            counter = CounterDeclaration(key.text, key.place, of_seat, holds, first, noun, shown)
            self.declare(self.edition.counters, key, counter)

    def first_held(self, start: Scalar) -> tuple[str, int]:
        """What a counter holds, and what it begins with: `5`, `no`, `red`; or nothing yet: `colour`, `seat`."""
        lists, text = self.edition.words, start.text
        if re.fullmatch(r"-?\d{1,9}", text):
            return NUMBER, int(text)
        if text in ("yes", "no"):
            return "truth", int(text == "yes")
        if text == "seat" or text in lists:
            return text, NOTHING
        found = [
            (words.name, index)
            for words in lists.values()
            for index, word in enumerate(words.words)
            if word.name == text
        ]
        if len(found) == 1:
            return found[0]
        message = (
            f"'{text}' is a word of {' and of '.join(name for name, _ in found)}; I cannot tell which is meant."
            if found
            else f"A counter starts at a number, at yes or no, or at a word; not at '{text}'."
        )
        hint = nearest(text, [*lists, *(word.name for words in lists.values() for word in words.words)])
        self.report.error(
            start.place,
            "ambiguous-word" if found else "type",
            message,
            hint or "What holds nothing yet says what it will hold: 'seat', or the name of a word list.",
        )
        return NUMBER, 0

    def phases(self) -> None:
        setup = self.tree.get("setup")
        if isinstance(setup, source.Mapping):
            self.edition.setup = Phase("setup", "Setup", _scalar(setup, "text"), _need_node(setup, "do"))
            self.steps(setup)
        phases: dict[str, Phase] = {}
        for key, node in _items(self.tree.get("phases")):
            assert isinstance(node, source.Mapping)
            title = _text(node, "title") or key.text.capitalize()
            phases[key.text] = Phase(key.text, title, _scalar(node, "text"), _need_node(node, "do"))
        played = self.round(phases)
        self.edition.phases += [phases[name] for name in played]
        for key, node in _items(self.tree.get("phases")):
            if key.text not in played:
                self.step(key, node)
            assert isinstance(node, source.Mapping)
            self.steps(node)

    def round(self, phases: Iterable[str]) -> list[str]:
        """The names of the phases that are played in turn; the others are steps."""
        order = self.tree.get("round")
        if not isinstance(order, Sequence):
            return list(phases)
        played: list[str] = []
        for item in order.items:
            assert isinstance(item, Scalar)
            name = self.known(item, phases, "phase")
            if name in played:
                self.report.error(item.place, "name-twice", f"'{name}' is played already in this round.")
            elif name:
                played.append(name)
        return played

    def steps(self, owner: source.Mapping) -> None:
        for key, node in _items(owner.get("steps")):
            self.step(key, node)

    def step(self, key: Scalar, node: Node) -> None:
        if any(canonical(name) == canonical(key.text) for name in self.edition.steps):
            message = f"There is a step '{key.text}' already."
            self.report.error(key.place, "name-twice", message, "Steps of all phases share their names.")
        if isinstance(node, source.Mapping):
            step = Step(key.text, key.place, self.parameters(node), _need_node(node, "do"), _scalar(node, "text"))
        else:
            step = Step(key.text, key.place, (), node, None)
        self.edition.steps[key.text] = step

    def powers(self) -> None:
        names = {word.name for kind in self.edition.kinds.values() if kind.power_in for word in self.power_words(kind)}
        for key, node in _items(self.tree.get("powers")):
            if key.text not in names:
                message = f"No piece gives a power called '{key.text}'."
                hint = (
                    self.edition.missing(key.text, names)
                    or few(sorted(names))
                    or "A kind of piece gives powers with 'each' and 'power in'."
                )
                self.report.error(key.place, "unknown-name", message, hint)
            self.change_set("power", key, "", node)

    def power_words(self, kind: Kind) -> tuple[Word, ...]:
        word_list = self.edition.words.get(kind.attributes.get(kind.power_word, ""))
        return word_list.words if word_list else ()

    def roles(self) -> None:
        for key, own in _items(self.tree.get("roles")):
            node = self.like(own, [key.text])
            joins = {int(n.text): _plain(v) == "required" for n, v in _items(node.get("joins"))}
            self.edition.roles[key.text] = Role(
                key.text,
                _text(node, "title") or key.text.capitalize(),
                joins,
                self.flag(node, "scored", True),
                self.flag(node, "uses powers", True),
            )
            self.change_set("role", key, "", node)

    def like(self, node: Node, above: list[str]) -> source.Mapping:
        """A role with all that it has from the one it is like."""
        assert isinstance(node, source.Mapping)
        model, roles = _scalar(node, "like"), dict(_items_by_name(self.tree.get("roles")))
        name = self.known(model, roles, "virtual player") if model else ""
        if model is not None and name in above:
            self.report.error(model.place, "circular", f"This is like itself: {' → '.join([*above, name])}.")
        elif name:
            base = self.like(roles[name], [*above, name])
            return source.Mapping(node.place, {**base.entries, **node.entries}, {**base.keys, **node.keys})
        return node

    def options(self) -> None:
        for key, node in _items(self.tree.get("options")):
            assert isinstance(node, source.Mapping)
            branches = list(_items(node.get("choices")))
            choices = tuple(choice.text for choice, _ in branches) or ("no", "yes")
            default = _scalar(node, "default")
            index = choices.index(default.text) if default is not None and default.text in choices else 0
            if default is not None and default.text not in choices:
                self.report.error(
                    default.place, "unknown-choice", f"The default is one of the choices: {', '.join(choices)}.",
                    nearest(default.text, choices),
                )  # fmt: skip
            texts = {choice.text: text for choice, details in branches if (text := _scalar(details, "text"))}
            self.edition.options[key.text] = OptionDeclaration(
                key.text, key.place, _scalar(node, "text"), choices, texts, index
            )
            if branches:
                for choice, details in branches:
                    self.change_set("option", key, choice.text, details)
            else:
                self.change_set("option", key, "yes", node)

    def change_set(self, level: str, key: Scalar, choice: str, node: Node) -> None:
        if not isinstance(node, source.Mapping):
            return
        changes: dict[str, tuple[str, Scalar]] = {}
        for target, value in _items(node.get("change")):
            name = self.known(target, self.edition.figures, "value or term")
            if name and isinstance(value, Scalar):
                changes[name] = ("add" if re.match(r"\s*([+]|-\s*\d+\s*$)", value.text) else "set", value)
        hooks = [hook for k, v in node.items() if (hook := self.hook(k, v))]
        title, text = _text(node, "title") or key.text.capitalize(), _scalar(node, "text")
        named = node.get("overrules")
        overrules = tuple(n for n in (named.items if isinstance(named, Sequence) else [named]) if isinstance(n, Scalar))
        self.edition.change_sets.append(
            ChangeSet(level, key.text, choice, key.place, title, text, changes, tuple(hooks), overrules)
        )

    def hook(self, key: Scalar, node: Node) -> Hook | None:
        if not re.match(r"(may\s+)?(before|after|instead)\b", key.text):
            return None
        syntax = self.parse(key, "hook")
        if syntax is None:
            return None
        optional, when, step, condition = syntax.children
        assert not hasattr(step, "data")
        name = Scalar(str(step), key.place_at(step.start_pos or 0, len(step)), False)
        found = self.known(name, self.edition.steps, "step")
        clauses = isinstance(node, source.Mapping) and ("do" in node.entries or "ask" in node.entries)
        if optional and not clauses:
            self.report.error(
                node.place,
                "ask-missing",
                "A hook with 'may' says with 'ask' what its owner is asked, and with 'do' what happens.",
            )
        owner = node if isinstance(node, source.Mapping) and clauses else None
        body = _need_node(owner, "do") if owner else node
        tree = condition if isinstance(condition, Tree) else None
        return Hook(
            " ".join(str(when).split()), found, key.place, tree, key, bool(optional), _scalar(owner, "ask"), body
        ) if found else None  # fmt: skip

    def scores(self) -> None:
        for key, node in _items(self.tree.get("scoring")):
            assert isinstance(node, source.Mapping)
            title = _text(node, "title") or key.text.capitalize()
            self.edition.scoring.append(ScoreDeclaration(key.text, title, _need(node, "points"), _scalar(node, "text")))
        ranking = self.tree.get("ranking")
        if isinstance(ranking, source.Mapping):
            self.edition.ranking, self.edition.ranking_text = _scalar(ranking, "by"), _scalar(ranking, "text")
        elif isinstance(ranking, Scalar):
            self.edition.ranking = ranking

    def seats(self) -> None:
        edition = self.edition
        key = self.tree.keys.get("seats") or self.tree.keys["players"]
        if not 1 <= edition.seats[0] <= edition.seats[1] <= MOST_SEATS:
            self.report.error(key.place, "seats", f"A game has 1 to {MOST_SEATS} seats.")
            edition.seats = (1, 2)


_FIGURE_KEYS = ("by", "is", "for", "text", "noun")


def _items(node: Node | None) -> Iterable[tuple[Scalar, Node]]:
    return node.items() if isinstance(node, source.Mapping) else ()


def _items_by_name(node: Node | None) -> Iterable[tuple[str, Node]]:
    return node.entries.items() if isinstance(node, source.Mapping) else ()


def _scalar(node: Node | None, key: str) -> Scalar | None:
    found = node.get(key) if isinstance(node, source.Mapping) else None
    return found if isinstance(found, Scalar) and not found.absent else None


def _text(node: Node | None, key: str) -> str:
    found = _scalar(node, key)
    return found.text.strip() if found else ""


def _plain(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _need(node: source.Mapping, key: str) -> Scalar:
    return _scalar(node, key) or Scalar("", node.place, True)


def _need_node(node: source.Mapping, key: str) -> Node:
    return node.get(key) or Sequence([], node.place)


def _signed(token: object) -> int:
    tree = token
    text = str(tree.children[0]) if isinstance(tree, Tree) else str(token)
    negative = isinstance(tree, Tree) and tree.data == "minus"
    return -int(text) if negative else int(text)
