"""Differences in the course of a game: set-up, figures, phases, steps and scoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rulewright.authoring.differences.comparison import (
    Difference,
    EditionComparison,
    about,
    are_reordered,
    common,
    missing,
    played,
)
from rulewright.authoring.differences.localized_edition import LocalizedEdition
from rulewright.authoring.edition_texts import one_line
from rulewright.base.rule_keys import RuleKey
from rulewright.game.rule_texts import length_limits
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Phase, Step
from rulewright.model.edition import Edition
from rulewright.model.symbols import symbols

_SETUP, _RANKING, _LIMIT = RuleKey("setup"), RuleKey("ranking"), RuleKey("limit")

# ── set-up and figures ──


def figures(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in the set-up, its steps, values and terms. New or removed are only values that do not
    depend on a game."""
    before, after = pair.before.setup, pair.after.setup
    if before is not None and after is not None:
        yield from about(_SETUP, _part(pair, (_SETUP, _SETUP), before, after))
    elif after is not None:
        yield _added_rule(pair, _SETUP)
    elif before is not None:
        yield _removed_rule(pair, _SETUP)
    yield from _steps(pair, True)
    known = pair.before.figures, pair.after.figures
    for name, figure in missing(*known):
        if figure.is_value and (amounts := _amounts(pair.old, name)):
            yield pair.gone_difference(f"values.{name}", pair.old.figure(name), amounts)
    for name, figure in missing(*reversed(known)):
        if figure.is_value and (amounts := _amounts(pair.new, name)):
            yield pair.new_difference(f"values.{name}", pair.new.figure(name), amounts)
    for name in sorted((name for name, _, _ in common(*known)), key=lambda name: not known[1][name].is_value):
        section = "values" if known[1][name].is_value else "terms"
        yield from about(f"{section}.{name}", _figure(pair, name))


def _figure(pair: EditionComparison, name: str) -> Iterator[Difference]:
    """Compare a figure that both have: by its amounts if they are constant, else by its formula."""
    thing = pair.new.figure(name)
    was, now = (side.wording.amounts(name, pair.seats) for side in (pair.old, pair.new))
    if not pair.seats or None in {*was.values(), *now.values()}:
        formulas = pair.old.formula(name), pair.new.formula(name)
        if formulas[0] != formulas[1]:
            yield pair.changed(thing, *formulas)
        return
    changes: dict[tuple[str, str], list[int]] = {}
    for seats in pair.seats:
        changes.setdefault((pair.old.amount(was[seats]), pair.new.amount(now[seats])), []).append(seats)
    for (before, after), seat_counts in changes.items():
        yield from pair.instead(
            thing if len(changes) == 1 else _with_seats(pair.new, thing, seat_counts), before, after
        )


def _amounts(side: LocalizedEdition, name: str) -> str:
    """Return '14 with 3 seats, 6 with 4 seats', or '10' if it is always the same; '' if unknown."""
    amounts = side.wording.amounts(name, side.edition.seat_counts())
    if None in amounts.values():
        return ""
    texts = {seats: side.amount(amount) for seats, amount in amounts.items()}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return side.localizer.join_items([_with_seats(side, one, [seats]) for seats, one in texts.items()])


def _with_seats(side: LocalizedEdition, thing: str, seats: Sequence[int]) -> str:
    """Return a text with the numbers of seats for which it holds."""
    return side.say(phrase("changes", "{thing} with {seats} [seat|seats]", thing=thing, seats=tuple(seats)))


# ── phases and steps ──


def phases(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in phases and in the steps of a round."""
    before, after = ({phase.name: phase for phase in edition.phases} for edition in (pair.before, pair.after))
    titles = tuple(pair.new.rule(RuleKey.of("phases", name)) for name in after)
    if len(before) != len(after):
        count = phrase(
            "changes",
            "A round has {now} [phase|phases] instead of {before}: {phases}.",
            now=len(after),
            before=len(before),
            phases=titles,
        )
        yield Difference(pair.say(count), about="phases")
    elif are_reordered(before, after):
        order = phrase("changes", "The phases come in another order: {phases}.", phases=titles)
        yield Difference(pair.say(order), about="phases")
    for name, phase in missing(before, after):
        key, step = RuleKey.of("phases", name), RuleKey.of("steps", name)
        if name in pair.after.steps:  # not in the round any more
            sentence = phrase(
                "changes", "{thing} is no longer a phase of its own.", thing=pair.quoted(pair.old.rule(key))
            )
            yield Difference(pair.say(sentence), about=key)
            yield from about(key, _part(pair, (key, step), phase, pair.after.steps[name]))
        else:
            yield _removed_rule(pair, key)
    for name, phase in missing(after, before):
        key, step = RuleKey.of("phases", name), RuleKey.of("steps", name)
        if name in pair.before.steps:
            sentence = phrase("changes", "{thing} is now a phase of its own.", thing=pair.quoted(pair.new.rule(key)))
            yield Difference(pair.say(sentence), about=key)
            yield from about(key, _part(pair, (step, key), pair.before.steps[name], phase))
        else:
            yield _added_rule(pair, key)
    for name, old, new in common(before, after):
        key = RuleKey.of("phases", name)
        renames = pair.renamed(pair.old.rule(key), pair.new.rule(key))
        yield from about(key, chain(renames, _part(pair, (key, key), old, new)))
    yield from _steps(pair, False)


def _part(
    pair: EditionComparison, keys: tuple[RuleKey, RuleKey], old: Phase | Step, new: Phase | Step
) -> Iterator[Difference]:
    """Yield the differences in text and statements of a phase or step. keys: of its rule before and after."""
    return pair.rewritten(pair.new.rule(keys[1]), keys, (played(old.body), played(new.body)))


def _steps(pair: EditionComparison, of_setup: bool) -> Iterator[Difference]:
    """Yield the differences in steps of the set-up, or in all other steps. New and removed steps count only with a
    text; else the rules that do them show the change."""
    in_setup = _setup_step_names(pair.before) | _setup_step_names(pair.after)
    before, after = (
        {name: step for name, step in edition.steps.items() if (name in in_setup) == of_setup}
        for edition in (pair.before, pair.after)
    )
    rounds = [{phase.name for phase in edition.phases} for edition in (pair.before, pair.after)]
    for name, step in missing(before, after):
        if step.text and name not in rounds[1]:
            yield _removed_rule(pair, RuleKey.of("steps", name))
    for name, step in missing(after, before):
        if step.text and name not in rounds[0]:
            yield _added_rule(pair, RuleKey.of("steps", name))
    for name, old, new in common(before, after):
        key = RuleKey.of("steps", name)
        yield from about(key, _part(pair, (key, key), old, new))


def _setup_step_names(edition: Edition) -> set[str]:
    """Return the names of the steps that the set-up declares."""
    return {entry.name for entry in symbols(edition) if entry.kind == "step" and entry.path[0] == "setup"}


def _added_rule(pair: EditionComparison, key: RuleKey) -> Difference:
    """Return the difference for a rule that is new, with its text."""
    return pair.new_difference(key, pair.new.rule(key), text=pair.new.rule_text(key))


def _removed_rule(pair: EditionComparison, key: RuleKey) -> Difference:
    """Return the difference for a rule that is gone, with its text."""
    return pair.gone_difference(key, pair.old.rule(key), text=pair.old.rule_text(key))


# ── scoring ──


def scoring(pair: EditionComparison) -> Iterator[Difference]:
    """Yield the differences in score lines, the ranking and the limit of rounds."""
    before, after = ({line.name: line for line in edition.scoring} for edition in (pair.before, pair.after))
    for name, _ in missing(before, after):
        yield _removed_rule(pair, RuleKey.of("scoring", name))
    for name, _ in missing(after, before):
        yield _added_rule(pair, RuleKey.of("scoring", name))
    if are_reordered(before, after):
        titles = tuple(pair.new.rule(RuleKey.of("scoring", name)) for name in after)
        order = phrase("changes", "The score lines come in another order: {lines}.", lines=titles)
        yield Difference(pair.say(order), about="scoring")
    for name, old, new in common(before, after):
        key = RuleKey.of("scoring", name)
        renames = pair.renamed(pair.old.rule(key), pair.new.rule(key))
        points = [one_line(old.points.text)], [one_line(new.points.text)]
        yield from about(key, chain(renames, pair.rewritten(pair.new.rule(key), (key, key), points)))
    rankings = _ranking(pair.before), _ranking(pair.after)
    yield from about(_RANKING, pair.rewritten(pair.new.rule(_RANKING), (_RANKING, _RANKING), rankings))
    limits = [" ".join(map(side.say, length_limits(side.edition))) for side in (pair.old, pair.new)]
    if limits[0] != limits[1]:
        yield from about(_LIMIT, [pair.changed(pair.new.rule(_LIMIT), *limits)])


def _ranking(edition: Edition) -> list[str]:
    """Return the criteria of the ranking, as `rewritten` takes them; those of an edition without any by default."""
    return [one_line(edition.ranking.text) if edition.ranking else "highest score"]
