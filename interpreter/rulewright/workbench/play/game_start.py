"""Start of a workbench game: seats, options, seed, and starting position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios.case_game import StartingPoint
from rulewright.base.diagnostics import EditionError, Report
from rulewright.base.records import record
from rulewright.game.library import Rules, yaml_line
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.i18n.localizer import phrase
from rulewright.model.edition import Edition
from rulewright.players.seating import PERSON, Seat, role_seat, spare_names, usual_people
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode, Scalar

FIRST_SEED = 1
"""Seed of a game for which nobody chooses one."""

_NO_FILE = "position"
"""File name in diagnostics of a position that is in no file."""


@record
class GameStart:
    """Start of a game. seats: names, clockwise; roles: of the virtual players among them; options: those that differ
    from the defaults; position: one in the form of a case's `given`; without it, the game's own set-up is done."""

    seats: tuple[str, ...]
    roles: tuple[str | None, ...]
    options: Mapping[str, str]
    seed: int = FIRST_SEED
    position: Mapping[str, Any] | None = None

    def start(self, rules: Rules) -> StartingPoint:
        """Return the starting point by these rules; options that they no longer have are ignored.

        Raises RulewrightError if such a game cannot start.
        """
        known = rules.edition.options
        known_options = {
            name: choice for name, choice in self.options.items() if name in known and choice in known[name].choices
        }
        if self.position is None:
            check_seats(rules, self.seats, self.roles)
            options = check_options(rules, known_options)
            return StartingPoint(rules, self.seats, self.roles, options, self.seed, None)
        body = {
            "seats": [
                name if role is None else {name: role} for name, role in zip(self.seats, self.roles, strict=True)
            ],
            "options": dict(known_options),
            "seed": str(self.seed),
            "given": self.position,
            "expect": {},
        }
        report = Report()
        try:
            text = yaml_line(body)
        except (RecursionError, TypeError, ValueError):  # untrusted content of the file of lines
            text = ""
        tree = yaml_reader.read(None, text, report, _NO_FILE)
        if isinstance(tree, MappingNode) and report.ok and _is_position(tree):
            case = cases.case(rules, Scalar(_NO_FILE, tree.place), tree, None, report)
            if case is not None and report.ok:
                return case.setting
        if report.errors:
            raise EditionError(report)
        raise GameError(phrase("errors", "This is no position."))


def _is_position(tree: MappingNode) -> bool:
    """Return whether a case begins with a position, which names its phase."""
    position = tree.get("given")
    return isinstance(position, MappingNode) and isinstance(position.get("phase"), Scalar)


def default_start(
    edition: Edition, people: int | None = None, seed: int = FIRST_SEED, roles: Sequence[str] = ()
) -> GameStart:
    """Return a game's default start. people: number of players, without virtual ones; roles: of those that may join."""
    count = usual_people(edition) if people is None else people
    names = islice(spare_names([role.title for role in edition.roles.values()]), count)
    seats = [Seat(name, PERSON) for name in names]
    joining = (role for role in edition.roles.values() if count in role.joins)
    seats += [role_seat(role) for role in joining if role.joins[count] or role.name in roles]
    return GameStart(tuple(seat.name for seat in seats), tuple(seat.role for seat in seats), {}, seed)
