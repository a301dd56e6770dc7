"""Check files against the JSON Schemas in `spec`, and explain errors to people.

The schema's own words make the messages: a `title` says what is expected ('yes or no'), a `description` what
it is for, and an `errorMessage` speaks where neither helps. Editors show the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulewright.base.diagnostics import (
    DID_YOU_MEAN,
    WRITE,
    Report,
    SourcePlace,
    did_you_mean,
    shorten_name,
)
from rulewright.base.records import record
from rulewright.base.wording import Hint, Problem, Wording, Words
from rulewright.syntax import messages
from rulewright.syntax.fast_validation import SchemaTests, Test
from rulewright.syntax.phrasing_hints import phrasing_hint
from rulewright.syntax.schema import EDITION, SCENARIOS, keys, load
from rulewright.syntax.section_cache import cached
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

NodePath = tuple[str | int, ...]
"""Keys of mappings and indices of lists that lead to a part of a tree."""

_MAX_ERRORS = 200
"""Maximum number of errors of a file that are looked at."""
_MAX_LISTED = 10
"""Maximum number of known keys that a hint lists where one is similar."""

_SYNONYMS = {"else": "otherwise"}
"""Word that people write -> key that means it."""

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
    """Place in a tree with a wrong shape: what stands there is to be dropped, or lacks keys. missing: these keys;
    bad_name: the last key of the path, if that name itself is what is wrong."""

    path: NodePath
    missing: tuple[str, ...] = ()
    bad_name: str = ""


@cache
def _schema_tests(file: str) -> SchemaTests:
    """Return the compiler of tests for one schema of `spec`, which shares the results of its definitions."""
    return SchemaTests(load(file))


@cache
def _test(file: str, key: str = "") -> Test:
    """Return the fast test of a file, or of one section."""
    whole = load(file)
    return _schema_tests(file).compile(whole["properties"][key] if key else whole)


def report_other_file(node: Node, report: Report, file: str) -> bool:
    """Report a file of cases that is read as an edition or variant, or the reverse; return whether it is one. file: of
    the schema by which it is read."""
    keys = node.keys if isinstance(node, MappingNode) else {}
    game, cases = keys.get("rulewright"), keys.get("cases")
    if file == SCENARIOS and game is not None and cases is None:
        report.error(game.place, messages.GAME_NOT_CASES(), messages.CHECK_GAMES())
        return True
    if file != SCENARIOS and cases is not None and game is None:
        report.error(cases.place, messages.CASES_NOT_GAME(), messages.TEST_CASES())
        return True
    return False


def validate(node: Node, report: Report, file: str = EDITION) -> bool:
    """Report where a node does not fit a schema in `spec`, and return whether it does."""
    causes = _all_causes(node, file)
    for cause in causes:
        _SchemaError(node, cause, report, load(file)).add_to_report()
    return not causes


def faults(node: Node, file: str) -> list[Fault]:
    """Return the entries that must be dropped or added for a node to fit a schema. Reports nothing."""
    findings = (_SchemaError(node, cause, Report(), load(file)) for cause in _all_causes(node, file))
    return [fault for finding in findings for fault in finding.faults()]


_SEPARABLE_KEYWORDS = {
    "$schema", "$id", "$defs", "title", "description", "type", "required", "additionalProperties", "properties",
    "errorMessage",
}  # fmt: skip
"""Keywords of a schema of a whole file whose sections can be checked one by one."""


def _all_causes(node: Node, file: str) -> list[ValidationError]:
    """Return the reasons why a node does not fit a schema; of a file that is read again, the cached ones."""
    return list(cached(f"causes {file}", node, lambda: _find_causes(node, file)))


def _find_causes(node: Node, file: str) -> list[ValidationError]:
    """Compute the reasons why a node does not fit a schema; unknown keys hide errors that follow from them."""
    whole = load(file)
    fitting = _fitting_sections(node, file)
    if isinstance(node, MappingNode) and node.entries.keys() == fitting and fitting >= set(whole.get("required", ())):
        return []
    tree = _plain(node)
    if not fitting and _test(file)(tree):
        return []
    sections = {key: True if key in fitting else shape for key, shape in whole.get("properties", {}).items()}
    errors = islice(_validator(file)({**whole, "properties": sections}).iter_errors(tree), _MAX_ERRORS)
    causes = [cause for error in errors for cause in _causes(error)]
    unknown = [cause.absolute_path for cause in causes if cause.validator == "additionalProperties"]
    return [cause for cause in causes if not (cause.absolute_path in unknown and _follows_from_unknown_key(cause))]


def _fitting_sections(node: Node, file: str) -> set[str]:
    """Return the keys of a file's sections that fit their schemas; none if the sections cannot be checked one by one.
    Cached results are reused."""
    whole = load(file)
    if not isinstance(node, MappingNode) or whole.keys() - _SEPARABLE_KEYWORDS:
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
    """Return the fast test of a definition. name: as a `$ref` has it."""
    return _schema_tests(file).compile({"$ref": name})


_MAX_CACHED_DEPTH = 3
"""Levels of an edition whose unchanged mappings are taken from the cache."""


def _plain(node: Node, depth: int = 0) -> Any:
    """Return a node as dict, list and str; unchanged parts of a file read again are the same dicts."""
    if not isinstance(node, MappingNode) or depth > _MAX_CACHED_DEPTH:
        return plain(node)
    work = lambda: {name: _plain(inner, depth + 1) for name, inner in node.entries.items()}  # noqa: E731
    return cached("plain", node, work, anywhere=True)


def _follows_from_unknown_key(cause: ValidationError) -> bool:
    """Return whether an unknown key in a mapping can be all that is behind an error of that mapping."""
    return cause.validator == "maxProperties" or "propertyNames" in cause.relative_schema_path


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """Yield the errors in the intended alternative, the first for this type (text, list, mapping); the error itself if
    no alternative is, or there are none."""
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


class _SchemaError:
    """Schema error, with the node it is about, and the key that leads to it, None for the root and for an item of a
    list. whole: the schema of the file; schema: the part of it that the node does not fit."""

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

    def add_to_report(self) -> None:
        """Report the error."""
        if isinstance(self.node, MappingNode) and self.error.validator == "additionalProperties":
            self._report_unknown_keys(self.node)
        elif isinstance(self.node, MappingNode) and self.error.validator == "required":
            self._report_missing_keys(self.node)
        elif isinstance(self.node, MappingNode) and self.error.validator == "oneOf":
            self.report.error(self._place(), Problem("wrong-shape", self.schema["errorMessage"])())
        elif isinstance(self.node, MappingNode) and "propertyNames" in self.error.relative_schema_path:
            self._report_bad_name(self.node)
        elif self.error.validator in ("minProperties", "minItems", "maxProperties", "maxItems"):
            self.report.error(self._place(), self._wrong_number())
        else:
            self._report_wrong_shape()

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

    def _place(self) -> SourcePlace:
        """Return the place of the node, or of its key if there is nothing to underline."""
        visible_node = not (isinstance(self.node, Scalar) and self.node.absent)
        return self.node.place if visible_node or self.key is None else self.key.place

    def _own_message(self, code: str, otherwise: Wording) -> Wording:
        """Return the schema's own message as a problem, if it has one."""
        message: str | None = self.schema.get("errorMessage")
        return otherwise if message is None else Problem(code, message)()

    def _wrong_number(self) -> Wording:
        """Return the problem of too few or too many entries."""
        if not plain(self.node):
            return messages.NO_ENTRIES()
        is_limit = str(self.error.validator).startswith("max")
        wrong = messages.TOO_MANY_ENTRIES_HERE if is_limit else messages.TOO_FEW_ENTRIES
        return self._own_message("wrong-shape", wrong(number=str(self.error.validator_value)))

    def _report_unknown_keys(self, mapping: MappingNode) -> None:
        """Report keys that the schema does not allow, with the nearest allowed ones."""
        patterns = self.schema.get("patternProperties", {}).values()
        known, titles = list(self.schema.get("properties", {})), [pattern.get("title", "") for pattern in patterns]
        for name, key in mapping.keys.items():
            if not self._knows(name):
                problem = self._own_message("unknown-key", messages.UNKNOWN_KEY(name=shorten_name(name)))
                self.report.error(key.place, problem, *_hints_at_key(name, known, titles))

    def _report_missing_keys(self, mapping: MappingNode) -> None:
        """Report required keys that are absent, except one that is probably misspelt."""
        place = self.key.place if self.key else mapping.place
        for name in self.schema.get("required", ()):
            if name not in mapping.entries and not self._misspelt(mapping, name):
                problem = messages.MISSING_KEY(name=name)
                if self.key:
                    problem = messages.MISSING_KEY_IN(name=name, owner=shorten_name(self.key.text))
                self.report.error(place, problem, *_meaning(self.schema, name))

    def _misspelt(self, mapping: MappingNode, name: str) -> bool:
        """Return whether an unknown key, reported as such, was probably meant to be `name`."""
        if self.schema.get("additionalProperties") is not False:
            return False
        return any(did_you_mean(key, [name]) for key in mapping.entries if not self._knows(key))

    def _knows(self, key: str) -> bool:
        """Return whether the schema allows a key."""
        patterns = self.schema.get("patternProperties", {})
        return key in self.schema.get("properties", {}) or any(re.search(pattern, key) for pattern in patterns)

    def _report_bad_name(self, mapping: MappingNode) -> None:
        """Report a key that cannot be a name, with one that can."""
        name = str(self.error.instance)
        expected = Words(self.schema["title"])() if "title" in self.schema else messages.A_NAME()
        problem = self._own_message("bad-name", messages.BAD_NAME(name=shorten_name(name), expected=expected))
        self.report.error(mapping.keys[name].place, problem, *_as_name(name, self.schema, self.whole))

    def _report_wrong_shape(self) -> None:
        """Report a node of the wrong shape or value: what was expected, and a hint at what was meant."""
        title = self.schema.get("title")
        expected = Words(title)() if title else messages.SOMETHING_ELSE()
        purpose = _purpose(self.error, self.whole)
        if not isinstance(self.node, Scalar):
            actual = messages.A_LIST() if isinstance(self.node, SequenceNode) else messages.A_MAPPING()
            problem = messages.WRONG_SHAPE(expected=expected, given=actual, **self._constraints())
            self.report.error(self._place(), problem, *(self._hints_at_shape() or purpose))
        elif self.node.absent:
            problem = messages.NOTHING_HERE(expected=expected, **self._constraints())
            self.report.error(self._place(), problem, *purpose)
        elif suggestion := _as_entry(self.node.text, self.schema):
            self.report.error(self._place(), messages.MISSING_COLON_WITHIN(), WRITE(words=shorten_name(suggestion)))
        else:
            constraints = self._constraints()
            problem = messages.WRONG_VALUE(expected=expected, given=shorten_name(self.node.text), **constraints)
            hints = _nearest_value(self.node.text, constraints["choices"])
            hints = hints or _as_name(self.node.text, self.schema, self.whole) or purpose
            self.report.error(self._place(), problem, *hints)

    def _constraints(self) -> dict[str, tuple[str, ...]]:
        """Return what fixes use of a problem: as `choices` the allowed texts, as `limits` minimum and maximum,
        as far as there are some, as `grammars` the entry points of the grammar that the value can be read by."""
        limits = (str(self.schema[key]) for key in ("minimum", "maximum") if key in self.schema)
        parts = (self.schema, *self.schema.get("anyOf", ()))
        definitions = (self.whole["$defs"][part["$ref"].removeprefix("#/$defs/")] for part in parts if "$ref" in part)
        return {
            "choices": tuple(value for value in self.schema.get("enum", ()) if isinstance(value, str)),
            "limits": tuple(limits),
            "grammars": tuple(part["grammar"] for part in (*parts, *definitions) if "grammar" in part),
        }

    def _hints_at_shape(self) -> tuple[Wording, ...]:
        """Return hints at a list or mapping that was meant to be something else, or none."""
        if _is_text(self.node):
            return (messages.QUOTE_BRACES(),)
        if not isinstance(self.node, SequenceNode) or "do" not in (own := keys(self.schema)):
            return ()
        return (messages.DO_AND_ASK_ABOVE_LIST() if "ask" in own else messages.DO_ABOVE_LIST(),)


def _nearest_value(text: str, choices: tuple[str, ...]) -> tuple[Wording, ...]:
    """Ask whether a choice was meant, by another word for it or by one like it; () if none is near."""
    suggestion = _VALUES.get(text.lower(), "")
    return (DID_YOU_MEAN(name=suggestion),) if suggestion in choices else did_you_mean(text, choices)


def _as_entry(text: str, schema: dict[str, Any]) -> str:
    """Return the entry that a text without its colon was meant to be, or ''."""
    match = re.fullmatch(r"([a-z][a-z ]*?)\s*(?::|\s)\s*([+-]?\d+|yes|no)", text)
    return f"{match[1]}: {match[2]}" if match and schema.get("type") == "object" else ""


def _hints_at_key(name: str, known: list[str], titles: list[str]) -> tuple[Wording, ...]:
    """Return hints at an unknown key: how it is said, the nearest one, or all of them. titles: of kinds of keys."""
    if name.count(")") > name.count("("):
        return (messages.QUOTE_COMMA(),)
    if phrasing := phrasing_hint(name, 0):
        return (phrasing,)
    near = _nearest_keys(name, [*known, *titles])
    if near and len(known) + len(titles) > _MAX_LISTED:
        return near
    return *near, messages.KNOWN_HERE(names=(*known, *(Words(title)() for title in titles)))


def _nearest_keys(name: str, known: list[str]) -> tuple[Wording, ...]:
    """Return a hint at the nearest key, or at the nearest first word of a sentence."""
    fixed = [key for key in known if "…" not in key]
    starts = [start.strip() for key in known if "…" in key for start in key.split("(")[0].split(",")]
    words = [start.partition(" ")[0] for start in starts]
    if name.startswith("may choose "):
        return (messages.CHOOSE_UP_TO(),)
    if name.startswith("may "):
        return (messages.MAY_ASK_AND_DO(),)
    if (suggestion := _SYNONYMS.get(name)) in fixed:
        return (DID_YOU_MEAN(name=suggestion),)
    return did_you_mean(name, fixed) or did_you_mean(name.strip().partition(" ")[0], words)


def _meaning(schema: dict[str, Any], name: str) -> tuple[Wording, ...]:
    """Return a hint with the description of a key; () if the schema has none."""
    description = schema.get("properties", {}).get(name, {}).get("description", "")
    return (messages.MEANING(name=name, meaning=Words(description)()),) if description else ()


def _purpose(error: ValidationError, whole: dict[str, Any]) -> tuple[Wording, ...]:
    """Return, as a hint, the description nearest to the error on its way through the schema; () if there is none."""
    description = ""
    schema: Any = whole
    for step in error.absolute_schema_path:
        while isinstance(schema, dict) and step not in schema:  # the path leaves out references
            schema = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        schema = schema[step]
        if isinstance(schema, dict) and isinstance(schema.get("description"), str):
            description = schema["description"]
    return (Hint(description)(),) if description else ()


def _as_name(text: str, schema: dict[str, Any], whole: dict[str, Any]) -> tuple[Wording, ...]:
    """Return a hint with the valid name that a text was meant to be, or none."""
    if schema is not whole["$defs"].get("name"):
        return ()
    name = " ".join(re.findall(r"[^\W_]+", text.lower()))
    return (WRITE(words=shorten_name(name)),) if re.search(schema["pattern"], name) else ()


def _is_text(node: Node) -> bool:
    """Return whether a text became a mapping by its first character, as in {seat}."""
    values = node.entries.values() if isinstance(node, MappingNode) else ()
    return bool(values) and all(isinstance(value, Scalar) and value.absent for value in values)
