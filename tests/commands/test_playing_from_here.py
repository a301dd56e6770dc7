"""A game is begun in its middle: at a phase or a step, or as a case begins."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.players.fast_forward import play_until
from rulewright.players.seating import read_seats
from rulewright.players.session import Session
from small_games.market import CASES, MARKET

MORE = MARKET.replace("          - do sell\n", "          - if coins is 2: do rest\n          - do sell\n")
REST = "      rest:\n        do:\n          - choose 1 from hand as kept: {ask: Which stays?}\n"


@cache
def rules() -> Rules:
    return library.from_text(MORE.replace("    steps:\n", f"    steps:\n{REST}"))


def begin(seed: int) -> Session:
    return Session.start(rules(), read_seats("Ada,Ben", rules().edition), None, seed)


@pytest.mark.parametrize("place", ["trade", "sell", "rest"])
def test_play_starts_at_a_decision(place: str) -> None:
    session = play_until(begin, 1, place)
    assert session is not None and session.path is None
    (question,) = session.game.decisions()
    assert place in (question.phase, question.id.partition(".")[0])
    again = play_until(begin, 1, place)
    assert again is not None and again.game.save() == session.game.save()


@pytest.mark.rotating(2)
def test_an_unknown_place_is_never_reached() -> None:
    assert play_until(begin, 1, "nowhere") is None


def test_play_starts_like_a_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "market.yaml").write_text(MARKET, "utf-8")
    file = tmp_path / "market.examples.yaml"
    file.write_text(CASES, "utf-8")
    assert main(["play", str(file), "--case", "a sold ware brings two coins"]) == 0
    assert "cloth card, salt card" in capsys.readouterr().out
    assert main(["play", str(file), "--case", "a sold wares brings two coins"]) == 2
    assert "Did you mean" in capsys.readouterr().err
    assert main(["play", str(tmp_path / "market.yaml"), "--seats", "you,greedy", "--from", "sel"]) == 2
    assert "Did you mean 'sell'?" in capsys.readouterr().err
