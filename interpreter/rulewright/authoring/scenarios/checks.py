"""Checks of a case: comparisons with a game, and the subjects of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.zone_expectations import ExpectedContents, Mismatch
from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.runtime.position import Spot
from rulewright.syntax.source import Scalar


@record
class Check:
    """Expectation of one value. title: its subject, for messages; difference: returns the mismatch, or None if it is
    met; right: returns the entry that would be met, as a plain tree; contents: expected contents of each zone that it
    names."""

    place: SourcePlace
    title: Wording
    difference: Callable[[CaseGame], Mismatch | None]
    right: Callable[[CaseGame], Any]
    contents: Mapping[Spot, ExpectedContents] = field(default_factory=dict)


@record
class Topic:
    """Subject of expectations.

    - spots: zones and counters
    - seats: those whose decisions or belongings are expected
    - has: those whose belongings are
    - offers: whether choices are expected
    - log: expected lines
    """

    spots: frozenset[Spot] = frozenset()
    seats: frozenset[int] = frozenset()
    has: frozenset[int] = frozenset()
    offers: bool = False
    log: tuple[str, ...] = ()


@record
class Expected:
    """Expectations at one moment. tell, teach: texts for readers and for learners if all are met, or None; subject:
    their subject."""

    place: SourcePlace
    checks: tuple[Check, ...]
    tell: Scalar | None = None
    subject: Topic = Topic()
    teach: Scalar | None = None
