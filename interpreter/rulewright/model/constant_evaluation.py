"""Values of figures that numbers, seats and change sets decide before a game begins.

`hand limit: 10` is 10, and 12 with an option that says so; `number of seats - 1` is 3 with four seats. A figure that
depends on the game's course, such as `number of hand`, is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulewright.model.declarations import ChangeSet, Figure, canonical
from rulewright.model.edition import Edition
from rulewright.program.value_types import PARTS, exact_sum, from_hundredths, parse_hundredths
from rulewright.syntax import sentence_errors, sentences
from rulewright.syntax.condition_nodes import No, Yes
from rulewright.syntax.expression_nodes import Expression, Path
from rulewright.syntax.number_nodes import Negative, Number, NumberOf
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Node

Amount = int | float | bool | None
"""Number, yes or no; None if it depends on the course of the game."""

_MAX_NUMBER = 10**9
"""Largest amount, in either direction; a larger one counts as unknown."""
_LEVELS = ("option", "role", "power")
"""Levels of change sets, in the order in which their changes are applied."""


class FigureEvaluator:
    """Evaluator of figures at a table of `seats`, with chosen (else default) options, for a seat with a role and
    powers."""

    def __init__(
        self,
        edition: Edition,
        seats: int,
        options: Mapping[str, str] | None = None,
        role: str = "",
        powers: Iterable[str] = (),
    ) -> None:
        self.edition, self.seats = edition, seats
        self._choices = {option.name: option.usual_choice for option in edition.options.values()}
        self._choices |= options or {}
        self._active_names = {"role": {role}, "power": set(powers)}
        self._figures = {canonical(name): name for name in edition.figures}
        self._known: dict[str, Amount] = {}

    def figure(self, name: str) -> Amount:
        """Evaluate a value or term, by its name; None also for one that needs itself or has parameters. Raises
        KeyError."""
        if name not in self._known:
            self._known[name] = None  # while it is worked out; what needs itself amounts to nothing
            self._known[name] = self._evaluate(name)
        return self._known[name]

    def expression(self, text: str) -> Amount:
        """Evaluate an expression; None if it cannot be parsed, too."""
        try:
            return _bounded(self._evaluate_tree(sentences.value(text)))
        except sentence_errors.SentenceError:
            return None

    def _evaluate(self, name: str) -> Amount:
        """Return a figure's value with its change sets; None if it depends on the game."""
        figure = self.edition.figures[name]
        if figure.parameters:
            return None
        amount = self._evaluate_case(figure) if figure.cases else self.expression(figure.body.text)
        for operation, text in self._changes(name):
            change = self.expression(re.sub(r"^\s*\+", "", text.text) if operation == "add" else text.text)
            added = None if amount is None or change is None else exact_sum((amount, change))
            amount = change if operation == "set" else added
        return _bounded(amount)

    def _evaluate_case(self, figure: Figure) -> Amount:
        """Return the value of the case that holds; None if it depends on the game."""
        selector = self.expression(figure.body.text)
        keys = [(self.expression(key.text), text) for key, text in figure.cases]
        if selector is None or any(key is None for key, _ in keys):
            return None
        body = next((text for key, text in keys if key == selector), figure.otherwise)
        return self.expression(body.text) if body is not None else None

    def _changes(self, name: str) -> list[tuple[str, Scalar]]:
        """Return the active changes of a figure, as (operation, expression), in the order in which they apply."""
        active = [
            changes for changes in self.edition.change_sets if name in changes.changes and self._is_active(changes)
        ]
        active.sort(key=lambda c: (_LEVELS.index(c.level), c.changes[name][0] != "add"))
        return [changes.changes[name] for changes in active]

    def _is_active(self, changes: ChangeSet) -> bool:
        """Return whether a change set is active for this table and seat."""
        if changes.level == "option":
            return self._choices[changes.name] == changes.choice
        return changes.name in self._active_names[changes.level]

    def _evaluate_tree(self, expression: Node) -> Amount:
        """Return a tree's value; None if it depends on the game."""
        match expression:
            case Number():
                return parse_number(expression.digits)
            case Negative():
                return -parse_number(expression.digits)
            case Yes() | No():
                return isinstance(expression, Yes)
            case Path():
                return self._named_value(only_name(expression))
            case NumberOf():
                return self.seats if only_name(expression.things) == "seat" else None
            case Expression():
                numbers = [_in_hundredths(self._evaluate_tree(part)) for part in expression.children()]
                known = [number for number in numbers if number is not None]
                result = expression.constant(*known) if known and len(known) == len(numbers) else None
                return None if result is None else from_hundredths(result)
        return None

    def _named_value(self, name: str) -> Amount:
        """Return the value of a name: of a figure, or whether an option of yes or no is chosen; None for others."""
        if name in self._figures:
            return self.figure(self._figures[name])
        option = next((o for o in self.edition.options.values() if canonical(o.name) == name), None)
        return self._choices[option.name] == "yes" if option and option.choices == ("no", "yes") else None


def _in_hundredths(amount: Amount) -> int | None:
    """Return a number in hundredths; None stays None."""
    return None if amount is None else round(PARTS * amount)


def parse_number(text: str) -> int | float:
    """Parse a number as sentences write it; one with more than two decimals loses them all."""
    return (
        from_hundredths(parse_hundredths(text)) if re.fullmatch(r"\d+\.\d{1,2}", text) else int(text.partition(".")[0])
    )


def format_amount(amount: Amount) -> str:
    """Format an amount for people; '' for None."""
    if isinstance(amount, bool):
        return "yes" if amount else "no"
    return "" if amount is None else str(amount)


def only_name(expression: Expression) -> str:
    """Return the one name, in the singular, that an expression consists of; else ''."""
    match expression:
        case Path(own=None, names=(name,)):
            return canonical(name.text)
    return ""


def _bounded(amount: Amount) -> Amount:
    """Return an amount, or None if it is too large for a game."""
    return None if amount is not None and abs(amount) > _MAX_NUMBER else amount
