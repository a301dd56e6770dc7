"""Files that are written whole or not at all: a reader meets the old one or the new one."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from pathlib import Path


def replace(path: Path, content: bytes) -> None:
    """Put `content` at `path`, lastingly. Raises OSError or ValueError; an older file is then as it was.

    A new file has the rights that new files have here, one that is there keeps its own.
    """
    # A link stays a link: what it leads to is replaced.
    target = Path(os.path.realpath(path))
    draft = target.parent / f".rulewright-{secrets.token_hex(8)}.new"
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    _sync_folder(target.parent)


def create(path: Path, content: bytes) -> None:
    """Put content at `path`, where nothing may be yet. Raises FileExistsError, OSError, ValueError."""
    with open(path, "xb") as file:
        try:
            file.write(content)
            file.flush()
        except BaseException:
            os.unlink(path)
            raise


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
