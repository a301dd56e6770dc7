"""Expected decisions of a case: the seats that are asked, and what each may answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.checks import Check
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.authoring.scenarios.zone_expectations import Mismatch, format_list
from rulewright.game.decisions import Decision
from rulewright.syntax.source import Node, Scalar, SequenceNode

DecisionDetails = Mapping[str, object]
"""Details of one decision by name, as in `_DETAILS`: those that a case expects, and no others."""

_DETAILS: Mapping[str, Callable[[Decision], object]] = {
    "id": lambda decision: decision.id,
    "choices": lambda decision: sorted(choice.key for choice in decision.choices for _ in range(choice.count)),
    "least": lambda decision: decision.least,
    "most": lambda decision: decision.most,
}
"""Readers of the details that a case can expect: id, sorted keys of choices, minimum and maximum number of choices."""


class DecisionExpectations:
    """Reader of what a case expects under `asked`."""

    def __init__(self, names: CaseNames) -> None:
        self._names = names

    def check(self, key: Scalar, node: Node) -> Check:
        """Return the check that the named seats, and no others, have decisions with the expected details: a list of
        seats, seats with details, or a text such as `nobody`, which means none."""
        expected: dict[str, DecisionDetails] = {}
        names = self._names.texts(node) if isinstance(node, SequenceNode) else []
        for name, details in [(name, None) for name in names] or self._names.entries(node):
            if self._names.seat(name) is not None:
                expected[name.text] = {} if details is None else self._details(details)

        def difference(table: CaseGame) -> Mismatch | None:
            actual = self._actual(expected, table)
            return None if expected == actual else (_format_decisions(expected), _format_decisions(actual))

        return Check(key.place, messages.WHO_IS_ASKED(), difference, lambda table: self._file_value(expected, table))

    def _details(self, node: Node) -> DecisionDetails:
        """Return the expected details of a decision; a plain text is its id."""
        entries = {key.text: value for key, value in self._names.entries(node)} or {"id": node}
        details: dict[str, object] = {}
        for name, value in entries.items():
            if name == "id":
                details[name] = self._names.resolve(self._names.scalar(value), self._names.sites, messages.DECISION())
            elif name == "choices":
                details[name] = sorted(choice.text for choice in self._names.texts(value))
            else:
                details[name] = self._names.number(value)
        return details

    def _actual(self, expected: Mapping[str, DecisionDetails], table: CaseGame) -> dict[str, DecisionDetails]:
        """Return the open decisions of seats: expected details, or the id for a seat without expectation."""
        decisions = ((self._names.seats[decision.seat], decision) for decision in table.game.decisions())
        return {
            name: {detail: _DETAILS[detail](decision) for detail in expected.get(name, ["id"])}
            for name, decision in decisions
        }

    def _file_value(self, expected: Mapping[str, DecisionDetails], table: CaseGame) -> Any:
        """Return the open decisions as a file has them: only seats unless details are expected of any."""
        actual = self._actual(expected, table)
        if not actual or not any(expected.values()):
            return list(actual) or "nobody"
        return {name: details["id"] if set(details) == {"id"} else details for name, details in actual.items()}


def _format_decisions(decisions: Mapping[str, DecisionDetails]) -> str:
    """Format seats with their decisions, on one line."""

    def details_text(details: DecisionDetails) -> str:
        parts = []
        for name in (name for name in _DETAILS if name in details):
            value = details[name]
            prefix = "" if name == "id" else f"{name} "
            parts.append(prefix + (format_list(value) if isinstance(value, list) else str(value)))
        return f" ({'; '.join(parts)})" if parts else ""

    return (
        format_list(f"{seat}{details_text(details)}" for seat, details in sorted(decisions.items()))
        if decisions
        else "nobody"
    )
