"""What figures and steps are told with 'for': how many things, and what is said where they are too few or too many."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Expression, Several


def arguments_of(told: Expression | Several | None) -> tuple[Expression, ...]:
    """Return what is handed over with 'for': nothing, one thing, or each of several, as in (2, bank)."""
    if isinstance(told, Several):
        return told.parts
    return () if told is None else (told,)


def argument_count_error(
    parameters: Sequence[tuple[str, Scalar]], told: Expression | Several | None, begun: str
) -> str:
    """What is wrong with how many things a figure or step is told, or ''. begun: how it is told them, such as
    'limit for'."""
    count = len(arguments_of(told))
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
