"""Attendance at tables of several servers: messages between them, and the end of servers that are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import Mock

import pytest

import databases
from game_servers import PATIENCE, Reader, begin, guessing, local_player, reading, server
from rulewright.server import tokens
from rulewright.server.limits import Limits
from rulewright.server.storage import postgresql_listener
from rulewright.server.storage.store import Store
from rulewright.server.tables import attendance_sync
from rulewright.server.tables.attendance import Attendance
from rulewright.server.tables.attendance_sync import AttendanceSync


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WAIT_SECONDS", "CHECK_SECONDS", "RECONNECT_SECONDS"):
        monkeypatch.setattr(postgresql_listener, name, 0.02)
    monkeypatch.setattr(attendance_sync, "GATHER_SECONDS", 0)


class Server:
    """One of several: its number, what it says, and a table."""

    def __init__(self, number: int, others: list[Server]) -> None:
        self.number, self.others, self.messages_sent = number, others, list[str]()
        self.roll_call, self.table = AttendanceSync(self.say), Attendance(lambda: None, 0)
        others.append(self)
        self.roll_call.on_connected()
        self.roll_call.follow(7, self.table)

    def say(self, text: str) -> None:
        self.messages_sent.append(text)
        for other in self.others:
            if other is not self:
                other.roll_call.on_message(self.number, text)

    def end(self) -> None:
        self.others.remove(self)
        for other in self.others:
            other.roll_call.on_process_end(self.number)

    def away(self, *seats: int) -> bool:
        for seat in range(3):
            self.table.expect(seat)
        return set(self.table.away) == set(seats)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(PATIENCE):
            await work()

    asyncio.run(bounded())


async def until(existing: Callable[[], bool]) -> None:
    while not existing():
        await asyncio.sleep(0)


def test_servers_tell_each_other_who_comes_and_goes_and_each_who_is_new() -> None:
    async def work() -> None:
        servers = list[Server]()
        one, two = Server(1, servers), Server(2, servers)
        one.table.come(0)
        two.table.come(1)
        two.table.come(1)
        await until(lambda: one.away(2) and two.away(2))
        late = Server(3, servers)
        await until(lambda: late.away(2))
        one.table.come(1)
        two.table.go(1)
        two.table.go(1)
        await until(lambda: two.messages_sent[-1] == "gone 7.1")
        assert late.away(2), "they are at another one"
        for other in (two, late):
            other.roll_call.on_process_end(one.number)  # its connection was lost
        await until(lambda: late.away(0, 1, 2))
        one.roll_call.on_connected()
        await until(lambda: late.away(2) and two.away(2))
        one.end()
        await until(lambda: late.away(0, 1, 2) and two.away(0, 1, 2))
        assert two.messages_sent == ["who", "here 7.1", "here 7.1", "gone 7.1"], "and nothing else"
        assert one.messages_sent[-2:] == ["who", "here 7.0 7.1"]

    run(work)


def test_page_that_is_loaded_again_is_not_told_of_and_many_are_told_together() -> None:
    async def work() -> None:
        servers = list[Server]()
        one = Server(1, servers)
        for seat in range(700):
            one.table.come(seat)
        await until(lambda: len(one.messages_sent) == 4)
        assert [len(told.split()) - 1 for told in one.messages_sent] == [0, 300, 300, 100]
        assert all(len(told) < 8_000 for told in one.messages_sent)
        one.table.go(5)
        one.table.come(5)
        one.table.come(800)
        await until(lambda: one.messages_sent[-1] == "here 7.800")
        assert len(one.messages_sent) == 5

    run(work)


@pytest.mark.parametrize(
    "text", ["here", "here 7", "here 7.x", "gone 7.1", "here 7.0 7.-", "nonsense 1.2", "here ..", "  "]
)
def test_invalid_messages_change_nothing(text: str) -> None:
    async def work() -> None:
        servers = list[Server]()
        one, two = Server(1, servers), Server(2, servers)
        two.table.come(1)
        await until(lambda: one.away(0, 2))
        one.roll_call.on_message(9, text)
        assert one.away(0, 2)

    run(work)


def wait_for_away(reader: Reader, *away: int) -> None:
    while "seats" not in reader.document or set(reader.document.get("away", {})) != {str(seat) for seat in away}:
        reader.next()


@contextmanager
def speaking(folder: Path) -> Iterator[Store]:
    """Another server, which ends without a word."""
    start = Event()
    store = Store(databases.location(folder))
    received: Any = Mock(on_connected=start.set)
    with store.database.listen(received):
        assert start.wait(PATIENCE)
        yield store
    store.close()


@pytest.mark.rotating(5)
@databases.needs_postgresql
@pytest.mark.parametrize("database", [databases.POSTGRESQL], indirect=True)
def test_players_at_another_server_are_present_until_it_is_gone(database: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, two = (
            stack.enter_context(server(tmp_path, [guessing(tmp_path)], Limits(hold=0, absence=0))) for _ in range(2)
        )
        links = begin(one, local_player("Ann"), local_player("Bo"), local_player("Cy"))
        ann = stack.enter_context(reading(one, links["seats"][0]))
        onlooker = stack.enter_context(reading(two, tokens.watch(links["host"])))
        with reading(two, links["seats"][1]):
            wait_for_away(ann, 2)
            wait_for_away(onlooker, 2)
            with speaking(tmp_path) as other:
                other.database.say("here 1.2")
                wait_for_away(ann)
                wait_for_away(onlooker)
            wait_for_away(ann, 2)
            wait_for_away(onlooker, 2)
            other = Store(databases.location(tmp_path))
            other.database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
                "AND application_name = 'rulewright'"
            )
            other.close()
        wait_for_away(ann, 1, 2)
        wait_for_away(onlooker, 1, 2)
