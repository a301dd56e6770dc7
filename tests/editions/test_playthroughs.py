"""Whole recorded games: what an onlooker reads stays the same until somebody records it anew."""

from __future__ import annotations

import pytest

import playthroughs

RECORD = "If the change is meant, record the games again (python tools/playthroughs.py) and read the difference."


ENOUGH = 3  # seats: longer tables of long games only with --long
TABLES = [
    pytest.param(
        *table, marks=[pytest.mark.long] if table[2].count(",") + 1 > ENOUGH and "wildlife" in table[1] else []
    )
    for table in playthroughs.tables()
]


@pytest.mark.parametrize(("file", "name", "seats"), TABLES, ids=lambda value: value)
def test_a_recorded_game_is_told_as_before(file: str, name: str, seats: str) -> None:
    before = (playthroughs.FOLDER / file).read_text(encoding="utf-8")
    assert playthroughs.recorded(name, seats) == before, RECORD


def test_every_table_is_recorded_once_and_nothing_else() -> None:
    files = [file for file, _, _ in playthroughs.tables()]
    found = [path.relative_to(playthroughs.FOLDER).as_posix() for path in playthroughs.FOLDER.rglob("*.*")]
    assert sorted(files) == sorted(found), RECORD
