"""Fast JSON Schema validation, yes or no, of trees of mappings, lists, texts and None, as files are read.

`schema_validation` finds out with a slow library what is wrong with a tree that fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sized
from typing import Any

Test = Callable[[Any], bool]
"""Test of a value against a schema: whether it is valid."""

_TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "null": type(None)}
"""Types of trees by schema type; numbers do not occur, since scalars of a file are texts."""

_SIZES: dict[str, tuple[type[Sized], Callable[[int, int], bool]]] = {
    "minProperties": (dict, int.__ge__),
    "maxProperties": (dict, int.__le__),
    "minItems": (list, int.__ge__),
    "maxItems": (list, int.__le__),
    "minLength": (str, int.__ge__),
    "maxLength": (str, int.__le__),
}
"""Keyword of a schema -> type whose size it limits, and the comparison with the limit."""


_MAX_CACHED = 10_000
"""Maximum number of results before all are dropped."""


class SchemaTests:
    """Compiler of a JSON Schema into test functions. Results of definitions are cached by mapping and list, so these
    must not be mutated."""

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._definitions = whole.get("$defs", {})
        self._referred: dict[str, Test] = {}
        self._known: dict[tuple[str, int], tuple[Any, bool]] = {}
        self._tests: dict[str, Callable[[Any], Test]] = {
            "$ref": self._reference_test,
            "type": self._type,
            "enum": self._enum,
            "pattern": self._pattern,
            "items": self._items,
            "required": self._required,
            "anyOf": self._any_of,
            "allOf": self._all_of,
            "oneOf": self._one_of,
            "not": self._not,
        }

    def compile(self, schema: Any) -> Test:
        """Return the test of a schema, or of a part of it. Keywords other than those of `_tests` and `_SIZES`, and of
        entries and conditions, are ignored."""
        if isinstance(schema, bool):
            return lambda _: schema
        tests: list[Test] = []
        for key, value in schema.items():
            if key in _SIZES:
                tests.append(_size_test(*_SIZES[key], value))
            elif key in self._tests:
                tests.append(self._tests[key](value))
        if schema.keys() & {"properties", "patternProperties", "additionalProperties", "propertyNames"}:
            tests.append(self._entries_test(schema))
        if "if" in schema:
            tests.append(self._conditional(schema))
        if len(tests) == 1:
            return tests[0]
        return lambda tree: all(test(tree) for test in tests)

    def _reference_test(self, reference: str) -> Test:
        """Return the test of a reference, made on first use; results for the same tree are cached."""
        name = reference.removeprefix("#/$defs/")

        def referred(tree: Any) -> bool:
            """Test a tree by the definition that is referred to, once for each tree."""
            if name not in self._referred:
                self._referred[name] = self.compile(self._definitions[name])
            if not isinstance(tree, (dict, list)):
                return self._referred[name](tree)
            known, fits = self._known.get((name, id(tree)), (None, False))
            if known is not tree:
                fits = self._referred[name](tree)
                if len(self._known) >= _MAX_CACHED:
                    self._known.clear()
                self._known[name, id(tree)] = tree, fits
            return fits

        return referred

    def _type(self, expected: str | list[str]) -> Test:
        types = tuple(
            _TYPES[name] for name in ([expected] if isinstance(expected, str) else expected) if name in _TYPES
        )
        return lambda tree: isinstance(tree, types)

    def _enum(self, values: list[Any]) -> Test:
        return lambda tree: tree in values

    def _pattern(self, expression: str) -> Test:
        search = re.compile(expression).search
        return lambda tree: not isinstance(tree, str) or search(tree) is not None

    def _items(self, schema: Any) -> Test:
        test = self.compile(schema)
        return lambda tree: not isinstance(tree, list) or all(map(test, tree))

    def _required(self, names: list[str]) -> Test:
        return lambda tree: not isinstance(tree, dict) or all(name in tree for name in names)

    def _any_of(self, schemas: list[Any]) -> Test:
        tests = [self.compile(schema) for schema in schemas]
        return lambda tree: any(test(tree) for test in tests)

    def _all_of(self, schemas: list[Any]) -> Test:
        tests = [self.compile(schema) for schema in schemas]
        return lambda tree: all(test(tree) for test in tests)

    def _one_of(self, schemas: list[Any]) -> Test:
        tests = [self.compile(schema) for schema in schemas]
        return lambda tree: sum(test(tree) for test in tests) == 1

    def _not(self, schema: Any) -> Test:
        test = self.compile(schema)
        return lambda tree: not test(tree)

    def _conditional(self, schema: Mapping[str, Any]) -> Test:
        condition, then, other = (self.compile(schema.get(key, True)) for key in ("if", "then", "else"))
        return lambda tree: then(tree) if condition(tree) else other(tree)

    def _entries_test(self, schema: Mapping[str, Any]) -> Test:
        """Return the test of a mapping's names and values; anything but a mapping passes."""
        known = {name: self.compile(inner) for name, inner in schema.get("properties", {}).items()}
        patterns = [
            (re.compile(key), self.compile(inner)) for key, inner in schema.get("patternProperties", {}).items()
        ]
        rest, names = (
            self.compile(schema.get("additionalProperties", True)),
            self.compile(schema.get("propertyNames", True)),
        )

        def fits(name: str, value: Any) -> bool:
            tests = [test for pattern, test in patterns if pattern.search(name)]
            if name in known:
                tests.append(known[name])
            return names(name) and all(test(value) for test in tests or (rest,))

        return lambda tree: not isinstance(tree, dict) or all(fits(name, value) for name, value in tree.items())


def _size_test(sized: type[Sized], compare: Callable[[int, int], bool], limit: int) -> Test:
    """Return the test of a length against a limit; what is not of the sized type passes."""
    return lambda tree: not isinstance(tree, sized) or compare(len(tree), limit)
