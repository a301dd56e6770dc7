"""Files of pages as browsers load them: one script and one style sheet for each page, where bundles are up to date.

`tools/bundle_pages.py` makes the bundles with esbuild, for wheels and for checks of the project. If the modules have
changed since, or there is no npm, browsers load the modules themselves.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable

DIGEST = "digest"
"""The file beside the bundles with the digest of what they were made from."""
COMPRESSED = ".br"
"""End of the name of a bundle that is compressed by brotli, beside the bundle."""


def sources(*folders: Traversable) -> dict[str, bytes]:
    """Return the files of pages by name, without types and without files that begin with '_', which are parts of
    others."""
    return {
        file.name: file.read_bytes()
        for folder in folders
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith("_") and not file.name.endswith(".d.ts")
    }


def with_bundles(files: Mapping[str, bytes], bundles: Traversable) -> dict[str, bytes]:
    """Return a page's files with its bundles if these were made from the files; else the files alone. bundles: a
    folder, which may be missing."""
    try:
        if bundles.joinpath(DIGEST).read_text(encoding="utf-8").strip() == digest(files):
            return {**files, **sources(bundles)}
    except OSError:
        pass
    return dict(files)


def digest(files: Mapping[str, bytes]) -> str:
    """Return a digest of the pages, scripts and sheets."""
    hash_ = hashlib.sha256()
    for name in sorted(files):
        if name.endswith((".html", ".js", ".css")):
            hash_.update(b"%s %d\n%s" % (name.encode(), len(files[name]), files[name]))
    return hash_.hexdigest()


def is_bundle(name: str) -> bool:
    """Return whether a file's name changes with its content, so that browsers may keep it for good."""
    return re.fullmatch(rf"\w+-[0-9A-Z]{{8}}\.\w+({COMPRESSED})?", name) is not None
