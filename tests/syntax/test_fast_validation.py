"""Fast validation accepts the same trees as the library that explains errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from project_folders import GAMES, ROOT
from rulewright.base.diagnostics import Report
from rulewright.syntax import fast_validation, schema, source, yaml_reader
from rulewright.syntax.fast_validation import SchemaTests

ODD: tuple[Any, ...] = (None, "", "x", "Two words", "2 to 3", "-1", "yes", "a" * 3000, [], ["x"], [None], {}, {"x": ""})
FILES = [*GAMES.glob("*.yaml"), *ROOT.glob("editions/*/*.yaml")]
CHECKED = [pytest.param(p, marks=[pytest.mark.long] if at % 3 else [], id=p.name) for at, p in enumerate(sorted(FILES))]


def places_in(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a tree: its container, and its key or index."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield tree, key
        yield from places_in(tree[key])


def spoil(tree: Any, chance: random.Random) -> None:
    inside, key = chance.choice(list(places_in(tree)))
    match chance.randrange(4):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[chance.choice(["text", "do", "Wrong", "a b", "x", "4"])] = inside.pop(key)
        case _:
            inside[key] = chance.choice(ODD)


@pytest.mark.parametrize("path", CHECKED)
def test_fast_validation_accepts_the_same_trees(path: Path) -> None:
    node = yaml_reader.read(path, None, Report(), str(path))
    assert node is not None
    chance = random.Random(path.name)
    fitting = set()
    for file in (schema.EDITION, schema.VARIANT, schema.SCENARIOS):
        shape = schema.load(file)
        ours, theirs = SchemaTests(shape).compile(shape), Draft202012Validator(shape).is_valid
        for number in range(12):
            tree = source.plain(node)
            for _ in range(number % 4):
                spoil(tree, chance)
            assert ours(tree) == theirs(tree), (file, tree)
            fitting.add(ours(tree))
    assert fitting == {True, False}


def test_keywords_of_the_schemas_are_all_known() -> None:
    """Each keyword either has a test, or says nothing about validity."""
    annotations = {"title", "description", "default", "examples", "errorMessage", "$schema", "$id", "$defs"}
    annotations |= {"grammar", "keyGrammar", "ownLine"}  # of how it is written
    annotations |= {"minimum", "maximum"}  # of numbers, for editors: a file has texts
    entries = {"properties", "patternProperties", "additionalProperties", "propertyNames", "if", "then", "else"}
    known = annotations | entries | fast_validation._SIZES.keys() | SchemaTests({})._tests.keys()

    def keywords(shape: Any) -> Iterator[str]:
        for key, inner in shape.items() if isinstance(shape, dict) else ():
            yield key
            if key in ("properties", "patternProperties", "$defs"):
                for part in inner.values():
                    yield from keywords(part)
            elif key not in annotations:
                for part in inner if isinstance(inner, list) else [inner]:
                    yield from keywords(part)

    for file in (schema.EDITION, schema.VARIANT, schema.SCENARIOS):
        assert set(keywords(schema.load(file))) <= known
