"""Changes of documents: merge patches (RFC 7386) between parts, and their application."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT, structs
from msgspec.structs import astuple

from rulewright.server.views.document import Fragment

_NESTED = (Fragment, dict)
"""Values of which only what differs is sent."""
_MISSING = object()
"""Stands for a field that the old value does not have."""


def merge_patch_between(
    before: Fragment | Mapping[str, Any] | None, after: Fragment | Mapping[str, Any]
) -> dict[str, Any]:
    """Return the merge patch (RFC 7386) that turns one part into another; None is the patch of a field that is gone or
    has its default again."""
    if isinstance(after, Fragment) and type(before) is type(after):
        return _change_of_same_type(before, after)
    old, new = sent_fields(before), sent_fields(after)
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        known = old.get(name, _MISSING)
        if known is not value and known != value:
            patch[name] = _change_of_field(known, value)
    return patch


def _change_of_same_type(before: Fragment, after: Fragment) -> dict[str, Any]:
    """Like `merge_patch_between`, for two parts of one type."""
    patch: dict[str, Any] = {}
    for (name, usual), known, value in zip(_field_defaults(type(after)), astuple(before), astuple(after), strict=True):
        if known is not value and known != value:
            patch[name] = None if value == usual else value if known == usual else _change_of_field(known, value)
    return patch


def _change_of_field(known: Any, value: Any) -> Any:
    """Return the patch of a field, or its new value if it is no part itself."""
    nested = isinstance(value, _NESTED) and isinstance(known, _NESTED)
    return merge_patch_between(known, value) if nested else value


def sent_fields(part: Fragment | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the fields of a part that are sent: those that are not default."""
    if isinstance(part, Fragment):
        own = zip(_field_defaults(type(part)), astuple(part), strict=True)
        return {name: value for (name, usual), value in own if value is not usual and value != usual}
    return part or {}


def merge_patch(before: Any, patch: Any) -> Any:
    """Return a JSON value with a merge patch (RFC 7386) applied, as pages do; `before` stays as it is."""
    if not isinstance(patch, Mapping):
        return patch
    after = dict(before) if isinstance(before, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = merge_patch(after.get(name), value)
    return after


def merge_own(now: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the game as a seat sees it: as everybody does, except for its own fields; of zones and scores, only those
    named there."""
    parts = {name: {**now.get(name, {}), **own[name]} for name in ("zones", "scores") if name in own}
    return {**now, **own, **parts}


@cache
def _field_defaults(type_: type[Fragment]) -> list[tuple[str, Any]]:
    """List the fields of a type with their defaults."""
    known = ((field, field.default_factory) for field in structs.fields(type_))
    return [(field.name, field.default if default is NODEFAULT else default()) for field, default in known]
