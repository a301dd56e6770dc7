"""Settings of a run: the combinations of options and values that are tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod

from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.game.setup import check_options
from rulewright.i18n.localizer import Phrase, phrase, suggestion
from rulewright.model.edition import Edition
from rulewright.simulation.plan import MAX_SETTINGS, PlanError

_NUMBER = re.compile(r"-?\d{1,9}")
"""Whole number as a value."""


def settings(rules: Rules, assignments: Sequence[str]) -> list[dict[str, str]]:
    """Return every combination of texts such as NAME=VALUE,VALUE…, the last name changing first; one empty setting
    without any. Raises PlanError, GameError."""
    values = _values(rules, assignments)
    return [dict(zip(values, combination, strict=True)) for combination in product(*values.values())]


def with_own(rules: Rules, requested: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return the settings, preceded by the unchanged edition if it is none of them: the others are compared with it."""
    own = own_values(rules, requested[0])
    return list(requested) if own in requested else [own, *requested]


def own_values(rules: Rules, names: Iterable[str]) -> dict[str, str]:
    """Return the edition's own options and values of these names, as texts; each is an option or a plain number."""
    edition, own = rules.edition, {}
    for name in names:
        if name in edition.options:
            option = edition.options[name]
            own[name] = option.usual_choice
        else:
            own[name] = str(int(edition.figures[name].body.text.strip()))
    return own


def _values(rules: Rules, assignments: Sequence[str]) -> dict[str, list[str]]:
    """Return the values to try of each name, as they are given; numbers in their shortest form, 'yes' for a name alone.
    Raises PlanError, also for too many combinations, and GameError for an unknown choice of an option."""
    edition = rules.edition
    values: dict[str, list[str]] = {}
    for text in assignments:
        name, equals, values_text = (part.strip() for part in text.partition("="))
        name = _known(name, rules)
        if name in values:
            raise PlanError(
                phrase(
                    "errors",
                    "'{name}' is given twice; list all its values at once: {example}.",
                    name=name,
                    example=f'--option "{name}=1,2"',
                )
            )
        values[name] = [value.strip() for value in values_text.split(",")] if equals else ["yes"]
        for value in values[name]:
            _check(rules, name, value)
        if name not in edition.options:
            values[name] = [str(int(value)) for value in values[name]]
        if len(set(values[name])) < len(values[name]):
            raise PlanError(
                phrase("errors", "'{name}' has the same value twice: {values}.", name=name, values=values_text)
            )
    if (count := prod(map(len, values.values()))) > MAX_SETTINGS:
        raise PlanError(
            phrase(
                "errors",
                "These are {count} combinations; at most {most} are played in one run.",
                count=count,
                most=MAX_SETTINGS,
            )
        )
    return values


def rules_of(rules: Rules, setting: Mapping[str, str]) -> Rules:
    """Return the rules with a setting's values; the same rules if it has options alone, which are chosen elsewhere.
    Raises EditionError."""
    numbers = {name: value for name, value in setting.items() if name not in rules.edition.options}
    below = {name: f"0 - {value[1:]}" if value.startswith("-") else value for name, value in numbers.items()}
    return library.with_values(rules, below) if below else rules


def _known(name: str, rules: Rules) -> str:
    """Return the option or plain number of that name; hyphens may stand for spaces. Raises PlanError."""
    edition, spaced = rules.edition, name.replace("-", " ").replace("_", " ")
    numbers = plain_numbers(edition)
    for known in (name, spaced):
        if known in edition.options or known in numbers:
            return known
    if spaced in edition.figures and edition.figures[spaced].is_value:
        body = " ".join(edition.figures[spaced].body.text.split())
        raise PlanError(
            phrase(
                "errors",
                "The value '{name}' is no plain number in {title}: it is worked out from '{figure}'. Only options and "
                "plain numbers are tried here; a variant can say more: {command}.",
                name=spaced,
                title=rules.title,
                figure=body,
                command="rulewright new NAME --from EDITION",
            )
        )
    raise PlanError(
        phrase(
            "errors",
            "{title} has no option or value '{name}'. {hint} Options: {options}. Values: {values}.",
            title=rules.title,
            name=name,
            hint=suggestion(name, [*edition.options, *numbers]),
            options=_format_list(edition.options),
            values=_format_list(numbers),
        )
    )


def _format_list(names: Iterable[str]) -> Phrase | str:
    """Return names as text, or that there are none."""
    return ", ".join(names) or phrase("errors", "none")


def plain_numbers(edition: Edition) -> list[str]:
    """Return the values that are plain numbers."""
    figures = edition.figures.values()
    return [f.name for f in figures if f.is_value and not f.cases and _NUMBER.fullmatch(f.body.text.strip())]


def _check(rules: Rules, name: str, value: str) -> None:
    """Check that an option or value can be set so. Raises PlanError, GameError."""
    if name in rules.edition.options:
        check_options(rules, {name: value})
    elif not _NUMBER.fullmatch(value):
        raise PlanError(
            phrase("errors", "The value '{name}' is a whole number, not '{value}'.", name=name, value=value)
        )
