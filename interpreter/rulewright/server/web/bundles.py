"""The files of pages as browsers load them: one script and one style sheet for each page, where these are prepared.

`tools/bundle_pages.py` makes the bundles with esbuild, for wheels and for whoever checks the project. Where the modules
have changed since, or there never was an npm, browsers load the modules as they are.
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
    """Return the files of pages by name. What begins with '_' is no part of a page by itself, nor are types."""
    return {
        file.name: file.read_bytes()
        for folder in folders
        for file in folder.iterdir()
        if file.is_file() and not file.name.startswith("_") and not file.name.endswith(".d.ts")
    }


def with_bundles(files: Mapping[str, bytes], bundles: Traversable) -> dict[str, bytes]:
    """Return a page's files with its bundles, if these were made from the files; else the files alone.

    Pages among the bundles name the with_bundles script and style sheet. bundles: a folder, which need not be there.
    """
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
    """Return whether a file's name changes with its content, so that it may be kept for good."""
    return re.fullmatch(rf"\w+-[0-9A-Z]{{8}}\.\w+({COMPRESSED})?", name) is not None
