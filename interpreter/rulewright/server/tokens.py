"""Secret tokens: whoever knows one may do what it stands for. Only digests are stored.

The part before the dot, which old tokens lack, is the same for all tokens of a table and no secret: with several server
processes it routes everybody at a table to one of them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

HOST, GROUP, INVITE, SEAT, WATCH, REPLAY = "host", "group", "invite", "seat", "watch", "replay"
"""Purposes of tokens: give away the other links; take the next free seat; take one seat; play it; watch; see a finished
game."""

MAX_LENGTH = 64
"""Maximum characters of a token."""


def new(sibling: str | None = None) -> str:
    """Create an unguessable token. sibling: another token of the same table; None for its first."""
    return _with_prefix(
        secrets.token_urlsafe(3) if sibling is None else routing_prefix(sibling), secrets.token_urlsafe(32)
    )


def with_key(sibling: str, key: str) -> str:
    """Build a token of the same table from a secret that a page has made, which the caller has checked."""
    return _with_prefix(routing_prefix(sibling), key)


def routing_prefix(token: str) -> str:
    """Return the part of a token that routes to a server process; '' if it has none."""
    return token.rpartition(".")[0]


def _with_prefix(prefix: str, secret: str) -> str:
    """Put a table's routing prefix before a secret."""
    return f"{prefix}.{secret}" if prefix else secret


def derived(host: str, purpose: str) -> str:
    """Derive a token of the same table; only somebody with the host's token can compute it."""
    secret = urlsafe_b64encode(hmac.digest(host.encode(), purpose.encode(), "sha256")).decode().rstrip("=")
    return _with_prefix(routing_prefix(host), secret)


def invite(host: str, seat: int) -> str:
    """Derive the invitation to a seat from the host's token."""
    return derived(host, f"{INVITE} {seat}")


def group(host: str) -> str:
    """Derive the invitation for whoever comes first from the host's token."""
    return derived(host, GROUP)


def watch(host: str) -> str:
    """Derive the link for spectators from the host's token."""
    return derived(host, WATCH)


def replay(token: str) -> str:
    """Derive the link to a finished game from the token of whoever shares it."""
    return derived(token, REPLAY)


def digest(token: str) -> bytes:
    """Return the digest stored for a token. With 256 random bits, it needs neither salt nor a slow hash."""
    return hashlib.sha256(token.encode()).digest()


def digests_equal(first: bytes, second: bytes) -> bool:
    """Compare two digests in constant time."""
    return hmac.compare_digest(first, second)
