"""People who note what they answer and what they are told, and whether the log of their tables says the same."""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from websockets.asyncio.client import ClientConnection, connect

import people
from rulewright import players
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.players.seating import PERSON, RANDOM_BOT
from rulewright.server import tokens
from rulewright.server.edition_registry import restore_rules
from rulewright.server.storage.records import PinnedEdition
from rulewright.server.storage.store import Store
from rulewright.server.tables.log_rows import apply, replay
from rulewright.server.views.merge_patches import merge_patch
from rulewright.server.web.protocol import VERSION

AGAIN, SILENT = 0.2, 120.0
"""Seconds until somebody tries again what was refused or lost, and after which they load a page again that tells them
nothing."""
STANDS = 0.5
"""Share of answers that a person confirms while a bot waits."""


@dataclass
class Testimony:
    """Record of a table.

    answers_given: by seat, the answers to each question, the last of several tries last; acknowledged: the questions
    and answers that were; last_state: the end of the game on somebody's page.
    """

    tokens: list[str]
    answers_given: dict[int, list[list[list[str]]]] = field(default_factory=dict)
    acknowledged: dict[int, list[tuple[int, list[str]]]] = field(default_factory=dict)
    last_state: Any = None

    @property
    def answers(self) -> int:
        """Number of acknowledged answers."""
        return sum(map(len, self.acknowledged.values()))


def begin_table(addresses: Sequence[str], edition: str, seats: int, rng: Random, bots: int = 1) -> Testimony:
    """Begin a table with seats for people, and the computer's players. Tries again; exits in the end."""
    for _ in range(200):
        with suppress(HTTPException, OSError):
            return Testimony(people.table(rng.choice(addresses), edition, seats, [RANDOM_BOT] * bots, somewhere(rng)))
        time.sleep(AGAIN)
    raise SystemExit("No table can be begun.")


def somewhere(rng: Random) -> dict[str, str]:
    """Return the header that a proxy in front would send: limits by address count people, and not this tool."""
    return {"x-forwarded-for": f"10.0.{rng.randrange(250)}.{rng.randrange(250)}"}


def opened(addresses: Sequence[str], table: Testimony, seat: int, rng: Random) -> connect:
    """Return a connection, yet to be opened, for the page of a seat at any of the servers."""
    address = f"{rng.choice(addresses).replace('http', 'ws')}play/{tokens.routing_prefix(table.tokens[seat])}"
    return connect(address, max_size=None, open_timeout=20, additional_headers=somewhere(rng))


class Visit:
    """One page, from when it is opened until it is closed."""

    def __init__(self, line: ClientConnection, table: Testimony, seat: int, rng: Random) -> None:
        self.table, self.rng = table, rng
        self._line, self._token = line, table.tokens[seat]
        self._answers, self._acknowledged = (
            table.answers_given.setdefault(seat, []),
            table.acknowledged.setdefault(seat, []),
        )
        self._state: dict[str, Any] = {}
        self._question: dict[str, Any] | None = None
        self._answered, self._due, self._sent = -1, math.inf, 0.0
        self._take = dict[int, list[str]]()
        self._stood = False

    # ── what people do otherwise than others ──

    def thinks(self) -> float:
        """Return the number of seconds before an answer."""
        return 0.05 * self.rng.random()

    def leaves(self) -> bool:
        """Return whether somebody leaves after an answer."""
        return False

    def saw(self) -> None:
        """React to the table when it is first there."""

    def acknowledge(self, seconds: float) -> None:
        """React to an acknowledgement that came so long after the answer."""

    # ── what all do ──

    async def played(self) -> bool:
        """Play and note it, until the game is over or somebody leaves; return whether it is over. Raises TimeoutError
        where nothing is told any more, WebSocketException."""
        await self._say({"type": "hello", "protocol": VERSION, "tokens": [self._token], "language": "en"})
        while True:
            wait = min(SILENT, self._due - time.monotonic())
            if wait <= 0:
                await self._answer()
                continue
            try:
                message = json.loads(await asyncio.wait_for(self._line.recv(), wait))
            except TimeoutError:
                if self._due == math.inf:
                    raise
                continue
            if message["type"] == "kept":
                self.acknowledge(time.monotonic() - self._sent)
                self._acknowledged.append((message["question"], self._take[message["question"]]))
                if self.leaves():
                    return False
            elif message["type"] == "refused":
                self._answered = -1
                await asyncio.sleep(AGAIN)
                await self._say({"type": "again"})
            if await self._look(message):
                return True

    async def _look(self, message: dict[str, Any]) -> bool:
        """Take in a message, and note when to answer what is asked; return whether the game is over."""
        for update in message.get("of", ()):
            if not self._state:
                self.saw()
            self._state = merge_patch({} if update["number"] == 1 else self._state, update["change"])
        now = {**self._state.get("now", {}), **self._state.get("own", {})}
        if now.get("over"):
            self.table.last_state = now.get("standings")
            return True
        if now.get("held") and not self._stood:
            self._stood = True
            if self.rng.random() < STANDS:
                await self._say({"type": "stand"})
        self._question = now.get("asked")
        if self._question is None:
            self._due = math.inf
        elif self._question["question"] > self._answered and self._due == math.inf:
            self._due = time.monotonic() + self.thinks()
            self._stood = False
        return False

    async def _answer(self) -> None:
        """Draw an answer to the question, note it and send it."""
        self._due = math.inf
        assert self._question is not None
        take, question = people.draw_answer(self._question, self.rng), int(self._question["question"])
        while len(self._answers) <= question:
            self._answers.append([])
        self._answers[question].append(take)
        self._answered, self._take[question], self._sent = question, take, time.monotonic()
        await self._say({"type": "answer", "question": question, "take": take})

    async def _say(self, message: dict[str, Any]) -> None:
        await self._line.send(json.dumps(message))


# ── what is true in the end ──


def faults(address: str, tables: Iterable[Testimony], over: bool = True) -> list[str]:
    """Return the errors in the log at an address, by the records of the people.

    over: whether all games must have ended.
    """
    results = list[str]()
    with closing(Store(address)) as store:
        for table in tables:
            entrance = store.grant(table.tokens[0])
            results += ["a table is lost"] if entrance is None else _faults(store, entrance.game, table, over)
    return results


def _faults(store: Store, game: int, table: Testimony, over: bool) -> list[str]:
    """Return the errors at a table."""
    results, record, rows = [], store.record(game), store.answers(game)
    pinned = store.edition(record.edition)
    assert pinned is not None
    of_seat: dict[int, list[list[str]]] = {}
    for row in rows:
        of_seat.setdefault(row.seat, []).append(list(row.take or ()))
    for seat, answers in table.answers_given.items():
        stored = of_seat.get(seat, [])
        for question, take in table.acknowledged.get(seat, []):
            if question >= len(stored) or stored[question] != take:
                results.append(f"table {game}: answer {question} of seat {seat} was acknowledged and is lost")
        if len(stored) > len(answers) or any(take not in tried for take, tried in zip(stored, answers, strict=False)):
            results.append(f"table {game}: seat {seat} has answers that nobody gave, or one twice")
    rules = _rules(pinned)
    alone = replay(rules, record, record.seats, []).game
    for number, row in enumerate(rows):
        if record.seats[row.seat].player != PERSON and row.take != _alone(alone, row.seat):
            results.append(f"table {game}: answer {number} of the computer is another one than alone")
        apply(alone, row)
    if not over and table.last_state is None:
        return results
    if not alone.over:
        results.append(f"table {game}: the game has not ended")
    ended = [row.seat for row in alone.standings()] if alone.over else []
    if table.last_state is None:
        results.append(f"table {game}: nobody saw the end")
    elif [row.get("seat", 0) for row in table.last_state] != ended:
        results.append(f"table {game}: it ended otherwise on the pages")
    return results


@cache
def _rules(pinned: PinnedEdition) -> Rules:
    return restore_rules(pinned)


def _alone(game: Game, seat: int) -> tuple[str, ...]:
    """Return the answer that a bot gives by itself where a game stands."""
    count = sum(other == seat for other, _ in game.history.answer_keys())
    sight, question = game.known(seat)
    seed = players.answer_seed(game, seat, count)
    return tuple(
        game.offer(question).keys(players.make_player(RANDOM_BOT, game.machine).choose(sight, question, Random(seed)))
    )
