"""Where the cursor stands: which keys lead there, and what the language has at such a place.

Found from indentation alone, for what is being written is mostly no YAML yet.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from rulewright.base.records import record
from rulewright.syntax import schema

_KEY = re.compile(r"(?P<dash>(?:- +)*)(?P<key>[^\s#:\-\"'{\[][^:#{\[]*?|\"[^\"]*\"|'[^']*')\s*:(?=\s|$)")
_SLOT = re.compile(r"\{([^{}]*)$")


@record
class CursorContext:
    """path: the keys that lead here, '' for an item of a list; shape: what the schema says of what stands here; before:
    what is written from its beginning to the cursor; is_key: whether it may be a key;
    grammar: the entry point by which it is a sentence, '' for what is none; taken: the keys beside it."""

    path: tuple[str, ...]
    shape: dict[str, Any]
    before: str
    is_key: bool
    grammar: str
    taken: frozenset[str]


def at(lines: list[str], line: int, column: int, kind: str) -> CursorContext:
    """The context of a place; line and column count from 1. kind: the schema of the file."""
    written = lines[line - 1][: column - 1] if line <= len(lines) else ""
    indent = len(written) - len(written.lstrip(" "))
    content = written[indent:]
    path = list(_above(lines, line - 1, indent, content.startswith("-")))
    while content.startswith("- ") or content == "-":
        path.append("")
        content = content[1:].lstrip(" ") if content != "-" else ""
    key = _KEY.match(content)
    is_key = key is None
    if key is not None:
        path.append(_bare(key["key"]))
        content = content[key.end() :].lstrip(" ")
    content, is_key, more = _in_flow(content, is_key)
    path += more
    shape = _shape(path, kind)
    told = _SLOT.search(content) if schema.is_text(shape) else None
    grammar = "value" if told else _grammar(shape, is_key)
    before = told[1] if told else content.lstrip("\"'")
    return CursorContext(tuple(path), shape, before, is_key and not told, grammar, _beside(lines, line, indent))


def _bare(key: str) -> str:
    return " ".join(key.strip().strip("\"'").split())


def _above(lines: list[str], before: int, indent: int, dash: bool) -> list[str]:
    """The keys above a line that is indented so far. dash: whether it is an item of a list."""
    found: list[str] = []
    at = indent
    for line in reversed(lines[:before]):
        content = line.lstrip(" ")
        own = len(line) - len(content)
        if not content or content.startswith("#") or own > at or (own == at and not dash):
            continue
        if own == at and content.startswith("-"):
            continue
        parts: list[str] = []
        while content.startswith("- "):
            inner = content[1:].lstrip(" ")
            own += len(content) - len(inner)
            parts.append("")
            content = inner
        if parts and own >= at and not (dash and own == at):
            # the item of which this line is a part: its first key stands beside the dash
            found[:0] = parts
            at, dash = own - 2 * len(parts), True
            continue
        if key := _KEY.match(content):
            found[:0] = [*parts, _bare(key["key"])]
        elif parts:
            found[:0] = parts
        at, dash = own - (2 * len(parts) if parts else 0), bool(parts)
        if at <= 0 and not dash:
            break
    return found


def _in_flow(content: str, is_key: bool) -> tuple[str, bool, list[str]]:
    """What stands at the end of {…} and […] that are open: it, whether it may be a key, and the keys within."""
    if not content.startswith(("{", "[")):
        return content, is_key, []
    path: list[str] = []
    open_: list[str] = []
    start = 0
    for number, character in enumerate(content):
        if character in "{[":
            open_.append(character)
            if character == "[":
                path.append("")
            start = number + 1
        elif character in "}]" and open_:
            if open_.pop() == "[" or (path and content[start:number].strip()):
                path = path[:-1]
            start = number + 1
        elif character == ":" and open_ and open_[-1] == "{" and content[number + 1 : number + 2] in ("", " "):
            path.append(_bare(content[start:number]))
            start = number + 1
        elif character == "," and open_:
            path = path[:-1] if open_[-1] == "{" else path
            start = number + 1
    depth = sum(character == "{" for character in open_) + sum(character == "[" for character in open_)
    return content[start:].lstrip(" "), bool(open_) and open_[-1] == "{" and len(path) < depth, path


def _shape(path: list[str], kind: str) -> dict[str, Any]:
    """What the schema says of what stands at a path."""
    if kind == schema.SCENARIOS and path[:1] == ["edition"] and len(path) > 1:
        path, kind = path[1:], schema.EDITION  # one that is written in the file of its cases
    if kind == schema.SCENARIOS:
        shape = _cases()
    else:
        shape = schema.variant(schema.load()) if kind == schema.VARIANT else schema.load(kind)
    for key in path:
        shape = schema.item(shape) if key == "" else schema.member(shape, key)[0]
    return shape


@cache
def _cases() -> dict[str, Any]:
    """The schema of files of cases with its own definitions where they are meant: what refers to one is looked up
    among those of editions. Texts are the same in both."""
    whole = schema.load(schema.SCENARIOS)

    def resolved(part: Any) -> Any:
        if isinstance(part, list):
            return [resolved(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).removeprefix("#/$defs/")
        if name in ("", "text"):
            return {key: resolved(inner) for key, inner in part.items() if key != "$defs"}
        return resolved({**whole["$defs"][name], **{key: inner for key, inner in part.items() if key != "$ref"}})

    found: dict[str, Any] = resolved(whole)
    return found


def _grammar(shape: dict[str, Any], is_key: bool) -> str:
    """The entry point of a sentence of such a shape, also of a key that may be one."""
    for part in schema.alternatives(shape):
        if found := part.get("grammar"):
            return str(found)
        for inner in part.get("patternProperties", {}).values() if is_key else ():
            if found := inner.get("keyGrammar"):
                return str(found)
    return ""


def _beside(lines: list[str], line: int, indent: int) -> frozenset[str]:
    """The keys in the same column, of the same mapping."""
    found: set[str] = set()
    for step in (-1, 1):
        number = line - 1 + step
        while 0 <= number < len(lines):
            text = lines[number]
            own = len(text) - len(text.lstrip(" "))
            if text.strip() and own < indent:
                break
            if own == indent and (key := _KEY.match(text[own:])):
                found.add(_bare(key["key"]))
            number += step
    return frozenset(found)
