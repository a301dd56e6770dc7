"""What a hint says word by word: other words, quotes, a colon, a bracket, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
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
from rulewright.syntax.source import Scalar

_MOST_CHOICES = 6
_INSTEAD = (
    re.compile(r"Did you mean '(?P<new>[^']+)' for '(?P<old>[^']+)'\?"),
    re.compile(r"Did you mean '(?P<new>[^']+)'\?"),
    re.compile(r"\bSay '(?P<new>[^'…]+)'(?:, for example)?[.:]"),
    re.compile(r"\bSay '(?P<new>[^'…]+)' or '(?P<other>[^'…]+)'\."),
    re.compile(r"\bWrite '(?P<new>[^'…]+)'\."),
    re.compile(r"\bWrite (?P<new>\{[^{}…]+\})\."),
    re.compile(r"\bWrite numbers as digits: (?P<new>\d+)\."),
)
_KNOWN = re.compile(r"(?:There are|Known here|Words of '[^']+'): ([^.…]+?)\.?$")


def _named(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What was meant."""
    place, line = found.place, lines[found.place.line - 1]
    for pattern in _INSTEAD:
        for hint in pattern.finditer(found.hint):
            parts = hint.groupdict()
            if not (old := parts.get("old")):
                for new in (parts["new"], parts.get("other")):
                    quoted = list(_in_quotes(found, lines, new)) if new and new.startswith("{") else []
                    yield from quoted or ([instead(found, new)] if new else [])
            elif (start := line.rfind(old, 0, place.column - 1 + place.length)) >= 0:
                end = (place.line, start + 1 + len(old))
                yield Fix(f"Say '{parts['new']}'", (place.line, start + 1), end, parts["new"])
        if pattern.search(found.hint):
            return


def _in_quotes(found: Diagnostic, lines: Sequence[str], slot: str) -> Iterator[Fix]:
    """A slot in a text that must stand in quotes then, since it stands in braces."""
    line, path = lines[found.place.line - 1], path_at(lines, found.place)
    text = node_at(root(lines), path) if path else None
    if not isinstance(text, Scalar) or text.place.line != found.place.line or "{" not in line[: text.place.column]:
        return
    start, end = text.place.column - 1, text.place.column - 1 + text.place.length
    if line[start:end] == text.text and '"' not in text.text:
        first = found.place.column - 1
        new = f'"{line[start:first]}{slot}{line[first + found.place.length : end]}"'
        yield Fix(f"Say '{slot}'", (found.place.line, start + 1), (found.place.line, end + 1), new)


def _one_of_few(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What there is, if it is not much."""
    if (known := _KNOWN.search(found.hint)) and found.code in ("unknown-name", "unknown-key", "drawing"):
        names = known[1].split(", ")
        if len(names) <= _MOST_CHOICES:
            path = path_at(lines, found.place) if found.code == "unknown-key" else None
            there = names_below(lines, *map(str, path[:-1])) if path else []
            yield from (instead(found, name) for name in names if "…" not in name and name not in there)


def _quoted(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1]
    value = re.match(r"\s*(?:- +)*(?:[^\s\"'{\[#][^:]*?: +)?(?=\S)", line)
    if "Put the whole text in quotes" in found.hint and value:
        text = line[value.end() :].rstrip()
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        yield Fix("Put it in quotes", (found.place.line, value.end() + 1), (found.place.line, len(line) + 1), quoted)


def _closed(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What is left open, closed at the end of its line."""
    line = lines[found.place.line - 1]
    end = (found.place.line, len(line.rstrip()) + 1)
    if missing := re.fullmatch(r"Add the '(.)'\.", found.hint):
        yield Fix(f"Add '{missing[1]}'", end, end, missing[1])
    elif found.hint == "Close it at the text's end.":
        mark = line[found.place.column - 1 : found.place.column]
        yield Fix("Close the quotes", end, end, mark)


def _colon(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    if missing := re.match(r"Is a colon missing before '([^'…]+)'\?", found.hint):
        start = line.rfind(f" {missing[1]}", 0, place.column + place.length)
        if start > 0:
            yield Fix("Add a colon", (place.line, start + 1), (place.line, start + 1), ":")
    elif found.message.startswith("A colon is missing behind this name"):
        end = (place.line, place.column + place.length)
        yield Fix("Add a colon", end, end, ":")


def _unneeded(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An entry that is there in vain, and whoever has no other."""
    elsewhere = "Did you mean" in found.hint or found.message.startswith("Nothing asks for")
    if (
        not elsewhere
        and re.search(_NEEDLESS, f"{found.message} {found.hint}")
        and (path := path_at(lines, found.place))
    ):
        yield from rewritten("Delete it", lines, deleted(lines, path))


def _deleted(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An entry or a sentence that is there in vain, with what stands below it."""
    if not re.search(r"\b(?:delete it|leave it out)\b|^Delete it;|^Remove the line", found.hint):
        return
    place, line = found.place, lines[found.place.line - 1]
    if found.code == "control-character":
        yield instead(found, "", "Delete it")
        return
    begins = re.match(r"\s*(?:- +)?", line)
    if begins is None or begins.end() != place.column - 1:
        yield from _deleted_within(found, line)
        return
    indent, last = len(line) - len(line.lstrip(" ")), place.line
    while last < len(lines) and (not lines[last].strip() or indent_of(lines[last]) > indent):
        last += 1
    while not lines[last - 1].strip():
        last -= 1
    beside = [other for other in (*lines[: place.line - 1][::-1], "") if other.strip()][:1], lines[last : last + 1]
    if any(indent_of(other[0]) == indent for other in beside if other) or indent == 0:
        yield Fix("Delete it", (place.line, 1), (last + 1, 1), "")


def _deleted_within(found: Diagnostic, line: str) -> Iterator[Fix]:
    """An entry in braces that others stand beside."""
    start = found.place.column - 1
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
    yield Fix("Delete it", (found.place.line, start + 1), (found.place.line, end + 1), "")


_NEEDLESS = (
    r"\b(?:delete it|leave it out)\b|' is not known here|<<|at once\.|stands here already, in line|changes nothing\."
)
BY_HINT: tuple[Mend, ...] = (_named, _one_of_few, _quoted, _closed, _colon, _deleted, _unneeded)
