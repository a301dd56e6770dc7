"""Fixes of values and names: another one in the right form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    Mend,
    deleted,
    instead,
    names_below,
    path_at,
    rewritten,
    text_of_entry,
    written,
)


def _values(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    text = written(diagnostic, lines)
    if diagnostic.message.startswith("A counter starts at"):
        rounded = [f"{float(text):.2f}"] if re.fullmatch(r"\d+\.\d{3,6}", text) else []
        yield from (instead(diagnostic, new) for new in (*rounded, "0", "no", "seat"))


def _otherwise(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    end = place.column - 1 + place.length
    if (match := re.search(r"'otherwise: (\S+)'", diagnostic.hint)) and line[end - 1 : end] == "}":
        yield Fix(f"Add 'otherwise: {match[1]}'", (place.line, end), (place.line, end), f", otherwise: {match[1]}")


def _renamed(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Rename something whose name is in use."""
    if re.match(_TAKEN, diagnostic.message):
        name = f"other {written(diagnostic, lines)}"
        yield instead(diagnostic, name, f"Call it '{name}'")


def _told_apart(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Make a counter of pieces a number."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    if diagnostic.hint in ("Leave out 'for'.", "Keep it for each word that the pieces have."):
        path = path_at(lines, diagnostic.place)
        entry = (text_of_entry(lines, path) if path else None) or []
        if path and len(entry) == 1:
            column = line.find(entry[0]) + 1
            yield Fix("Make it a number", (number, column), (number, column + len(entry[0])), f"{path[-1]}: 0")


def _drawn(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[diagnostic.place.line - 1]
    if diagnostic.message.startswith("A map has at least one space") and (
        map_ := re.search(r"(map: *['\"]?)([. ]+)", line)
    ):
        new = map_[1] + map_[2].replace(".", "o")
        yield Fix(
            "Make its points spaces",
            (diagnostic.place.line, map_.start() + 1),
            (diagnostic.place.line, map_.end() + 1),
            new,
        )


def _unasked(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Remove an unused attribute from everything that has it."""
    if match := re.match(r"Nothing asks for the '([^']+)' of '([^']+)'", diagnostic.message):
        path, less = path_at(lines, diagnostic.place), list(lines)
        for word in names_below(lines, *map(str, path[:-2])) if path else ():
            assert path is not None
            less = deleted(less, (*path[:-2], word, match[1]), emptied=True) or less
        yield from rewritten("Delete it everywhere", lines, less)


_TAKEN = (
    r"'[^']+' is (?:the name of|declared already)|There is a step"
    r"|'[^']+' does not hold the same"
)
VALUE_FIXES: dict[str, tuple[Mend, ...]] = {
    "table": (_otherwise,), "type": (_values, _told_apart, _renamed), "board": (_drawn,),
    "name-taken": (_renamed,), "name-twice": (_renamed,),
    "unused": (_unasked,),
}  # fmt: skip
