"""A tree as YAML, in one of the many ways in which people write it."""

from __future__ import annotations

import json
import re
from typing import Any

from drawn.luck import Luck

_PLAIN = re.compile(r"(?!-\s)[\w(+-](?:[\w '+*/().!?-]|,(?! ))*")


def yaml(tree: dict[str, Any], luck: Luck) -> str:
    """luck: tells what stands on one line, in quotes, or has a comment behind it."""
    return "\n".join(_block(tree, 0, luck)) + "\n"


def _block(node: Any, depth: int, luck: Luck) -> list[str]:
    indent = "  " * depth
    lines: list[str] = []
    if isinstance(node, dict):
        for key, inner in node.items():
            lines += _item(f"{indent}{_scalar(key, luck)}:", inner, depth, luck)
    else:
        for inner in node:
            if isinstance(inner, dict) and inner and not _short(inner, luck):
                first, *rest = _block(inner, depth + 1, luck)
                lines += [f"{indent}- {first.lstrip()}", *rest]
            else:
                lines += _item(f"{indent}-", inner, depth, luck)
    return lines


def _item(head: str, node: Any, depth: int, luck: Luck) -> list[str]:
    if isinstance(node, str) and "\n" in node:
        return [f"{head} |", *("  " * (depth + 1) + line for line in node.splitlines())]
    if isinstance(node, dict | list) and node and not _short(node, luck):
        return [head, *_block(node, depth + 1, luck)]
    told = _flow(node, luck)
    note = f"  # {luck.pick(('why not?', 'so it is', 'to be tried'))}" if luck.chance(2) else ""
    return [f"{head} {told}".rstrip() + note]


def _short(node: Any, luck: Luck) -> bool:
    """Whether it stands on one line."""
    flat = json.dumps(node)
    return len(flat) < 90 and "\\n" not in flat and luck.chance(40)


def _flow(node: Any, luck: Luck) -> str:
    if node is None:
        return ""
    if isinstance(node, dict):
        inside = (f"{_scalar(key, luck)}: {_flow(inner, luck)}" for key, inner in node.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(node, list):
        return f"[{', '.join(_flow(inner, luck) for inner in node)}]"
    return _scalar(node, luck)


def _scalar(text: str, luck: Luck) -> str:
    if _PLAIN.fullmatch(text) and not luck.chance(4):
        return text
    if "'" not in text and luck.chance(30):
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
