"""Arguments after `for`: split them, and say what is wrong with their number."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.wording import SlotValue, Wording
from rulewright.compiler import messages
from rulewright.syntax.expression_nodes import Expression, Several
from rulewright.syntax.messages import AND
from rulewright.syntax.source import Scalar


def arguments_of(arguments: Expression | Several | None) -> tuple[Expression, ...]:
    """Return the arguments after 'for': none, one, or those in parentheses, as in (2, bank)."""
    if isinstance(arguments, Several):
        return arguments.parts
    return () if arguments is None else (arguments,)


def argument_miscount(
    parameters: Sequence[tuple[str, Scalar]], arguments: Expression | Several | None, phrase: str
) -> Wording | None:
    """Return what is wrong with the number of arguments, as the rest of a sentence; None if it is right. parameters:
    name and type of each; phrase: the words before the arguments, such as 'limit for'."""
    count = len(arguments_of(arguments))
    names = [name for name, _ in parameters]
    if count == len(names):
        return None
    if not names:
        return messages.NO_ARGUMENTS()
    example = f"{phrase} ({', '.join(names)})" if len(names) > 1 else f"{phrase} …"
    if not count:
        *others, last = names
        every: SlotValue = AND(first=tuple(others), second=last) if others else last
        return messages.NEEDS_ARGUMENTS(parameters=every, example=example)
    if len(names) == 1:
        return messages.TOLD_ONE_THING(count=count, example=example)
    return messages.TOLD_SEVERAL_THINGS(expected=len(names), count=count, example=example)
