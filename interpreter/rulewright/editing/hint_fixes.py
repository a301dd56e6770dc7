"""Fixes given literally by a hint: other words, quotes, a colon, a bracket, or a deletion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import DID_YOU_MEAN, DID_YOU_MEAN_FOR, SAY, SAY_FOR_EXAMPLE, WRITE, Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing.edits import (
    Mend,
    deleted,
    indent_of,
    instead,
    names_below,
    node_at,
    path_at,
    rewritten,
    root,
)
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax.source import Scalar

_MOST_CHOICES = 6
_INSTEAD = (
    re.compile(r"Did you mean '(?P<new>[^']+)' for '(?P<old>[^']+)'\?"),
    re.compile(r"Did you mean '(?P<new>[^']+)'\?"),
    re.compile(r"\bSay '(?P<new>[^'…]+)'(?:, for example)?[.:]"),
    re.compile(r"\bSay '(?P<new>[^'…]+)' or '(?P<other>[^'…]+)'\."),
    re.compile(r"\bWrite '(?P<new>[^'…]+)'\."),
    re.compile(r"\bWrite (?P<new>\{[^{}…]+\})\."),
)
_KNOWN = re.compile(r"(?:There are|Known here): ([^.…]+?)\.?$")


def _fix_name(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace a name by the suggested one."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    for pattern in _INSTEAD:
        for hint in pattern.finditer(diagnostic.hint):
            parts = hint.groupdict()
            if not (old := parts.get("old")):
                for new in (parts["new"], parts.get("other")):
                    quoted = list(_in_quotes(diagnostic, lines, new)) if new and new.startswith("{") else []
                    yield from quoted or ([instead(diagnostic, new)] if new else [])
            elif (start := line.rfind(old, 0, place.column - 1 + place.length)) >= 0:
                end = (place.line, start + 1 + len(old))
                yield Fix(f"Say '{parts['new']}'", (place.line, start + 1), end, parts["new"])
        if pattern.search(diagnostic.hint):
            return


@fixes_for(DID_YOU_MEAN)
def _replace_name(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace the underlined name by the nearest known one."""
    yield instead(diagnostic, wording.text_of("name"))


@fixes_for(DID_YOU_MEAN_FOR)
def _replace_given(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace a misspelt word by the one that was probably meant."""
    place, given, name = diagnostic.place, wording.text_of("given"), wording.text_of("name")
    start = lines[place.line - 1].rfind(given, 0, place.column - 1 + place.length)
    if start >= 0:
        yield Fix(f"Say '{name}'", (place.line, start + 1), (place.line, start + 1 + len(given)), name)


@fixes_for(SAY, SAY_FOR_EXAMPLE, WRITE)
def _replace_by_words(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace the underlined text by the words of the hint, if these are complete."""
    words = wording.text_of("words")
    if "…" not in words and "'" not in words:
        yield instead(diagnostic, words)


def _in_quotes(diagnostic: Diagnostic, lines: Sequence[str], slot: str) -> Iterator[Fix]:
    """Quote a text with a slot inside braces."""
    line, path = lines[diagnostic.place.line - 1], path_at(lines, diagnostic.place)
    text = node_at(root(lines), path) if path else None
    if not isinstance(text, Scalar) or text.place.line != diagnostic.place.line or "{" not in line[: text.place.column]:
        return
    start, end = text.place.column - 1, text.place.column - 1 + text.place.length
    if line[start:end] == text.text and '"' not in text.text:
        first = diagnostic.place.column - 1
        new = f'"{line[start:first]}{slot}{line[first + diagnostic.place.length : end]}"'
        yield Fix(f"Say '{slot}'", (diagnostic.place.line, start + 1), (diagnostic.place.line, end + 1), new)


def _one_of_few(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest each existing name, if there are few."""
    if (known := _KNOWN.search(diagnostic.hint)) and diagnostic.code in ("unknown-name", "unknown-key", "drawing"):
        names = known[1].split(", ")
        if len(names) <= _MOST_CHOICES:
            path = path_at(lines, diagnostic.place) if diagnostic.code == "unknown-key" else None
            existing = names_below(lines, *map(str, path[:-1])) if path else []
            yield from (instead(diagnostic, name) for name in names if "…" not in name and name not in existing)


def _unneeded(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete a useless entry, and containers that it leaves empty."""
    elsewhere = "Did you mean" in diagnostic.hint or diagnostic.message.startswith("Nothing asks for")
    if (
        not elsewhere
        and re.search(_NEEDLESS, f"{diagnostic.message} {diagnostic.hint}")
        and (path := path_at(lines, diagnostic.place))
    ):
        yield from rewritten("Delete it", lines, deleted(lines, path))


def _deleted(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete a useless entry or sentence with its content."""
    if not re.search(r"\b(?:delete it|leave it out)\b", diagnostic.hint):
        return
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    begins = re.match(r"\s*(?:- +)?", line)
    if begins is None or begins.end() != place.column - 1:
        yield from _deleted_within(diagnostic, line)
        return
    indent, last = len(line) - len(line.lstrip(" ")), place.line
    while last < len(lines) and (not lines[last].strip() or indent_of(lines[last]) > indent):
        last += 1
    while not lines[last - 1].strip():
        last -= 1
    neighbours = [other for other in (*lines[: place.line - 1][::-1], "") if other.strip()][:1], lines[last : last + 1]
    if any(indent_of(other[0]) == indent for other in neighbours if other) or indent == 0:
        yield Fix("Delete it", (place.line, 1), (last + 1, 1), "")


def _deleted_within(diagnostic: Diagnostic, line: str) -> Iterator[Fix]:
    """Delete an entry in braces with others beside it."""
    start = diagnostic.place.column - 1
    depth, end = 0, start
    while end < len(line) and (depth or line[end] not in ",}]"):
        depth += (line[end] in "{[") - (line[end] in "}]")
        end += 1
    before = line[:start].rstrip()
    if before.endswith("{") and line[end : end + 1] == ",":
        end = end + 1 + len(line[end + 1 :]) - len(line[end + 1 :].lstrip())
    elif before.endswith(","):
        start = len(before) - 1
    else:
        return
    yield Fix("Delete it", (diagnostic.place.line, start + 1), (diagnostic.place.line, end + 1), "")


_NEEDLESS = r"\b(?:delete it|leave it out)\b|' is not known here|changes nothing\."
BY_HINT: tuple[Mend, ...] = (_fix_name, _one_of_few, _deleted, _unneeded)
