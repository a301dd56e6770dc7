"""A server that knows no rules: what sockets and the disk alone cost, for `benchmark_serving --bare`.

    python tools/serving_bare.py FOLDER SEATS LENGTH

It speaks as `serving_apart` does. An answer is a row that is committed in SQLite, by a thread of its own; then it is
acknowledged, and everybody at the table is sent so many bytes that nobody has to work out.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from serving_apart import listen

EDITIONS = {"editions": [{"title": "any", "edition": "any"}]}


class Tables:
    """seats: at each table; length: of what each of them is sent after an answer."""

    def __init__(self, folder: Path, seats: int, length: int) -> None:
        self.seats, self.length = seats, length
        self.tables: list[list[WebSocket]] = []
        self.questions = count()  # each has a number of its own
        self.thread = ThreadPoolExecutor(1)
        self.file = sqlite3.connect(folder / "bare.sqlite", isolation_level=None, check_same_thread=False)
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE answers (game INTEGER, number INTEGER, take TEXT, PRIMARY KEY (game, number))",
        ):
            self.file.execute(statement)

    async def begin(self, _: Request) -> JSONResponse:
        self.tables.append([])
        return JSONResponse({"seats": [str(len(self.tables) - 1)] * self.seats}, 201)

    async def editions(self, _: Request) -> JSONResponse:
        return JSONResponse(EDITIONS)

    async def play(self, page: WebSocket) -> None:
        await page.accept()
        try:
            table = int((await page.receive_json())["tokens"][0])
            self.tables[table].append(page)
            await page.send_text(self.last_message())
            while True:
                answer = await page.receive_json()
                row = (table, random.getrandbits(60), json.dumps(answer["take"]))
                await asyncio.get_running_loop().run_in_executor(self.thread, self.keep, row)
                await page.send_text(json.dumps({"type": "kept", "question": answer["question"]}))
                for other in self.tables[table]:
                    await other.send_text(self.last_message())
        except WebSocketDisconnect:
            pass

    def keep(self, row: tuple[int, int, str]) -> None:
        self.file.execute("INSERT INTO answers VALUES (?, ?, ?)", row)

    def last_message(self) -> str:
        """Return a document: a question, and as much as there is to see, never twice the same."""
        choices = [{"key": key} for key in ("red", "blue")]
        questions = {"question": next(self.questions), "least": 1, "most": 1, "choices": choices}
        rest = " ".join(random.choices(WORDS, k=self.length // 8))
        change: dict[str, Any] = {"now": {"asked": questions, "seen": rest}}
        return json.dumps({"type": "updates", "of": [{"change": change}]})


WORDS = [f"{word}{number:03}" for word in ("card", "zone", "seat", "turn") for number in range(20)]


def main() -> None:
    folder, seats, length = sys.argv[1:]
    tables = Tables(Path(folder), int(seats), int(length))
    routes = [
        Route("/editions", tables.editions),
        Route("/tables", tables.begin, methods=["POST"]),
        WebSocketRoute("/play", tables.play),
    ]
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(256)
    config = uvicorn.Config(
        Starlette(routes=routes), log_level="error", access_log=False, lifespan="off", ws="websockets-sansio"
    )
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    print(json.dumps({"address": address, "protocol": 3}), flush=True)
    Thread(target=listen, daemon=True).start()
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
