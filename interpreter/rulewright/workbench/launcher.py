"""How a workbench is begun and ended."""

from __future__ import annotations

import socket
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import uvicorn

from rulewright.base import files
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server.listening_socket import ServingError, address, listen
from rulewright.workbench import access
from rulewright.workbench.access import Keys
from rulewright.workbench.application import application
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError, Workspace

LOCK = "workbench"
"""The file that the workbench of a folder holds. Nothing is written there: it may have come along with the folder."""
USUAL_PORT = 8917
_PATIENCE, _BETWEEN_LOOKS = 5.0, 0.05
"""Seconds until a workbench that has just begun must have told its address, and between two looks for that."""
HERE = "127.0.0.1"
"""A workbench is for this computer alone: it writes files."""
_LARGEST_MESSAGE = 8 << 20
"""Bytes of a message: a change may be a whole file, of which JSON writes a byte as six letters at most."""


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
    own = wanted.folder.own
    try:
        with _alone(own):
            _serve(wanted, begun, browser)
    except BlockingIOError:
        _show(own, access.with_file(_other(own), wanted.file), begun, browser)


@contextmanager
def _alone(own: Path) -> Iterator[None]:
    """Be the only workbench of a folder. Raises BlockingIOError where there is another one, BenchError."""
    lock = own / LOCK
    with ExitStack() as held:
        try:
            lock.touch(mode=0o600)
            held.enter_context(files.held(lock))
        except BlockingIOError:
            raise
        except OSError as error:
            raise BenchError(
                phrase("errors", "'{path}' cannot be written: {why}.", path=str(lock), why=files.reason(error))
            ) from None
        yield


def _serve(wanted: Designing, begun: Callable[[str], object], browser: bool) -> None:
    own = wanted.folder.own
    keys = access.new_keys(own)
    with _listening(own, wanted.port) as listening:
        bench = Bench(wanted.folder)
        server = uvicorn.Server(
            configured(
                bench, keys, wanted.file, lambda: setattr(server, "should_exit", True), wanted.patience, wanted.speaking
            )
        )
        at = f"{address(listening)}open/{keys.address}"
        try:
            access.tell(own, at)
            access.note_port(own, listening.getsockname()[1])
            _show(own, at, begun, browser)
            server.run(sockets=[listening])
        finally:
            access.forget(own)


def _show(own: Path, at: str, begun: Callable[[str], object], browser: bool) -> None:
    """Tell the address of a workbench, and open it: by a file, since all users see what a browser is called with."""
    begun(at)
    if browser:
        webbrowser.open(access.page(own, at).as_uri())


def _other(own: Path) -> str:
    """The address of the workbench that runs already; it may just have begun. Raises BenchError."""
    until = time.monotonic() + _PATIENCE
    while not (at := access.known(own)):
        if time.monotonic() >= until:
            raise BenchError(
                phrase("errors", "A workbench of this folder runs already, and its address is not known. End it first.")
            )
        time.sleep(_BETWEEN_LOOKS)
    return at


def _listening(own: Path, port: int) -> socket.socket:
    """At the last port of this folder, or else the usual one, where none is wanted, so that a page that is still open
    finds the next workbench, and what its browser has kept; at any other where somebody has that."""
    if port:
        return listen(HERE, port)
    for usual in filter(None, (access.last_port(own), USUAL_PORT)):
        with suppress(ServingError):
            return listen(HERE, usual)
    return listen(HERE, 0)


def configured(
    bench: Bench,
    keys: Keys,
    file: str = "",
    quitting: Callable[[], object] = lambda: None,
    patience: float = 0,
    speaking: str = "",
) -> uvicorn.Config:
    return uvicorn.Config(
        application(bench, keys, file, quitting, patience, speaking=speaking),
        log_level="critical",  # what is cut off when it ends is no error
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=_LARGEST_MESSAGE,
        timeout_graceful_shutdown=2,
    )
