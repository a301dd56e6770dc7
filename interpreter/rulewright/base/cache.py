"""What takes long to work out, kept in the user's cache for the next time. It may be missing, or gone, at any time.

Nothing that lies there is believed: it must be the user's own, whole, and made of the plain records that are kept
there; what is named by a key was made from just that by just this version of the package. Native code among it is run,
as Python runs what it keeps of modules.
"""

from __future__ import annotations

import gc
import hashlib
import io
import os
import pickle
import stat
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.base import resources

VARIABLE = "RULEWRIGHT_CACHE"
"""In the environment: the folder to keep things in; 'off' for none."""
MOST_KEPT = 400
MOST_BYTES = 64_000_000
"""Of one thing that is kept."""
_NOW_AND_THEN = "1"
"""Names are of hexadecimal digits: one in sixteen is less."""

_CHECKSUM = 32
_NAMES = {
    "builtins": {"frozenset", "range", "set"},
    "collections": {"Counter", "OrderedDict"},
    "pathlib": {"PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath"},
}


def key(*parts: object) -> str:
    """The name of what is made from these, by this version of the package and of Python."""
    digest = hashlib.sha256(f"{_version()} {sys.version}".encode())
    for part in parts:
        told = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(b"%d:" % len(told) + told)
    return digest.hexdigest()


def found(name: str) -> Any:
    """What is kept by a name that `key` gave; None where there is nothing that can be used."""
    home = folder()
    if home is None:
        return None
    try:
        with open(home / name, "rb", opener=_no_link) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES or not _is_own(status):
                return None
            data = file.read(MOST_BYTES)
        if data != _sealed(data[_CHECKSUM:]):
            return None
        os.utime(home / name)  # what is used is forgotten last
        return _made(data[_CHECKSUM:])
    except Exception:
        return None


def keep(name: str, value: object) -> None:
    """Keep something for the next time, if that can be; other processes see all of it or nothing."""
    home = folder()
    if home is None:
        return
    with suppress(OSError, ValueError, pickle.PicklingError, RecursionError, TypeError, AttributeError):
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = home / f".{os.urandom(8).hex()}"
        try:
            draft.write_bytes(_sealed(data))
            os.chmod(draft, 0o600)
            os.replace(draft, home / name)
        finally:
            draft.unlink(missing_ok=True)
        if name < _NOW_AND_THEN:  # looking through a full folder takes longer than keeping one thing more
            _forget_oldest(home)


def folder() -> Path | None:
    """Where things are kept; None for nowhere."""
    given = os.environ.get(VARIABLE, "")
    if given == "off":
        return None
    if given:
        return Path(given).absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return Path(local) / "rulewright" / "cache" if local else None
    # The XDG specification says to ignore a path that is not absolute.
    if os.path.isabs(xdg := os.environ.get("XDG_CACHE_HOME", "")):
        return Path(xdg) / "rulewright"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "rulewright"


def _made(data: bytes) -> Any:
    """The records in such bytes. They all stay: to look for rubbish among so many new ones, again and again, is in
    vain."""
    looking = gc.isenabled()
    gc.disable()
    try:
        return _Records(io.BytesIO(data)).load()
    finally:
        if looking:
            gc.enable()


class _Records(pickle.Unpickler):
    """Makes plain records of this package and nothing else: no function is called."""

    def find_class(self, module: str, name: str) -> Any:
        if name in _NAMES.get(module, ()):
            return super().find_class(module, name)
        if module.startswith("rulewright."):
            made = super().find_class(module, name)
            if isinstance(made, type) and (hasattr(made, "__dataclass_fields__") or issubclass(made, (str, tuple))):
                return made
        raise pickle.UnpicklingError(f"{module}.{name} is no record")


@cache
def _version() -> str:
    """What this package is made of: of every file that can make a difference the name, size and time."""
    digest = hashlib.sha256()
    if getattr(sys, "frozen", False):  # the modules are in the program
        digest.update(f"{os.stat(sys.executable).st_size} {os.stat(sys.executable).st_mtime_ns}\n".encode())
    waiting = [str(Path(__file__).parents[1]), str(resources.folder("spec"))]
    try:
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.name.endswith((".py", ".json", ".lark", ".txt", ".wasm")):
                        status = entry.stat()
                        digest.update(f"{entry.path} {status.st_size} {status.st_mtime_ns}\n".encode())
                    elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                        waiting.append(entry.path)
    except OSError:  # of what cannot be told apart, nothing is found again
        return os.urandom(32).hex()
    return digest.hexdigest()


def _sealed(data: bytes) -> bytes:
    """With a checksum before it."""
    return hashlib.sha256(data).digest() + data


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _is_own(status: os.stat_result) -> bool:
    """Whether only this user writes a file."""
    return sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def _forget_oldest(home: Path) -> None:
    with os.scandir(home) as found:
        entries = list(found)
    if len(entries) <= MOST_KEPT:
        return
    by_age = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in by_age[: len(by_age) - MOST_KEPT]:
        with suppress(OSError):
            os.unlink(path)
