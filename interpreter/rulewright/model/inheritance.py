"""Merge of a variant and the edition that it extends into one tree.

A variant declares new entries as any edition does, changed ones under `change`, and removed ones under `remove`, all by
name. The merged tree is read like any edition; each of its nodes knows its file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import RelatedPlace, Report, SourcePlace, did_you_mean
from rulewright.base.files import path_on_disk
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.model import error_recovery, messages
from rulewright.model.editions import UnknownEdition, displayed_path, is_path, shipped
from rulewright.model.lost_names import LostNames
from rulewright.syntax import schema, schema_validation, source, yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, value_of

MAX_CHAIN_LENGTH = 10
"""Maximum number of editions that extend each other."""
HEADER = ("title", "edition", "series", "credits", "text", "players", "seats", "minutes", "age", "memory", "round")
"""Keys whose values replace those of the base without standing under `change`."""
OWN = ("rulewright", "extends", "change", "remove")
"""Keys of a variant that are not merged as they are."""


class UnreadableEdition(Exception):
    """Error, already reported: there is no tree to go on with."""


Removed = dict[str, SourcePlace]
"""Names that are gone, each with the place that removes it."""


@record
class MergedEdition:
    """Tree of an edition merged with those that it extends. bases: their names, the nearest first; files: its own and
    theirs; removed: names that a base declares and this edition does not; lost: names of dropped entries."""

    tree: MappingNode
    bases: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    removed: Mapping[str, SourcePlace] = field(default_factory=dict)
    lost: LostNames = field(default_factory=LostNames)


def read(path: Path | None, text: str | None, report: Report, shown_as: str) -> MergedEdition | None:
    """Read an edition and merge it into its bases; misshapen entries and those that do not fit are reported and
    dropped.

    path: its file; text: instead of the file's content, None to read that; shown_as: the file in messages.

    None if a file cannot be read, or too little of it has the shape of an edition.
    """
    lost = LostNames()
    try:
        whole = _read(path, text, report, shown_as, [], lost)
    except UnreadableEdition:
        return None
    tree = error_recovery.drop_misshapen(whole.tree, report, schema.EDITION, lost) if whole.bases else whole.tree
    return None if tree is None else replace(whole, tree=tree, lost=lost)


def with_change(base: MappingNode, change: MappingNode, report: Report, name: str) -> MappingNode | None:
    """Return the tree of an edition with the entries of a variant's `change` applied.

    None, with a report, if something does not fit.
    """
    variant = MappingNode(change.place, {"change": change}, {"change": Scalar("change", change.place)})
    tree = _Merger(report, name, LostNames(), warns=False).merge(base, variant)
    return tree if report.ok and schema_validation.validate(tree, report) else None


def _read(
    path: Path | None, text: str | None, report: Report, shown_as: str, above: list[Path], lost: LostNames
) -> MergedEdition:
    """Read an edition and merge it into its base. above: files that extend it, to detect circles. Raises
    UnreadableEdition after reporting why."""
    node = yaml_reader.read(path, text, report, shown_as)
    if node is None:
        raise UnreadableEdition
    if schema_validation.report_other_file(node, report, schema.EDITION):
        raise UnreadableEdition
    extends = value_of(node, "extends")
    tree = error_recovery.drop_misshapen(node, report, schema.EDITION if extends is None else schema.VARIANT, lost)
    if tree is None:
        raise UnreadableEdition
    files = () if path is None else (path,)
    if not isinstance(extends, Scalar):
        return MergedEdition(tree, files=files)
    chain = [*above, path.resolve()] if path is not None else above
    name, base_path, base_shown_as = _find_base(extends, path, report)
    if base_path.resolve() in chain or len(chain) >= MAX_CHAIN_LENGTH:
        problem = messages.EXTENDS_ITSELF(name=extends.text)
        if base_path.resolve() not in chain:
            problem = messages.LONG_CHAIN(number=MAX_CHAIN_LENGTH)
        report.error(extends.place, problem)
        raise UnreadableEdition
    base = _read(base_path, None, report, base_shown_as, chain, lost)
    merging = _Merger(report, name, lost, not above)
    merged = merging.merge(base.tree, tree)
    return MergedEdition(merged, (name, *base.bases), (*files, *base.files), {**base.removed, **merging.removed})


def _find_base(extends: Scalar, path: Path | None, report: Report) -> tuple[str, Path, str]:
    """Return name, file and displayed path of the extended edition. Raises UnreadableEdition."""
    name = extends.text
    if is_path(name):
        relative = Path(name)
        if relative.is_absolute() or "\\" in name:
            report.error(extends.place, messages.BAD_PATH())
            raise UnreadableEdition
        file = path_on_disk((path.parent if path is not None else Path()) / relative)
        if not file.exists():
            report.error(extends.place, messages.NO_FILE_BESIDE(name=name))
            raise UnreadableEdition
        return name, file, displayed_path(file)
    try:
        full, file = shipped(name)
    except UnknownEdition as error:
        report.error(extends.place, messages.UNKNOWN_EDITION(reason=str(error)))
        raise UnreadableEdition from None
    return full, file, displayed_path(file)


class _Merger:
    """Merger of a variant into its base. Nodes are never mutated, since aliases share them; changed ones are copied.
    warns: whether to warn of changes without effect. removed: every name that is gone, also what stood below another.
    """

    def __init__(self, report: Report, base: str, lost: LostNames, warns: bool) -> None:
        self._report, self._base, self._lost, self._warns = report, base, lost, warns
        self.removed: Removed = {}

    def merge(self, base: MappingNode, variant: MappingNode) -> MappingNode:
        """Return the merged tree; what does not fit is reported and dropped."""
        news = _filtered(variant, lambda key: key not in HEADER and key not in OWN)
        tree = base
        for entry in _items(variant.get("remove")):
            if isinstance(entry, Scalar):
                tree = self._remove_old(tree, entry)
        change = variant.get("change")
        if isinstance(change, MappingNode):
            tree = self._change_old(tree, change, schema.load(), ())
        tree = self._add_new(tree, news, ())
        for key, node in _filtered(variant, lambda key: key in HEADER).items():
            tree = _with_entry(tree, key, node)
        return tree

    def _add_new(self, base: MappingNode, news: MappingNode, path: tuple[str, ...]) -> MappingNode:
        """Return a tree with the variant's new entries; report those that the base has."""
        for key, node in news.items():
            old, full = base.get(key.text), (*path, key.text)
            if old is None:
                base = _with_entry(base, key, node)
            elif isinstance(old, MappingNode) and isinstance(node, MappingNode):
                base = _with_entry(base, key, self._add_new(old, node, full))
            else:
                problem = messages.ALREADY_THERE(name=".".join(full), base=self._base)
                related = RelatedPlace(base.keys[key.text].place, messages.STANDS_HERE(name=key.text))
                self._report.error(key.place, problem, messages.WRITE_UNDER_CHANGE(), related=(related,))
        return base

    def _change_old(
        self, base: MappingNode, change: MappingNode, shape: dict[str, Any], path: tuple[str, ...]
    ) -> MappingNode:
        """Return a tree with the entries under `change` replaced; report those that the base does not have."""
        for key, node in change.items():
            old, full = base.get(key.text), (*path, key.text)
            inner, is_name = schema.member(shape, key.text)
            if old is None and (is_name or not path):
                hints = did_you_mean(key.text, base.entries) or (messages.WRITE_OUTSIDE_CHANGE(),)
                self._report_missing(key, ".".join(full), hints)
                self._lost.add(key.text, *error_recovery.names_declared(node))
            elif isinstance(old, MappingNode) and isinstance(node, MappingNode):
                base = _with_entry(base, key, self._change_old(old, node, inner, full))
            elif path[:1] == ("values",) and isinstance(node, Scalar) and re.fullmatch(r"\s*[+-]\s*\d+\s*", node.text):
                problem = messages.SIGNED_VALUE(name=key.text, value=node.text)
                self._report.error(node.place, problem, messages.WRITE_RESULT())
            else:
                if self._warns and old is not None and source.plain(old) == source.plain(node):
                    problem = messages.REPEATS_BASE(name=".".join(full), base=self._base)
                    self._report.warning(key.place, problem, messages.CHANGE_OR_LEAVE_OUT())
                base = _with_entry(base, key, node)
        return base

    def _remove_old(self, tree: MappingNode, entry: Scalar) -> MappingNode:
        """Return a tree without an entry of `remove`; report one that the base does not have."""
        path = tuple(part.strip() for part in entry.text.split("."))
        owners: list[MappingNode] = []
        node: Node | None = tree
        for number, part in enumerate(path):
            if not isinstance(node, MappingNode) or part not in node.entries:
                known = node.entries if isinstance(node, MappingNode) else ()
                whole = [".".join((*path[:number], name, *path[number + 1 :])) for name in known]
                self._report_missing(entry, entry.text, did_you_mean(part, known) or did_you_mean(part, whole))
                return tree
            owners.append(node)
            node = node.get(part)
        self.removed |= dict.fromkeys((path[-1], *_names_below(node)), entry.place)
        smaller = _filtered(owners.pop(), lambda key: key != path[-1])
        for part, owner in zip(reversed(path[:-1]), reversed(owners), strict=True):
            smaller = _with_entry(owner, owner.keys[part], smaller)
        return smaller

    def _report_missing(self, node: Scalar, name: str, hints: tuple[Wording, ...]) -> None:
        """Report a name under `change` or `remove` that the base does not have."""
        removed_at = self.removed.get(name.rsplit(".", maxsplit=1)[-1].strip())
        if removed_at is not None:
            problem = messages.REMOVED_ALREADY(name=name, line=removed_at.line)
            related = RelatedPlace(removed_at, messages.REMOVED_HERE(name=name))
            self._report.error(node.place, problem, related=(related,))
        else:
            self._report.error(node.place, messages.NOT_IN_BASE(name=name, base=self._base), *hints)


def _names_below(node: Node | None) -> list[str]:
    """Return the keys of a mapping and of all mappings below it; [] for any other node."""
    if not isinstance(node, MappingNode):
        return []
    return [name for key, inner in node.entries.items() for name in (key, *_names_below(inner))]


def _filtered(mapping: MappingNode, accepts: Callable[[str], bool]) -> MappingNode:
    """Return a copy of a mapping with the keys that are accepted."""
    names = [key for key in mapping.entries if accepts(key)]
    return MappingNode(mapping.place, {key: mapping.entries[key] for key in names}, {k: mapping.keys[k] for k in names})


def _with_entry(mapping: MappingNode, key: Scalar, node: Node) -> MappingNode:
    """Return a copy of a mapping with one entry added or replaced."""
    return MappingNode(mapping.place, {**mapping.entries, key.text: node}, {**mapping.keys, key.text: key})


def _items(node: Node | None) -> list[Node]:
    """Return the items of a list; [] for any other node."""
    return node.items if isinstance(node, SequenceNode) else []
