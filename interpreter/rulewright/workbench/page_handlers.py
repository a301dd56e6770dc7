"""Handlers of the page itself: how a browser comes in, the page's files, words and pictures."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Phrase
from rulewright.model.pictures import PictureError, Pictures
from rulewright.server.web.page_files import PageFiles
from rulewright.server.web.page_texts import describe_language
from rulewright.server.web.pages import all_pictures
from rulewright.server.web.security_headers import PAGE_POLICY, PICTURE_POLICY
from rulewright.workbench import access
from rulewright.workbench.access import Keys
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import as_json, language
from rulewright.workbench.key_guard import matches, set_cookie


class PageHandlers:
    """Handlers of the page. file: shown first, unless the address names another one; language: of the page until the
    user chooses one there. Whatever is not there is answered by 404."""

    def __init__(self, bench: Bench, keys: Keys, file: str, language: str, words: Mapping[str, Phrase]) -> None:
        self._bench, self._keys, self._file, self._language, self._words = bench, keys, file, language, words
        self._files = PageFiles("rulewright.workbench")
        self._files.add(files("rulewright.workbench").joinpath("bundles", "editor.js"))

    async def open(self, request: Request) -> Response:
        """Set the cookie and lead the browser to the page, if the key is right; else answer with 404.

        A page of its own leads there, since a browser that comes from a local file sends no strict cookie with an
        ordinary redirect.
        """
        if not matches(request.path_params["key"], self._keys.address):
            raise HTTPException(404, "")
        address = access.with_file("/", request.query_params.get("file", self._file))
        response = HTMLResponse(access.redirect_html(address))
        set_cookie(response, request.scope, self._keys)
        return response

    async def page(self, _: Request) -> Response:
        """Send the page. CodeMirror writes its styles into it; a nonce for each response allows that."""
        nonce = secrets.token_urlsafe(16)
        policy = PAGE_POLICY.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'") + "; frame-src 'self'"
        text = self._files["design.html"].decode().replace("{once}", nonce).replace("{speaking}", self._language)
        return HTMLResponse(text, headers={"content-security-policy": policy})

    async def file(self, request: Request) -> Response:
        """Serve a file of the page by its name, compressed if the browser accepts that."""
        return self._files.response(request.path_params["name"], request.headers.get("accept-encoding", ""))

    async def words(self, request: Request) -> Response:
        """Send the words of the page in one language."""
        return as_json(describe_language(localizer_for(language(request)), self._words))

    async def pictures(self, request: Request) -> Response:
        """Send all pictures of a current or recent version of an edition: JSON, SVG by name, without covers."""
        offer = self._bench.offered(request.path_params["edition"])
        if offer is None:
            raise HTTPException(404, "")
        return as_json(await asyncio.to_thread(all_pictures, offer.rules.edition))

    async def picture(self, request: Request) -> Response:
        """Send a picture of a current or recent version of an edition, as SVG."""
        offer = self._bench.offered(request.path_params["edition"])
        try:
            svg = None if offer is None else Pictures(offer.rules.edition).svg(request.path_params["name"])
        except PictureError:
            svg = None
        if svg is None:
            raise HTTPException(404, "")
        return Response(svg, media_type="image/svg+xml", headers={"content-security-policy": PICTURE_POLICY})

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of pages and pictures."""
        return [
            Route("/open/{key}", self.open),
            Route("/", self.page),
            Route("/page/{name}", self.file),
            Route("/words", self.words),
            Route("/editions/{edition}/pictures", self.pictures),
            Route("/editions/{edition}/pictures/{name}.svg", self.picture),
        ]
