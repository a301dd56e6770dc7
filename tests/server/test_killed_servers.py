"""Servers are killed while people play, and bear a day: what tools do at length, for a moment."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace

import pytest

import club_day
import kill_servers
from databases import needs_postgresql
from project_folders import GAMES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
EDITION, PROXY = str(GAMES / "river-crossing.yaml"), "nginx" if shutil.which("nginx") else "none"


@needs_postgresql
def test_killed_servers_lose_nothing_and_count_nothing_twice() -> None:
    expected = Namespace(edition=EDITION, games=2, at_once=2, people=1, servers=2, workers=False, every=2.0, seed=1)
    expected.proxy = PROXY
    done, result = kill_servers.run(expected)
    assert not result
    assert done.startswith("2 games, ") and int(done.split()[2]) > 3, "most answers are acknowledged"


@pytest.mark.rotating(6)
@needs_postgresql
def test_a_day_is_reported_by_hours(capsys: pytest.CaptureFixture[str]) -> None:
    edition = str(GAMES / "four-in-a-row.yaml")
    expected = Namespace(edition=edition, minutes=0.1, tables=12, servers=2, proxy=PROXY, kill=0.0, seed=1)
    assert not club_day.run(expected)
    heads, _, *hours, _, [whole] = (line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines())
    lines = [dict(zip(heads, hour, strict=True)) for hour in hours]
    assert [hour["hour"] for hour in lines] == [f"{hour:02}" for hour in range(24)]
    assert 0 < sum(int(hour["answers"]) for hour in lines) <= int(whole.split(", ")[2].split()[0])
    assert 0 < sum(int(hour["opened"]) for hour in lines) <= 12
