"""Waiting from one's own answer to one's next question, in the tool's own time."""

from __future__ import annotations

import re

import pytest

import measure_waits
from measure_waits import LINE, ROW, Event
from project_folders import ROOT
from rulewright.server.limits import Limits


def test_the_tool_has_the_figures_of_the_page() -> None:
    pace = (ROOT / "interpreter" / "rulewright" / "server" / "page" / "pace.js").read_text(encoding="utf-8")
    (usual,) = re.findall(r"usual: \{ line: (\d+), row: (\d+),", pace)
    assert usual == (str(round(1000 * LINE)), str(round(1000 * ROW)))


def test_what_waits_is_shown_faster() -> None:
    def last_time(*events: tuple[float, float]) -> float:
        return round(measure_waits._shown_at([Event(*event) for event in events]), 3)

    assert last_time((0, 5)) == 0  # the last one is not waited for
    assert last_time((0, 0.3), (0.1, 0.3)) == 0.3
    assert last_time((0, 0.3), (1, 0.3)) == 1
    assert last_time((0, ROW), (0, ROW), (0, ROW)) == round(ROW / 3 + ROW / 3, 3)


@pytest.mark.rotating(6)
def test_a_game_against_computers_is_not_waited_for() -> None:
    """Nine rounds, in which people decide some thirty times."""
    waits = list(measure_waits.waits("wild-cards/2022", 100, Limits().hold))
    assert len(waits) > 20 and 10 < sum(one.all for one in waits) < 43
    assert max(one.all for one in waits) < 5
