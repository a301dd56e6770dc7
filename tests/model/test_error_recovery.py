"""Reading a file with mistakes: everything else in it is read, for editors."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.authoring.edition_check import examine

SOUND = """\
rulewright: 1
title: Half a game
players: 2
pieces: {card: {has: {rank: 1 to 3}, starts in: deck, noun: "card {rank}"}}
zones: {deck: {seen by: all}, heap: {seen by: all}}
phases: {play: {do: [each seat: [choose 1 from deck into heap], end game]}}
"""
WHOLE = ("Half a game", ["deck", "heap"], ["card"], ["play"])


@pytest.mark.parametrize(
    "original, replacement, expected",
    [
        ("players: 2\n", "players: two\n", WHOLE),
        ("players: 2\n", "", WHOLE),
        ("players: 2\n", "players: 2\nseats: [2]\n", WHOLE),
        ("phases: {play:", "phases: [play] #", (*WHOLE[:3], [])),
        ("phases: {play:", "fazes: {play:", (*WHOLE[:3], [])),
        ("heap: {seen by: all}", "heap: {seen by: al}", (WHOLE[0], ["deck"], *WHOLE[2:])),
        ("deck into heap", "dck into heap", WHOLE),
    ],
)
def test_everything_without_a_mistake_is_read(
    original: str, replacement: str, expected: tuple[object, ...], tmp_path: Path
) -> None:
    file = tmp_path / "half.yaml"
    file.write_text(SOUND.replace(original, replacement))
    edition, report = examine(str(file))
    assert edition is not None and not report.ok and len(report.errors) <= 2
    assert (edition.title, [*edition.zones], [*edition.kinds], [p.name for p in edition.phases]) == expected
