"""Prometheus endpoint for a server's metrics, on an address of its own since it is not public."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING

from rulewright import __version__
from rulewright.server.metrics import BUCKET_BOUNDS, Histogram, Metrics

if TYPE_CHECKING:
    from prometheus_client import Metric

_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+):)?(?P<port>\d{1,5})")
"""Port, or host and port; an IPv6 host in brackets."""
_LOCAL_HOST = "127.0.0.1"

_GAUGES = {
    "connections": "Pages that are connected and have said who they are, or may still do so.",
    "tables_in_memory": "Tables that are in use, or were lately.",
    "tables_watched": "Tables at which somebody is connected.",
    "thoughts": "Questions that bots and hints work on, or wait to.",
}
"""Descriptions of gauges, by name."""


def parse_address(text: str) -> tuple[str, int]:
    """Parse `HOST:PORT` or `PORT`; without a host, the local one. Raises ValueError."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"]) > 65535:
        raise ValueError(text)
    return (match["host"] or _LOCAL_HOST).strip("[]"), int(match["port"])


@contextmanager
def serve_metrics(measures: Metrics, host: str, port: int) -> Iterator[int]:
    """Export metrics while the context is open; yields the port. Raises OSError."""
    from prometheus_client import (  # noqa: PLC0415 - whoever wants no metrics need not have it
        CollectorRegistry,
        GCCollector,
        ProcessCollector,
        start_http_server,
    )

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(_Collector(measures))
    server, thread = start_http_server(port, host, registry)
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Collector:
    """Adapter between Metrics and Prometheus's client library."""

    def __init__(self, measures: Metrics) -> None:
        self._measures = measures

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; the library calls it for each scrape."""
        from prometheus_client.core import (  # noqa: PLC0415 - as above
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            InfoMetricFamily,
        )

        metrics = self._measures
        yield InfoMetricFamily("rulewright", "The version that is served.", {"version": __version__})
        messages = CounterMetricFamily(
            "rulewright_messages", "Messages from pages, by type.", labels=("type", "refused")
        )
        for (kind, refused), count in list(metrics.messages.items()):
            messages.add_metric([kind, "yes" if refused else "no"], count)
        yield messages
        requests = CounterMetricFamily("rulewright_requests", "Requests over HTTP, by page.", labels=("page", "status"))
        for (page, status), count in list(metrics.requests.items()):
            requests.add_metric([page, str(status)], count)
        yield requests
        for name, description, histogram in (
            ("rulewright_answer_seconds", "From an answer's coming until it is acknowledged.", metrics.answered),
            ("rulewright_commit_seconds", "How long the log took to keep what came together.", metrics.commits),
        ):
            yield HistogramMetricFamily(name, description, buckets=_buckets(histogram), sum_value=histogram.total)
        for name, description, count in (
            ("rulewright_sent_messages", "Messages to pages.", metrics.sent),
            ("rulewright_sent_bytes", "Their size, before they are compressed.", metrics.sent_bytes),
            ("rulewright_log_works", "What was read from the log or added to it.", metrics.stored),
            (
                "rulewright_log_failures",
                "What the log could not do.",
                metrics.failures,
            ),
        ):
            yield CounterMetricFamily(name, description, value=count)
        for name, value in metrics.gauges.items():
            yield GaugeMetricFamily(f"rulewright_{name}", _GAUGES[name], value=value())


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """Return the buckets in Prometheus's form: bounds as texts, counts cumulated."""
    return list(zip((*map(str, BUCKET_BOUNDS), "+Inf"), accumulate(histogram.counts), strict=True))
