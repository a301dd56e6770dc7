"""Read components: pieces, zones and figures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from rulewright.base.diagnostics import RelatedPlace, SourcePlace
from rulewright.base.rule_keys import RuleKey
from rulewright.model import messages, naming
from rulewright.model.declarations import (
    NUMBER,
    SEAT,
    Figure,
    Kind,
    Noun,
    Zone,
    canonical,
)
from rulewright.model.error_recovery import names_declared
from rulewright.model.reader.boards import first_of_each
from rulewright.model.reader.counters import CounterReader
from rulewright.model.reader.section import required_text, scalar, text_of
from rulewright.syntax import source
from rulewright.syntax.nouns import article
from rulewright.syntax.source import Node, Scalar, SequenceNode, entries_of

MAX_PIECES = 1000
"""Maximum number of pieces of an edition."""
MAX_ROWS = 10_000
"""Maximum number of combinations of the attributes of a kind of piece."""

_FIGURE_KEYS = ("by", "is", "for", "text", "noun", "otherwise")
"""Keys of a value or term that are not the cases of its `by`."""


class ComponentReader(CounterReader):
    """Reader of the sections of pieces, zones and figures."""

    def read_kinds(self) -> None:
        """Read the kinds of pieces; those with errors stay as unknown ones, and too many pieces as none."""
        total = 0
        for key, node in entries_of(self.tree.get("pieces")):
            assert isinstance(node, source.MappingNode)
            errors = len(self.report.errors)
            attributes, ranges = self.read_attributes(node)
            changing = self.changing(node, ranges)
            each, power_in = scalar(node, "each"), scalar(node, "power in")
            if len(self.report.errors) > errors or (each is not None and each.text in self.edition.lost):
                self.drop_kind(key, node)
                continue
            rows = tuple(self.rows(node, attributes, ranges, changing))
            total += sum(count for _, count in rows)
            self.edition.kinds[key.text] = Kind(
                name=key.text,
                place=key.place,
                noun=self.noun(node, key.text),
                attributes=attributes,
                rows=rows,
                starts_in=self.resolve(required_text(node, "starts in"), self.zone_names(), messages.ZONE()),
                power_in=self.resolve(required_text(node, "power in"), self.zone_names(), messages.ZONE())
                if node.get("power in")
                else "",
                power_word=next(iter(attributes)) if each and attributes else "",
                changing=changing,
                faces=ranges.get(changing, range(0)),
                text=scalar(node, "text"),
                says=self.say_step(RuleKey.of("pieces", key.text), node, key.text.capitalize(), key.place),
            )
            self.refuse_two_sayings(self.edition.kinds[key.text])
            if power_in and not each:
                self.report.error(key.place, messages.NO_WORDS_OF_POWERS())
                self.drop_kind(key, node)
        for name, place in self.edition.lost.kinds.items():
            self.edition.kinds.setdefault(name, _unknown(name, place))
        for kind in self.edition.kinds.values():
            for other in self.edition.kinds.values():
                if kind.changing in other.attributes and kind.changing != other.changing:
                    problem = messages.CHANGES_FOR_ONE(
                        name=kind.changing, kind=article(kind.name), other=article(other.name)
                    )
                    related = RelatedPlace(kind.place, messages.DECLARED_HERE(name=kind.name))
                    self.report.error(other.place, problem, messages.RENAME_ONE(), related=(related,))
        if total > MAX_PIECES:
            place = self.tree.keys["pieces"].place
            self.report.error(place, messages.TOO_MANY_PIECES(most=MAX_PIECES, count=total))
            self.edition.kinds = {name: replace(kind, rows=()) for name, kind in self.edition.kinds.items()}

    def refuse_two_sayings(self, kind: Kind) -> None:
        """Report a kind whose pieces would say two things: their kind's instructions and those of a word."""
        lists = [self.edition.words[words] for words in kind.attributes.values() if words in self.edition.words]
        both = [messages.ITS_WORD(list=words.name) for words in lists if any(word.says for word in words.words)]
        both = [*([messages.ITS_KIND()] if kind.says else []), *both]
        if len(both) > 1:
            problem = messages.SAYS_TWO_THINGS(kind=article(kind.name), one=both[0], other=both[1])
            self.report.error(kind.place, problem, messages.LET_ONE_SAY_NOTHING())

    def drop_kind(self, key: Scalar, node: Node) -> None:
        """Drop a kind of piece with an error; its name stays known."""
        self.edition.lost.add(key.text, *names_declared(node))
        self.edition.lost.kinds[key.text] = key.place
        self.edition.kinds.pop(key.text, None)

    def changing(self, node: source.MappingNode, ranges: dict[str, range]) -> str:
        """Return the attribute that `changing` names, if the kind has it; else ''."""
        attribute = scalar(node, "changing")
        if attribute is None:
            return ""
        each = scalar(node, "each")
        return self.resolve(
            attribute, [name for name in ranges if each is None or name != each.text], messages.ATTRIBUTE()
        )

    def zone_names(self) -> list[str]:
        """Return the names of all zones in the file, in its order; no zone needs to be read before."""
        return [key.text for key, _ in entries_of(self.tree.get("zones"))]

    def read_attributes(self, node: source.MappingNode) -> tuple[dict[str, str], dict[str, range]]:
        """Return the type of each attribute of a kind, NUMBER or a word list, and its values, of a list the indices of
        its words. Wrong ones are reported and dropped."""
        attributes: dict[str, str] = {}
        ranges: dict[str, range] = {}
        declared = [(word_list.text, word_list) for word_list in [scalar(node, "each")] if word_list is not None]
        declared += [(key.text, value) for key, value in entries_of(node.get("has")) if isinstance(value, Scalar)]
        for place, (attribute, value) in enumerate(declared):
            if canonical(attribute) in [canonical(other) for other, _ in declared[:place]]:
                problem = messages.ATTRIBUTE_TWICE(name=attribute)
                self.report.error(value.place, problem, messages.EACH_IS_ATTRIBUTE())
                continue
            if re.match(r"\s*-?\d", value.text):
                low, high = self.read_span(value)
                high = min(high, low + MAX_PIECES)
                attributes[attribute], ranges[attribute] = NUMBER, range(low, high + 1)
            elif list_name := self.resolve(value, self.edition.words, messages.WORD_LIST()):
                attributes[attribute] = list_name
                ranges[attribute] = range(len(self.edition.words[list_name].words))
        return attributes, ranges

    def rows(
        self, node: source.MappingNode, attributes: dict[str, str], ranges: dict[str, range], changing: str
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the values of a kind's attributes (of the changing one the first), with the number of such pieces."""
        copies = node.get("copies")
        if math.prod(map(len, ranges.values())) > MAX_ROWS:
            problem = messages.TOO_MANY_SORTS(most=f"{MAX_ROWS:,}")
            self.report.error(node.place, problem, messages.SHORTEN_RANGES())
            return
        for values in product(*(span[:1] if name == changing else span for name, span in ranges.items())):
            lasting = {name: value for name, value in zip(attributes, values, strict=True) if name != changing}
            count = self.copies(copies, lasting, attributes, ranges)
            if count:
                yield values, count

    def copies(
        self, node: Node | None, values: dict[str, int], attributes: dict[str, str], ranges: dict[str, range]
    ) -> int:
        """Return the copies of a row: `copies` is a number, a list by number, or a mapping by word, nested; 1 without
        it, 0 for a word that it leaves out, and for what is wrong, which is reported."""
        left = dict(values)
        while isinstance(node, (source.MappingNode, SequenceNode)):
            by_word = isinstance(node, source.MappingNode)
            fitting = [a for a in left if (attributes[a] != NUMBER) == by_word]
            attribute = self.attribute_of_keys(node, {a: attributes[a] for a in fitting})
            if attribute is None:
                problem = messages.NO_WORDS_FOR_COPIES() if by_word else messages.NO_NUMBERS_FOR_COPIES()
                self.report.error(node.place, problem)
                return 0
            value = left.pop(attribute)
            if isinstance(node, source.MappingNode):
                words = [word.name for word in self.edition.words[attributes[attribute]].words]
                for key in node.keys.values():
                    self.resolve(key, words, messages.WORD_OF(list=attributes[attribute]))
                node = node.get(words[value])
            else:
                if len(node.items) != len(ranges[attribute]):
                    problem = messages.WRONG_NUMBER_OF_COUNTS(
                        count=len(node.items), expected=len(ranges[attribute]), attribute=attribute
                    )
                    self.report.error(node.place, problem)
                    return 0
                node = node.items[value - ranges[attribute][0]]
        if node is None:
            return 1 if len(left) == len(values) else 0
        return int(node.text)

    def attribute_of_keys(self, node: source.MappingNode | SequenceNode, fitting: dict[str, str]) -> str | None:
        """Return the attribute whose words or numbers are the keys of copies; of several the best match, None of none.
        fitting: type by attribute."""
        if isinstance(node, SequenceNode):
            return next(iter(fitting), None)
        keys = node.keys.keys()
        lists = self.edition.words
        return max(fitting, key=lambda a: len(keys & {word.name for word in lists[fitting[a]].words}), default=None)

    def read_zones(self) -> None:
        """Read the zones, and check what refills them, who sees them, and which pieces start or give powers there."""
        kinds = self.edition.kinds
        for key, node in entries_of(self.tree.get("zones")):
            assert isinstance(node, source.MappingNode)
            refills, of = scalar(node, "refills from"), self.zone_of(node)
            if of is None:
                self.drop_name(key)
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
                refills_from=self.resolve(refills, self.zone_names(), messages.ZONE()) if refills else "",
                noun=self.noun(node, key.text),
                shown=self.flag(node, "shown", True),
                text=scalar(node, "text"),
            )
        zones = self.edition.zones
        for name, zone in zones.items():
            if zone.refills_from not in zones:
                zones[name] = replace(zone, refills_from="")
        for zone in zones.values():
            self.check_refilling(zone)
            if zone.seen_by == "owner" and zone.of != SEAT:
                self.report.error(zone.place, messages.NO_OWNER_SEES(zone=zone.name))
        for name, kind in kinds.items():
            if kind.power_in not in zones:
                kinds[name] = replace(kind, power_in="")
        for kind in kinds.values():
            for name, owner, elsewhere in (
                (kind.starts_in, "", messages.STARTS_ON_TABLE),
                (kind.power_in, SEAT, messages.POWER_OF_SEAT),
            ):
                target = self.edition.zones.get(name)
                if target is None:
                    continue
                if kind.name not in target.holds:
                    self.report.error(kind.place, messages.DOES_NOT_HOLD(zone=name, kind=article(kind.name)))
                elif target.of != owner:
                    self.report.error(kind.place, elsewhere(kind=article(kind.name)))

    def zone_of(self, node: source.MappingNode) -> str | None:
        """Return the owner of a zone: SEAT, a word list, or '' for the table; None, reported, if unknown."""
        owner = scalar(node, "of")
        return self.owner_type(owner) if owner else ""

    def check_refilling(self, zone: Zone) -> None:
        """Report a refill of a zone from one with other pieces or other owners."""
        source_zone = self.edition.zones.get(zone.refills_from)
        if source_zone is None:
            return
        if not source_zone.holds <= zone.holds:
            self.report.error(zone.place, messages.REFILL_HOLDS_MORE(other=source_zone.name, zone=zone.name))
        if source_zone.of and source_zone.of != zone.of:
            problem = messages.REFILL_OF_OTHERS(other=source_zone.name, owner=source_zone.of, zone=zone.name)
            self.report.error(zone.place, problem)

    def check_names(self) -> None:
        """Report names with two meanings, and names that no sentence could hold."""
        edition = self.edition
        first_by_name: dict[str, tuple[str, Scalar]] = {}
        sections = ("words", "pieces", "zones")
        declared = [(section, key) for section in sections for key, _ in entries_of(self.tree.get(section))]
        boards = [node for _, node in entries_of(self.tree.get("boards")) if isinstance(node, source.MappingNode)]
        declared += [("boards", required_text(node, "of")) for node in boards]
        lists = {key.text for key, _ in entries_of(self.tree.get("words"))}
        directions = first_of_each(self.tree.get("boards"), "directions")
        declared += [("boards", each) for each in directions if each.text not in lists]  # else these are its words
        slants = [Scalar(board.slants, board.place) for board in edition.boards.values() if board.slants]
        declared += [("boards", slant) for slant in slants[:1]]
        of_kinds: set[tuple[str, str]] = set()
        for section in ("values", "terms", "counters"):
            for of, key, _ in self.scoped(section):
                if (section, key.text) not in of_kinds or not edition.is_of_pieces(of):
                    declared.append((section, key))
                if edition.is_of_pieces(of):
                    of_kinds.add((section, key.text))
        declared += [("options", key) for key, _ in naming.nameable_options(self.tree)]
        known = {key.text for _, key in declared}
        for section, key in declared:
            other, first = first_by_name.setdefault(canonical(key.text), (section, key))
            if first is not key:
                problem = messages.DECLARED_TWICE(name=key.text, section=other)
                if key.text != first.text:
                    problem = messages.DECLARED_TWICE_AS(name=key.text, section=other, other=first.text)
                hints = messages.SINGULAR_AND_PLURAL(), *naming.hints_at_other_name(key.text, known)
                related = RelatedPlace(first.place, messages.DECLARED_HERE(name=first.text))
                self.report.error(key.place, problem, *hints, related=(related,))
                self.edition.lost.ambiguous.add(canonical(key.text))
        self.refuse_names()

    def refuse_names(self) -> None:
        """Report names that a sentence could not hold or would misread."""
        edition = self.edition
        rules = naming.name_rules(edition)
        refused: set[str] = set()
        for entry in naming.given_names(self.tree):
            refusal = rules.refusal(entry.sort, entry.name)
            if refusal is None or (entry.name in refused and entry.sort == "parameter"):
                continue
            refused.add(entry.name)
            self.report.error(entry.key.place, refusal.problem, *refusal.hints)
            if not refusal.is_taken:
                edition.lost.unreadable.add(entry.name)
                continue
            edition.lost.ambiguous.add(canonical(entry.name))
            edition.lost.meaning = edition.lost.meaning or entry.sort in naming.TYPED

    def read_figures(self) -> None:
        """Read values and terms."""
        for section, is_value in (("values", True), ("terms", False)):
            for of, key, node in self.scoped(section):
                body: Node | None = node
                parameters: tuple[tuple[str, Scalar], ...] = ()
                cases: tuple[tuple[Scalar, Scalar], ...] = ()
                if isinstance(node, source.MappingNode):
                    body = node.get("is") or node.get("by")
                    parameters = self.read_parameters(node)
                    if node.get("by"):
                        texts = [
                            (k, v) for k, v in entries_of(node) if k.text not in _FIGURE_KEYS and isinstance(v, Scalar)
                        ]
                        cases = tuple((key, text) for keys, text in texts for key in _split_keys(keys))
                if isinstance(body, Scalar):
                    other = scalar(node, "otherwise") if cases else None
                    noun = text_of(node, "noun") if isinstance(node, source.MappingNode) else ""
                    figure = Figure(key.text, key.place, of, is_value, parameters, body, cases, other, noun)
                    first = self.edition.figures.get(key.text)
                    if first is not None and self.edition.is_of_pieces(first.of) and self.edition.is_of_pieces(of):
                        figure = self.with_others(first, figure)
                    self.edition.figures[key.text] = figure

    def with_others(self, first: Figure, figure: Figure) -> Figure:
        """Return a figure of pieces joined with the one of that name that other kinds have; if their parameters differ
        in number, which is reported, the latter alone."""
        if len(first.parameters) != len(figure.parameters):
            problem = messages.OTHER_PARAMETERS(name=figure.name, kind=article(figure.of), other=article(first.of))
            related = RelatedPlace(first.place, messages.DECLARED_HERE(name=first.name))
            self.report.error(figure.place, problem, messages.RENAME_ONE(), related=(related,))
            return first
        return replace(first, others=(*first.others, figure))


def _unknown(name: str, place: SourcePlace) -> Kind:
    """Return a placeholder for a dropped kind of piece."""
    return Kind(name, place, Noun(name, name), {}, (), "", "", "")


def _split_keys(keys: Scalar) -> list[Scalar]:
    """Split the keys of one case at commas outside of parentheses."""
    ends, depth = [], 0
    for offset, sign in enumerate(keys.text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            ends.append(offset)
    if not ends:
        return [keys]
    spans = zip([0, *(end + 1 for end in ends)], [*ends, len(keys.text)], strict=True)
    return [source.text_part(keys, begin, keys.text[begin:end]) for begin, end in spans]
