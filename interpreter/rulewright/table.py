"""Who may sit at the table of an edition, and which options it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rulewright.diagnostics import RulewrightError, nearest
from rulewright.library import Rules

LONGEST_NAME = 40


class GameError(RulewrightError):
    """A game cannot be started or loaded like that."""


def check_seats(rules: Rules, names: Sequence[str], roles: Sequence[str | None]) -> None:
    """Raises GameError where these seats cannot play this edition."""
    edition = rules.edition
    for name in names:
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise GameError(f"A player's name has 1 to {LONGEST_NAME} letters.")
    for name, count in Counter(names).items():
        if count > 1:
            raise GameError(f"Two players are called '{name}'; give them different names.")
    for wanted in roles:
        if wanted is not None and wanted not in edition.roles:
            hint = nearest(wanted, edition.roles)
            raise GameError(f"{rules.title} has no virtual player '{wanted}'. {hint}".strip())
    people = sum(role is None for role in roles)
    if not edition.people[0] <= people <= edition.people[1]:
        raise GameError(f"{rules.title} is for {_span(edition.people)} players, not {people}.")
    for role in edition.roles.values():
        count = sum(other == role.name for other in roles)
        if role.joins.get(people) and not count:
            raise GameError(f"With {people} players {role.title} must join: add the seat '{role.name}'.")
        if count > (people in role.joins):
            allowed = ", ".join(str(number) for number in sorted(role.joins))
            raise GameError(f"{role.title} can join once, in a game of {allowed} players; here there are {people}.")
    if len(names) not in edition.seat_counts():
        raise GameError(f"{rules.title} has {_span(edition.seats)} seats, not {len(names)}.")


def check_options(rules: Rules, options: Mapping[str, str]) -> dict[str, str]:
    """Every option with its choice. Raises GameError for options or choices that there are not."""
    known = rules.edition.options
    for name, choice in options.items():
        if name not in known:
            listed = ", ".join(known) or "none"
            raise GameError(
                f"{rules.title} has no option '{name}'. {nearest(name, known)} Options: {listed}.".replace("  ", " ")
            )
        if choice not in known[name].choices:
            raise GameError(f"The option '{name}' can be {' or '.join(known[name].choices)}, not '{choice}'.")
    return {name: options.get(name, option.choices[option.default]) for name, option in known.items()}


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
