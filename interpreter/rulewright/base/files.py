"""Atomic file writes (readers see the old or the new content), safe reads, and output to pipes."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from unicodedata import normalize

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PATIENCE = 10.0
"""Seconds for which a pipe may wait for its reader."""

_FAR_BEHIND = 1 << 30
"""Offset of the byte locked on Windows: beyond any content."""
_BETWEEN_LOOKS = 0.05
"""Seconds between two tries to open a pipe that nobody reads."""
_PATH = re.compile(r"[/\\.]")
"""Signs of a path: a separator or a dot."""
_MAX_ENTRIES = 100_000
"""Limit of a folder's entries that are compared."""
_DRAFT = re.compile(r"\.rulewright-[0-9a-f]{16}\.new")
"""Name of an unfinished write, as `_draft` gives it."""
_DESCRIPTOR = re.compile(r"/dev/(?P<name>stdout|stderr)|(/dev|/proc/self)/fd/(?P<number>[0-9]{1,6})")
"""Path that stands for an open file of this process."""
_NUMBERS = {"stdout": 1, "stderr": 2}
"""Descriptors of the standard streams."""
_LINE_END = re.compile(r"\r*\n|\r")
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""Flag that opens a pipe without waiting for its other end; 0 on Windows."""


def replace(path: Path, content: bytes, private: bool = False) -> None:
    """Write `content` durably to `path`. Raises OSError or ValueError; the old file is then unchanged.

    A new file gets the usual rights, an existing one keeps its own. private: only this user may read it, since it holds
    what is hidden in a game.
    """
    # A link stays a link: its target is replaced.
    target = Path(os.path.realpath(path))
    with _draft(target, content, private) as draft:
        with contextlib.suppress(FileNotFoundError):
            if not private:
                os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    _sync_folder(target.parent)


def replace_private(path: Path, content: bytes) -> None:
    """Write `content` to a new file at `path` that only this user can read. Raises OSError or ValueError.

    An existing link or file with other rights is removed and does not get the content.
    """
    with _draft(path, content, private=True) as draft:
        os.replace(draft, path)
    _sync_folder(path.parent)


def read_private(path: Path, maximum: int) -> bytes:
    """Return the first bytes of a plain file that only this user can read; b'' if there is none."""
    try:
        with open(path, "rb", opener=_unlinked) as file:
            status = os.fstat(file.fileno())
            if os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & 0o077):
                return b""
            return file.read(maximum)
    except (OSError, ValueError):
        return b""


def create(path: Path, content: bytes) -> None:
    """Write `content` to a new file. Raises FileExistsError, OSError, ValueError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with _draft(path, content) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            os.replace(draft, path)
    _sync_folder(path.parent)


def to_nfc(text: str) -> str:
    """Return a text in Unicode's form NFC: a letter with its accents is one character, so that equal names are
    equal."""
    return text if text.isascii() else normalize("NFC", text)


def path_on_disk(path: Path) -> Path:
    """Return the existing file for a path, in whatever Unicode form the file system writes it; the path itself if there
    is none."""
    if str(path).isascii():
        return path
    try:
        if path.exists():
            return path
        result = Path(path.anchor)
        for name in path.parts[len(result.parts) :]:
            result /= _name_on_disk(result, name)
        return result if result.exists() else path
    except (OSError, ValueError):
        return path


def normal_argument(text: str) -> str:
    """Normalize a command-line argument, also `--option=this`: a path as the disk has it, other text in form NFC."""
    if text.isascii():
        return text
    before, equals, value = text.partition("=") if text.startswith("--") else ("", "", text)
    if _PATH.search(value):
        path = path_on_disk(Path(value))
        if path != Path(value):
            return f"{to_nfc(before)}{equals}{path}"
        if path.exists():
            return f"{to_nfc(before)}{equals}{value}"
    return to_nfc(text)


def _name_on_disk(folder: Path, name: str) -> str:
    """Return a name as the folder has it. Raises OSError."""
    if name.isascii() or (folder / name).exists():
        return name
    with os.scandir(folder) as entries:
        equal_names = (entry.name for entry in islice(entries, _MAX_ENTRIES) if to_nfc(entry.name) == to_nfc(name))
        return next(equal_names, name)


def with_unix_line_ends(text: str) -> str:
    """Replace CR LF, CR, and the CR CR LF of a double conversion by LF."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def is_draft(name: str) -> bool:
    """Whether a file name is that of an unfinished write, left by a process that died."""
    return bool(_DRAFT.fullmatch(name))


def read(path: Path, maximum: int) -> bytes:
    """Read the first `maximum` bytes of a plain file. Raises OSError, ValueError; an OSError also for a pipe, which
    would wait for a writer, and for a device, which might never end."""
    with open(path, "rb", opener=_plain) as file:
        return file.read(maximum)


def read_beginning(path: Path, maximum: int) -> bytes:
    """Return the first bytes of a plain file; b'' if there is no such file."""
    try:
        return read(path, maximum)
    except (OSError, ValueError):
        return b""


def first_link(folder: Path, path: Path) -> Path | None:
    """Return the first link between a folder and a path within it (included); None without any.

    Folders come from anywhere, and a link may lead to files that must not be read or written.
    """
    parts = path.relative_to(folder).parts
    ancestors = (folder.joinpath(*parts[: number + 1]) for number in range(len(parts)))
    return next((way for way in ancestors if way.is_symlink()), None)


def is_outside(path: Path, folder: Path) -> bool:
    """Whether a link leads from a path within a folder to something outside of it."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def is_stream(path: Path) -> bool:
    """Return whether data written to a path goes straight to a reader: a pipe, a device, /dev/stdout."""
    if _DESCRIPTOR.fullmatch(str(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def write_stream(path: Path, content: bytes) -> None:
    """Write to a stream. A pipe gets PATIENCE to find a reader. Raises OSError."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(_open_for_writing(path), "wb") as file:
        file.write(content)


def _open_for_writing(path: Path) -> int:
    """Open a file, a descriptor such as /dev/fd/3 (as a copy), or a pipe, for which it waits up to PATIENCE seconds for
    a reader. Raises OSError."""
    if match := _DESCRIPTOR.fullmatch(str(path)):
        return os.dup(_NUMBERS[match["name"]] if match["name"] else int(match["number"]))
    until = time.monotonic() + PATIENCE
    while True:
        try:
            handle = os.open(path, os.O_WRONLY | _AT_ONCE)
        except OSError as error:
            if error.errno != errno.ENXIO or not stat.S_ISFIFO(os.stat(path).st_mode):
                raise
            if time.monotonic() >= until:
                raise OSError(errno.ENXIO, "nobody reads from this pipe", str(path)) from None
            time.sleep(_BETWEEN_LOOKS)
        else:
            os.set_blocking(handle, True)
            return handle


def _unlinked(path: str, flags: int) -> int:
    """Open a plain file that is no link."""
    return _plain(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _plain(path: str, flags: int) -> int:
    """Open a plain file. Raises OSError for a pipe or a device."""
    handle = os.open(path, flags | _AT_ONCE)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(None, "it is not a file")
    return handle


@contextlib.contextmanager
def _draft(target: Path, content: bytes, private: bool = False) -> Iterator[Path]:
    """Write a draft beside the target; it is removed afterwards. private: whether only this user can read it."""
    draft = target.parent / f".rulewright-{secrets.token_hex(8)}.new"
    rights = 0o600 if private else 0o666
    try:
        with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, rights)) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        with contextlib.suppress(OSError, ValueError):
            os.unlink(draft)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Lock a file or a folder, until the end of the process at the latest.

    Raises BlockingIOError if another process holds it, OSError if it is missing. On systems without such locks,
    everybody gets it.
    """
    if sys.platform == "win32":
        with _lock_on_windows(path):
            yield
        return
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def _lock_on_windows(path: Path) -> Iterator[None]:
    """Lock on Windows: a byte far behind the content, since locked bytes cannot be read; folders are not locked.
    Raises BlockingIOError."""
    if sys.platform == "win32" and not path.is_dir():
        handle = os.open(path, os.O_RDWR)
        try:
            os.lseek(handle, _FAR_BEHIND, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(error.errno, error.strerror) from None
            yield
        finally:
            os.close(handle)
    else:
        yield


def _sync_folder(folder: Path) -> None:
    """Make a file's new name survive a power cut, where the system can."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def error_reason(error: Exception) -> str:
    """Return the system's reason for an error, in its own words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
