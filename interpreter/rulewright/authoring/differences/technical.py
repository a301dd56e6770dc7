"""Differences by dotted names: what stands in one edition and not, or otherwise, in the other."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.edition_texts import sentences, spaced
from rulewright.base.records import record
from rulewright.model.declarations import Edition
from rulewright.model.symbols import entries, kind_of
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_Path = tuple[str, ...]

# What need not be written: it is so anyway.
_USUAL = {"pile": "no", "scored": "yes", "uses powers": "yes", "copies": "1", "shown": "yes", "limit.scored": "no"}
_SHORT = {"value": "is", "term": "is", "counter": "starts at", "ranking": "by", "step": "do"}
"""Kinds of things that may be written as just what stands under this key."""


@record
class TextChange:
    """What stands at a dotted name before and after, line by line; () where there is no such name.

    whole: a thing that is new or gone with all that stands below its name; what that was is not told.
    """

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    whole: bool = False


def technical(before: Edition, after: Edition) -> list[TextChange]:
    """Every difference, in the order of `after`, with what is gone at the end."""
    was, now = dict(_leaves(before.tree, ())), dict(_leaves(after.tree, ()))
    things = [{entry.path for entry in entries(edition)} for edition in (before, after)]
    changes: dict[_Path, TextChange] = {}
    for path in [*now, *(path for path in was if path not in now)]:
        old, new = was.get(path, ()), now.get(path, ())
        whole = _whole(path, things[not new], things[bool(new)]) if not (old and new) else None
        if whole is not None:
            changes.setdefault(whole, TextChange(".".join(whole), old and ("there",), new and ("there",), True))
        elif old != new:
            changes[path] = TextChange(".".join(path), old, new)
    return [*changes.values(), *_orders(before, after), *_first_choices(before, after)]


def _whole(path: _Path, there: set[_Path], here: set[_Path]) -> _Path | None:
    """The largest thing around a path that only one side has; a figure or counter itself is rather shown."""
    for length in range(1, len(path) + (kind_of(path) == "step")):
        if path[:length] in here and path[:length] not in there:
            return path[:length]
    return None


def _orders(before: Edition, after: Edition) -> Iterator[TextChange]:
    """Where things that both have come in another order, and order is a rule."""
    names = {
        "phases": [[phase.name for phase in edition.phases] for edition in (before, after)],
        "scoring": [[line.name for line in edition.scoring] for edition in (before, after)],
    }
    for section, (was, now) in names.items():
        pair = tuple(name for name in was if name in now), tuple(name for name in now if name in was)
        if pair[0] != pair[1]:
            yield TextChange(f"{section} (order)", *pair)


def _first_choices(before: Edition, after: Edition) -> Iterator[TextChange]:
    """Where another choice of an option is usual only because it stands first."""
    for name, option in after.options.items():
        other = before.options.get(name)
        if other is not None and set(other.choices) == set(option.choices) and other.choices[0] != option.choices[0]:
            yield TextChange(f"options.{name}.choices (order)", other.choices, option.choices)


def _leaves(node: Node, path: _Path) -> Iterator[tuple[_Path, tuple[str, ...]]]:
    """Path -> the lines that stand there. What can be written in two ways is given in one."""
    kind = kind_of(path)
    if isinstance(node, MappingNode):
        if kind == "word" and not node.entries:
            yield path, ("nothing",)
        for key, value in node.items():
            yield from _leaves(value, path if key.text == _SHORT.get(kind) else (*path, spaced(key.text)))
    elif path[0] == "boards" and path[-1] == "map" and isinstance(node, Scalar):
        yield path, tuple(line.rstrip() for line in node.text.rstrip().split("\n"))
    elif kind in ("step", "phase", "setup") or path[-1] == "do" or _is_hook(path):
        yield path, tuple(sentences(node)) or ("nothing",)
    elif isinstance(node, SequenceNode):
        yield path, (", ".join(spaced(item.text) for item in node.items if isinstance(item, Scalar)),)
    elif kind == "word":
        yield path, ("nothing",)
    elif not node.absent and spaced(node.text) != _USUAL.get(".".join(path), _USUAL.get(path[-1])):
        yield path, (spaced(node.text),)


def _is_hook(path: _Path) -> bool:
    words = path[-1].removeprefix("may ").split()
    return path[0] in ("powers", "roles", "options") and words[:1] in (["before"], ["after"], ["instead"], ["whenever"])
