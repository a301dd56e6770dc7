"""Options that change nothing at a table: what they are asked for there can never be so."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model.constant_evaluation import number_written, only_name
from rulewright.model.declarations import Edition, canonical
from rulewright.model.statements import conditions, lines, parsed
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import And, Compare, Expression, Name, Node, Number, NumberOf


def idle_options(edition: Edition, seats: int) -> set[str]:
    """The options that make no difference with so many seats: each place that asks for one asks for another number of
    seats as well. Those that change figures or steps are not among them."""
    changing = {c.name for c in edition.change_sets if c.level == "option" and (c.changes or c.hooks)}
    by_name = {canonical(name): name for name in edition.options if name not in changing}
    asked: dict[str, bool] = {}  # whether any place that names it can matter
    for tree in _trees(edition):
        for name, matters in _named(tree, seats, True):
            if name in by_name:
                asked[by_name[name]] = asked.get(by_name[name], False) or matters
    return {name for name, matters in asked.items() if not matters}


def _trees(edition: Edition) -> Iterator[Node]:
    """All sentences and expressions that are played by."""
    phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
    hooks = [hook for changes in edition.change_sets for hook in changes.hooks]
    bodies = [phase.body for phase in phases]
    bodies += [step.body for step in (*edition.steps.values(), *edition.sayings().values())]
    for body in [*bodies, *(hook.body for hook in hooks)]:
        yield from (line.tree for line in lines(body))
        yield from conditions(body)
    yield from (hook.condition for hook in hooks if hook.condition is not None)
    amounts: list[Scalar] = [text for figure in edition.figures.values() for text in figure.texts]
    amounts += [scalar for changes in edition.change_sets for _, scalar in changes.changes.values()]
    amounts += [zone.at_most for zone in edition.zones.values() if zone.at_most]
    amounts += [line.points for line in edition.scoring]
    for scalar in amounts:
        tree = parsed(Scalar(scalar.text.lstrip(" +"), scalar.place), sentences.value)
        if tree is not None:
            yield tree
    ranking = parsed(edition.ranking, sentences.keys) if edition.ranking else None
    if ranking is not None:
        yield ranking


def _named(tree: Node, seats: int, matters: bool) -> Iterator[tuple[str, bool]]:
    """Yield the names in a tree, each with whether what stands there can matter."""
    if isinstance(tree, Name):
        yield canonical(tree.text), matters
    elif isinstance(tree, And):
        yield from _named(tree.left, seats, matters and not _never(tree.right, seats))
        yield from _named(tree.right, seats, matters and not _never(tree.left, seats))
    else:
        for child in tree.children():
            yield from _named(child, seats, matters)


def _never(condition: Expression, seats: int) -> bool:
    """Return whether a condition asks for another number of seats."""
    match condition:
        case And():
            return _never(condition.left, seats) or _never(condition.right, seats)
        case Compare(left=NumberOf(things=things), relation=relation, right=Number(digits=digits)):
            number = number_written(digits)
            holds = {
                "": seats == number,
                "not": seats != number,
                "at least": seats >= number,
                "at most": seats <= number,
                "more than": seats > number,
                "less than": seats < number,
            }
            return only_name(things) == "seat" and not holds[relation]
    return False
