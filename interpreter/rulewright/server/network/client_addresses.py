"""Who calls, and by which name this server: against pages of other sites, and so that limits meet whom they should."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+)(?::\d{1,5})?")
_ORIGIN = re.compile(r"https?://(?P<host>[^/@\s]+)", re.IGNORECASE)
_FOR = re.compile(r'(?:^|[;,])\s*for="?([^",;]*)"?', re.IGNORECASE)  # RFC 7239
_LONGEST = 64  # letters of what a proxy forwards that is no address


class Hosts:
    """The names by which browsers may call this server: those that are given, those of the machine, and all addresses.

    Whoever owns a name can let it lead anywhere, and so make a page of theirs seem to be a page of this server. An
    address cannot be borrowed like that.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        own = socket.gethostname()
        first = own.partition(".")[0]
        self._names = {_plain(name) for name in (*names, "localhost", own, first, f"{first}.local")} - {""}

    def knows(self, host: str) -> bool:
        """Whether this server may be called so. host: as in the header, with or without a port."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        name = _plain(found["name"])
        return name in self._names or _is_address(name.strip("[]"))


def is_from_here(headers: Headers) -> bool:
    """Whether a page of this server asks, or no page at all: browsers say of which site a page is, once."""
    origins, hosts = headers.getlist("origin"), headers.getlist("host")
    if not origins:
        return True
    found = _ORIGIN.fullmatch(origins[0])
    once = len(origins) == 1 and len(hosts) <= 1
    return found is not None and once and found["host"].casefold() == headers.get("host", "").casefold()


def is_name(text: str) -> bool:
    """Whether it can be the name of a host: without a scheme, a port or a path."""
    return re.fullmatch(r"[^\s/:@*\[\]]+", text) is not None


class Callers:
    """proxies: the addresses or networks of those who may say for whom they call; ValueError for what is none."""

    def __init__(self, proxies: Sequence[str] = ()) -> None:
        self._proxies = [ip_network(proxy) for proxy in proxies]

    def address(self, scope: Scope) -> str:
        """From where a request comes, as limits count it: of an IPv6 address its network, since that is one caller's.

        Of what proxies forward, the last that is none of them: whatever stands before it, anybody could have written.
        They write `X-Forwarded-For` or `Forwarded` and may pass the other one on as it comes. So where both are there
        and do not agree, neither is believed.
        """
        client = scope.get("client")
        caller = str(client[0]) if client else ""
        if not self.are_proxies(caller):
            return counted(caller)
        headers = Headers(scope=scope)
        plain = ",".join(headers.getlist("x-forwarded-for")).split(",")
        standard = _FOR.findall(",".join(headers.getlist("forwarded")))
        told = {self._last(found, caller) for found in (plain, standard) if any(map(str.strip, found))}
        return told.pop() if len(told) == 1 else counted(caller)

    def _last(self, told: Sequence[str], caller: str) -> str:
        others = [without_port(one.strip()) for one in told if one.strip()]
        return counted(next((one for one in reversed(others) if not self.are_proxies(one)), caller))

    def are_proxies(self, address: str) -> bool:
        with suppress(ValueError):
            found = ip_address(address)
            plain = found.ipv4_mapped or found if isinstance(found, IPv6Address) else found
            return any(plain in network for network in self._proxies)
        return False


def counted(address: str) -> str:
    """Under what an address is counted."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:_LONGEST]
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if isinstance(found, IPv6Address) and not found.is_link_local:
        return str(ip_network((int(found), 64), strict=False))
    return str(found)


def without_port(address: str) -> str:
    """An address as proxies may write it: `192.0.2.1:8000`, `[2001:db8::1]:8000`."""
    found = _HOST.fullmatch(address)
    return found["name"].strip("[]") if found is not None else address


def _plain(name: str) -> str:
    return name.casefold().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
