"""What a case expects: checks, each of which looks at a table and tells a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any, TypeVar

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.drawings import DRAWN, DrawnBoard, difference, drawn_anew
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.authoring.scenarios.zone_expectations import ExpectedContents, Mismatch, listed
from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.game.game import Decision, Standing
from rulewright.model.declarations import SEAT
from rulewright.program.form import Type, from_parts, parts_of
from rulewright.runtime.position import TABLE, Spot
from rulewright.runtime.view import View, ZoneView, piece_names
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar

SPECTATOR = "a spectator"
AT_ITS_LIMIT = "at its limit"
RESERVED = ("asked", "phase", "round", "over", "log")
_OF_SEAT = ("points", "lines", "measures", "rank", "scored", "powers")
_MOST_LINES = 12

_Look = Callable[[CaseGame], Callable[[Spot], ZoneView]]
"""Zones of a table as somebody sees them."""

_Compare = Callable[[CaseGame], Mismatch | None]
_Right = Callable[[CaseGame], Any]

_T = TypeVar("_T")


@record
class Check:
    """One expectation. what: its subject; difference: None if it is met; right: what would have to be written for it
    to be met, as a plain tree; contents: of each zone that it speaks of, what should lie there."""

    place: SourcePlace
    what: str
    difference: Callable[[CaseGame], Mismatch | None]
    right: Callable[[CaseGame], Any]
    contents: Mapping[Spot, ExpectedContents] = field(default_factory=dict)


@record
class Topic:
    """What an expectation is about. spots: zones and counters; seats: who is asked or has what; has: who has what;
    offers: whether it says what may be chosen; log: the lines that it expects."""

    spots: frozenset[Spot] = frozenset()
    seats: frozenset[int] = frozenset()
    has: frozenset[int] = frozenset()
    offers: bool = False
    log: tuple[str, ...] = ()


@record
class Expected:
    """What is expected at one moment. tell: what a reader is told where all of it holds, or None; subject: what it is
    about."""

    place: SourcePlace
    checks: tuple[Check, ...]
    tell: Scalar | None = None
    subject: Topic = Topic()


@record
class _Sight:
    """How zones are looked at. number: what a number of pieces means, as in Contents; note: whose eyes these are."""

    look: _Look
    number: str
    note: str = ""


class Expectations:
    """Reads the expectations of one case."""

    def __init__(self, names: CaseNames) -> None:
        self.names = names

    def read(self, node: Node) -> list[Check]:
        """The checks of an `expect`; what cannot be one is reported."""
        return [check for key, value in self.names.entries(node) for check in self._at_table(key, value)]

    def subject(self, node: Node) -> Topic:
        """What the checks of an `expect` are about."""
        spots: set[Spot] = set()
        seats: set[int] = set()
        has: set[int] = set()
        offers, log = False, tuple[str, ...]()
        for key, value in self.names.entries(node):
            seat = self.names.seat_of(key)
            inner = self.names.entries(value)
            if key.text == "asked":
                names = [name for name, _ in inner] or self.names.texts(value)
                seats |= {found for name in names if (found := self.names.seat_of(name)) is not None}
                offers = any(fact.text == "choices" for _, asked in inner for fact, _ in self.names.entries(asked))
            elif key.text == "log":
                log = tuple(line.text for line in self.names.texts(value))
            elif seat is not None:
                has.add(seat)
                spots |= {(fact.text, seat) for fact, _ in inner if self.names.of(fact.text) is not None}
            elif self.names.of(key.text) is not None:
                spots |= {spot for _, spot, _ in self.names.spots(key, value, TABLE)} if not _drawn(value) else set()
        return Topic(frozenset(spots), frozenset(seats | has), frozenset(has), offers, log)

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
        if not isinstance(value, source.MappingNode):
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
        if _scalar(node).text == AT_ITS_LIMIT:
            yield _check(key, "the game is over", AT_ITS_LIMIT, _end)
            return
        truth = _scalar(node).text == "yes"
        yield _check(key, "the game is over", truth, lambda table: table.game.over, _yes_or_no)

    def _log(self, key: Scalar, node: Node, reader: int | None = None) -> Iterator[Check]:
        lines = [line.text for line in self.names.texts(node)]
        compare: _Compare = lambda table: _lines_in_order(lines, table.log(reader))  # noqa: E731
        yield Check(key.place, f"the {key.text}", compare, lambda table: table.log(reader)[-max(1, len(lines)) :])

    def _asked(self, key: Scalar, node: Node) -> Iterator[Check]:
        wanted: dict[str, dict[str, object]] = {}
        names = self.names.texts(node) if isinstance(node, source.SequenceNode) else []
        for name, details in [(name, None) for name in names] or self.names.entries(node):
            if self.names.seat(name) is not None:
                wanted[name.text] = {} if details is None else self._details(details)
        compare: _Compare = lambda table: self._asked_difference(wanted, table)  # noqa: E731
        yield Check(key.place, "who is asked", compare, lambda table: self._asked_now(wanted, table))

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

    def _asked_difference(self, wanted: Mapping[str, Mapping[str, object]], table: CaseGame) -> Mismatch | None:
        actual = self._decided(wanted, table)
        return None if wanted == actual else (_decisions(wanted), _decisions(actual))

    def _decided(self, wanted: Mapping[str, Mapping[str, object]], table: CaseGame) -> dict[str, dict[str, object]]:
        """What seats are asked, with what is expected of that; of a seat that should not be asked, the decision."""
        asked = ((self.names.seats[decision.seat], decision) for decision in table.game.decisions())
        return {
            name: {detail: _DETAILS[detail](decision) for detail in wanted.get(name, ["id"])}
            for name, decision in asked
        }

    def _asked_now(self, wanted: Mapping[str, Mapping[str, object]], table: CaseGame) -> Any:
        actual = self._decided(wanted, table)
        if not actual or not any(wanted.values()):
            return list(actual) or "nobody"
        return {name: details["id"] if set(details) == {"id"} else details for name, details in actual.items()}

    # ── seats, zones, counters ──

    def _of_seat(self, seat: int, key: Scalar, node: Node) -> Iterator[Check]:
        whose = f"{self.names.seats[seat]}’s"
        if key.text == "lines":
            for line, points in self.names.entries(node):
                if self.names.known(line, self.names.lines, "scoring line") is not None:
                    told = self._points(points)
                    look = self._line_points(seat, self.names.lines.index(line.text))
                    yield _check(line, f"{whose} points for '{line.text}'", told, look)
        elif key.text == "measures":
            for measure, amount in self.names.entries(node):
                if self.names.known(measure, self.names.measures, "measure") is not None:
                    number = self.names.number(amount)
                    look_at = self.names.measures[measure.text]
                    yield _check(measure, f"{whose} '{measure.text}'", str(number), _measured(seat, look_at))
        elif key.text in ("points", "rank"):
            told = self._points(node) if key.text == "points" else str(self.names.number(node))
            yield _check(key, f"{whose} {key.text}", told, self._result(seat, key.text))
        elif key.text == "scored":
            truth = _scalar(node).text == "yes"
            yield _check(key, f"{self.names.seats[seat]} is scored", truth, self._is_scored(seat), _yes_or_no)
        elif key.text == "powers":
            powers = sorted(power.text for power in self._powers(node))
            yield _check(key, f"{whose} powers", powers, _powers(seat), listed, list)
        else:
            yield from self._zone_or_counter(key, node, seat, _OF_SEAT)

    def _points(self, node: Node) -> str:
        text = _scalar(node).text
        return str(from_parts(parts_of(text))) if "." in text else str(self.names.number(node))

    def _powers(self, node: Node) -> list[Scalar]:
        known = self.names.program.powers
        return [name for name in self.names.texts(node) if self.names.known(name, known, "power") is not None]

    def _standing(self, seat: int, table: CaseGame) -> Standing | None:
        return next((found for found in table.game.standings() if found.seat == seat), None)

    def _result(self, seat: int, what: str) -> Callable[[CaseGame], str]:
        def look(table: CaseGame) -> str:
            found = self._standing(seat, table)
            return "not scored" if found is None else str(found.rank if what == "rank" else found.total)

        return look

    def _line_points(self, seat: int, number: int) -> Callable[[CaseGame], str]:
        def look(table: CaseGame) -> str:
            found = self._standing(seat, table)
            return "not scored" if found is None else str(found.lines[number][1])

        return look

    def _is_scored(self, seat: int) -> Callable[[CaseGame], bool]:
        return lambda table: self._standing(seat, table) is not None

    def _zone_or_counter(self, key: Scalar, node: Node, owner: int, others: Iterable[str]) -> Iterator[Check]:
        if not self.names.is_here(key.text, owner):
            self.names.unknown_here(key, owner, others)
        elif key.text in self.names.zones:
            yield from self._zones(key, node, owner, _Sight(self._uncovered, "count"))
        else:
            counter = self.names.counters[key.text]
            show = partial(self.names.shown, type_=counter.type)
            for at, spot, said in self.names.spots(key, node, owner):
                for place, word, told in self.names.told_for(counter, at, said):
                    cell = counter.cells_of(spot[1])[word]
                    held = self.names.held(told, counter.type)
                    called = f"{self.names.called(spot)} for {place.text}" if counter.by else self.names.called(spot)
                    write = partial(self._written, counter.type)
                    yield _check(place, called, held, partial(_cell, cell), show, write)

    def _zones(self, key: Scalar, node: Node, owner: int, sight: _Sight) -> Iterator[Check]:
        """Checks of a zone, or of all zones of that name that belong to words."""
        if drawing := self.names.drawing(key, node):
            yield from self._picture(key, drawing, sight)
            return
        for at, spot, said in self.names.spots(key, node, owner):
            contents = self._contents(at, said, key.text, sight)
            if contents is not None:
                compare = partial(_compared, spot, contents, sight.look)
                right: _Right = partial(_lying, spot, contents, sight.look)
                yield Check(at.place, f"{self.names.called(spot)}{sight.note}", compare, right, {spot: contents})

    def _picture(self, key: Scalar, drawing: DrawnBoard, sight: _Sight) -> Iterator[Check]:
        read = {
            letter: self._contents(at, meaning, key.text, sight) for letter, (at, meaning) in drawing.meanings.items()
        }
        meanings = {letter: contents for letter, contents in read.items() if contents is not None}
        spaces = self.names.program.words[drawing.board.spaces]

        def compare(table: CaseGame) -> Mismatch | None:
            zone_at = sight.look(table)
            return difference(drawing, meanings, spaces, lambda space: zone_at((key.text, space)))

        def right(table: CaseGame) -> Any:
            zone_at = sight.look(table)
            return drawn_anew(drawing, meanings, [zone_at((key.text, space)) for space in range(len(spaces))])

        empty = ExpectedContents((), "in order")
        letters = {number: letter.text for number, letter in drawing.letters.items()}
        wanted = {(key.text, space): meanings.get(letters.get(space, ""), empty) for space in range(len(spaces))}
        yield Check(key.place, f"{key.text}{sight.note}", compare, right, wanted)

    def _written(self, type_: Type, cell: int | tuple[int, ...]) -> Any:
        """What a counter holds, as it is written in a file."""
        if isinstance(cell, tuple):
            return [self.names.shown(one, replace(type_, many=False)) for one in cell]
        return self.names.shown(cell, type_)

    def _uncovered(self, table: CaseGame) -> Callable[[Spot], ZoneView]:
        """Zones as the game itself knows them."""
        program, state = table.game.program, table.game.state

        def zone_at(spot: Spot) -> ZoneView:
            space = self.names.spaces[spot]
            pieces = piece_names(program, state, space)
            return ZoneView(space.name, None, len(pieces), pieces, space.pile)

        return zone_at

    def _contents(self, key: Scalar, node: Node, zone: str, sight: _Sight) -> ExpectedContents | None:
        """The contents that are expected of a zone. key: where it is said."""
        if isinstance(node, Scalar) and not self.names.single(node, zone):
            number = self.names.number(node)
            return None if number is None else ExpectedContents((), sight.number, number)
        if not isinstance(node, source.MappingNode):
            return ExpectedContents(tuple(self.names.laid(node, zone)), "in order")
        entries = self.names.entries(node)
        if len(entries) != 1 or entries[0][0].text not in ("any order", "includes"):
            message = f"Expected a list of pieces for '{key.text}', or a number."
            self.names.wrong(key.place, message, "Or one of {any order: [ … ]} and {includes: [ … ]}.")
            return None
        return ExpectedContents(tuple(self.names.laid(entries[0][1], zone)), entries[0][0].text)

    # ── what a seat sees ──

    def _seen_by(self, name: Scalar, node: Node) -> Iterator[Check]:
        viewer = None if name.text == SPECTATOR else self.names.seat(name)
        if viewer is None and name.text != SPECTATOR:
            return
        see: Callable[[CaseGame], View] = lambda table: table.game.view(viewer)  # noqa: E731
        for key, value in self.names.entries(node):
            owner = self.names.seat_of(key)
            if key.text == "waiting":
                waiting = sorted(seat.text for seat in self.names.texts(value) if self.names.seat(seat) is not None)
                what = f"whom {name.text} sees the game wait for"
                yield _check(key, what, waiting, self._waiting(see), listed, list)
            elif owner is None:
                yield from self._seen(key, value, TABLE, see, name.text)
            else:
                for inner, fact in self._seat_entries(key, value):
                    if inner.text == "points":
                        what = f"{key.text}’s points, seen by {name.text}"
                        yield _check(inner, what, _scalar(fact).text, _points_seen(see, owner))
                    else:
                        yield from self._seen(inner, fact, owner, see, name.text)

    def _waiting(self, see: Callable[[CaseGame], View]) -> Callable[[CaseGame], list[str]]:
        return lambda table: sorted(self.names.seats[seat] for seat in see(table).waiting)

    def _seen(
        self, key: Scalar, node: Node, owner: int, see: Callable[[CaseGame], View], viewer: str
    ) -> Iterator[Check]:
        if not self.names.is_here(key.text, owner):
            self.names.unknown_here(key, owner, ["waiting"] if owner == TABLE else ["points"])
            return
        if key.text in self.names.counters:
            message = f"'{key.text}' is a counter, which everybody sees; it stands outside of 'seen by'."
            self.names.wrong(key.place, message)
            return

        def look(table: CaseGame) -> Callable[[Spot], ZoneView]:
            view = see(table)
            places = {(zone.name, zone.owner, zone.word): zone for zone in view.zones}
            return lambda spot: places[self._place(spot)]

        yield from self._zones(key, node, owner, _Sight(look, "unseen", f", seen by {viewer}"))

    def _place(self, spot: Spot) -> tuple[str, int | None, str]:
        """The name, seat and word by which a view knows a zone."""
        of = self.names.zones[spot[0]]
        word = self.names.program.words[of][spot[1]] if of in self.names.program.words else ""
        return spot[0], spot[1] if of == SEAT else None, word


_DETAILS: Mapping[str, Callable[[Decision], object]] = {
    "id": lambda decision: decision.id,
    "choices": lambda decision: sorted(choice.key for choice in decision.choices for _ in range(choice.count)),
    "least": lambda decision: decision.least,
    "most": lambda decision: decision.most,
}


def _drawn(node: Node) -> bool:
    return isinstance(node, source.MappingNode) and DRAWN in node.entries


def _check(
    key: Scalar,
    what: str,
    expected: _T | None,
    look: Callable[[CaseGame], _T],
    show: Callable[[_T], str] = str,
    write: Callable[[_T], Any] | None = None,
) -> Check:
    """A check of one value; expected is None where it could not be read. write: how it is written in a file, if not as
    it is shown."""

    def difference(table: CaseGame) -> Mismatch | None:
        actual = look(table)
        return None if expected is None or actual == expected else (show(expected), show(actual))

    return Check(key.place, what, difference, lambda table: (write or show)(look(table)))


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


def _measured(seat: int, function: int) -> Callable[[CaseGame], str]:
    return lambda table: str(int(table.game.machine.call(function, table.game.state, seat)[0][0]))


def _lines_in_order(wanted: Sequence[str], told: Sequence[str]) -> Mismatch | None:
    at, typed = 0, [_typed(line) for line in told]
    for line in wanted:
        try:
            at = typed.index(_typed(line), at) + 1
        except ValueError:
            rest = told[at:]
            more = [f"… {len(rest) - _MOST_LINES} more"] if len(rest) > _MOST_LINES else []
            return line, "\n".join([*rest[:_MOST_LINES], *more]) or "nothing more was told"
    return None


def _typed(line: str) -> str:
    """A line with the minus that a keyboard has."""
    return line.replace("−", "-")


def _compared(spot: Spot, contents: ExpectedContents, look: _Look, table: CaseGame) -> Mismatch | None:
    return contents.difference(look(table)(spot))


def _lying(spot: Spot, contents: ExpectedContents, look: _Look, table: CaseGame) -> Any:
    """What lies in a zone, said as it was expected."""
    return contents.of(look(table)(spot)).said


def _cell(cell: int, table: CaseGame) -> int:
    number: int = table.game.state[cell]
    return number


def _powers(seat: int) -> Callable[[CaseGame], list[str]]:
    return lambda table: sorted(table.game.view(None).powers[seat])


def _points_seen(see: Callable[[CaseGame], View], seat: int) -> Callable[[CaseGame], str]:
    def look(table: CaseGame) -> str:
        score = see(table).scores[seat]
        return "not scored" if score is None else "hidden" if score.total is None else str(score.total)

    return look


def _end(table: CaseGame) -> str:
    return AT_ITS_LIMIT if table.game.limited() is not None else _yes_or_no(table.game.over)


def _yes_or_no(truth: object) -> str:
    return "yes" if truth else "no"


def _scalar(node: Node) -> Scalar:
    return node if isinstance(node, Scalar) else Scalar("", node.place)


def _after(key: Scalar, prefix: str) -> Scalar:
    """The rest of a key, with its place."""
    return source.part(key, len(prefix), key.text[len(prefix) :])
