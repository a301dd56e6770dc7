"""Garbage collection: it runs when many pages and tables have closed.

All but one of these tests run in a process of their own: in that of the tests, a full collection takes seconds.
"""

from __future__ import annotations

import gc
import multiprocessing
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.server.garbage_collection import ANSWERS_PER_FREEZE, MIN_CLOSED, GarbageCollector, tune_collector


class Circle:
    """Something that goes only when somebody looks for it."""

    def __init__(self) -> None:
        self.itself = self


def in_process(test: Callable[..., None], *arguments: Any) -> None:
    """Run a test as in a server."""
    process = multiprocessing.get_context("spawn").Process(target=_run_in_process, args=(test, arguments))
    process.start()
    process.join()
    assert process.exitcode == 0


def _run_in_process(test: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    tune_collector()
    test(*arguments)


def close_tables(stay: int) -> None:
    collector, many = GarbageCollector(lambda: stay), MIN_CLOSED + 2 * stay
    for _ in range(2):
        circle = Circle()
        left = weakref.ref(circle)
        gc.collect(1)  # it is none of the young any more
        del circle
        collector.count_closed(many - 1)
        assert left() is not None
        collector.count_closed()
        assert left() is None


@pytest.mark.parametrize("stay", [0, 500])
def test_garbage_is_collected_after_many_closings_only(stay: int) -> None:
    in_process(close_tables, stay)


def put_aside() -> None:
    collector, stored = GarbageCollector(lambda: 0), [[0]]
    for question in (False, True):
        circle = Circle()
        left = weakref.ref(circle)
        del circle
        if question:
            collector.count_request()
        gc.disable()
        for _ in range(ANSWERS_PER_FREEZE):
            stored = [[number] for number in range(10_000)]
            collector.count_answer()
        gc.enable()
        assert len(gc.get_objects(generation=0)) < len(stored)
        assert (left() is None) == question
    collector.count_closed(MIN_CLOSED)
    assert not any(isinstance(one, Circle) for one in gc.get_objects())


def test_objects_of_answers_are_frozen_and_those_of_requests_collected() -> None:
    in_process(put_aside)


def test_nothing_is_frozen_in_a_process_of_others() -> None:
    collector, before = GarbageCollector(lambda: 0), gc.get_freeze_count()
    for _ in range(ANSWERS_PER_FREEZE):
        collector.count_answer()
    assert gc.get_freeze_count() == before


def many_made() -> None:
    before = gc.get_stats()[2]["collections"]
    stored = [[number] for number in range(500_000)]
    assert len(stored) == 500_000
    assert gc.get_stats()[2]["collections"] == before


@pytest.mark.rotating(2)
def test_old_objects_are_never_traversed() -> None:
    in_process(many_made)
