"""Whole recorded games: what an onlooker reads stays the same until somebody records it anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import playthroughs

RECORD = "If the change is meant, record the games again (python tools/playthroughs.py) and read the difference."


ENOUGH = 3  # seats: longer tables of long games only with --long


def recorded() -> Iterator[tuple[str, str, str]]:
    """Records: file, name of the edition, and roles of the seats. Loading the editions here would take long."""
    for path in sorted(playthroughs.FOLDER.rglob("*.txt")):
        with path.open(encoding="utf-8") as file:
            match = re.fullmatch(r"rulewright play (\S+) --seats (\S+) --seed \d+\n", file.readline())
        assert match is not None, path
        yield path.relative_to(playthroughs.FOLDER).as_posix(), match[1], match[2]


TABLES = [
    pytest.param(
        *table, marks=[pytest.mark.long] if table[2].count(",") + 1 > ENOUGH and "wildlife" in table[1] else []
    )
    for table in recorded()
]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("file", "name", "seats"), TABLES, ids=lambda value: value)
def test_a_recorded_game_has_the_same_log(file: str, name: str, seats: str) -> None:
    before = (playthroughs.FOLDER / file).read_text(encoding="utf-8")
    assert playthroughs.recorded(name, seats) == before, RECORD


def test_every_table_is_recorded_once() -> None:
    assert sorted(playthroughs.tables()) == sorted(recorded()), RECORD
    assert {path.suffix for path in playthroughs.FOLDER.rglob("*.*")} == {".txt"}
