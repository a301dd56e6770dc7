"""Listening sockets, and the address under which a browser reaches them."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.files import error_reason
from rulewright.i18n.localizer import phrase
from rulewright.server.network.http_connection import BACKLOG


class ServingError(RulewrightError):
    """Error that keeps the server from starting."""


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Open a listening socket. port: 0 for any free one; option: the command's option that chose it, for the error.
    Raises ServingError."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, kind)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((address[0], port, *address[2:]))  # to look it up, the system would take any number
            listening.listen(BACKLOG)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        raise listen_error(host, port, error, option) from None
    return listening


def listen_error(host: str, port: int, error: Exception, option: str) -> ServingError:
    """Describe why nothing can listen at an address. option: the command's option that chose the port."""
    slots = {"host": host, "port": str(port), "why": error_reason(error), "option": option}
    return ServingError(
        phrase("errors", "Nothing can be served at {host}, port {port}: {why}. Try another {option}.", **slots)
    )


def browser_address(listening: socket.socket) -> str:
    """Return the URL of a socket, usable from other machines unless it listens for this one alone."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _network_address() or "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _network_address() -> str:
    """Return this machine's address in its network, or ''. A datagram socket tells it; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # kept free for documents by RFC 5737
        return str(probe.getsockname()[0])
    return ""
