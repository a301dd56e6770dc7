"""What a window wants to know of games: sent to the process that plays them."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.base.records import record
from rulewright.model.declarations import Edition


@record
class TableWanted:
    """At which table. seats: as `simulate --seats` has them; setting: options, and values that are other numbers than
    the edition's, in order."""

    seats: str
    setting: tuple[tuple[str, str], ...]


@record
class CurveWanted:
    """What comes of each number of a value, from the least to the most."""

    value: str
    least: int
    most: int


@record
class SearchWanted:
    """Values that are looked for. vary, toward: as `rulewright tune` has them."""

    vary: tuple[str, ...]
    toward: tuple[str, ...]


@dataclass(frozen=True)
class GamesWanted:
    """key: names what is wanted in all that comes of it; against: an edition to compare with."""

    key: str
    edition: Edition
    table: TableWanted
    against: Edition | None = None
    curve: CurveWanted | None = None
    search: SearchWanted | None = None
