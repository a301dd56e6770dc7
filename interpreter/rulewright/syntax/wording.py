"""What other languages and games say, and how it is said here."""

from __future__ import annotations

import re

_ELSEWHERE = (
    (r"no (?:more|greater|higher|larger) than", "Say 'is at most'."),
    (r"no (?:less|fewer|lower|smaller) than", "Say 'is at least'."),
    (r"(?:more|greater) than or equal to", "Say 'is at least'."),
    (r"(?:less|fewer) than or equal to", "Say 'is at most'."),
    (r"(?:greater|higher|larger) than", "Say 'is more than'."),
    (r"(?:fewer|lower|smaller) than", "Say 'is less than'."),
    (r"choose (?:up to )?\S+ (?:\w+ )+(?=from\b)", "Say only how many: 'choose 1 from …'."),
    (
        r"(?:for |go through )?(?:each|every|all) (?:of the )?(?P<what>seat|player|card|piece)s?\b",
        "Say 'each {what}: …'.",
    ),
    (
        r"(?=as (?:far|long) as)",
        "Inside another form, a line stands in parentheses: 'number of (north of a1 as far as …)'.",
    ),
    (r"(?:the|a|an) (?=top|bottom|first|last|highest|lowest|number|total|most)", "Leave '{0}' out."),
)
"""What is written, and what to say instead."""


def said_here(text: str, at: int) -> str:
    """How it is said here, for a text that says it otherwise around a place; or ''."""
    for pattern, hint in _ELSEWHERE:
        for found in re.finditer(rf"\b{pattern}", text):
            if found.start() <= at <= found.end() + 1:
                return hint.format(found[0].strip(), **found.groupdict())
    return ""
