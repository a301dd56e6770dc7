"""Files that are written whole or not at all: a reader meets the old one or the new one. Pipes are poured into."""

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
"""How long a pipe may wait for its reader, in seconds."""

_FAR_BEHIND = 1 << 30
"""Where a file has no byte that anybody wants."""
_BETWEEN_LOOKS = 0.05
_PATH = re.compile(r"[/\\.]")
_MOST_ENTRIES = 100_000  # of a folder, that are looked at
_DRAFT = re.compile(r"\.rulewright-[0-9a-f]{16}\.new")
_DESCRIPTOR = re.compile(r"/dev/(?P<name>stdout|stderr)|(/dev|/proc/self)/fd/(?P<number>[0-9]{1,6})")
_NUMBERS = {"stdout": 1, "stderr": 2}
_LINE_END = re.compile(r"\r*\n|\r")
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def replace(path: Path, content: bytes, private: bool = False) -> None:
    """Put `content` at `path`, lastingly. Raises OSError or ValueError; an older file is then as it was.

    A new file has the rights that new files have here, one that is there keeps its own. private: nobody else may read
    it, since it tells what is hidden in a game.
    """
    # A link stays a link: what it leads to is replaced.
    target = Path(os.path.realpath(path))
    with _draft(target, content, private) as draft:
        with contextlib.suppress(FileNotFoundError):
            if not private:
                os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    _sync_folder(target.parent)


def replace_private(path: Path, content: bytes) -> None:
    """Put `content` at `path` in a new file that only this user can read. Raises OSError or ValueError.

    What was there, a link or a file with other rights, is gone, and does not get the content.
    """
    with _draft(path, content, private=True) as draft:
        os.replace(draft, path)
    _sync_folder(path.parent)


def private(path: Path, most: int) -> bytes:
    """The first bytes of a plain file that is this user's own, and closed to all others; none where there is none."""
    try:
        with open(path, "rb", opener=_unlinked) as file:
            status = os.fstat(file.fileno())
            if os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & 0o077):
                return b""
            return file.read(most)
    except (OSError, ValueError):
        return b""


def create(path: Path, content: bytes) -> None:
    """Put `content` at `path`, where nothing may be yet. Raises FileExistsError, OSError, ValueError."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with _draft(path, content) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            os.replace(draft, path)
    _sync_folder(path.parent)


def composed(text: str) -> str:
    """Return a text in Unicode's form NFC: a letter with its accents is one sign, so that equal names are equal."""
    return text if text.isascii() else normalize("NFC", text)


def on_disk(path: Path) -> Path:
    """Return the file that a path names, however its letters with accents are written on the disk: texts have them as
    one sign, some systems write two. The path itself where nothing is called so."""
    if str(path).isascii():
        return path
    try:
        if path.exists():
            return path
        found = Path(path.anchor)
        for name in path.parts[len(found.parts) :]:
            found /= _spelt(found, name)
        return found if found.exists() else path
    except (OSError, ValueError):
        return path


def argument(text: str) -> str:
    """Return what was typed behind a command, also as in `--option=this`: composed, but a path as the disk has it."""
    if text.isascii():
        return text
    before, equals, value = text.partition("=") if text.startswith("--") else ("", "", text)
    if _PATH.search(value):
        path = on_disk(Path(value))
        if path != Path(value):
            return f"{composed(before)}{equals}{path}"
        if path.exists():
            return f"{composed(before)}{equals}{value}"
    return composed(text)


def _spelt(folder: Path, name: str) -> str:
    """A name as the folder has it. Raises OSError."""
    if name.isascii() or (folder / name).exists():
        return name
    with os.scandir(folder) as entries:
        alike = (entry.name for entry in islice(entries, _MOST_ENTRIES) if composed(entry.name) == composed(name))
        return next(alike, name)


def with_unix_line_ends(text: str) -> str:
    """Return a text whose lines end with LF, not with CR LF, CR, or the CR CR LF of a double conversion."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def is_draft(name: str) -> bool:
    """Whether a file of this name is what a process left behind that died while it wrote."""
    return bool(_DRAFT.fullmatch(name))


def read(path: Path, most: int) -> bytes:
    """The first `most` bytes of a plain file. Raises OSError, ValueError: also for a pipe, which would wait for a
    writer, and for a device, which might never end."""
    with open(path, "rb", opener=_plain) as file:
        return file.read(most)


def beginning(path: Path, most: int) -> bytes:
    """The first bytes of a plain file; none where there is no such file."""
    try:
        return read(path, most)
    except (OSError, ValueError):
        return b""


def link_below(folder: Path, path: Path) -> Path | None:
    """The first link among what lies between a folder and a path within it, the path itself too; None without any.

    Folders come from anywhere, and a link in one may lead to what is not meant to be read, or written.
    """
    parts = path.relative_to(folder).parts
    ways = (folder.joinpath(*parts[: number + 1]) for number in range(len(parts)))
    return next((way for way in ways if way.is_symlink()), None)


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a link leads from a path within a folder to something outside of it."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def is_stream(path: Path) -> bool:
    """Whether what is written to a path goes to somebody who reads it meanwhile: a pipe, a device, /dev/stdout."""
    if _DESCRIPTOR.fullmatch(str(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def pour(path: Path, content: bytes) -> None:
    """Write to a stream. A pipe gets PATIENCE to find a reader. Raises OSError."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(_handle(path), "wb") as file:
        file.write(content)


def _handle(path: Path) -> int:
    if found := _DESCRIPTOR.fullmatch(str(path)):
        return os.dup(_NUMBERS[found["name"]] if found["name"] else int(found["number"]))
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
    """Like `_plain`, and no link."""
    return _plain(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _plain(path: str, flags: int) -> int:
    handle = os.open(path, flags | _AT_ONCE)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(None, "it is not a file")
    return handle


@contextlib.contextmanager
def _draft(target: Path, content: bytes, private: bool = False) -> Iterator[Path]:
    """A file beside the target with its content, gone afterwards. private: whether only this user can read it."""
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
def held(path: Path) -> Iterator[None]:
    """Have a file or a folder for oneself, until the end of this process at the latest, however that comes.

    Raises BlockingIOError where another process has it, OSError where it is not there. Where the system has no such
    locks, everybody has it.
    """
    if sys.platform == "win32":
        with _held_there(path):
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
def _held_there(path: Path) -> Iterator[None]:
    """The same on Windows, where no folder is locked, and nobody else reads a byte that is: it is one far behind."""
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
    """Make the file's new name last through a power cut, where the system can."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def reason(error: Exception) -> str:
    """Why the system refused, in its own words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
