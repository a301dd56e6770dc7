"""Persistent cache of expensive results in the user's cache folder. Entries may disappear at any time.

Its files are not trusted: they must be the user's own, complete, and hold only the plain records that are stored
there; a key names exactly its inputs and this version of the package. Native code among the entries is run,
as Python runs its cached modules.
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
"""Environment variable: the cache folder; 'off' for none."""
MAX_ENTRIES = 400
"""Maximum number of entries that are kept when old ones are evicted."""
MAX_BYTES = 64_000_000
"""Maximum size of an entry that is read, in bytes; larger ones count as missing."""
_EVICTION_BOUND = "1"
"""Storing an entry with a name below this evicts old ones: one in sixteen, since names are hexadecimal."""

_CHECKSUM = 32
"""Bytes of the checksum in front of the data."""
_NAMES = {
    "builtins": {"frozenset", "range", "set"},
    "collections": {"Counter", "OrderedDict"},
    "pathlib": {"PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath"},
}
"""Classes beside the package's own records that cached data may hold: module -> names."""


def key(*parts: object) -> str:
    """Return the name of a result made from these parts by this version of the package and of Python."""
    digest = hashlib.sha256(f"{_version()} {sys.version}".encode())
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


def get(name: str) -> Any:
    """Return the cached value of a name from `key`, and mark it as used; None if there is no usable entry."""
    home = folder()
    if home is None:
        return None
    try:
        with open(home / name, "rb", opener=_no_link) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES or not _is_own(status):
                return None
            data = file.read(MAX_BYTES)
        if data != _with_checksum(data[_CHECKSUM:]):
            return None
        os.utime(home / name)  # used entries are evicted last
        return _decode(data[_CHECKSUM:])
    except Exception:
        return None


def store(name: str, value: object) -> None:
    """Store a value, if possible; other processes see all of it or nothing. One time in sixteen, evict old entries."""
    home = folder()
    if home is None:
        return
    with suppress(OSError, ValueError, pickle.PicklingError, RecursionError, TypeError, AttributeError):
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = home / f".{os.urandom(8).hex()}"
        try:
            draft.write_bytes(_with_checksum(data))
            os.chmod(draft, 0o600)
            os.replace(draft, home / name)
        finally:
            draft.unlink(missing_ok=True)
        if name < _EVICTION_BOUND:  # scanning a full folder takes longer than storing one more entry
            _evict(home)


def folder() -> Path | None:
    """Return the cache folder; None for no cache."""
    setting = os.environ.get(VARIABLE, "")
    if setting == "off":
        return None
    if setting:
        return Path(setting).absolute()
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


def _decode(data: bytes) -> Any:
    """Return the stored value, with garbage collection paused: all its many new objects stay. Raises for other data."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return _Records(io.BytesIO(data)).load()
    finally:
        if was_enabled:
            gc.enable()


class _Records(pickle.Unpickler):
    """Unpickler of plain records of this package; no function is called."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that cached data may have: a record, or one of those listed. Raises UnpicklingError."""
        if name in _NAMES.get(module, ()):
            return super().find_class(module, name)
        if module.startswith("rulewright."):
            result = super().find_class(module, name)
            if isinstance(result, type) and (
                hasattr(result, "__dataclass_fields__") or issubclass(result, (str, tuple))
            ):
                return result
        raise pickle.UnpicklingError(f"{module}.{name} is no record")


@cache
def _version() -> str:
    """Return a digest of the package: path, size and time of every file that can make a difference; if they cannot be
    listed, a random one, so that nothing is ever cached."""
    digest = hashlib.sha256()
    if getattr(sys, "frozen", False):  # the modules are inside the program
        digest.update(f"{os.stat(sys.executable).st_size} {os.stat(sys.executable).st_mtime_ns}\n".encode())
    pending = [str(Path(__file__).parents[1]), str(resources.folder("spec"))]
    try:
        while pending:
            with os.scandir(pending.pop()) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if entry.name.endswith((".py", ".json", ".lark", ".txt", ".wasm")):
                        status = entry.stat()
                        digest.update(f"{entry.path} {status.st_size} {status.st_mtime_ns}\n".encode())
                    elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                        pending.append(entry.path)
    except OSError:  # without a version, no entry is found again
        return os.urandom(32).hex()
    return digest.hexdigest()


def _with_checksum(data: bytes) -> bytes:
    """Return data with its checksum in front."""
    return hashlib.sha256(data).digest() + data


def _no_link(path: str, flags: int) -> int:
    """Open a file that is no link, without waiting for the other end of a pipe. Raises OSError."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _is_own(status: os.stat_result) -> bool:
    """Whether only this user can write a file; on Windows always."""
    return sys.platform == "win32" or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def _evict(home: Path) -> None:
    """Delete the least recently used entries beyond MAX_ENTRIES."""
    with os.scandir(home) as scan:
        entries = list(scan)
    if len(entries) <= MAX_ENTRIES:
        return
    by_age = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
    for _, path in by_age[: len(by_age) - MAX_ENTRIES]:
        with suppress(OSError):
            os.unlink(path)
