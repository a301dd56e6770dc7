"""Write nodes as canonical text: indentation, quotes, braces or lines, folded texts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.syntax.formatter.concrete_syntax import (
    Alias,
    Collection,
    Comment,
    Document,
    Node,
    WrittenEntry,
    WrittenText,
)

WIDTH = 120
"""Maximum number of characters of a line, except where a text cannot be broken."""
INDENT = 2
"""Blanks of one level."""

_MISREAD = re.compile(r"~|null|Null|NULL|---.*|\.\.\..*", re.DOTALL)
"""Text that other readers of YAML would not take for one, or for the end of a document."""
_NOT_PLAIN = re.compile(r"""[-?:](\s|$)|[,\[\]{}#&*!|>'"%@`\s]|.*(:(\s|$)|\s\#|[\n\t]|\s$)""", re.DOTALL)
"""Text that needs quotes anywhere."""
_NOT_PLAIN_IN_BRACES = re.compile(r"[?:]|.*[,\[\]{}]", re.DOTALL)
"""Text that needs quotes within braces or brackets."""


def write(document: Document) -> str:
    """Return the text of a document."""
    lines = [*_comments(document.head)]
    sections = document.root.entries
    for number, entry in enumerate(sections):
        entry_lines = _entry_lines(entry, 0, whole=True)
        if number and (_holds_names(entry) or _holds_names(sections[number - 1])) and entry_lines[0]:
            entry_lines = ["", *entry_lines]
        lines += entry_lines
    lines += _comments(document.root.foot)
    while lines and not lines[0]:
        del lines[0]
    return "\n".join(lines) + "\n"


def _holds_names(entry: WrittenEntry) -> bool:
    """Return whether its value is a mapping with entries."""
    return isinstance(entry.value, Collection) and entry.value.keyed and bool(entry.value.entries)


def _comments(comments: list[Comment], margin: int = 0) -> Iterator[str]:
    """Yield the lines of comments, with the blank ones before them. margin: number of blanks before each."""
    for comment in comments:
        if comment.blank:
            yield ""
        yield " " * margin + comment.text


def _block_lines(node: Collection, margin: int) -> list[str]:
    """Return the lines of a collection, without a blank one before the first."""
    lines = [line for entry in node.entries for line in _entry_lines(entry, margin)]
    while not lines[0]:
        del lines[0]
    return [*lines, *_comments(node.foot, margin)]


def _entry_lines(entry: WrittenEntry, margin: int, whole: bool = False) -> list[str]:
    """Return the lines of an entry, with blank ones and comments above it. margin: number of blanks before each; whole:
    whether its value must not be a mapping in braces."""
    above = [*_comments(entry.head, margin), *[""] * entry.blank]
    value, tail = entry.value, entry.tail
    lead = " " * margin + ("-" if entry.key is None else f"{_key(entry.key)}:")
    lead += f" {_anchor(value)}".rstrip()
    in_line = _value_in_line(entry, whole)
    # A comment behind brackets may need their place: it then stands behind the key, and the entries below.
    room = WIDTH - (1 + len(tail.text) if tail and isinstance(value, Collection) and value.entries else 0)
    has_place = True
    if in_line is not None and len(lead) + 1 + len(in_line) <= room:
        lines = [f"{lead} {in_line}" if in_line else lead]
    elif isinstance(value, Collection) and value.entries:
        lines = [lead, *_block_lines(value, margin + INDENT)]
        has_place = entry.key is not None
        if not has_place and value.anchor is None:  # the first line stands behind the dash, its comments above that
            first = next(n for n in range(1, len(lines)) if lines[n] and not lines[n].lstrip().startswith("#"))
            above += [line[INDENT:] for line in lines[1:first]]
            lines = [f"{lead} {lines[first][margin + INDENT :]}", *lines[first + 1 :]]
    else:
        folded = _block_of_text(value.text, lead, margin + INDENT) if isinstance(value, WrittenText) else None
        lines = folded or [f"{lead} {_one_line(value.text) if isinstance(value, WrittenText) else in_line}"]
    if tail is not None and has_place and len(lines[0]) + 1 + len(tail.text) <= WIDTH:
        lines[0] += f" {tail.text}"
    elif tail is not None:
        above.append(" " * margin + tail.text)
    return above + lines


# ── in one line ──


def _value_in_line(entry: WrittenEntry, whole: bool) -> str | None:
    """Return the value of an entry if it may stand on the line of its key, whatever its length; else None. whole:
    whether mappings may not."""
    value = entry.value
    if isinstance(value, Collection):
        if value.keyed and value.entries and (whole or (entry.key is None and len(value.entries) == 1)):
            return None
        return _text_in_braces(value)
    if isinstance(value, Alias):
        return f"*{value.name}"
    if value.absent:
        return ""
    return None if "\n" in value.text and _can_be_block(value.text) else _one_line(value.text)


def _text_in_braces(node: Node) -> str | None:
    """Return a node as part of a line; None where it has comments, or reads better in lines of its own."""
    if isinstance(node, Alias):
        return f"*{node.name}"
    if isinstance(node, WrittenText):
        if node.absent or "\n" in node.text:
            return None
        if _is_plain(node.text) and _NOT_PLAIN_IN_BRACES.match(node.text):
            return None
        return _one_line(node.text)
    if node.own_lines or node.foot or (node.keyed and sum(map(_holds_names, node.entries)) > 1):
        return None
    parts = []
    for entry in node.entries:
        value = _text_in_braces(entry.value)
        if value is None or entry.head or entry.tail:
            return None
        value = _anchor(entry.value) + value
        if entry.key is not None:
            if _is_plain(entry.key.text) and _NOT_PLAIN_IN_BRACES.match(entry.key.text):
                return None
            value = f"{_key(entry.key)}: {value}"
        parts.append(value)
    return ("{%s}" if node.keyed else "[%s]") % ", ".join(parts)


# ── texts ──


def _key(key: WrittenText) -> str:
    """Return a key as it is written, with its anchor."""
    return _anchor(key) + _one_line(key.text)


def _anchor(node: Node) -> str:
    """Return a node's anchor with a blank behind it; '' without one."""
    return "" if isinstance(node, Alias) or node.anchor is None else f"&{node.anchor} "


def _is_plain(text: str) -> bool:
    """Return whether a text may stand without quotes outside of braces."""
    return bool(text) and not _NOT_PLAIN.match(text) and not _MISREAD.fullmatch(text)


def _one_line(text: str) -> str:
    """Write a text on one line, in quotes where it needs them."""
    if _is_plain(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    if escaped == text or re.search(r"[\n\t]", text) or "'" in text:
        return f'"{escaped}"'
    return f"'{text}'"


def _can_be_block(text: str) -> bool:
    """Return whether a text can be a block below its key, with its lines unchanged."""
    lines = text.removesuffix("\n").split("\n")
    return bool(lines[0] and lines[-1]) and "\t" not in text


def _block_of_text(text: str, lead: str, margin: int) -> list[str] | None:
    """Return the lines of a text as a block below its key, with long ones filled; None if it cannot be one, or fits on
    one line."""
    if not _can_be_block(text):
        return None
    chomping = "" if text.endswith("\n") else "-"
    paragraphs = text.removesuffix("\n").split("\n")
    pad = " " * margin
    if len(paragraphs) > 1 and all(margin + len(paragraph) <= WIDTH for paragraph in paragraphs):
        first = INDENT if paragraphs[0].startswith(" ") else ""  # where the lines begin, if the first does not tell
        return [f"{lead} |{first}{chomping}", *(pad + paragraph if paragraph else "" for paragraph in paragraphs)]
    if any(re.match(r"\s|.*\s$", paragraph) for paragraph in paragraphs):
        return None
    filled: list[str] = []
    for number, paragraph in enumerate(paragraphs):
        filled += [""] * bool(number)  # a line break is an empty line here
        filled += [pad + line for line in _fill_lines(paragraph, WIDTH - margin)]
    if len(filled) == 1 and not text.endswith("\n"):
        return None
    return [f"{lead} >{chomping}", *filled]


def _fill_lines(paragraph: str, width: int) -> list[str]:
    """Break a paragraph into lines at single spaces."""
    lines: list[str] = []
    for word in re.split(r"(?<! ) (?! )", paragraph) if paragraph else ():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
