"""The computer's players at a table: they think in processes of their own, and answer as they would anywhere."""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, nullcontext
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient

from game_servers import HOSTS, begin, guessing, local_player, reading
from project_folders import GAMES
from rulewright import players
from rulewright.base import cache
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import evaluation, kinds
from rulewright.players.seating import PERSON
from rulewright.program.state_layout import ROUND
from rulewright.runtime.machine import OpenDecision
from rulewright.server.application import AppSettings, application
from rulewright.server.bots import bot_pool, cpu_slots
from rulewright.server.bots.bot_driver import BotDriver
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.bots.cpu_slots import slot
from rulewright.server.edition_registry import EditionRegistry, playable_edition
from rulewright.server.storage.store import Store
from rulewright.server.tables.log_rows import apply

FOUR = str(GAMES / "four-in-a-row.yaml")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that are quick elsewhere may take all the time that they need here."""
    monkeypatch.setattr(kinds, "QUICK_TABLE_MILLISECONDS", kinds.MAX_MILLISECONDS)


@pytest.mark.rotating(3)
@pytest.mark.usefixtures("patient")
def test_search_players_answer_the_same_at_a_table(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with TestClient(
        application(store, EditionRegistry([FOUR]), AppSettings(hosts=HOSTS, bots=BotPool(1, pause=no_pause)))
    ) as client:
        with reading(client, begin(client, local_player("Ann"), {"player": "greedy"})["seats"][0]) as ann:
            for _ in range(3):
                ann.answer(ann.question()["choices"][0]["key"])
                ann.look(lambda state: state["asked"] or state["over"])
        record, rows = store.record(1), store.answers(1)
    assert sum(row.seat == 1 for row in rows) >= 3
    game, duration = Game.start(library.load(FOUR), [seat.name for seat in record.seats], {}, record.seed), 0
    for row in rows:
        if row.seat == 1:
            assert list(row.take or ()) == list(players.choose("greedy", game, 1, duration))
            duration += 1
        apply(game, row)


def test_native_code_is_ready_before_the_first_answer() -> None:
    """Making it takes longer than an answer."""
    pinned, prepared = playable_edition(library.load(FOUR)).pinned, list[tuple[Any, ...]]()

    class Noting(Desk):
        def submit(self, work: Callable[..., Any], /, *arguments: Any, **more: Any) -> Future[Any]:
            prepared.append(arguments)
            work(*arguments)
            return super().submit(work, *arguments, **more)

    async def prepare() -> None:
        thinkers, desk = BotPool(1), Noting()
        thinkers._new_pool = lambda: desk  # type: ignore[method-assign]
        await thinkers.prepare(["random"], pinned, 2)
        task = asyncio.create_task(thinkers.prepare(["search", "random"], pinned, 2))
        await settled()
        desk.pending.pop()[0].set_result(None)
        await task

    asyncio.run(prepare())
    assert prepared == [(["search-400ms"], pinned, 2)]
    assert bot_pool._cached_machine(pinned, 2) in evaluation.executors


@pytest.mark.rotating(2)
@pytest.mark.usefixtures("patient")
def test_process_that_ends_while_it_thinks_is_replaced() -> None:
    rules = library.load(FOUR)
    game, pinned = Game.start(rules, ["Ann", "Bo"], {}, 3), playable_edition(rules).pinned
    sight, question = game.known(0)
    thinkers = BotPool(1, pause=no_pause)

    async def think() -> list[int]:
        return await thinkers.choose("table", "greedy", pinned, game.machine, sight, question, "luck")

    async def ended() -> tuple[list[int], list[int]]:
        first = await think()
        assert isinstance(thinkers._pool, ProcessPoolExecutor)
        for process in thinkers._pool._processes.values():
            process.kill()
        assert len(await think()) == 1  # whatever it is
        return first, await think()

    try:
        first, after = asyncio.run(ended())
    finally:
        thinkers.close()
    assert first == after


class Ponderer(BotPool):
    """Bots that think until they are let."""

    def __init__(self) -> None:
        super().__init__(1)
        self.seeds: list[str] = []
        self.thinks, self.may_answer = Event(), Event()

    async def choose(self, *arguments: Any, **more: Any) -> list[int]:
        self.seeds.append(arguments[-1])
        self.thinks.set()
        await asyncio.to_thread(self.may_answer.wait)
        return await super().choose(*arguments, **more)


SECRETS = """\
rulewright: 1
title: Secrets
players: 3
phases:
  play:
    do:
      - each seat:
          - choose number from 1 to 2 as stake
          - if stake is 2: choose number from 1 to 2 as more
          - log: "{seat} is ready."
"""


def test_bots_hurry_by_the_steps_since_a_person_answered() -> None:
    """Questions that others do not see do not count."""

    def counts(keys: str) -> list[int]:
        game, steps = Game.start(library.from_text(SECRETS, "secrets"), ["Ann", "Bo", "Cy"], {}, 1), []
        table: Any = SimpleNamespace(kinds=[PERSON, "greedy", "greedy"])
        driver = BotDriver(table)
        for key in keys:
            game.answer(game.decisions()[0].seat, [key])
            steps.append(driver._steps_in_row(game))
        return steps

    assert counts("1111") == [0, 1, 3, 0], "the next round is a step, too"
    assert counts("12111") == [0, 0, 1, 3, 0]


def test_what_people_seal_meanwhile_interrupts_no_thought(tmp_path: Path) -> None:
    """Else they would wait for it a second time."""
    store, bots = Store(tmp_path / "tables.sqlite"), Ponderer()
    settings = AppSettings(hosts=HOSTS, bots=bots)
    with TestClient(application(store, EditionRegistry([guessing(tmp_path)]), settings)) as client:
        links = begin(client, local_player("Ann"), {"player": "random"})
        with reading(client, links["seats"][0]) as ann:
            bots.thinks.wait()
            for key in ("1", "2"):
                assert ann.answer(key)["type"] == "kept"
            bots.may_answer.set()
            ann.look(lambda state: state["asked"])
        assert len(bots.seeds) >= 2 and len({*bots.seeds}) == len(bots.seeds), "it thinks once for each answer"


class Desk(Executor):
    """Stand-in for processes: work lies here until the test does it."""

    def __init__(self) -> None:
        self.pending: list[tuple[Future[Any], Sequence[Any]]] = []

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        self.pending.append((done, (work, *arguments)))
        return done


def at_desks(processes: int, story: Callable[[BotPool, Desk, Callable[[int], Task[list[int]]]], Any]) -> None:
    """story: is given whoever thinks, the desk, and a function that asks a bot at a table."""
    rules = library.load(FOUR)
    game, pinned = Game.start(rules, ["Ann", "Bo"], {}, 3), playable_edition(rules).pinned
    sight, question = game.known(0)

    async def run_desks() -> None:
        thinkers, desk = BotPool(processes, pause=no_pause), Desk()
        thinkers._new_pool = lambda: desk  # type: ignore[method-assign]

        def ask(table: int) -> Task[list[int]]:
            choice = thinkers.choose(table, "search", pinned, game.machine, sight, question, "luck")
            return asyncio.create_task(choice)

        await story(thinkers, desk, ask)

    asyncio.run(run_desks())


async def no_pause(_: float) -> None:
    pass


async def settled() -> None:
    for _ in range(6):
        await asyncio.sleep(0)


async def done(desk: Desk) -> str:
    """Finish the work that was given first; return the kind of bot."""
    future, (_, kind, *_) = desk.pending.pop(0)
    future.set_result(([0], 0.0))
    await settled()
    return str(kind)


@pytest.mark.parametrize(
    ("processes", "tables", "first", "then"),
    [
        pytest.param(1, 1, "search-400ms", "", id="alone"),
        pytest.param(1, 2, "search-400ms", "search-200ms", id="two tables"),
        pytest.param(1, 8, "search-400ms", "search-50ms", id="eight tables"),
        pytest.param(4, 8, "search-400ms", "search-200ms", id="eight tables, four processes"),
        pytest.param(1, 9, "search-400ms", "greedy-50ms", id="a crowd"),
        pytest.param(4, 400, "search-400ms", "greedy-50ms", id="a large crowd"),
    ],
)
def test_waiting_tables_reduce_the_time_of_each(processes: int, tables: int, first: str, then: str) -> None:
    async def story(thinkers: BotPool, desk: Desk, ask: Callable[[int], Task[list[int]]]) -> None:
        answers = [ask(table) for table in range(tables)]
        await settled()
        assert thinkers.busy_with == tables
        assert len(desk.pending) == min(processes, tables), "no more is begun than there are processes"
        kinds = [await done(desk) for _ in range(tables)]
        assert kinds == [first] * min(processes, tables) + [then] * (tables - processes)
        assert [await answer for answer in answers] == [[0]] * tables
        assert thinkers.busy_with == 0
        ask(0)
        await settled()
        assert await done(desk) == first, "there is time again"

    at_desks(processes, story)


class Inline(Executor):
    """Stand-in for processes: all work is done at once, and takes some time on a clock, by the number of choices."""

    def __init__(self) -> None:
        self.now = 0.0
        self.offered: set[int] = set()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        question = next(one for one in arguments if isinstance(one, OpenDecision))
        self.offered.add(len(question.candidates))
        if len(question.candidates) > question.least:
            self.now += 0.001 * len(question.candidates)
        done.set_result(work(*arguments))
        return done


@pytest.mark.rotating(4)
@pytest.mark.parametrize("kind", ["greedy", "search", "medium"])
def test_the_time_of_an_answer_reveals_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One card that must be played takes as long as twelve of which one is chosen, or as none that is thought over."""
    rules = library.load("classics/hearts")
    pinned, desk, times = playable_edition(rules).pinned, Inline(), []
    for limit in ("TABLE_MILLISECONDS", "QUICK_TABLE_MILLISECONDS", "MIN_TABLE_MILLISECONDS"):
        monkeypatch.setattr(kinds, limit, 20)
    monkeypatch.setattr(bot_pool, "monotonic", lambda: desk.now)
    monkeypatch.setattr(bot_pool, "slot", lambda: nullcontext(0.0))

    async def pause(seconds: float) -> None:
        assert seconds >= 0
        desk.now += seconds

    async def played(seed: int) -> None:
        thinkers = BotPool(1, pause=pause)
        thinkers._new_pool = lambda: desk  # type: ignore[method-assign]
        game = Game.start(rules, ["Ann", "Bo", "Cy", "Dee"], {}, seed)
        while game.state[ROUND] < 2:
            seat, start = game.pending.seats[0], desk.now
            sight, question = game.known(seat)
            choice = await thinkers.choose("table", kind, pinned, game.machine, sight, question, "luck")
            times.append(round(desk.now - start, 6))
            game.answer(seat, game.offer(question).keys(choice))

    for seed in (1, 2):
        asyncio.run(played(seed))
    assert desk.offered >= {1, 2, 5, 13}
    assert set(times) == {round(players.answer_time(players.table_kind(kind), rules.machine(4).program), 6)}


def test_a_table_that_asks_for_more_lets_the_others_go_first() -> None:
    async def story(thinkers: BotPool, desk: Desk, ask: Callable[[int], Task[list[int]]]) -> None:
        greedy = [ask(0) for _ in range(5)]
        other = ask(1)
        await settled()
        for _ in range(2):
            await done(desk)
        assert other.done() and not greedy[1].done()
        for _ in range(4):
            await done(desk)

    at_desks(1, story)


def test_a_process_stays_busy_until_it_is_done() -> None:
    async def story(thinkers: BotPool, desk: Desk, ask: Callable[[int], Task[list[int]]]) -> None:
        leaving, staying = ask(0), ask(1)
        await settled()
        desk.pending[0][0].set_running_or_notify_cancel()
        leaving.cancel()
        await settled()
        assert len(desk.pending) == 1 and thinkers.busy_with == 2
        await done(desk)
        await done(desk)
        assert await staying == [0]

    at_desks(1, story)


def test_work_that_cannot_start_frees_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(thinkers: BotPool, desk: Desk, ask: Callable[[int], Task[list[int]]]) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(desk, "submit", Mock(side_effect=OSError("no more processes")))
            assert len(await ask(0)) == 1, "it is left to chance"
        assert thinkers.busy_with == 0
        answer = ask(0)
        await settled()
        await done(desk)
        assert await answer == [0]

    at_desks(1, story)


def test_all_servers_of_a_machine_share_its_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    monkeypatch.setattr(cpu_slots, "slot_count", lambda: 2)
    questions: list[float] = []
    with slot():
        with slot():
            monkeypatch.setattr("rulewright.server.bots.cpu_slots.time.sleep", questions.append)
            with slot(max_wait=0.0), slot(max_wait=0.0):
                assert not questions, "whoever has waited for long enough begins, wherever that place is"
            with ExitStack() as stack:
                assert not cpu_slots._take_slot(tmp_path / "thinking", stack)
        with ExitStack() as stack:
            assert cpu_slots._take_slot(tmp_path / "thinking", stack), "one is free again"


def test_without_a_folder_every_server_has_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_slots, "slot_count", lambda: 1)
    monkeypatch.setattr("rulewright.server.bots.cpu_slots.time.sleep", lambda _: pytest.fail("it waits"))
    (tmp_path / "file").touch()
    for nowhere in ("off", str(tmp_path / "file")):
        monkeypatch.setenv(cache.VARIABLE, nowhere)
        with slot(), slot():
            pass


@pytest.mark.parametrize(
    ("kind", "waited", "then"),
    [
        ("search-400ms", 0.0, "search-400ms"),
        ("search-400ms", 0.1, "search-400ms"),
        ("search-400ms", 0.4, "search-200ms"),
        ("search-400ms", 1.2, "search-100ms"),
        ("search-50ms", 0.1, "greedy-50ms"),
        ("greedy-200ms", 0.2, "greedy-100ms"),
        ("search-500", 2.0, "search-500"),
        ("greedy", 2.0, "greedy"),
    ],
)
def test_waiting_for_a_place_reduces_the_time(kind: str, waited: float, then: str) -> None:
    assert players.kind_after_wait(kind, waited) == then
