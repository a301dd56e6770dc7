"""What a case may speak of: the seats of its table and the names of its edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulewright.diagnostics import Place, Report, nearest
from rulewright.library import Rules
from rulewright.position import TABLE, Spot
from rulewright.program import NOTHING, Counter, Type
from rulewright.source import Mapping, Node, Scalar
from rulewright.source import Sequence as Items

_MOST_LISTED = 12


class Names:
    """The names that are known in one case. seats: the names at the table."""

    def __init__(self, rules: Rules, seats: Sequence[str], report: Report) -> None:
        self.rules, self.edition, self.seats, self.report = rules, rules.edition, list(seats), report
        self.program = rules.machine(len(seats)).program
        self.zones = {(space.name, space.owner) for space in self.program.layout.spaces}
        self.pieces = {type_.name: type_.kind for type_ in self.program.types}
        self.phases = [name for name, _ in self.program.phases]
        self.lines = [line.name for line in self.program.scoring]
        self.sites = [site.id for site in self.program.sites]

    # ── looking up ──

    def seat(self, name: Scalar) -> int | None:
        found = self.known(name, self.seats, "seat")
        return None if found is None else self.seats.index(found)

    def seat_of(self, key: Scalar) -> int | None:
        """The seat that a key of a mapping stands for, or None if it is something else."""
        return self.seats.index(key.text) if key.text in self.seats else None

    def is_zone(self, spot: Spot) -> bool:
        return spot in self.zones

    def counter(self, spot: Spot) -> Counter | None:
        for counter in self.program.layout.counters:
            if counter.name == spot[0] and (counter.of == "") == (spot[1] == TABLE):
                return counter
        return None

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
        zones = [name for name, whose in sorted(self.zones) if whose == owner]
        per_seat = owner != TABLE
        counters = [counter.name for counter in self.program.layout.counters if (counter.of == "seat") == per_seat]
        seats = [] if per_seat else self.seats
        whose = "of a seat" if per_seat else "of the table"
        elsewhere = self.elsewhere(key.text, owner)
        if elsewhere:
            self.report.error(key.place, "unknown-name", elsewhere)
        else:
            message = f"'{key.text}' is no zone or counter {whose}."
            self.unknown(key, message, [*zones, *counters, *seats, *others])

    def elsewhere(self, name: str, owner: int) -> str:
        """What is wrong if there is such a zone or counter, only not here."""
        other = 0 if owner == TABLE else TABLE
        if not (self.is_zone((name, other)) or self.counter((name, other))):
            return ""
        what = "zone" if self.is_zone((name, other)) else "counter"
        where = "it stands below a seat's name" if owner == TABLE else "it stands beside the seats"
        return f"'{name}' is a {what} of {'each seat' if owner == TABLE else 'the table'}; {where}."

    # ── reading values ──

    def texts(self, node: Node) -> list[Scalar]:
        """The entries of a list of names."""
        return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Items) else []

    def laid(self, node: Node, zone: str) -> list[str]:
        """The pieces of a list, which the zone must be able to hold."""
        found: list[str] = []
        for item in self.texts(node):
            name = self.known(item, self.pieces, "piece")
            if name is not None and self.pieces[name] not in self.holds(zone):
                kinds = " or ".join(sorted(self.holds(zone)))
                message = f"'{zone}' holds no {self.pieces[name]}."
                self.report.error(item.place, "zone-does-not-hold", message, f"It holds: {kinds}")
            elif name is not None:
                found.append(name)
        return found

    def number(self, node: Node) -> int | None:
        """A whole number."""
        text = node.text if isinstance(node, Scalar) else ""
        if re.fullmatch(r"-?[0-9]{1,9}", text):
            return int(text)
        self.wrong(node.place, "Expected a whole number here.")
        return None

    def held(self, node: Node, type_: Type) -> int | None:
        """What a counter holds: a number, yes or no, a seat, a word, or nobody or nothing."""
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

    def shown(self, cell: int, type_: Type) -> str:
        """What a counter holds, in words."""
        if type_.base == "number":
            return str(cell)
        if cell < 0:
            return "nobody" if type_.base == "seat" else "nothing"
        return self.things(type_)[cell]

    def wrong(self, place: Place, message: str, hint: str = "") -> None:
        self.report.error(place, "wrong-value", message, hint)

    def entries(self, node: Node) -> list[tuple[Scalar, Node]]:
        return list(node.items()) if isinstance(node, Mapping) else []
