"""Plain English: docstrings and names are plain in every room."""

from __future__ import annotations

from pathlib import Path

import pytest

import check_english
from example_counts import one_in


@pytest.mark.parametrize("room", one_in(4, check_english.paths_of_rooms()))
def test_each_room_is_plain(room: str) -> None:
    lapses = check_english.count(check_english.paths_of_rooms()[room]).lapses
    assert not lapses, "\n".join(map(str, lapses))


@pytest.mark.parametrize(
    ("source", "lapses"),
    [
        ('def seats():\n    """Return the seats that may still answer."""', []),
        ('def seats():\n    """Seats that may still answer."""', []),
        ('def is_open() -> bool:\n    """Whether the decision is open."""', []),
        ('def seats():\n    """Who may still answer."""', ["2: begins with 'Who'"]),
        ('def seats():\n    """Whether the decision is open."""', ["2: begins with 'Whether'"]),
        ('def seats() -> None:\n    """Return the seats."""', ["2: begins with 'Return', but nothing is returned"]),
        ('def seats() -> Iterator[int]:\n    """Return the seats."""', ["2: begins with 'Return', but this yields"]),
        ('def share():\n    """The same, of a share."""', ["2: begins with a riddle"]),
        ('def seats():\n    """Seats that may still answer"""', ["2: no full stop"]),
        ('def ask(seat):\n    """Ask. seat: whom; phase: when."""', ["2: explains 'phase', which there is not"]),
        ('LIMIT = 5\n"""characters"""', []),
        ('LIMIT = 5\n"""How many characters"""', ["2: begins with 'How'"]),
        ("def told(at, *, place): ...", ["1: told", "1: at"]),
        ("class _Lying:\n    def __init__(self) -> None:\n        self._kept = 1", ["1: _Lying", "3: _kept"]),
        ("match = [found for found in range(3)]\nfor met in match: ...", ["2: met"]),
    ],
)
def test_lapses_are_found(tmp_path: Path, source: str, lapses: list[str]) -> None:
    file = tmp_path / "module.py"
    file.write_text(source, encoding="utf-8")
    _, result = check_english.lapses(file)
    assert [f"{lapse.line}: {lapse.text.partition(': ')[0]}" for lapse in result] == lapses


def test_own_tool_is_plain() -> None:
    assert check_english.lapses(Path(check_english.__file__))[1] == []


@pytest.mark.parametrize(
    ("subject", "plain"),
    [
        ("Restore the deadline when a player returns", True),
        ("What is mistyped begins no server elsewhere", False),
        ("Restored the deadline", False),
        ("Restore the deadline of a decision when the player whom it is for returns to the table", False),
    ],
)
def test_subjects_of_commits(subject: str, plain: bool) -> None:
    assert (check_english.subject_problem(subject) == "") == plain
