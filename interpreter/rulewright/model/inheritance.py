"""A variant and the edition that it extends, as one tree.

A variant says what is new as any edition does, what is different under `change`, and what there no longer is under
`remove`; all by name. The tree that comes out is read like that of any edition, and each of its nodes knows the file
it came from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import Report, SourcePlace, nearest
from rulewright.base.files import on_disk
from rulewright.base.records import record
from rulewright.model import error_recovery
from rulewright.model.declarations import Lost
from rulewright.model.editions import UnknownEdition, full_path, is_path, shipped
from rulewright.syntax import schema, source, yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

LONGEST_CHAIN = 10
HEADER = ("title", "edition", "series", "credits", "text", "players", "seats", "minutes", "age", "memory", "round")
OWN = ("rulewright", "extends", "change", "remove")


class Broken(Exception):
    """Reported already: there is no tree to go on with."""


Removed = dict[str, SourcePlace]


@record
class Whole:
    """An edition with all that it extends. bases: their names, the nearest first; files: its own and
    theirs; removed: what is in one of them and not here; lost: what is wrong in one of them, and left out."""

    tree: MappingNode
    bases: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    removed: Mapping[str, SourcePlace] = field(default_factory=dict)
    lost: Lost = field(default_factory=Lost)


def read(path: Path | None, text: str | None, report: Report, shown_as: str) -> Whole | None:
    """The whole of an edition, without what has a wrong shape or does not fit its base; that goes to the report.

    None if a file cannot be read, or too little of it has the shape of an edition.
    """
    lost = Lost()
    try:
        whole = _read(path, text, report, shown_as, [], lost)
    except Broken:
        return None
    tree = error_recovery.validated(whole.tree, report, schema.EDITION, lost) if whole.bases else whole.tree
    return None if tree is None else replace(whole, tree=tree, lost=lost)


def changed(base: MappingNode, change: MappingNode, report: Report, name: str) -> MappingNode | None:
    """The tree of an edition of that name with what stands under a variant's `change`.

    None, with a report, if something does not fit.
    """
    variant = MappingNode(change.place, {"change": change}, {"change": Scalar("change", change.place)})
    tree = _Merging(report, name, Lost(), warns=False).merged(base, variant)
    return tree if report.ok and schema.validate(tree, report) else None


def _read(path: Path | None, text: str | None, report: Report, shown_as: str, above: list[Path], lost: Lost) -> Whole:
    node = yaml_reader.read(path, text, report, shown_as)
    if node is None:
        raise Broken
    if schema.is_other_file(node, report, schema.EDITION):
        raise Broken
    extends = node.get("extends") if isinstance(node, MappingNode) else None
    tree = error_recovery.validated(node, report, schema.EDITION if extends is None else schema.VARIANT, lost)
    if tree is None:
        raise Broken
    files = () if path is None else (path,)
    if not isinstance(extends, Scalar):
        return Whole(tree, files=files)
    chain = [*above, path.resolve()] if path is not None else above
    name, base_path, shown = _base(extends, path, report)
    if base_path.resolve() in chain or len(chain) >= LONGEST_CHAIN:
        message = f"This extends '{extends.text}', which in the end extends this."
        if base_path.resolve() not in chain:
            message = f"This is the {LONGEST_CHAIN}th edition in a row that extends another."
        report.error(extends.place, "endless-extends", message)
        raise Broken
    base = _read(base_path, None, report, shown, chain, lost)
    merging = _Merging(report, name, lost, not above)
    merged = merging.merged(base.tree, tree)
    return Whole(merged, (name, *base.bases), (*files, *base.files), {**base.removed, **merging.removed})


def _base(extends: Scalar, path: Path | None, report: Report) -> tuple[str, Path, str]:
    """The name, the file and the file's shown name of what is extended."""
    name = extends.text
    if is_path(name):
        relative = Path(name)
        if relative.is_absolute() or "\\" in name:
            message = "An edition is extended by its name, or by a path that begins at this file's folder."
            report.error(extends.place, "bad-path", message)
            raise Broken
        found = on_disk((path.parent if path is not None else Path()) / relative)
        if not found.exists():
            report.error(extends.place, "no-file", f"There is no file '{name}' beside this one.")
            raise Broken
        return name, found, full_path(found)
    try:
        full, found = shipped(name)
    except UnknownEdition as error:
        report.error(extends.place, "unknown-edition", str(error))
        raise Broken from None
    return full, found, full_path(found)


class _Merging:
    """Puts a variant onto its base. Nodes are never changed, for aliases share them; changed ones are made anew.

    warns: also of changes that change nothing.
    """

    def __init__(self, report: Report, base: str, lost: Lost, warns: bool) -> None:
        self._report, self._base, self._lost, self._warns = report, base, lost, warns
        self.removed: Removed = {}  # every name that is gone, what stood below another too

    def merged(self, base: MappingNode, variant: MappingNode) -> MappingNode:
        """The two in one, without what does not fit; that is reported."""
        news = _only(variant, lambda key: key not in HEADER and key not in OWN)
        tree = base
        for entry in _items(variant.get("remove")):
            if isinstance(entry, Scalar):
                tree = self._removed(tree, entry)
        change = variant.get("change")
        if isinstance(change, MappingNode):
            tree = self._changed(tree, change, schema.load(), ())
        tree = self._added(tree, news, ())
        for key, node in _only(variant, lambda key: key in HEADER).items():
            tree = _with(tree, key, node)
        return tree

    def _error(self, node: Scalar, code: str, message: str, hint: str = "") -> None:
        self._report.error(node.place, code, message, hint)

    def _added(self, base: MappingNode, news: MappingNode, path: tuple[str, ...]) -> MappingNode:
        for key, node in news.items():
            there, full = base.get(key.text), (*path, key.text)
            if there is None:
                base = _with(base, key, node)
            elif isinstance(there, MappingNode) and isinstance(node, MappingNode):
                base = _with(base, key, self._added(there, node, full))
            else:
                message = f"'{'.'.join(full)}' stands in {self._base} already."
                self._error(key, "already-there", message, "What is to be different stands under 'change'.")
        return base

    def _changed(
        self, base: MappingNode, change: MappingNode, shape: dict[str, Any], path: tuple[str, ...]
    ) -> MappingNode:
        for key, node in change.items():
            there, full = base.get(key.text), (*path, key.text)
            inner, is_name = schema.member(shape, key.text)
            if there is None and (is_name or not path):
                hint = nearest(key.text, base.entries) or "What is new stands outside 'change', as in any edition."
                self._nothing_there(key, ".".join(full), hint)
                self._lost.add(key.text, *error_recovery.names_in(node))
            elif isinstance(there, MappingNode) and isinstance(node, MappingNode):
                base = _with(base, key, self._changed(there, node, inner, full))
            elif path[:1] == ("values",) and isinstance(node, Scalar) and re.fullmatch(r"\s*[+-]\s*\d+\s*", node.text):
                message = f"Does '{key.text}' become '{node.text}', or is that added? Here nothing is added."
                self._error(node, "signed", message, "Write what it becomes; below zero, write '0 - 2'.")
            else:
                if self._warns and there is not None and source.plain(there) == source.plain(node):
                    message = f"'{'.'.join(full)}' is the same in {self._base}."
                    self._report.warning(key.place, "repeats-base", message, "Change it, or leave it out.")
                base = _with(base, key, node)
        return base

    def _removed(self, tree: MappingNode, entry: Scalar) -> MappingNode:
        path = tuple(part.strip() for part in entry.text.split("."))
        owners: list[MappingNode] = []
        node: Node | None = tree
        for number, part in enumerate(path):
            if not isinstance(node, MappingNode) or part not in node.entries:
                known = node.entries if isinstance(node, MappingNode) else ()
                hint = nearest(part, [".".join((*path[:number], name, *path[number + 1 :])) for name in known])
                self._nothing_there(entry, entry.text, nearest(part, known) or hint)
                return tree
            owners.append(node)
            node = node.get(part)
        self.removed |= dict.fromkeys((path[-1], *_names_below(node)), entry.place)
        smaller = _only(owners.pop(), lambda key: key != path[-1])
        for part, owner in zip(reversed(path[:-1]), reversed(owners), strict=True):
            smaller = _with(owner, owner.keys[part], smaller)
        return smaller

    def _nothing_there(self, at: Scalar, name: str, hint: str) -> None:
        gone = self.removed.get(name.rsplit(".", maxsplit=1)[-1].strip())
        if gone is not None:
            self._error(at, "nothing-to-change", f"'{name}' is removed already, in line {gone.line}.")
        else:
            self._error(at, "nothing-to-change", f"There is no '{name}' in {self._base}.", hint)


def _names_below(node: Node | None) -> list[str]:
    if not isinstance(node, MappingNode):
        return []
    return [name for key, inner in node.entries.items() for name in (key, *_names_below(inner))]


def _only(mapping: MappingNode, wanted: Callable[[str], bool]) -> MappingNode:
    kept = [key for key in mapping.entries if wanted(key)]
    return MappingNode(mapping.place, {key: mapping.entries[key] for key in kept}, {k: mapping.keys[k] for k in kept})


def _with(mapping: MappingNode, key: Scalar, node: Node) -> MappingNode:
    """The mapping with one entry more, or with another in its place."""
    return MappingNode(mapping.place, {**mapping.entries, key.text: node}, {**mapping.keys, key.text: key})


def _items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, SequenceNode) else []
