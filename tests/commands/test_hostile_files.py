"""Every command over spoilt files of every kind: the first cases of `python tools/hostile.py`, which has thousands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import hostile_files
from hostile_files import KINDS, Samples
from rulewright import cli

CASES, AT_ONCE = 200, 20
USUAL = 40  # the others with --long


@pytest.fixture(scope="module")
def among(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    return hostile_files.samples(tmp_path_factory.mktemp("made"))


@pytest.mark.rotating(12)
@pytest.mark.parametrize(
    "first",
    [pytest.param(at, marks=() if at < USUAL else pytest.mark.long) for at in range(0, CASES, AT_ONCE)],
)
def test_damaged_files_do_no_harm(first: int, among: Samples, tmp_path: Path) -> None:
    results = [hostile_files.case(number, among, tmp_path / "case") for number in range(first, first + AT_ONCE)]
    assert all(case.commands for case in results)
    assert not [case for case in results if case.wrong]


@pytest.mark.rotating(3)
def test_same_number_is_the_same_case(among: Samples, tmp_path: Path) -> None:
    assert hostile_files.case(7, among, tmp_path / "case") == hostile_files.case(7, among, tmp_path / "case")


# ── what would be wrong is noticed ──


def raises() -> int:
    raise KeyError("deck")


def endless() -> int:
    while True:
        pass


def says(text: str) -> Callable[[], int]:
    return lambda: print(text) or 2


def leaves(name: str) -> Callable[[], int]:
    return lambda: Path(name).write_text("half") and 2


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (raises, "KeyError: 'deck' (test_hostile_files.py:"),
        (endless, "no end in 0.1 seconds"),
        (lambda: 7, "status 7"),
        (lambda: 2, "refused without a word"),
        (says("Traceback (most recent call last)"), "a traceback is shown"),
        (says("a\x1b[2Jb"), "U+001B is shown"),
        (leaves("other"), "other has changed"),
        (leaves(".rulewright-0123456789abcdef.new"), ".new has changed"),
    ],
)
def test_the_check_notices_faults(
    work: Callable[[], int], text: str, among: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hostile_files, "MOST_SECONDS", 0.1)
    monkeypatch.setattr(cli, "main", lambda argv: work())
    for kind in KINDS:
        result = hostile_files.case(1, among, tmp_path / "case", (kind,))
        assert any(text in wrong for wrong in result.wrong), kind
