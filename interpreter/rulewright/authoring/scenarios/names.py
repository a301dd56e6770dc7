"""What a case may speak of: the seats of its table and the names of its edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulewright.authoring.scenarios.drawings import DRAWN, DrawnBoard, read
from rulewright.base.diagnostics import Report, SourcePlace, nearest
from rulewright.game.library import Rules
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import looks_called, type_at
from rulewright.program.form import NOTHING, Counter, Type, parts_of
from rulewright.runtime.position import TABLE, Spot
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_MOST_LISTED = 12
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_FRACTION = re.compile(r"-?[0-9]{1,7}(\.[0-9]{1,2})?")


class CaseNames:
    """The names that are known in one case. seats: the names at the table."""

    def __init__(self, rules: Rules, seats: Sequence[str], report: Report) -> None:
        self.rules, self.edition, self.seats, self.report = rules, rules.edition, list(seats), report
        self.program = rules.machine(len(seats)).program
        self.spaces = {(space.name, space.owner): space for space in self.program.layout.spaces}
        self.zones = {space.name: space.of for space in self.program.layout.spaces}
        self.counters = {counter.name: counter for counter in self.program.layout.counters}
        self.maps = {board.spaces: board for board in self.program.maps}
        self.pieces = [type_.name for type_ in self.program.types]
        self.phases = [name for name, _ in self.program.phases]
        self.lines = [line.name for line in self.program.scoring]
        self.measures = {measure.name: measure.function for measure in self.program.measures}
        self.sites = [site.id for site in self.program.sites]

    # ── looking up ──

    def named_spots(self) -> dict[str, list[Spot]]:
        """What a list may name: `display`, `hand` for those of all seats, `Nora's hand`; each with what it means."""
        found: dict[str, list[Spot]] = {}
        for spot in (*self.spaces, *((name, cell) for name in self.counters for cell in self.cells(name))):
            found.setdefault(spot[0], []).append(spot)
            if self.of(spot[0]) == SEAT:
                found[f"{self.seats[spot[1]]}'s {spot[0]}"] = [spot]
        return found

    def cells(self, name: str) -> range:
        """The owners of a counter, by number; of one of the table, TABLE alone."""
        counter = self.counters[name]
        return range(counter.owners) if counter.of else range(TABLE, TABLE + 1)

    def seat(self, name: Scalar) -> int | None:
        found = self.known(name, self.seats, "seat")
        return None if found is None else self.seats.index(found)

    def seat_of(self, key: Scalar) -> int | None:
        """The seat that a key of a mapping stands for, or None if it is something else."""
        return self.seats.index(key.text) if key.text in self.seats else None

    def of(self, name: str) -> str | None:
        """What a zone or counter belongs to: 'seat', a word list, '' for the table; None if there is none."""
        return self.counters[name].of if name in self.counters else self.zones.get(name)

    def is_here(self, name: str, owner: int) -> bool:
        """Whether a zone or counter stands below the name of a seat or, for TABLE, beside the seats."""
        of = self.of(name)
        return of is not None and (of == SEAT) == (owner != TABLE)

    def called(self, spot: Spot) -> str:
        """A zone or counter with its owner's name: `heap`, `Ada’s pouch`."""
        of = self.of(spot[0])
        if not of:
            return spot[0]
        return f"{(self.seats if of == SEAT else self.program.words[of])[spot[1]]}’s {spot[0]}"

    def holds(self, zone: str) -> frozenset[str]:
        """The kinds of piece that a zone may hold."""
        return self.edition.zones[zone].holds

    def known(self, name: Scalar, table: Iterable[str], what: str) -> str | None:
        """The name, if the table has it; else an error and None."""
        listed = list(table)
        if name.text in listed:
            return name.text
        self.unknown(name, f"There is no {what} '{name.text}'.", listed)
        return None

    def unknown(self, name: Scalar, message: str, known: Iterable[str]) -> None:
        listed = list(dict.fromkeys(known))
        hint = nearest(name.text, listed)
        if not hint and 0 < len(listed) <= _MOST_LISTED:
            hint = f"Known here: {', '.join(listed)}"
        self.report.error(name.place, "unknown-name", message, hint)

    def unknown_here(self, key: Scalar, owner: int, others: Iterable[str] = ()) -> None:
        """Report a key that is neither a zone, a counter nor one of the others."""
        of = self.of(key.text)
        if of is not None:
            what = "zone" if key.text in self.zones else "counter"
            where = "it stands below a seat's name" if of == SEAT else "it stands beside the seats"
            message = f"'{key.text}' is a {what} of {f'each {of}' if of else 'the table'}; {where}."
            self.report.error(key.place, "unknown-name", message)
        else:
            here = [name for name in (*sorted(self.zones), *self.counters) if self.is_here(name, owner)]
            seats = self.seats if owner == TABLE else []
            message = f"'{key.text}' is no zone or counter of {'the table' if owner == TABLE else 'a seat'}."
            self.unknown(key, message, [*here, *seats, *others])

    # ── reading values ──

    def spots(self, key: Scalar, node: Node, owner: int) -> list[tuple[Scalar, Spot, Node]]:
        """Every single zone or counter that an entry speaks of, with the name it stands under and what is said of it:
        one of a seat or the table, or one of each word that is named."""
        of = self.of(key.text)
        if not of or of == SEAT:
            return [(key, (key.text, owner), node)]
        words = self.program.words[of]
        if not isinstance(node, MappingNode):
            message = f"'{key.text}' belongs to each {of}; expected names of these."
            self.wrong(key.place, message, f"Such as {key.text}: {{{words[0]}: …}}.")
        entries = self.entries(node)
        for word, _ in entries:
            if word.text not in words:
                self.unknown(word, f"There is no {of} '{word.text}'.", [*words, *[DRAWN] * (of in self.maps)])
        return [(word, (key.text, words.index(word.text)), said) for word, said in entries if word.text in words]

    def told_for(self, counter: Counter, key: Scalar, node: Node) -> list[tuple[Scalar, int, Node]]:
        """What is said of a counter, with the name it stands under and its word's number: of each word that is named,
        for one that is told for words; else all of it, for 0."""
        if not counter.by:
            return [(key, 0, node)]
        words = self.program.words[counter.by]
        if not isinstance(node, MappingNode):
            message = f"'{counter.name}' is told for each {counter.by}; expected names of these."
            self.wrong(node.place, message, f"Such as {counter.name}: {{{words[0]}: …}}.")
        found: list[tuple[Scalar, int, Node]] = []
        for word, said in self.entries(node):
            if self.known(word, words, counter.by) is not None:
                found.append((word, words.index(word.text), said))
        return found

    def drawing(self, key: Scalar, node: Node) -> DrawnBoard | None:
        """The picture of a zone of the spaces of a drawn board; None if something else is written."""
        board = self.maps.get(self.zones.get(key.text, ""))
        if board is None or not isinstance(node, MappingNode) or DRAWN not in node.entries:
            return None
        return read(key, node, board, self.report)

    def single(self, node: Node, zone: str) -> bool:
        """Whether this is one piece without brackets, as may lie in the zone of a word."""
        of_word = self.zones[zone] not in ("", SEAT)
        return of_word and isinstance(node, Scalar) and bool(node.text) and not _NUMBER.fullmatch(node.text)

    def texts(self, node: Node) -> list[Scalar]:
        """The entries of a list of names."""
        return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, SequenceNode) else []

    def laid(self, node: Node, zone: str) -> list[str]:
        """The pieces of a list, or one piece, which the zone must be able to hold."""
        found: list[str] = []
        for item in [node] if isinstance(node, Scalar) else self.texts(node):
            look = looks_called(self.program, [item.text]).get(item.text)
            if look is None:
                self.known(item, self.pieces, "piece")
                continue
            type_ = type_at(self.program, look)
            if type_.kind not in self.holds(zone):
                kinds = " or ".join(sorted(self.holds(zone)))
                message = f"'{zone}' holds no {type_.kind}."
                self.report.error(item.place, "zone-does-not-hold", message, f"It holds: {kinds}")
            else:
                found.append(type_.name)
        return found

    def number(self, node: Node) -> int | None:
        """A whole number."""
        text = node.text if isinstance(node, Scalar) else ""
        if _NUMBER.fullmatch(text):
            return int(text)
        self.wrong(node.place, "Expected a whole number here.")
        return None

    def fraction(self, node: Node) -> int | None:
        """A number that may have a fraction, in hundredths."""
        text = node.text if isinstance(node, Scalar) else ""
        if _FRACTION.fullmatch(text):
            return parts_of(text)
        self.wrong(node.place, "Expected a number here, with at most two digits behind its point.")
        return None

    def held(self, node: Node, type_: Type) -> int | tuple[int, ...] | None:
        """What a counter holds: a number, yes or no, a seat, a word, or nobody or nothing; of a list, all of them."""
        if not type_.many:
            return self.held_one(node, type_)
        items = node.items if isinstance(node, SequenceNode) else [node]
        found = [self.held_one(item, replace(type_, many=False)) for item in items]
        return tuple(one for one in found if one is not None) if None not in found else None

    def held_one(self, node: Node, type_: Type) -> int | None:
        """One thing that a counter holds."""
        if type_.base == "fraction":
            return self.fraction(node)
        if type_.base == "number":
            return self.number(node)
        text = node.text if isinstance(node, Scalar) else ""
        if text in self.things(type_):
            return self.things(type_).index(text)
        if type_.base != "truth" and text in ("nobody", "nothing"):
            return NOTHING
        if type_.base == "truth":
            self.wrong(node.place, "Expected yes or no here.")
        else:
            found = node if isinstance(node, Scalar) else Scalar(text, node.place)
            what = "seat" if type_.base == "seat" else str(type_.detail)
            self.known(found, [*self.things(type_), "nobody" if type_.base == "seat" else "nothing"], what)
        return None

    def things(self, type_: Type) -> list[str]:
        """What a counter that holds no number can hold, by index."""
        if type_.base == "word":
            return list(self.program.words[str(type_.detail)])
        return self.seats if type_.base == "seat" else ["no", "yes"]

    def shown(self, cell: int | tuple[int, ...], type_: Type) -> str:
        """What a counter holds, in words."""
        if isinstance(cell, tuple):
            return ", ".join(self.shown(one, replace(type_, many=False)) for one in cell) or "nothing"
        if type_.counts:
            return str(type_.told(cell))
        if cell < 0:
            return "nobody" if type_.base == "seat" else "nothing"
        return self.things(type_)[cell]

    def wrong(self, place: SourcePlace, message: str, hint: str = "") -> None:
        self.report.error(place, "wrong-value", message, hint)

    def entries(self, node: Node) -> list[tuple[Scalar, Node]]:
        return list(node.items()) if isinstance(node, MappingNode) else []
