"""YAML of a tree, in one of the many ways in which people write it."""

from __future__ import annotations

import json
import re
from typing import Any

from edition_generator.random_source import RandomSource

_PLAIN = re.compile(r"(?!-\s)[\w(+-](?:[\w '+*/().!?-]|,(?! ))*")


def to_yaml(tree: dict[str, Any], rng: RandomSource) -> str:
    """Write a tree. rng: decides what stands on one line, in quotes, or has a comment."""
    return "\n".join(_block(tree, 0, rng)) + "\n"


def _block(node: Any, depth: int, rng: RandomSource) -> list[str]:
    indent = "  " * depth
    lines: list[str] = []
    if isinstance(node, dict):
        for key, inner in node.items():
            lines += _item(f"{indent}{_scalar(key, rng)}:", inner, depth, rng)
    else:
        for inner in node:
            if isinstance(inner, dict) and inner and not _short(inner, rng):
                first, *rest = _block(inner, depth + 1, rng)
                lines += [f"{indent}- {first.lstrip()}", *rest]
            else:
                lines += _item(f"{indent}-", inner, depth, rng)
    return lines


def _item(head: str, node: Any, depth: int, rng: RandomSource) -> list[str]:
    if isinstance(node, str) and "\n" in node:
        return [f"{head} |", *("  " * (depth + 1) + line for line in node.splitlines())]
    if isinstance(node, dict | list) and node and not _short(node, rng):
        return [head, *_block(node, depth + 1, rng)]
    value = _flow(node, rng)
    note = f"  # {rng.pick(('why not?', 'so it is', 'to be tried'))}" if rng.chance(2) else ""
    return [f"{head} {value}".rstrip() + note]


def _short(node: Any, rng: RandomSource) -> bool:
    """Return whether a node stands on one line."""
    flat = json.dumps(node)
    return len(flat) < 90 and "\\n" not in flat and rng.chance(40)


def _flow(node: Any, rng: RandomSource) -> str:
    if node is None:
        return ""
    if isinstance(node, dict):
        inside = (f"{_scalar(key, rng)}: {_flow(inner, rng)}" for key, inner in node.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(node, list):
        return f"[{', '.join(_flow(inner, rng) for inner in node)}]"
    return _scalar(node, rng)


def _scalar(text: str, rng: RandomSource) -> str:
    if _PLAIN.fullmatch(text) and not rng.chance(4):
        return text
    if "'" not in text and rng.chance(30):
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
