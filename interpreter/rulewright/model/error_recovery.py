"""Recovery from misshapen entries: they are dropped from the tree, so that the rest of an edition can be read and
checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.base.diagnostics import Report
from rulewright.model.lost_names import LostNames
from rulewright.syntax import schema_validation
from rulewright.syntax.schema_validation import Fault, NodePath
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, value_of

_MAX_ROUNDS = 8
"""Attempts at a tree without faults; each removes all that are left."""
_TRUSTED = ("rulewright", "extends", "remove")
"""Keys whose errors make the whole file unreadable."""
_PHASES = ("phases",)
"""Path of the section that is left empty if it is misshapen."""
_PLAYERS = (("players",), ("seats",))
"""Paths of the numbers of players; 2 stands in for a misshapen one."""

_DEPTHS = {
    "words": 4, "boards": 2, "pieces": 2, "zones": 2, "values": 3, "terms": 3, "counters": 3, "scoring": 2,
    "measures": 2,
}  # fmt: skip
"""Depth of the entries that are dropped as a whole, by section: a part of one could mean something else."""

_CHOICES = ("choices", "default")
"""Keys of an option whose faults drop the whole option."""
_NAMED_BY = ("each", "of")
"""Keys whose value is a name that others may use."""
_INTRODUCTION = re.compile(
    r"^\s*let\s+(?P<let>.+?)\s+be\b|\bas\s+(?P<as>[^\W\d_][\w ]*?)(?=\s+by\b|\s*$)"
    r"|^choose number (?!.*\bas\b).* for (?P<for>.+)$"
)
"""Name that a sentence introduces with `let`, `as` or `for`."""


def drop_misshapen(tree: Node, report: Report, file: str, lost: LostNames) -> MappingNode | None:
    """Report misshapen entries of a tree by a schema, and return the tree without them; None if too little is left.

    lost: receives the names of dropped entries.
    """
    left = tree
    if schema_validation.validate(tree, report, file):
        return tree if isinstance(tree, MappingNode) else None
    for _ in range(_MAX_ROUNDS):
        faults = [fault for fault in schema_validation.faults(left, file) if not _is_empty(left, fault.path)]
        if not faults:
            return left if isinstance(left, MappingNode) else None
        for fault in sorted(faults, key=_document_order, reverse=True):
            mended = _repair(left, fault, lost)
            if mended is None:
                return None
            left = mended
    return None


def _is_empty(tree: Node, path: NodePath) -> bool:
    """Return whether this is the empty `phases` that replaced a misshapen one."""
    return path == _PHASES and isinstance(tree, MappingNode) and tree.get("phases") == MappingNode(tree.place, {}, {})


def _document_order(fault: Fault) -> list[tuple[int, str]]:
    """Return a key that sorts faults by their place in the tree, so that list items can be dropped from the end."""
    return [(step, "") if isinstance(step, int) else (0, step) for step in fault.path]


def names_introduced(text: str) -> list[str]:
    """Return the names that a sentence introduces with `let`, `as` or `for`, even if it cannot be parsed."""
    return [name.strip() for found in _INTRODUCTION.finditer(text) for name in found.groups() if name]


def _repair(tree: Node, fault: Fault, lost: LostNames) -> Node | None:
    """Return the tree with one fault dropped or filled in; None if nothing can be read without it. lost: receives the
    names of what is dropped."""
    path = fault.path
    if fault.missing == ("do",) and path:
        return _replace(tree, path, lambda node: _with_entry(node, "do", SequenceNode([], node.place)))
    if fault.missing == ("title",) and not path:
        return _with_entry(tree, "title", Scalar("?", tree.place))
    if path == _PHASES or (fault.missing == _PHASES and not path):
        lost.add(*names_declared(value_of(tree, "phases")))
        return _with_entry(tree, "phases", MappingNode(tree.place, {}, {}))
    if path[:1] in _PLAYERS or (fault.missing in _PLAYERS and not path):
        lost.meaning = True
        return _with_entry(tree, str(path[0]) if path else "players", Scalar("2", tree.place))
    unit = _whole_entry(path)
    if not unit:
        return None
    if fault.bad_name:
        lost.unreadable.add(fault.bad_name)
        words = re.findall(r"[^\W_]+", fault.bad_name)
        lost.add(*words, " ".join(words), " ".join(words).lower(), *(word.lower() for word in words))
    match unit:
        case ("pieces", str(kind)) | ("change", "pieces", str(kind)):
            lost.kinds[kind] = tree.place
    return _replace(tree, unit[:-1], lambda owner: _without_entry(owner, unit[-1], lost))


def _whole_entry(path: NodePath) -> NodePath:
    """Return the path of the entry to drop for a fault; () if the whole file is unreadable."""
    start = 1 if path[:1] == ("change",) and len(path) > 1 else 0
    section = path[start] if len(path) > start else ""
    if section in _TRUSTED or (section in ("", "round") and len(path) <= start + 1):
        return ()
    if section in _DEPTHS:
        return path[: start + _DEPTHS[str(section)]]
    if section == "options" and len(path) > start + 2 and path[start + 2] in _CHOICES and len(path) <= start + 4:
        return path[: start + 2]
    return path[: path.index("for")] if "for" in path else path


def _replace(node: Node, path: NodePath, change: Callable[[Node], Node]) -> Node:
    """Return the tree with the node at a path replaced. Nodes are copied, since aliases share them."""
    if not path:
        return change(node)
    step = path[0]
    if isinstance(node, MappingNode) and isinstance(step, str) and step in node.entries:
        inner = _replace(node.entries[step], path[1:], change)
        return MappingNode(node.place, {**node.entries, step: inner}, node.keys)
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
        inner = _replace(node.items[step], path[1:], change)
        return SequenceNode([*node.items[:step], inner, *node.items[step + 1 :]], node.place)
    return node


def _with_entry(node: Node, key: str, inner: Node) -> Node:
    """Return a copy of a mapping with an entry replaced or added."""
    if not isinstance(node, MappingNode):
        return node
    return MappingNode(node.place, {**node.entries, key: inner}, {**node.keys, key: Scalar(key, node.place)})


def _without_entry(owner: Node, step: str | int, lost: LostNames) -> Node:
    """Return a mapping or list without one entry, whose names are recorded as lost."""
    if isinstance(owner, MappingNode) and isinstance(step, str) and step in owner.entries:
        lost.add(step, *names_declared(owner.entries[step]), *names_introduced(step))
        rest = [key for key in owner.entries if key != step]
        return MappingNode(
            owner.place, {key: owner.entries[key] for key in rest}, {key: owner.keys[key] for key in rest}
        )
    if isinstance(owner, SequenceNode) and isinstance(step, int) and step < len(owner.items):
        lost.add(*names_declared(owner.items[step]))
        return SequenceNode([*owner.items[:step], *owner.items[step + 1 :]], owner.place)
    return owner


def names_declared(node: Node | None) -> Iterator[str]:
    """Yield all names that a part of a tree may declare."""
    if isinstance(node, Scalar):
        yield from names_introduced(node.text)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from names_declared(item)
    elif isinstance(node, MappingNode):
        for key, inner in node.entries.items():
            yield key
            yield from names_introduced(key)
            if key in _NAMED_BY and isinstance(inner, Scalar):
                yield inner.text
            yield from names_declared(inner)
