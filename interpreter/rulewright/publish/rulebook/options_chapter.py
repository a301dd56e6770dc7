"""Chapter of a rulebook on options: chosen ones, and what else could be agreed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import phrase
from rulewright.publish.rulebook.model import BookBlock, Box, Chapter, Paragraph, Rule, anchor
from rulewright.publish.rulebook.passages import Passages


class OptionsChapter:
    """Chapter on options. optional_steps: the set-up steps that only an unchosen option leads to, by their anchors."""

    def __init__(self, passages: Passages) -> None:
        self._book = passages
        self.optional_steps = dict(self._only_with_options())

    def chapter(self) -> Chapter:
        """Return the chapter on options: chosen ones, then the others in a box."""
        agreed: list[BookBlock] = []
        unchosen: list[Rule] = []
        for name in self._book.edition.options:
            rule = self._book.rule(RuleKey.of("options", name))
            if rule is not None and self._book.texts.options[name] == "no":
                unchosen += [rule, *self._steps_of_option(name)]
            elif rule is not None:
                chosen_rules, others = self._choices(name, rule)
                agreed.append(Box(rule.title, (Paragraph(rule.text), *chosen_rules)) if chosen_rules else rule)
                unchosen += others
        box = (
            [Box(self._book.say(phrase("rulebook", "Variants (only if everyone agrees)")), tuple(unchosen))]
            if unchosen
            else []
        )
        return self._book.chapter("options", phrase("rules", "Options"), [*agreed, *box])

    def _only_with_options(self) -> Iterator[tuple[str, str]]:
        """Yield the set-up steps that only an unchosen option leads to: their anchors, and that option."""
        rule_index = RuleIndex(self._book.edition)
        for key in self._book.texts.rule_keys():
            options = rule_index.only_with(key) if rule_index.section(key) == "setup" and key != "setup" else set()
            if options and all(self._book.texts.options[name] == "no" for name in options):
                yield anchor(key), min(options)

    def _steps_of_option(self, option: str) -> list[Rule]:
        """List the set-up steps that only this option leads to."""
        steps = (key for key in self._book.texts.rule_keys() if self.optional_steps.get(anchor(key)) == option)
        return [rule for key in steps if (rule := self._book.rule(key)) is not None]

    def _choices(self, name: str, option: Rule) -> tuple[list[Rule], list[Rule]]:
        """Return the rules of an option's chosen choice, and of its other choices."""
        rules = {
            choice: self._book.rule(RuleKey.of("options", name, choice))
            for choice in self._book.edition.options[name].choices
        }
        rules_with_text = {choice: rule for choice, rule in rules.items() if rule is not None}
        chosen_rule = rules_with_text.pop(self._book.texts.options[name], None)
        others = [
            replace(rule, title=self._book.localizer.entry(option.title, rule.title))
            for rule in rules_with_text.values()
        ]
        return [chosen_rule] if chosen_rule is not None else [], others
