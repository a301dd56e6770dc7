"""Rules in words with the figures that hold at a table: where they depend on the number of seats, all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.languages.speech import Argument, Either, Phrase
from rulewright.library import Rules
from rulewright.machine import Machine
from rulewright.messages import Messages
from rulewright.program import RuleText


class RuleTexts:
    """The rules of an edition with its options as they are chosen: name -> choice, all of them."""

    def __init__(self, rules: Rules, options: Mapping[str, str]) -> None:
        self.options = options
        self._chosen = [option.choices.index(options[name]) for name, option in rules.edition.options.items()]
        self._tables = [rules.machine(seats) for seats in rules.edition.seat_counts()]
        self._messages = [
            Messages(machine.program, rules.edition, [str(seat + 1) for seat in range(machine.program.layout.seats)])
            for machine in self._tables
        ]

    def told(self) -> list[str]:
        """The keys of the rules that are told in words."""
        return list(dict.fromkeys(key for machine in self._tables for key in machine.program.rules))

    def rule(self, key: str) -> Phrase | None:
        """A rule in words, or None if nothing is said of it."""
        found = [
            (messages, machine, machine.program.rules[key])
            for messages, machine in zip(self._messages, self._tables, strict=True)
            if key in machine.program.rules
        ]
        if not found:
            return None
        phrases = [self._phrase(*table, key) for table in found]
        slots = tuple((name, _either([dict(each.slots)[name] for each in phrases])) for name, _ in phrases[0].slots)
        return Phrase(phrases[0].context, phrases[0].text, slots)

    def _phrase(self, messages: Messages, machine: Machine, rule: RuleText, key: str) -> Phrase:
        section, _, name = key.partition(".")
        roles = [machine.program.roles.index(name)] if section == "roles" else []
        state = machine.new(0, roles, self._chosen)
        arguments: list[Any] = machine.call(rule.function, state, 0)
        for place, type_ in enumerate(rule.text.types):
            if type_.base == "piece":
                at = machine.program.layout.at
                arguments[place] = [
                    (machine.program.look(state, piece), state[at + piece]) for piece in arguments[place]
                ]
        return messages.text(rule.text, arguments, None)


def _either(arguments: list[Argument]) -> Argument:
    """One of several numbers, where they differ."""
    several = list(dict.fromkeys(arguments))
    numbers = [argument for argument in several if isinstance(argument, int)]
    return Either(tuple(numbers)) if len(numbers) == len(several) > 1 else several[0]
