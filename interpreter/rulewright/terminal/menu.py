"""Menus before a game: edition, opponents and options. Enter accepts the default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Person, Phrase, phrase, suggestion
from rulewright.model.declarations import Role
from rulewright.model.edition import Edition
from rulewright.model.idle_options import idle_options
from rulewright.players.seating import Seat, missing_roles, role_seat, table_for, usual_people
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels
from rulewright.terminal.prompt import NO, YES, truth_words
from rulewright.terminal.rules import show_choices


def choose_edition(console: Console, names: Sequence[str], series: Mapping[str, str]) -> str:
    """Ask for one of several editions; return its name. series: headings of those that belong to a series; a series is
    contiguous."""
    console.write_line(Styled(console.translate(phrase("menu", "Which game?")), "strong"))
    heading = ""
    for number, name in enumerate(names, 1):
        if series.get(name, "") != heading:
            heading = series.get(name, "")
            console.write_line(Styled(heading, "strong"))
        console.write_line("  ", Styled(f"{number})", "key"), f" {name}")
    while True:
        answer = console.ask(phrase("menu", "Number or name [1]>"), names).strip() or "1"
        if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        matches = [name for name in names if answer.casefold() in name.casefold()]
        if len(matches) == 1:
            return matches[0]
        hint = suggestion(answer, names)
        message = phrase("menu", "Type a number from 1 to {count}. {hint}", count=len(names), hint=hint)
        console.paragraph(message, style="bad")


def choose_seats(console: Console, edition: Edition) -> list[Seat]:
    """Ask for opponents and optional virtual players; return the seats, the person's first. Virtual players that are
    part of the game join without a question."""
    accepts = console.translate(phrase("menu", "Enter accepts what stands in brackets"))
    console.write_line(Styled(edition.full_title(), "title"), f" · {accepts}")
    low, high = max(edition.people[0], 1) - 1, edition.people[1] - 1
    usual = usual_people(edition) - 1
    opponents = _ask_number(console, low, high, usual) if low < high else usual
    seats = table_for(opponents + 1, edition)
    for role in missing_roles(seats, edition):
        console.paragraph(joining_message(role, opponents + 1))
        seats.append(role_seat(role))
    for role in edition.roles.values():
        optional = role.joins.get(opponents + 1) is False and len(seats) < edition.seats[1]
        if optional and confirm(console, phrase("menu", "Does {name} join too?", name=Person(role.title)), usual=False):
            seats.append(role_seat(role))
    return seats


def ask_for_person(console: Console, edition: Edition, name: str) -> bool:
    """Ask whether a seat that is named like a virtual player of another edition is a person's; else the computer plays
    it."""
    message = phrase("menu", "{title} has no virtual player '{name}'.", title=edition.full_title(), name=name)
    console.paragraph(message)
    return confirm(console, phrase("menu", "Is {name} a person at this table?", name=Person(name)), usual=False)


def joining_message(role: Role, people: int) -> Phrase:
    """Explain why a virtual player joins."""
    return phrase(
        "menu",
        "{name} joins: with {count} [player|players] that is part of the game.",
        name=Person(role.title),
        count=people,
    )


def choose_options(console: Console, rules: Rules, seats: Sequence[Seat]) -> dict[str, str]:
    """Show the options with their texts, and switch one that is named to its next choice, until all are as wanted;
    return those that differ from their defaults. Options without effect for these seats are left out."""
    idle = idle_options(rules.edition, len(seats))
    declared = {name: option for name, option in rules.edition.options.items() if name not in idle}
    if not declared:
        return {}
    chosen_choices = {name: option.usual_choice for name, option in declared.items()}
    roles = {seat.name: seat.role for seat in seats if seat.role}
    sample_game = Game.start(rules, [seat.name for seat in seats], None, 0, roles)
    language, labels = console.localizer.language, Labels(sample_game, console.localizer.language)
    names, say, terms = list(declared), labels.say, labels.terms
    while True:
        console.write_line(Styled(console.translate(phrase("menu", "Options")), "strong"))
        for number, name in enumerate(names, 1):
            option, choice = (
                labels.localizer.title(terms.option(name)),
                say(terms.choice(name, chosen_choices[name])),
            )
            first = Styled(f"{number}) {console.localizer.entry(option, choice)}.", "key")
            console.paragraph(
                sample_game.rule_texts.rule(RuleKey.of("options", name), 0, language),
                indent="  ",
                first=first,
                hang="   ",
            )
            show_choices(console, sample_game, labels, RuleKey.of("options", name), 0)
        answer = console.ask(phrase("menu", "Change which number? Enter begins the game>"), names).strip()
        if not answer:
            return {name: choice for name, choice in chosen_choices.items() if choice != declared[name].usual_choice}
        titles = [say(terms.option(name)) for name in names]
        changed = _find_option(answer, names, titles)
        if changed is None:
            hint = suggestion(answer, titles)
            message = phrase("menu", "Type a number from 1 to {count}, or Enter. {hint}", count=len(names), hint=hint)
            console.paragraph(message, style="bad")
            continue
        choices = declared[changed].choices
        chosen_choices[changed] = choices[(choices.index(chosen_choices[changed]) + 1) % len(choices)]


def confirm(console: Console, question: Phrase, usual: bool) -> bool:
    """Ask a question of yes or no; Enter means the usual answer."""
    yes, no = truth_words(YES, console.localizer), truth_words(NO, console.localizer)
    letters = f"{yes[-1].upper()}/{no[-1]}" if usual else f"{yes[-1]}/{no[-1].upper()}"
    while True:
        answer = console.ask(f"{console.translate(question)} [{letters}]>").strip().casefold()
        if not answer:
            return usual
        if answer in (*yes, *no):
            return answer in yes
        message = phrase("menu", "Answer {y} or {n}, or press Enter.", y=yes[-1], n=no[-1])
        console.paragraph(message, style="bad")


def _ask_number(console: Console, low: int, high: int, usual: int) -> int:
    """Ask for a number of opponents until one is given."""
    question = phrase("menu", "How many opponents, {low} to {high}? [{usual}]>", low=low, high=high, usual=usual)
    while True:
        answer = console.ask(question).strip() or str(usual)
        if re.fullmatch("[0-9]{1,4}", answer) and low <= int(answer) <= high:
            return int(answer)
        message = phrase(
            "menu", "Type a number from {low} to {high}, or Enter for {usual}.", low=low, high=high, usual=usual
        )
        console.paragraph(message, style="bad")


def _find_option(answer: str, names: Sequence[str], titles: Sequence[str]) -> str | None:
    """Return the name of the option that an answer means by number (from 1), name or title; None if there is none.
    titles: of the names, in the reader's language."""
    if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(names):
        return names[int(answer) - 1]
    pairs = [*zip(names, names, strict=True), *zip(names, titles, strict=True)]
    return next((name for name, shown in pairs if shown.casefold() == answer.casefold()), None)
