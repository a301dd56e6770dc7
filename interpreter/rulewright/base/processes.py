"""Processes that work for another one, and are not left behind by it."""

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

GIVING_WAY = 5
"""How much nicer than other processes those are that give way."""


def give_way() -> None:
    """Let this process work when others have nothing to do."""
    if hasattr(os, "nice"):
        os.nice(GIVING_WAY)


@contextmanager
def stopping() -> Iterator[None]:
    """While this lasts, whoever asks this process to end does so as Ctrl-C does: it leaves nothing behind."""
    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def in_one_go() -> Iterator[None]:
    """Who asks this process to end meanwhile interrupts nothing: KeyboardInterrupt is raised afterwards."""
    if current_thread() is not main_thread():
        yield
        return
    asked: list[int] = []
    heard = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, lambda given, _: asked.append(given)) for one in heard}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    if asked:
        raise KeyboardInterrupt


def spawn_context() -> SpawnContext:
    """Return the context in which worker processes begin.

    What removes their semaphores warns of a leak wherever this process is killed, which is nobody's mistake: it is
    begun here, so that it does its work without a word.
    """
    if hasattr(signal, "pthread_sigmask"):  # other systems have no such semaphores
        sys.warnoptions.append("ignore:resource_tracker:UserWarning")  # the tracker takes over what stands there
        try:
            resource_tracker.ensure_running()
        finally:
            sys.warnoptions.pop()
    return multiprocessing.get_context("spawn")


@contextmanager
def unheard() -> Iterator[None]:
    """Whatever process begins meanwhile hears of no Ctrl-C until it says how it takes that: one that is just being
    begun would tell of it at length."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    spawn_context()  # the tracker lets through what is blocked where it begins
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this process at once when the one that began it has ended, however that came. Somebody who waits for work in
    a pool would not notice."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def end_by_parent_alone() -> None:
    """As `end_with_parent`; and Ctrl-C, which reaches the whole group, does not end this process: the one that began it
    does so when it sees fit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
