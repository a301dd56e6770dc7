"""Lines of play on disk: one JSON file for an edition, which anybody may have changed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulewright.base import files
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.play.answer_effects import NodeLook
from rulewright.workbench.play.game_start import GameBeginning
from rulewright.workbench.play.play_tree import LONGEST_TITLE, MOST_NODES, PlayNode, PlayTree

LARGEST = 32_000_000
"""Bytes that are read."""

VERSION = 1


class _Begun(Struct, omit_defaults=True):
    seats: list[str]
    roles: list[str | None]
    options: dict[str, str]
    seed: int
    given: dict[str, Any] | None = None


class _Kept(Struct, omit_defaults=True):
    """A node. of: the one above it, 0 for none."""

    number: int
    of: int = 0
    begun: _Begun | None = None
    seat: int = -1
    keys: list[str] = []
    taken: str = ""
    title: str = ""
    look: NodeLook | None = None
    kept: bool = False
    case: str = ""
    last: int = 0


class _File(Struct):
    """What the file holds, each node behind the one above it."""

    lines: int
    at: int
    nodes: list[_Kept]


def written(tree: PlayTree) -> bytes:
    """What is kept of a tree."""
    nodes = [_node(node) for root in tree.roots for node in root.whole()]
    return msgspec.json.encode(_File(VERSION, tree.at.number if tree.at is not None else 0, nodes))


def _node(node: PlayNode) -> _Kept:
    begun = node.beginning
    return _Kept(
        number=node.number,
        of=node.parent.number if node.parent is not None else 0,
        begun=None
        if begun is None
        else _Begun(list(begun.seats), list(begun.roles), dict(begun.options), begun.seed, _plain(begun.given)),
        seat=node.seat,
        keys=list(node.keys),
        taken=node.taken,
        title=node.title,
        look=node.look,
        kept=node.kept,
        case=node.case,
        last=node.last.number if node.last is not None else 0,
    )


def _plain(given: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if given is None else dict(given)


def save(tree: PlayTree, path: Path) -> None:
    """Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.replace_private(path, written(tree))


def load(path: Path, rules: Rules) -> PlayTree:
    """The tree that was kept; what cannot be one is left out, and a file that is none at all is put aside.

    Raises BenchError where it is there and cannot be read just now: it would be written over.
    """
    tree = PlayTree(rules)
    try:
        text = files.read(path, LARGEST + 1)
    except FileNotFoundError:
        return tree
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    try:
        if len(text) > LARGEST:
            raise ValueError
        found = msgspec.json.decode(text, type=_File)
        if found.lines != VERSION:
            raise ValueError
    except (ValueError, RecursionError):  # a msgspec error is a ValueError
        try:
            path.replace(path.with_suffix(".unread"))
        except OSError as error:
            raise _unreadable(path, error) from None
        return tree
    for kept, node in _read(found, tree):
        tree.nodes[kept.number] = node
        (tree.roots if node.parent is None else node.parent.below).append(node)
    for kept in found.nodes:
        above, last = tree.nodes.get(kept.number), tree.nodes.get(kept.last)
        if above is not None and last in above.below:
            above.last = last
    tree.at = tree.nodes.get(found.at) or next(iter(tree.roots), None)
    tree.next = max(tree.nodes, default=0) + 1
    return tree


def _unreadable(path: Path, error: Exception) -> BenchError:
    return BenchError(phrase("errors", "'{path}' cannot be read: {why}.", path=path.name, why=files.reason(error)))


def _read(found: _File, tree: PlayTree) -> Iterator[tuple[_Kept, PlayNode]]:
    """Nodes that hang somewhere; each is in the tree before the next one is asked for."""
    for kept in found.nodes[:MOST_NODES]:
        parent, begun = tree.nodes.get(kept.of), kept.begun
        if not 0 < kept.number < 2**53 or kept.number in tree.nodes or (parent is None) != (begun is not None):
            continue
        beginning = None
        if begun is not None:
            if kept.of or len(begun.seats) != len(begun.roles) or not 0 <= begun.seed < 2**53:
                continue
            beginning = GameBeginning(tuple(begun.seats), tuple(begun.roles), begun.options, begun.seed, begun.given)
        node = PlayNode(kept.number, parent, beginning, kept.seat, tuple(kept.keys), kept.taken, look=kept.look)
        node.title, node.case, node.kept = kept.title[:LONGEST_TITLE], kept.case[:LONGEST_TITLE], kept.kept
        yield kept, node
