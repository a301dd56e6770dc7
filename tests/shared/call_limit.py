"""Patience that is counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class OutOfPatience(BaseException):
    """Much more work than this should ever need: somebody would call it a hang."""


@contextmanager
def patience(calls: int = 6_000_000, lines: int = 0) -> Iterator[None]:
    """Python's function calls, and its lines where a number is given, are counted. Checking and compiling a whole
    edition takes half a million calls."""
    left = [calls, lines]

    def count(frame: FrameType, event: str, argument: object) -> Any:
        left[event == "line"] -= 1
        if min(left) < 0:
            sys.settrace(None)
            raise OutOfPatience
        return count if lines else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
