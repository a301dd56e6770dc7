"""Reports on too few games for a verdict."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.cli import main

CHAIRS = """\
rulewright: 1
title: Four chairs
players: 4
pieces: {card: {has: {value: 1 to 40}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: owner}}
phases: {play: {do: [shuffle deck, {each seat: [choose 1 from top 2 of deck into hand]}, end game]}}
scoring: {high: {points: total value of hand}, low: {points: 40 - total value of hand}, one: {points: 1}}
ranking: highest total value of hand
"""


@pytest.mark.rotating(3)
@pytest.mark.parametrize("games", [1, 2, 5, 12])
def test_few_games_carry_no_verdict(
    games: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chairs.yaml").write_text(CHAIRS)
    for seed in range(12):
        run = ["simulate", "chairs.yaml", "--games", str(games), "--seed", str(seed), "--out", f"run {seed}"]
        assert main([*run, "--processes", "1", "--quiet"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        for low, high in re.findall(r"wins [\d.]+% \(([\d.]+) to ([\d.]+)\) of games: \w+ than its fair", text):
            assert not float(low) <= 25 <= float(high), text
        assert "No seat shows an advantage" not in text and "Every game" not in text and "inf" not in text
        assert "always" not in text and "nine in ten" not in text
        assert f"cannot be told from {games} game" in text or "fair share" in text


def test_many_games_carry_a_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chairs.yaml").write_text(CHAIRS)
    assert main(["simulate", "chairs.yaml", "--games", "2000", "--out", "run", "--processes", "1", "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "No seat shows an advantage" in text and "Every game lasts 1 round" in text
    skewed = CHAIRS.replace(
        "highest total value of hand",
        "highest total value of hand + 9 * number of (you where you is among first 1 of seats)",
    )
    Path("chairs.yaml").write_text(skewed)
    assert main(["simulate", "chairs.yaml", "--games", "2000", "--out", "other", "--processes", "1", "--quiet"]) == 0
    assert "Seat 1 wins" in (text := " ".join(capsys.readouterr().out.split())) and "more than its fair share" in text


def test_two_equal_differences_are_no_evidence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chairs.yaml").write_text(CHAIRS)
    Path("more.yaml").write_text(CHAIRS.replace("points: 1}", "points: 3}"))
    for games, sure in ((2, False), (40, True)):
        assert main(["compare", "chairs.yaml", "more.yaml", "--games", str(games), "--quiet"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert ("Points of a seat: too few games to compare" in text) is not sure
        assert ("a seat scores 2.0 points more" in text) is sure, text
