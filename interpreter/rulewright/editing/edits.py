"""Edits of a file's lines: delete, add or move entries, in braces or on lines of their own. Lines and columns of a
`Fix` count from 1; its end is exclusive."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix, Report, SourcePlace
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

EntryPath = tuple[str | int, ...]
"""Keys, and numbers of list items, from the top of a file."""


def text_after_fix(fix: Fix, lines: Sequence[str]) -> str:
    """Return the file's text after an edit. lines: of the file before."""
    (first, start), (last, end) = fix.start, fix.end
    before, after = lines[first - 1][: start - 1], lines[last - 1][end - 1 :] if last <= len(lines) else ""
    return "\n".join([*lines[: first - 1], before + fix.new + after, *lines[last:]])


def underlined_text(diagnostic: Diagnostic, lines: Sequence[str]) -> str:
    """Return the text that a diagnostic underlines."""
    return lines[diagnostic.place.line - 1][
        diagnostic.place.column - 1 : diagnostic.place.column - 1 + diagnostic.place.length
    ]


def replacement(diagnostic: Diagnostic, new: str, title: Wording | None = None) -> Fix:
    """Return the edit that replaces the underlined text."""
    place = diagnostic.place
    return Fix(
        title or titles.SAY(words=new), (place.line, place.column), (place.line, place.column + place.length), new
    )


def insertion(line: int, column: int, new: str, title: Wording) -> Fix:
    """Return the edit that inserts text at a place; line and column count from 1."""
    return Fix(title, (line, column), (line, column), new)


def whole_line(diagnostic: Diagnostic, lines: Sequence[str], new: str, title: Wording) -> Fix:
    """Return the edit that replaces the diagnostic's line."""
    line = diagnostic.place.line
    return Fix(title, (line, 1), (line, len(lines[line - 1]) + 1), new)


def line_edits(title: Wording, lines: Sequence[str], new: Sequence[str] | None) -> Iterator[Fix]:
    """Yield the edit that turns lines into others; nothing if `new` is None."""
    if new is None or list(new) == list(lines):
        return
    shortest, first, last = min(len(lines), len(new)), 0, 0
    while first < shortest and lines[first] == new[first]:
        first += 1
    while last < shortest - first and lines[len(lines) - 1 - last] == new[len(new) - 1 - last]:
        last += 1
    text = "".join(f"{line}\n" for line in new[first : len(new) - last])
    if first == len(lines):  # appended after the last line, which has no line end
        end = (len(lines), len(lines[-1]) + 1)
        yield Fix(title, end, end, "\n" + text.removesuffix("\n"))
    elif last == 0:
        yield Fix(title, (first + 1, 1), (len(lines), len(lines[-1]) + 1), text.removesuffix("\n"))
    else:
        yield Fix(title, (first + 1, 1), (len(lines) - last + 1, 1), text)


def entry_below(diagnostic: Diagnostic, lines: Sequence[str], key: str, value: str, title: Wording) -> Iterator[Fix]:
    """Yield the edit that adds an entry to a named item: in its braces, or on a line of its own."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    end = place.column - 1 + place.length
    if inside := re.match(r" *: *\{", line[end:]):
        insertion_point = (place.line, end + inside.end() + 1)
        empty = line[end + inside.end() :].lstrip().startswith("}")
        yield Fix(title, insertion_point, insertion_point, f"{key}: {value}" + ("" if empty else ", "))
    elif re.match(r" *: *$", line[end:]) and not line.lstrip().startswith("- "):
        below = next((other for other in lines[place.line :] if other.strip()), "")
        indent = indent_of(below) if indent_of(below) > indent_of(line) else indent_of(line) + 2
        if below.lstrip().startswith("- ") and indent_of(below) > indent_of(line):
            return  # a list has no entries
        insertion_point = (place.line, len(line) + 1)
        yield Fix(title, insertion_point, insertion_point, f"\n{' ' * indent}{key}: {value}")


# ── positions of entries ──


def indent_of(line: str) -> int:
    """Return the number of blanks at the beginning of a line; of a blank line, of all of it."""
    return len(line) - len(line.lstrip(" "))


def block_end(lines: Sequence[str], line: int) -> int:
    """Return the last line, counted from 1, of what stands below a line by its indentation; the line itself if nothing
    does. Blank lines at the end do not count."""
    indent, last = indent_of(lines[line - 1]), line
    item = lines[line - 1].lstrip().startswith("- ")
    while last < len(lines):
        other = lines[last]
        own_item = not item and indent_of(other) == indent and other.lstrip().startswith("- ")
        if other.strip() and indent_of(other) <= indent and not own_item:
            break
        last += 1
    while last > line and not lines[last - 1].strip():
        last -= 1
    return last


def root(lines: Sequence[str]) -> Node | None:
    """Parse the text; None if it is no valid YAML."""
    return yaml_reader.read(None, "\n".join(lines), Report(), "")


def _entries_below(node: Node | None, path: EntryPath = ()) -> Iterator[tuple[EntryPath, Scalar | None, Node]]:
    """Yield all entries and items below a node: path, key (None for items) and value."""
    if isinstance(node, MappingNode):
        for key, value in node.items():
            yield (*path, key.text), key, value
            yield from _entries_below(value, (*path, key.text))
    elif isinstance(node, SequenceNode):
        for number, item in enumerate(node.items):
            yield (*path, number), None, item
            yield from _entries_below(item, (*path, number))


def path_at(lines: Sequence[str], place: SourcePlace) -> EntryPath | None:
    """Return the path of the innermost entry whose key or text contains a place; None without one."""
    result: EntryPath | None = None
    for path, key, value in _entries_below(root(lines)):
        for part in (key, value):
            part_place = part.place if isinstance(part, Scalar) else None
            if (
                part_place
                and part_place.line == place.line
                and part_place.column <= place.column <= part_place.column + part_place.length
            ):
                result = path
    return result


def node_at(node: Node | None, path: EntryPath) -> Node | None:
    """Return the node at a path; None if there is none."""
    for step in path:
        if isinstance(node, MappingNode):
            node = node.get(str(step))
        elif isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def names_below(lines: Sequence[str], *path: str) -> list[str]:
    """Return the keys of the mapping at a path; [] if there is none, or the text is no valid YAML."""
    node = node_at(root(lines), path)
    return list(node.entries) if isinstance(node, MappingNode) else []


def _start(tree: Node | None, path: EntryPath) -> tuple[SourcePlace, MappingNode | SequenceNode] | None:
    """Return the place where an entry or a list item begins, its key or that of its first entry, and its container;
    None if there is none at the path."""
    owner = node_at(tree, path[:-1])
    step = path[-1]
    if isinstance(owner, MappingNode) and str(step) in owner.keys:
        return owner.keys[str(step)].place, owner
    if isinstance(owner, SequenceNode) and isinstance(step, int) and step < len(owner.items):
        item = owner.items[step]
        first = next(iter(item.keys.values())).place if isinstance(item, MappingNode) and item.keys else item.place
        return first, owner
    return None


def _in_braces(lines: Sequence[str], owner: Node) -> bool:
    """Return whether a collection is written in braces or brackets."""
    return lines[owner.place.line - 1][owner.place.column - 1 : owner.place.column] in ("{", "[")


def _end_in_braces(line: str, start: int) -> int:
    """Return the end, exclusive, of an entry in braces that begins at a column; both count from 0."""
    depth, end, quoted = 0, start, ""
    while end < len(line) and (quoted or depth or line[end] not in ",}]"):
        mark = line[end]
        if quoted or mark in "\"'":
            quoted = "" if mark == quoted else quoted or mark
        else:
            depth += (mark in "{[") - (mark in "}]")
        end += 1
    return end


def text_of_entry(lines: Sequence[str], path: EntryPath) -> list[str] | None:
    """Return the lines of an entry without their indentation; None if there is none at the path."""
    if (entry_start := _start(root(lines), path)) is None:
        return None
    place, owner = entry_start
    line, start = lines[place.line - 1], place.column - 1
    if _in_braces(lines, owner):
        return [line[start : _end_in_braces(line, start)]]
    last = block_end(lines, place.line)
    return [line[start:], *(other[start:] for other in lines[place.line : last])]


# ── edits: return the new lines, None if impossible ──


def lines_without(lines: Sequence[str], path: EntryPath, emptied: bool = False) -> list[str] | None:
    """Return the lines without an entry and the containers that it leaves empty; None if that is impossible. emptied:
    keep a container that it leaves empty."""
    tree = root(lines)
    if not path or (entry_start := _start(tree, path)) is None:
        return None
    place, owner = entry_start
    alone = len(owner.items if isinstance(owner, SequenceNode) else owner.entries) == 1
    if alone and len(path) > 1 and not emptied:
        return lines_without(lines, path[:-1])
    number, start = place.line - 1, place.column - 1
    line = lines[number]
    if not _in_braces(lines, owner):
        last, head = block_end(lines, place.line), line[:start]
        if (
            isinstance(owner, MappingNode) and head.strip() == "-"
        ):  # first key of an item: the dash moves to the next key
            last = number + 1
            while last < len(lines) and (not lines[last].strip() or indent_of(lines[last]) > start):
                last += 1
            return [*lines[:number], head + lines[last].lstrip(), *lines[last + 1 :]] if last < len(lines) else None
        return [*lines[:number], *lines[last:]]
    end = _end_in_braces(line, start)
    if line[end : end + 1] == ",":
        rest = line[end + 1 :].lstrip()
        return [*lines[:number], line[:start] + rest, *lines[number + 1 :]]
    before = line[:start].rstrip()
    if not before.endswith(",") and not alone:
        return None
    return [*lines[:number], before.removesuffix(",") + line[end:], *lines[number + 1 :]]


def lines_with(lines: Sequence[str], path: EntryPath, entry: Sequence[str]) -> list[str] | None:
    """Return the lines with an entry added at the end of the container at a path, which is made if missing; None if
    that is impossible. entry: lines without indentation."""
    tree = root(lines)
    if not path:
        body = list(lines)
        while body and not body[-1].strip():
            body.pop()
        return [*body, "", *entry, ""]
    owner = node_at(tree, path)
    if owner is None:
        *deeper, _ = path
        return lines_with(lines, tuple(deeper), [f"{path[-1]}:", *(f"  {line}" for line in entry)])
    if isinstance(owner, Scalar) and owner.absent and (entry_start := _start(tree, path)):
        number = entry_start[0].line - 1
        if lines[number].rstrip().endswith(":"):
            inner = " " * (indent_of(lines[number]) + 2)
            return [*lines[: number + 1], *(inner + line for line in entry), *lines[number + 1 :]]
        return None
    if not isinstance(owner, MappingNode):
        return None
    number = owner.place.line - 1
    if _in_braces(lines, owner):
        line, end = lines[number], owner.place.column - 2 + owner.place.length
        if line[end : end + 1] != "}":
            return None
        inline = _in_one_line(entry)
        new = line[:end] + (", " if owner.entries else "") + inline + line[end:]
        return None if inline == "" else [*lines[:number], new, *lines[number + 1 :]]
    keys = list(owner.keys.values())
    last, column = block_end(lines, keys[-1].place.line), keys[-1].place.column - 1
    if lines[keys[-1].place.line - 1][:column].strip():
        last = keys[-1].place.line
    return [*lines[:last], *(" " * column + line for line in entry), *lines[last:]]


def lines_with_sentence(lines: Sequence[str], place: SourcePlace, sentence: str, after: bool) -> list[str] | None:
    """Return the lines with a sentence added in front of the outermost one that holds a place, or behind it; None if
    the place is in no list of sentences."""
    path = path_at(lines, place) or ()
    depth = next((number for number, step in enumerate(path, 1) if isinstance(step, int)), 0)
    if not depth or (entry_start := _start(root(lines), path[:depth])) is None:
        return None
    first, owner = entry_start
    number, start = first.line - 1, first.column - 1
    line = lines[number]
    if _in_braces(lines, owner):
        end = _end_in_braces(line, start)
        new = f"{line[:end]}, {sentence}{line[end:]}" if after else f"{line[:start]}{sentence}, {line[start:]}"
        return [*lines[:number], new, *lines[number + 1 :]]
    if line[:start].strip() != "-":
        return None
    number = block_end(lines, first.line) if after else number
    return [*lines[:number], line[:start] + sentence, *lines[number:]]


def _in_one_line(entry: Sequence[str]) -> str:
    """Return an entry of nested keys in the form for braces; '' if that is impossible."""
    *outer, last = (line.strip() for line in entry)
    if any(not line.endswith(":") for line in outer):
        return ""
    return "".join(f"{line} {{" for line in outer) + last + "}" * len(outer)


def lines_with_moved(lines: Sequence[str], path: EntryPath, to: EntryPath) -> list[str] | None:
    """Return the lines with an entry moved to another path; None if that is impossible."""
    entry, rest = text_of_entry(lines, path), lines_without(lines, path)
    return None if entry is None or rest is None else lines_with(rest, to, entry)


def deletions(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield deletions of the underlined entry or sentence with its content; then also of containers that it leaves
    empty."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    indent = place.column - 1
    if line[:indent].strip(" -"):
        yield from _deletion_in_braces(diagnostic, line)
    else:
        last = block_end(lines, place.line)
        above = next((other for other in reversed(lines[: place.line - 1]) if other.strip()), None)
        neighbours = [other for other in (above, *lines[last : last + 1]) if other is not None]
        own = indent_of(line)
        if own == 0 or any(indent_of(other) == own for other in neighbours):
            yield Fix(titles.DELETE_IT(), (place.line, 1), (last + 1, 1), "")
    if path := path_at(lines, place):
        yield from line_edits(titles.DELETE_IT(), lines, lines_without(lines, path))


def sentence_deletions(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the deletion of the innermost sentence or item that contains the place; of the entry if there is none."""
    path = path_at(lines, diagnostic.place) or ()
    items = [number for number, step in enumerate(path, 1) if isinstance(step, int)]
    if items:
        yield from line_edits(titles.DELETE_SENTENCE(), lines, lines_without(lines, path[: items[-1]]))
    else:
        yield from line_edits(titles.DELETE_IT(), lines, lines_without(lines, path))


def _deletion_in_braces(diagnostic: Diagnostic, line: str) -> Iterator[Fix]:
    """Yield the deletion of an entry in braces that has others beside it."""
    start = diagnostic.place.column - 1
    before, end = line[:start].rstrip(), _end_in_braces(line, start)
    if before.endswith("{") and line[end : end + 1] == ",":
        end = end + 1 + len(line[end + 1 :]) - len(line[end + 1 :].lstrip())
    elif before.endswith(","):
        start = len(before) - 1
    else:
        return
    yield Fix(titles.DELETE_IT(), (diagnostic.place.line, start + 1), (diagnostic.place.line, end + 1), "")


def as_entries(lines: Sequence[str], number: int, entries: Sequence[str]) -> list[str]:
    """Return a file's lines with further entries before the sentences of a step. number: of the line of the step's key,
    from 1; entries: as written, without indentation."""
    last, indent = block_end(lines, number), indent_of(lines[number - 1]) + 2
    below, pad = list(lines[number:last]), " " * indent
    if next((line for line in below if line.strip()), "").lstrip().startswith("- "):
        less = indent + 2 - indent_of(below[0])
        below = [f"{pad}do:", *(" " * less + line for line in below)]
    return [*lines[:number], *(pad + entry for entry in entries), *below, *lines[last:]]


def quoted_in_braces(diagnostic: Diagnostic, lines: Sequence[str], slot: str) -> Fix | None:
    """Return the edit that writes a slot in place of the underlined words and quotes its text; None unless the text
    stands in braces without quotes."""
    line, path = lines[diagnostic.place.line - 1], path_at(lines, diagnostic.place)
    text = node_at(root(lines), path) if path else None
    if not isinstance(text, Scalar) or text.place.line != diagnostic.place.line or "{" not in line[: text.place.column]:
        return None
    start, end = text.place.column - 1, text.place.column - 1 + text.place.length
    if line[start:end] != text.text or '"' in text.text:
        return None
    first = diagnostic.place.column - 1
    new = f'"{line[start:first]}{slot}{line[first + diagnostic.place.length : end]}"'
    return Fix(titles.SAY(words=slot), (diagnostic.place.line, start + 1), (diagnostic.place.line, end + 1), new)
