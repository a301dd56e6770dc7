"""Names in a case: seats of its table, and declarations of its edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.drawings import MAP_KEY, DrawnBoard, read
from rulewright.base.diagnostics import Report, did_you_mean
from rulewright.base.wording import SlotValue, Wording
from rulewright.game.library import Rules
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import appearances_by_name, type_with_marks
from rulewright.program.state_layout import NOTHING, Counter
from rulewright.program.value_types import Type, parse_hundredths
from rulewright.runtime.operations import MAX_NUMBER
from rulewright.runtime.position import TABLE, Spot
from rulewright.syntax.messages import KNOWN_HERE
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_MAX_LISTED = 12
"""Maximum number of valid names in a hint."""
_NUMBER = re.compile(r"-?[0-9]{1,10}")
"""Whole number in a case."""
_FRACTION = re.compile(r"-?[0-9]{1,7}(\.[0-9]{1,2})?")
"""Number in a case, with at most two digits behind the point."""


class CaseNames:
    """Names in one case, and readers of values that use them.

    seats: names of the seats; spaces: zones of the state by spot; zones: owner type of each zone, as `owner_type_of`
    returns it; counters: by name; maps: of boards, by word list of their spaces; pieces: names of all types; lines: of
    scoring; measures: functions by name; sites: ids of decisions.
    """

    def __init__(self, rules: Rules, seats: Sequence[str], report: Report) -> None:
        self.rules, self.edition, self.seats, self.report = rules, rules.edition, list(seats), report
        self.program = rules.machine(len(seats)).program
        self.spaces = {(space.name, space.owner): space for space in self.program.layout.zones}
        self.zones = {space.name: space.of for space in self.program.layout.zones}
        self.counters = {counter.name: counter for counter in self.program.layout.counters}
        self.maps = {board.spaces: board for board in self.program.maps}
        self.pieces = [type_.name for type_ in self.program.types]
        self.phases = [name for name, _ in self.program.phases]
        self.lines = [line.name for line in self.program.scoring]
        self.measures = {measure.name: measure.function for measure in self.program.measures}
        self.sites = [site.id for site in self.program.sites]

    # ── looking up ──

    def named_spots(self) -> dict[str, list[Spot]]:
        """Return the zones and counters by the names that lists may use: `display`, `hand` for those of all seats,
        `Nora's hand`."""
        result: dict[str, list[Spot]] = {}
        for spot in (*self.spaces, *((name, cell) for name in self.counters for cell in self.owner_indices(name))):
            result.setdefault(spot[0], []).append(spot)
            if self.owner_type_of(spot[0]) == SEAT:
                result[f"{self.seats[spot[1]]}'s {spot[0]}"] = [spot]
        return result

    def owner_indices(self, name: str) -> range:
        """Return the indices of a counter's owners; TABLE alone for one of the table."""
        counter = self.counters[name]
        return range(counter.owners) if counter.of else range(TABLE, TABLE + 1)

    def seat(self, name: Scalar) -> int | None:
        """Return the seat of a name; None, reported, for an unknown one."""
        owner_name = self.resolve(name, self.seats, messages.SEAT())
        return None if owner_name is None else self.seats.index(owner_name)

    def seat_of(self, key: Scalar) -> int | None:
        """Return the seat that a key names, or None if it is something else."""
        return self.seats.index(key.text) if key.text in self.seats else None

    def owner_type_of(self, name: str) -> str | None:
        """Return the owner type of a zone or counter: 'seat', a word list, '' for the table; None for an unknown
        name."""
        return self.counters[name].of if name in self.counters else self.zones.get(name)

    def is_here(self, name: str, owner: int) -> bool:
        """Return whether a zone or counter may stand below a seat's name or, for TABLE, beside the seats."""
        owner_type = self.owner_type_of(name)
        return owner_type is not None and (owner_type == SEAT) == (owner != TABLE)

    def title(self, spot: Spot) -> Wording:
        """Return a zone or counter with its owner's name: `heap`, `Ada’s pouch`."""
        owner_type = self.owner_type_of(spot[0])
        if not owner_type:
            return messages.PLAIN_NAME(name=spot[0])
        owner = (self.seats if owner_type == SEAT else self.program.words[owner_type])[spot[1]]
        return messages.OWNED(owner=owner, name=spot[0])

    def kinds_held_by(self, zone: str) -> frozenset[str]:
        """Return the kinds of piece that a zone may hold."""
        return self.edition.zones[zone].holds

    def resolve(self, name: Scalar, known: Iterable[str], kind: SlotValue) -> str | None:
        """Return the text of a name if it is known; else report an error, and return None. kind: for the message."""
        listed = list(known)
        if name.text in listed:
            return name.text
        self.report_unknown(name, messages.NO_SUCH(kind=kind, name=name.text), listed)
        return None

    def report_unknown(self, name: Scalar, problem: Wording, known: Iterable[str]) -> None:
        """Report an unknown name, with similar names, or all of them if they are few."""
        listed = list(dict.fromkeys(known))
        hints = did_you_mean(name.text, listed)
        if not hints and 0 < len(listed) <= _MAX_LISTED:
            hints = (KNOWN_HERE(names=tuple(listed)),)
        self.report.error(name.place, problem, *hints)

    def report_unknown_here(self, key: Scalar, owner: int, others: Iterable[str] = ()) -> None:
        """Report a key that names no zone or counter that `is_here`: one of other owners, or something unknown. others:
        names that may stand here besides, for the hint."""
        owner_type = self.owner_type_of(key.text)
        if owner_type is not None:
            kind = messages.ZONE() if key.text in self.zones else messages.COUNTER()
            problem = messages.BELOW_SEAT if owner_type == SEAT else messages.BESIDE_SEATS
            about_table = messages.OF_TABLE(name=key.text, kind=kind)
            self.report.error(
                key.place, problem(name=key.text, kind=kind, owner=owner_type) if owner_type else about_table
            )
        else:
            available = [name for name in (*sorted(self.zones), *self.counters) if self.is_here(name, owner)]
            seats = self.seats if owner == TABLE else []
            nothing = messages.NOTHING_OF_TABLE if owner == TABLE else messages.NOTHING_OF_SEAT
            self.report_unknown(key, nothing(name=key.text), [*available, *seats, *others])

    # ── reading values ──

    def spots(self, key: Scalar, node: Node, owner: int) -> list[tuple[Scalar, Spot, Node]]:
        """Return (key, spot, value) of each zone or counter in an entry: one of a seat or the table, or one for each
        word named; unknown words are reported and left out. owner: seat, or TABLE, of what belongs to no word."""
        owner_type = self.owner_type_of(key.text)
        if not owner_type or owner_type == SEAT:
            return [(key, (key.text, owner), node)]
        words = self.program.words[owner_type]
        if not isinstance(node, MappingNode):
            problem = messages.OF_EACH_WORD(name=key.text, owner=owner_type)
            self.report.error(key.place, problem, messages.SUCH_AS_ENTRY(name=key.text, word=words[0]))
        entries = self.entries(node)
        for word, _ in entries:
            if word.text not in words:
                known = [*words, *[MAP_KEY] * (owner_type in self.maps)]
                self.report_unknown(word, messages.NO_SUCH(kind=owner_type, name=word.text), known)
        return [(word, (key.text, words.index(word.text)), value) for word, value in entries if word.text in words]

    def word_entries(self, counter: Counter, key: Scalar, node: Node) -> list[tuple[Scalar, int, Node]]:
        """Return (key, index of the word, value) of a counter's entries: one for each word that is named if it has
        values by word; else a single one, with 0."""
        if not counter.by:
            return [(key, 0, node)]
        words = self.program.words[counter.by]
        if not isinstance(node, MappingNode):
            problem = messages.FOR_EACH_WORD(name=counter.name, owner=counter.by)
            self.report.error(node.place, problem, messages.SUCH_AS_ENTRY(name=counter.name, word=words[0]))
        result: list[tuple[Scalar, int, Node]] = []
        for word, value in self.entries(node):
            if self.resolve(word, words, counter.by) is not None:
                result.append((word, words.index(word.text), value))
        return result

    def drawing(self, key: Scalar, node: Node) -> DrawnBoard | None:
        """Return the drawing of a board's zone; None if the entry is something else."""
        board = self.maps.get(self.zones.get(key.text, ""))
        if board is None or not isinstance(node, MappingNode) or MAP_KEY not in node.entries:
            return None
        return read(key, node, board, self.report)

    def is_single_piece(self, node: Node, zone: str) -> bool:
        """Return whether a node is one piece without brackets, as a zone of a word may have."""
        of_word = self.zones[zone] not in ("", SEAT)
        return of_word and isinstance(node, Scalar) and bool(node.text) and not _NUMBER.fullmatch(node.text)

    def texts(self, node: Node) -> list[Scalar]:
        """Return the texts in a list; [] for anything else."""
        return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, SequenceNode) else []

    def pieces_of(self, node: Node, zone: str) -> list[str]:
        """Return the names of the pieces in a list, or of a single one; report and leave out unknown ones and those
        that the zone cannot hold."""
        parts: list[str] = []
        for item in [node] if isinstance(node, Scalar) else self.texts(node):
            look = appearances_by_name(self.program, [item.text]).get(item.text)
            if look is None:
                self.resolve(item, self.pieces, messages.PIECE())
                continue
            type_ = type_with_marks(self.program, look)
            if type_.kind not in self.kinds_held_by(zone):
                first, *others = sorted(self.kinds_held_by(zone))
                kinds: SlotValue = first
                for other in others:
                    kinds = messages.OR(one=kinds, other=other)
                problem = messages.ZONE_HOLDS_NO(zone=zone, kind=type_.kind)
                self.report.error(item.place, problem, messages.ZONE_HOLDS(kinds=kinds))
            else:
                parts.append(type_.name)
        return parts

    def number(self, node: Node) -> int | None:
        """Return a whole number; None, reported, for anything else."""
        text = node.text if isinstance(node, Scalar) else ""
        if _NUMBER.fullmatch(text) and abs(int(text)) <= MAX_NUMBER:
            return int(text)
        self.report.error(node.place, messages.EXPECTED_WHOLE_NUMBER())
        return None

    def fraction(self, node: Node) -> int | None:
        """Return a number with an optional fraction, in hundredths; None, reported, for anything else."""
        text = node.text if isinstance(node, Scalar) else ""
        if _FRACTION.fullmatch(text):
            return parse_hundredths(text)
        self.report.error(node.place, messages.EXPECTED_NUMBER())
        return None

    def parse_value(self, node: Node, type_: Type) -> int | tuple[int, ...] | None:
        """Read the value of a counter as its cell holds it: a number, yes or no, a seat, a word, nobody or nothing; all
        of a list. None, reported, if invalid."""
        if not type_.many:
            return self.parse_single_value(node, type_)
        items = node.items if isinstance(node, SequenceNode) else [node]
        values = [self.parse_single_value(item, replace(type_, many=False)) for item in items]
        return tuple(one for one in values if one is not None) if None not in values else None

    def parse_single_value(self, node: Node, type_: Type) -> int | None:
        """Read a single value of a counter; None, reported, if invalid."""
        if type_.base == "fraction":
            return self.fraction(node)
        if type_.base == "number":
            return self.number(node)
        text = node.text if isinstance(node, Scalar) else ""
        if text in self.value_names(type_):
            return self.value_names(type_).index(text)
        if type_.base != "truth" and text in ("nobody", "nothing"):
            return NOTHING
        if type_.base == "truth":
            self.report.error(node.place, messages.EXPECTED_YES_OR_NO())
        else:
            name_node = node if isinstance(node, Scalar) else Scalar(text, node.place)
            kind = messages.SEAT() if type_.base == "seat" else str(type_.detail)
            self.resolve(name_node, [*self.value_names(type_), "nobody" if type_.base == "seat" else "nothing"], kind)
        return None

    def value_names(self, type_: Type) -> list[str]:
        """Return the names of the values of a counter without numbers, by index."""
        if type_.base == "word":
            return list(self.program.words[str(type_.detail)])
        return self.seats if type_.base == "seat" else ["no", "yes"]

    def format_value(self, cell: int | tuple[int, ...], type_: Type) -> str:
        """Format the value of a counter's cell, as `parse_value` reads it."""
        if isinstance(cell, tuple):
            return ", ".join(self.format_value(one, replace(type_, many=False)) for one in cell) or "nothing"
        if type_.is_number:
            return str(type_.decode(cell))
        if cell < 0:
            return "nobody" if type_.base == "seat" else "nothing"
        return self.value_names(type_)[cell]

    def scalar(self, node: Node) -> Scalar:
        """Return a node that is a text; an empty text in its place for anything else."""
        return node if isinstance(node, Scalar) else Scalar("", node.place)

    def entries(self, node: Node) -> list[tuple[Scalar, Node]]:
        """Return the entries of a mapping; [] for anything else."""
        return list(node.items()) if isinstance(node, MappingNode) else []
