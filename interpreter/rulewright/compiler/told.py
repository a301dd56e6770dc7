"""What figures and steps are told with 'for': how many things, and what is said where they are too few or too many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from lark import Token, Tree

from rulewright.syntax.source import Scalar


def is_several(told: Tree[Token] | Token) -> TypeGuard[Tree[Token]]:
    """Whether several things are told, as in (2, bank)."""
    return isinstance(told, Tree) and told.data == "several"


def miscount(parameters: Sequence[tuple[str, Scalar]], told: Tree[Token] | Token | None, begun: str) -> str:
    """What is wrong with how many things a figure or step is told, or ''. begun: how it is told them, such as
    'limit for'."""
    count = 0 if told is None else len(told.children) if is_several(told) else 1
    names = [name for name, _ in parameters]
    if count == len(names):
        return ""
    if not names:
        return "is not told 'for' anything"
    example = f"'{begun} ({', '.join(names)})'" if len(names) > 1 else f"'{begun} …'"
    if not count:
        every = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return f"needs to be told for which {every}: {example}"
    return f"is told {f'{len(names)} things' if len(names) > 1 else 'one thing'}, not {count}: {example}"
