"""Cross-references, worked out from the rules: which other rules a reader of one should look at."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.rule_index import Tellings
from rulewright.base.rule_keys import RuleKey
from rulewright.model.bodies import lines, names_of, slots_in
from rulewright.model.declarations import ChangeSet, Edition, canonical
from rulewright.syntax.source import Node
from rulewright.syntax.tree import Do

_CHANGING = ("powers", "roles", "options")
"""Their texts show what figures become, not what they are."""


def related(edition: Edition) -> dict[RuleKey, tuple[RuleKey, ...]]:
    """For each told rule the other told rules it leads to or changes, in the order of the edition.

    A step or phase leads to what it does of another phase. What changes rules leads to those before, after or instead
    of which it acts, to those whose text shows a figure that it changes (or, if none does, to those that use it), to
    those that ask whether it is chosen, and to what it does. Rules without any are left out. Keys: as in Program.rules.
    """
    found = _Related(edition)
    return {key: rules for key in found.tellings.texts if (rules := found.of(key))}


class _Related:
    def __init__(self, edition: Edition) -> None:
        self.edition, self.tellings = edition, Tellings(edition)
        texts = {key: text for key, text in self.tellings.texts.items() if key.section not in (*_CHANGING, "rulings")}
        self.shown = {key: names_of(*(slot.tree for slot in slots_in(text))) for key, text in texts.items()}

    def of(self, key: RuleKey) -> tuple[RuleKey, ...]:
        sets = [changes for changes in self.edition.change_sets if self.is_told_by(changes, key)]
        found = set(self.done(key)) if not sets else {rule for changes in sets for rule in self.changed(changes)}
        found.discard(key)
        return tuple(sorted(found, key=self.tellings.place))

    # ── the course of the game ──

    def done(self, key: RuleKey) -> Iterator[RuleKey]:
        """The told steps of other phases that a rule does, over whatever untold ones."""
        todo, seen = [key], {key}
        while todo:
            for step in self.tellings.done_by(todo.pop()):
                if step in seen:
                    continue
                seen.add(step)
                if step not in self.tellings.texts:
                    todo.append(step)
                elif self.tellings.section(step) != self.tellings.section(key):
                    yield step

    # ── what changes it ──

    def is_told_by(self, changes: ChangeSet, key: RuleKey) -> bool:
        """Whether the rule of that key is a change set's: an option is that of all its choices."""
        own = RuleKey.of(f"{changes.level}s", changes.name)
        return key in (own, f"{own}.choices.{changes.choice}")

    def changed(self, changes: ChangeSet) -> Iterator[RuleKey]:
        for hook in changes.hooks:
            if (step := self.tellings.step(hook.step)) is not None:
                yield from self.tellings.tellers(step)
            yield from self.led_to(hook.body)
        for name in changes.changes:
            showing = [rule for rule, names in self.shown.items() if canonical(name) in names]
            yield from showing or self.tellings.users(name)
        if changes.level == "option" and changes.choice == "yes":
            yield from self.tellings.users(changes.name)

    def led_to(self, body: Node) -> Iterator[RuleKey]:
        for line in lines(body):
            if isinstance(line.tree, Do):
                step = self.tellings.step(line.tree.step.text)
                if step is not None:
                    yield from [step] if step in self.tellings.texts else self.done(step)
