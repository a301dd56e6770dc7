"""Game records for other programs: PGN and SGF."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from project_folders import ROOT
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.game_record import game_record

DAY = date(2026, 11, 29)


def played(edition: str, answers: str, names: Sequence[str] = ("Ann", "Bo"), **options: str) -> Game:
    """Play a game of two seats that answer in turn; '-' takes nothing."""
    game = Game.start(library.load(edition), list(names), options, seed=1)
    for answer in answers.split():
        game.answer(game.decisions()[0].seat, [] if answer == "-" else [answer])
    return game


def text(game: Game) -> str:
    file = game_record(game, DAY)
    assert file is not None
    return file.text


def test_a_game_of_chess_in_pgn() -> None:
    game = played("classics/chess", "f2 f3 e7 e5 g2 g4 d8 h4", ['Ann "A" \\', "Bo"])
    assert text(game) == (
        '[Event "Chess"]\n[Site "?"]\n[Date "2026.11.29"]\n[Round "-"]\n'
        '[White "Ann \\"A\\" \\\\"]\n[Black "Bo"]\n[Result "0-1"]\n\n'
        "1. f3 e5 2. g4 Qh4# 0-1\n"
    )


def test_a_game_that_goes_on_has_no_result() -> None:
    assert text(played("classics/chess", "e2 e4")).endswith('[Result "*"]\n\n1. e4 *\n')


def test_a_game_of_go_in_sgf() -> None:
    """Stones that lie there at first are no moves; a pass is an empty one."""
    game = played("classics/go", "e5 - -", ["A]nn", "Bo"], handicap="two stones")
    assert text(game) == (
        "(;FF[4]CA[UTF-8]AP[Rulewright]GM[1]KM[0.5]RU[Chinese]SZ[9]PB[A\\]nn]PW[Bo]DT[2026-11-29]RE[B+0.5]"
        "AB[gc][cg]\n;W[ee];B[];W[])\n"
    )


def test_stones_that_lie_there_at_first_and_the_size_of_the_board() -> None:
    """One of five stones lies in the middle; none of six does."""
    five, six = (text(played("classics/go-13", "", handicap=f"{many} stones")) for many in ("five", "six"))
    assert "SZ[13]" in five and "AB[dd][jd][gg][dj][jj]" in five
    assert "AB[dd][jd][dg][jg][dj][jj]" in six
    assert "SZ[19]" in text(played("classics/go-19", "t19")) and ";B[sa]" in text(played("classics/go-19", "t19"))


def test_a_game_of_checkers_in_pdn() -> None:
    """Black begins, and jumps of one turn are one move."""
    game = played("classics/checkers", "c3 d4 f6 e5 d4 f6 g7 e5")
    head, moves = text(game).split("\n\n")
    assert '[White "Bo"]\n[Black "Ann"]\n[Result "*"]\n[GameType "21"]' in head
    assert moves == "1. 11-15 22-18 2. 15x22 25x18 *\n"


def test_a_game_of_hex_in_sgf() -> None:
    """Columns slant; what names no space is a word, also where it takes no more than a button."""
    for swap in ("c2", "-"):
        head, moves = text(played("classics/hex", f"c2 {swap} k11 a1")).split("\n", 1)
        assert "GM[11]SZ[11]" in head
        assert moves == ";B[cb];W[swap];B[kk];W[aa])\n"
    downwards = " ".join(f"a{row} b{row}" for row in range(1, 12)).removesuffix(" b11")
    assert "RE[B+]" in text(played("classics/hex", downwards, **{"first move": "keep"}))


def test_the_winner_of_a_game_that_was_given_up() -> None:
    game = played("classics/go", "e5")
    game.concede(1, ending=True)
    assert "RE[B+R]" in text(game)


def test_games_without_a_format_have_no_record() -> None:
    assert game_record(played("classics/four-in-a-row", ""), DAY) is None


def test_tags_tell_points_in_any_format(tmp_path: Path) -> None:
    go = (ROOT / "editions" / "classics" / "go.yaml").read_text(encoding="utf-8")
    (tmp_path / "go.yaml").write_text(go.replace("format: sgf", "format: pgn"), encoding="utf-8")
    assert '[KM "7.5"]' in text(played(str(tmp_path / "go.yaml"), "e5 - -"))
