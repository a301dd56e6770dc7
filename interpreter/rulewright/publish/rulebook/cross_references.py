"""Cross-references, derived from the rules: other rules that a reader of one should see."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import ChangeSet, canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import names_of, sentence_lines, slots_in_text
from rulewright.syntax.flow_nodes import Do
from rulewright.syntax.source import Node

_CHANGE_SECTIONS = ("powers", "roles", "options")
"""Sections whose texts show what figures become, not what they are."""


def related_rules(edition: Edition) -> dict[RuleKey, tuple[RuleKey, ...]]:
    """Map each rule with a text to the other rules that it leads to or changes, in the edition's order.

    A step or phase leads to the steps of other phases that it does. A change set leads to the rules before, after or
    instead of which it acts, to those whose text shows a figure that it changes (or, if none does, to those that use
    it), to those that ask whether it is chosen, and to what it does. Rules without any are left out. Keys: as in
    Program.rules.
    """
    finder = _RelatedRules(edition)
    return {key: rules for key in finder.rule_index.texts if (rules := finder.related(key))}


class _RelatedRules:
    """Finder of the rules that a rule refers to."""

    def __init__(self, edition: Edition) -> None:
        self.edition, self.rule_index = edition, RuleIndex(edition)
        texts = {
            key: text
            for key, text in self.rule_index.texts.items()
            if key.section not in (*_CHANGE_SECTIONS, "rulings")
        }
        self.shown_names = {key: names_of(*(slot.tree for slot in slots_in_text(text))) for key, text in texts.items()}

    def related(self, key: RuleKey) -> tuple[RuleKey, ...]:
        """Return the rules that a rule's change sets change; of a rule without any, the steps that it does."""
        sets = [changes for changes in self.edition.change_sets if self.is_told_by(changes, key)]
        rules = (
            set(self.done_steps(key))
            if not sets
            else {rule for changes in sets for rule in self.changed_rules(changes)}
        )
        rules.discard(key)
        return tuple(sorted(rules, key=self.rule_index.sort_key))

    # ── the course of the game ──

    def done_steps(self, key: RuleKey) -> Iterator[RuleKey]:
        """Yield the steps of other phases that a rule does, also through steps without a text."""
        worklist, visited = [key], {key}
        while worklist:
            for step in self.rule_index.steps_done_by(worklist.pop()):
                if step in visited:
                    continue
                visited.add(step)
                if step not in self.rule_index.texts:
                    worklist.append(step)
                elif self.rule_index.section(step) != self.rule_index.section(key):
                    yield step

    # ── what changes it ──

    def is_told_by(self, changes: ChangeSet, key: RuleKey) -> bool:
        """Return whether a rule's key belongs to a change set: an option's belongs to all its choices."""
        own = RuleKey.of(f"{changes.level}s", changes.name)
        return key in (own, f"{own}.choices.{changes.choice}")

    def changed_rules(self, changes: ChangeSet) -> Iterator[RuleKey]:
        """Yield the rules that explain what a change set adds to or changes."""
        for hook in changes.hooks:
            if (step := self.rule_index.step(hook.step)) is not None:
                yield from self.rule_index.explaining_rules(step)
            yield from self.steps_in(hook.body)
        for name in changes.changes:
            mentioning = [rule for rule, names in self.shown_names.items() if canonical(name) in names]
            yield from mentioning or self.rule_index.users(name)
        if changes.level == "option" and changes.choice == "yes":
            yield from self.rule_index.users(changes.name)

    def steps_in(self, body: Node) -> Iterator[RuleKey]:
        """Yield the steps with a text that a body does, also through steps without."""
        for line in sentence_lines(body):
            if isinstance(line.tree, Do):
                step = self.rule_index.step(line.tree.step.text)
                if step is not None:
                    yield from [step] if step in self.rule_index.texts else self.done_steps(step)
