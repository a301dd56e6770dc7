"""The computer's players at a table: they think in processes of their own, and answer as they would anywhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.testclient import TestClient

from places import GAMES
from rulewright import players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.server.edition_registry import Offers, offer
from rulewright.server.log_rows import apply
from rulewright.server.server import application
from rulewright.server.store import Store
from rulewright.server.thinking import Thinkers
from served import HOSTS, begin, here, reading

FOUR = str(GAMES / "four-in-a-row.yaml")


def test_whoever_thinks_answers_at_a_table_as_anywhere_else(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    with TestClient(application(store, Offers([FOUR]), thinkers=Thinkers(1), hosts=HOSTS)) as client:
        with reading(client, begin(client, here("Ann"), {"player": "greedy"})["seats"][0]) as ann:
            for _ in range(3):
                ann.answer(ann.asked()["choices"][0]["key"])
                ann.look(lambda state: state["asked"] or state["over"])
        record, rows = store.record(1), store.answers(1)
    assert sum(row.seat == 1 for row in rows) >= 3
    game, thought = Game.start(library.load(FOUR), [seat.name for seat in record.seats], {}, record.seed), 0
    for row in rows:
        if row.seat == 1:
            assert list(row.take or ()) == list(players.choose("greedy", game, 1, thought))
            thought += 1
        apply(game, row)


def test_process_that_ends_while_it_thinks_is_replaced() -> None:
    rules = library.load(FOUR)
    game, pinned = Game.start(rules, ["Ann", "Bo"], {}, 3), offer(rules).pinned
    sight, asked = game.known(0)
    thinkers = Thinkers(1)

    async def thought() -> list[int]:
        return await thinkers.choose("greedy", pinned, game.machine, sight, asked, "luck")

    async def ended() -> tuple[list[int], list[int]]:
        first = await thought()
        assert thinkers._pool is not None
        for process in thinkers._pool._processes.values():
            process.kill()
        assert len(await thought()) == 1  # whatever it is
        return first, await thought()

    try:
        first, after = asyncio.run(ended())
    finally:
        thinkers.close()
    assert first == after
