"""Game records: the moves of a game in a file format that other programs read, as the edition's looks say.

Sources: PGN specification and implementation guide (S. J. Edwards, 1994), and PDN, which is like it but for its signs
(A. Millett); SGF FF[4] (A. Hollosi, red-bean.com/sgf).
"""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from string import digits

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.model.declarations import RecordLook
from rulewright.publish.board_sides import seats_of_sides

PDN, SGF = "pdn", "sgf"
_PDN_SIGNS = str.maketrans("–×", "-x")
"""Signs of PDN for those with which moves are told."""
_PGN_WIDTH = 79
"""Characters of a line of moves, as the PGN standard asks."""
_SGF_MOVES = 12
"""Moves in a line of SGF."""
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Letters by which SGF names columns and rows."""


@record
class GameRecord:
    """File with the moves of a game. name: of the file, with its ending; text: its content."""

    name: str
    text: str


@record
class _Move:
    """Move as it is noted. round: in which it was made; actor: seat that made it, or None; answers: number of answers
    up to the last one that it tells of, that one included, 0 for what the set-up notes."""

    round: int
    actor: int | None
    answers: int
    text: str


def game_record(game: Game, day: date) -> GameRecord | None:
    """Return the moves of a game as its looks say, with what everybody may know; None if they say nothing.

    day: on which the game was played.
    """
    look = game.rules.edition.record
    if look is None:
        return None
    text = (_sgf if look.format == SGF else _pgn)(game, look, day)
    return GameRecord(f"{game.rules.edition.name.rpartition('/')[2]}-{day.isoformat()}.{look.format}", text)


def _moves(game: Game) -> list[_Move]:
    """List the moves; what the same seat does in the same round, or what comes of the same answer, belongs to one."""
    starts = [answered.events for answered in game.history.answers]
    moves: list[_Move] = []
    for number in range(game.log.length):
        line, answers = game.log.line(number, None), bisect_right(starts, number)
        if not line.notation:
            continue
        last = moves[-1] if moves else None
        if last and (last.answers == answers or (last.round, last.actor) == (line.round, line.actor)):
            moves[-1] = _Move(last.round, last.actor, answers, last.text + _gap(line.notation) + line.notation)
        else:
            moves.append(_Move(line.round, line.actor, answers, line.notation))
    return moves


def _gap(text: str) -> str:
    """Return what stands before a further part of a move: a blank before a word or a number, else ''."""
    return " " if re.match(r"\d|[^\W\d_]{2}", text) else ""


def _winners(game: Game) -> list[int]:
    """List the seats that have won; empty before the end."""
    return [one.seat for one in (game.standings() if game.over else ()) if one.rank == 1]


def _names(game: Game, look: RecordLook) -> dict[str, str]:
    """Return the name of whoever plays each side, of several the last, by what the format calls the side."""
    seats = seats_of_sides(game)
    return {code: game.names[seats[side]] for side, code in look.sides.items() if side in seats}


def _filled_tags(game: Game, look: RecordLook) -> dict[str, str]:
    """Return an edition's tags; the title of a line of the score in braces becomes the sum of all seats' points in
    it."""
    scores = [game.position.score(seat, None, game.over).lines for seat in range(len(game.names))]
    totals = {lines[0][0]: sum(points or 0 for _, points in lines) for lines in zip(*scores, strict=True)}
    tags = dict(look.tags)
    for title, total in totals.items():
        tags = {name: value.replace(f"{{{title}}}", f"{total:g}") for name, value in tags.items()}
    return tags


# ── PGN and PDN ──


def _pgn(game: Game, look: RecordLook, day: date) -> str:
    """Return a game as text in the Portable Game Notation, or in that of draughts: with the tags that these demand,
    and those of the edition."""
    names, winners = _names(game, look), _winners(game)
    if len(winners) == 1:
        first = game.names[winners[0]] == next(iter(names.values()), "")
        result = "1-0" if first else "0-1"
    else:
        result = "1/2-1/2" if winners else "*"
    tags = {
        "Event": game.rules.edition.title,
        "Site": "?",
        "Date": day.strftime("%Y.%m.%d"),
        "Round": "-",
        **names,
        "Result": result,
        **_filled_tags(game, look),
    }
    head = "".join(f'[{name} "{_pgn_text(value)}"]\n' for name, value in tags.items())
    body = " ".join([*_pgn_moves(_moves(game)), result])
    if look.format == PDN:
        body = body.translate(_PDN_SIGNS)
    return f"{head}\n{textwrap.fill(body, _PGN_WIDTH, break_on_hyphens=False)}\n"


def _pgn_moves(moves: Iterable[_Move]) -> Iterator[str]:
    """Yield tokens of the movetext: a number before each pair of moves."""
    for number, move in enumerate(moves):
        if number % 2 == 0:
            yield f"{number // 2 + 1}."
        yield move.text


def _pgn_text(text: str) -> str:
    """Return a tag's value with what is special escaped."""
    return "".join(filter(str.isprintable, text)).replace("\\", "\\\\").replace('"', '\\"')


# ── SGF ──


def _sgf(game: Game, look: RecordLook, day: date) -> str:
    """Return a game as text in the Smart Game Format."""
    seats = seats_of_sides(game)
    codes = {seats[side]: code for side, code in look.sides.items() if side in seats}
    points = _points(game)
    properties = {
        "FF": "4",
        "CA": "UTF-8",
        "AP": "Rulewright",
        **_filled_tags(game, look),
        "SZ": _sgf_size(points),
        **{f"P{code}": name for code, name in _names(game, look).items()},
        "DT": day.isoformat(),
        "RE": _sgf_result(game, codes),
    }
    head = "".join(f"{name}[{_sgf_text(value)}]" for name, value in properties.items() if value)
    stones = "".join(
        f"A{code}" + "".join(f"[{point}]" for point in occupied)
        for code, occupied in _stones(game, look, points).items()
        if occupied
    )
    moves = [f";{codes[move.actor]}[{_sgf_move(game, move, points)}]" for move in _moves(game) if move.actor in codes]
    lines = ("".join(moves[start : start + _SGF_MOVES]) for start in range(0, len(moves), _SGF_MOVES))
    return "\n".join([f"(;{head}{stones}", *lines]) + ")\n"


def _sgf_move(game: Game, move: _Move, points: Mapping[str, str]) -> str:
    """Return a move's point, '' where nothing was chosen or moved; other words as they are noted."""
    chose = bool(game.history.answers[move.answers - 1].keys)
    return points.get(move.text, _sgf_text(move.text) if chose or _moves_pieces(game, move.answers) else "")


def _moves_pieces(game: Game, answers: int) -> bool:
    """Return whether the last of so many answers has moved a piece."""
    before = game.with_history(game.history.before(answers - 1))
    after = game.with_history(game.history.before(answers)) if answers < len(game.history.answers) else game
    return [zone.pieces for zone in before.view(None).zones] != [zone.pieces for zone in after.view(None).zones]


def _points(game: Game) -> dict[str, str]:
    """Map the spaces of the first map, as readers and as the edition call them, to two letters: column and row from the
    top left."""
    board = next((one for one in game.rules.edition.boards.values() if one.positions), None)
    if board is None:
        return {}
    coordinates = board.coordinates
    column_of = {position: coordinates.name(position).rstrip(digits) for position in board.positions}
    columns = sorted({*column_of.values()}, key=lambda column: (len(column), column))  # which may slant
    points = [
        (position, _LETTERS[columns.index(column)] + _LETTERS[position[1]]) for position, column in column_of.items()
    ]
    return {call(position): point for position, point in points for call in (coordinates.label, coordinates.name)}


def _sgf_size(points: Mapping[str, str]) -> str:
    """Return how large a board is: one number where it is square, else columns and rows; '' without a map."""
    columns, rows = ({point[part] for point in points.values()} for part in (0, 1))
    if len(columns) != len(rows):
        return f"{len(columns)}:{len(rows)}"
    return str(len(columns)) if points else ""


def _stones(game: Game, look: RecordLook, points: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the points where pieces of each side lay before the first answer."""
    start = game.with_history(game.history.before(0)) if game.history.answers else game
    edition = game.rules.edition
    words = [word.name for word in edition.words[edition.sides].words]
    sides = {
        type_.name: words[type_.attributes[attribute]]
        for type_ in game.program.types
        for attribute, holds in edition.kinds[type_.kind].attributes.items()
        if holds == edition.sides
    }
    stones: dict[str, list[str]] = {code: [] for code in look.sides.values()}
    for zone in start.view(None).zones:
        point = points.get(zone.word)
        for side in {sides.get(piece, "") for piece in zone.pieces or () if point}:
            if side in look.sides:
                stones[look.sides[side]].append(str(point))
    return stones


def _sgf_result(game: Game, codes: Mapping[int, str]) -> str:
    """Return the result as the Smart Game Format writes it: '0' for a draw, 'B+R' for a resignation, 'B+' where points
    do not decide, '' if it is open."""
    winners = _winners(game)
    if len(winners) != 1:
        return "0" if winners else ""
    code = codes.get(winners[0], "")
    if game.conceded:
        return f"{code}+R"
    totals = [one.total for one in game.standings()]
    return f"{code}+{max(totals) - min(totals):g}" if max(totals) > min(totals) else f"{code}+"


def _sgf_text(text: str) -> str:
    """Return a property's value with what is special escaped."""
    return "".join(filter(str.isprintable, text)).replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
