"""Loading of translation catalogs. Broken files and entries count as missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.base import cache, files

DIAGNOSTIC = "diagnostic"
"""Context of templates of diagnostics. Their slots are plain: nothing in a translation agrees with them."""
_MAX_SIZE = 5_000_001
"""Number of bytes that are read for a cache key: one more than `po_files` accepts."""


@dataclass
class Catalog:
    """Usable translations of one file, by context and English text: for each, a text for each plural form of the
    language, or one.

    problem: reason why the file could not be read; '' also if there is none.
    """

    entries: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    problem: str = ""


def load_beside(path: Path, language: str) -> Catalog:
    """Load a catalog that lies beside an edition. path: of the catalog. Links out of its folder are refused: the
    edition may come from anywhere."""
    if files.is_outside(path, path.parent):
        return Catalog({}, "it is a link that leads out of its folder")
    return load(path, language)


def load(path: Path, language: str) -> Catalog:
    """Load a catalog, from the cache if the file is the same; an empty one if it is missing or cannot be read."""
    key = cache.key("catalog", language, files.read_beginning(path, _MAX_SIZE))
    if isinstance(known := cache.get(key), Catalog):
        return known
    from rulewright.i18n import po_files  # noqa: PLC0415 - not needed for a cached file

    try:
        if not path.is_file():
            return Catalog()
        catalog = Catalog(dict(po_files.usable(po_files.read(path, language), language)))
        cache.store(key, catalog)
        return catalog
    except po_files.CatalogError as error:
        return Catalog({}, str(error))
    except OSError as error:
        return Catalog({}, f"it cannot be read: {error.strerror or error}")
