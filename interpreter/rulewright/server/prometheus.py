"""What a server counts, as Prometheus reads it: on an address of its own, since it is not meant for everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING

from rulewright import __version__
from rulewright.server.metrics import BOUNDS, Histogram, Measures

if TYPE_CHECKING:
    from prometheus_client import Metric

_PLACE = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[^\[\]:/@\s]+):)?(?P<port>\d{1,5})")
_HERE = "127.0.0.1"

_PRESENT = {
    "connections": "Pages that are connected and have said who they are, or may still do so.",
    "tables_in_memory": "Tables that are in use, or were lately.",
    "tables_watched": "Tables at which somebody is connected.",
    "thoughts": "Questions that bots and hints work on, or wait to.",
}


def place(text: str) -> tuple[str, int]:
    """Host and port from `HOST:PORT` or `PORT`; without a host only this computer gets there. ValueError for others."""
    found = _PLACE.fullmatch(text)
    if found is None or int(found["port"]) > 65535:
        raise ValueError(text)
    return (found["host"] or _HERE).strip("[]"), int(found["port"])


@contextmanager
def shown(measures: Measures, host: str, port: int) -> Iterator[int]:
    """Let Prometheus read them meanwhile; at which port. Raises OSError."""
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
    def __init__(self, measures: Measures) -> None:
        self._measures = measures

    def collect(self) -> Iterator[Metric]:
        """Called by the library whenever somebody reads."""
        from prometheus_client.core import (  # noqa: PLC0415 - as above
            CounterMetricFamily,
            GaugeMetricFamily,
            HistogramMetricFamily,
            InfoMetricFamily,
        )

        found = self._measures
        yield InfoMetricFamily("rulewright", "The version that is served.", {"version": __version__})
        messages = CounterMetricFamily(
            "rulewright_messages", "Messages from pages, by type.", labels=("type", "refused")
        )
        for (kind, refused), count in list(found.messages.items()):
            messages.add_metric([kind, "yes" if refused else "no"], count)
        yield messages
        requests = CounterMetricFamily("rulewright_requests", "Requests over HTTP, by page.", labels=("page", "status"))
        for (page, status), count in list(found.requests.items()):
            requests.add_metric([page, str(status)], count)
        yield requests
        for name, told, histogram in (
            ("rulewright_answer_seconds", "From an answer's coming until it is acknowledged.", found.answered),
            ("rulewright_commit_seconds", "How long the log took to keep what came together.", found.commits),
        ):
            yield HistogramMetricFamily(name, told, buckets=_buckets(histogram), sum_value=histogram.total)
        for name, told, count in (
            ("rulewright_sent_messages", "Messages to pages.", found.sent),
            ("rulewright_sent_bytes", "Their size, before they are compressed.", found.sent_bytes),
            ("rulewright_log_works", "What was read from the log or added to it.", found.kept),
            (
                "rulewright_log_failures",
                "What the log could not do.",
                found.failures,
            ),
        ):
            yield CounterMetricFamily(name, told, value=count)
        for name, value in found.present.items():
            yield GaugeMetricFamily(f"rulewright_{name}", _PRESENT[name], value=value())


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    """As Prometheus has them: each class holds those below it too."""
    return list(zip((*map(str, BOUNDS), "+Inf"), accumulate(histogram.counts), strict=True))
