"""Threads that go on, whatever goes wrong in what they do."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_log = logging.getLogger("rulewright.workbench")


@contextmanager
def surviving() -> Iterator[None]:
    """What goes wrong in here is logged, with where it happened, and nothing else ends by it."""
    try:
        yield
    except Exception:
        _log.exception("Something in the workbench has failed. It goes on.")
