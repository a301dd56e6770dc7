"""Rules in words, with all figures that depend on the number of seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.log import localizer_of_rules
from rulewright.game.messages import Messages
from rulewright.i18n.localizer import ENGLISH, Argument, Either, Phrase, Term, phrase
from rulewright.model.declarations import ANSWERS_PER_SEAT
from rulewright.model.edition import Edition
from rulewright.program.form import Program, RuleText
from rulewright.runtime.information_state import determinize, information_state, is_known
from rulewright.runtime.machine import Machine, RuleError
from rulewright.runtime.read_tracking import ReadState, cells
from rulewright.runtime.state import State, clone


class RuleTexts:
    """Rules of an edition with chosen options: name -> choice, complete."""

    def __init__(self, rules: Rules, options: Mapping[str, str]) -> None:
        self.edition, self.options = rules.edition, options
        self._choice_numbers = [option.choices.index(options[name]) for name, option in rules.edition.options.items()]
        self._tables = [rules.machine(seats) for seats in rules.edition.seat_counts()]
        self._messages = [
            Messages(machine.program, rules.edition, [str(seat + 1) for seat in range(machine.program.layout.seats)])
            for machine in self._tables
        ]

    def rule_keys(self) -> list[RuleKey]:
        """Return the keys of the rules that have a text."""
        return list(dict.fromkeys(key for machine in self._tables for key in machine.program.rules))

    def rule(self, key: str) -> Phrase | None:
        """Return a rule in words, or None without one. Raises RuleError for a figure that cannot be computed.

        The figures are those where the rule holds: of a power, for a seat that has it; of a role, for a seat that plays
        it; of an option or choice, where it is chosen; of a ruling, where the rule it is about holds.
        """
        place = RuleKey(key)
        tables = [
            (messages, machine, machine.program.rules[place])
            for messages, machine in zip(self._messages, self._tables, strict=True)
            if place in machine.program.rules and self._may_hold(place, machine.program.layout.seats)
        ]
        if not tables:
            return None
        phrases = [self._phrase(*table, place) for table in tables]
        slots = tuple((name, _either([dict(each.slots)[name] for each in phrases])) for name, _ in phrases[0].slots)
        return Phrase(phrases[0].context, phrases[0].text, slots)

    def by_seats(self, figure: str) -> dict[int, Argument]:
        """Return a figure with a noun for each number of seats. Raises RuleError if it cannot be computed."""
        result: dict[int, Argument] = {}
        for messages, machine in zip(self._messages, self._tables, strict=True):
            text = machine.program.asides[f"values.{figure}", f"{{{figure}}}"]
            result[machine.program.layout.seats] = self._phrase(messages, machine, text, RuleKey("setup")).slots[0][1]
        return result

    def _may_hold(self, key: RuleKey, seats: int) -> bool:
        """Return whether a rule can hold with a number of seats; that of a role only if it and the others may join."""
        about = self.edition.rulings[key.name].about if key.section == "rulings" else key
        possible = self._seats_with(about.name) if about.section == "roles" else set()
        return not possible or seats in possible

    def _seats_with(self, role: str) -> set[int]:
        """Return the numbers of seats at which a role can take part."""
        edition, numbers = self.edition, set[int]()
        for people, must in edition.roles[role].joins.items():
            others = [other.joins[people] for other in edition.roles.values() if people in other.joins]
            if edition.people[0] <= people <= edition.people[1]:
                least = sum(others) if must else sum(others) + 1
                numbers |= set(range(people + least, people + len(others) + 1))
        return numbers & set(edition.seat_counts())

    def _phrase(self, messages: Messages, machine: Machine, rule: RuleText, key: RuleKey) -> Phrase:
        """Return a rule's text as at the beginning of a game, with the rule in force."""
        state = with_rule_in_force(self.edition, machine.program, machine.new(0, (), self._choice_numbers), key, 0)
        arguments: list[Any] = machine.call(rule.function, state, 0)
        return messages.text(rule.text, with_zones(machine.program, state, rule, arguments), None)


class CurrentRuleTexts:
    """Rules of a game in words, with the figures that hold in a state of it."""

    def __init__(self, rules: Rules, machine: Machine, messages: Messages, state: State) -> None:
        self._rules, self._machine, self._messages, self._state = rules, machine, messages, state
        self._program = machine.program

    def rule(self, key: str, seat: int, language: str = ENGLISH) -> str:
        """Return a rule in words, with the figures that hold for a seat (in the rule of a power, role or option, those
        that hold with it); '' if there is none.

        key: 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME', 'options.NAME', 'options.NAME.choices.CHOICE',
        'scoring.NAME', 'rulings.NAME', 'ranking', 'setup' or 'edition'.
        """
        place = RuleKey(key)
        rule = self._program.rules.get(place)
        if rule is None:
            return ""
        if not rule.text.slots:
            return self._say(rule, (), seat, language)
        figures = self._visible_figures(rule, seat) if place.section in ("phases", "steps") else None
        if figures is None:
            state = with_rule_in_force(self._rules.edition, self._program, self._possible_state(seat), place, seat)
            figures = self._figures(rule, state, seat)
        return self._say(rule, figures, seat, language)

    def aside(self, key: str, text: str, language: str = ENGLISH, reader: int | None = None) -> str:
        """Return a text added by `library.with_texts`, with the present figures for the first seat. reader: a seat that
        is shown no more than it may see; None for everything."""
        rule = self._program.asides[key, text]
        state = self._state if reader is None else self._possible_state(reader)
        return self._say(rule, self._figures(rule, state, 0), 0, language)

    def _visible_figures(self, rule: RuleText, seat: int) -> list[list[Any]] | None:
        """Return the figures of a rule, if the seat knows all their inputs; else None."""
        tried = ReadState(self._state)
        try:
            figures = self._figures(rule, tried, seat)
        except RuleError:
            return None
        if not is_known(self._machine, clone(self._state), seat, list(cells(tried.read))):
            return None
        if isinstance(self._state, ReadState):
            self._state.read |= tried.read
        return figures

    def _possible_state(self, seat: int) -> State:
        """Return a state that a seat cannot exclude, for figures that may depend on hidden things."""
        if isinstance(self._state, ReadState):
            self._state.read |= self._state.all
        return determinize(self._machine, information_state(self._machine, clone(self._state), seat), seat, Random(0))

    def _figures(self, rule: RuleText, state: State, seat: int) -> list[list[Any]]:
        """Compute the values of a text's slots in a state."""
        return with_zones(self._program, state, rule, self._machine.call(rule.function, state, seat))

    def _say(self, rule: RuleText, figures: Sequence[Sequence[Any]], seat: int, language: str) -> str:
        return localizer_of_rules(self._rules, language).say(self._messages.text(rule.text, figures, seat))


def length_limits(edition: Edition) -> list[Phrase]:
    """Return a sentence for each limit of the game's length, or for the usual one if the edition sets none."""
    limit, after = edition.limit, list[Phrase]()
    if (rounds := limit.rounds) is not None:
        after.append(phrase("rulebook", "{rounds} [round|rounds]", rounds=rounds))
    if (answers := limit.answers) is not None:
        after.append(phrase("rulebook", "{answers} [answer|answers] of all players together", answers=answers))
    if not after:
        after.append(phrase("rulebook", "{answers} [answer|answers] for each seat", answers=ANSWERS_PER_SEAT))
    return [
        phrase("rulebook", "A game that has not ended after {limit} ends then, and counts as it stands.", limit=long)
        if limit.scored
        else phrase("rulebook", "A game that has not ended after {limit} ends then, without a result.", limit=long)
        for long in after
    ]


def with_rule_in_force(edition: Edition, program: Program, state: State, key: RuleKey, seat: int) -> State:
    """Return a copy of a state in which a rule holds for a seat: it has the power or role, or the option is chosen. A
    power is given by one of the pieces that give it; without such pieces, the copy is as the state."""
    copy, layout = clone(state), program.layout
    if key.section == "rulings":
        key = edition.rulings[key.name].about
    if key.section == "roles":
        copy[layout.role + seat] = program.roles.index(key.name)
    elif key.section == "options":
        number = [option.name for option in program.options].index(key.name)
        choices = program.options[number].choices
        if key.choice or choices == ("no", "yes"):
            copy[layout.option + number] = choices.index(key.choice or "yes")
    elif key.section == "powers":
        _give_one_piece(program, copy, list(_power_pieces(edition, program, key.name)), seat)
    return copy


def _power_pieces(edition: Edition, program: Program, power: str) -> Iterator[tuple[int, str]]:
    """Yield the pieces that give a power, each with the zone in which it does."""
    for piece, look in enumerate(program.type_of):
        type_ = program.types[look]
        kind = edition.kinds[type_.kind]
        if kind.power_in:
            words = program.words[kind.attributes[kind.power_word]]
            if words[type_.attributes[kind.power_word]] == power:
                yield piece, kind.power_in


def _give_one_piece(program: Program, state: State, pieces: list[tuple[int, str]], seat: int) -> None:
    """Give a seat one of several pieces, if it has none of them."""
    own = {space.name: space.address for space in program.layout.zones if space.of == "seat" and space.owner == seat}
    zone_cells = program.layout.piece_zones
    if not pieces or any(state[zone_cells + piece] == own[zone] for piece, zone in pieces):
        return
    piece, zone = pieces[0]
    before, after = state[zone_cells + piece], own[zone]
    state[before] = tuple(other for other in state[before] if other != piece)
    state[after] += (piece,)
    state[zone_cells + piece] = after


def with_zones(program: Program, state: State, rule: RuleText, arguments: list[list[int]]) -> list[list[Any]]:
    """Return a text's arguments with appearance and zone in place of each piece."""
    zone_cells = program.layout.piece_zones
    return [
        [(program.appearance(state, item), state[zone_cells + item]) for item in items]
        if type_.base == "piece"
        else items
        for items, type_ in zip(arguments, rule.text.types, strict=True)
    ]


def _either(arguments: list[Argument]) -> Argument:
    """Return the different values of a figure as alternatives: numbers or words; if any is neither, the
    first one alone."""
    several = list(dict.fromkeys(arguments))
    values = [argument for argument in several if isinstance(argument, int | Term)]
    return Either(tuple(values)) if len(values) == len(several) > 1 else several[0]
