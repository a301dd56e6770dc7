"""Child processes: priority, signals, and an end together with the parent."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from threading import Thread, current_thread, main_thread

NICE_INCREASE = 5
"""Increase of the nice value of background processes."""


def lower_priority() -> None:
    """Lower the priority of this process, where the system can: nothing happens without `os.nice`."""
    if hasattr(os, "nice"):
        os.nice(NICE_INCREASE)


@contextmanager
def terminate_like_interrupt() -> Iterator[None]:
    """Treat a termination signal like Ctrl-C in this context, so that cleanup runs. In another thread than the main
    one, nothing happens."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def defer_signals() -> Iterator[None]:
    """Defer SIGINT and SIGTERM to the end of this context; then raise KeyboardInterrupt.

    An error of the body goes on instead, and the signals are forgotten. Ignored signals stay ignored; in another thread
    than the main one, nothing happens.
    """
    if current_thread() is not main_thread():
        yield
        return
    received: list[int] = []
    signals = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, lambda number, _: received.append(number)) for one in signals}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    if received:
        raise KeyboardInterrupt


def spawn_context() -> SpawnContext:
    """Return the context that starts worker processes.

    The resource tracker is started here with warnings off: it would report a leak of semaphores wherever this process
    is killed.
    """
    if hasattr(signal, "pthread_sigmask"):  # other systems have no resource tracker
        sys.warnoptions.append("ignore:resource_tracker:UserWarning")  # the tracker inherits these options
        try:
            resource_tracker.ensure_running()
        finally:
            sys.warnoptions.pop()
    return multiprocessing.get_context("spawn")


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread, and for good in processes that are started in this context: they inherit the mask.

    Without it, a process that Ctrl-C reaches while it starts prints a traceback. Such a process must end by other
    means: see `end_by_parent_alone` and `end_with_parent`. Other threads of this process still receive the signal; this
    one does so after the context. The resource tracker is started before. Where the system has no such masks, nothing
    happens.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    spawn_context()  # the tracker must start before signals are blocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this child process, from now on, as soon as its parent has ended, in whatever way; a pool's worker would not
    notice otherwise. Nothing happens in a process that `multiprocessing` has not started."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def end_by_parent_alone() -> None:
    """End with the parent, as `end_with_parent` does, and ignore Ctrl-C, which reaches the whole group: the parent
    decides when to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _end_with(parent: BaseProcess) -> None:
    """Wait for the parent's end, then exit."""
    parent.join()
    os._exit(1)
