"""Warn of numbers in texts that repeat those of a rule or value, and would stay when these change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext, amount
from rulewright.base.diagnostics import Report
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import SlotValue, Wording
from rulewright.model.constant_evaluation import FigureEvaluator, parse_number
from rulewright.model.declarations import NUMBER, ChangeSet, canonical
from rulewright.model.statements import conditions, names_of, sentence_lines, split_slots, try_parse
from rulewright.syntax import sentences
from rulewright.syntax.condition_nodes import Compare
from rulewright.syntax.nouns import plural
from rulewright.syntax.number_nodes import Negative, Number, NumberOf
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import Node as SyntaxNode

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Numbers in words, from two on: 'one' is an article, too."""
_NUMBER = re.compile(rf"(?<![\w-])(?<!\d[.])(\d{{1,9}}|(?i:{'|'.join(_WORDS)}))(?![\w-]|[.]\d)")
"""A whole number of up to nine digits, or one of `_WORDS`, that stands alone: no part of a word or of a fraction."""
_PEOPLE = re.compile(r"(\s*(,|or|and|to)\s*\w+)*\s+(players?|seats?|people)\b")
"""Words after a number of players, which no change alters."""

_SEATS = frozenset(["seat", "player", "virtual player", "opponent"])
"""Names in a count of seats, which no change alters."""


def check(context: LintContext, report: Report) -> None:
    """Warn of digits in the texts of rules, and of numbers in words that the rule's own sentences or values have. The
    text of the edition as a whole is left out."""
    numbers = _Numbers(context)
    for key, text in context.edition.rule_texts().items():
        if key != "edition":
            numbers.check(key, text, report)


@dataclass
class _RuleNumbers:
    """Numbers of a rule. literal: those in its statements; figures: number -> slots of figures with this value that the
    rule uses; nearby: names in expressions with these figures; things: number -> slots of words and pieces, which are
    less certain."""

    literal: set[float]
    figures: dict[int, list[str]]
    nearby: set[str]
    things: dict[int, list[str]] = field(default_factory=dict)

    def add(self, number: int, slot: str) -> None:
        """Add a number of a word or piece. slot: without braces."""
        self.things.setdefault(number, []).append(f"{{{slot}}}")


class _Numbers:
    """Search for numbers in texts of one edition.

    bodies: by key of the rule; things: canonical names that texts may count; word_forms: canonical names and singulars
    of words; everywhere: slots of all values by amount.
    """

    def __init__(self, context: LintContext) -> None:
        self.context, self.edition = context, context.edition
        self.rule_index = context.rule_index
        self.bodies: dict[str, Node] = {
            RuleKey.of("steps", step.name): step.body for step in self.edition.steps.values()
        }
        self.bodies |= {RuleKey.of("phases", phase.name): phase.body for phase in self.edition.phases}
        self.bodies |= {key: step.body for key, step in self.edition.say_steps().items()}
        if self.edition.setup:
            self.bodies["setup"] = self.edition.setup.body
        words = [word.name for list_ in self.edition.words.values() for word in list_.words]
        declared = (self.edition.kinds, self.edition.words, self.edition.counters, words)
        self.things = {canonical(name) for names in declared for name in names}
        self.word_forms = {
            canonical(form)
            for list_ in self.edition.words.values()
            for word in list_.words
            for form in (word.name, word.noun.one)
        }
        self.everywhere = self.amounts([name for name, figure in self.edition.figures.items() if figure.is_value], None)

    def check(self, key: RuleKey, text: Scalar, report: Report) -> None:
        """Warn once of each number in a rule's text: of any in digits, and of those in words that the rule's statements
        or figures have."""
        known: _RuleNumbers | None = None
        reported: set[int] = set()
        for number, digits, offset, length in _numbers(text):
            known = known or self.numbers_of_rule(key, text)
            if number in reported or not (digits or number in known.literal or number in known.figures):
                continue
            sure = digits or number in known.literal
            if text.text[offset : offset + length].casefold() in self.word_forms and not self.is_counting(
                text, offset + length
            ):
                continue
            if not sure and self.counts_other_things(text.text[offset + length :], known.figures[number], known.nearby):
                continue
            reported.add(number)
            problem = messages.HARDCODED_NUMBER(number=text.text[offset : offset + length])
            report.warning(text.place_at(offset, length), problem, self.hint(number, known))

    def is_counting(self, text: Scalar, end: int) -> bool:
        """Return whether a number that is also a word's name counts something here."""
        counted = re.match(r"\s+([^\W\d_]+)", text.text[end:])
        return counted is not None and canonical(counted[1].casefold()) in self.things - self.word_forms

    def counts_other_things(self, rest: str, figures: list[str], nearby: set[str]) -> bool:
        """Return whether a number in words counts declared things that neither these figures nor expressions with them
        name."""
        counted = re.match(r"\s+([^\W\d_]+)", rest)
        thing = canonical(counted[1].casefold()) if counted else ""
        return thing in self.things - nearby and not any(
            thing in map(canonical, re.findall(r"\w+", name)) for name in figures
        )

    def hint(self, number: int, known: _RuleNumbers) -> Wording:
        """Return advice for a number in a text: a slot with this value, or to name it."""
        for candidates in (known.figures.get(number), known.things.get(number)):
            if candidates:
                return messages.WRITE_SLOT(slot=_either(candidates))
        if number in known.literal:
            return messages.NAME_NUMBER_OF_RULE(number=number)
        if candidates := self.everywhere.get(number):
            return messages.IS_IT_OR_NAME(slot=_either(candidates))
        return messages.NAME_NUMBER()

    # ── what a rule has ──

    def numbers_of_rule(self, key: RuleKey, text: Scalar) -> _RuleNumbers:
        """Return the numbers in the sentences of a rule, and the values of its figures, words and pieces."""
        changes = self.change_set(key)
        trees = list(self.trees(key, changes))
        names = names_of(*trees)
        figures = [figure.name for name, figure in self.context.figures.items() if name in names]
        figures = [*(changes.changes if changes else ()), *figures]
        literal = {number for tree in trees for number in _literals(tree)}
        figure_names = {name for name, figure in self.context.figures.items() if figure.name in figures}
        nearby = {
            canonical(name) for tree in trees if (tree_names := names_of(tree)) & figure_names for name in tree_names
        }
        numbers = _RuleNumbers(literal, self.amounts(figures, changes), nearby)
        doing = (tree for doer in self.rule_index.doers.get(key, []) for tree in self.trees(doer, None))
        self.add_numbers_of_words(names, names | names_of(*doing), numbers)
        self.add_numbers_of_pieces(canonical(text.text.casefold()), numbers)
        if key.words:
            self.add_numbers_of_its_word(key, numbers)
        return numbers

    def add_numbers_of_its_word(self, key: RuleKey, numbers: _RuleNumbers) -> None:
        """Add the numbers of the word whose text it is."""
        words = self.edition.words[key.words]
        [word] = [word for word in words.words if word.name == key.name]
        for attribute, number in word.attributes.items():
            if words.attributes[attribute] == NUMBER:
                numbers.add(number, attribute)

    def change_set(self, key: RuleKey) -> ChangeSet | None:
        """Return the change set of a power, role, choice or option (that of 'yes'); None for other rules."""
        choices = (key.choice or "yes", key.choice)
        for changes in self.edition.change_sets:
            if (f"{changes.level}s", changes.name) == (key.section, key.name) and changes.choice in choices:
                return changes
        return None

    def trees(self, key: RuleKey, changes: ChangeSet | None) -> Iterator[SyntaxNode]:
        """Yield the syntax trees of a rule, and of the steps without a text that it does, which it explains."""
        worklist, visited = [key], {key}
        while worklist:
            current = worklist.pop()
            if current in self.bodies:
                yield from (line.tree for line in sentence_lines(self.bodies[current]))
                yield from conditions(self.bodies[current])
            inner = {step for step in self.rule_index.steps_done_by(current) if step not in self.rule_index.texts}
            worklist += inner - visited
            visited |= inner
        if changes is not None:
            for hook in changes.hooks:
                yield from (line.tree for line in sentence_lines(hook.body))
                yield from conditions(hook.body)
                if hook.condition is not None:
                    yield hook.condition
            for _, scalar in changes.changes.values():
                if tree := try_parse(amount(scalar), sentences.value):
                    yield tree
        for line in self.edition.scoring:
            if key == RuleKey.of("scoring", line.name) and (tree := try_parse(line.points, sentences.value)):
                yield tree
        if key == "ranking" and self.edition.ranking and (order := try_parse(self.edition.ranking, sentences.keys)):
            yield order

    def amounts(self, figures: list[str], changes: ChangeSet | None) -> dict[int, list[str]]:
        """Return the slots of figures by amount, with any number of seats, under a change set."""
        options = {changes.name: changes.choice} if changes and changes.level == "option" else {}
        role = changes.name if changes and changes.level == "role" else ""
        powers = [changes.name] if changes and changes.level == "power" else []
        tables = [FigureEvaluator(self.edition, seats, options, role, powers) for seats in self.edition.seat_counts()]
        result: dict[int, list[str]] = {}
        for name in dict.fromkeys(figures):
            for number in dict.fromkeys(table.figure(name) for table in tables):
                if isinstance(number, int) and not isinstance(number, bool):
                    result.setdefault(number, []).append(f"{{{name}}}")
        return result

    def add_numbers_of_words(self, names: set[str], words: set[str], numbers: _RuleNumbers) -> None:
        """Add the numbers of words in attributes and tables that the rule names.

        names: used by the rule; words: used by it or by the rules that do it.
        """
        for list_ in self.edition.words.values():
            for index, word in enumerate(list_.words):
                if canonical(word.name) not in words:
                    continue
                for attribute, type_ in list_.attributes.items():
                    if type_ == NUMBER and canonical(attribute) in names and attribute in word.attributes:
                        numbers.add(word.attributes[attribute], f"{word.name}'s {attribute}")
                for name, table in list_.tables.items():
                    if table.holds == NUMBER and table.by == NUMBER and canonical(name) in names:
                        for place, number in enumerate(table.rows[index][1:], 1):
                            numbers.add(number, f"{word.name}'s {name} for {place}")

    def add_numbers_of_pieces(self, text: str, numbers: _RuleNumbers) -> None:
        """Add the numbers of pieces of the kinds that a text names."""
        for kind in self.edition.kinds.values():
            if re.search(rf"\b{re.escape(canonical(kind.name))}", text):
                numbers.add(sum(count for _, count in kind.rows), f"number of {plural(kind.name)}")


def _numbers(text: Scalar) -> Iterator[tuple[int, bool, int, int]]:
    """Yield (number, whether in digits, offset, length) of numbers outside slots, except numbers of players."""
    start = 0
    for literal, slot, offset in split_slots(text.text):
        for match in _NUMBER.finditer(literal):
            if not _PEOPLE.match(literal, match.end()):
                word = match[1].lower()
                number = int(word) if word.isdecimal() else 2 + _WORDS.index(word)
                yield number, word.isdecimal(), start + match.start(), len(word)
        start = offset + len(slot) + 1


def _literals(tree: SyntaxNode) -> Iterator[float]:
    """Yield the numbers in a sentence, except those that the number of seats is compared with."""
    if isinstance(tree, Number | Negative):
        yield parse_number(tree.digits)
    elif not isinstance(tree, Compare) or not any(map(_counts_seats, tree.children())):
        for child in tree.children():
            yield from _literals(child)


def _counts_seats(tree: SyntaxNode) -> bool:
    """Return whether an expression is a plain number of seats."""
    return isinstance(tree, NumberOf) and names_of(tree) <= _SEATS


def _either(slots: list[str]) -> SlotValue:
    """Return the one slot, or the first two as alternatives."""
    one, *others = dict.fromkeys(slots)
    return messages.EITHER(one=one, other=others[0]) if others else one
