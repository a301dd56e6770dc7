"""Arrange a document as its schema asks: order of keys, spelling of sentences, entries with lines of their own.

Where a schema speaks of form it uses three words of ours, which checking ignores: `grammar` names the entry point of
the grammar that a text is read by, `keyGrammar` the same for a key, and `ownLine` says that what holds this is not
written in braces. The order of keys is the order of the schema's own text, of `properties`, `patternProperties` and
`additionalProperties` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulewright.syntax import sentences
from rulewright.syntax.formatter.concrete_syntax import Collection, Document, Node, WrittenEntry, WrittenText

Schema = dict[str, Any]
"""Part of a JSON Schema."""

_GROUPS = ("properties", "patternProperties", "additionalProperties")
"""Keywords with the schemas of entries, in the order in which a key is looked up."""
_TEXTS = {"string", "number", "integer", "boolean", "null"}
"""Types of a schema that a text may have."""


def arrange(document: Document, whole: Schema) -> None:
    """Put keys and sentences into canonical form in place, and mark collections that need lines of their own. In a
    document with aliases, which must stay below their anchors, order and spelling stay."""
    _Arranger(whole, not document.aliases).arrange(document.root, [whole])


class _Arranger:
    """Walker over a document with its schemas. changes: whether to change order and spelling."""

    def __init__(self, whole: Schema, changes: bool) -> None:
        self.whole, self.changes = whole, changes

    def arrange(self, node: Node, schemas: list[Schema]) -> list[Schema]:
        """Arrange a node that these schemas describe, in place, and return all schemas that apply to it."""
        facets = [facet for schema in schemas for facet in self.facets(schema, node)]
        if isinstance(node, WrittenText):
            if self.changes and not node.absent:
                node.text = _canonical(node.text, _first_setting(facets, "grammar"))
        elif isinstance(node, Collection):
            ranks = []
            used_keys = {entry.key.text for entry in node.entries if entry.key}
            for entry in node.entries:
                rank, below = _rank(facets, entry)
                ranks.append(rank)
                if entry.key and self.changes:
                    spelt = _canonical(entry.key.text, _first_setting(below, "keyGrammar"))
                    if spelt not in used_keys:
                        entry.key.text = spelt
                        used_keys.add(spelt)
                node.own_lines |= bool(_first_setting(self.arrange(entry.value, below), "ownLine"))
            if self.changes and node.keyed:
                order = sorted(range(len(ranks)), key=ranks.__getitem__)
                node.entries = [node.entries[number] for number in order]
        return facets

    def facets(self, schema: Schema, node: Node) -> Iterator[Schema]:
        """Yield a schema and those that it refers to, as far as they apply to the node; the nearest first."""
        expected = schema.get("type")
        types = {expected} if isinstance(expected, str) else set(expected or ())
        if types and not types & _types(node):
            return
        yield schema
        if "$ref" in schema:
            yield from self.facets(self.whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], node)
        for alternative in schema.get("anyOf", ()):
            yield from self.facets(alternative, node)
        if "if" in schema:
            yield from self.facets(schema.get("then" if _fits(schema["if"], node) else "else", {}), node)


def _types(node: Node) -> set[str]:
    """Return the types of a schema that a node may have; of a text all but list and mapping, whatever it says."""
    if isinstance(node, Collection):
        return {"object"} if node.keyed else {"array"}
    return _TEXTS


def _fits(condition: Schema, node: Node) -> bool:
    """Return whether a node meets the condition of an `if`, which asks for keys."""
    if "not" in condition:
        return not _fits(condition["not"], node)
    if "anyOf" in condition:
        return any(_fits(alternative, node) for alternative in condition["anyOf"])
    keys = {entry.key.text for entry in node.entries if entry.key} if isinstance(node, Collection) else set()
    return keys >= set(condition["required"])


def _rank(facets: list[Schema], entry: WrittenEntry) -> tuple[tuple[int, ...], list[Schema]]:
    """Return the sort key of an entry among its siblings, and the schemas of its value. Keys that no schema knows come
    last; all items of a list have the same sort key."""
    if entry.key is None:
        return (), [facet["items"] for facet in facets if isinstance(facet.get("items"), dict)]
    rank: tuple[int, ...] = ()
    below: list[Schema] = []
    for facet_number, facet in enumerate(facets):
        groups = [word for word in facet if word in _GROUPS]
        for word in sorted(groups, key=_GROUPS.index):
            member = _member(word, facet[word], entry.key.text)
            if member is not None:
                rank = rank or (facet_number, groups.index(word), member[0])
                below.append(member[1])
                break
    return rank or (len(facets),), below


def _member(group: str, members: Any, key: str) -> tuple[int, Schema] | None:
    """Look up a key in a part of a schema: its index there, and the schema of its value; None if it is not there."""
    if group == "additionalProperties":
        return (0, members) if isinstance(members, dict) else None
    if group == "properties":
        return (list(members).index(key), members[key]) if key in members else None
    return next(((0, below) for pattern, below in members.items() if re.search(pattern, key)), None)


def _first_setting(facets: list[Schema], word: str) -> Any:
    """Return what the first schema with a word says there; None without one."""
    return next((facet[word] for facet in facets if word in facet), None)


def _canonical(text: str, start: str | None) -> str:
    """Return the canonical spelling of a text that is read from an entry point of the grammar; None: not at all."""
    return text if start is None else sentences.canonical_spelling(text, start)
