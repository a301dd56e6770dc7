"""How a workbench is begun and ended."""

from __future__ import annotations

import secrets
import webbrowser
from collections.abc import Callable

import uvicorn

from rulewright.base.records import record
from rulewright.server.server import address, listen
from rulewright.workbench.application import application
from rulewright.workbench.bench import Bench
from rulewright.workbench.workspace import Workspace

HERE = "127.0.0.1"
"""A workbench is for this computer alone: it writes files."""
_LARGEST_MESSAGE = 4 << 20


@record
class Designing:
    """What a workbench works on. folder: its files; file: which one is shown first, or ''; port: 0 for any."""

    folder: Workspace
    file: str = ""
    port: int = 0


def serve(wanted: Designing, begun: Callable[[str], object], browser: bool = True) -> None:
    """Serve until somebody ends it. begun: is told the address; browser: whether the page is opened in one. Raises
    RulewrightError."""
    key = secrets.token_urlsafe(24)
    listening = listen(HERE, wanted.port)
    with listening:
        bench = Bench(wanted.folder)
        server = uvicorn.Server(configured(bench, key, wanted.file, lambda: setattr(server, "should_exit", True)))
        at = f"{address(listening)}open/{key}"
        begun(at)
        if browser:
            webbrowser.open(at)
        server.run(sockets=[listening])


def configured(bench: Bench, key: str, file: str = "", quitting: Callable[[], object] = lambda: None) -> uvicorn.Config:
    return uvicorn.Config(
        application(bench, key, file, quitting),
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
