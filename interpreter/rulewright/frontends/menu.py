"""A few questions before a game: which edition, against how many, with which options. Enter accepts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.declarations import Edition, OptionDeclaration
from rulewright.diagnostics import nearest
from rulewright.frontends.console import Console, Styled
from rulewright.game import Game
from rulewright.library import Rules
from rulewright.seating import Seat, missing_roles, role_seat, table_for, usual_people

_YES, _NO = ("y", "yes"), ("n", "no")


def choose_edition(console: Console, names: Sequence[str]) -> str:
    """One of several editions."""
    console.say(Styled("Which game?", "strong"))
    for number, name in enumerate(names, 1):
        console.say("  ", Styled(f"{number})", "key"), f" {name}")
    while True:
        answer = console.ask("Number or name [1]>", names).strip() or "1"
        if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matches = [name for name in names if answer.casefold() in name.casefold()]
        if len(matches) == 1:
            return matches[0]
        console.paragraph(f"Type a number from 1 to {len(names)}. {nearest(answer, names)}", style="bad")


def choose_seats(console: Console, edition: Edition) -> list[Seat]:
    """You, a number of opponents, and the virtual players that may join."""
    console.say(Styled(edition.full_title(), "title"), " · Enter accepts what stands in brackets")
    low, high = max(edition.people[0], 1) - 1, edition.people[1] - 1
    usual = usual_people(edition) - 1
    opponents = _number(console, "How many opponents", low, high, usual) if low < high else usual
    seats = table_for(opponents + 1, edition)
    for role in missing_roles(seats, edition):
        console.paragraph(f"{role.title} joins: with {opponents + 1} players that is part of the game.")
        seats.append(role_seat(role))
    for role in edition.roles.values():
        optional = role.joins.get(opponents + 1) is False and len(seats) < edition.seats[1]
        if optional and confirmed(console, f"Does {role.title} join too?", usual=False):
            seats.append(role_seat(role))
    return seats


def choose_options(console: Console, rules: Rules, seats: Sequence[Seat]) -> dict[str, str]:
    """The options, shown with their texts; each can be changed until all are as wanted."""
    declared = rules.edition.options
    if not declared:
        return {}
    chosen = {name: _usual(option) for name, option in declared.items()}
    roles = {seat.name: seat.role for seat in seats if seat.role}
    texts = Game.start(rules, [seat.name for seat in seats], None, 0, roles)
    names = list(declared)
    while True:
        console.say(Styled("Options", "strong"))
        for number, name in enumerate(names, 1):
            first = Styled(f"{number}) {name}: {chosen[name]}.", "key")
            console.paragraph(texts.rule(f"options.{name}", 0), indent="  ", first=first, hang="   ")
        answer = console.ask("Change which number? Enter begins the game>", names).strip()
        if not answer:
            return {name: choice for name, choice in chosen.items() if choice != _usual(declared[name])}
        changed = _option(answer, names)
        if changed is None:
            hint = nearest(answer, names)
            console.paragraph(f"Type a number from 1 to {len(names)}, or Enter. {hint}", style="bad")
            continue
        choices = declared[changed].choices
        chosen[changed] = choices[(choices.index(chosen[changed]) + 1) % len(choices)]


def confirmed(console: Console, question: str, usual: bool) -> bool:
    """A question answered by yes or no; Enter means the usual."""
    while True:
        answer = console.ask(f"{question} [{'Y/n' if usual else 'y/N'}]>").strip().casefold()
        if not answer:
            return usual
        if answer in (*_YES, *_NO):
            return answer in _YES
        console.paragraph("Answer y or n, or press Enter.", style="bad")


def _number(console: Console, question: str, low: int, high: int, usual: int) -> int:
    while True:
        answer = console.ask(f"{question}, {low} to {high}? [{usual}]>").strip() or str(usual)
        if re.fullmatch("[0-9]{1,4}", answer) and low <= int(answer) <= high:
            return int(answer)
        console.paragraph(f"Type a number from {low} to {high}, or Enter for {usual}.", style="bad")


def _usual(option: OptionDeclaration) -> str:
    return option.choices[option.default]


def _option(answer: str, names: Sequence[str]) -> str | None:
    if re.fullmatch("[0-9]{1,4}", answer):
        return names[int(answer) - 1] if 1 <= int(answer) <= len(names) else None
    return next((name for name in names if name.casefold() == answer.casefold()), None)
