"""Tokens: who knows one may do what it stands for. They are kept only as digests, from which they cannot be told."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

HOST, GROUP, INVITE, SEAT, WATCH, REPLAY = "host", "group", "invite", "seat", "watch", "replay"
"""What tokens are for: to give the other links away, to take the next free seat, to take one seat, to play it, to look
on, to see a game that is over."""

LONGEST = 64


def new() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def derived(host: str, purpose: str) -> str:
    """A token that whoever has the host's can work out again, and nobody else."""
    return urlsafe_b64encode(hmac.digest(host.encode(), purpose.encode(), "sha256")).decode().rstrip("=")


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
