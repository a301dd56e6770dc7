"""Options without effect at a table with a certain number of seats."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model.constant_evaluation import only_name, parse_number
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import conditions, sentence_lines, try_parse
from rulewright.syntax import sentences
from rulewright.syntax.condition_nodes import And, Compare
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.number_nodes import Number, NumberOf
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Name, Node


def idle_options(edition: Edition, seats: int) -> set[str]:
    """Return the options without effect with so many seats: they are named only in conditions that require another
    number of seats. Options that change figures or steps, or that nothing names, are never among them."""
    changing = {c.name for c in edition.change_sets if c.level == "option" and (c.changes or c.hooks)}
    by_name = {canonical(name): name for name in edition.options if name not in changing}
    relevant: dict[str, bool] = {}  # whether any place that names it can matter
    for tree in _trees(edition):
        for name, matters in _names_with_relevance(tree, seats, True):
            if name in by_name:
                relevant[by_name[name]] = relevant.get(by_name[name], False) or matters
    return {name for name, matters in relevant.items() if not matters}


def _trees(edition: Edition) -> Iterator[Node]:
    """Yield the syntax trees of all statements and expressions that games execute."""
    phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
    hooks = [hook for changes in edition.change_sets for hook in changes.hooks]
    bodies = [phase.body for phase in phases]
    bodies += [step.body for step in (*edition.steps.values(), *edition.say_steps().values())]
    for body in [*bodies, *(hook.body for hook in hooks)]:
        yield from (line.tree for line in sentence_lines(body))
        yield from conditions(body)
    yield from (hook.condition for hook in hooks if hook.condition is not None)
    amounts: list[Scalar] = [text for figure in edition.figures.values() for text in figure.texts]
    amounts += [scalar for changes in edition.change_sets for _, scalar in changes.changes.values()]
    amounts += [zone.at_most for zone in edition.zones.values() if zone.at_most]
    amounts += [line.points for line in edition.scoring]
    for scalar in amounts:
        tree = try_parse(Scalar(scalar.text.lstrip(" +"), scalar.place), sentences.value)
        if tree is not None:
            yield tree
    ranking = try_parse(edition.ranking, sentences.keys) if edition.ranking else None
    if ranking is not None:
        yield ranking


def _names_with_relevance(tree: Node, seats: int, matters: bool) -> Iterator[tuple[str, bool]]:
    """Yield the names in a tree, each with whether it can have an effect with so many seats. matters: whether the tree
    can."""
    if isinstance(tree, Name):
        yield canonical(tree.text), matters
    elif isinstance(tree, And):
        yield from _names_with_relevance(tree.left, seats, matters and not _asks_other_seats(tree.right, seats))
        yield from _names_with_relevance(tree.right, seats, matters and not _asks_other_seats(tree.left, seats))
    else:
        for child in tree.children():
            yield from _names_with_relevance(child, seats, matters)


def _asks_other_seats(condition: Expression, seats: int) -> bool:
    """Return whether a condition can only hold with another number of seats."""
    match condition:
        case And():
            return _asks_other_seats(condition.left, seats) or _asks_other_seats(condition.right, seats)
        case Compare(left=NumberOf(things=things), relation=relation, right=Number(digits=digits)):
            number = parse_number(digits)
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
