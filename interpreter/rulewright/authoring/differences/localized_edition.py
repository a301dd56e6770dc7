"""One of two compared editions in the reader's language: names and texts."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rulewright.authoring.edition_texts import EditionTexts, one_line
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.messages import yes_or_no
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Argument, Either, Item, Phrase, Term, phrase
from rulewright.i18n.message_patterns import slots
from rulewright.model.constant_evaluation import Amount
from rulewright.model.declarations import NUMBERS, SEAT, ChangeSet, CounterDeclaration, Kind, written_number
from rulewright.runtime.operations import RuleError

NOTHING = phrase("argument", "nothing")
"""Text in place of an empty value."""


class LocalizedEdition:
    """Names and texts of an edition in a language, in English where it has no translation. Titles of rules, word lists,
    kinds, zones, counters and figures begin with a capital; what stands within a line does not. An unknown name
    raises KeyError where it must be looked up."""

    def __init__(self, rules: Rules, language: str) -> None:
        self.rules, self.edition = rules, rules.edition
        self.localizer, self.terms = localizer_of(rules.edition, language), Terms(rules.edition)
        self.wording = EditionTexts(rules.edition)
        self._scalars = rules.edition.rule_texts()

    def say(self, text: Argument) -> str:
        """Return a text in the language; in English where it has no translation."""
        return self.localizer.say(text)

    # ── names, each as it begins a line ──

    def rule(self, key: str) -> str:
        """Return the title of a rule."""
        return self.localizer.title(self.terms.rule(key))

    def words(self, name: str) -> str:
        """Return the title of a word list."""
        return self.localizer.title(self.terms.words(name))

    def kind(self, name: str) -> str:
        """Return the title of a kind of piece."""
        return self.localizer.title(self.terms.kind(self.edition.kinds[name]))

    def zone(self, name: str) -> str:
        """Return the title of a zone."""
        return self.localizer.title(self.terms.zone(name))

    def counter(self, name: str) -> str:
        """Return the title of a counter."""
        return self.localizer.title(self.terms.counter(name))

    def figure(self, name: str) -> str:
        """Return the title of a figure: its noun, or else its name."""
        noun = self.edition.figures[name].noun
        return self.localizer.title(self.terms.figure(name) if noun else name)

    def attribute(self, kind: Kind, name: str) -> str:
        """Return the name of an attribute; translated if it is named like its word list."""
        return self.say(self.terms.words(name)) if kind.attributes[name] == name else name

    # ── what stands in a line ──

    def word(self, words: str, number: int) -> str:
        """Return a word of a list by its index; 'nothing' for -1."""
        return self.say(self.terms.word(words, number)) if number >= 0 else self.say(NOTHING)

    def value_text(self, holds: str, number: int) -> str:
        """Return a value of a counter, an attribute or a table, as text. holds: its type; number: as the state has it:
        a number, 1 for yes, the index of a word, or -1 for none."""
        if holds in NUMBERS:
            return self.localizer.number(written_number(holds, number))
        if holds == "truth":
            return self.say(yes_or_no(bool(number)))
        return self.word(holds, number) if holds in self.edition.words else self.say(phrase("argument", "nobody"))

    def initial_text(self, counter: CounterDeclaration) -> str:
        """Return the initial value of a counter, as text."""
        if counter.most:
            return self.say(NOTHING)
        if len(set(counter.starts)) > 1:
            starts = (self.value_text(counter.holds, start) for start in counter.starts)
            return self.localizer.join_items(
                [self.localizer.entry(self.word(counter.by, n), one) for n, one in enumerate(starts)]
            )
        return self.value_text(counter.holds, counter.starts[0] if counter.starts else counter.start)

    def counted(self, pieces: Term) -> str:
        """Return pieces with their number, even if that is 1."""
        return self.say(replace(pieces, counted=True))

    def kinds(self, names: Container[str]) -> str:
        """List kinds of pieces as alternatives."""
        nouns = [
            self.localizer.noun(self.terms.any_of_kind(self.edition.kinds[name], 2))
            for name in self.edition.kinds
            if name in names
        ]
        return self.say(Either(tuple(noun.form(self.localizer.table.plural(2), "") for noun in nouns)))

    def owner_text(self, owners: Sequence[str]) -> str:
        """Return the owners of a zone or counter in words. owners: SEAT, word lists or kinds of pieces, () for the
        table."""
        if not owners:
            # For translators: A place or a counter of which there is one, rather than one for each seat.
            return self.say(phrase("changes", "for all together"))
        return self.say(phrase("changes", "for each {owner}", owner=tuple(map(self._owner, owners))))

    def _owner(self, name: str) -> str:
        """Return an owner in words: a seat, or the name of a word list or kind of piece."""
        if name == SEAT:
            return self.say(phrase("changes", "seat"))
        return self.say(self.terms.words(name)) if name in self.edition.words else name

    def formula(self, name: str) -> str:
        """Return the formula of a figure, as the edition has it."""
        return self.wording.formula(self.edition.figures[name])

    def amount(self, amount: Amount) -> str:
        """Return an amount as text."""
        return self.say(_item(amount))

    def limit(self, expression: str) -> str:
        """Return a number, the noun of a figure, or an expression, as text."""
        if expression.isdecimal():
            return self.localizer.number(int(expression))
        noun = self.edition.figures[expression].noun if expression in self.edition.figures else ""
        return self.say(self.terms.figure(expression)) if noun else expression

    # ── texts ──

    def text(self, key: RuleKey, changes: ChangeSet | None = None) -> Phrase | None:
        """Return the text of a rule, with its figures under `changes`; None without one."""
        text = self._scalars.get(key)
        if text is None:
            return None
        evaluators = self.wording.evaluators(self.edition.seat_counts(), changes)
        amounts_by_slot = {slot: [one.expression(slot) for one in evaluators] for slot in slots(text.text)}
        if any(None in amounts for amounts in amounts_by_slot.values()):
            return self._compiled_text(key)
        return Phrase(f"{key}.text", one_line(text.text), _slot_values(amounts_by_slot))

    def rule_text(self, key: RuleKey, changes: ChangeSet | None = None) -> str:
        """Return the text of a rule as people read it; '' without one."""
        return self.say(self.text(key, changes) or "")

    def _compiled_text(self, key: RuleKey) -> Phrase | None:
        """Return a text whose slots need the compiled rules, which is slower; None for a rule without one. Slots that
        cannot be computed become dots."""
        try:
            return self._texts.rule(key)
        except RuleError:
            text = self._scalars[key].text
            return Phrase(f"{key}.text", one_line(text), tuple((slot, "…") for slot in slots(text)))

    @cached_property
    def _texts(self) -> RuleTexts:
        """Texts of the compiled rules, with all options as usual."""
        return RuleTexts(self.rules, check_options(self.rules, {}))


def _slot_values(amounts_by_slot: Mapping[str, Sequence[Amount]]) -> tuple[tuple[str, Argument], ...]:
    """Return the values of the slots of a text: an amount, or alternatives by the number of seats."""
    several = {slot: tuple(dict.fromkeys(map(_item, amounts))) for slot, amounts in amounts_by_slot.items()}
    return tuple((slot, Either(items) if len(items) > 1 else items[0]) for slot, items in several.items())


def _item(amount: Amount) -> Item:
    """Return an amount as an item of a sentence: a number, yes or no, or 'nothing' for None."""
    if isinstance(amount, bool):
        return yes_or_no(amount)
    return NOTHING if amount is None else amount
