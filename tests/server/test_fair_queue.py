"""Work that waits for few places: tables take turns, and the more of them wait, the less time is fair for each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from hypothesis import given
from hypothesis import strategies as st

from rulewright.server.bots.fair_queue import FairQueue


class Crowd:
    """Who waits at a queue, and who has a place, in the order in which they came to it, with their shares."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.begun: list[tuple[str, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def come(self, *tables: str) -> None:
        for table in tables:
            self.tasks.append(asyncio.create_task(self._wait(table)))
        await settled()

    async def _wait(self, table: str) -> None:
        self.begun.append((table, await self.queue.begin(table)))

    async def end(self, *tables: str) -> None:
        for table in tables:
            self.queue.end(table)
            await settled()

    @property
    def order(self) -> str:
        return "".join(table for table, _ in self.begun)


async def settled() -> None:
    """Whoever can go on has gone on."""
    for _ in range(4):
        await asyncio.sleep(0)


def with_crowd(places: int, story: Callable[[Crowd], Awaitable[None]]) -> Crowd:
    async def told() -> Crowd:
        crowd = Crowd(places)
        await story(crowd)
        for task in crowd.tasks:
            task.cancel()
        await asyncio.gather(*crowd.tasks, return_exceptions=True)
        return crowd

    return asyncio.run(told())


def test_tables_take_turns() -> None:
    """However much one of them wants, and whenever it asked for it."""

    async def story(crowd: Crowd) -> None:
        await crowd.come("A", "A", "A", "A", "B", "C", "B")
        await crowd.end(*"ABCABAA")

    assert with_crowd(1, story).order == "ABCABAA"


def test_one_table_never_has_more_than_half_of_the_places() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.come("A", "A", "A", "A")
        assert crowd.order == "AA"
        await crowd.come("B")
        assert crowd.order == "AAB"

    with_crowd(4, story)


def test_who_waits_together_shares_the_time_of_one() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.come(*"ABCDEFGH")
        await crowd.end(*"ABCDEFGH")
        await crowd.come("I")

    shares = dict(with_crowd(2, story).begun)
    assert [shares.pop(table) for table in "AB"] == [1, 1], "nobody else was there when they began"
    assert shares.pop("I") == 1, "the others have gone"
    assert set(shares.values()) == {1 / 4}


def test_who_leaves_while_waiting_is_passed_over() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.come("A", "B", "C")
        crowd.tasks[1].cancel()
        await settled()
        assert len(crowd.queue) == 2
        await crowd.end("A")
        assert crowd.order == "AC"

    with_crowd(1, story)


def test_who_leaves_when_its_turn_has_come_gives_it_to_the_next() -> None:
    async def story(crowd: Crowd) -> None:
        await crowd.come("A", "B", "C")
        crowd.queue.end("A")
        crowd.tasks[1].cancel()  # it has its turn, and has not gone on yet
        await settled()
        assert crowd.order == "AC"
        assert len(crowd.queue) == 1

    with_crowd(1, story)


@given(st.integers(1, 5), st.lists(st.one_of(st.sampled_from("ABCD"), st.integers(0, 9)), max_size=40))
def test_nobody_is_passed_twice_and_no_place_stays_free(places: int, happened: list[str | int]) -> None:
    """happened: which table wants something, or which of those that have a place is done."""

    async def story(crowd: Crowd) -> None:
        doing: list[str] = []
        wanted = Counter[str]()
        passed: dict[str, Counter[str]] = {}
        for each in happened:
            before = len(crowd.begun)
            if isinstance(each, str):
                wanted[each] += 1
                await crowd.come(each)
            elif doing:
                await crowd.end(doing.pop(each % len(doing)))
            for table, share in crowd.begun[before:]:
                assert 0 < share <= 1
                doing.append(table)
                wanted[table] -= 1
                passed.pop(table, None)
                for other in wanted:
                    if wanted[other] and doing.count(other) < max(1, places // 2):
                        passed.setdefault(other, Counter())[table] += 1
                        assert passed[other][table] < 2
            most = max(1, places // 2)
            assert len(doing) <= places and max(Counter(doing).values(), default=0) <= most
            if len(doing) < places:
                assert all(doing.count(table) == most for table in wanted if wanted[table])
            assert len(crowd.queue) == len(doing) + wanted.total()

    with_crowd(places, story)
