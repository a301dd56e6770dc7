"""Servers are killed while people play: what `tools/kill_servers.py` does at length."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace

import pytest

import kill_servers
from databases import needs_postgresql
from places import GAMES


@needs_postgresql
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_killed_servers_lose_nothing_and_count_nothing_twice() -> None:
    edition, proxy = str(GAMES / "river-crossing.yaml"), "nginx" if shutil.which("nginx") else "none"
    wanted = Namespace(edition=edition, games=2, at_once=2, people=1, servers=2, every=2.0, proxy=proxy, seed=1)
    done, found = kill_servers.run(wanted)
    assert not found
    assert done.startswith("2 games, ") and int(done.split()[2]) > 3, "most answers are acknowledged"
