"""How a game of the workbench begins: who sits there, with which options and luck, and in which position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios.table import StartingPoint
from rulewright.base.diagnostics import Report
from rulewright.base.records import record
from rulewright.game.library import Rules, flow
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.model.declarations import Edition
from rulewright.players.seating import PERSON, Seat, role_seat, spare_names, usual_people
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode, Scalar

FIRST_SEED = 1

_MADE_UP = "position"
"""Stands for a file's name where there is none."""


@record
class GameBeginning:
    """seats: names, clockwise; roles: of the virtual players among them; options: those that are not as usual; given: a
    position as `given` of a case has it, without which the game's own set-up is done."""

    seats: tuple[str, ...]
    roles: tuple[str | None, ...]
    options: Mapping[str, str]
    seed: int = FIRST_SEED
    given: Mapping[str, Any] | None = None

    def start(self, rules: Rules) -> StartingPoint:
        """Where it begins by these rules; options that they do not have any more are as usual.

        Raises RulewrightError where such a game cannot begin.
        """
        known = rules.edition.options
        kept = {
            name: choice for name, choice in self.options.items() if name in known and choice in known[name].choices
        }
        if self.given is None:
            check_seats(rules, self.seats, self.roles)
            options = check_options(rules, kept)
            return StartingPoint(rules, self.seats, self.roles, options, self.seed, None)
        body = {
            "seats": [
                name if role is None else {name: role} for name, role in zip(self.seats, self.roles, strict=True)
            ],
            "options": dict(kept),
            "seed": str(self.seed),
            "given": self.given,
            "expect": {},
        }
        report = Report()
        try:
            text = flow(body)
        except (RecursionError, TypeError, ValueError):  # whatever lies in the file of lines
            text = ""
        tree = yaml_reader.read(None, text, report, _MADE_UP)
        if isinstance(tree, MappingNode) and report.ok and _is_given(tree):
            case = cases.case(rules, Scalar(_MADE_UP, tree.place), tree, None, report)
            if case is not None and report.ok:
                return case.setting
        found = report.errors[0] if report.errors else None
        raise GameError(" ".join(filter(None, (found.message, found.hint))) if found else "This is no position.")


def _is_given(tree: MappingNode) -> bool:
    given = tree.get("given")
    return isinstance(given, MappingNode) and isinstance(given.get("phase"), Scalar)


def usual(
    edition: Edition, people: int | None = None, seed: int = FIRST_SEED, roles: Sequence[str] = ()
) -> GameBeginning:
    """A game as it is mostly begun. people: how many play, without virtual players; roles: of those that may join."""
    count = usual_people(edition) if people is None else people
    names = islice(spare_names([role.title for role in edition.roles.values()]), count)
    seats = [Seat(name, PERSON) for name in names]
    joining = (role for role in edition.roles.values() if count in role.joins)
    seats += [role_seat(role) for role in joining if role.joins[count] or role.name in roles]
    return GameBeginning(tuple(seat.name for seat in seats), tuple(seat.role for seat in seats), {}, seed)
