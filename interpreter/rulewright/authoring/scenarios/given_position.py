"""Positions that cases begin with, read from their files."""

from __future__ import annotations

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.runtime import position
from rulewright.runtime.position import TABLE, PositionError, Spot, ZoneContent
from rulewright.runtime.state import State
from rulewright.syntax.source import MappingNode, Node, Scalar


class GivenReader:
    """Reader of the position at the beginning of a case.

    zones: contents that have been read; counters: values that have been read, by index of the word, or 0; places: where
    the file names each zone or counter; listed: names of the pieces in a zone, in the order of the file.
    """

    def __init__(self, names: CaseNames, node: MappingNode, report: Report) -> None:
        self.names, self.node, self.report = names, node, report
        self.zones: dict[Spot, ZoneContent] = {}
        self.counters: dict[Spot, dict[int, int | tuple[int, ...]]] = {}
        self.places: dict[Spot, Scalar] = {}
        self.listed: dict[Spot, list[Scalar]] = {}

    def read(self, roles: list[str | None], options: dict[str, str], seed: int) -> State | None:
        """Return the state at the beginning of the case; None after reporting why it is impossible."""
        names, errors = self.names, len(self.report.errors)
        for key, value in self.node.items():
            if key.text in ("phase", "round"):
                continue
            seat = names.seat_of(key)
            if seat is None:
                self._read_zone_or_counter(key, value, TABLE)
            elif not isinstance(value, MappingNode):
                self.report.error(key.place, messages.EXPECTED_BELONGINGS(seat=key.text))
            else:
                for inner, contents in value.items():
                    self._read_zone_or_counter(inner, contents, seat)
        phase = self.node.entries["phase"]
        assert isinstance(phase, Scalar)
        known = names.resolve(phase, names.phases, messages.PHASE())
        round_node = self.node.get("round")
        number = 1 if round_node is None else names.number(round_node)
        if number is not None and number < 1 and round_node is not None:
            self.report.error(round_node.place, messages.ROUNDS_FROM_ONE())
        if known is None or number is None or len(self.report.errors) > errors:
            return None
        machine = names.rules.machine(len(names.seats))
        try:
            return position.build(
                machine, seed, roles, options,
                phase=known, zones=self.zones, counters=self.counters, round_number=number,
            )  # fmt: skip
        except PositionError as error:
            self.report.error(self._place_of_error(error), error.problem, *error.hints)
            return None

    def _place_of_error(self, error: PositionError) -> SourcePlace:
        """Return the place in the file that causes an impossible position."""
        if error.spot is None or error.spot not in self.places:
            return self.node.place if error.spot is None else self.node.keys["phase"].place
        if error.index is not None and error.index < len(self.listed.get(error.spot, [])):
            return self.listed[error.spot][error.index].place
        return self.places[error.spot].place

    def _read_zone_or_counter(self, key: Scalar, node: Node, owner: int) -> None:
        """Read the contents of a zone, of a board's spaces by a drawing, or of a counter."""
        names = self.names
        if not names.is_here(key.text, owner):
            names.report_unknown_here(key, owner, ["phase", "round"] if owner == TABLE else [])
        elif drawing := names.drawing(key, node):
            meanings = {
                letter: self._read_contents(name_node, meaning, key.text)[0]
                for letter, (name_node, meaning) in drawing.meanings.items()
            }
            for space, letter in drawing.letters.items():
                self.places[key.text, space] = letter
                self.zones[key.text, space] = meanings[letter.text]
        else:
            for name_node, spot, value in names.spots(key, node, owner):
                self.places[spot] = name_node
                if spot[0] in names.zones:
                    self.zones[spot], self.listed[spot] = self._read_contents(name_node, value, key.text)
                    continue
                counter = names.counters[spot[0]]
                for _, word, entry in names.word_entries(counter, name_node, value):
                    if (number := names.parse_value(entry, counter.type)) is not None:
                        self.counters.setdefault(spot, {})[word] = number

    def _read_contents(self, key: Scalar, node: Node, zone: str) -> tuple[ZoneContent, list[Scalar]]:
        """Return the contents of a zone, and the nodes of the pieces' names. key: for messages."""
        names = self.names
        if isinstance(node, Scalar) and node.text == "rest":
            return ZoneContent(rest=True), []
        if isinstance(node, Scalar) and not names.is_single_piece(node, zone):
            place = key.place if node.absent else node.place
            self.report.error(place, messages.EXPECTED_CONTENTS(zone=key.text))
            return ZoneContent(), []
        on_top = isinstance(node, MappingNode)
        pieces = node.get("top") if isinstance(node, MappingNode) else node
        rest = isinstance(node, MappingNode) and "rest" in node.entries
        if isinstance(node, MappingNode) and not node.entries.keys() <= {"top", "rest"}:
            self.report.error(key.place, messages.EXPECTED_TOP(zone=key.text))
        listed = [] if pieces is None else [pieces] if isinstance(pieces, Scalar) else names.texts(pieces)
        laid = [] if pieces is None else names.pieces_of(pieces, zone)
        return ZoneContent(tuple(laid), on_top, rest), listed
