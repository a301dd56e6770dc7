"""Exception logging for threads that must go on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_log = logging.getLogger("rulewright.workbench")


@contextmanager
def log_exceptions() -> Iterator[None]:
    """Log an exception with its traceback and suppress it."""
    try:
        yield
    except Exception:
        _log.exception("Something in the workbench has failed. It goes on.")
