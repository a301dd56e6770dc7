"""Processes that work for another one, and are not left behind by it."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.process import BaseProcess
from threading import Thread


def end_with_parent() -> None:
    """End this process at once when the one that began it has ended, however that came. Somebody who waits for work in
    a pool would not notice."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
