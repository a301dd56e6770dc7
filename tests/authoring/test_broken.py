"""Broken editions, each with what `check` says about it. `python tools/record_broken.py` records them again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from record_broken import FOLDER, messages_of

BROKEN = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_edition_gives_the_recorded_messages(path: Path) -> None:
    assert messages_of(path) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_many_broken_editions_and_each_gives_a_message() -> None:
    assert len(BROKEN) >= 80
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in BROKEN}
    for path in BROKEN:
        recorded = path.with_suffix(".txt").read_text(encoding="utf-8")
        assert re.search(r"(?m)^[\w/-]+\.yaml:\d+:\d+: (error|warning)\[", recorded), path.name
