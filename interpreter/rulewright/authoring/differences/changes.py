"""Differences in powers, virtual players and options, and in instructions of words and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rulewright.authoring.differences.comparison import Difference, EditionComparison, common, missing, played
from rulewright.authoring.differences.localized_edition import NOTHING, LocalizedEdition
from rulewright.authoring.edition_texts import one_line
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import Either, phrase
from rulewright.model.declarations import ChangeSet, Hook, OptionDeclaration, Step
from rulewright.model.edition import Edition

# For translators: With how many people a virtual player plays: 'Robot, with so many people: 2 (always) or 3'.
_WITH = phrase("changes", "with so many people")


def word_step_changes(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in the instructions of words and pieces."""

    def changed(old: Step, new: Step) -> Iterator[Difference]:
        key = RuleKey(new.name)
        return pair.rewritten(pair.new.rule(key), (key, key), (played(old.body), played(new.body)))

    both = pair.before.say_steps(), pair.after.say_steps()
    return pair.things("", both, lambda side, step: _entry_and_text(side, RuleKey(step.name)), changed)


def powers(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in powers."""

    def alone(side: LocalizedEdition, power: ChangeSet) -> tuple[str, ...]:
        return _entry_and_text(side, RuleKey.of("powers", power.name), power)

    def changed(old: ChangeSet, new: ChangeSet) -> Iterator[Difference]:
        key = RuleKey.of("powers", new.name)
        return _text_and_effects(pair, pair.new.rule(key), key, (old, new))

    return pair.things(
        "powers.",
        (_change_sets_by_name(pair.before, "power"), _change_sets_by_name(pair.after, "power")),
        alone,
        changed,
    )


def roles(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in virtual players."""

    def alone(side: LocalizedEdition, role: ChangeSet) -> tuple[str, ...]:
        joins = side.localizer.entry(pair.say(_WITH), _joins(pair, side.edition.roles[role.name].joins))
        return _entry_and_text(side, RuleKey.of("roles", role.name), role, joins if side is pair.new else "")

    both = _change_sets_by_name(pair.before, "role"), _change_sets_by_name(pair.after, "role")
    return pair.things("roles.", both, alone, partial(_one_role, pair))


def _one_role(pair: EditionComparison, old: ChangeSet, new: ChangeSet) -> Iterator[Difference]:
    """Yield the differences of a virtual player that both editions have."""
    key = RuleKey.of("roles", new.name)
    was, now = pair.before.roles[key.name], pair.after.roles[key.name]
    title = pair.new.rule(key)
    yield from pair.renamed(pair.old.rule(key), title)
    joins = pair.aspect(title, _WITH)
    yield from pair.instead(joins, *(_joins(pair, role.joins) for role in (was, now)))
    if was.scored != now.scored:
        scored = phrase("changes", "{thing} is scored now.", thing=title)
        unscored = phrase("changes", "{thing} is no longer scored.", thing=title)
        yield Difference(pair.say(scored if now.scored else unscored))
    if was.uses_powers != now.uses_powers:
        using = phrase("changes", "{thing} uses powers now.", thing=title)
        without = phrase("changes", "{thing} no longer uses powers.", thing=title)
        yield Difference(pair.say(using if now.uses_powers else without))
    yield from _text_and_effects(pair, title, key, (old, new))


def _joins(pair: EditionComparison, joins: Mapping[int, bool]) -> str:
    """List the numbers of people that a role joins: 2 (always), 3 or 4."""
    # For translators: Behind a number of people, with whom a virtual player always plays.
    always = pair.say(phrase("changes", "always"))
    people = sorted(joins.items())
    entries = [pair.new.localizer.with_note(str(number), always) if must else str(number) for number, must in people]
    return pair.say(Either(tuple(entries)) if entries else NOTHING)


def options(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in options."""

    def alone(side: LocalizedEdition, option: OptionDeclaration) -> tuple[str, ...]:
        usually = phrase("changes", "usually {choice}", choice=_choice(side, option, option.default))
        note = pair.say(usually) if side is pair.new else ""
        return _entry_and_text(side, RuleKey.of("options", option.name), _yes_changes(side.edition, option.name), note)

    return pair.things("options.", (pair.before.options, pair.after.options), alone, partial(_one_option, pair))


def _one_option(pair: EditionComparison, old: OptionDeclaration, new: OptionDeclaration) -> Iterator[Difference]:
    """Yield the differences of an option that both editions have."""
    key = RuleKey.of("options", new.name)
    title = pair.new.rule(key)
    choices = [
        {choice: _choice(side, option, number) for number, choice in enumerate(option.choices)}
        for side, option in ((pair.old, old), (pair.new, new))
    ]
    usual = choices[0][old.choices[old.default]], choices[1][new.choices[new.default]]
    # For translators: What an option is unless it is chosen otherwise: 'Weather, usually: wet instead of dry.'
    usually = phrase("changes", "usually")
    yield from pair.instead(pair.aspect(title, usually), *usual)
    yield from pair.gone_differences(title, (text for _, text in missing(*choices)))
    yield from pair.new_differences(title, (text for _, text in missing(*reversed(choices))))
    active = _yes_changes(pair.before, new.name), _yes_changes(pair.after, new.name)
    yield from _text_and_effects(pair, title, key, active)
    if not all(active):
        of_choices = [{c.choice: c for c in _sets_of(edition, new.name)} for edition in (pair.before, pair.after)]
        for choice, first, second in common(*of_choices):
            of_choice = RuleKey.of("options", new.name, choice)
            yield from _text_and_effects(pair, pair.aspect(title, choices[1][choice]), of_choice, (first, second))


def _choice(side: LocalizedEdition, option: OptionDeclaration, number: int) -> str:
    """Return the title of an option's choice, by its index."""
    return side.say(side.terms.choice(option.name, option.choices[number]))


def _entry_and_text(
    side: LocalizedEdition, key: RuleKey, changes: ChangeSet | None = None, note: str = ""
) -> tuple[str, ...]:
    """Return a rule's title, a note and its text, as `EditionComparison.new_difference` takes them."""
    return side.rule(key), note, side.rule_text(key, changes)


def _text_and_effects(
    pair: EditionComparison, thing: str, key: RuleKey, sets: tuple[ChangeSet | None, ChangeSet | None]
) -> Iterator[Difference]:
    """Yield the differences in the text of a rule and in what its change sets do."""
    old, new = sets
    bodies = behaviour(old) if old else [], behaviour(new) if new else []
    return pair.rewritten(thing, (key, key), bodies, sets)


def behaviour(changes: ChangeSet) -> list[str]:
    """Return the effects of a change set as lines, whatever their order in the file: changes and what it overrules,
    sorted, then hooks by their moments."""
    lines = [
        f"{name}{':' * (operation == 'set')} {one_line(text.text)}"
        for name, (operation, text) in changes.changes.items()
    ]
    lines += [f"overrules {one_line(name.text)}" for name in changes.overrules]
    hooks = sorted(changes.hooks, key=_hook_moment)
    return sorted(lines) + [line for hook in hooks for line in (_hook_moment(hook), *_hook_effects(hook))]


def _hook_moment(hook: Hook) -> str:
    """Return when a hook runs, as the edition writes it, with a colon."""
    return f"{one_line(hook.condition_text.text)}:"


def _hook_effects(hook: Hook) -> list[str]:
    """Return the statements of a hook, indented."""
    return [f"  {line}" for line in played(hook.body)]


def _change_sets_by_name(edition: Edition, level: str) -> dict[str, ChangeSet]:
    """Return the powers or virtual players, by name."""
    return {changes.name: changes for changes in edition.change_sets if changes.level == level}


def _sets_of(edition: Edition, option: str) -> list[ChangeSet]:
    """Return the change sets of an option's choices."""
    return [changes for changes in edition.change_sets if (changes.level, changes.name) == ("option", option)]


def _yes_changes(edition: Edition, option: str) -> ChangeSet | None:
    """Return the change set of a yes/no option, or None."""
    return next((changes for changes in _sets_of(edition, option) if changes.choice == "yes"), None)
