"""Start and stop of a workbench: one for each folder."""

from __future__ import annotations

import socket
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import uvicorn

from rulewright.base import files
from rulewright.i18n.file_errors import write_error
from rulewright.i18n.localizer import phrase
from rulewright.server.listening_socket import ServingError, browser_address, listen
from rulewright.workbench import access
from rulewright.workbench.access import Keys
from rulewright.workbench.application import WorkbenchSettings, application
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError, Workspace

LOCK = "workbench"
"""Name of the lock file. Its content is never written: it may have come along with the folder."""
USUAL_PORT = 8917
"""Port that is tried if the folder's last one is not free; then any."""
_PATIENCE, _CHECK_INTERVAL = 5.0, 0.05
"""Seconds until a starting workbench must have stored its address, and between two checks for it."""
LOOPBACK = "127.0.0.1"
"""Loopback address: a workbench writes files, so it serves this computer alone."""
_MAX_MESSAGE_BYTES = 8 << 20
"""Maximum bytes of a WebSocket message: a change may be a whole file, and JSON writes a byte as up to six letters."""


def serve(
    folder: Workspace,
    settings: WorkbenchSettings,
    on_start: Callable[[str], object],
    port: int = 0,
    browser: bool = True,
) -> None:
    """Serve until the user ends it; if the folder's workbench runs already, open that one. on_start: called with the
    address; port: 0 for any; browser: whether to open a browser. Raises RulewrightError."""
    own = folder.own
    try:
        with _hold_lock(own):
            _run_server(folder, settings, on_start, port, browser)
    except BlockingIOError:
        _open_browser(own, access.with_file(_running_address(own), settings.file), on_start, browser)


@contextmanager
def _hold_lock(own: Path) -> Iterator[None]:
    """Hold the folder's lock. Raises BlockingIOError if another workbench holds it, BenchError if it cannot be
    written."""
    lock = own / LOCK
    with ExitStack() as stack:
        try:
            lock.touch(mode=0o600)
            stack.enter_context(files.lock(lock))
        except BlockingIOError:
            raise
        except OSError as error:
            raise BenchError(write_error(lock, error)) from None
        yield


def _run_server(
    folder: Workspace, settings: WorkbenchSettings, on_start: Callable[[str], object], port: int, browser: bool
) -> None:
    """Serve a folder until the workbench ends; its address stands in the folder meanwhile. Parameters are those of
    `serve`. Raises BenchError, ServingError."""
    own = folder.own
    keys = access.new_keys(own)
    with _listen(own, port) as listener:
        bench = Bench(folder)
        server = uvicorn.Server(server_config(bench, keys, settings, lambda: setattr(server, "should_exit", True)))
        url = f"{browser_address(listener)}open/{keys.address}"
        try:
            access.note_address(own, url)
            access.note_port(own, listener.getsockname()[1])
            _open_browser(own, url, on_start, browser)
            server.run(sockets=[listener])
        finally:
            access.delete_address(own)


def _open_browser(own: Path, url: str, on_start: Callable[[str], object], browser: bool) -> None:
    """Report the address and open it in a browser: through a file, since all users can see a browser's command line.
    Raises BenchError."""
    on_start(url)
    if browser:
        webbrowser.open(access.write_redirect_page(own, url).as_uri())


def _running_address(own: Path) -> str:
    """Return the address of the workbench that already runs; wait for it shortly. Raises BenchError."""
    deadline = time.monotonic() + _PATIENCE
    while not (url := access.stored_address(own)):
        if time.monotonic() >= deadline:
            raise BenchError(
                phrase("errors", "A workbench of this folder runs already, and its address is not known. End it first.")
            )
        time.sleep(_CHECK_INTERVAL)
    return url


def _listen(own: Path, port: int) -> socket.socket:
    """Listen at a port: the given one, else the folder's last or the usual one, so that a page that is still open finds
    the next workbench and its browser storage; else any free one. Raises ServingError."""
    if port:
        return listen(LOOPBACK, port)
    for usual in filter(None, (access.last_port(own), USUAL_PORT)):
        with suppress(ServingError):
            return listen(LOOPBACK, usual)
    return listen(LOOPBACK, 0)


def server_config(
    bench: Bench,
    keys: Keys,
    settings: WorkbenchSettings,
    on_quit: Callable[[], object] = lambda: None,
) -> uvicorn.Config:
    """Return the web server's configuration. on_quit: as for `application`."""
    return uvicorn.Config(
        application(bench, keys, settings, on_quit),
        log_level="critical",  # what is cut off when it ends is no error
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=2,
    )
