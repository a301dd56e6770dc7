"""Windows of a workbench: pages in browsers, all of which receive its messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

BenchMessage = Mapping[str, object]
"""Message to the page, as it is encoded to JSON."""
MessageListener = Callable[[BenchMessage], None]
"""Listener that gets each message, on any thread."""


class Windows:
    """Open windows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: list[MessageListener] = []

    def add(self, window: MessageListener) -> None:
        """Add a window, which is called on whatever thread sends."""
        with self._lock:
            self._windows.append(window)

    def remove(self, window: MessageListener) -> None:
        """Remove a window, if it is still there."""
        with self._lock:
            if window in self._windows:
                self._windows.remove(window)

    def broadcast(self, message: BenchMessage) -> None:
        """Send a message to all windows."""
        with self._lock:
            windows = list(self._windows)
        for window in windows:
            window(message)
