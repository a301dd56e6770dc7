"""Firefox for tests, where the machine has it: the driver of Chromium knows only a build of its own.

Firefox itself speaks WebDriver BiDi over a socket: https://www.w3.org/TR/webdriver-bidi/.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

PATIENCE = 120.0
"""Seconds until something that does not come is missed."""
CLICK = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]


class Firefox:
    """One page in Firefox without a window. errors: errors and warnings of its console."""

    PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")

    def __init__(self, folder: Path) -> None:
        assert self.PROGRAM is not None
        self.errors: list[str] = []
        self._process = subprocess.Popen(
            [self.PROGRAM, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(folder)},
        )  # fmt: skip
        assert self._process.stderr is not None
        address = next(match[0] for line in self._process.stderr if (match := re.search(r"ws://\S+", line)))
        self._open = ExitStack()
        self._socket = self._open.enter_context(connect(f"{address}/session", max_size=None))
        self._numbers = count()
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = {"context": self._ask("browsingContext.getTree")["contexts"][0]["context"]}

    def _ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self.errors.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", **self._page, url=address, wait="complete")

    def run(self, function: str) -> Any:
        """Return the result, as JSON can hold it, of a function in JavaScript, or of its promise."""
        script = f"(async () => JSON.stringify(await ({function})()))()"
        answer = self._ask("script.evaluate", expression=script, target=self._page, awaitPromise=True)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"].get("value", "null"))

    def click(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        self._ask(
            "input.performActions",
            **self._page,
            actions=[{"type": "pointer", "id": "mouse", "actions": [move, *CLICK]}],
        )

    def resize(self, width: int, height: int) -> None:
        self._ask("browsingContext.setViewport", **self._page, viewport={"width": width, "height": height})

    def close(self) -> None:
        self._open.close()
        self._process.terminate()
        self._process.wait()
