"""Differences in how a game goes: set-up, figures, phases, steps, scoring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rulewright.authoring.differences.pair import Difference, Pair, about, common, instead, missing, played
from rulewright.authoring.wording import Wording, be, by_seats, capital, either, listed, spaced
from rulewright.model.declarations import ANSWERS_PER_SEAT, Edition, Phase, Step
from rulewright.model.entries import entries
from rulewright.model.static_values import shown
from rulewright.syntax.source import Scalar

# ── set-up and figures ──


def figures(pair: Pair) -> Iterator[Difference]:
    before, after = pair.before.setup, pair.after.setup
    if before is not None and after is not None:
        yield from about("setup", _part(pair, before.title, before, after))
    elif after is not None:
        yield Difference("There is a set-up.", after=pair.new.text(after.text), about="setup")
    elif before is not None:
        yield Difference("There is no set-up.", pair.old.text(before.text), about="setup")
    yield from _steps(pair, True)
    known = pair.before.figures, pair.after.figures
    for name, figure in missing(*known):
        if figure.is_value and (amount := _amount(pair.old, name)):
            yield Difference(f"No {name} (it was {amount}).", about=f"values.{name}")
    for name, figure in missing(*reversed(known)):
        if figure.is_value and (amount := _amount(pair.new, name)):
            yield Difference(f"New: the {name}, {amount}.", about=f"values.{name}")
    for name in sorted((name for name, _, _ in common(*known)), key=lambda name: not known[1][name].is_value):
        section = "values" if known[1][name].is_value else "terms"
        yield from about(f"{section}.{name}", _figure(pair, name))


def _figure(pair: Pair, name: str) -> Iterator[Difference]:
    """A value or term of both: what it amounts to if that can be told, else what it is worked out from."""
    was, now = pair.old.amounts(name, pair.seats), pair.new.amounts(name, pair.seats)
    known = bool(pair.seats) and None not in {*was.values(), *now.values()}
    if known and len(set(was.values())) == len(set(now.values())) == 1:
        yield from instead(f"The {name} {be(name)} {{}}", shown(was[pair.seats[0]]), shown(now[pair.seats[0]]))
    elif known:
        told = [
            f"{shown(now[seats])} instead of {shown(was[seats])} with {seats}" for seats in pair.seats
            if was[seats] != now[seats]
        ]  # fmt: skip
        if told:
            yield Difference(f"The {name} {be(name)} {', '.join([f'{told[0]} seats', *told[1:]])}.")
    else:
        formulas = pair.old.formula(pair.before.figures[name]), pair.new.formula(pair.after.figures[name])
        if formulas[0] != formulas[1]:
            yield Difference(f"The {name} {be(name)} different:", *formulas)


def _amount(wording: Wording, name: str) -> str:
    return by_seats(wording.amounts(name, wording.edition.seat_counts()))


# ── phases and steps ──


def phases(pair: Pair) -> Iterator[Difference]:
    before = {phase.name: phase for phase in pair.before.phases}
    after = {phase.name: phase for phase in pair.after.phases}
    titles = listed(phase.title for phase in after.values())
    if len(before) != len(after):
        count = f"{len(after)} {'phase' if len(after) == 1 else 'phases'}"
        yield Difference(f"A round has {count} instead of {len(before)}: {titles}.", about="phases")
    elif [name for name in before if name in after] != [name for name in after if name in before]:
        yield Difference(f"The phases come in another order: {titles}.", about="phases")
    for name, phase in missing(before, after):
        if name in pair.after.steps:  # not in the round any more
            yield Difference(f"'{phase.title}' is no phase of its own.", about=f"phases.{name}")
            yield from about(f"phases.{name}", _part(pair, phase.title, phase, pair.after.steps[name]))
        else:
            yield Difference(f"No phase '{phase.title}'.", pair.old.text(phase.text), about=f"phases.{name}")
    for name, phase in missing(after, before):
        if name in pair.before.steps:
            yield Difference(f"'{phase.title}' is a phase of its own.", about=f"phases.{name}")
            yield from about(f"phases.{name}", _part(pair, phase.title, pair.before.steps[name], phase))
        else:
            told = pair.new.text(phase.text)
            yield Difference(f"New phase '{phase.title}'.", after=told, about=f"phases.{name}")
    for name, old, new in common(before, after):
        called = instead(f"The phase {name} is called {{}}", old.title, new.title)
        yield from about(f"phases.{name}", chain(called, _part(pair, new.title, old, new)))
    yield from _steps(pair, False)


def _part(pair: Pair, title: str, old: Phase | Step, new: Phase | Step) -> Iterator[Difference]:
    yield from pair.rewritten(f"'{title}'", pair.told(old.text, new.text), (played(old.body), played(new.body)))


def _steps(pair: Pair, of_setup: bool) -> Iterator[Difference]:
    """The steps of the set-up, or all others. What is new or gone is told by its text, or else by who does it."""
    titles = _titles(pair.before) | _titles(pair.after)
    in_setup = _of_setup(pair.before) | _of_setup(pair.after)
    before, after = (
        {name: step for name, step in edition.steps.items() if (name in in_setup) == of_setup}
        for edition in (pair.before, pair.after)
    )
    rounds = [{phase.name for phase in edition.phases} for edition in (pair.before, pair.after)]
    for name, step in missing(before, after):
        if step.text and name not in rounds[1]:
            yield Difference(f"No step '{titles[name]}'.", pair.old.text(step.text), about=f"steps.{name}")
    for name, step in missing(after, before):
        if step.text and name not in rounds[0]:
            told = pair.new.text(step.text)
            yield Difference(f"New step '{titles[name]}'.", after=told, about=f"steps.{name}")
    for name, old, new in common(before, after):
        yield from about(f"steps.{name}", _part(pair, titles[name], old, new))


def _titles(edition: Edition) -> dict[str, str]:
    """What steps are called, and phases that are steps because they are not in the round."""
    return {entry.name: capital(entry.title) for entry in entries(edition) if entry.kind in ("step", "phase")}


def _of_setup(edition: Edition) -> set[str]:
    return {entry.name for entry in entries(edition) if entry.kind == "step" and entry.path[0] == "setup"}


# ── scoring ──


def scoring(pair: Pair) -> Iterator[Difference]:
    before = {line.name: line for line in pair.before.scoring}
    after = {line.name: line for line in pair.after.scoring}
    for name, line in missing(before, after):
        yield Difference(f"No points for '{line.title}'.", pair.old.text(line.text), about=f"scoring.{name}")
    for name, line in missing(after, before):
        told = pair.new.text(line.text)
        yield Difference(f"New points for '{line.title}'.", after=told, about=f"scoring.{name}")
    if [name for name in before if name in after] != [name for name in after if name in before]:
        yield Difference(
            f"The score lines come in another order: {listed(line.title for line in after.values())}.", about="scoring"
        )
    for name, old, new in common(before, after):
        called = instead(f"The score line {name} is called {{}}", old.title, new.title)
        points = [spaced(old.points.text)], [spaced(new.points.text)]
        counted = pair.rewritten(f"'{new.title}'", pair.told(old.text, new.text), points)
        yield from about(f"scoring.{name}", chain(called, counted))
    texts = pair.told(pair.before.ranking_text, pair.after.ranking_text)
    yield from about("ranking", pair.rewritten("Who wins", texts, (_ranking(pair.before), _ranking(pair.after))))
    ends = instead("A game that has not ended before ends {}", _limit(pair.before), _limit(pair.after))
    yield from about("limit", ends)


def _limit(edition: Edition) -> str:
    limit, after = edition.limit, []
    if limit.rounds is not None:
        after.append(f"{limit.rounds:,} {'round' if limit.rounds == 1 else 'rounds'}")
    if limit.answers is not None:
        after.append(f"{limit.answers:,} {'answer' if limit.answers == 1 else 'answers'}")
    elif not after:
        after.append(f"{ANSWERS_PER_SEAT:,} answers for each seat")
    return f"after {either(after)}, {'as it stands' if limit.scored else 'without a result'}"


def _ranking(edition: Edition) -> list[str]:
    order: Scalar | None = edition.ranking
    return [spaced(order.text) if order else "highest score"]
