"""Differences in what changes rules, and in what cards say: powers, virtual players, options."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.differences.pair import Difference, Pair, about, common, instead, missing, played
from rulewright.authoring.wording import either, listed, spaced
from rulewright.model.declarations import ChangeSet, Edition, Hook, OptionDeclaration, Role
from rulewright.syntax.source import Scalar


def powers(pair: Pair) -> Iterator[Difference]:
    before, after = _sets(pair.before, "power"), _sets(pair.after, "power")
    for name, power in missing(before, after):
        yield Difference(
            f"No power of the {pair.old.word(name[0])}.", pair.old.text(power.text, power), about=f"powers.{name[0]}"
        )
    for name, power in missing(after, before):
        told = pair.new.text(power.text, power)
        yield Difference(f"New: the power of the {pair.new.word(name[0])}.", after=told, about=f"powers.{name[0]}")
    for name, old, new in common(before, after):
        found = _rewritten(pair, f"The power of the {pair.new.word(name[0])}", old, new)
        yield from about(f"powers.{name[0]}", found)


def sayings(pair: Pair) -> Iterator[Difference]:
    """What words and pieces say that there are in both, or that say something only now, or no longer."""
    before, after = _sayings(pair.before), _sayings(pair.after)
    for name, (text, _) in missing(before, after):
        yield Difference(f"The {name} says nothing any more.", pair.old.text(text), about=name)
    for name, (text, _) in missing(after, before):
        yield Difference(f"New: what the {name} says.", after=pair.new.text(text), about=name)
    for name, (old, was), (new, now) in common(before, after):
        yield from about(name, pair.rewritten(f"What the {name} says", pair.told(old, new), (was, now)))


def _sayings(edition: Edition) -> dict[str, tuple[Scalar | None, list[str]]]:
    """What everything says and what is told of it, by its name."""
    return {key.name: (said.text, played(said.body)) for key, said in edition.sayings().items()}


def roles(pair: Pair) -> Iterator[Difference]:
    before, after = _sets(pair.before, "role"), _sets(pair.after, "role")
    for (name, _), role in missing(before, after):
        yield Difference(f"No {pair.before.roles[name].title}.", pair.old.text(role.text, role), about=f"roles.{name}")
    for (name, _), role in missing(after, before):
        title = f"New: {pair.after.roles[name].title}, who joins {_joins(pair.after.roles[name])} people."
        yield Difference(title, after=pair.new.text(role.text, role), about=f"roles.{name}")
    for (name, _), old, new in common(before, after):
        yield from about(f"roles.{name}", _role(pair, name, old, new))


def _role(pair: Pair, name: str, old: ChangeSet, new: ChangeSet) -> Iterator[Difference]:
    was, now = pair.before.roles[name], pair.after.roles[name]
    yield from instead(f"The {name} is called {{}}", was.title, now.title)
    yield from instead(f"How many people {now.title} joins: {{}}", _joins(was), _joins(now))
    if was.scored != now.scored:
        yield Difference(f"{now.title} {'is' if now.scored else 'is not'} scored.")
    if was.uses_powers != now.uses_powers:
        yield Difference(f"{now.title} uses {'' if now.uses_powers else 'no '}powers.")
    yield from _rewritten(pair, f"How {now.title} plays", old, new)


def options(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.options, pair.after.options
    for name, option in missing(before, after):
        told = pair.old.text(option.text, _on(pair.before, name))
        yield Difference(f"No option '{name}'.", told, about=f"options.{name}")
    for name, option in missing(after, before):
        told = pair.new.text(option.text, _on(pair.after, name))
        sentence = f"New option '{name}', usually {option.choices[option.default]}."
        yield Difference(sentence, after=told, about=f"options.{name}")
    for name, old, new in common(before, after):
        yield from about(f"options.{name}", _option(pair, name, old, new))


def _option(pair: Pair, name: str, old: OptionDeclaration, new: OptionDeclaration) -> Iterator[Difference]:
    yield from instead(f"Option '{name}': usually {{}}", old.choices[old.default], new.choices[new.default])
    if set(old.choices) != set(new.choices):
        yield from instead(f"Option '{name}': the choices are {{}}", listed(old.choices), listed(new.choices))
    on = _on(pair.before, name), _on(pair.after, name)
    if on[0] and on[1]:
        yield from _rewritten(pair, f"The option '{name}'", on[0], on[1])
        return
    yield from pair.rewritten(f"The option '{name}'", pair.told(old.text, new.text), ([], []))
    was, now = _sets(pair.before, "option", name), _sets(pair.after, "option", name)
    for (_, choice), first, second in common(was, now):
        yield from _rewritten(pair, f"The choice '{choice}' of the option '{name}'", first, second)


def _rewritten(pair: Pair, name: str, old: ChangeSet, new: ChangeSet) -> Iterator[Difference]:
    texts = pair.told(old.text, new.text, (old, new))
    yield from pair.rewritten(name, texts, (behaviour(old), behaviour(new)))


def behaviour(changes: ChangeSet) -> list[str]:
    """What a change set changes, in lines that do not depend on the order in which it says so."""
    lines = [_change(name, operation, text) for name, (operation, text) in changes.changes.items()]
    lines += [f"overrules {spaced(name.text)}" for name in changes.overrules]
    hooks = sorted(changes.hooks, key=_moment)
    return sorted(lines) + [line for hook in hooks for line in (_moment(hook), *_done(hook))]


def _change(name: str, operation: str, text: Scalar) -> str:
    return f"{name}: {spaced(text.text)}" if operation == "set" else f"{name} {spaced(text.text)}"


def _moment(hook: Hook) -> str:
    return f"{spaced(hook.condition_text.text)}:"


def _done(hook: Hook) -> list[str]:
    return [f"  {line}" for line in played(hook.body)]


def _sets(edition: Edition, level: str, name: str = "") -> dict[tuple[str, str], ChangeSet]:
    """The change sets of a level, by their name and choice."""
    return {(c.name, c.choice): c for c in edition.change_sets if c.level == level and name in ("", c.name)}


def _on(edition: Edition, option: str) -> ChangeSet | None:
    """What a yes/no option changes."""
    return _sets(edition, "option", option).get((option, "yes"))


def _joins(role: Role) -> str:
    """2 (always), 3 or 4"""
    people = [f"{number} (always)" if must else str(number) for number, must in sorted(role.joins.items())]
    return either(people) or "none"
