"""Responses with the files of pages: markup, scripts, style sheets and icons."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.responses import Response

from rulewright.server.web.bundles import COMPRESSED, is_bundle, sources, with_bundles

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
"""End of a file's name -> its media type."""
_SCRIPT = re.compile(r'"(?:/page|\.)/([\w-]+\.js)"')
"""Address of a script in markup, or in another script's imports, with the file's name."""


class PageFiles(dict[str, bytes]):
    """Files of the tables' pages, or of other pages that share modules with these, by name. owner: package whose folder
    `page` has the other pages, and whose folder `bundles` has the bundles."""

    def __init__(self, owner: str = "rulewright.server") -> None:
        folders = (files(package).joinpath("page") for package in dict.fromkeys(("rulewright.server", owner)))
        super().__init__(with_bundles(sources(*folders), files(owner).joinpath("bundles")))

    def add(self, file: Traversable) -> None:
        """Add a file, if it exists."""
        if file.is_file():
            self[file.name] = file.read_bytes()

    def scripts(self) -> dict[str, str]:
        """Return the text of the scripts of each page that is bundled, with those that they import."""
        results = {}
        for page in (name for name in self if name.endswith(".html")):
            imported, awaited = dict[str, str](), [page]
            while awaited:
                text = self[awaited.pop()].decode()
                for name in _SCRIPT.findall(text):
                    if is_bundle(name) and name not in imported:
                        imported[name] = self[name].decode()
                        awaited.append(name)
            if imported:
                results[page] = "".join(imported.values())
        return results

    def response(self, name: str, accepted: str = "") -> Response:
        """Return a file; browsers keep a bundle for good, since its name changes with its content.

        accepted: encodings that the browser accepts; it gets a bundle compressed by brotli if it can read that. Raises
        HTTPException if there is no such file.
        """
        if name not in self:
            raise HTTPException(404, "")
        headers = {"cache-control": "max-age=31536000, immutable", "vary": "accept-encoding"} if is_bundle(name) else {}
        media_type = _TYPES.get(name[name.rfind(".") :], "application/octet-stream")
        content = self.get(f"{name}{COMPRESSED}") if re.search(r"\bbr\b(?!;q=0\b)", accepted) else None
        if content is None:
            return Response(self[name], media_type=media_type, headers=headers)
        return Response(content, media_type=media_type, headers={**headers, "content-encoding": "br"})
