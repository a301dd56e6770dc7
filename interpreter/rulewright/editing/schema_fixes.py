"""Fixes of entries that do not fit the schema: unknown and missing keys, and values of another shape."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import DID_YOU_MEAN, Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import (
    EntryPath,
    entry_below,
    indent_of,
    insertion,
    line_edits,
    lines_with,
    lines_with_moved,
    lines_without,
    names_below,
    path_at,
    replacement,
    text_of_entry,
    underlined_text,
    whole_line,
)
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax import messages

_MAX_CHOICES = 6
"""Number of allowed keys beyond which none is offered in place of an unknown one."""
_OWNERS = {"game": titles.LET_GAME_HAVE_IT(), "seat": titles.LET_SEATS_HAVE_IT()}
"""Owners of a declaration, each with the title of the fix that gives it to them."""
_OF_OWNERS = ("values", "terms", "counters")
"""Sections whose entries stand below their owner."""
_BRANCH = "{text: Do nothing., do: []}"
"""Branch of a menu, as a beginning."""
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "ten": "10", "twelve": "12"}
"""Numbers in words, with their digits."""
_USUAL = {
    "players": "2 to 4", "title": "My game", "rulewright": "1", "ranking": "highest score",
    "phases": "\n  play:\n    do:\n      - end game", "seen by": "all", "starts in": "deck", "points": "1",
    "ask": "What do you choose?", "edition": "my-game.yaml", "phase": "play", "do": "[end game]",
}  # fmt: skip
"""Values that a fix gives a missing key, as YAML, by key."""


@fixes_for(messages.UNKNOWN_KEY, messages.NOTHING_BELOW_SENTENCE)
def _replace_key(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Move or replace an unknown key, or delete it."""
    known = diagnostic.has(messages.KNOWN_HERE)
    names = known.items("names") if known else ()
    path = path_at(lines, diagnostic.place)
    if path and "steps" in names and "do" in names:
        yield from line_edits(titles.PUT_UNDER_STEPS(), lines, _lines_with_key_in(lines, path, "steps"))
    elif problem.template == messages.NOTHING_BELOW_SENTENCE:
        pad = " " * max(0, diagnostic.place.column - 3)
        yield whole_line(diagnostic, lines, f"{pad}- {underlined_text(diagnostic, lines)}", titles.OWN_SENTENCE())
    if len(names) <= _MAX_CHOICES:
        existing = names_below(lines, *map(str, path[:-1])) if path else []
        yield from (replacement(diagnostic, name) for name in names if "…" not in name and name not in existing)
    if path and problem.template == messages.UNKNOWN_KEY and diagnostic.has(DID_YOU_MEAN) is None:
        yield from line_edits(titles.DELETE_IT(), lines, lines_without(lines, path))


def _lines_with_key_in(lines: Sequence[str], path: EntryPath, owner: str) -> list[str] | None:
    """Return the lines with the entry moved into the item called `owner`; None if that is impossible."""
    entry, rest = text_of_entry(lines, path), lines_without(lines, path)
    return None if entry is None or rest is None else lines_with(rest, (*path[:-1], owner), entry)


@fixes_for(messages.MISSING_KEY, messages.MISSING_KEY_IN)
def _add_key(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a required key with a possible value."""
    key = problem.text_of("name")
    if key == "among":
        yield from _add_branches(diagnostic, lines)
    if (value := _USUAL.get(key)) is None:
        return
    if problem.template == messages.MISSING_KEY_IN:
        yield from entry_below(diagnostic, lines, key, value, titles.ADD(entry=key))
    else:
        begin = "" if not lines[-1] else "\n"
        new = f"{begin}{key}:{'' if value.startswith(chr(10)) else ' '}{value}\n"
        yield insertion(len(lines), len(lines[-1]) + 1, new, titles.ADD(entry=key))


def _add_branches(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a first branch to a menu that has none."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    end = diagnostic.place.column - 1 + diagnostic.place.length
    if inside := re.match(r" *: *\{.*(?=\})", line[end:]):
        yield insertion(number, end + inside.end() + 1, f", among: {{first: {_BRANCH}}}", titles.ADD(entry="among"))
    elif re.match(r" *: *$", line[end:]):
        below = lines[number] if number < len(lines) else ""
        indent = " " * max(indent_of(below), indent_of(line) + 2)
        yield insertion(
            number, len(line) + 1, f"\n{indent}among:\n{indent}  first: {_BRANCH}", titles.ADD(entry="among")
        )


@fixes_for(messages.WRONG_VALUE, messages.WRONG_SHAPE)
def _replace_value(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest an expected value, or one of the right shape."""
    text = underlined_text(diagnostic, lines)
    yield from (replacement(diagnostic, choice) for choice in problem.items("choices"))
    if size := re.fullmatch(r"(\d+)\s*[x×*]\s*(\d+)", text):
        yield replacement(diagnostic, f"{size[1]} by {size[2]}")
    yield from _replace_number(diagnostic, problem, text)
    if problem.template == messages.WRONG_SHAPE and (one := re.fullmatch(r"\[([^,\[\]]+)\]", text)):
        yield replacement(diagnostic, one[1].strip())
    yield from _move_to_owner(diagnostic, lines)


def _replace_number(diagnostic: Diagnostic, problem: Wording, text: str) -> Iterator[Fix]:
    """Suggest a whole number within the limits, or a range."""
    limits = [int(limit) for limit in problem.items("limits")]
    if "span" in problem.items("grammars"):
        span = re.fullmatch(r"\[?(\d+)(?:, *|-|–|\.\.)(\d+)\]?", text)
        yield replacement(diagnostic, f"{span[1]} to {span[2]}" if span else "2 to 4")
    elif limits and re.fullmatch(r"-?\d+", text):
        nearest = max(int(text), limits[0])
        yield replacement(diagnostic, str(min(nearest, *limits[1:]) if limits[1:] else nearest))
    elif limits:
        yield replacement(diagnostic, next(iter(re.findall(r"\d+", text)), _NUMBERS.get(text, "1")))


def _move_to_owner(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Move a figure or counter below the game or each seat if its owner is missing."""
    path = path_at(lines, diagnostic.place)
    if path and len(path) == 2 and path[0] in _OF_OWNERS and path[1] not in _OWNERS:
        for owner, title in _OWNERS.items():
            new = lines_with_moved(lines, path, (path[0], owner)) or _lines_with_key_in(lines, path, owner)
            yield from line_edits(title, lines, new)


@fixes_for(messages.NOTHING_HERE)
def _add_sentence(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a sentence that logs a line."""
    line = lines[diagnostic.place.line - 1]
    if "statement" in problem.items("grammars") and line.rstrip().endswith(":"):
        new = f"\n{' ' * (indent_of(line) + 2)}- log: Here something happens."
        yield insertion(diagnostic.place.line, len(line) + 1, new, titles.ADD_SENTENCE())
