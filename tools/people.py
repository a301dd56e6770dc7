"""What people do at tables, for tools that measure servers or try them: they begin one, and answer at random."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any
from urllib.request import Request, urlopen

BEGUN = 60.0
"""Seconds until a table must have begun."""


def table(
    address: str, edition: str, people: int, bots: Sequence[str] = (), headers: Mapping[str, str] | None = None
) -> list[str]:
    """Begin one; the tokens of its seats. edition: its digest; bots: the kinds of the computer's players; headers: as a
    proxy would add them. Raises HTTPError and other OSErrors."""
    seats = [{"player": "here", "name": f"Player {number}"} for number in range(1, people + 1)]
    seats += [{"player": kind} for kind in bots]
    body = json.dumps({"edition": edition, "seats": seats, "options": {}}).encode()
    asking = Request(address + "tables", body, {"content-type": "application/json", **(headers or {})})
    with urlopen(asking, timeout=BEGUN) as answer:
        return list(json.load(answer)["seats"])


def drawn(asked: Mapping[str, Any], rng: Random) -> list[str]:
    """An answer to what a page is asked."""
    offered = [choice["key"] for choice in asked["choices"] for _ in range(choice.get("count", 1))]
    return rng.sample(offered, rng.randint(asked["least"], min(asked["most"], len(offered))))


def percentiles(found: Sequence[float]) -> list[float]:
    """What 99 in 100 exceed, 98 …, and last what 1 in 100 does; of nothing, 0."""
    return statistics.quantiles(found, n=100) if len(found) > 1 else [*found, 0.0][:1] * 99
