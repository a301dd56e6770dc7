"""Terminals that are closed when a test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terminals import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*argv: str, **settings: object) -> Terminal:
        opened.append(Terminal(tmp_path, *argv, **settings))  # type: ignore[arg-type]
        return opened[-1]

    yield start
    for one in opened:
        one.child.close(force=True)
