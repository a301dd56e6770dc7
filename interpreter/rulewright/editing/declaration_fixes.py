"""Fixes of declarations: names in use, entries in the wrong place, impossible values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import (
    insertion,
    line_edits,
    lines_with,
    lines_with_moved,
    lines_without,
    path_at,
    replacement,
    text_of_entry,
    underlined_text,
)
from rulewright.editing.fix_registry import fixes_for
from rulewright.model import messages


@fixes_for(
    messages.NAME_TAKEN,
    messages.DECLARED_TWICE,
    messages.DECLARED_TWICE_AS,
    messages.STEP_TWICE,
    messages.HOLDS_OTHER_THINGS,
)
def _rename(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Rename something whose name is in use."""
    name = f"other {underlined_text(diagnostic, lines)}"
    yield replacement(diagnostic, name, titles.CALL_IT(name=name))


@fixes_for(messages.SAY_WHICH_COUNTS)
def _overrule(_: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Let one of two changes overrule the other."""
    entry = f"overrules: {hint['other']}"
    path = (hint.text_of("section"), *hint.text_of("inside").split("."))
    yield from line_edits(titles.ADD(entry=entry), lines, lines_with(lines, path, [entry]))


@fixes_for(messages.ALREADY_THERE)
def _move_under_change(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Move an entry that the base has below `change`."""
    if path := path_at(lines, diagnostic.place):
        yield from line_edits(titles.MOVE_UNDER_CHANGE(), lines, lines_with_moved(lines, path, ("change", *path[:-1])))


@fixes_for(messages.NOT_IN_BASE, messages.REMOVED_ALREADY)
def _move_out_of_change(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Move an entry out of `change`."""
    path = path_at(lines, diagnostic.place)
    if path and path[0] == "change":
        yield from line_edits(titles.MOVE_OUT_OF_CHANGE(), lines, lines_with_moved(lines, path, path[1:-1]))


@fixes_for(messages.CHANGE_OR_LEAVE_OUT, messages.TWO_LINKS)
def _delete(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete the entry at the place."""
    if path := path_at(lines, diagnostic.place):
        yield from line_edits(titles.DELETE_IT(), lines, lines_without(lines, path))


@fixes_for(messages.SAY_OTHERWISE)
def _add_otherwise(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add `otherwise` to a figure by cases."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    end = place.column - 1 + place.length
    if line[end - 1 : end] == "}":
        yield insertion(place.line, end, ", otherwise: 0", titles.ADD(entry="otherwise: 0"))


@fixes_for(messages.COUNTER_STARTS_AT)
def _replace_start(diagnostic: Diagnostic, problem: Wording, _: Sequence[str]) -> Iterator[Fix]:
    """Replace a counter's start by a value that it can hold."""
    start = problem.text_of("given")
    rounded = [f"{float(start):.2f}"] if re.fullmatch(r"\d+\.\d{3,6}", start) else []
    yield from (replacement(diagnostic, new) for new in (*rounded, "0", "no", "seat"))


@fixes_for(messages.LEAVE_OUT_FOR, messages.KEEP_FOR_WORDS)
def _count_one_thing(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Turn a counter of pieces into a plain number."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    path = path_at(lines, diagnostic.place)
    entry = (text_of_entry(lines, path) if path else None) or []
    if path and len(entry) == 1:
        column = line.find(entry[0]) + 1
        yield Fix(titles.MAKE_IT_A_NUMBER(), (number, column), (number, column + len(entry[0])), f"{path[-1]}: 0")


@fixes_for(messages.NO_SPACE_IN_MAP)
def _draw_spaces(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Draw spaces into an empty map."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    if drawing := re.search(r"(map: *['\"]?)([. ]+)", line):
        new = drawing[1] + drawing[2].replace(".", "o")
        yield Fix(titles.MAKE_POINTS_SPACES(), (number, drawing.start() + 1), (number, drawing.end() + 1), new)
