"""Expectations of a case: checks, each of which compares a game with an expected value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.checks import Check, Topic
from rulewright.authoring.scenarios.decision_expectations import DecisionExpectations
from rulewright.authoring.scenarios.drawings import MAP_KEY, DrawnBoard, difference, drawn_anew
from rulewright.authoring.scenarios.game_facts import (
    AT_ITS_LIMIT,
    cell_content,
    end_text,
    lines_difference,
    measured_number,
    powers_of,
    visible_points,
    yes_or_no,
)
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.authoring.scenarios.zone_expectations import ExpectedContents, Mismatch, format_list
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.game.ranking import SeatResult
from rulewright.model.declarations import SEAT
from rulewright.program.value_types import Type, from_hundredths, parse_hundredths
from rulewright.runtime.position import TABLE, Spot
from rulewright.runtime.view import View, ZoneView, piece_names
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar

SPECTATOR = "a spectator"
"""Name of the viewer without a seat, in `seen by`."""
RESERVED = ("asked", "phase", "round", "over", "log")
"""Keys of expectations beside the names of zones, counters and seats."""
_OF_SEAT = ("points", "lines", "measures", "rank", "scored", "powers")
"""Keys below a seat beside the names of its zones and counters."""

_Look = Callable[[CaseGame], Callable[[Spot], ZoneView]]
"""Zones of a game as somebody sees them."""

_Compare = Callable[[CaseGame], Mismatch | None]
"""Comparison of a game with what is expected; None if they agree."""
_Right = Callable[[CaseGame], Any]
"""Function that returns the entry of a file that a game would meet, as a plain tree."""

_T = TypeVar("_T")


@record
class _Sight:
    """View of zones. number: mode of `ExpectedContents` for a plain number; viewer: who sees it, for messages."""

    look: _Look
    number: str
    viewer: str = ""

    def title(self, zone: Wording) -> Wording:
        """Return the title of a check of a zone that is seen like this."""
        return messages.SEEN_BY(title=zone, viewer=self.viewer) if self.viewer else zone


class Expectations:
    """Reader of the expectations of one case."""

    def __init__(self, names: CaseNames) -> None:
        self.names = names

    def read(self, node: Node) -> list[Check]:
        """Return the checks of an `expect`; invalid ones are reported."""
        return [check for key, value in self.names.entries(node) for check in self._checks_of_entry(key, value)]

    def subject(self, node: Node) -> Topic:
        """Return what the checks of an `expect` are about. Left out: drawn boards, `seen by`, and logs of seats."""
        spots: set[Spot] = set()
        seats: set[int] = set()
        has: set[int] = set()
        offers, log = False, tuple[str, ...]()
        for key, value in self.names.entries(node):
            seat = self.names.seat_of(key)
            inner = self.names.entries(value)
            if key.text == "asked":
                names = [name for name, _ in inner] or self.names.texts(value)
                seats |= {place for name in names if (place := self.names.seat_of(name)) is not None}
                offers = any(fact.text == "choices" for _, details in inner for fact, _ in self.names.entries(details))
            elif key.text == "log":
                log = tuple(line.text for line in self.names.texts(value))
            elif seat is not None:
                has.add(seat)
                spots |= {(fact.text, seat) for fact, _ in inner if self.names.owner_type_of(fact.text) is not None}
            elif self.names.owner_type_of(key.text) is not None:
                spots |= (
                    {spot for _, spot, _ in self.names.spots(key, value, TABLE)} if not _is_drawing(value) else set()
                )
        return Topic(frozenset(spots), frozenset(seats | has), frozenset(has), offers, log)

    def _checks_of_entry(self, key: Scalar, value: Node) -> Iterator[Check]:
        """Yield the checks of one entry of an `expect`; report an invalid one."""
        if key.text in RESERVED:
            yield from {
                "asked": self._decisions,
                "phase": self._phase,
                "round": self._round,
                "over": self._end_check,
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
                yield from self._seat_checks(seat, inner, fact)
        else:
            yield from self._zone_or_counter(key, value, TABLE, RESERVED)

    def _seat_entries(self, key: Scalar, value: Node) -> list[tuple[Scalar, Node]]:
        """Return the entries below a seat; report anything but a mapping."""
        if not isinstance(value, source.MappingNode):
            self.names.report.error(key.place, messages.EXPECTED_FACTS(seat=key.text))
        return self.names.entries(value)

    # ── the game ──

    def _phase(self, key: Scalar, node: Node) -> Iterator[Check]:
        """Yield the check of the phase; report an unknown one."""
        name = self.names.resolve(self.names.scalar(node), self.names.phases, messages.PHASE())
        if name is not None:
            yield _check(key, messages.THE_PHASE(), name, lambda table: table.game.view(None).phase)

    def _round(self, key: Scalar, node: Node) -> Iterator[Check]:
        """Yield the check of the round's number."""
        number = self.names.number(node)
        yield _check(key, messages.THE_ROUND(), number, lambda table: table.game.view(None).round)

    def _end_check(self, key: Scalar, node: Node) -> Iterator[Check]:
        """Yield the check whether the game is over, or has come to its limit."""
        if self.names.scalar(node).text == AT_ITS_LIMIT:
            yield _check(key, messages.GAME_IS_OVER(), AT_ITS_LIMIT, end_text)
            return
        truth = self.names.scalar(node).text == "yes"
        yield _check(key, messages.GAME_IS_OVER(), truth, lambda table: table.game.over, yes_or_no)

    def _log(self, key: Scalar, node: Node, reader: int | None = None) -> Iterator[Check]:
        """Yield the check that a seat (None: a spectator) may read these lines in this order, with others between."""
        lines = [line.text for line in self.names.texts(node)]
        compare: _Compare = lambda table: lines_difference(lines, table.log(reader))  # noqa: E731
        title = messages.THE_LOG() if reader is None else messages.LOG_OF(seat=self.names.seats[reader])
        yield Check(key.place, title, compare, lambda table: table.log(reader)[-max(1, len(lines)) :])

    def _decisions(self, key: Scalar, node: Node) -> Iterator[Check]:
        """Yield the check of the open decisions."""
        yield DecisionExpectations(self.names).check(key, node)

    # ── seats, zones, counters ──

    def _seat_checks(self, seat: int, key: Scalar, node: Node) -> Iterator[Check]:
        """Yield the checks of one entry below a seat; report an invalid one."""
        owner = self.names.seats[seat]
        if key.text == "lines":
            for line, points in self.names.entries(node):
                if self.names.resolve(line, self.names.lines, messages.SCORE_LINE()) is not None:
                    text = self._points(points)
                    look = self._line_points(seat, self.names.lines.index(line.text))
                    yield _check(line, messages.LINE_POINTS(seat=owner, line=line.text), text, look)
        elif key.text == "measures":
            for measure, amount in self.names.entries(node):
                if self.names.resolve(measure, self.names.measures, messages.MEASURE()) is not None:
                    number = self.names.number(amount)
                    look_at = self.names.measures[measure.text]
                    yield _check(
                        measure,
                        messages.SEAT_MEASURE(seat=owner, measure=measure.text),
                        str(number),
                        measured_number(seat, look_at),
                    )
        elif key.text in ("points", "rank"):
            text = self._points(node) if key.text == "points" else str(self.names.number(node))
            title = messages.SEAT_POINTS if key.text == "points" else messages.SEAT_RANK
            yield _check(key, title(seat=owner), text, self._standing_reader(seat, key.text))
        elif key.text == "scored":
            truth = self.names.scalar(node).text == "yes"
            yield _check(key, messages.IS_SCORED(seat=owner), truth, self._scored_reader(seat), yes_or_no)
        elif key.text == "powers":
            powers = sorted(power.text for power in self._powers(node))
            yield _check(key, messages.SEAT_POWERS(seat=owner), powers, powers_of(seat), format_list, list)
        else:
            yield from self._zone_or_counter(key, node, seat, _OF_SEAT)

    def _points(self, node: Node) -> str:
        """Return a number of points as results show it: `2.50` as `2.5`."""
        text = self.names.scalar(node).text
        return str(from_hundredths(parse_hundredths(text))) if "." in text else str(self.names.number(node))

    def _powers(self, node: Node) -> list[Scalar]:
        """Return the names of powers in a list; report and leave out unknown ones."""
        known = self.names.program.powers
        return [
            name for name in self.names.texts(node) if self.names.resolve(name, known, messages.POWER()) is not None
        ]

    def _find_standing(self, seat: int, table: CaseGame) -> SeatResult | None:
        """Return a seat's result as the game stands; None if it is not scored."""
        return next((result for result in table.game.standings() if result.seat == seat), None)

    def _standing_reader(self, seat: int, field: str) -> Callable[[CaseGame], str]:
        """Return a function that returns a seat's `points` or `rank` as text; 'not scored' for a seat that is not."""

        def look(table: CaseGame) -> str:
            result = self._find_standing(seat, table)
            return "not scored" if result is None else str(result.rank if field == "rank" else result.total)

        return look

    def _line_points(self, seat: int, number: int) -> Callable[[CaseGame], str]:
        """Return a function that returns a seat's points for a scoring line, by its index, as text."""

        def look(table: CaseGame) -> str:
            result = self._find_standing(seat, table)
            return "not scored" if result is None else str(result.lines[number][1])

        return look

    def _scored_reader(self, seat: int) -> Callable[[CaseGame], bool]:
        """Return a function that returns whether a seat is scored."""
        return lambda table: self._find_standing(seat, table) is not None

    def _zone_or_counter(self, key: Scalar, node: Node, owner: int, others: Iterable[str]) -> Iterator[Check]:
        """Yield the checks of a zone's contents or a counter's values. others: names that may stand there besides."""
        if not self.names.is_here(key.text, owner):
            self.names.report_unknown_here(key, owner, others)
        elif key.text in self.names.zones:
            yield from self._zones(key, node, owner, _Sight(self._uncovered, "count"))
        else:
            counter = self.names.counters[key.text]
            show = partial(self.names.format_value, type_=counter.type)
            for name_node, spot, value in self.names.spots(key, node, owner):
                for place, word, entry in self.names.word_entries(counter, name_node, value):
                    cell = counter.cells_of(spot[1])[word]
                    content = self.names.parse_value(entry, counter.type)
                    title = self.names.title(spot)
                    title = messages.FOR_WORD(title=title, word=place.text) if counter.by else title
                    write = partial(self._file_value, counter.type)
                    yield _check(place, title, content, partial(cell_content, cell), show, write)

    def _zones(self, key: Scalar, node: Node, owner: int, sight: _Sight) -> Iterator[Check]:
        """Yield the checks of a zone, or of all zones of that name that belong to words."""
        if drawing := self.names.drawing(key, node):
            yield from self._drawing_check(key, drawing, sight)
            return
        for name_node, spot, value in self.names.spots(key, node, owner):
            contents = self._contents(name_node, value, key.text, sight)
            if contents is not None:
                compare = partial(_compared, spot, contents, sight.look)
                right: _Right = partial(_actual_contents, spot, contents, sight.look)
                yield Check(name_node.place, sight.title(self.names.title(spot)), compare, right, {spot: contents})

    def _drawing_check(self, key: Scalar, drawing: DrawnBoard, sight: _Sight) -> Iterator[Check]:
        """Yield the check of all spaces of a board: those that are not drawn must be empty."""
        read = {
            letter: self._contents(letter_node, meaning, key.text, sight)
            for letter, (letter_node, meaning) in drawing.meanings.items()
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
        expected = {(key.text, space): meanings.get(letters.get(space, ""), empty) for space in range(len(spaces))}
        yield Check(key.place, sight.title(messages.PLAIN_NAME(name=key.text)), compare, right, expected)

    def _file_value(self, type_: Type, cell: int | tuple[int, ...]) -> Any:
        """Return the value of a counter as a file has it."""
        if isinstance(cell, tuple):
            return [self.names.format_value(one, replace(type_, many=False)) for one in cell]
        return self.names.format_value(cell, type_)

    def _uncovered(self, table: CaseGame) -> Callable[[Spot], ZoneView]:
        """Return zones as the game itself knows them."""
        program, state = table.game.program, table.game.state

        def zone_at(spot: Spot) -> ZoneView:
            space = self.names.spaces[spot]
            pieces = piece_names(program, state, space)
            return ZoneView(space.name, None, len(pieces), pieces, space.pile)

        return zone_at

    def _contents(self, key: Scalar, node: Node, zone: str, sight: _Sight) -> ExpectedContents | None:
        """Read the expected contents of a zone; None, reported, if invalid. key: for messages."""
        if isinstance(node, Scalar) and not self.names.is_single_piece(node, zone):
            number = self.names.number(node)
            return None if number is None else ExpectedContents((), sight.number, number)
        if not isinstance(node, source.MappingNode):
            return ExpectedContents(tuple(self.names.pieces_of(node, zone)), "in order")
        entries = self.names.entries(node)
        if len(entries) != 1 or entries[0][0].text not in ("any order", "includes"):
            problem = messages.EXPECTED_PIECES(zone=key.text)
            self.names.report.error(key.place, problem, messages.OR_ANY_ORDER())
            return None
        return ExpectedContents(tuple(self.names.pieces_of(entries[0][1], zone)), entries[0][0].text)

    # ── what a seat sees ──

    def _seen_by(self, name: Scalar, node: Node) -> Iterator[Check]:
        """Yield the checks of what a seat or `SPECTATOR` sees; report another name."""
        viewer = None if name.text == SPECTATOR else self.names.seat(name)
        if viewer is None and name.text != SPECTATOR:
            return
        see: Callable[[CaseGame], View] = lambda table: table.game.view(viewer)  # noqa: E731
        for key, value in self.names.entries(node):
            owner = self.names.seat_of(key)
            if key.text == "waiting":
                waiting = sorted(seat.text for seat in self.names.texts(value) if self.names.seat(seat) is not None)
                subject = messages.SEATS_WAITED_FOR(viewer=name.text)
                yield _check(key, subject, waiting, self._waiting(see), format_list, list)
            elif owner is None:
                yield from self._zone_seen(key, value, TABLE, see, name.text)
            else:
                for inner, fact in self._seat_entries(key, value):
                    if inner.text == "points":
                        subject = messages.POINTS_SEEN(seat=key.text, viewer=name.text)
                        yield _check(inner, subject, self.names.scalar(fact).text, visible_points(see, owner))
                    else:
                        yield from self._zone_seen(inner, fact, owner, see, name.text)

    def _waiting(self, see: Callable[[CaseGame], View]) -> Callable[[CaseGame], list[str]]:
        """Return a function that returns the sorted names of the seats that a view waits for."""
        return lambda table: sorted(self.names.seats[seat] for seat in see(table).waiting)

    def _zone_seen(
        self, key: Scalar, node: Node, owner: int, see: Callable[[CaseGame], View], viewer: str
    ) -> Iterator[Check]:
        """Yield the checks of a zone as a viewer sees it; report a counter, which everybody sees alike."""
        if not self.names.is_here(key.text, owner):
            self.names.report_unknown_here(key, owner, ["waiting"] if owner == TABLE else ["points"])
            return
        if key.text in self.names.counters:
            self.names.report.error(key.place, messages.EVERYBODY_SEES(counter=key.text))
            return

        def look(table: CaseGame) -> Callable[[Spot], ZoneView]:
            view = see(table)
            places = {(zone.name, zone.owner, zone.word): zone for zone in view.zones}
            return lambda spot: places[self._place(spot)]

        yield from self._zones(key, node, owner, _Sight(look, "unseen", viewer))

    def _place(self, spot: Spot) -> tuple[str, int | None, str]:
        """Return name, seat and word by which a view knows a zone."""
        owner_type = self.names.zones[spot[0]]
        word = self.names.program.words[owner_type][spot[1]] if owner_type in self.names.program.words else ""
        return spot[0], spot[1] if owner_type == SEAT else None, word


def _is_drawing(node: Node) -> bool:
    """Return whether contents of a board are drawn as a map."""
    return isinstance(node, source.MappingNode) and MAP_KEY in node.entries


def _check(
    key: Scalar,
    subject: Wording,
    expected: _T | None,
    look: Callable[[CaseGame], _T],
    show: Callable[[_T], str] = str,
    write: Callable[[_T], Any] | None = None,
) -> Check:
    """Return a check of one value.

    expected: None if it could not be read; write: formats the value for files, if not as `show` does.
    """

    def difference(table: CaseGame) -> Mismatch | None:
        actual = look(table)
        return None if expected is None or actual == expected else (show(expected), show(actual))

    return Check(key.place, subject, difference, lambda table: (write or show)(look(table)))


def _compared(spot: Spot, contents: ExpectedContents, look: _Look, table: CaseGame) -> Mismatch | None:
    """Compare a zone with its expected contents."""
    return contents.difference(look(table)(spot))


def _actual_contents(spot: Spot, contents: ExpectedContents, look: _Look, table: CaseGame) -> Any:
    """Return the contents of a zone, in the form of the expectation."""
    return contents.matching(look(table)(spot)).file_value


def _after(key: Scalar, prefix: str) -> Scalar:
    """Return the rest of a key, with its place."""
    return source.text_part(key, len(prefix), key.text[len(prefix) :])
