"""Comparison of two editions: in words that players understand, and by dotted names.

Declarations are compared by name, whatever their order, except for phases and score lines. Changes that players do not
read about, such as a term or a step without a text, are described where they have effects.
"""

from collections.abc import Callable, Iterable

from rulewright.authoring.differences import changes, components, course
from rulewright.authoring.differences.comparison import Difference, EditionComparison
from rulewright.authoring.differences.technical import TextChange, text_changes
from rulewright.game.library import Rules
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase

__all__ = ["Difference", "TextChange", "differences", "text_changes"]

_SECTIONS: tuple[tuple[Phrase, Callable[[EditionComparison], Iterable[Difference]]], ...] = (
    (phrase("rulebook", "Players"), components.players),
    (phrase("rulebook", "Components"), components.components),
    (phrase("changes", "Set-up and figures"), course.figures),
    (phrase("changes", "Phases and steps"), course.phases),
    (phrase("changes", "What cards say"), changes.word_step_changes),
    (phrase("rules", "Powers"), changes.powers),
    (phrase("rulebook", "Virtual players"), changes.roles),
    (phrase("rules", "Scoring"), course.scoring),
    (phrase("rules", "Options"), changes.options),
)
"""Titles of sections in the order in which they are shown, each with the function that yields its differences."""


def differences(before: Rules, after: Rules, language: str = ENGLISH) -> dict[str, list[Difference]]:
    """Return the differences by section, in a language; sections without any are left out."""
    pair = EditionComparison(before, after, language)
    result = {pair.say(title): list(section(pair)) for title, section in _SECTIONS}
    return {title: section for title, section in result.items() if section}
