"""How many of the computer's players think at a time on this machine, whichever servers they belong to.

A place is a file in this user's cache that one process has for itself. The system frees it when that process ends,
however that comes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rulewright.base import cache
from rulewright.base.files import held

MOST = 4
LONGEST = 2.0
"""Seconds after which whoever waits begins anyway: somebody may have a place and do nothing with it."""
_AGAIN = 0.005

_FOLDER = "thinking"


def places() -> int:
    """One processor is left to those who answer pages."""
    return max(1, min(MOST, (os.cpu_count() or 2) - 1))


@contextmanager
def place(longest: float = LONGEST) -> Iterator[float]:
    """Have one of the places, as soon as there is one; gives the seconds that it took. Where no files can be kept,
    everybody has one."""
    home, begun = cache.folder(), time.monotonic()
    with ExitStack() as stack:
        while home is not None and not _found(home / _FOLDER, stack) and time.monotonic() < begun + longest:
            time.sleep(_AGAIN)
        yield time.monotonic() - begun


def _found(home: Path, stack: ExitStack) -> bool:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in range(places()):
            file = home / str(number)
            file.touch(mode=0o600)
            try:
                stack.enter_context(held(file))
            except BlockingIOError:
                continue
            return True
    except OSError:
        return True
    return False
