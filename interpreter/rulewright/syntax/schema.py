"""JSON Schemas in `spec`: what may stand where in a file."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from rulewright.base import resources

EDITION, VARIANT, SCENARIOS = "edition.schema.json", "variant.schema.json", "scenarios.schema.json"
"""Files of the schemas in `spec`; the one of variants is made from that of editions."""


@cache
def load(file: str = EDITION) -> dict[str, Any]:
    """Return the JSON Schema of an edition, or another one in `spec`, as its file there has it. Do not change it."""
    schema: dict[str, Any] = json.loads(resources.read_text("spec", file))
    return schema


def text(name: str) -> str:
    """Return a JSON Schema of `spec` as text. name: 'edition', 'variant' or 'scenarios'."""
    if name == "variant":  # made anew: its file in `spec` is for editors
        return json.dumps(variant(load()), indent=2, ensure_ascii=False) + "\n"
    return resources.read_text("spec", f"{name}.schema.json")


def variant(edition: dict[str, Any]) -> dict[str, Any]:
    """Derive the schema of a variant from that of an edition, which stays as it is: only `rulewright` and `extends` are
    required."""
    loose = _without_required(edition)
    sections = {name: part for name, part in loose["properties"].items() if name != "rulewright"}
    shape = {
        "title": "sections as in an edition, with what is different",
        "description": "What is different from the edition that is extended. Names merge with the names there.",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
    }
    own = {
        "extends": {
            "title": "the name of an edition, or the path of a file beside this one",
            "description": "The edition that this one changes.",
            "type": "string",
            "minLength": 1,
        },
        "change": shape,
        "remove": {
            "title": "a list of names, parts joined by points, as in options.long hands",
            "description": "What there is in the edition that is extended, and not in this one.",
            "type": "array",
            "items": {"title": "a name, parts joined by points, as in options.long hands", "type": "string"},
        },
    }
    first = {"rulewright": loose["properties"]["rulewright"], "extends": own["extends"]}
    # In this order, which is also that of the canonical form: about the game, what is gone, different and new.
    names = list(sections)
    about, new = names[: names.index("words")], names[names.index("words") :]
    different = {"remove": own["remove"], "change": own["change"]}
    properties = {**first, **{n: sections[n] for n in about}, **different, **{n: sections[n] for n in new}}
    return {
        **loose,
        "$id": loose["$id"].replace("edition.schema", "variant.schema"),
        "title": "a variant: an edition that extends another",
        "description": "What is new, different and gone, compared with the edition that is extended.",
        "required": ["rulewright", "extends"],
        "properties": properties,
    }


def _without_required(edition: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of an edition's schema without required keys in its mappings: an entry of a variant may be a part
    of one, since the base has the rest."""
    loose: dict[str, Any] = copy.deepcopy(edition)
    for part in (*loose["properties"].values(), *loose["$defs"].values()):
        for shape in (part, *part.get("anyOf", ())):
            if shape.get("additionalProperties") is False:
                shape.pop("required", None)
                shape.pop("allOf", None)
    for shape in loose["$defs"]["figure"]["anyOf"]:
        if "if" in shape:
            shape["if"] = {"not": {"required": ["is"]}}  # a case may stand alone
    return loose


def texts() -> dict[str, str]:
    """Return all texts of the schemas that messages and editors show, each with its schema's file name."""
    result: dict[str, str] = {}

    def collect(part: Any, file: str) -> None:
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            if key in ("title", "description", "errorMessage") and isinstance(inner, str):
                result.setdefault(inner, file)
            elif isinstance(inner, dict | list):
                collect(inner, file)

    for shape, file in ((load(), EDITION), (variant(load()), VARIANT), (load(SCENARIOS), SCENARIOS)):
        collect(shape, f"spec/{file}")
    return result


def member(shape: dict[str, Any], key: str) -> tuple[dict[str, Any], bool]:
    """Return the schema of an entry of a mapping, and whether its key is a name chosen by the designer; {} for the
    schema where no such key should be. References are looked up in the schema of editions, as in all functions below:
    those of other schemas that it lacks raise KeyError."""
    shape = _mapping_schema(shape)
    if key in shape.get("properties", {}):
        return shape["properties"][key], False
    for pattern, inner in shape.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return inner, True
    inner = shape.get("additionalProperties")
    return inner if isinstance(inner, dict) else {}, "$ref" in shape.get("propertyNames", {})


def item(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the items of a list, of the first alternative that has one; {} where no list should be."""
    if "$ref" in shape:
        return item(_resolve(shape))
    inner = shape.get("items")
    items = (item(part) for part in shape.get("anyOf", ()))
    return inner if isinstance(inner, dict) else next((part for part in items if part), {})


def alternatives(shape: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the alternatives of a schema, itself if it has none, with references resolved; a description beside a
    reference counts, not that of the definition."""
    if "$ref" in shape:
        yield from alternatives({**_resolve(shape), **{key: shape[key] for key in ("description",) if key in shape}})
        return
    if "anyOf" in shape:
        for part in shape["anyOf"]:
            yield from alternatives(part)
        return
    yield shape


def keys(shape: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the language's own keys of a mapping, of all alternatives and under any condition, each with the schema of
    its value; names that a designer chooses are not among them."""
    result: dict[str, dict[str, Any]] = {}
    for part in alternatives(shape):
        result |= _all_properties(part)
    return result


def is_text(shape: dict[str, Any]) -> bool:
    """Return whether a schema is that of texts for people, which have no effect on a game."""
    return shape.get("$ref") == "#/$defs/text"


def _resolve(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the definition that a schema refers to."""
    definition: dict[str, Any] = load()["$defs"][shape["$ref"].removeprefix("#/$defs/")]
    return definition


def _mapping_schema(shape: dict[str, Any]) -> dict[str, Any]:
    """Resolve references; of alternatives, return the one for mappings."""
    if "$ref" in shape:
        return _mapping_schema(_resolve(shape))
    mappings = (_mapping_schema(part) for part in shape.get("anyOf", ()))
    mapping = next((part for part in mappings if part.get("type") == "object"), shape)
    return {**mapping, "properties": _all_properties(mapping)} if "then" in mapping or "else" in mapping else mapping


def _all_properties(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a mapping under any condition: key -> schema of the value; one that stands outside of
    conditions counts first."""
    branches = (_all_properties(shape[branch]) for branch in ("else", "then") if branch in shape)
    return {key: inner for each in (*branches, shape.get("properties", {})) for key, inner in each.items()}
