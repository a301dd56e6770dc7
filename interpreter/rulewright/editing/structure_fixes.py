"""Fixes of structure: missing or misplaced entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.compiler.messages import RESULT_NOT_DECLARED, STEP_GIVES_NOTHING
from rulewright.editing.edits import (
    Mend,
    block_end,
    entry_below,
    indent_of,
    inserted,
    rewritten,
)
from rulewright.editing.fix_registry import fixes_for


@fixes_for(STEP_GIVES_NOTHING, RESULT_NOT_DECLARED)
def _giving(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add what a step gives."""
    for number, line in enumerate(lines, 1):
        if (begins := re.match(rf"(\s+){re.escape(wording.text_of('step'))}:\s*", line)) is None:
            continue
        value, place = line[begins.end() :], (number, begins.end() + 1)
        if value.startswith("{"):
            yield inserted(number, begins.end() + 2, "gives: number, ", "Add 'gives: number'")
        elif value:
            new = f"{{gives: number, do: {value.rstrip()}}}"
            yield Fix("Add 'gives: number'", place, (number, len(line) + 1), new)
        else:
            yield from rewritten("Add 'gives: number'", lines, _as_entries(lines, number, ["gives: number"]))
        return


def _as_entries(lines: Sequence[str], number: int, entries: Sequence[str]) -> list[str]:
    """Return a step's lines with further entries before its sentences."""
    last, indent = block_end(lines, number), indent_of(lines[number - 1]) + 2
    below, pad = list(lines[number:last]), " " * indent
    if next((line for line in below if line.strip()), "").lstrip().startswith("- "):
        less = indent + 2 - indent_of(below[0])
        below = [f"{pad}do:", *(" " * less + line for line in below)]
    return [*lines[:number], *(pad + entry for entry in entries), *below, *lines[last:]]


def _ending(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a sentence that ends the game, as in the hint, or one that writes to the log."""
    number = diagnostic.place.line
    line = lines[number - 1]
    if diagnostic.code == "no-end" and (match := re.search(r"such as '([^']+)'", diagnostic.hint)):
        last, item = block_end(lines, number), re.match(r"\s*", line)
        assert item is not None
        yield inserted(last, len(lines[last - 1]) + 1, f"\n{item[0]}- {match[1]}", f"Add '{match[1]}'")


def _ask(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[diagnostic.place.line - 1].rstrip()
    end = (diagnostic.place.line, len(line) + 1)
    begins = re.match(r"\s*(?:- +)*", line)
    if begins and begins.end() == diagnostic.place.column - 1:
        colon = "" if line.endswith(":") else ":"
        new = f"{colon}\n{' ' * (begins.end() + 2)}ask: What do you choose?"
        yield Fix("Add what is asked", end, end, new)


def _text(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a missing text."""
    line = lines[diagnostic.place.line - 1]
    if line.rstrip().endswith(":") and not line.lstrip().startswith("- ") and diagnostic.place.line < len(lines):
        new_lines = _as_entries(lines, diagnostic.place.line, ["text: Say here what happens."])
        if lines[diagnostic.place.line].lstrip().startswith("- "):
            yield from rewritten("Add a text", lines, new_lines)
            return
    yield from entry_below(diagnostic, lines, "text", "Say here what happens.", "Add a text")


STRUCTURE_FIXES: dict[str, tuple[Mend, ...]] = {
    "no-ask": (_ask,), "untold": (_text,), "no-end": (_ending,),
}  # fmt: skip
