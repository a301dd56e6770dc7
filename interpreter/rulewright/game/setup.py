"""Checks of seats and options for a new game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Either, Localizer, Phrase, english, phrase, suggestion

MAX_NAME_LENGTH = 40
"""Maximum number of characters of a player's name."""


class GameError(RulewrightError):
    """Game that cannot be started or loaded."""


def check_seats(rules: Rules, names: Sequence[str], roles: Sequence[str | None]) -> None:
    """Check that these seats can play the edition. Raises GameError for an unusable or repeated name, an unknown
    virtual player, one that must join and does not or may not and does, and a wrong number of people or seats."""
    edition = rules.edition
    for name in names:
        if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
            raise GameError(
                phrase("errors", "A player's name must have 1 to {count} characters.", count=MAX_NAME_LENGTH)
            )
    for name, count in Counter(names).items():
        if count > 1:
            message = phrase("errors", "Two players are called '{name}'; give them different names.", name=name)
            raise GameError(message)
    for role_name in roles:
        if role_name is not None and role_name not in edition.roles:
            slots = {"title": rules.title, "name": role_name, "hint": suggestion(role_name, list(edition.roles))}
            raise GameError(phrase("errors", "{title} has no virtual player '{name}'. {hint}", **slots))
    people = sum(role is None for role in roles)
    if not edition.people[0] <= people <= edition.people[1]:
        raise GameError(
            phrase(
                "errors",
                "{title} is for {span} players, not {count}.",
                title=rules.title,
                span=_span(edition.people),
                count=people,
            )
        )
    for role in edition.roles.values():
        count = sum(other == role.name for other in roles)
        if role.joins.get(people) and not count:
            raise GameError(
                phrase(
                    "errors",
                    "With {count} [player|players] {name} must join: add the seat '{seat}'.",
                    count=people,
                    name=role.title,
                    seat=role.name,
                )
            )
        if count > (people in role.joins):
            raise GameError(
                phrase(
                    "errors",
                    "{name} can join once, in a game of {allowed} players; here there are {count}.",
                    name=role.title,
                    allowed=", ".join(str(number) for number in sorted(role.joins)),
                    count=people,
                )
            )
    if len(names) not in edition.seat_counts():
        span = _span(edition.seats)
        message = phrase(
            "errors", "{title} has {span} seats, not {count}.", title=rules.title, span=span, count=len(names)
        )
        raise GameError(message)


def check_options(rules: Rules, options: Mapping[str, str], localizer: Localizer | None = None) -> dict[str, str]:
    """Check chosen options; return every option of the edition with its choice, by default the usual one. localizer:
    for names of options in errors. Raises GameError for unknown options or choices."""
    known, say, terms = rules.edition.options, (localizer or english()).say, Terms(rules.edition)
    untyped_options: object = options
    if not isinstance(untyped_options, Mapping):  # callers may be untyped
        message = phrase("errors", "Options are names with their choices, not '{given}'.", given=str(options)[:60])
        raise GameError(message)
    for name, choice in ((str(name), str(choice)) for name, choice in options.items()):
        if name not in known:
            titles = [say(terms.option(other)) for other in known]
            raise GameError(
                phrase(
                    "errors",
                    "{title} has no option '{name}'. {hint} Options: {options}.",
                    title=rules.title,
                    name=name,
                    hint=suggestion(name, titles),
                    options=(localizer or english()).join_items(titles) or phrase("errors", "none"),
                )
            )
        if choice not in known[name].choices:
            choices = Either(tuple(say(terms.choice(name, other)) for other in known[name].choices))
            raise GameError(
                phrase(
                    "errors",
                    "The option '{name}' can be {choices}, not '{choice}'.",
                    name=say(terms.option(name)),
                    choices=choices,
                    choice=choice,
                )
            )
    return {name: options.get(name, option.usual_choice) for name, option in known.items()}


def _span(span: tuple[int, int]) -> Phrase | str:
    if span[0] == span[1]:
        return str(span[0])
    return phrase("errors", "{least} to {most}", least=span[0], most=span[1])


def parse_options(arguments: Sequence[str], rules: Rules, localizer: Localizer | None = None) -> dict[str, str]:
    """Parse command-line options: NAME=VALUE, or NAME alone for yes/no options; hyphens may replace spaces. localizer:
    its names are accepted, too, and the options are checked; without one they are not. Raises GameError like
    `check_options`."""
    options: dict[str, str] = {}
    for text in arguments:
        name, equals, choice = (part.strip() for part in text.partition("="))
        name = _resolve_name(
            name, {other: Terms(rules.edition).option(other) for other in rules.edition.options}, localizer
        )
        if equals and name in rules.edition.options:
            choices = rules.edition.options[name].choices
            choice = _resolve_name(
                choice, {other: Terms(rules.edition).choice(name, other) for other in choices}, localizer
            )
        options[name] = choice if equals else "yes"
    if localizer is not None:
        check_options(rules, options, localizer)
    return options


def _resolve_name(typed: str, terms: Mapping[str, Phrase], localizer: Localizer | None) -> str:
    """Return the name in the edition that a typed text means, in the edition's or a reader's language, with hyphens for
    spaces; unknown text is unchanged."""
    spaced = typed.replace("-", " ").replace("_", " ")
    names_by_title = (
        {localizer.say(term).casefold(): name for name, term in terms.items()} if localizer is not None else {}
    )
    matches = (name for name in (typed, spaced) if name in terms)
    return next(matches, names_by_title.get(typed.casefold(), names_by_title.get(spaced.casefold(), typed)))
