"""A workbench ends some time after its last window has been closed, and not while somebody is there."""

from __future__ import annotations

import asyncio

from clocks import TestClock
from rulewright.workbench.core.idle_shutdown import IdleShutdown


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_workbench_ends_after_its_last_window() -> None:
    async def work() -> None:
        ended: list[bool] = []
        clock = TestClock()
        windows = IdleShutdown(300, lambda: ended.append(True), clock)
        watching = asyncio.create_task(windows.watch())
        await settled()
        with windows.open_window():
            with windows.open_window():
                clock.go(400)
                await settled()
            await settled()
            clock.go(400)
            await settled()
            assert not ended
        await settled()
        clock.go(200)
        await settled()
        with windows.open_window():  # a page that was loaded anew
            await settled()
        clock.go(200)
        await settled()
        assert not ended
        clock.go(200)
        await watching
        assert ended

    asyncio.run(work())


def test_the_workbench_ends_if_no_window_opens() -> None:
    async def work() -> None:
        ended: list[bool] = []
        clock = TestClock()
        watching = asyncio.create_task(IdleShutdown(60, lambda: ended.append(True), clock).watch())
        await settled()
        clock.go(61)
        await watching
        assert ended

    asyncio.run(work())


def test_the_workbench_stays_without_a_time_limit() -> None:
    asyncio.run(IdleShutdown(0, lambda: 1 / 0, TestClock()).watch())
