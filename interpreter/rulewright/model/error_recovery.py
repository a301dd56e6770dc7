"""What is left of a tree without what has a wrong shape, so that the rest of an edition can be read and checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.base.diagnostics import Report
from rulewright.model.declarations import Lost
from rulewright.syntax import schema
from rulewright.syntax.schema import Fault, NodePath
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_MOST_ROUNDS = 8
_TRUSTED = ("rulewright", "extends", "remove")
"""Where these are wrong, nothing that is said of the rest can be trusted."""
_PHASES = ("phases",)
_PLAYERS = (("players",), ("seats",))

_DEPTHS = {
    "words": 4, "boards": 2, "pieces": 2, "zones": 2, "values": 3, "terms": 3, "counters": 3, "scoring": 2,
    "measures": 2,
}  # fmt: skip
"""Of entries that go as a whole, by section: what is left of them could be taken for something else."""

_CHOICES = ("choices", "default")
_NAMED_BY = ("each", "of")
_MADE = re.compile(
    r"^\s*let\s+(?P<let>.+?)\s+be\b|\bas\s+(?P<as>[^\W\d_][\w ]*?)(?=\s+by\b|\s*$)"
    r"|^choose number (?!.*\bas\b).* for (?P<for>.+)$"
)


def validated(tree: Node, report: Report, file: str, lost: Lost) -> MappingNode | None:
    """What of a tree has the shape that a schema describes; None if too little has it. What is wrong goes to the
    report, the names that go with it to `lost`."""
    left = tree
    if schema.validate(tree, report, file):
        return tree if isinstance(tree, MappingNode) else None
    for _ in range(_MOST_ROUNDS):
        faults = [fault for fault in schema.faults(left, file) if not _is_empty(left, fault.path)]
        if not faults:
            return left if isinstance(left, MappingNode) else None
        for fault in sorted(faults, key=_from_the_end, reverse=True):
            mended = _mended(left, fault, lost)
            if mended is None:
                return None
            left = mended
    return None


def _is_empty(tree: Node, path: NodePath) -> bool:
    """Whether it is the phases that there are not, since what stood there was wrong."""
    return path == _PHASES and isinstance(tree, MappingNode) and tree.get("phases") == MappingNode(tree.place, {}, {})


def _from_the_end(fault: Fault) -> list[tuple[int, str]]:
    """So that what goes does not renumber what goes after it."""
    return [(step, "") if isinstance(step, int) else (0, step) for step in fault.path]


def names_made(text: str) -> list[str]:
    """The names that a sentence gives, as far as that can be told of one that may be wrong."""
    return [name.strip() for found in _MADE.finditer(text) for name in found.groups() if name]


def _mended(tree: Node, fault: Fault, lost: Lost) -> Node | None:
    """The tree without what is wrong, or with what is missing; None if it cannot go on without it."""
    path = fault.path
    if fault.missing == ("do",) and path:
        return _changed(tree, path, lambda node: _with(node, "do", SequenceNode([], node.place)))
    if fault.missing == ("title",) and not path:
        return _with(tree, "title", Scalar("?", tree.place))
    if path == _PHASES or (fault.missing == _PHASES and not path):
        lost.add(*names_in(tree.get("phases") if isinstance(tree, MappingNode) else None))
        return _with(tree, "phases", MappingNode(tree.place, {}, {}))
    if path[:1] in _PLAYERS or (fault.missing in _PLAYERS and not path):
        lost.meaning = True
        return _with(tree, str(path[0]) if path else "players", Scalar("2", tree.place))
    unit = _unit(path)
    if not unit:
        return None
    if fault.bad_name:
        lost.unreadable.add(fault.bad_name)
        words = re.findall(r"[^\W_]+", fault.bad_name)
        lost.add(*words, " ".join(words), " ".join(words).lower(), *(word.lower() for word in words))
    match unit:
        case ("pieces", str(kind)) | ("change", "pieces", str(kind)):
            lost.kinds[kind] = tree.place
    return _changed(tree, unit[:-1], lambda owner: _less(owner, unit[-1], lost))


def _unit(path: NodePath) -> NodePath:
    """The path of what goes as a whole; empty if nothing can be trusted then."""
    start = 1 if path[:1] == ("change",) and len(path) > 1 else 0
    section = path[start] if len(path) > start else ""
    if section in _TRUSTED or (section in ("", "round") and len(path) <= start + 1):
        return ()
    if section in _DEPTHS:
        return path[: start + _DEPTHS[str(section)]]
    if section == "options" and len(path) > start + 2 and path[start + 2] in _CHOICES and len(path) <= start + 4:
        return path[: start + 2]
    return path[: path.index("for")] if "for" in path else path


def _changed(node: Node, path: NodePath, change: Callable[[Node], Node]) -> Node:
    """The tree with another node at a path. Nodes are made anew, for aliases share them."""
    if not path:
        return change(node)
    step = path[0]
    if isinstance(node, MappingNode) and isinstance(step, str) and step in node.entries:
        inner = _changed(node.entries[step], path[1:], change)
        return MappingNode(node.place, {**node.entries, step: inner}, node.keys)
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
        inner = _changed(node.items[step], path[1:], change)
        return SequenceNode([*node.items[:step], inner, *node.items[step + 1 :]], node.place)
    return node


def _with(node: Node, key: str, inner: Node) -> Node:
    if not isinstance(node, MappingNode):
        return node
    return MappingNode(node.place, {**node.entries, key: inner}, {**node.keys, key: Scalar(key, node.place)})


def _less(owner: Node, step: str | int, lost: Lost) -> Node:
    """The owner without one of its parts, whose names are lost."""
    if isinstance(owner, MappingNode) and isinstance(step, str) and step in owner.entries:
        lost.add(step, *names_in(owner.entries[step]), *names_made(step))
        kept = [key for key in owner.entries if key != step]
        return MappingNode(
            owner.place, {key: owner.entries[key] for key in kept}, {key: owner.keys[key] for key in kept}
        )
    if isinstance(owner, SequenceNode) and isinstance(step, int) and step < len(owner.items):
        lost.add(*names_in(owner.items[step]))
        return SequenceNode([*owner.items[:step], *owner.items[step + 1 :]], owner.place)
    return owner


def names_in(node: Node | None) -> Iterator[str]:
    """All that a part of a tree may give a name to."""
    if isinstance(node, Scalar):
        yield from names_made(node.text)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from names_in(item)
    elif isinstance(node, MappingNode):
        for key, inner in node.entries.items():
            yield key
            yield from names_made(key)
            if key in _NAMED_BY and isinstance(inner, Scalar):
                yield inner.text
            yield from names_in(inner)
