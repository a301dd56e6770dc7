"""Access by key: only browsers with the cookie of the workbench are let in."""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.workbench.access import Keys

COOKIE = "rulewright-workbench"
"""Begin of the cookie's name; the port follows."""


class KeyGuard:
    """Middleware that lets in browsers with the key's cookie only: other users of this computer are refused. The page
    of the previous workbench is let in, too, and gets the new cookie. The address that sets the cookie is open.
    """

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer 403; a websocket is closed instead."""
        if scope["type"] not in ("http", "websocket") or scope["path"].startswith("/open/"):
            await self._app(scope, receive, send)
            return
        value = HTTPConnection(scope).cookies.get(cookie_name(scope), "")
        if matches(value, self._keys.cookie):
            await self._app(scope, receive, send)
        elif self._keys.earlier and matches(value, self._keys.earlier):
            await self._app(scope, receive, self._with_new_cookie(scope, send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            message = "Open the workbench by the address that it told when it began."
            await PlainTextResponse(message, 403)(scope, receive, send)

    def _with_new_cookie(self, scope: Scope, send: Send) -> Send:
        """Wrap `send` so that the response sets the new cookie."""

        async def send_with_cookie(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                response = Response()
                set_cookie(response, scope, self._keys)
                MutableHeaders(scope=message).append("set-cookie", response.headers["set-cookie"])
            await send(message)

        return send_with_cookie


def set_cookie(response: Response, scope: Scope, keys: Keys) -> None:
    """Set the cookie that identifies a browser."""
    response.set_cookie(cookie_name(scope), keys.cookie, httponly=True, samesite="strict")


def matches(value: str, key: str) -> bool:
    """Compare a value with a key in constant time."""
    return compare_digest(value.encode("utf-8", "replace"), key.encode())


def cookie_name(scope: Scope) -> str:
    """Return the cookie's name: it holds the port, since all servers of a computer share cookies."""
    return f"{COOKIE}-{(scope.get('server') or ('', 0))[1]}"
