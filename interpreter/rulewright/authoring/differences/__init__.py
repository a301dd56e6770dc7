"""How two editions differ: in words that players understand, and by dotted names.

Things are compared by name; where they stand does not matter, but for the order of phases and of score lines. What
players never hear of, such as a term or a step without a text, is told where it changes what happens.
"""

from collections.abc import Callable, Iterable

from rulewright.authoring.differences import changes, components, course
from rulewright.authoring.differences.pair import Difference, Pair
from rulewright.authoring.differences.technical import TextChange, technical
from rulewright.model.declarations import Edition

__all__ = ["Difference", "TextChange", "differences", "technical"]

_SECTIONS: dict[str, Callable[[Pair], Iterable[Difference]]] = {
    "Players": components.players,
    "Components": components.components,
    "Set-up and figures": course.figures,
    "Phases and steps": course.phases,
    "Cards": changes.sayings,
    "Powers": changes.powers,
    "Virtual players": changes.roles,
    "Scoring": course.scoring,
    "Options": changes.options,
}


def differences(before: Edition, after: Edition) -> dict[str, list[Difference]]:
    """Section -> how `after` differs from `before`; sections without a difference are left out."""
    pair = Pair(before, after)
    found = {title: list(section(pair)) for title, section in _SECTIONS.items()}
    return {title: section for title, section in found.items() if section}
