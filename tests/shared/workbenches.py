"""A workbench for tests: of a folder, inside this process; asked as its page asks it, or shown in a real browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import uvicorn
from playwright.sync_api import BrowserContext, Page

from rulewright.server.listening_socket import browser_address, listen
from rulewright.workbench.access import Keys
from rulewright.workbench.application import WorkbenchSettings
from rulewright.workbench.core import bench as benching
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.windows import BenchMessage
from rulewright.workbench.core.workspace import Workspace
from rulewright.workbench.key_guard import COOKIE
from rulewright.workbench.launcher import LOOPBACK, server_config

KEY, EARLIER = "for-tests", "for-tests-before"
PATIENCE = 120.0
"""Seconds for which anything is waited for."""


@dataclass
class Workbench:
    """address: ends in a slash; messages: all messages to windows."""

    bench: Bench
    address: str
    messages: list[BenchMessage]
    _came: threading.Condition

    def get(self, path: str, **slots: Any) -> Any:
        """Return the JSON of an address below /api/. Raises Refused."""
        return self._ask(f"{self.address}api/{path}?{urlencode(slots)}", None)

    def post(self, path: str, body: Any, **slots: Any) -> Any:
        return self._ask(f"{self.address}api/{path}?{urlencode(slots)}", json.dumps(body).encode())

    def raw(self, path: str, key: str = KEY) -> bytes:
        """Return the content of any address. Raises HTTPError."""
        with urlopen(Request(f"{self.address}{path}", headers=self._headers(key))) as answer:
            result: bytes = answer.read()
        return result

    def _ask(self, index: str, body: bytes | None) -> Any:
        try:
            with urlopen(Request(index, body, self._headers(KEY))) as answer:
                return json.loads(answer.read())
        except HTTPError as error:
            raise Refused(error.code, error.read().decode()) from None

    def _headers(self, key: str) -> dict[str, str]:
        port = self.address.rpartition(":")[2].strip("/")
        return {"cookie": f"{COOKIE}-{port}={key}", "content-type": "application/json"}

    def wait(self, expected: Callable[[BenchMessage], bool], since: int = 0) -> BenchMessage:
        """The first message to windows that is wanted. since: of those that came after so many."""
        with self._came:
            results: list[BenchMessage] = []

            def came() -> bool:
                results[:] = [message for message in self.messages[since:] if expected(message)]
                return bool(results)

            assert self._came.wait_for(came, PATIENCE), self.messages[since:]
            return results[0]

    def type(self, name: str, text: str) -> BenchMessage:
        """Make a file say something, and wait until it has been read."""
        since = len(self.messages)
        self.bench.replace(name, text)
        return self.wait(lambda message: message["type"] == "edited" and message["file"] == name, since)

    def open(self, context: BrowserContext, file: str = "", helped: bool = True) -> Page:
        """The page, as soon as the source is there, or it is said that there is none. helped: whether the source has a
        language server, a process that takes longer to begin than all else. Panes do without, though after seconds the
        page says on its console that nobody answers."""
        page = context.new_page()
        if not helped:
            page.route_web_socket(f"{self.address.replace('http', 'ws')}language-server", lambda _: None)
        page.goto(f"{self.address}open/{KEY}?{urlencode({'file': file})}")
        page.locator(".cm-content, .pane").first.wait_for()
        return page


class Refused(Exception):
    """status, text: of the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status, self.text = status, text


PAUSE, LOOK = 0.05, 0.1
"""Seconds after which a workbench writes what is typed, and looks at its files: nobody here goes on typing."""


@contextmanager
def workbench(folder: Path, files: Mapping[str, str] | None = None, port: int = 0) -> Iterator[Workbench]:
    """A workbench on a folder. files: what to put there first; port: 0 for any."""
    for name, text in (files or {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    bench = Bench(Workspace(folder))
    listening = listen(LOOPBACK, port)
    server = uvicorn.Server(server_config(bench, Keys(KEY, KEY, EARLIER), WorkbenchSettings()))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    lines: list[BenchMessage] = []
    came = threading.Condition()

    def hear(message: BenchMessage) -> None:
        with came:
            lines.append(message)
            came.notify_all()

    bench.windows.add(hear)
    with patch.multiple(benching, SAVE_PAUSE=PAUSE, DISK_CHECK_INTERVAL=LOOK):
        try:
            yield Workbench(bench, browser_address(listening), lines, came)
        finally:
            server.should_exit = True
            thread.join()
            listening.close()
