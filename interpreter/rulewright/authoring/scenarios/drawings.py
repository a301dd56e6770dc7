"""Drawings of the board's contents that a case begins with or expects: a letter for each space, in the rows and columns
of its map."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import ascii_letters
from typing import Any

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.zone_expectations import ExpectedContents, Mismatch
from rulewright.base.diagnostics import Report, did_you_mean, there_are
from rulewright.base.records import record
from rulewright.program.form import BoardMap
from rulewright.runtime.view import ZoneView
from rulewright.syntax import source
from rulewright.syntax.messages import KNOWN_HERE, UNKNOWN_KEY
from rulewright.syntax.source import Node, Scalar

MAP_KEY, LEGEND_KEY = "drawn", "with"
"""Keys of a drawing, and of what its letters mean."""
_EMPTY = ". "
"""Characters for empty spaces, and for places without a space; drawings are written with the first."""
_UNKNOWN = "?"
"""Letter for contents that no letter of a legend means."""
_MAX_SHOWN = 12
"""Maximum number of spaces whose differences are told one by one."""


@record
class DrawnBoard:
    """Drawing of a board as written. meanings: key and value of each letter; letters: index of a space that is not
    empty -> its letter."""

    board: BoardMap
    meanings: Mapping[str, tuple[Scalar, Node]]
    letters: Mapping[int, Scalar]


def read(key: Scalar, node: source.MappingNode, board: BoardMap, report: Report) -> DrawnBoard:
    """Read the drawing of a zone. It is usable only if the report gets no errors. key: of the zone; node: with the
    drawing and its legend."""
    meanings = _read_legend(key, node, report)
    drawing = node.entries[MAP_KEY]
    if not isinstance(drawing, Scalar):
        report.error(key.place, messages.NO_DRAWING())
        return DrawnBoard(board, meanings, {})
    rows = drawing.text.split("\n")
    needed = 1 + max(row for _, row in board.positions)
    if (count := len(drawing.text.rstrip("\n").split("\n"))) < needed:
        problem = messages.ROWS_MISSING(count=count, needed=needed)
        report.error(drawing.place, problem, messages.DRAW_EMPTY_ROWS())
        return DrawnBoard(board, meanings, {})
    spaces = {position: number for number, position in enumerate(board.positions)}
    letters: dict[int, Scalar] = {}
    strange: set[str] = set()
    offset = 0
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            place = source.text_part(drawing, offset + column, letter)
            if letter in _EMPTY:
                continue
            if (column, row) not in spaces:
                report.error(place.place, messages.NO_SPACE_HERE(space=board.spaces))
            elif letter in meanings:
                letters[spaces[column, row]] = place
            elif letter not in strange:
                strange.add(letter)
                problem = messages.UNKNOWN_LETTER(key=LEGEND_KEY, letter=letter)
                report.error(place.place, problem, *there_are(sorted(meanings)))
        offset += len(line) + 1
    return DrawnBoard(board, meanings, letters)


def _read_legend(key: Scalar, node: source.MappingNode, report: Report) -> dict[str, tuple[Scalar, Node]]:
    """Return the letters of a drawing's legend with their contents; {}, reported, without a legend or with other keys
    beside it. Invalid letters are reported, too."""
    for other in (name for name, _ in node.items() if name.text not in (MAP_KEY, LEGEND_KEY)):
        hints = did_you_mean(other.text, [LEGEND_KEY]) or (KNOWN_HERE(names=(MAP_KEY, LEGEND_KEY)),)
        report.error(other.place, UNKNOWN_KEY(name=other.text), *hints)
        return {}
    legend = node.get(LEGEND_KEY)
    if not isinstance(legend, source.MappingNode):
        problem = messages.NO_LEGEND(key=LEGEND_KEY, zone=key.text)
        report.error(key.place, problem, messages.ADD_LEGEND(key=LEGEND_KEY))
        return {}
    for letter, _ in legend.items():
        if len(letter.text) != 1 or letter.text in _EMPTY:
            report.error(letter.place, messages.NO_LETTER(given=letter.text), messages.POINTS_ARE_EMPTY())
    return {letter.text: (letter, meaning) for letter, meaning in legend.items()}


def difference(
    drawing: DrawnBoard,
    meanings: Mapping[str, ExpectedContents],
    names: Sequence[str],
    zone_of: Callable[[int], ZoneView],
) -> Mismatch | None:
    """Return the expected and the actual drawing, each followed by its side of the differences, space by space; None
    if they are equal. meanings: contents of
    each letter; names: of the spaces; zone_of: returns the zone of a space."""
    expected = {number: letter.text for number, letter in drawing.letters.items()}
    actual = dict(expected)
    wrong: list[tuple[str, Mismatch]] = []
    for number, name in enumerate(names):
        zone = zone_of(number)
        contents = meanings[expected[number]] if number in expected else ExpectedContents((), "in order")
        mismatch = contents.difference(zone) if number in expected or zone.count else None
        if mismatch is not None:
            wrong.append((name, mismatch))
            actual[number] = _letter(meanings, zone)
    if not wrong:
        return None
    more = [f"… {len(wrong) - _MAX_SHOWN} more"] if len(wrong) > _MAX_SHOWN else []
    columns = [[f"{name}: {both[side]}" for name, both in wrong[:_MAX_SHOWN]] + more for side in (0, 1)]
    pictures = [_picture_lines(drawing.board, letters) for letters in (expected, actual)]
    return "\n".join([*pictures[0], *columns[0]]), "\n".join([*pictures[1], *columns[1]])


def drawn_anew(drawing: DrawnBoard, meanings: Mapping[str, ExpectedContents], zones: Sequence[ZoneView]) -> Any:
    """Return a drawing of the actual contents for a file: with the letters of the old drawing, and new ones."""
    known = dict(meanings)
    letters: dict[int, str] = {}
    for number, zone in enumerate(zones):
        letter = _letter(known, zone)
        if letter == _UNKNOWN:
            letter = next(other for other in ascii_letters if other not in known)
            known[letter] = ExpectedContents((), "in order").matching(zone)
        letters[number] = letter
    width = 1 + max(column for column, _ in drawing.board.positions)
    rows = [[_EMPTY[0]] * width for _ in range(1 + max(row for _, row in drawing.board.positions))]
    for number, (column, row) in enumerate(drawing.board.positions):
        rows[row][column] = letters[number]
    legend = {letter: contents.file_value for letter, contents in known.items() if letter in letters.values()}
    return {MAP_KEY: "\n".join(map("".join, rows)) + "\n", LEGEND_KEY: legend or {"x": []}}


def _letter(meanings: Mapping[str, ExpectedContents], zone: ZoneView) -> str:
    """Return the letter for the contents of a space; letters with exact contents are preferred. The first of `_EMPTY`
    for an empty space, `_UNKNOWN` if no letter fits."""
    exact_first = sorted(meanings.items(), key=lambda meaning: meaning[1].mode == "includes")
    fitting = (letter for letter, contents in exact_first if contents.difference(zone) is None)
    return next(fitting, _UNKNOWN) if zone.count else _EMPTY[0]


def _picture_lines(board: BoardMap, letters: Mapping[int, str]) -> list[str]:
    """Return a drawing as lines, with the names of columns and rows; a blank is no space."""
    width = 1 + max(column for column, _ in board.positions)
    height = 1 + max(row for _, row in board.positions)
    margin = len(str(height))
    cells = [[" "] * width for _ in range(height)]
    for number, (column, row) in enumerate(board.positions):
        cells[row][column] = letters.get(number, _EMPTY[0])
    return [
        f"{'':{margin}} {''.join(board.coordinates.letter((column, 0)) for column in range(width))}",
        *(f"{board.coordinates.number(row):{margin}} {''.join(line)}".rstrip() for row, line in enumerate(cells)),
    ]
