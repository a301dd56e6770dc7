"""Numbers in texts for people that a rule or value has as well, so that a change of the one leaves the other wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.authoring.lint.context import Reading, amount
from rulewright.base.diagnostics import Report
from rulewright.base.rule_keys import RuleKey
from rulewright.model.constant_evaluation import FigureSetting, number_written
from rulewright.model.declarations import NUMBER, ChangeSet, canonical
from rulewright.model.statements import conditions, lines, names_of, parsed, slots_of
from rulewright.syntax import sentences
from rulewright.syntax.nouns import plural
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import Compare, Negative, Number, NumberOf
from rulewright.syntax.tree import Node as SyntaxNode

CODE = "unbound"

_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(rf"(?<![\w-])(?<!\d[.])(\d{{1,9}}|(?i:{'|'.join(_WORDS)}))(?![\w-]|[.]\d)")
_PEOPLE = re.compile(r"(\s*(,|or|and|to)\s*\w+)*\s+(players?|seats?|people)\b")
"""After a number: how many play, which no change alters."""

_SEATS = frozenset(["seat", "player", "virtual player", "opponent"])
_MOST_SHOWN = 2
_OR_ELSE = "what no rule knows stands there in words"


def look(reading: Reading, report: Report) -> None:
    """Warn of digits in the texts of rules, and of numbers in words that the rule's own sentences or values have."""
    numbers = _Numbers(reading)
    for key, text in reading.edition.told().items():
        if key != "edition":
            numbers.look(key, text, report)


@dataclass
class _RuleNumbers:
    """What a rule knows. literal: the numbers in its sentences; figures: number -> those it uses, as a text would say
    them; things: likewise, from words and pieces, which is less sure."""

    literal: set[float]
    figures: dict[int, list[str]]
    beside: set[str]
    things: dict[int, list[str]] = field(default_factory=dict)

    def add(self, number: int, slot: str) -> None:
        self.things.setdefault(number, []).append(f"{{{slot}}}")


class _Numbers:
    def __init__(self, reading: Reading) -> None:
        self.reading, self.edition = reading, reading.edition
        self.tellings = reading.tellings
        self.bodies: dict[str, Node] = {
            RuleKey.of("steps", step.name): step.body for step in self.edition.steps.values()
        }
        self.bodies |= {RuleKey.of("phases", phase.name): phase.body for phase in self.edition.phases}
        self.bodies |= {key: said.body for key, said in self.edition.sayings().items()}
        if self.edition.setup:
            self.bodies["setup"] = self.edition.setup.body
        words = [word.name for list_ in self.edition.words.values() for word in list_.words]
        named = (self.edition.kinds, self.edition.words, self.edition.counters, words)
        self.things = {canonical(name) for names in named for name in names}
        self.called = {
            canonical(form)
            for list_ in self.edition.words.values()
            for word in list_.words
            for form in (word.name, word.noun.one)
        }
        self.everywhere = self.amounts([name for name, figure in self.edition.figures.items() if figure.is_value], None)

    def look(self, key: RuleKey, text: Scalar, report: Report) -> None:
        known: _RuleNumbers | None = None
        told: set[int] = set()
        for number, digits, offset, length in _numbers(text):
            known = known or self.known(key, text)
            if number in told or not (digits or number in known.literal or number in known.figures):
                continue
            sure = digits or number in known.literal
            if text.text[offset : offset + length].casefold() in self.called and not self.counts(text, offset + length):
                continue
            if not sure and self.of_other_things(text.text[offset + length :], known.figures[number], known.beside):
                continue
            told.add(number)
            message = f"This text goes on saying '{text.text[offset : offset + length]}', whatever becomes of the rule."
            report.warning(text.place_at(offset, length), CODE, message, self.hint(number, known))

    def counts(self, text: Scalar, end: int) -> bool:
        """Whether something is counted behind a number that is also what a word is called, as a rank is."""
        counted = re.match(r"\s+([^\W\d_]+)", text.text[end:])
        return counted is not None and canonical(counted[1].casefold()) in self.things - self.called

    def of_other_things(self, behind: str, figures: list[str], beside: set[str]) -> bool:
        """Whether a number in words counts things that have a name of their own, of which no such figure, and no
        sentence with one, speaks."""
        counted = re.match(r"\s+([^\W\d_]+)", behind)
        thing = canonical(counted[1].casefold()) if counted else ""
        return thing in self.things - beside and not any(
            thing in map(canonical, re.findall(r"\w+", name)) for name in figures
        )

    def hint(self, number: int, known: _RuleNumbers) -> str:
        for found in (known.figures.get(number), known.things.get(number)):
            if found:
                return f"Write {_either(found)}."
        if number in known.literal:
            return f"The rule's own sentence says {number}, too: name it under 'values', and write {{NAME}} in both."
        if found := self.everywhere.get(number):
            return f"Is it {_either(found)}? Else name it under 'values', and write {{NAME}}; {_OR_ELSE}."
        return f"Name it under 'values', and write {{NAME}}; {_OR_ELSE}."

    # ── what a rule has ──

    def known(self, key: RuleKey, text: Scalar) -> _RuleNumbers:
        changes = self.change_set(key)
        trees = list(self.trees(key, changes))
        names = names_of(*trees)
        figures = [figure.name for name, figure in self.reading.figures.items() if name in names]
        figures = [*(changes.changes if changes else ()), *figures]
        literal = {number for tree in trees for number in _literals(tree)}
        told = {name for name, figure in self.reading.figures.items() if figure.name in figures}
        beside = {canonical(name) for tree in trees if (there := names_of(tree)) & told for name in there}
        found = _RuleNumbers(literal, self.amounts(figures, changes), beside)
        doing = (tree for doer in self.tellings.doers.get(key, []) for tree in self.trees(doer, None))
        self.of_words(names, names | names_of(*doing), found)
        self.of_pieces(canonical(text.text.casefold()), found)
        if key.words:
            self.of_its_word(key, found)
        return found

    def of_its_word(self, key: RuleKey, found: _RuleNumbers) -> None:
        """The numbers that the word has whose text it is."""
        words = self.edition.words[key.words]
        [word] = [word for word in words.words if word.name == key.name]
        for attribute, number in word.attributes.items():
            if words.attributes[attribute] == NUMBER:
                found.add(number, attribute)

    def change_set(self, key: RuleKey) -> ChangeSet | None:
        """The change set that a power, role, option or choice is."""
        choices = (key.choice or "yes", key.choice)
        for changes in self.edition.change_sets:
            if (f"{changes.level}s", changes.name) == (key.section, key.name) and changes.choice in choices:
                return changes
        return None

    def trees(self, key: RuleKey, changes: ChangeSet | None) -> Iterator[SyntaxNode]:
        """The sentences of a rule, and those of the steps that it explains."""
        todo, seen = [key], {key}
        while todo:
            here = todo.pop()
            if here in self.bodies:
                yield from (line.tree for line in lines(self.bodies[here]))
                yield from conditions(self.bodies[here])
            inner = {step for step in self.tellings.done_by(here) if step not in self.tellings.texts}
            todo += inner - seen
            seen |= inner
        if changes is not None:
            for hook in changes.hooks:
                yield from (line.tree for line in lines(hook.body))
                yield from conditions(hook.body)
                if hook.condition is not None:
                    yield hook.condition
            for _, scalar in changes.changes.values():
                if tree := parsed(amount(scalar), sentences.value):
                    yield tree
        for line in self.edition.scoring:
            if key == RuleKey.of("scoring", line.name) and (tree := parsed(line.points, sentences.value)):
                yield tree
        if key == "ranking" and self.edition.ranking and (order := parsed(self.edition.ranking, sentences.keys)):
            yield order

    def amounts(self, figures: list[str], changes: ChangeSet | None) -> dict[int, list[str]]:
        """What figures amount to with any number of seats, where a change set holds."""
        options = {changes.name: changes.choice} if changes and changes.level == "option" else {}
        role = changes.name if changes and changes.level == "role" else ""
        powers = [changes.name] if changes and changes.level == "power" else []
        tables = [FigureSetting(self.edition, seats, options, role, powers) for seats in self.edition.seat_counts()]
        found: dict[int, list[str]] = {}
        for name in dict.fromkeys(figures):
            for number in dict.fromkeys(table.figure(name) for table in tables):
                if isinstance(number, int) and not isinstance(number, bool):
                    found.setdefault(number, []).append(f"{{{name}}}")
        return found

    def of_words(self, names: set[str], words: set[str], found: _RuleNumbers) -> None:
        """The numbers that words have, in attributes and tables that the rule asks for by name. words: the names that
        it, or what does it, has."""
        for list_ in self.edition.words.values():
            for index, word in enumerate(list_.words):
                if canonical(word.name) not in words:
                    continue
                for attribute, type_ in list_.attributes.items():
                    if type_ == NUMBER and canonical(attribute) in names and attribute in word.attributes:
                        found.add(word.attributes[attribute], f"{word.name}'s {attribute}")
                for name, table in list_.tables.items():
                    if table.holds == NUMBER and table.by == NUMBER and canonical(name) in names:
                        for place, number in enumerate(table.rows[index][1:], 1):
                            found.add(number, f"{word.name}'s {name} for {place}")

    def of_pieces(self, text: str, found: _RuleNumbers) -> None:
        """How many pieces there are of the kinds that a text names."""
        for kind in self.edition.kinds.values():
            if re.search(rf"\b{re.escape(canonical(kind.name))}", text):
                found.add(sum(count for _, count in kind.rows), f"number of {plural(kind.name)}")


def _numbers(text: Scalar) -> Iterator[tuple[int, bool, int, int]]:
    """The numbers outside slots: which, whether in digits, offset and length. How many play is left out."""
    at = 0
    for literal, slot, offset in slots_of(text.text):
        for match in _NUMBER.finditer(literal):
            if not _PEOPLE.match(literal, match.end()):
                word = match[1].lower()
                number = int(word) if word.isdecimal() else 2 + _WORDS.index(word)
                yield number, word.isdecimal(), at + match.start(), len(word)
        at = offset + len(slot) + 1


def _literals(tree: SyntaxNode) -> Iterator[float]:
    """Yield the numbers that stand in a sentence, but for those that the number of seats is compared with."""
    if isinstance(tree, Number | Negative):
        yield number_written(tree.digits)
    elif not isinstance(tree, Compare) or not any(map(_counts_seats, tree.children())):
        for child in tree.children():
            yield from _literals(child)


def _counts_seats(tree: SyntaxNode) -> bool:
    return isinstance(tree, NumberOf) and names_of(tree) <= _SEATS


def _either(slots: list[str]) -> str:
    return " or ".join(list(dict.fromkeys(slots))[:_MOST_SHOWN])
