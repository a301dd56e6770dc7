"""Lines of play on disk: one JSON file for each edition, untrusted when read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.base import files
from rulewright.game.library import Rules
from rulewright.i18n.file_errors import read_error
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.play.answer_effects import AnswerEffects
from rulewright.workbench.play.game_start import GameStart
from rulewright.workbench.play.play_tree import MAX_NODES, MAX_TITLE_LENGTH, PlayNode, PlayTree

MAX_BYTES = 32_000_000
"""Maximum bytes read."""

VERSION = 1
"""Version of the format; files of another are refused."""


class _StoredStart(Struct, omit_defaults=True, rename={"position": "given"}):
    """Stored beginning of a game; fields as of `GameStart`."""

    seats: list[str]
    roles: list[str | None]
    options: dict[str, str]
    seed: int
    position: dict[str, Any] | None = None


_STORED_NAMES = {"parent": "of", "start": "begun", "answer_text": "taken", "effects": "look", "is_recorded": "kept"}
"""Field -> its name in files, where they differ."""


class _StoredNode(Struct, omit_defaults=True, rename=_STORED_NAMES):
    """Stored node. parent: number of the node above it, 0 for none; last: number of the child visited last."""

    number: int
    parent: int = 0
    start: _StoredStart | None = None
    seat: int = -1
    keys: list[str] = []
    answer_text: str = ""
    title: str = ""
    effects: AnswerEffects | None = None
    is_recorded: bool = False
    case: str = ""
    last: int = 0


class _File(Struct, rename={"version": "lines", "current": "at"}):
    """Content of the file; each node follows the one above it. current: number of the node visited last."""

    version: int
    current: int
    nodes: list[_StoredNode]


def encode(tree: PlayTree) -> bytes:
    """Encode a tree as JSON."""
    nodes = [_stored_node(node) for root in tree.roots for node in root.subtree()]
    return msgspec.json.encode(_File(VERSION, tree.current.number if tree.current is not None else 0, nodes))


def _stored_node(node: PlayNode) -> _StoredNode:
    """Return a node as it is stored."""
    start = node.beginning
    return _StoredNode(
        number=node.number,
        parent=node.parent.number if node.parent is not None else 0,
        start=None
        if start is None
        else _StoredStart(
            list(start.seats), list(start.roles), dict(start.options), start.seed, _plain(start.position)
        ),
        seat=node.seat,
        keys=list(node.keys),
        answer_text=node.answer_text,
        title=node.title,
        effects=node.effects,
        is_recorded=node.is_recorded,
        case=node.case,
        last=node.last_child.number if node.last_child is not None else 0,
    )


def _plain(position: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if position is None else dict(position)


def save(tree: PlayTree, path: Path) -> None:
    """Write a tree to its file, which only this user can read; make its folder. Raises OSError, ValueError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.replace_private(path, encode(tree))


def load(path: Path, rules: Rules) -> PlayTree:
    """Read a tree; invalid nodes are left out, and an invalid file is renamed, with an empty tree instead. Raises
    BenchError if the file exists and cannot be read at the moment: it would be overwritten.
    """
    tree = PlayTree(rules)
    try:
        text = files.read(path, MAX_BYTES + 1)
    except FileNotFoundError:
        return tree
    except (OSError, ValueError) as error:
        raise BenchError(read_error(path.name, error)) from None
    try:
        if len(text) > MAX_BYTES:
            raise ValueError
        content = msgspec.json.decode(text, type=_File)
        if content.version != VERSION:
            raise ValueError
    except (ValueError, RecursionError):  # a msgspec error is a ValueError
        try:
            path.replace(path.with_suffix(".unread"))
        except OSError as error:
            raise BenchError(read_error(path.name, error)) from None
        return tree
    for stored, node in _read(content, tree):
        tree.nodes[stored.number] = node
        (tree.roots if node.parent is None else node.parent.children).append(node)
    for stored in content.nodes:
        above, last = tree.nodes.get(stored.number), tree.nodes.get(stored.last)
        if above is not None and last in above.children:
            above.last_child = last
    tree.current = tree.nodes.get(content.current) or next(iter(tree.roots), None)
    tree.next_number = max(tree.nodes, default=0) + 1
    return tree


def _read(content: _File, tree: PlayTree) -> Iterator[tuple[_StoredNode, PlayNode]]:
    """Yield the nodes whose parent exists; each must be in the tree before the next one is requested."""
    for stored in content.nodes[:MAX_NODES]:
        parent, start = tree.nodes.get(stored.parent), stored.start
        if not 0 < stored.number < 2**53 or stored.number in tree.nodes or (parent is None) != (start is not None):
            continue
        beginning = None
        if start is not None:
            if stored.parent or len(start.seats) != len(start.roles) or not 0 <= start.seed < 2**53:
                continue
            beginning = GameStart(tuple(start.seats), tuple(start.roles), start.options, start.seed, start.position)
        node = PlayNode(
            stored.number,
            parent,
            beginning,
            stored.seat,
            tuple(stored.keys),
            stored.answer_text,
            effects=stored.effects,
        )
        node.title, node.case, node.is_recorded = (
            stored.title[:MAX_TITLE_LENGTH],
            stored.case[:MAX_TITLE_LENGTH],
            stored.is_recorded,
        )
        yield stored, node
