"""How a workbench is begun and ended."""

from __future__ import annotations

import os
import secrets
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from rulewright.base import files
from rulewright.base.records import record
from rulewright.server.listening import ServingError, address, listen
from rulewright.workbench.application import application
from rulewright.workbench.desk.bench import Bench
from rulewright.workbench.desk.workspace import Workspace

LOCK, KEY = "workbench", "key"
"""Files: which workbench serves a folder, and what opens it."""
USUAL_PORT = 8917
_KEY_LENGTH = 24
HERE = "127.0.0.1"
"""A workbench is for this computer alone: it writes files."""
_LARGEST_MESSAGE = 4 << 20


@record
class Designing:
    """What a workbench works on. folder: its files; file: which one is shown first, or ''; port: 0 for any; patience:
    seconds after which it ends when its last window has been closed, 0 for never; speaking: the page's language, ''
    for the browser's."""

    folder: Workspace
    file: str = ""
    port: int = 0
    patience: float = 0
    speaking: str = ""


def serve(wanted: Designing, begun: Callable[[str], object], browser: bool = True) -> None:
    """Serve until somebody ends it; where a workbench of this folder runs already, show that. begun: is told the
    address; browser: whether the page is opened in one. Raises RulewrightError."""
    lock = wanted.folder.own / LOCK
    lock.touch(mode=0o600)
    try:
        with files.held(lock):
            _serve(wanted, lock, begun, browser)
    except BlockingIOError:
        at = f"{lock.read_text(encoding='utf-8').strip()}?{urlencode({'file': wanted.file})}"
        begun(at)
        if browser:
            webbrowser.open(at)


def _serve(wanted: Designing, lock: Path, begun: Callable[[str], object], browser: bool) -> None:
    key = _key(wanted.folder.own / KEY)
    with _listening(wanted.port) as listening:
        bench = Bench(wanted.folder)
        server = uvicorn.Server(
            configured(
                bench, key, wanted.file, lambda: setattr(server, "should_exit", True), wanted.patience, wanted.speaking
            )
        )
        at = f"{address(listening)}open/{key}"
        lock.write_text(f"{at}\n", encoding="utf-8")
        begun(at)
        if browser:
            webbrowser.open(at)
        server.run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    """The usual port where none is wanted, so that a page that is still open finds the next workbench; any other where
    somebody has that."""
    if port:
        return listen(HERE, port)
    try:
        return listen(HERE, USUAL_PORT)
    except ServingError:
        return listen(HERE, 0)


def _key(path: Path) -> str:
    """What opens the workbenches of a folder; nobody else may read it. One that others may read, as when a folder came
    with it, is not taken."""
    try:
        open_to_others = os.name == "posix" and path.stat().st_mode & 0o077
        found = "" if open_to_others else path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        found = ""
    if len(found) >= _KEY_LENGTH:
        return found
    made = secrets.token_urlsafe(_KEY_LENGTH)
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(made, encoding="ascii")
    return made


def configured(
    bench: Bench,
    key: str,
    file: str = "",
    quitting: Callable[[], object] = lambda: None,
    patience: float = 0,
    speaking: str = "",
) -> uvicorn.Config:
    return uvicorn.Config(
        application(bench, key, file, quitting, patience, speaking=speaking),
        log_level="critical",  # what is cut off when it ends is no error
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
