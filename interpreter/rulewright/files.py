"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Put content at `path`, in one step and lastingly; else an older file is as it was. Raises OSError, ValueError."""
    # A link stays a link: what it leads to is replaced.
    target = Path(os.path.realpath(path))
    handle, draft = tempfile.mkstemp(prefix=".rulewright-", suffix=".new", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            shutil.copymode(target, draft)
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
