"""The benchmark of servers says what keeps it from measuring."""

from __future__ import annotations

import asyncio
import io
import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from benchmark_serving import Side
from people import Person


def test_the_benchmark_reports_that_all_games_are_over() -> None:
    lines = '{"address": "http://127.0.0.1:1/", "protocol": 3}\n' + "0.5\n" * 4
    server: Any = SimpleNamespace(stdin=io.StringIO(), stdout=io.StringIO(lines))

    async def play(*over: bool) -> None:
        side.people = [Person(side, "token") for _ in over]
        for person, has_ended in zip(side.people, over, strict=True):
            person.document = {"now": {"over": True} if has_ended else {}}
        await side.play(1000.0, 0.01)

    side = Side("here", cast(Any, server), random.Random(1))
    asyncio.run(play(True, False))
    with pytest.raises(SystemExit, match=r"of here are over.*--tables"):
        asyncio.run(play(True, True))
