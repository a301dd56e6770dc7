"""Counters and histograms of a server's own work; `prometheus` exports them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping

BUCKET_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of a histogram's buckets, in seconds."""


class Histogram:
    """Histogram of durations. counts: one for each bucket, the last above all BUCKET_BOUNDS; total: their sum in
    seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKET_BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self.counts[bisect_left(BUCKET_BOUNDS, seconds)] += 1
        self.total += seconds


class Metrics:
    """Counts of a server.

    messages: from pages, by type and whether they were refused; requests: by endpoint and status; answered: from
    receiving an answer to acknowledging it; commits: durations of the log's commits; sent, sent_bytes: messages to
    pages, before compression; stored: operations on the log; failures: of those, failed ones; gauges: gauges by name,
    read when they are shown.
    """

    def __init__(self) -> None:
        self.messages: Counter[tuple[str, bool]] = Counter()
        self.requests: Counter[tuple[str, int]] = Counter()
        self.answered, self.commits = Histogram(), Histogram()
        self.sent = self.sent_bytes = self.stored = self.failures = 0
        self.gauges: Mapping[str, Callable[[], int]] = {}
