"""Host names and client addresses: protection against foreign pages, and addresses behind proxies for limits."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?::\d{1,5})?")
"""Name or address of a host, with or without a port."""
_ORIGIN = re.compile(r"https?://(?P<host>[^/@\s]+)", re.IGNORECASE)
"""Origin of a page, as browsers send it."""
_FOR = re.compile(r'(?:^|[;,])\s*for="?([^",;]*)"?', re.IGNORECASE)
"""Address in a header `Forwarded` (RFC 7239)."""
_MAX_UNKNOWN_LENGTH = 64
"""Limit of letters of what a proxy forwards that is no address."""


class HostNames:
    """Host names by which browsers may call this server: the given ones, the machine's own, and all addresses.

    Whoever owns a name can let it point here and so pass a page of theirs off as this server's (DNS rebinding). That
    cannot be done with an address.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        own = socket.gethostname()
        first = own.partition(".")[0]
        self._names = {_plain(name) for name in (*names, "localhost", own, first, f"{first}.local")} - {""}

    def knows(self, host: str) -> bool:
        """Return whether a `Host` header, with or without a port, names this server."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = _plain(match["name"])
        return name in self._names or _is_address(name.strip("[]"))


def is_same_origin(headers: Headers) -> bool:
    """Return whether a request comes from this server's own page, or from no page at all."""
    origins, hosts = headers.getlist("origin"), headers.getlist("host")
    if not origins:
        return True
    match = _ORIGIN.fullmatch(origins[0])
    is_single = len(origins) == 1 and len(hosts) <= 1
    return match is not None and is_single and match["host"].casefold() == headers.get("host", "").casefold()


def is_host_name(text: str) -> bool:
    """Return whether a text can be a host name or IPv4 address: without scheme, port or path; no IPv6 address."""
    return re.fullmatch(r"[^\s/:@*\[\]]+", text) is not None


class ClientAddresses:
    """Client addresses behind trusted proxies. proxies: their addresses or networks; ValueError for anything else."""

    def __init__(self, proxies: Sequence[str] = ()) -> None:
        self._proxies = [ip_network(proxy) for proxy in proxies]

    def address(self, scope: Scope) -> str:
        """Return the key under which limits count a request's client: its address, or the /64 network of an IPv6
        address.

        Of the addresses that proxies forward, it is the last that is no proxy: anybody could have written those before
        it. Proxies write `X-Forwarded-For` or `Forwarded` and may pass the other one on unchanged; where both are
        present and disagree, neither is believed.
        """
        client = scope.get("client")
        caller = str(client[0]) if client else ""
        if not self.is_proxy(caller):
            return limit_key(caller)
        headers = Headers(scope=scope)
        plain = ",".join(headers.getlist("x-forwarded-for")).split(",")
        standard = _FOR.findall(",".join(headers.getlist("forwarded")))
        keys = {self._last(addresses, caller) for addresses in (plain, standard) if any(map(str.strip, addresses))}
        return keys.pop() if len(keys) == 1 else limit_key(caller)

    def _last(self, addresses: Sequence[str], caller: str) -> str:
        """Return the key of the last forwarded address that is no proxy, else of the peer."""
        others = [without_port(one.strip()) for one in addresses if one.strip()]
        return limit_key(next((one for one in reversed(others) if not self.is_proxy(one)), caller))

    def is_proxy(self, address: str) -> bool:
        """Return whether an address belongs to a trusted proxy."""
        with suppress(ValueError):
            parsed = ip_address(address)
            plain = parsed.ipv4_mapped or parsed if isinstance(parsed, IPv6Address) else parsed
            return any(plain in network for network in self._proxies)
        return False


def limit_key(address: str) -> str:
    """Return the key under which limits count an address: itself, or the /64 network of an IPv6 address; the beginning
    of a text that is no address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:_MAX_UNKNOWN_LENGTH]
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if isinstance(parsed, IPv6Address) and not parsed.is_link_local:
        return str(ip_network((int(parsed), 64), strict=False))
    return str(parsed)


def without_port(address: str) -> str:
    """Strip the port from an address as proxies write it: `192.0.2.1:8000`, `[2001:db8::1]:8000`."""
    match = _HOST.fullmatch(address)
    return match["name"].strip("[]") if match is not None else address


def _plain(name: str) -> str:
    """Return a host name in the form in which names are compared."""
    return name.casefold().removesuffix(".")


def _is_address(name: str) -> bool:
    """Return whether a text is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
