"""Slots that limit how many bots think at once on this machine, whichever servers they belong to.

A slot is a locked file in this user's cache folder. The system unlocks it when its process ends, however that happens.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rulewright.base import cache
from rulewright.base.files import lock

MAX_SLOTS = 4
"""Maximum number of bots that think at once, however many processors there are."""
MAX_WAIT_SECONDS = 2.0
"""Seconds after which a waiting process goes ahead without a slot: somebody may hold one and do nothing with it."""
_RETRY_SECONDS = 0.005
"""Seconds between two tries to get a slot."""

_FOLDER = "thinking"
"""Folder of the slots' files in the cache, which all servers of a user share."""


def slot_count() -> int:
    """Return the number of slots: one processor is left to the server processes."""
    return max(1, min(MAX_SLOTS, (os.cpu_count() or 2) - 1))


@contextmanager
def slot(max_wait: float = MAX_WAIT_SECONDS) -> Iterator[float]:
    """Hold a slot while the context is open, or none if `max_wait` seconds were not enough to get one; yield the
    seconds waited. Without a cache folder, everybody has one."""
    folder, started = cache.folder(), time.monotonic()
    with ExitStack() as stack:
        while folder is not None and not _take_slot(folder / _FOLDER, stack) and time.monotonic() < started + max_wait:
            time.sleep(_RETRY_SECONDS)
        yield time.monotonic() - started


def _take_slot(folder: Path, stack: ExitStack) -> bool:
    """Try to lock one of the slots' files; True also if files cannot be locked here."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in range(slot_count()):
            file = folder / str(number)
            file.touch(mode=0o600)
            try:
                stack.enter_context(lock(file))
            except BlockingIOError:
                continue
            return True
    except OSError:
        return True
    return False
