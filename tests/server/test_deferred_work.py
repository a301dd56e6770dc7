"""Deferred work runs in slices, and urgent work comes in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.server import deferred_work
from rulewright.server.deferred_work import SLICE_SECONDS, DeferredWork


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each work takes two thirds of a slice."""
    moments = (number * SLICE_SECONDS / 1.5 for number in count())
    monkeypatch.setattr(deferred_work, "time", SimpleNamespace(perf_counter=lambda: next(moments)))


def done(*names: str, failing: str = "") -> list[str]:
    """Return the order in which work is done: each name deferred, and 'now' as soon as possible."""
    results: list[str] = []

    def work(name: str) -> Callable[[], None]:
        def run() -> None:
            results.append(name)
            if name == failing:
                raise ZeroDivisionError

        return run

    async def run() -> None:
        loop, spare = asyncio.get_running_loop(), DeferredWork()
        loop.set_exception_handler(lambda _, context: results.append(type(context["exception"]).__name__))
        for name in names:
            if name == "now":
                loop.call_soon(work(name))
            else:
                spare.add(work(name))
        for _ in range(10 * len(names)):  # what is broken fails, and hangs nothing
            await asyncio.sleep(0)

    asyncio.run(run())
    return results


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "now", "b"], ["a", "now", "b"]),
        (["a", "b", "c", "now", "d"], ["a", "now", "b", "c", "d"]),
        (["now", "a", "now"], ["now", "a", "now"]),
    ],
)
def test_urgent_work_runs_between_the_slices(names: list[str], expected: list[Any]) -> None:
    assert done(*names) == expected


def test_failing_work_stops_no_other() -> None:
    assert done("a", "b", "c", failing="a") == ["a", "ZeroDivisionError", "b", "c"]
