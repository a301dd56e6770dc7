"""Terminals that are closed when a test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from terminals import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*argv: str, **settings: Any) -> Terminal:
        opened.append(Terminal(tmp_path, *argv, **settings))
        return opened[-1]

    yield start
    for one in opened:
        one.child.close(force=True)
