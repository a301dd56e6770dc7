"""Boards: their spaces, drawn as a map or listed by name, and which of them are neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase

from rulewright.base.diagnostics import few, visible
from rulewright.model.declarations import Board, canonical
from rulewright.model.reader.section import SectionReader, items, needed, scalar, text_of
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar, part

MOST_SPACES = 400
MOST_COLUMNS = len(ascii_lowercase)
MOST_ROWS_OF_A_MAP = 40
NO_SPACE = ". "

GridPosition = tuple[int, int]
"""Column and row, from 0."""

_STEPS = {
    "orthogonal": [(0, -1), (-1, 0), (1, 0), (0, 1)],
    "diagonal": [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
}
_HEXAGONAL = (  # in even rows, in odd rows
    [(-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)],
    [(0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1)],
)


class BoardReader(SectionReader):
    """Reads boards. Their spaces are words; what is special about each is given to those who read words."""

    def boards(self) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
        """The word list that each board makes, as (its name, its words with their attributes)."""
        for key, node in items(self.tree.get("boards")):
            assert isinstance(node, source.MappingNode)
            found = self.drawn(key, node) if node.get("map") else self.listed(key, node)
            name = needed(node, "of")
            yield Scalar(canonical(name.text), name.place), found

    def drawn(self, key: Scalar, node: source.MappingNode) -> list[tuple[Scalar, Node]]:
        """The spaces of a map, row by row."""
        drawing = needed(node, "map")
        legend = {letter.text: details for letter, details in items(node.get("legend"))}
        spaces: list[tuple[Scalar, Node]] = []
        letters: list[str] = []
        positions: list[GridPosition] = []
        strange: set[str] = set()
        self.legend(legend)
        for offset, column, row, letter in _letters(drawing.text):
            place = part(drawing, offset, letter)
            if column >= MOST_COLUMNS or row >= MOST_ROWS_OF_A_MAP or len(spaces) >= MOST_SPACES:
                message = f"A map has at most {MOST_COLUMNS} columns, {MOST_ROWS_OF_A_MAP} rows, {MOST_SPACES} spaces."
                self.report.error(place.place, "board", message)
                self.edition.lost.add(*(f"{a}{b + 1}" for a in ascii_lowercase for b in range(MOST_ROWS_OF_A_MAP)))
                return []
            if letter not in legend:
                if letter not in strange:
                    message = f"The legend does not say what '{visible(letter)}' is."
                    self.report.error(place.place, "board", message, few(sorted(legend)))
                strange.add(letter)
                self.edition.lost.add(f"{ascii_lowercase[column]}{row + 1}")
                continue
            spaces.append((Scalar(f"{ascii_lowercase[column]}{row + 1}", place.place), legend[letter]))
            letters.append(letter)
            positions.append((column, row))
        for letter_key, _ in items(node.get("legend")):
            if letter_key.text not in letters:
                self.report.error(letter_key.place, "board", f"There is no '{letter_key.text}' in the map.")
        first, last = (part(drawing, offset, "").place_at(0, 1) for offset in (0, len(drawing.text.rstrip()) - 1))
        if "\n" not in drawing.text.strip() and first.line != last.line:
            message = "The lines of this map have run together."
            self.report.error(drawing.place, "board", message, "Write 'map: |', and the lines below it.")
        if not spaces and not strange:
            self.report.error(drawing.place, "board", "A map has at least one space.")
        shape = text_of(node, "neighbours") or "orthogonal"
        self.board(key, node, _neighbours(positions, shape), tuple(letters), tuple(positions), shape == "hexagonal")
        return spaces

    def legend(self, letters: Mapping[str, Node]) -> None:
        """What no letter can say of its spaces."""
        for details in letters.values():
            for key, _ in items(details):
                if key.text == "next to":
                    hint = "Say with 'neighbours' which spaces are, or list the 'spaces'."
                    self.report.error(key.place, "board", "The map shows which spaces are next to each other.", hint)

    def listed(self, key: Scalar, node: source.MappingNode) -> list[tuple[Scalar, Node]]:
        """The spaces of a graph, by name."""
        spaces = list(items(node.get("spaces")))
        names = [name.text for name, _ in spaces]
        if len(names) > MOST_SPACES:
            self.report.error(key.place, "board", f"A board has at most {MOST_SPACES} spaces.")
            self.edition.lost.add(*names)
            return []
        linked: list[set[int]] = [set() for _ in names]
        for index, (_, details) in enumerate(spaces):
            told = details.get("next to") if isinstance(details, source.MappingNode) else None
            for other in told.items if isinstance(told, source.SequenceNode) else [told] if told else []:
                assert isinstance(other, Scalar)
                if found := self.known(other, names, "space"):
                    linked[index].add(names.index(found))
                    linked[names.index(found)].add(index)
        for index, others in enumerate(linked):
            if index in others:
                self.report.error(spaces[index][0].place, "board", f"'{names[index]}' cannot be next to itself.")
        self.board(key, node, tuple(tuple(sorted(others)) for others in linked))
        return spaces

    def board(
        self,
        key: Scalar,
        node: source.MappingNode,
        neighbours: tuple[tuple[int, ...], ...],
        letters: tuple[str, ...] = (),
        positions: tuple[GridPosition, ...] = (),
        hexagonal: bool = False,
    ) -> None:
        name = canonical(needed(node, "of").text)
        self.edition.boards[key.text] = Board(
            key.text, key.place, name, scalar(node, "text"), neighbours, letters, positions, hexagonal
        )


def _letters(drawing: str) -> Iterator[tuple[int, int, int, str]]:
    """Every space of a drawing: its offset in the text, column, row and letter."""
    offset = 0
    for row, line in enumerate(drawing.split("\n")):
        for column, letter in enumerate(line):
            if letter not in NO_SPACE:
                yield offset + column, column, row, letter
        offset += len(line) + 1


def _neighbours(positions: list[GridPosition], shape: str) -> tuple[tuple[int, ...], ...]:
    """For each space the numbers of those next to it, in the order of the map."""
    number = {position: index for index, position in enumerate(positions)}
    return tuple(
        tuple(
            number[column + across, row + down]
            for across, down in (_HEXAGONAL[row % 2] if shape == "hexagonal" else _STEPS[shape])
            if (column + across, row + down) in number
        )
        for column, row in positions
    )
