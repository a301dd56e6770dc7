"""Differences in what changes rules, and in what cards say: powers, virtual players, options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.authoring.differences.pair import Difference, Pair, about, common, missing, played
from rulewright.authoring.differences.spoken import NOTHING, SpokenEdition
from rulewright.authoring.wording import spaced
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.speech import Either, phrase
from rulewright.model.declarations import ChangeSet, Edition, Hook, OptionDeclaration

_Sets = dict[tuple[str, str], ChangeSet]

# For translators: With how many people a virtual player plays: 'Robot, with so many people: 2 (always) or 3'.
_WITH = phrase("changes", "with so many people")


def sayings(pair: Pair) -> Iterator[Difference]:
    """What words and pieces say that there are in both, or that say something only now, or no longer."""
    before, after = pair.before.sayings(), pair.after.sayings()
    for key, _ in missing(before, after):
        yield pair.is_gone(key.name, pair.old.rule(key), text=_text(pair.old, key))
    for key, _ in missing(after, before):
        yield pair.is_new(key.name, pair.new.rule(key), text=_text(pair.new, key))
    for key, old, new in common(before, after):
        bodies = played(old.body), played(new.body)
        yield from about(key.name, pair.rewritten(pair.new.rule(key), (key, key), bodies))


def powers(pair: Pair) -> Iterator[Difference]:
    before, after = _sets(pair.before, "power"), _sets(pair.after, "power")
    yield from _come_and_gone(pair, before, after)
    for (name, _), old, new in common(before, after):
        key = RuleKey.of("powers", name)
        yield from about(key, _rewritten(pair, pair.new.rule(key), key, (old, new)))


def roles(pair: Pair) -> Iterator[Difference]:
    before, after = _sets(pair.before, "role"), _sets(pair.after, "role")
    yield from _come_and_gone(pair, before, after)
    for (name, _), old, new in common(before, after):
        yield from about(f"roles.{name}", _role(pair, RuleKey.of("roles", name), old, new))


def _role(pair: Pair, key: RuleKey, old: ChangeSet, new: ChangeSet) -> Iterator[Difference]:
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
    yield from _rewritten(pair, title, key, (old, new))


def _joins(pair: Pair, joins: Mapping[int, bool]) -> str:
    """2 (always), 3 or 4"""
    # For translators: Behind a number of people, with whom a virtual player always plays.
    always = pair.say(phrase("changes", "always"))
    people = sorted(joins.items())
    told = [pair.new.speech.noted(str(number), always) if must else str(number) for number, must in people]
    return pair.say(Either(tuple(told)) if told else NOTHING)


def options(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.options, pair.after.options
    for name, _ in missing(before, after):
        key = RuleKey.of("options", name)
        yield pair.is_gone(key, pair.old.rule(key), text=_text(pair.old, key, _on(pair.before, name)))
    for name, option in missing(after, before):
        key, choice = RuleKey.of("options", name), _choice(pair.new, option, option.default)
        usually = pair.say(phrase("changes", "usually {choice}", choice=choice))
        yield pair.is_new(key, pair.new.rule(key), usually, _text(pair.new, key, _on(pair.after, name)))
    for name, old, new in common(before, after):
        yield from about(f"options.{name}", _option(pair, name, old, new))


def _option(pair: Pair, name: str, old: OptionDeclaration, new: OptionDeclaration) -> Iterator[Difference]:
    key = RuleKey.of("options", name)
    title = pair.new.rule(key)
    choices = [
        {choice: _choice(side, option, number) for number, choice in enumerate(option.choices)}
        for side, option in ((pair.old, old), (pair.new, new))
    ]
    usual = choices[0][old.choices[old.default]], choices[1][new.choices[new.default]]
    # For translators: What an option is unless it is chosen otherwise: 'Weather, usually: wet instead of dry.'
    usually = phrase("changes", "usually")
    yield from pair.instead(pair.aspect(title, usually), *usual)
    yield from pair.are_gone(title, (told for _, told in missing(*choices)))
    yield from pair.are_new(title, (told for _, told in missing(*reversed(choices))))
    on = _on(pair.before, name), _on(pair.after, name)
    yield from _rewritten(pair, title, key, on)
    if not all(on):
        was, now = _sets(pair.before, "option", name), _sets(pair.after, "option", name)
        for (_, choice), first, second in common(was, now):
            of_choice = RuleKey.of("options", name, choice)
            yield from _rewritten(pair, pair.aspect(title, choices[1][choice]), of_choice, (first, second))


def _choice(side: SpokenEdition, option: OptionDeclaration, number: int) -> str:
    return side.say(side.terms.choice(option.name, option.choices[number]))


def _come_and_gone(pair: Pair, before: _Sets, after: _Sets) -> Iterator[Difference]:
    """Powers or virtual players that only one of the editions has."""
    for (name, _), changes in missing(before, after):
        key = RuleKey.of(f"{changes.level}s", name)
        yield pair.is_gone(key, pair.old.rule(key), text=_text(pair.old, key, changes))
    for (name, _), changes in missing(after, before):
        key = RuleKey.of(f"{changes.level}s", name)
        role = pair.after.roles.get(name) if changes.level == "role" else None
        joins = pair.new.speech.entry(pair.say(_WITH), _joins(pair, role.joins)) if role else ""
        yield pair.is_new(key, pair.new.rule(key), joins, _text(pair.new, key, changes))


def _text(side: SpokenEdition, key: RuleKey, changes: ChangeSet | None = None) -> str:
    return side.say(side.text(key, changes) or "")


def _rewritten(
    pair: Pair, thing: str, key: RuleKey, sets: tuple[ChangeSet | None, ChangeSet | None]
) -> Iterator[Difference]:
    old, new = sets
    bodies = behaviour(old) if old else [], behaviour(new) if new else []
    return pair.rewritten(thing, (key, key), bodies, sets)


def behaviour(changes: ChangeSet) -> list[str]:
    """What a change set changes, in lines that do not depend on the order in which it says so."""
    lines = [f"{name}{':' * (how == 'set')} {spaced(text.text)}" for name, (how, text) in changes.changes.items()]
    lines += [f"overrules {spaced(name.text)}" for name in changes.overrules]
    hooks = sorted(changes.hooks, key=_moment)
    return sorted(lines) + [line for hook in hooks for line in (_moment(hook), *_done(hook))]


def _moment(hook: Hook) -> str:
    return f"{spaced(hook.condition_text.text)}:"


def _done(hook: Hook) -> list[str]:
    return [f"  {line}" for line in played(hook.body)]


def _sets(edition: Edition, level: str, name: str = "") -> _Sets:
    """The change sets of a level, by their name and choice."""
    return {(c.name, c.choice): c for c in edition.change_sets if c.level == level and name in ("", c.name)}


def _on(edition: Edition, option: str) -> ChangeSet | None:
    """What a yes/no option changes."""
    return _sets(edition, "option", option).get((option, "yes"))
