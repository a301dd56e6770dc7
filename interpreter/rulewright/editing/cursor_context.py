"""Context of the cursor: the path of keys, and what the language allows there.

It is derived from indentation alone, since text being typed is mostly not valid YAML yet.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from rulewright.base.records import record
from rulewright.syntax import schema

_KEY = re.compile(r"(?P<dash>(?:- +)*)(?P<key>[^\s#:\-\"'{\[][^:#{\[]*?|\"[^\"]*\"|'[^']*')\s*:(?=\s|$)")
"""Key at the beginning of a line, after dashes of a list."""
_SLOT = re.compile(r"\{([^{}]*)$")
"""Begin of a slot at the end of a text, up to the cursor."""


@record
class CursorContext:
    """Context of a place.

    - path: keys that lead here, '' for an item of a list
    - shape: schema of the value here
    - before: text from its start to the cursor
    - is_key: whether it may be a key
    - grammar: entry point if it is a sentence, else ''
    - sibling_keys: keys beside it
    """

    path: tuple[str, ...]
    shape: dict[str, Any]
    before: str
    is_key: bool
    grammar: str
    sibling_keys: frozenset[str]


def context_at(lines: list[str], line: int, column: int, schema_file: str) -> CursorContext:
    """Return the context of a place; line and column count from 1. schema_file: of the schema by which it is written;
    an edition inside a file of cases has its own."""
    line_start = lines[line - 1][: column - 1] if line <= len(lines) else ""
    indent = len(line_start) - len(line_start.lstrip(" "))
    content = line_start[indent:]
    path = list(_keys_above(lines, line - 1, indent, content.startswith("-")))
    while content.startswith("- ") or content == "-":
        path.append("")
        content = content[1:].lstrip(" ") if content != "-" else ""
    key = _KEY.match(content)
    is_key = key is None
    if key is not None:
        path.append(_unquoted_key(key["key"]))
        content = content[key.end() :].lstrip(" ")
    content, is_key, more = _read_braces(content, is_key)
    path += more
    shape = _shape(path, schema_file)
    slot_match = _SLOT.search(content) if schema.is_text(shape) else None
    grammar = "value" if slot_match else _grammar(shape, is_key)
    before = slot_match[1] if slot_match else content.lstrip("\"'")
    return CursorContext(
        tuple(path), shape, before, is_key and not slot_match, grammar, _sibling_keys(lines, line, indent)
    )


def _unquoted_key(key: str) -> str:
    """Return a key as the rules' language has it: without quotes, with single blanks."""
    return " ".join(key.strip().strip("\"'").split())


def _keys_above(lines: list[str], before: int, indent: int, dash: bool) -> list[str]:
    """Return the keys that lead to a line, the outermost first, '' for an item of a list. before: number of lines above
    it; indent: of the line; dash: whether it begins with a dash."""
    keys: list[str] = []
    current_indent = indent
    for line in reversed(lines[:before]):
        content = line.lstrip(" ")
        own = len(line) - len(content)
        if not content or content.startswith("#") or own > current_indent or (own == current_indent and not dash):
            continue
        if own == current_indent and content.startswith("-"):
            continue
        parts: list[str] = []
        while content.startswith("- "):
            inner = content[1:].lstrip(" ")
            own += len(content) - len(inner)
            parts.append("")
            content = inner
        if parts and own >= current_indent and not (dash and own == current_indent):
            # the enclosing item: its first key is beside the dash
            keys[:0] = parts
            current_indent, dash = own - 2 * len(parts), True
            continue
        if key := _KEY.match(content):
            keys[:0] = [*parts, _unquoted_key(key["key"])]
        elif parts:
            keys[:0] = parts
        current_indent, dash = own - (2 * len(parts) if parts else 0), bool(parts)
        if current_indent <= 0 and not dash:
            break
    return keys


def _read_braces(content: str, is_key: bool) -> tuple[str, bool, list[str]]:
    """Return the innermost text in open {…} and […], whether it may be a key, and the keys around it."""
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
            path.append(_unquoted_key(content[start:number]))
            start = number + 1
        elif character == "," and open_:
            path = path[:-1] if open_[-1] == "{" else path
            start = number + 1
    depth = sum(character == "{" for character in open_) + sum(character == "[" for character in open_)
    return content[start:].lstrip(" "), bool(open_) and open_[-1] == "{" and len(path) < depth, path


def _shape(path: list[str], schema_file: str) -> dict[str, Any]:
    """Return the schema at a path; {} where nothing should be."""
    if schema_file == schema.SCENARIOS and path[:1] == ["edition"] and len(path) > 1:
        path, schema_file = path[1:], schema.EDITION  # an edition inside the file of its cases
    if schema_file == schema.SCENARIOS:
        shape = _case_schema()
    else:
        shape = schema.variant(schema.load()) if schema_file == schema.VARIANT else schema.load(schema_file)
    for key in path:
        shape = schema.item(shape) if key == "" else schema.member(shape, key)[0]
    return shape


@cache
def _case_schema() -> dict[str, Any]:
    """Return the schema of case files with references to its own definitions resolved; other references are looked up
    in the schema of editions. Texts are the same in both."""
    whole = schema.load(schema.SCENARIOS)

    def resolved(part: Any) -> Any:
        """Return a part of the schema with its references replaced by what they refer to."""
        if isinstance(part, list):
            return [resolved(inner) for inner in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).removeprefix("#/$defs/")
        if name in ("", "text"):
            return {key: resolved(inner) for key, inner in part.items() if key != "$defs"}
        return resolved({**whole["$defs"][name], **{key: inner for key, inner in part.items() if key != "$ref"}})

    result: dict[str, Any] = resolved(whole)
    return result


def _grammar(shape: dict[str, Any], is_key: bool) -> str:
    """Return the entry point for sentences of a shape, also for keys that may be sentences; '' for other shapes."""
    for part in schema.alternatives(shape):
        if entry_point := part.get("grammar"):
            return str(entry_point)
        for inner in part.get("patternProperties", {}).values() if is_key else ():
            if entry_point := inner.get("keyGrammar"):
                return str(entry_point)
    return ""


def _sibling_keys(lines: list[str], line: int, indent: int) -> frozenset[str]:
    """Return the keys in the same column, of the same mapping."""
    result: set[str] = set()
    for step in (-1, 1):
        number = line - 1 + step
        while 0 <= number < len(lines):
            text = lines[number]
            own = len(text) - len(text.lstrip(" "))
            if text.strip() and own < indent:
                break
            if own == indent and (key := _KEY.match(text[own:])):
                result.add(_unquoted_key(key["key"]))
            number += step
    return frozenset(result)
