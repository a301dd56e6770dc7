"""What a server counts of its own work, as plain numbers; `metrics` shows them to Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper ends, in seconds, of the classes in which durations are counted."""


class Histogram:
    """Durations. counts: how many lie in each class, the last of which is above all BOUNDS; total: their sum, in
    seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Measures:
    """messages: heard from pages, by type and whether they were refused; answered: from an answer's coming until it is
    acknowledged; sent, sent_bytes: messages to pages, before they are compressed; commits: how long the log took each
    time; kept: what was done with the log in these; failures: of that, what the log could not do; requests: by page and
    status; present: what is counted when somebody looks, by name."""

    def __init__(self) -> None:
        self.messages: Counter[tuple[str, bool]] = Counter()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.answered, self.commits = Histogram(), Histogram()
        self.sent = self.sent_bytes = self.kept = self.failures = 0
        self.present: Mapping[str, Callable[[], int]] = {}
