"""Outline of a file: sections and declarations with their extents, and foldable ranges."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import record
from rulewright.editing.text_document import OpenFile
from rulewright.model.symbols import kind_of
from rulewright.syntax import schema
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode


@record
class OutlineItem:
    """Key with its content. line and end count from 1, the end included; end_column: behind the last character, where
    more may follow in that line; kind: of the declaration, '' for a section."""

    name: str
    kind: str
    line: int
    column: int
    end: int
    end_column: int
    detail: str
    below: tuple[OutlineItem, ...]


def outline(open_file: OpenFile) -> tuple[OutlineItem, ...]:
    """Return the sections, with the declarations in them."""
    if not isinstance(open_file.tree, MappingNode):
        return ()
    return tuple(_outline_items(open_file, open_file.tree, ()))


def folds(open_file: OpenFile) -> Iterator[tuple[int, int]]:
    """Yield the first and last line, counted from 1, of everything longer than one line."""
    waiting: list[Node] = [open_file.tree] if open_file.tree is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, SequenceNode):
            waiting += node.items
        if not isinstance(node, MappingNode):
            continue
        for key, value in node.items():
            waiting.append(value)
            if (end := last_line(open_file, key)) > key.place.line:
                yield key.place.line, end


def last_line(open_file: OpenFile, key: Scalar) -> int:
    """Return the last line of a key's content, without trailing blank lines and comments."""
    indents, own = open_file.indents, key.place.column - 1  # larger than the line's indentation after a dash
    first = last = key.place.line
    for number in range(first, len(indents)):
        indent = indents[number]
        if indent is None:
            continue
        item = indent == own == indents[first - 1] and open_file.lines[number].startswith("- ", indent)
        if indent <= own and not item:
            break
        last = number + 1
    return last


def _outline_items(open_file: OpenFile, node: MappingNode, path: tuple[str, ...]) -> Iterator[OutlineItem]:
    """Yield the sections, declarations and cases below a mapping."""
    for key, value in node.items():
        item_path = (*path, key.text)
        kind = kind_of(item_path[1:] if item_path[0] == "change" else item_path)
        below = tuple(_outline_items(open_file, value, item_path)) if isinstance(value, MappingNode) else ()
        if open_file.kind == schema.SCENARIOS and path == ("cases",):
            kind, below = "case", tuple(_parts(open_file, value))
        if not path or kind or below:
            detail = value.text if isinstance(value, Scalar) and not value.absent and len(value.text) < 60 else ""
            end, column = _end(open_file, key, value)
            yield OutlineItem(key.text, kind, key.place.line, key.place.column, end, column, detail, below)


def _parts(open_file: OpenFile, case: Node) -> Iterator[OutlineItem]:
    """Yield `given`, `do` and `expect` of a case."""
    for key, value in case.items() if isinstance(case, MappingNode) else ():
        if key.text in ("given", "do", "expect"):
            yield OutlineItem(key.text, "", key.place.line, key.place.column, *_end(open_file, key, value), "", ())


def _end(open_file: OpenFile, key: Scalar, value: Node) -> tuple[int, int]:
    """Return the last line of an entry, and the column behind it: within braces, more may follow."""
    end, own = last_line(open_file, key), key.place.column + len(key.text)
    if end == key.place.line and value.place.line == end and not (isinstance(value, Scalar) and value.absent):
        return end, max(own, value.place.column + value.place.length)
    return end, own if end == key.place.line else len(open_file.lines[end - 1].rstrip()) + 1
