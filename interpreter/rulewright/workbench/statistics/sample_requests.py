"""Requests of a window for statistics, sent to the process that plays games."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.base.records import record
from rulewright.model.edition import Edition


@record
class TableRequest:
    """Table to play at. seats: as in `simulate --seats`; setting: options, and values with other numbers than the
    edition's, in order."""

    seats: str
    setting: tuple[tuple[str, str], ...]


@record
class CurveRequest:
    """Request for the results of each number of a value, from `least` to `most`."""

    value: str
    least: int
    most: int


@record
class SearchRequest:
    """Request to search for values. vary, toward: as in `rulewright tune`."""

    vary: tuple[str, ...]
    toward: tuple[str, ...]


@dataclass(frozen=True)
class GamesRequest:
    """Request for games. key: names the request in all its results; against: an edition to compare with."""

    key: str
    edition: Edition
    table: TableRequest
    against: Edition | None = None
    curve: CurveRequest | None = None
    search: SearchRequest | None = None
