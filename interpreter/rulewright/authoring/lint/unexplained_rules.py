"""Warnings of rules in play that no text explains."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.model.declarations import Step
from rulewright.model.statements import sentence_lines
from rulewright.syntax.source import MappingNode
from rulewright.syntax.statement_nodes import Question


def check(context: LintContext, report: Report) -> None:
    """Warn of rules without a text. A step needs none if all rules that do it are explained, or have a text if it asks
    a seat. An edition without texts of phases is a draft, and gets no warnings."""
    edition, rule_index = context.edition, context.rule_index
    if not any(key.section == "phases" for key in rule_index.texts):
        return
    for key, place in _rules(context):
        if key not in rule_index.texts:
            report.warning(place, messages.UNEXPLAINED(rule=_describe(key)), messages.GIVE_TEXT())
    for step in edition.steps.values():
        _check_step(step, rule_index, report)


def _rules(context: LintContext) -> Iterator[tuple[RuleKey, SourcePlace]]:
    """Yield each rule with the place of its name, but for steps, and for options whose choices have texts."""
    edition = context.edition
    if edition.setup is not None:
        yield RuleKey("setup"), edition.tree.keys["setup"].place
    for section, names in (("phases", edition.phases), ("scoring", edition.scoring)):
        entries = edition.tree.get(section)
        for thing in names:
            if isinstance(entries, MappingNode):
                yield RuleKey.of(section, thing.name), entries.keys[thing.name].place
    for changes in edition.change_sets:
        if changes.level != "option":
            yield RuleKey.of(f"{changes.level}s", changes.name), changes.place
    yield from ((key, step.place) for key, step in edition.say_steps().items())
    for option in edition.options.values():
        if not option.choice_texts:
            yield RuleKey.of("options", option.name), option.place


def _check_step(step: Step, rule_index: RuleIndex, report: Report) -> None:
    """Warn of a step without a text that asks a seat and is done by a rule without one, or that is done by rules that
    are not explained. A step that nothing does gets no warning here."""
    key = RuleKey.of("steps", step.name)
    doers = list(dict.fromkeys(rule_index.doers.get(key, [])))
    if key in rule_index.texts or not doers:  # what nothing does is told as unused
        return
    silent = [doer for doer in doers if doer not in rule_index.texts]
    if any(isinstance(line.tree, Question) for line in sentence_lines(step.body)) and silent:
        problem = messages.UNEXPLAINED_QUESTION(step=step.name, caller=_describe(silent[0]))
        report.warning(step.place, problem, messages.GIVE_ONE_TEXT())
    elif not rule_index.is_explained(key):
        silent = [doer for doer in doers if not rule_index.is_explained(doer)]
        problem = messages.UNEXPLAINED_STEP(rule=_describe(key), caller=_describe(silent[0]))
        report.warning(step.place, problem, messages.GIVE_ONE_TEXT())


def _describe(key: RuleKey) -> Wording:
    """Return a rule in words."""
    if not key.name:
        return messages.RULE_OF_SECTION(section=key)
    if key.choice:
        return messages.RULE_OF_CHOICE(choice=key.choice, option=key.name)
    return messages.RULE(kind=messages.KINDS[key.section](), name=key.name)
