"""Components: pieces and zones, figures and counters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from rulewright.base.diagnostics import SourcePlace, nearest
from rulewright.base.rule_keys import RuleKey
from rulewright.model import naming
from rulewright.model.declarations import (
    FRACTION,
    NUMBER,
    NUMBERS,
    SEAT,
    CounterDeclaration,
    Figure,
    Kind,
    Noun,
    Zone,
    canonical,
)
from rulewright.model.error_recovery import names_in
from rulewright.model.reader.boards import first_of_each
from rulewright.model.reader.section import items, needed, scalar, text_of
from rulewright.model.reader.words import WordReader
from rulewright.program.form import NOTHING, parts_of
from rulewright.syntax import source
from rulewright.syntax.nouns import an, plural
from rulewright.syntax.source import Node, Scalar, SequenceNode

MOST_PIECES = 1000
MOST_ROWS = 10_000

_TOO_FINE = "A number has at most seven digits before its point, and two behind it."
_FIGURE_KEYS = ("by", "is", "for", "text", "noun", "otherwise")


class ComponentReader(WordReader):
    """Reads what there is."""

    def kinds(self) -> None:
        total = 0
        for key, node in items(self.tree.get("pieces")):
            assert isinstance(node, source.MappingNode)
            errors = len(self.report.errors)
            attributes, ranges = self.attributes(node)
            changing = self.changing(node, ranges)
            each, power_in = scalar(node, "each"), scalar(node, "power in")
            if len(self.report.errors) > errors or (each is not None and each.text in self.edition.lost):
                self.forget_kind(key, node)
                continue
            rows = tuple(self.rows(node, attributes, ranges, changing))
            total += sum(count for _, count in rows)
            self.edition.kinds[key.text] = Kind(
                name=key.text,
                place=key.place,
                noun=self.noun(node, key.text),
                attributes=attributes,
                rows=rows,
                starts_in=self.known(needed(node, "starts in"), self.zone_names(), "zone"),
                power_in=self.known(needed(node, "power in"), self.zone_names(), "zone")
                if node.get("power in")
                else "",
                power_word=next(iter(attributes)) if each and attributes else "",
                changing=changing,
                faces=ranges.get(changing, range(0)),
                text=scalar(node, "text"),
                says=self.says(RuleKey.of("pieces", key.text), node, key.text.capitalize(), key.place),
            )
            self.refuse_two_sayings(self.edition.kinds[key.text])
            if power_in and not each:
                message = "A kind with powers says with 'each' which word list its powers are named after."
                self.report.error(key.place, "power-without-words", message)
                self.forget_kind(key, node)
        for name, place in self.edition.lost.kinds.items():
            self.edition.kinds.setdefault(name, _unknown(name, place))
        for kind in self.edition.kinds.values():
            for other in self.edition.kinds.values():
                if kind.changing in other.attributes and kind.changing != other.changing:
                    message = f"'{kind.changing}' changes for {an(kind.name)}, so it must for {an(other.name)}."
                    self.report.error(other.place, "changing", message, "Give one of the two another name.")
        if total > MOST_PIECES:
            place = self.tree.keys["pieces"].place
            self.report.error(
                place, "too-many-pieces", f"An edition has at most {MOST_PIECES} pieces, this has {total}."
            )
            self.edition.kinds = {name: replace(kind, rows=()) for name, kind in self.edition.kinds.items()}

    def refuse_two_sayings(self, kind: Kind) -> None:
        """A piece says one thing: what its kind says, or what its word in one of the lists does."""
        lists = [self.edition.words[words] for words in kind.attributes.values() if words in self.edition.words]
        said = [f"its '{words.name}'" for words in lists if any(word.says for word in words.words)]
        said = [*(["its kind"] if kind.says else []), *said]
        if len(said) > 1:
            message = (
                f"{an(kind.name).capitalize()} would say two things: what {said[0]} says, and what {said[1]} says."
            )
            self.report.error(kind.place, "says-twice", message, "Let one of the two say nothing, or be a step.")

    def forget(self, key: Scalar) -> None:
        """Go on without what stands under a key."""
        self.edition.lost.add(key.text)

    def forget_kind(self, key: Scalar, node: Node) -> None:
        """Go on with a kind of which nothing is known but its name."""
        self.edition.lost.add(key.text, *names_in(node))
        self.edition.lost.kinds[key.text] = key.place
        self.edition.kinds.pop(key.text, None)

    def changing(self, node: source.MappingNode, ranges: dict[str, range]) -> str:
        """The attribute that changes, one of those that a piece `has`."""
        named = scalar(node, "changing")
        if named is None:
            return ""
        each = scalar(node, "each")
        return self.known(named, [name for name in ranges if each is None or name != each.text], "attribute")

    def zone_names(self) -> list[str]:
        return [key.text for key, _ in items(self.tree.get("zones"))]

    def attributes(self, node: source.MappingNode) -> tuple[dict[str, str], dict[str, range]]:
        attributes: dict[str, str] = {}
        ranges: dict[str, range] = {}
        named = [(word_list.text, word_list) for word_list in [scalar(node, "each")] if word_list is not None]
        named += [(key.text, value) for key, value in items(node.get("has")) if isinstance(value, Scalar)]
        for place, (attribute, value) in enumerate(named):
            if canonical(attribute) in [canonical(other) for other, _ in named[:place]]:
                message = f"There is an attribute '{attribute}' here already."
                self.report.error(value.place, "name-twice", message, "What 'each' names is an attribute as well.")
                continue
            if re.match(r"\s*-?\d", value.text):
                low, high = self.span(value)
                high = min(high, low + MOST_PIECES)
                attributes[attribute], ranges[attribute] = NUMBER, range(low, high + 1)
            elif found := self.known(value, self.edition.words, "word list"):
                attributes[attribute] = found
                ranges[attribute] = range(len(self.edition.words[found].words))
        return attributes, ranges

    def rows(
        self, node: source.MappingNode, attributes: dict[str, str], ranges: dict[str, range], changing: str
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
        while isinstance(node, (source.MappingNode, SequenceNode)):
            by_word = isinstance(node, source.MappingNode)
            fitting = [a for a in left if (attributes[a] != NUMBER) == by_word]
            attribute = self.told_by(node, {a: attributes[a] for a in fitting})
            if attribute is None:
                what = "word" if by_word else "number"
                self.report.error(
                    node.place, "copies", f"These copies go by a {what}, but the piece has no such attribute."
                )
                return 0
            value = left.pop(attribute)
            if isinstance(node, source.MappingNode):
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
        return int(node.text)

    def told_by(self, node: source.MappingNode | SequenceNode, fitting: dict[str, str]) -> str | None:
        """The attribute by whose words or numbers copies are told; of several the one that knows most of the words."""
        if isinstance(node, SequenceNode):
            return next(iter(fitting), None)
        keys = node.keys.keys()
        lists = self.edition.words
        return max(fitting, key=lambda a: len(keys & {word.name for word in lists[fitting[a]].words}), default=None)

    def zones(self) -> None:
        kinds = self.edition.kinds
        for key, node in items(self.tree.get("zones")):
            assert isinstance(node, source.MappingNode)
            refills, of = scalar(node, "refills from"), self.zone_of(node)
            if of is None:
                self.forget(key)
                continue
            holds = self.kind_names(node.get("holds")) or frozenset(kinds)
            self.edition.zones[key.text] = Zone(
                name=key.text,
                place=key.place,
                of=of,
                holds=holds,
                seen_by=text_of(node, "seen by"),
                at_most=scalar(node, "at most"),
                counting=self.kind_names(node.get("counting")) or holds,
                pile=self.flag(node, "pile", False),
                refills_from=self.known(refills, self.zone_names(), "zone") if refills else "",
                noun=self.noun(node, key.text),
                shown=self.flag(node, "shown", True),
                text=scalar(node, "text"),
            )
        zones = self.edition.zones
        for name, zone in zones.items():
            if zone.refills_from not in zones:
                zones[name] = replace(zone, refills_from="")
        for zone in zones.values():
            self.refilling(zone)
            if zone.seen_by == "owner" and zone.of != SEAT:
                message = f"'{zone.name}' belongs to no seat, so nobody is its owner: all or nobody sees it."
                self.report.error(zone.place, "zone-owner", message)
        for name, kind in kinds.items():
            if kind.power_in not in zones:
                kinds[name] = replace(kind, power_in="")
        for kind in kinds.values():
            for name, what in ((kind.starts_in, "start"), (kind.power_in, "give a power")):
                found = self.edition.zones.get(name)
                if found is None:
                    continue
                if kind.name not in found.holds:
                    self.report.error(kind.place, "zone-does-not-hold", f"'{name}' does not hold {an(kind.name)}.")
                elif found.of != (SEAT if what != "start" else ""):
                    belongs = "a zone of each seat" if what != "start" else "a zone of the table"
                    self.report.error(
                        kind.place,
                        "zone-owner",
                        f"{an(kind.name).capitalize()} can only {what} in {belongs}.",
                    )

    def zone_of(self, node: source.MappingNode) -> str | None:
        """Whose a zone is: SEAT, a word list, or '' for the table's; None if there is no such list."""
        owner = scalar(node, "of")
        return self.whose(owner) if owner else ""

    def refilling(self, zone: Zone) -> None:
        source_zone = self.edition.zones.get(zone.refills_from)
        if source_zone is None:
            return
        if not source_zone.holds <= zone.holds:
            message = f"'{source_zone.name}' holds what '{zone.name}' does not, so it cannot refill it."
            self.report.error(zone.place, "zone-does-not-hold", message)
        if source_zone.of and source_zone.of != zone.of:
            message = f"'{source_zone.name}' is a zone of each {source_zone.of}, so it cannot refill '{zone.name}'."
            self.report.error(zone.place, "zone-owner", message)

    def names(self) -> None:
        """Names that would mean two things, and those that no sentence could hold."""
        edition = self.edition
        seen: dict[str, tuple[str, Scalar]] = {}
        sections = ("words", "pieces", "zones")
        named = [(section, key) for section in sections for key, _ in items(self.tree.get(section))]
        boards = [node for _, node in items(self.tree.get("boards")) if isinstance(node, source.MappingNode)]
        named += [("boards", needed(node, "of")) for node in boards]
        lists = {key.text for key, _ in items(self.tree.get("words"))}
        ways = first_of_each(self.tree.get("boards"), "directions")
        named += [("boards", each) for each in ways if each.text not in lists]  # else these are its words
        slants = [Scalar(board.slants, board.place) for board in edition.boards.values() if board.slants]
        named += [("boards", slant) for slant in slants[:1]]
        of_kinds: set[tuple[str, str]] = set()
        for section in ("values", "terms", "counters"):
            for of, key, _ in self.scoped(section):
                if (section, key.text) not in of_kinds or not edition.is_of_pieces(of):
                    named.append((section, key))
                if edition.is_of_pieces(of):
                    of_kinds.add((section, key.text))
        named += [("options", key) for key, _ in naming.sayable_options(self.tree)]
        known = {key.text for _, key in named}
        for section, key in named:
            other, first = seen.setdefault(canonical(key.text), (section, key))
            if first is not key:
                called = "" if key.text == first.text else f" as '{first.text}'"
                message = f"'{key.text}' is declared already, in '{other}'{called}."
                hint = f"Singular and plural are one name. {naming.another(key.text, known)}".strip()
                self.report.error(key.place, "name-twice", message, hint)
                self.edition.lost.ambiguous.add(canonical(key.text))
        self.refuse_names()

    def refuse_names(self) -> None:
        """Names that a sentence could not hold, or would take for something else."""
        edition = self.edition
        rules = naming.rules(edition)
        refused: set[str] = set()
        for given in naming.given(self.tree):
            refusal = rules.refusal(given.sort, given.name)
            if refusal is None or (given.name in refused and given.sort == "parameter"):
                continue
            refused.add(given.name)
            if not refusal.taken:
                self.report.error(given.key.place, "name-keyword", refusal.message, refusal.hint)
                edition.lost.unreadable.add(given.name)
                continue
            self.report.error(given.key.place, "name-taken", refusal.message, refusal.hint)
            edition.lost.ambiguous.add(canonical(given.name))
            edition.lost.meaning = edition.lost.meaning or given.sort in naming.TYPED

    def figures(self) -> None:
        for section, is_value in (("values", True), ("terms", False)):
            for of, key, node in self.scoped(section):
                body: Node | None = node
                parameters: tuple[tuple[str, Scalar], ...] = ()
                cases: tuple[tuple[Scalar, Scalar], ...] = ()
                if isinstance(node, source.MappingNode):
                    body = node.get("is") or node.get("by")
                    parameters = self.parameters(node)
                    if node.get("by"):
                        told = [(k, v) for k, v in items(node) if k.text not in _FIGURE_KEYS and isinstance(v, Scalar)]
                        cases = tuple((key, text) for keys, text in told for key in _keys(keys))
                if isinstance(body, Scalar):
                    other = scalar(node, "otherwise") if cases else None
                    noun = text_of(node, "noun") if isinstance(node, source.MappingNode) else ""
                    figure = Figure(key.text, key.place, of, is_value, parameters, body, cases, other, noun)
                    first = self.edition.figures.get(key.text)
                    if first is not None and self.edition.is_of_pieces(first.of) and self.edition.is_of_pieces(of):
                        figure = self.with_others(first, figure)
                    self.edition.figures[key.text] = figure

    def with_others(self, first: Figure, figure: Figure) -> Figure:
        """A figure of pieces with that which those of another kind have under its name."""
        if len(first.parameters) != len(figure.parameters):
            message = f"'{figure.name}' is told for other things of {an(figure.of)} than of {an(first.of)}."
            self.report.error(figure.place, "type", message, "Give one of the two another name.")
            return first
        return replace(first, others=(*first.others, figure))

    def sides(self) -> None:
        """The word that each seat plays. It is kept as a counter of the seats, named like its list."""
        told = scalar(self.tree, "sides")
        if told is None:
            return
        words = self.known(told, self.edition.words, "word list")
        if not words:
            self.edition.lost.meaning = True
            return
        self.edition.sides = words
        noun = Noun(words, plural(words), words)
        counter = CounterDeclaration(words, told.place, SEAT, words, 0, noun, side=True)
        self.edition.counters[words] = counter

    def counters(self) -> None:
        for of, key, node in self.scoped("counters"):
            owner = node if isinstance(node, source.MappingNode) else None
            told_for = scalar(owner, "for") if owner else None
            by = self.known(told_for, self.edition.words, "word list") if told_for else ""
            if told_for and not by:
                self.forget(key)
                continue
            start = owner.get("starts at") or Scalar("0", key.place) if owner else node
            starts: tuple[int, ...] = ()
            listed = scalar(owner, "list of")
            if by:
                held, starts = self.first_of_each_word(by, start)
            elif listed is not None:
                held = self.in_list(listed)
            else:
                held = self.first_held(start)
            if held is None:
                self.forget(key)
                continue
            holds, first = held
            shown = owner is None or self.flag(owner, "shown", True)
            noun = self.noun(owner, key.text)
            text = scalar(owner, "text") if owner else None
            most = int(text_of(owner, "at most") or "0") if listed is not None else 0
            counter = CounterDeclaration(
                key.text, key.place, of, holds, first, noun, shown, text, by=by, starts=starts, most=most
            )
            if most and self.edition.is_of_pieces(of):
                message = "Pieces keep no lists; seats, words and the game do."
                self.report.error(key.place, "type", message, "Keep it for each word that the pieces have.")
                self.forget(key)
                continue
            if self.edition.is_of_pieces(of):
                if by:
                    message = "A counter of pieces holds one thing for each of them, not one for each word."
                    self.report.error(key.place, "type", message, "Leave out 'for'.")
                    counter = replace(counter, by="", starts=())
                counter = self.mark(counter)
            self.edition.counters[key.text] = counter

    def mark(self, counter: CounterDeclaration) -> CounterDeclaration:
        """A counter that the pieces of a kind have; one with those of other kinds that have one of its name."""
        kind = self.edition.kinds[counter.of]
        if canonical(counter.name) in map(canonical, kind.attributes):
            message = f"{an(kind.name).capitalize()} has an attribute '{counter.name}' already."
            self.report.error(counter.place, "name-twice", message, "Give one of the two another name.")
        earlier = self.edition.counters.get(counter.name)
        if earlier is None or not earlier.marks:
            return replace(counter, marks={counter.of: counter.start})
        if earlier.holds != counter.holds:
            message = f"'{counter.name}' does not hold the same for {an(counter.of)} as for {an(earlier.of)}."
            self.report.error(counter.place, "type", message, "Give one of the two another name.")
        return replace(earlier, marks={**earlier.marks, counter.of: counter.start})

    def in_list(self, listed: Scalar) -> tuple[str, int] | None:
        """What a list holds, as a counter does that begins with nothing."""
        found = listed.text
        if canonical(found) in (NUMBER, SEAT):
            return canonical(found), NOTHING
        words = self.known(listed, [NUMBER, SEAT, *self.edition.words], "number, seat or word list")
        return (words, NOTHING) if words else None

    def first_of_each_word(self, words: str, start: Node) -> tuple[tuple[str, int] | None, tuple[int, ...]]:
        """What a counter holds that is told for the words of a list, and what it begins with for each: the same for
        all, or what is written; those that are left out hold 0, no or nothing."""
        names = [word.name for word in self.edition.words[words].words]
        if isinstance(start, Scalar):
            held = self.first_held(start)
            return held, () if held is None else (held[1],) * len(names)
        found: dict[str, int] = {}
        holds = ""
        for key, said in items(start):
            held, word = self.first_held(said), self.known(key, names, f"word of {words}")
            if not word or held is None:
                return None, ()
            if holds and held[0] != holds:
                self.report.error(said.place, "type", "A counter holds the same sort of thing for all words.")
                return None, ()
            holds, found[word] = held
        holds = holds or NUMBER
        nothing = 0 if holds in (*NUMBERS, "truth") else NOTHING
        return (holds, nothing), tuple(found.get(name, nothing) for name in names)

    def first_held(self, start: Node) -> tuple[str, int] | None:
        """What a counter holds, and what it begins with: `5`, `no`, `red`; or nothing yet: `colour`, `seat`. None if it
        is none of these."""
        if not isinstance(start, Scalar):
            message = "A counter that starts at something for each word says 'for' which list of words."
            self.report.error(start.place, "type", message)
            return None
        lists, text = self.edition.words, start.text
        if re.fullmatch(r"-?\d{1,9}", text):
            return NUMBER, int(text)
        if re.fullmatch(r"-?\d{1,7}\.\d{1,2}", text):
            return FRACTION, parts_of(text)
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
        if text in self.edition.lost:
            return None
        if found:
            several = {home: [word.name for word in lists[home].words] for home, _ in found}
            naming.report_ambiguous(self.report, start.place, text, several)
            return None
        message = f"A counter starts at a number, at yes or no, or at a word; not at '{text}'."
        hint = nearest(text, [*lists, *(word.name for words in lists.values() for word in words.words)])
        usual = "What holds nothing yet says what it will hold: 'seat', or the name of a word list."
        self.report.error(
            start.place, "type", message, hint or (_TOO_FINE if re.fullmatch(r"-?\d+\.\d+", text) else usual)
        )
        return None


def _unknown(name: str, place: SourcePlace) -> Kind:
    """A kind that stands for one of which nothing is known."""
    return Kind(name, place, Noun(name, name), {}, (), "", "", "")


def _keys(keys: Scalar) -> list[Scalar]:
    """The keys of one case, between commas; a comma in parentheses is part of a key."""
    ends, depth = [], 0
    for at, sign in enumerate(keys.text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            ends.append(at)
    if not ends:
        return [keys]
    spans = zip([0, *(end + 1 for end in ends)], [*ends, len(keys.text)], strict=True)
    return [source.part(keys, begin, keys.text[begin:end]) for begin, end in spans]
