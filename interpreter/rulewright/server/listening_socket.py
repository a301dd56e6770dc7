"""Where a server takes connections, and how browsers find it there."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.files import reason
from rulewright.i18n.localizer import phrase
from rulewright.server.network.http_connection import BACKLOG


class ServingError(RulewrightError):
    """The server cannot be begun."""


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket that takes connections; port 0: at any that is free; option: which one chooses it. Raises
    ServingError."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, kind)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((where[0], port, *where[2:]))  # to look it up, the system would take any number
            listening.listen(BACKLOG)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        raise unserved(host, port, error, option) from None
    return listening


def unserved(host: str, port: int, error: Exception, option: str) -> ServingError:
    """What the system says to a place where nobody can listen. option: by which it was chosen."""
    slots = {"host": host, "port": str(port), "why": reason(error), "option": option}
    return ServingError(
        phrase("errors", "Nothing can be served at {host}, port {port}: {why}. Try another {option}.", **slots)
    )


def address(listening: socket.socket) -> str:
    """Where a browser finds it: on other machines too, unless it listens for this one alone."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _outward() or "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _outward() -> str:
    """The address that other machines of this network know, or ''. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # kept free for documents by RFC 5737
        return str(asking.getsockname()[0])
    return ""
