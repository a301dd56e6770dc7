"""Check files against the JSON Schemas in `spec`, and explain errors to people.

The schema's own words make the messages: a `title` says what is expected ('yes or no'), a `description` what
it is for, and an `errorMessage` speaks where neither helps. Editors show the same words.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulewright.base import resources
from rulewright.base.diagnostics import Report, SourcePlace, nearest, visible
from rulewright.base.records import record
from rulewright.syntax.fast_validation import SchemaTests, Test
from rulewright.syntax.phrasing_hints import phrasing_hint
from rulewright.syntax.section_cache import cached
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

EDITION = "edition.schema.json"
VARIANT = "variant.schema.json"
SCENARIOS = "scenarios.schema.json"

NodePath = tuple[str | int, ...]
"""Keys of mappings and indices of lists that lead to a part of a tree."""

_MOST_ERRORS = 200
_MOST_LISTED = 10
_LONGEST_SHOWN = 60
_SPLIT = "In braces, a comma ends an entry: put a sentence that has one in quotes."
_SYNONYMS = {"else": "otherwise"}

_VALUES = {
    **dict.fromkeys(("none", "no one", "no-one", "hidden"), "nobody"),
    **dict.fromkeys(("everybody", "everyone", "anyone", "public", "open"), "all"),
    **dict.fromkeys(("seat", "player", "private", "owners", "me"), "owner"),
    **dict.fromkeys(("hex", "hexes", "six"), "hexagonal"),
    **dict.fromkeys(("square", "straight", "four"), "orthogonal"),
    **dict.fromkeys(("eight", "king"), "diagonal"),
}
"""Words that people write for a value, each with the right one."""


@record
class Fault:
    """Place in a tree with a wrong shape.

    missing: the keys that are needed there and are not; bad_name: the last of the path, if the name itself is what is
    wrong.
    """

    path: NodePath
    missing: tuple[str, ...] = ()
    bad_name: str = ""


@cache
def load(file: str = EDITION) -> dict[str, Any]:
    """Return the JSON Schema of an edition, or another one in `spec`."""
    schema: dict[str, Any] = json.loads(resources.read_text("spec", file))
    return schema


def text(name: str) -> str:
    """Return the JSON Schema of an 'edition', a 'variant' or 'scenarios', as text."""
    if name == "variant":  # made anew: its file in `spec` is for editors
        return json.dumps(variant(load()), indent=2, ensure_ascii=False) + "\n"
    return resources.read_text("spec", f"{name}.schema.json")


@cache
def _shapes(file: str) -> SchemaTests:
    return SchemaTests(load(file))


@cache
def _test(file: str, key: str = "") -> Test:
    """Return the fast test of a file, or of one section."""
    whole = load(file)
    return _shapes(file).test(whole["properties"][key] if key else whole)


def variant(edition: dict[str, Any]) -> dict[str, Any]:
    """Derive the schema of a variant from that of an edition: only `extends` is required."""
    loose = _without_demands(edition)
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


def _without_demands(edition: dict[str, Any]) -> dict[str, Any]:
    """Drop required keys: an entry of a variant may be a part of one, since the base has the rest."""
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


def member(shape: dict[str, Any], key: str) -> tuple[dict[str, Any], bool]:
    """Return the schema of an entry of a mapping, and whether its key is a name that the designer gave."""
    shape = _of_mapping(shape)
    if key in shape.get("properties", {}):
        return shape["properties"][key], False
    for pattern, inner in shape.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return inner, True
    inner = shape.get("additionalProperties")
    return inner if isinstance(inner, dict) else {}, "$ref" in shape.get("propertyNames", {})


def item(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the items of a list; {} where no list should be."""
    if "$ref" in shape:
        return item(_referred(shape))
    inner = shape.get("items")
    items = (item(part) for part in shape.get("anyOf", ()))
    return inner if isinstance(inner, dict) else next((part for part in items if part), {})


def alternatives(shape: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the alternatives of a schema, with references resolved."""
    if "$ref" in shape:
        yield from alternatives({**_referred(shape), **{key: shape[key] for key in ("description",) if key in shape}})
        return
    if "anyOf" in shape:
        for part in shape["anyOf"]:
            yield from alternatives(part)
        return
    yield shape


def keys(shape: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the language's own keys of a mapping, each with the schema of its value."""
    result: dict[str, dict[str, Any]] = {}
    for part in alternatives(shape):
        result |= _properties(part)
    return result


def is_text(shape: dict[str, Any]) -> bool:
    """Return whether a schema is that of texts for people, which mean nothing to a game."""
    return shape.get("$ref") == "#/$defs/text"


def _referred(shape: dict[str, Any]) -> dict[str, Any]:
    definition: dict[str, Any] = load()["$defs"][shape["$ref"].removeprefix("#/$defs/")]
    return definition


def _of_mapping(shape: dict[str, Any]) -> dict[str, Any]:
    """Resolve references; of alternatives, return the one for mappings."""
    if "$ref" in shape:
        return _of_mapping(_referred(shape))
    mappings = (_of_mapping(part) for part in shape.get("anyOf", ()))
    mapping = next((part for part in mappings if part.get("type") == "object"), shape)
    return {**mapping, "properties": _properties(mapping)} if "then" in mapping or "else" in mapping else mapping


def _properties(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a mapping under any condition."""
    branches = (_properties(shape[branch]) for branch in ("else", "then") if branch in shape)
    return {key: inner for each in (*branches, shape.get("properties", {})) for key, inner in each.items()}


def is_other_file(node: Node, report: Report, file: str) -> bool:
    """Report a file of cases taken for an edition, or the reverse; return whether it is one."""
    keys = node.keys if isinstance(node, MappingNode) else {}
    game, cases = keys.get("rulewright"), keys.get("cases")
    if file == SCENARIOS and game is not None and cases is None:
        report.error(
            game.place, "other-file", "This is a game, not a file of cases.", "'rulewright check' looks at games."
        )
        return True
    if file != SCENARIOS and cases is not None and game is None:
        report.error(cases.place, "other-file", "This is a file of cases, not a game.", "'rulewright test' plays them.")
        return True
    return False


def validate(node: Node, report: Report, file: str = EDITION) -> bool:
    """Report where a node does not fit a schema in `spec`, and return whether it does."""
    causes = _all_causes(node, file)
    for cause in causes:
        _Finding(node, cause, report, load(file)).tell()
    return not causes


def faults(node: Node, file: str) -> list[Fault]:
    """Return the entries that must be dropped or added for a node to fit a schema."""
    findings = (_Finding(node, cause, Report(), load(file)) for cause in _all_causes(node, file))
    return [fault for finding in findings for fault in finding.faults()]


_OF_SECTIONS = {
    "$schema", "$id", "$defs", "title", "description", "type", "required", "additionalProperties", "properties",
    "errorMessage",
}  # fmt: skip
"""Keywords of a schema of a whole file whose sections can be checked one by one."""


def _all_causes(node: Node, file: str) -> list[ValidationError]:
    """Return the reasons why a node does not fit a schema."""
    return list(cached(f"causes {file}", node, lambda: _causes_found(node, file)))


def _causes_found(node: Node, file: str) -> list[ValidationError]:
    whole = load(file)
    fitting = _fitting_sections(node, file)
    if isinstance(node, MappingNode) and node.entries.keys() == fitting and fitting >= set(whole.get("required", ())):
        return []
    tree = _plain(node)
    if not fitting and _test(file)(tree):
        return []
    sections = {key: True if key in fitting else shape for key, shape in whole.get("properties", {}).items()}
    errors = islice(_validator(file)({**whole, "properties": sections}).iter_errors(tree), _MOST_ERRORS)
    causes = [cause for error in errors for cause in _causes(error)]
    unknown = [cause.absolute_path for cause in causes if cause.validator == "additionalProperties"]
    return [cause for cause in causes if not (cause.absolute_path in unknown and _follows_from_unknown_key(cause))]


def _fitting_sections(node: Node, file: str) -> set[str]:
    """Return the sections of a file that fit their schemas; cached results are reused."""
    whole = load(file)
    if not isinstance(node, MappingNode) or whole.keys() - _OF_SECTIONS:
        return set()

    def fits(key: str, section: Node) -> bool:
        return cached(f"fits {file} {key}", section, lambda: _test(file, key)(_plain(section)), anywhere=True)

    return {key for key, section in node.entries.items() if key in whole["properties"] and fits(key, section)}


@cache
def _validator(file: str) -> Any:
    """Return a validator class that follows references only to what does not fit, since most of a file does."""
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - only what is wrong needs it

    follow = Draft202012Validator.VALIDATORS["$ref"]

    def followed(validator: Any, name: str, tree: Any, shape: Any) -> Iterator[ValidationError]:
        if not _referred_test(file, name)(tree):
            yield from follow(validator, name, tree, shape)

    return validators.extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"$ref": followed}
    )


@cache
def _referred_test(file: str, name: str) -> Test:
    return _shapes(file).test({"$ref": name})


_DEEPEST_KEPT = 3


def _plain(node: Node, depth: int = 0) -> Any:
    """Return a node as dict, list and str; unchanged parts of a file read again are the same dicts."""
    if not isinstance(node, MappingNode) or depth > _DEEPEST_KEPT:
        return plain(node)
    work = lambda: {name: _plain(inner, depth + 1) for name, inner in node.entries.items()}  # noqa: E731
    return cached("plain", node, work, anywhere=True)


def _follows_from_unknown_key(cause: ValidationError) -> bool:
    return cause.validator == "maxProperties" or "propertyNames" in cause.relative_schema_path


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors in the intended alternative: the one for this type (text, list, mapping)."""
    if error.validator != "anyOf":
        yield error
        return
    alternatives: dict[Any, list[ValidationError]] = {}
    for cause in error.context or ():
        alternatives.setdefault(cause.relative_schema_path[0], []).append(cause)
    for causes in alternatives.values():
        if not any(cause.validator == "type" and not cause.relative_path for cause in causes):
            for cause in causes:
                yield from _causes(cause)
            return
    yield error


class _Finding:
    """Schema error, with the node it is about and the key that leads to it."""

    def __init__(self, root: Node, error: ValidationError, report: Report, whole: dict[str, Any]) -> None:
        self.error, self.report, self.whole = error, report, whole
        self.schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
        self.node = root
        self.key: Scalar | None = None
        for step in error.absolute_path:
            if isinstance(self.node, MappingNode):
                self.key = self.node.keys[str(step)]
                self.node = self.node.entries[str(step)]
            elif isinstance(self.node, SequenceNode):
                self.key = None
                self.node = self.node.items[int(step)]

    def tell(self) -> None:
        """Report the error."""
        if isinstance(self.node, MappingNode) and self.error.validator == "additionalProperties":
            self._unknown_keys(self.node)
        elif isinstance(self.node, MappingNode) and self.error.validator == "required":
            self._missing_keys(self.node)
        elif isinstance(self.node, MappingNode) and self.error.validator == "oneOf":
            self._error(self._place(), "wrong-shape", self.schema["errorMessage"])
        elif isinstance(self.node, MappingNode) and "propertyNames" in self.error.relative_schema_path:
            self._bad_name(self.node)
        elif self.error.validator in ("minProperties", "minItems", "maxProperties", "maxItems"):
            self._error(self._place(), "wrong-shape", self._wrong_number())
        else:
            self._wrong_shape()

    def faults(self) -> Iterator[Fault]:
        """Yield the faults to mend before reading on."""
        path = tuple(self.error.absolute_path)
        if isinstance(self.node, MappingNode) and self.error.validator == "additionalProperties":
            yield from (Fault((*path, name)) for name in self.node.keys if not self._knows(name))
        elif isinstance(self.node, MappingNode) and self.error.validator == "required":
            yield Fault(path, tuple(name for name in self.schema.get("required", ()) if name not in self.node.entries))
        elif isinstance(self.node, MappingNode) and "propertyNames" in self.error.relative_schema_path:
            name = str(self.error.instance)
            yield Fault((*path, name), bad_name=name)
        else:
            yield Fault(path)

    def _error(self, place: SourcePlace, code: str, message: str, hint: str = "") -> None:
        self.report.error(place, code, message, hint)

    def _place(self) -> SourcePlace:
        """Return the place of the node, or of its key if there is nothing to underline."""
        visible_node = not (isinstance(self.node, Scalar) and self.node.absent)
        return self.node.place if visible_node or self.key is None else self.key.place

    def _wrong_number(self) -> str:
        if not plain(self.node):
            return "Nothing stands here; at least one entry is expected."
        least = "most" if str(self.error.validator).startswith("max") else "least"
        wrong = f"At {least} {self.error.validator_value} entries are expected here."
        message: str = self.schema.get("errorMessage", wrong)
        return message

    def _unknown_keys(self, mapping: MappingNode) -> None:
        patterns = self.schema.get("patternProperties", {}).values()
        known = [*self.schema.get("properties", {}), *(pattern.get("title", "") for pattern in patterns)]
        for name, key in mapping.keys.items():
            if not self._knows(name):
                message = self.schema.get("errorMessage", f"'{_short(name)}' is not known here.")
                hint = _SPLIT if name.count(")") > name.count("(") else phrasing_hint(name, 0) or _allowed(name, known)
                self._error(key.place, "unknown-key", message, hint)

    def _missing_keys(self, mapping: MappingNode) -> None:
        place = self.key.place if self.key else mapping.place
        for name in self.schema.get("required", ()):
            if name not in mapping.entries and not self._misspelt(mapping, name):
                owner = f" in '{_short(self.key.text)}'" if self.key else ""
                message = f"'{name}' is missing{owner}."
                self._error(place, "missing-key", message, _described(self.schema, name))

    def _misspelt(self, mapping: MappingNode, name: str) -> bool:
        """Return whether an unknown key, reported as such, was probably meant to be `name`."""
        if self.schema.get("additionalProperties") is not False:
            return False
        return any(nearest(key, [name]) for key in mapping.entries if not self._knows(key))

    def _knows(self, key: str) -> bool:
        patterns = self.schema.get("patternProperties", {})
        return key in self.schema.get("properties", {}) or any(re.search(pattern, key) for pattern in patterns)

    def _bad_name(self, mapping: MappingNode) -> None:
        name = str(self.error.instance)
        expected = self.schema.get("title", "a name")
        message = self.schema.get("errorMessage", f"'{_short(name)}' cannot stand here; expected {expected}.")
        self._error(mapping.keys[name].place, "bad-name", message, _as_name(name, self.schema, self.whole))

    def _wrong_shape(self) -> None:
        expected = self.schema.get("title") or "something else"
        hint = _purpose(self.error, self.whole)
        if isinstance(self.node, Scalar) and self.node.absent:
            self._error(self._place(), "nothing-here", f"Nothing stands here; expected {expected}.", hint)
        elif isinstance(self.node, Scalar) and (suggestion := _as_entry(self.node.text, self.schema)):
            message = "A colon, with a space behind it, is missing between this name and what it stands for."
            self._error(self._place(), "missing-colon", message, f"Write '{_short(suggestion)}'.")
        elif isinstance(self.node, Scalar):
            message = f"Expected {expected}, not '{_short(self.node.text)}'."
            choices = [str(value) for value in self.schema.get("enum", ()) if isinstance(value, str)]
            suggestion = _VALUES.get(self.node.text.lower(), "")
            near = f"Did you mean '{suggestion}'?" if suggestion in choices else nearest(self.node.text, choices)
            near = near or _as_name(self.node.text, self.schema, self.whole)
            self._error(self._place(), "wrong-value", message, near or hint)
        else:
            actual = "a list" if isinstance(self.node, SequenceNode) else "names with something behind a colon"
            quotes = "A text that begins with { or [ must stand in quotes." if _is_text(self.node) else ""
            if isinstance(self.node, SequenceNode) and "do" in keys(self.schema):
                hint = "Write 'do:' above the list" + (", beside 'ask: …'." if "ask" in keys(self.schema) else ".")
            self._error(self._place(), "wrong-shape", f"Expected {expected}, not {actual}.", quotes or hint)


def _as_entry(text: str, schema: dict[str, Any]) -> str:
    """Return the entry that a text without its colon was meant to be, or ''."""
    match = re.fullmatch(r"([a-z][a-z ]*?)\s*(?::|\s)\s*([+-]?\d+|yes|no)", text)
    return f"{match[1]}: {match[2]}" if match and schema.get("type") == "object" else ""


def _short(text: str) -> str:
    return visible(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def _allowed(name: str, known: list[str]) -> str:
    """Return a hint for an unknown key: the nearest one, or the nearest first word of a sentence."""
    fixed = [key for key in known if "…" not in key]
    starts = [start.strip() for key in known if "…" in key for start in key.split("(")[0].split(",")]
    words = [start.partition(" ")[0] for start in starts]
    if name.startswith("may choose "):
        near = "Say 'choose up to 1 …'; or 'choose 1 …', and below it with 'none: …' how taking nothing is called."
    elif name.startswith("may "):
        near = "Say 'may:', and below it 'ask: …' and 'do: …'."
    elif (suggestion := _SYNONYMS.get(name)) in fixed:
        near = f"Did you mean '{suggestion}'?"
    else:
        near = nearest(name, fixed) or nearest(name.strip().partition(" ")[0], words)
    if near and len(known) > _MOST_LISTED:
        return near
    return f"{near} Known here: {', '.join(known)}".strip()


def _described(schema: dict[str, Any], name: str) -> str:
    description = schema.get("properties", {}).get(name, {}).get("description", "")
    return f"{name}: {description}" if description else ""


def _purpose(error: ValidationError, whole: dict[str, Any]) -> str:
    """Return the description nearest to the error on its way through the schema."""
    description = ""
    schema: Any = whole
    for step in error.absolute_schema_path:
        while isinstance(schema, dict) and step not in schema:  # the path leaves out references
            schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        schema = schema[step]
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            description = schema["description"]
    return description


def _as_name(text: str, schema: dict[str, Any], whole: dict[str, Any]) -> str:
    """Return a hint with the valid name that a text was meant to be, or ''."""
    if schema is not whole["$defs"].get("name"):
        return ""
    name = " ".join(re.findall(r"[^\W_]+", text.lower()))
    return f"Write '{_short(name)}'." if re.search(schema["pattern"], name) else ""


def _is_text(node: Node) -> bool:
    """Return whether a text became a mapping by its first character, as in {seat}."""
    values = node.entries.values() if isinstance(node, MappingNode) else ()
    return bool(values) and all(isinstance(value, Scalar) and value.absent for value in values)
