"""Tokens: who knows one may do what it stands for. They are kept only as digests, from which they cannot be told.

Before the dot, which older ones have not, stands where the table is at home: the same in all its tokens, and no secret.
Where several processes serve, that leads everybody at a table to one of them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

HOST, GROUP, INVITE, SEAT, WATCH, REPLAY = "host", "group", "invite", "seat", "watch", "replay"
"""What tokens are for: to give the other links away, to take the next free seat, to take one seat, to play it, to look
on, to see a game that is over."""

LONGEST = 64


def new(beside: str | None = None) -> str:
    """A token that nobody can guess. beside: another one of the same table; None for the first."""
    return _at(secrets.token_urlsafe(3) if beside is None else home(beside), secrets.token_urlsafe(32))


def with_key(beside: str, key: str) -> str:
    """A token of the same table, of a secret that somebody else has made."""
    return _at(home(beside), key)


def home(token: str) -> str:
    """Where a table is at home: a few letters, or '' where that is not told."""
    return token.rpartition(".")[0]


def _at(place: str, secret: str) -> str:
    return f"{place}.{secret}" if place else secret


def derived(host: str, purpose: str) -> str:
    """A token of the same home that whoever has the host's can work out again, and nobody else."""
    secret = urlsafe_b64encode(hmac.digest(host.encode(), purpose.encode(), "sha256")).decode().rstrip("=")
    return _at(home(host), secret)


def invite(host: str, seat: int) -> str:
    return derived(host, f"{INVITE} {seat}")


def group(host: str) -> str:
    return derived(host, GROUP)


def watch(host: str) -> str:
    return derived(host, WATCH)


def replay(token: str) -> str:
    """For anybody, from whoever shows them the game."""
    return derived(token, REPLAY)


def digest(token: str) -> bytes:
    """What is kept of a token. It has 256 random bits: neither salt nor a slow hash would add anything."""
    return hashlib.sha256(token.encode()).digest()


def same(one: bytes, other: bytes) -> bool:
    """Whether two digests are equal, in a time that tells nothing."""
    return hmac.compare_digest(one, other)
