"""Arguments after `for`: split them, and say what is wrong with their number."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Expression, Several


def arguments_of(arguments: Expression | Several | None) -> tuple[Expression, ...]:
    """Return the arguments after 'for': none, one, or those in parentheses, as in (2, bank)."""
    if isinstance(arguments, Several):
        return arguments.parts
    return () if arguments is None else (arguments,)


def argument_count_error(
    parameters: Sequence[tuple[str, Scalar]], arguments: Expression | Several | None, phrase: str
) -> str:
    """Return the rest of a message if the number of arguments is wrong, or ''. phrase: the words before the
    arguments, such as 'limit for'."""
    count = len(arguments_of(arguments))
    names = [name for name, _ in parameters]
    if count == len(names):
        return ""
    if not names:
        return "is not told 'for' anything"
    example = f"'{phrase} ({', '.join(names)})'" if len(names) > 1 else f"'{phrase} …'"
    if not count:
        every = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return f"needs to be told for which {every}: {example}"
    return f"is told {f'{len(names)} things' if len(names) > 1 else 'one thing'}, not {count}: {example}"
