"""Does a file have the shape of an edition? Checked against `spec/edition.schema.json`, told to people.

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
from rulewright.syntax.fast_validation import Shapes, Test
from rulewright.syntax.phrasing_hints import said_here
from rulewright.syntax.section_cache import reused
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
"""What is written for a value, and how it is called here."""


@record
class Fault:
    """Where a tree has the wrong shape. missing: the keys that are needed there and are not; bad_name: the last of the
    path, if the name itself is what is wrong."""

    path: NodePath
    missing: tuple[str, ...] = ()
    bad_name: str = ""


@cache
def load(file: str = EDITION) -> dict[str, Any]:
    """The JSON Schema of an edition, or another one in `spec`."""
    schema: dict[str, Any] = json.loads(resources.read_text("spec", file))
    return schema


def text(what: str) -> str:
    """The JSON Schema of an 'edition', a 'variant' or 'scenarios', as a file."""
    if what == "variant":  # made anew: its file in `spec` is for editors
        return json.dumps(variant(load()), indent=2, ensure_ascii=False) + "\n"
    return resources.read_text("spec", f"{what}.schema.json")


@cache
def _shapes(file: str) -> Shapes:
    return Shapes(load(file))


@cache
def _test(file: str, key: str = "") -> Test:
    """Of a file, or of a section of it."""
    whole = load(file)
    return _shapes(file).test(whole["properties"][key] if key else whole)


def variant(edition: dict[str, Any]) -> dict[str, Any]:
    """The schema of what extends an edition, made from the schema of one: nothing but `extends` must be there."""
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
    """An entry of a variant may be a part of one: the base has the rest."""
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
    """What an entry of a mapping looks like, and whether its key is a name that a designer gave."""
    shape = _of_mapping(shape)
    if key in shape.get("properties", {}):
        return shape["properties"][key], False
    for pattern, inner in shape.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return inner, True
    inner = shape.get("additionalProperties")
    return inner if isinstance(inner, dict) else {}, "$ref" in shape.get("propertyNames", {})


def item(shape: dict[str, Any]) -> dict[str, Any]:
    """What an item of a list looks like; {} where there should be no list."""
    if "$ref" in shape:
        return item(_referred(shape))
    inner = shape.get("items")
    found = (item(part) for part in shape.get("anyOf", ()))
    return inner if isinstance(inner, dict) else next((part for part in found if part), {})


def alternatives(shape: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The shapes that something may have, without references."""
    if "$ref" in shape:
        yield from alternatives({**_referred(shape), **{key: shape[key] for key in ("description",) if key in shape}})
        return
    if "anyOf" in shape:
        for part in shape["anyOf"]:
            yield from alternatives(part)
        return
    yield shape


def keys(shape: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The keys of the language's own that a mapping of such a shape may have, each with the shape of what it holds."""
    found: dict[str, dict[str, Any]] = {}
    for part in alternatives(shape):
        found |= _properties(part)
    return found


def is_text(shape: dict[str, Any]) -> bool:
    """Whether this is a text for people, which means nothing to a game."""
    return shape.get("$ref") == "#/$defs/text"


def _referred(shape: dict[str, Any]) -> dict[str, Any]:
    definition: dict[str, Any] = load()["$defs"][shape["$ref"].removeprefix("#/$defs/")]
    return definition


def _of_mapping(shape: dict[str, Any]) -> dict[str, Any]:
    """A shape without references; of alternatives, the one for mappings."""
    if "$ref" in shape:
        return _of_mapping(_referred(shape))
    found = (_of_mapping(part) for part in shape.get("anyOf", ()))
    mapping = next((part for part in found if part.get("type") == "object"), shape)
    return {**mapping, "properties": _properties(mapping)} if "then" in mapping or "else" in mapping else mapping


def _properties(shape: dict[str, Any]) -> dict[str, Any]:
    """All that a mapping may have, whatever else stands in it."""
    branches = (_properties(shape[branch]) for branch in ("else", "then") if branch in shape)
    return {key: inner for each in (*branches, shape.get("properties", {})) for key, inner in each.items()}


def is_other_file(node: Node, report: Report, file: str) -> bool:
    """Report a file of cases that is taken for an edition, or an edition that is taken for cases, and return whether it
    is one."""
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
    """Whether the node has the shape that a schema in `spec` describes; what is wrong goes to the report."""
    causes = _all_causes(node, file)
    for cause in causes:
        _Finding(node, cause, report, load(file)).tell()
    return not causes


def faults(node: Node, file: str) -> list[Fault]:
    """What must go, or must come, for the node to have the shape that a schema describes."""
    findings = (_Finding(node, cause, Report(), load(file)) for cause in _all_causes(node, file))
    return [fault for finding in findings for fault in finding.faults()]


_OF_SECTIONS = {
    "$schema", "$id", "$defs", "title", "description", "type", "required", "additionalProperties", "properties",
    "errorMessage",
}  # fmt: skip
"""All that a schema may say of a whole file for its sections to be looked at one by one."""


def _all_causes(node: Node, file: str) -> list[ValidationError]:
    """Why a node does not have the shape that a schema describes."""
    return list(reused(f"causes {file}", node, lambda: _causes_found(node, file)))


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
    """The sections of a file that have their shapes, of which those known from before are not looked at again."""
    whole = load(file)
    if not isinstance(node, MappingNode) or whole.keys() - _OF_SECTIONS:
        return set()

    def fits(key: str, section: Node) -> bool:
        return reused(f"fits {file} {key}", section, lambda: _test(file, key)(_plain(section)), anywhere=True)

    return {key for key, section in node.entries.items() if key in whole["properties"] and fits(key, section)}


@cache
def _validator(file: str) -> Any:
    """What finds what is wrong. It follows references only to what does not fit, for most of a file does."""
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
    """The node as dict, list and str: what is as it was in a file that is read again is the same dict."""
    if not isinstance(node, MappingNode) or depth > _DEEPEST_KEPT:
        return plain(node)
    work = lambda: {name: _plain(inner, depth + 1) for name, inner in node.entries.items()}  # noqa: E731
    return reused("plain", node, work, anywhere=True)


def _follows_from_unknown_key(cause: ValidationError) -> bool:
    return cause.validator == "maxProperties" or "propertyNames" in cause.relative_schema_path


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """The errors in the alternative that was meant: the one whose shape (text, list, mapping) fits."""
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
    """One error of the schema, the node it is about and the key that leads to it."""

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
        """Report it."""
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
        """The same, for who goes on without what is wrong."""
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
        """Where the node stands; its key if there is nothing to underline."""
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
                hint = _SPLIT if name.count(")") > name.count("(") else said_here(name, 0) or _allowed(name, known)
                self._error(key.place, "unknown-key", message, hint)

    def _missing_keys(self, mapping: MappingNode) -> None:
        place = self.key.place if self.key else mapping.place
        for name in self.schema.get("required", ()):
            if name not in mapping.entries and not self._misspelt(mapping, name):
                owner = f" in '{_short(self.key.text)}'" if self.key else ""
                message = f"'{name}' is missing{owner}."
                self._error(place, "missing-key", message, _described(self.schema, name))

    def _misspelt(self, mapping: MappingNode, name: str) -> bool:
        """Whether a key that is unknown here, and is reported as such, was probably meant to be `name`."""
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
        elif isinstance(self.node, Scalar) and (meant := _as_entry(self.node.text, self.schema)):
            message = "A colon, with a space behind it, is missing between this name and what it stands for."
            self._error(self._place(), "missing-colon", message, f"Write '{_short(meant)}'.")
        elif isinstance(self.node, Scalar):
            message = f"Expected {expected}, not '{_short(self.node.text)}'."
            choices = [str(value) for value in self.schema.get("enum", ()) if isinstance(value, str)]
            meant = _VALUES.get(self.node.text.lower(), "")
            near = f"Did you mean '{meant}'?" if meant in choices else nearest(self.node.text, choices)
            near = near or _as_name(self.node.text, self.schema, self.whole)
            self._error(self._place(), "wrong-value", message, near or hint)
        else:
            found = "a list" if isinstance(self.node, SequenceNode) else "names with something behind a colon"
            quotes = "A text that begins with { or [ must stand in quotes." if _is_text(self.node) else ""
            if isinstance(self.node, SequenceNode) and "do" in keys(self.schema):
                hint = "Write 'do:' above the list" + (", beside 'ask: …'." if "ask" in keys(self.schema) else ".")
            self._error(self._place(), "wrong-shape", f"Expected {expected}, not {found}.", quotes or hint)


def _as_entry(text: str, schema: dict[str, Any]) -> str:
    """How the only entry of a mapping is written, where a text stands that looks like one without its colon."""
    found = re.fullmatch(r"([a-z][a-z ]*?)\s*(?::|\s)\s*([+-]?\d+|yes|no)", text)
    return f"{found[1]}: {found[2]}" if found and schema.get("type") == "object" else ""


def _short(text: str) -> str:
    return visible(text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…")


def _allowed(name: str, known: list[str]) -> str:
    """What is allowed where `name` is not; for a key that is a sentence the nearest first word."""
    fixed = [key for key in known if "…" not in key]
    starts = [start.strip() for key in known if "…" in key for start in key.split("(")[0].split(",")]
    words = [start.partition(" ")[0] for start in starts]
    if name.startswith("may choose "):
        near = "Say 'choose up to 1 …'; or 'choose 1 …', and below it with 'none: …' how taking nothing is called."
    elif name.startswith("may "):
        near = "Say 'may:', and below it 'ask: …' and 'do: …'."
    elif (meant := _SYNONYMS.get(name)) in fixed:
        near = f"Did you mean '{meant}'?"
    else:
        near = nearest(name, fixed) or nearest(name.strip().partition(" ")[0], words)
    if near and len(known) > _MOST_LISTED:
        return near
    return f"{near} Known here: {', '.join(known)}".strip()


def _described(schema: dict[str, Any], name: str) -> str:
    found = schema.get("properties", {}).get(name, {}).get("description", "")
    return f"{name}: {found}" if found else ""


def _purpose(error: ValidationError, whole: dict[str, Any]) -> str:
    """The description nearest to the error on its way through the schema."""
    found = ""
    schema: Any = whole
    for step in error.absolute_schema_path:
        while isinstance(schema, dict) and step not in schema:  # the path leaves out references
            schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        schema = schema[step]
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            found = schema["description"]
    return found


def _as_name(text: str, schema: dict[str, Any], whole: dict[str, Any]) -> str:
    """How a text that was meant as a name is written, or nothing."""
    if schema is not whole["$defs"].get("name"):
        return ""
    written = " ".join(re.findall(r"[^\W_]+", text.lower()))
    return f"Write '{_short(written)}'." if re.search(schema["pattern"], written) else ""


def _is_text(node: Node) -> bool:
    """Whether this was a text whose first character made it a list or a mapping, as in {seat}."""
    values = node.entries.values() if isinstance(node, MappingNode) else ()
    return bool(values) and all(isinstance(value, Scalar) and value.absent for value in values)
