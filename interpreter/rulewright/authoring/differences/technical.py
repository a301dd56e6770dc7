"""Differences of two editions by dotted names."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.edition_texts import body_lines, one_line
from rulewright.base.records import record
from rulewright.model.edition import Edition
from rulewright.model.symbols import kind_of, symbols
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_Path = tuple[str, ...]
"""Keys that lead to a node of an edition's tree."""

_USUAL = {"pile": "no", "scored": "yes", "uses powers": "yes", "copies": "1", "shown": "yes", "limit.scored": "no"}
"""Values that hold anyway if they are not written, by dotted path or by last key."""
_SHORT = {"value": "is", "term": "is", "counter": "starts at", "ranking": "by", "step": "do"}
"""Key that may be left out, by kind of symbol."""


@record
class TextChange:
    """Lines at a dotted name before and after; () where the name does not exist. whole: a whole declaration is new or
    gone, so its lines are only ('there',)."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    whole: bool = False


def text_changes(before: Edition, after: Edition) -> list[TextChange]:
    """Return all differences, in the order of `after`, with what is gone at the end."""
    was, now = dict(_flatten(before.tree, ())), dict(_flatten(after.tree, ()))
    things = [{entry.path for entry in symbols(edition)} for edition in (before, after)]
    changes: dict[_Path, TextChange] = {}
    for path in [*now, *(path for path in was if path not in now)]:
        old, new = was.get(path, ()), now.get(path, ())
        whole = _outermost_declaration(path, things[not new], things[bool(new)]) if not (old and new) else None
        if whole is not None:
            changes.setdefault(whole, TextChange(".".join(whole), old and ("there",), new and ("there",), True))
        elif old != new:
            changes[path] = TextChange(".".join(path), old, new)
    return [*changes.values(), *_order_changes(before, after), *_default_changes(before, after)]


def _outermost_declaration(path: _Path, others: set[_Path], own: set[_Path]) -> _Path | None:
    """Return the outermost declaration around a path that only one side has; None to show the path itself."""
    for length in range(1, len(path) + (kind_of(path) == "step")):
        if path[:length] in own and path[:length] not in others:
            return path[:length]
    return None


def _order_changes(before: Edition, after: Edition) -> Iterator[TextChange]:
    """Yield changes of order where order is a rule."""
    names = {
        "phases": [[phase.name for phase in edition.phases] for edition in (before, after)],
        "scoring": [[line.name for line in edition.scoring] for edition in (before, after)],
    }
    for section, (was, now) in names.items():
        pair = tuple(name for name in was if name in now), tuple(name for name in now if name in was)
        if pair[0] != pair[1]:
            yield TextChange(f"{section} (order)", *pair)


def _default_changes(before: Edition, after: Edition) -> Iterator[TextChange]:
    """Yield options whose default changed only because another choice comes first."""
    for name, option in after.options.items():
        other = before.options.get(name)
        if other is not None and set(other.choices) == set(option.choices) and other.choices[0] != option.choices[0]:
            yield TextChange(f"options.{name}.choices (order)", other.choices, option.choices)


def _flatten(node: Node, path: _Path) -> Iterator[tuple[_Path, tuple[str, ...]]]:
    """Yield each path of a section's tree with its lines. Equivalent spellings give equal lines, and what holds anyway
    gives none."""
    kind = kind_of(path)
    if isinstance(node, MappingNode):
        if kind == "word" and not node.entries:
            yield path, ("nothing",)
        for key, value in node.items():
            yield from _flatten(value, path if key.text == _SHORT.get(kind) else (*path, one_line(key.text)))
    elif path[0] == "boards" and path[-1] == "map" and isinstance(node, Scalar):
        yield path, tuple(line.rstrip() for line in node.text.rstrip().split("\n"))
    elif kind in ("step", "phase", "setup") or path[-1] == "do" or _is_hook(path):
        yield path, tuple(body_lines(node)) or ("nothing",)
    elif isinstance(node, SequenceNode):
        yield path, (", ".join(one_line(item.text) for item in node.items if isinstance(item, Scalar)),)
    elif kind == "word":
        yield path, ("nothing",)
    elif not node.absent and one_line(node.text) != _USUAL.get(".".join(path), _USUAL.get(path[-1])):
        yield path, (one_line(node.text),)


def _is_hook(path: _Path) -> bool:
    """Return whether a path leads to a hook of a power, role or option, such as 'before STEP'."""
    words = path[-1].removeprefix("may ").split()
    return path[0] in ("powers", "roles", "options") and words[:1] in (["before"], ["after"], ["instead"], ["whenever"])
