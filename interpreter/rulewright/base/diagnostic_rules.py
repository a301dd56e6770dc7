"""Rule behind each code of a diagnostic, with examples, from the page for designers."""

from __future__ import annotations

import re
from functools import cache

from rulewright.base import resources
from rulewright.base.records import record

_SECTION = re.compile(r"(?ms)^### `([a-z0-9-]+)`\n(.*?)(?=^##|\Z)")
"""Section of spec/DIAGNOSTICS.md: its code, and all below."""
_EXAMPLE = re.compile(r"(?ms)^```(?:yaml|text) (bad|good)[^\n]*\n(.*?)^```\n")
"""Block of code in a section: 'bad' or 'good', and its text."""


@record
class DiagnosticRule:
    """Meaning of a code. text: the rule, without line breaks; examples: pieces of rule files, each with whether it is
    right."""

    code: str
    text: str
    examples: tuple[tuple[bool, str], ...]


@cache
def rules() -> dict[str, DiagnosticRule]:
    """Return the rule of each code, in the order of the page."""
    page = resources.read_text("spec", "DIAGNOSTICS.md")
    result: dict[str, DiagnosticRule] = {}
    for code, section in _SECTION.findall(page):
        examples = tuple((sort == "good", text.rstrip("\n")) for sort, text in _EXAMPLE.findall(section))
        result[code] = DiagnosticRule(code, " ".join(_EXAMPLE.sub("", section).split()), examples)
    return result
