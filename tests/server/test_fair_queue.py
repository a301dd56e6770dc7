"""Work that waits for few places: tables take turns, and the more of them wait, the less time is fair for each."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from hypothesis import given
from hypothesis import strategies as st

from rulewright.server.bots.fair_queue import FairQueue


class QueueClients:
    """Clients of a queue: those waiting and those with a place, in the order of arrival, with their shares."""

    def __init__(self, places: int) -> None:
        self.queue = FairQueue(places)
        self.started: list[tuple[str, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def come(self, *tables: str) -> None:
        for table in tables:
            self.tasks.append(asyncio.create_task(self._wait(table)))
        await settled()

    async def _wait(self, table: str) -> None:
        self.started.append((table, await self.queue.begin(table)))

    async def end(self, *tables: str) -> None:
        for table in tables:
            self.queue.end(table)
            await settled()

    @property
    def order(self) -> str:
        return "".join(table for table, _ in self.started)


async def settled() -> None:
    """Wait until all that can go on have gone on."""
    for _ in range(4):
        await asyncio.sleep(0)


def with_crowd(places: int, story: Callable[[QueueClients], Awaitable[None]]) -> QueueClients:
    async def run_story() -> QueueClients:
        clients = QueueClients(places)
        await story(clients)
        for task in clients.tasks:
            task.cancel()
        await asyncio.gather(*clients.tasks, return_exceptions=True)
        return clients

    return asyncio.run(run_story())


def test_tables_take_turns() -> None:
    """However much one of them wants, and whenever it asked for it."""

    async def story(clients: QueueClients) -> None:
        await clients.come("A", "A", "A", "A", "B", "C", "B")
        await clients.end(*"ABCABAA")

    assert with_crowd(1, story).order == "ABCABAA"


def test_one_table_never_has_more_than_half_of_the_places() -> None:
    async def story(clients: QueueClients) -> None:
        await clients.come("A", "A", "A", "A")
        assert clients.order == "AA"
        await clients.come("B")
        assert clients.order == "AAB"

    with_crowd(4, story)


def test_waiting_clients_share_the_time_of_one() -> None:
    async def story(clients: QueueClients) -> None:
        await clients.come(*"ABCDEFGH")
        await clients.end(*"ABCDEFGH")
        await clients.come("I")

    shares = dict(with_crowd(2, story).started)
    assert [shares.pop(table) for table in "AB"] == [1, 1], "nobody else was there when they began"
    assert shares.pop("I") == 1, "the others have gone"
    assert set(shares.values()) == {1 / 4}


def test_a_client_that_leaves_is_skipped() -> None:
    async def story(clients: QueueClients) -> None:
        await clients.come("A", "B", "C")
        clients.tasks[1].cancel()
        await settled()
        assert len(clients.queue) == 2
        await clients.end("A")
        assert clients.order == "AC"

    with_crowd(1, story)


def test_a_client_that_leaves_at_its_turn_passes_it_on() -> None:
    async def story(clients: QueueClients) -> None:
        await clients.come("A", "B", "C")
        clients.queue.end("A")
        clients.tasks[1].cancel()  # it has its turn, and has not gone on yet
        await settled()
        assert clients.order == "AC"
        assert len(clients.queue) == 1

    with_crowd(1, story)


@given(st.integers(1, 5), st.lists(st.one_of(st.sampled_from("ABCD"), st.integers(0, 9)), max_size=40))
def test_no_client_is_passed_over_twice_and_no_place_stays_free(places: int, happened: list[str | int]) -> None:
    """happened: which table wants something, or which of those that have a place is done."""

    async def story(clients: QueueClients) -> None:
        doing: list[str] = []
        expected = Counter[str]()
        passed: dict[str, Counter[str]] = {}
        for each in happened:
            before = len(clients.started)
            if isinstance(each, str):
                expected[each] += 1
                await clients.come(each)
            elif doing:
                await clients.end(doing.pop(each % len(doing)))
            for table, share in clients.started[before:]:
                assert 0 < share <= 1
                doing.append(table)
                expected[table] -= 1
                passed.pop(table, None)
                for other in expected:
                    if expected[other] and doing.count(other) < max(1, places // 2):
                        passed.setdefault(other, Counter())[table] += 1
                        assert passed[other][table] < 2
            most = max(1, places // 2)
            assert len(doing) <= places and max(Counter(doing).values(), default=0) <= most
            if len(doing) < places:
                assert all(doing.count(table) == most for table in expected if expected[table])
            assert len(clients.queue) == len(doing) + expected.total()

    with_crowd(places, story)
