"""Catalogs of translations, read when they are needed. A broken file or entry is as if it were not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.base import cache, files

_LARGEST = 5_000_001
"""Of what is looked at; what is as large as that is refused."""


@dataclass
class Catalog:
    """The translations in one file, usable ones only, by context and English text.

    trouble: why it could not be read, or ''.
    """

    entries: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    trouble: str = ""


def load_beside(path: Path, language: str) -> Catalog:
    """The catalog beside an edition, which may come from anywhere: no link leads to one elsewhere."""
    if files.leads_out(path, path.parent):
        return Catalog({}, "it is a link that leads out of its folder")
    return load(path, language)


def load(path: Path, language: str) -> Catalog:
    """The catalog in a file; an empty one where there is none, or where it cannot be read."""
    key = cache.key("catalog", language, files.beginning(path, _LARGEST))
    if isinstance(known := cache.found(key), Catalog):
        return known
    from rulewright.i18n import po_files  # noqa: PLC0415 - only what is not known yet is read

    try:
        if not path.is_file():
            return Catalog()
        found = Catalog(dict(po_files.usable(po_files.read(path, language), language)))
        cache.keep(key, found)
        return found
    except po_files.CatalogError as error:
        return Catalog({}, str(error))
    except OSError as error:
        return Catalog({}, f"it cannot be read: {error.strerror or error}")
