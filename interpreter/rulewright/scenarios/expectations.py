"""What a case expects: checks, each of which looks at a table and tells a difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rulewright import source
from rulewright.diagnostics import Place
from rulewright.game import Decision, Standing
from rulewright.position import TABLE, Spot
from rulewright.scenarios.names import Names
from rulewright.scenarios.table import Table
from rulewright.source import Node, Scalar
from rulewright.view import View, ZoneView, piece_names

SPECTATOR = "a spectator"
RESERVED = ("asked", "phase", "round", "over", "log")
_MOST_LINES = 12

Difference = tuple[str, str]
"""What was expected, and what is."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class Check:
    """One expectation. what: its subject; difference: None if it is met."""

    place: Place
    what: str
    difference: Callable[[Table], Difference | None]


@dataclass(frozen=True)
class Contents:
    """The pieces that a zone should hold. how: 'in order', 'any order', 'includes' or 'count'."""

    pieces: tuple[str, ...]
    how: str
    count: int = 0

    def fit(self, actual: Sequence[str]) -> bool:
        if self.how == "count":
            return len(actual) == self.count
        if self.how == "in order":
            return tuple(actual) == self.pieces
        missing = Counter(self.pieces) - Counter(actual)
        return not missing and (self.how == "includes" or len(actual) == len(self.pieces))

    def difference(self, actual: Sequence[str]) -> Difference | None:
        if self.fit(actual):
            return None
        if self.how == "count":
            return counted(self.count), f"{counted(len(actual))}: {listed(actual)}"
        if self.how == "in order":
            return listed(self.pieces), listed(actual)
        note = "with others perhaps" if self.how == "includes" else "in any order"
        return f"{listed(sorted(self.pieces))} ({note})", listed(sorted(actual))


class Expectations:
    """Reads the expectations of one case."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def read(self, node: Node) -> list[Check]:
        """The checks of an `expect`; what cannot be one is reported."""
        return [check for key, value in self.names.entries(node) for check in self._at_table(key, value)]

    def _at_table(self, key: Scalar, value: Node) -> Iterator[Check]:
        if key.text in RESERVED:
            yield from {
                "asked": self._asked,
                "phase": self._phase,
                "round": self._round,
                "over": self._over,
                "log": self._log,
            }[key.text](key, value)
        elif key.text.startswith("log of "):
            reader = self.names.seat(_after(key, "log of "))
            if reader is not None:
                yield from self._log(key, value, reader)
        elif key.text.startswith("seen by "):
            yield from self._seen_by(_after(key, "seen by "), value)
        elif (seat := self.names.seat_of(key)) is not None:
            for inner, fact in self._seat_entries(key, value):
                yield from self._of_seat(seat, inner, fact)
        else:
            yield from self._zone_or_counter(key, value, TABLE, RESERVED)

    def _seat_entries(self, key: Scalar, value: Node) -> list[tuple[Scalar, Node]]:
        if not isinstance(value, source.Mapping):
            self.names.wrong(key.place, f"Expected what '{key.text}' has: zones, counters, points and so on.")
        return self.names.entries(value)

    # ── the game ──

    def _phase(self, key: Scalar, node: Node) -> Iterator[Check]:
        name = self.names.known(_scalar(node), self.names.phases, "phase")
        if name is not None:
            yield _check(key, "the phase", name, lambda table: table.game.view(None).phase)

    def _round(self, key: Scalar, node: Node) -> Iterator[Check]:
        number = self.names.number(node)
        yield _check(key, "the round", number, lambda table: table.game.view(None).round)

    def _over(self, key: Scalar, node: Node) -> Iterator[Check]:
        truth = _scalar(node).text == "yes"
        yield _check(key, "the game is over", truth, lambda table: table.game.over, _yes_or_no)

    def _log(self, key: Scalar, node: Node, reader: int | None = None) -> Iterator[Check]:
        lines = [line.text for line in self.names.texts(node)]
        yield Check(key.place, f"the {key.text}", lambda table: _lines_in_order(lines, table.log(reader)))

    def _asked(self, key: Scalar, node: Node) -> Iterator[Check]:
        wanted: dict[str, dict[str, object]] = {}
        names = self.names.texts(node) if isinstance(node, source.Sequence) else []
        for name, details in [(name, None) for name in names] or self.names.entries(node):
            if self.names.seat(name) is not None:
                wanted[name.text] = {} if details is None else self._details(details)
        yield Check(key.place, "who is asked", lambda table: self._asked_difference(wanted, table))

    def _details(self, node: Node) -> dict[str, object]:
        """What is expected of a decision."""
        entries = {key.text: value for key, value in self.names.entries(node)} or {"id": node}
        details: dict[str, object] = {}
        for name, value in entries.items():
            if name == "id":
                details[name] = self.names.known(_scalar(value), self.names.sites, "decision")
            elif name == "choices":
                details[name] = sorted(choice.text for choice in self.names.texts(value))
            else:
                details[name] = self.names.number(value)
        return details

    def _asked_difference(self, wanted: Mapping[str, Mapping[str, object]], table: Table) -> Difference | None:
        actual: dict[str, dict[str, object]] = {}
        for decision in table.game.decisions():
            name = self.names.seats[decision.seat]
            actual[name] = {detail: _DETAILS[detail](decision) for detail in wanted.get(name, ["id"])}
        return None if wanted == actual else (_decisions(wanted), _decisions(actual))

    # ── seats, zones, counters ──

    def _of_seat(self, seat: int, key: Scalar, node: Node) -> Iterator[Check]:
        whose = f"{self.names.seats[seat]}’s"
        if key.text == "lines":
            for line, points in self.names.entries(node):
                if self.names.known(line, self.names.lines, "scoring line") is not None:
                    number = self.names.number(points)
                    look = self._line_points(seat, self.names.lines.index(line.text))
                    yield _check(line, f"{whose} points for '{line.text}'", str(number), look)
        elif key.text in ("points", "rank"):
            number = self.names.number(node)
            yield _check(key, f"{whose} {key.text}", str(number), self._result(seat, key.text))
        elif key.text == "scored":
            truth = _scalar(node).text == "yes"
            yield _check(key, f"{self.names.seats[seat]} is scored", truth, self._is_scored(seat), _yes_or_no)
        elif key.text == "powers":
            powers = sorted(power.text for power in self._powers(node))
            yield _check(key, f"{whose} powers", powers, _powers(seat), listed)
        else:
            yield from self._zone_or_counter(key, node, seat, ("points", "lines", "rank", "scored", "powers"))

    def _powers(self, node: Node) -> list[Scalar]:
        known = self.names.program.powers
        return [name for name in self.names.texts(node) if self.names.known(name, known, "power") is not None]

    def _standing(self, seat: int, table: Table) -> Standing | None:
        return next((found for found in table.game.standings() if found.seat == seat), None)

    def _result(self, seat: int, what: str) -> Callable[[Table], str]:
        def look(table: Table) -> str:
            found = self._standing(seat, table)
            return "not scored" if found is None else str(found.rank if what == "rank" else found.total)

        return look

    def _line_points(self, seat: int, number: int) -> Callable[[Table], str]:
        def look(table: Table) -> str:
            found = self._standing(seat, table)
            return "not scored" if found is None else str(found.lines[number][1])

        return look

    def _is_scored(self, seat: int) -> Callable[[Table], bool]:
        return lambda table: self._standing(seat, table) is not None

    def _zone_or_counter(self, key: Scalar, node: Node, owner: int, others: Iterable[str]) -> Iterator[Check]:
        spot = (key.text, owner)
        what = key.text if owner == TABLE else f"{self.names.seats[owner]}’s {key.text}"
        counter = self.names.counter(spot)
        if self.names.is_zone(spot):
            contents = self._contents(key, node)
            if contents is not None:
                yield Check(key.place, what, lambda table: contents.difference(_pieces(table, spot)))
        elif counter is not None:
            held, cell, type_ = self.names.held(node, counter.type), counter.address + max(0, owner), counter.type
            yield _check(
                key, what, held, lambda table: table.game.state[cell], lambda cell: self.names.shown(cell, type_)
            )
        else:
            self.names.unknown_here(key, owner, others)

    def _contents(self, key: Scalar, node: Node) -> Contents | None:
        """The contents that are expected of the zone `key`."""
        if isinstance(node, Scalar):
            number = self.names.number(node)
            return None if number is None else Contents((), "count", number)
        if isinstance(node, source.Sequence):
            return Contents(tuple(self.names.laid(node, key.text)), "in order")
        entries = self.names.entries(node)
        if len(entries) != 1 or entries[0][0].text not in ("any order", "includes"):
            message = f"Expected a list of pieces for '{key.text}', or a number."
            self.names.wrong(key.place, message, "Or one of {any order: [ … ]} and {includes: [ … ]}.")
            return None
        return Contents(tuple(self.names.laid(entries[0][1], key.text)), entries[0][0].text)

    # ── what a seat sees ──

    def _seen_by(self, name: Scalar, node: Node) -> Iterator[Check]:
        viewer = None if name.text == SPECTATOR else self.names.seat(name)
        if viewer is None and name.text != SPECTATOR:
            return
        see: Callable[[Table], View] = lambda table: table.game.view(viewer)  # noqa: E731
        for key, value in self.names.entries(node):
            owner = self.names.seat_of(key)
            if key.text == "waiting":
                waiting = sorted(seat.text for seat in self.names.texts(value) if self.names.seat(seat) is not None)
                yield _check(key, f"whom {name.text} sees the game wait for", waiting, self._waiting(see), listed)
            elif owner is None:
                yield from self._seen(key, value, TABLE, see, name.text)
            else:
                for inner, fact in self._seat_entries(key, value):
                    if inner.text == "points":
                        what = f"{key.text}’s points, seen by {name.text}"
                        yield _check(inner, what, _scalar(fact).text, _points_seen(see, owner))
                    else:
                        yield from self._seen(inner, fact, owner, see, name.text)

    def _waiting(self, see: Callable[[Table], View]) -> Callable[[Table], list[str]]:
        return lambda table: sorted(self.names.seats[seat] for seat in see(table).waiting)

    def _seen(self, key: Scalar, node: Node, owner: int, see: Callable[[Table], View], viewer: str) -> Iterator[Check]:
        if not self.names.is_zone((key.text, owner)):
            self.names.unknown_here(key, owner, ["waiting"] if owner == TABLE else ["points"])
            return
        contents = self._contents(key, node)
        if contents is None:
            return

        def difference(table: Table) -> Difference | None:
            zone = see(table).zone(key.text, None if owner == TABLE else owner)
            if contents.how == "count":
                hidden = zone.pieces is None and zone.count == contents.count
                return None if hidden else (f"{counted(contents.count)}, unseen", _seen_text(zone))
            if zone.pieces is None:
                return listed(contents.pieces), _seen_text(zone)
            return contents.difference(zone.pieces)

        owned = key.text if owner == TABLE else f"{self.names.seats[owner]}’s {key.text}"
        yield Check(key.place, f"{owned}, seen by {viewer}", difference)


_DETAILS: Mapping[str, Callable[[Decision], object]] = {
    "id": lambda decision: decision.id,
    "choices": lambda decision: sorted(choice.key for choice in decision.choices for _ in range(choice.count)),
    "least": lambda decision: decision.least,
    "most": lambda decision: decision.most,
}


def listed(names: Iterable[object]) -> str:
    """Names one after the other, in their order."""
    return ", ".join(str(name) for name in names) or "nothing"


def counted(number: int) -> str:
    return f"{number} piece" if number == 1 else f"{number} pieces"


def _check(
    key: Scalar,
    what: str,
    expected: _T | None,
    look: Callable[[Table], _T],
    show: Callable[[_T], str] = str,
) -> Check:
    """A check of one value; expected is None where it could not be read."""

    def difference(table: Table) -> Difference | None:
        actual = look(table)
        return None if expected is None or actual == expected else (show(expected), show(actual))

    return Check(key.place, what, difference)


def _decisions(asked: Mapping[str, Mapping[str, object]]) -> str:
    """Seats with what they are asked, in one line."""

    def told(details: Mapping[str, object]) -> str:
        parts = []
        for name in (name for name in _DETAILS if name in details):
            value = details[name]
            prefix = "" if name == "id" else f"{name} "
            parts.append(prefix + (listed(value) if isinstance(value, list) else str(value)))
        return f" ({'; '.join(parts)})" if parts else ""

    return listed(f"{seat}{told(details)}" for seat, details in sorted(asked.items())) if asked else "nobody"


def _lines_in_order(wanted: Sequence[str], told: Sequence[str]) -> Difference | None:
    at = 0
    for line in wanted:
        try:
            at = told.index(line, at) + 1
        except ValueError:
            rest = told[at:]
            more = [f"… {len(rest) - _MOST_LINES} more"] if len(rest) > _MOST_LINES else []
            return line, "\n".join([*rest[:_MOST_LINES], *more]) or "nothing more was told"
    return None


def _pieces(table: Table, spot: Spot) -> tuple[str, ...]:
    program, state = table.game.program, table.game.state
    space = next(space for space in program.layout.spaces if (space.name, space.owner) == spot)
    return piece_names(program, state, space)


def _powers(seat: int) -> Callable[[Table], list[str]]:
    return lambda table: sorted(table.game.view(None).powers[seat])


def _points_seen(see: Callable[[Table], View], seat: int) -> Callable[[Table], str]:
    def look(table: Table) -> str:
        score = see(table).scores[seat]
        return "not scored" if score is None else "hidden" if score.total is None else str(score.total)

    return look


def _seen_text(zone: ZoneView) -> str:
    return f"{counted(zone.count)}, unseen" if zone.pieces is None else f"seen: {listed(zone.pieces)}"


def _yes_or_no(truth: object) -> str:
    return "yes" if truth else "no"


def _scalar(node: Node) -> Scalar:
    return node if isinstance(node, Scalar) else Scalar("", node.place)


def _after(key: Scalar, prefix: str) -> Scalar:
    """The rest of a key, with its place."""
    return source.part(key, len(prefix), key.text[len(prefix) :])
