"""Chess beside a model of its rules, which itself counts moves as published (perft)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from rulewright.game import library
from rulewright.game.game import Game

Square = tuple[int, int]
"""File and rank, from 0."""

KINGS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
KNIGHTS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
STEPS = {"n": KNIGHTS, "k": KINGS, "q": KINGS, "b": [w for w in KINGS if all(w)], "r": [w for w in KINGS if not all(w)]}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


@dataclass(frozen=True)
class Position:
    """men: letters as in FEN; white: whether white is to move; rights: letters of castling; passed: the square on which
    a pawn can be taken in passing, or None."""

    men: dict[Square, str]
    white: bool
    rights: str
    passed: Square | None


@dataclass(frozen=True)
class Move:
    start: Square
    spot: Square
    becomes: str = ""


def read(fen: str) -> Position:
    rows, turn, rights, _ = fen.split()
    men: dict[Square, str] = {}
    for row, line in enumerate(rows.split("/")):
        text = "".join("." * int(letter) if letter.isdigit() else letter for letter in line)
        men.update({(file, 7 - row): letter for file, letter in enumerate(text) if letter != "."})
    return Position(men, turn == "w", rights, None)


def attacked(men: dict[Square, str], spot: Square, by_white: bool) -> bool:
    pawn = -1 if by_white else 1
    for kind, steps in STEPS.items():
        for way in steps:
            for target in along(men, spot, way, kind in "nk"):
                man = men.get(target, "")
                if man and man.isupper() == by_white and man.lower() == kind:
                    return True
    corners = [(spot[0] + side, spot[1] + pawn) for side in (-1, 1)]
    return any(men.get(corner) == ("P" if by_white else "p") for corner in corners)


def along(men: dict[Square, str], start: Square, way: Square, once: bool) -> Iterator[Square]:
    """Yield the squares in a direction, up to the first man."""
    file, rank = start[0] + way[0], start[1] + way[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        yield file, rank
        if once or (file, rank) in men:
            return
        file, rank = file + way[0], rank + way[1]


def reach(position: Position, start: Square) -> Iterator[Square]:
    men, white = position.men, position.white
    kind = men[start].lower()
    if kind == "p":
        ahead = 1 if white else -1
        one, two = (start[0], start[1] + ahead), (start[0], start[1] + 2 * ahead)
        if one not in men:
            yield one
            if start[1] == (1 if white else 6) and two not in men:
                yield two
        for target in ((start[0] - 1, one[1]), (start[0] + 1, one[1])):
            if target == position.passed or (target in men and men[target].isupper() != white):
                yield target
        return
    for way in STEPS[kind]:
        yield from (to for to in along(men, start, way, kind in "nk") if to not in men or men[to].isupper() != white)
    if kind == "k" and not attacked(men, start, not white):
        yield from castling(position, start)


def castling(position: Position, king: Square) -> Iterator[Square]:
    file, rank = king
    for letter, between, step in (("k", (5, 6), 1), ("q", (1, 2, 3), -1)):
        has_right = (letter.upper() if position.white else letter) in position.rights
        is_free = not any((each, rank) in position.men for each in between)
        if has_right and is_free and not attacked(position.men, (file + step, rank), not position.white):
            yield file + 2 * step, rank


def after(position: Position, move: Move) -> Position:
    men, white = dict(position.men), position.white
    man = men.pop(move.start)
    (file, rank), (to, up) = move.start, move.spot
    if man.lower() == "p" and move.spot == position.passed:
        del men[to, rank]
    if man.lower() == "k" and abs(to - file) == 2:
        men[(file + to) // 2, rank] = men.pop((7 if to > file else 0, rank))
    men[move.spot] = (move.becomes.upper() if white else move.becomes) if move.becomes else man
    corners = {(4, 0): "KQ", (7, 0): "K", (0, 0): "Q", (4, 7): "kq", (7, 7): "k", (0, 7): "q"}
    lost = corners.get(move.start, "") + corners.get(move.spot, "")
    rights = "".join(letter for letter in position.rights if letter not in lost)
    passed = (file, (rank + up) // 2) if man.lower() == "p" and abs(up - rank) == 2 else None
    return Position(men, not white, rights, passed)


def legal(position: Position) -> Iterator[Move]:
    for start, man in position.men.items():
        if man.isupper() != position.white:
            continue
        for spot in reach(position, start):
            promotes = man.lower() == "p" and spot[1] in (0, 7)
            for becomes in "qrbn" if promotes else [""]:
                move = Move(start, spot, becomes)
                if not in_check(replace(after(position, move), white=position.white)):
                    yield move


def in_check(position: Position) -> bool:
    king = next(spot for spot, man in position.men.items() if man == ("K" if position.white else "k"))
    return attacked(position.men, king, not position.white)


def perft(position: Position, depth: int) -> int:
    return sum(perft(after(position, move), depth - 1) if depth > 1 else 1 for move in legal(position))


@pytest.mark.rotating(4)
@pytest.mark.parametrize(("fen", "counts"), [(START, (20, 400)), (KIWIPETE, (48, 2039))])
def test_the_model_counts_moves_as_published(fen: str, counts: tuple[int, ...]) -> None:
    assert tuple(perft(read(fen), depth + 1) for depth in range(len(counts))) == counts


RANKS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


@pytest.mark.rotating(4)
def test_chess_is_played_as_in_the_model() -> None:
    kinds = Counter[str]()
    for seed in range(2):
        kinds += a_game(seed)
    assert kinds["move"] > 100
    assert kinds["check"] > 3


def a_game(seed: int) -> Counter[str]:
    """Play by chance, beside the model: what can be moved, where to, and how the game ends."""
    chance, position, kinds = random.Random(seed), read(START), Counter[str]()
    game = Game.start(library.load("classics/chess"), ["Ada", "Ben"], seed=seed)
    while not game.over and kinds["move"] < 80:
        moves = list(legal(position))
        assert {choice.key for choice in game.decisions()[0].choices} == {name(move.start) for move in moves}
        move = chance.choice([one for one in moves if one.becomes or position.men.get(one.spot)] or moves)
        move = chance.choice([move, *moves])
        game.answer(0 if position.white else 1, [name(move.start)])
        spots = {name(one.spot) for one in moves if one.start == move.start}
        assert {choice.key for choice in game.decisions()[0].choices} == spots
        game.answer(0 if position.white else 1, [name(move.spot)])
        if move.becomes:
            game.answer(0 if position.white else 1, [next(rank for rank, it in RANKS.items() if it == move.becomes)])
        position = after(position, move)
        kinds["move"] += 1
        kinds["check"] += in_check(position)
    if game.over:
        winners = {standing.seat for standing in game.standings() if standing.rank == 1}
        mate = in_check(position) and not list(legal(position))
        assert winners == ({1 if position.white else 0} if mate else {0, 1})
    return kinds


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0]]}{square[1] + 1}"


GAMES = {
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 d2d3 e4f6 b1d2 d7d5 f1e1 e5e4 d3e4 d5c4 e4e5 d8d2 e5f6 f8e7 f6g7 d2d1 "
    "g7h8": ("e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Nxe4 d3 Nf6 Nbd2 d5 Re1 e4 dxe4 dxc4 e5 Qxd2 exf6 + Be7 fxg7 Qxd1 gxh8 =Q +"),
    "f2f3 e7e5 g2g4 d8h4": "f3 e5 g4 Qh4 #",
}


@pytest.mark.parametrize("moves, notation", GAMES.items())
def test_moves_are_written_as_players_write_them(moves: str, notation: str) -> None:
    game = Game.start(library.load("classics/chess"), ["Ada", "Ben"], seed=1)
    for move in moves.split():
        (decision,) = game.decisions()
        for keys in (move[:2], move[2:], *(["queen"] if move == "g7h8" else [])):
            game.answer(decision.seat, [keys])
    lines = [game.log.line(number, None) for number in range(game.log.length)]
    assert [line.notation for line in lines if line.notation] == notation.split()
