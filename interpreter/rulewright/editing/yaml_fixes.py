"""Fixes of YAML: quotes, brackets, colons, tabs, indentation, and duplicate keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import block_end, indent_of, insertion, line_edits, replacement, underlined_text
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax import messages


@fixes_for(messages.QUOTE_IT)
def _quote(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Put the value of a line in quotes."""
    number, line = diagnostic.place.line, lines[diagnostic.place.line - 1]
    if value := re.match(r"\s*(?:- +)*(?:[^\s\"'{\[#][^:]*?: +)?(?=\S)", line):
        text = line[value.end() :].rstrip()
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        yield Fix(titles.QUOTE_IT(), (number, value.end() + 1), (number, len(line) + 1), quoted)


@fixes_for(messages.CLOSE_QUOTE)
def _close_quote(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Close quotes at the end of their line."""
    yield _append_to_line(diagnostic, lines, underlined_text(diagnostic, lines)[:1], titles.CLOSE_QUOTES())


@fixes_for(messages.UNCLOSED_BRACKET, messages.CROSSED_BRACKETS)
def _close_bracket(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Close a list before the next mark; or at the end of its line if it is never closed."""
    place = diagnostic.place
    if problem["mark"] == "[" and (item := re.compile(r"[^,}\]]*").match(lines[place.line - 1], place.column)):
        yield insertion(place.line, item.end() + 1, "]", titles.ADD(entry="]"))
    if close := diagnostic.has(messages.CLOSE_BRACKET):
        mark = close.text_of("mark")
        yield _append_to_line(diagnostic, lines, mark, titles.ADD(entry=mark))


def _append_to_line(diagnostic: Diagnostic, lines: Sequence[str], mark: str, title: Wording) -> Fix:
    """Return the edit that adds a mark at the end of the line of a diagnostic."""
    return insertion(diagnostic.place.line, len(lines[diagnostic.place.line - 1].rstrip()) + 1, mark, title)


@fixes_for(messages.COMMA_EXPECTED)
def _separate_entries(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a comma between two entries, or quotes around braces."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    if entry := re.search(r": ([\w]+)( [\w ]+)$", line[: diagnostic.place.column - 1]):
        yield insertion(number, entry.end(1) + 1, ",", titles.ADD_COMMA())
    if braces := re.search(r".*: (\{[^{}]*\}.*)$", line[: line.rstrip().rfind("}")]):
        text = braces[1].replace('"', "'")
        yield Fix(titles.QUOTE_IT(), (number, braces.start(1) + 1), (number, braces.end(1) + 1), f'"{text}"')


@fixes_for(messages.TAB)
def _replace_tabs(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[diagnostic.place.line - 1]
    spaced = re.sub(r"^[ \t]+", lambda blank: blank[0].replace("\t", "  "), line).replace("\t", " ")
    yield Fix(titles.SPACES_FOR_TABS(), (diagnostic.place.line, 1), (diagnostic.place.line, len(line) + 1), spaced)


@fixes_for(messages.BAD_ESCAPE)
def _escape_backslash(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield replacement(diagnostic, "\\" + underlined_text(diagnostic, lines), titles.WRITE_BACKSLASH())


@fixes_for(messages.DELETE_CHARACTER)
def _delete_character(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield replacement(diagnostic, "", titles.DELETE_IT())


@fixes_for(messages.REMOVE_LINE)
def _delete_line(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    number = diagnostic.place.line
    yield from line_edits(titles.DELETE_IT(), lines, [*lines[: number - 1], *lines[number:]])


@fixes_for(messages.DUPLICATE_KEY, messages.MERGE_KEY)
def _resolve_duplicate(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Rename a duplicate key, join the two entries, or delete the second one."""
    number, last = diagnostic.place.line, block_end(lines, diagnostic.place.line)
    is_duplicate = problem.template == messages.DUPLICATE_KEY
    if is_duplicate and diagnostic.place.column > 1:
        name = f"other {underlined_text(diagnostic, lines)}"
        yield replacement(diagnostic, name, titles.CALL_IT(name=name))
    if diagnostic.place.column - 1 != indent_of(lines[number - 1]):
        return
    rest = [*lines[: number - 1], *lines[last:]]
    for first in diagnostic.related if last > number else ():
        first_end = block_end(lines, first.place.line)
        if first_end > first.place.line:
            both = [*rest[:first_end], *lines[number:last], *rest[first_end:]]
            yield from line_edits(titles.JOIN_BOTH(), lines, both)
    yield from line_edits(titles.DELETE_IT(), lines, rest)


@fixes_for(messages.MISSING_COLON)
def _add_colon(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield insertion(diagnostic.place.line, diagnostic.place.column + diagnostic.place.length, ":", titles.ADD_COLON())


@fixes_for(messages.ITEM_TOO_DEEP, messages.LINE_TOO_DEEP)
def _align_with_line(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Turn the line above into a heading, or move a line to that line's column."""
    number = int(problem.text_of("line"))
    above, place = lines[number - 1].rstrip(), diagnostic.place
    if problem.template == messages.LINE_TOO_DEEP:
        yield insertion(number, len(above) + 1, ":", titles.ADD_COLON_ABOVE())
    indent = indent_of(lines[place.line - 1])
    yield Fix(titles.MOVE_LEFT(), (place.line, 1), (place.line, indent + 1), " " * indent_of(above))


@fixes_for(messages.ITEM_AMONG_NAMES, messages.NAME_AMONG_ITEMS, messages.UNFITTING_INDENT)
def _align(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Move a line to a column where a line of its kind stands above it."""
    number, line = diagnostic.place.line, lines[diagnostic.place.line - 1]
    before = [each for each in range(1, number) if lines[each - 1].strip()]
    own, item = indent_of(line), line.lstrip().startswith("- ")
    same_level = [each for each in before if lines[each - 1].lstrip().startswith("- ") == item]
    near = [indent_of(lines[each - 1]) for each in same_level[::-1]]
    last = next((each for each in before[::-1] if indent_of(lines[each - 1]) <= own), 0)
    heading = not item and line.rstrip().endswith(":")
    left = next((indent for indent in near if indent < own), None)
    right = own + 4 if not item and last and lines[last - 1].rstrip().endswith(":") else next(iter(near), own)
    for indent in (left, right) if heading else (right, left):
        if indent is not None and indent != own:
            yield from _shifted(number, lines, indent)


def _shifted(number: int, lines: Sequence[str], indent: int) -> Iterator[Fix]:
    """Yield the edit that moves a line and its deeper content to another column."""
    own = indent_of(lines[number - 1])
    last = number
    while last < len(lines) and lines[last].strip() and indent_of(lines[last]) > own:
        last += 1
    new = [" " * (indent + indent_of(line) - own) + line.lstrip() for line in lines[number - 1 : last]]
    title = titles.MOVE_LEFT() if indent < own else titles.MOVE_RIGHT()
    yield from line_edits(title, lines, [*lines[: number - 1], *new, *lines[last:]])
