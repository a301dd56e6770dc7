"""Division of the work that test processes do before their first test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis.internal.constants_ast import constants_from_module, is_local_module_file

T = TypeVar("T")


def import_test_modules(folder: Path, process: int, processes: int) -> None:
    """Import all test modules and collect their constants, each process from another one on.

    What pytest compiles and what Hypothesis reads in a module is then in a file when the next process comes to it; when
    all begin with the same module, each of them does all of it. What cannot be imported is left to be reported.
    """
    for file in begin_apart(sorted(folder.glob("*/test_*.py")), process, processes):
        if str(file.parent) not in sys.path:
            sys.path.insert(0, str(file.parent))
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(file.stem)
    for module in begin_apart(list(sys.modules.values()), process, processes):
        if (path := getattr(module, "__file__", None)) is not None and is_local_module_file(path):
            constants_from_module(module)


def begin_apart(items: Sequence[T], process: int, processes: int) -> list[T]:
    """Return all items, from the one on at which a process begins."""
    start = len(items) * process // processes
    return [*items[start:], *items[:start]]
