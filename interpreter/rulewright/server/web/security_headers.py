"""Security headers on all responses, and refusal of requests from other sites."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import phrase
from rulewright.publish.rulebook import page_frame
from rulewright.server.network.client_addresses import ClientAddresses, HostNames, is_same_origin, without_port
from rulewright.server.web import protocol

_CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""Directives of all policies, against other base addresses, forms, and frames around the page."""
_NOTHING = f"default-src 'none'; {_CLOSED}"
"""Begin of policies that allow only what follows."""
_INLINE = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
"""Script or style that stands in a page."""


def page_policy(page: bytes = b"") -> str:
    """Return the content security policy of a page: the digests of the scripts and styles that stand in it are in it,
    so that nothing else runs."""
    digests = {b"script": "", b"style": ""}
    for kind, content in _INLINE.findall(page):
        digests[kind] += f" 'sha256-{b64encode(sha256(content).digest()).decode()}'"
    return (
        f"{_NOTHING}; script-src 'self'{digests[b'script']}; style-src 'self'{digests[b'style']}; "
        "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'"
    )


PAGE_POLICY = page_policy()
"""Content security policy of everything that sets no other."""
BOOK_POLICY = f"{page_frame.policy()}; {_CLOSED}"
"""Content security policy of rulebooks, which hold their scripts and styles."""
PICTURE_POLICY = f"{_NOTHING}; sandbox"
"""Content security policy of pictures, which run no script wherever they are opened."""

HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Headers of every response that does not set them itself."""

_OF_DOCUMENTS = ("content-security-policy", "cross-origin-opener-policy", "permissions-policy", "referrer-policy")
"""Headers that mean nothing for the parts of a page, which are sent to slow phones without them."""

_MAX_HOST_LENGTH = 100
"""Characters of a host's name that are logged."""


class SecurityHeaders:
    """ASGI middleware that adds the headers, and refuses foreign host names and origins."""

    def __init__(self, app: ASGIApp, hosts: HostNames, callers: ClientAddresses) -> None:
        self._app, self._hosts, self._callers = app, hosts, callers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 to a foreign host name and 403 to a change from a foreign origin; a websocket is
        closed instead."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        refusal: Response | None = None
        if not self._hosts.knows(headers.get("host", "")):
            refusal = PlainTextResponse(_unknown_host_message(headers), 421, HEADERS)
        elif changing and not is_same_origin(headers):
            refusal = PlainTextResponse("", 403, HEADERS)
        if refusal is not None and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if refusal is not None:
            await refusal(scope, receive, send)
            return

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                part = "immutable" in headers.get("cache-control", "")
                for name, value in HEADERS.items():
                    if not (part and name in _OF_DOCUMENTS):
                        headers.setdefault(name, value)
            await send(message)

        scope["client"] = (self._callers.address(scope), 0)
        await self._app(scope, receive, send_secured)


def _unknown_host_message(headers: Headers) -> str:
    """Explain that the server is not known under the request's host name."""
    localizer = localizer_for(protocol.choose_language(headers.get("accept-language", "")))
    message = phrase(
        "errors",
        "This server does not know the name '{host}'. Whoever runs it can allow it: {option}.",
        host=without_port(headers.get("host", ""))[:_MAX_HOST_LENGTH],
        option="rulewright serve --allow-host NAME",
    )
    return localizer.say(message)
