"""Read boards: spaces of a map or a list, their neighbours, and the directions of maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from rulewright.base.diagnostics import RelatedPlace, SourcePlace, escape_controls, there_are
from rulewright.model import messages
from rulewright.model.declarations import PLAIN, Board, canonical
from rulewright.model.reader.section import SectionReader, by_name, required_text, scalar, text_of
from rulewright.program.board_coordinates import LOWERCASE, BoardCoordinates
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar, entries_of, text_part, value_of

MAX_SPACES = 400
"""Maximum number of spaces of a board, drawn or listed."""
MAX_COLUMNS = len(LOWERCASE.letters)
"""Maximum number of columns of a map: as many as there are letters for their names."""
MAX_MAP_ROWS = 100
"""Maximum number of rows of a map."""
NO_SPACE = ". "
"""Characters of a map where there is no space."""

GridPosition = tuple[int, int]
"""Column and row, counted from 0."""

SLANT = "slant"
"""Name of the word list of straight and diagonal directions."""

_Offset = tuple[int, int]
"""Columns to the right and rows down from a space to the next."""

_ORTHOGONAL: Mapping[str, _Offset] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""Directions of a map of squares: name -> columns and rows per step."""
_DIAGONAL: Mapping[str, _Offset] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
"""Directions of a map of squares with diagonal neighbours, clockwise."""
_HEXAGONAL = ("northeast", "east", "southeast", "southwest", "west", "northwest")
"""Directions of a map of hexagons, clockwise."""
OPPOSITES = {
    "north": "south", "northeast": "southwest", "east": "west", "southeast": "northwest",
    "south": "north", "southwest": "northeast", "west": "east", "northwest": "southeast",
}  # fmt: skip
"""Direction of a map -> the opposite one."""


def _offsets(shape: str, row: int) -> Mapping[str, _Offset]:
    """Return the directions of a map, clockwise, each with its offset from a space of a row. shape: as of `_shape`.

    In hexagonal maps, odd rows, counted from 0, lie half a space to the right.
    """
    if shape != "hexagonal":
        return _DIAGONAL if shape == "diagonal" else _ORTHOGONAL
    right, left = (1, 0) if row % 2 else (0, -1)
    across = (right, 1, right, left, -1, left)
    down = (-1, 0, 1, 1, 0, -1)
    return dict(zip(_HEXAGONAL, zip(across, down, strict=True), strict=True))


class BoardReader(SectionReader):
    """Reader of boards. Their spaces and directions become word lists."""

    def read_boards(self) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
        """Declare all boards as they are iterated; yield the word lists that they make, each as its name and its words
        with their details: first spaces, board by board, then directions."""
        shapes: dict[str, str] = {}
        for key, node in entries_of(self.tree.get("boards")):
            assert isinstance(node, source.MappingNode)
            name, directions = required_text(node, "of"), scalar(node, "directions")
            is_map = node.get("map") or node.get("size")
            yield (
                Scalar(canonical(name.text), name.place),
                self.map_spaces(key, node) if is_map else self.listed_spaces(key, node),
            )
            if is_map and directions is not None and shapes.setdefault(directions.text, _shape(node)) != _shape(node):
                problem = messages.TWO_SHAPES(name=directions.text, one=shapes[directions.text], other=_shape(node))
                self.report.error(directions.place, problem, messages.RENAME_DIRECTIONS())
        for directions in first_of_each(self.tree.get("boards"), "directions"):
            yield from self.with_declared_details(_directions(directions, shapes.get(directions.text, "")))

    def with_declared_details(
        self, directions: Iterable[tuple[Scalar, list[tuple[Scalar, Node]]]]
    ) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
        """Yield lists of directions with the details that `words` has for them; report what the map says itself, and
        words that are no directions."""
        lists = {key.text: words for key, words in entries_of(self.tree.get("words"))}
        for name, words in directions:
            more = {key.text: (key, details) for key, details in entries_of(lists.get(name.text))}
            known = [word.text for word, _ in words]
            for key, details in more.values():
                if key.text not in known:
                    problem = messages.NO_DIRECTION_OF_MAP(list=name.text, name=key.text)
                    self.report.error(key.place, problem, *there_are(known))
                for attribute, _ in entries_of(details):
                    if attribute.text in ("opposite", SLANT):
                        self.report.error(attribute.place, messages.MAP_SAYS(name=attribute.text))
            yield (
                name,
                [(word, _merge_details(own, more[word.text][1]) if word.text in more else own) for word, own in words],
            )

    def drawing(self, node: source.MappingNode) -> Scalar | None:
        """Return the drawing of a map, or a rectangle of its `size`; None, reported, if that is too large."""
        size = scalar(node, "size")
        if size is None:
            return required_text(node, "map")
        columns, rows = (int(number) for number in size.text.split("by"))
        if columns > MAX_COLUMNS or rows > MAX_MAP_ROWS or columns * rows > MAX_SPACES:
            self.report_too_large(size.place)
            return None
        return Scalar("\n".join([PLAIN * columns] * rows), size.place)

    def report_too_large(self, place: SourcePlace, columns: int = MAX_COLUMNS) -> None:
        """Report a map that is too large; uses of its spaces are not reported again."""
        problem = messages.MAP_TOO_LARGE(columns=columns, rows=MAX_MAP_ROWS, spaces=MAX_SPACES)
        self.report.error(place, problem)
        self.edition.lost.add(*(f"{a}{b + 1}" for a in ascii_lowercase for b in range(MAX_MAP_ROWS)))

    def map_spaces(self, key: Scalar, node: source.MappingNode) -> list[tuple[Scalar, Node]]:
        """Read a map and declare its board; return its spaces, row by row, with their details. Reports what is wrong;
        [] for a map that is too large."""
        if (drawing := self.drawing(node)) is None:
            return []
        legend = {letter.text: details for letter, details in entries_of(node.get("legend"))}
        nothing = Scalar("", key.place, True)
        spaces: list[tuple[Scalar, Node]] = []
        letters: list[str] = []
        positions: list[GridPosition] = []
        strange: set[str] = set()
        names = self.coordinates(node, drawing.text)
        self.check_legend(legend, node)
        for offset, column, row, character in _spaces_of_drawing(drawing.text):
            letter = character if node.get("legend") else PLAIN
            place = text_part(drawing, offset, character)
            if names.column((column, row)) >= len(names.letters) or row >= MAX_MAP_ROWS or len(spaces) >= MAX_SPACES:
                self.report_too_large(place.place, len(names.letters))
                return []
            if node.get("legend") and letter not in legend:
                if letter not in strange:
                    problem = messages.NOT_IN_LEGEND(letter=escape_controls(letter))
                    self.report.error(place.place, problem, *there_are(sorted(legend)))
                strange.add(letter)
                self.edition.lost.add(names.name((column, row)))
                continue
            details = _with_numbers(
                legend.get(letter, nothing), node, names.column((column, row)) + 1, names.number(row)
            )
            spaces.append((Scalar(names.name((column, row)), place.place), details))
            letters.append(letter)
            positions.append((column, row))
        for letter_key, _ in entries_of(node.get("legend")):
            if letter_key.text not in letters:
                self.report.error(letter_key.place, messages.NOT_IN_MAP(letter=letter_key.text))
        first, last = (text_part(drawing, offset, "").place_at(0, 1) for offset in (0, len(drawing.text.rstrip()) - 1))
        if "\n" not in drawing.text.strip() and first.line != last.line:
            self.report.error(drawing.place, messages.LINES_TOGETHER(), messages.WRITE_MAP_BELOW())
        if not spaces and not strange:
            self.report.error(drawing.place, messages.NO_SPACE_IN_MAP(), messages.LETTERS_ARE_SPACES())
        wraps = self.wraps(node, positions)
        steps, opposites = _all_steps(positions, _shape(node), wraps), _opposites(_shape(node))
        neighbours, round_ = _adjacent_spaces(steps), any(wraps)
        cells = list(zip(letters, positions, strict=True))
        self.declare_board(key, node, neighbours, cells, steps, opposites, round_, names)
        return spaces

    def coordinates(self, node: source.MappingNode, drawing: str) -> BoardCoordinates:
        """Return the names of a map's columns and rows, and report those that cannot be."""
        places = [(column, row) for _, column, row, _ in _spaces_of_drawing(drawing)]
        letters, leans = scalar(node, "letters"), text_of(node, "columns run") == "slanting"
        numbered = text_of(node, "numbered")
        if letters is not None and len(set(letters.text.lower())) < len(letters.text):
            self.report.error(letters.place, messages.LETTER_TWICE())
        if leans and _shape(node) != "hexagonal":
            self.report.error(node.keys["columns run"].place, messages.SLANTING_NEEDS_HEXAGONS())
        return BoardCoordinates(
            letters.text if letters is not None else ascii_lowercase,
            max((row for _, row in places), default=0) if text_of(node, "first row") == "bottom" else 0,
            min((column - row // 2 for column, row in places), default=0) if leans else None,
            tuple(places[:: -1 if numbered == "from the last" else 1]) if numbered else (),
        )

    def wraps(self, node: source.MappingNode, positions: list[GridPosition]) -> GridPosition:
        """Return after how many columns and rows a map wraps around; 0 where it has an edge. Reports a map that cannot
        wrap down."""
        setting = scalar(node, "wraps")
        if setting is None or not positions:
            return 0, 0
        columns, rows = (1 + max(place) for place in zip(*positions, strict=True))
        if _shape(node) == "hexagonal" and setting.text != "across" and rows % 2:
            self.report.error(setting.place, messages.ODD_ROWS(rows=rows))
        return columns if setting.text != "down" else 0, rows if setting.text != "across" else 0

    def check_legend(self, letters: Mapping[str, Node], board: source.MappingNode) -> None:
        """Report legend entries that repeat a column or row, or name neighbours."""
        axes = ((key, scalar(board, key)) for key in ("columns", "rows"))
        numbered = {name.text: (axis, name.place) for axis, name in axes if name is not None}
        for details in letters.values():
            for key, _ in entries_of(details):
                if key.text in numbered:
                    axis, place = numbered[key.text]
                    related = RelatedPlace(place, messages.DECLARED_HERE(name=key.text))
                    problem = messages.NUMBERED_ALREADY(axis=axis, name=key.text)
                    self.report.error(key.place, problem, messages.RENAME_ONE(), related=(related,))
                if key.text == "next to":
                    self.report.error(key.place, messages.MAP_SHOWS_NEIGHBOURS(), messages.SAY_NEIGHBOURS())

    def listed_spaces(self, key: Scalar, node: source.MappingNode) -> list[tuple[Scalar, Node]]:
        """Read a board of listed spaces and declare it; return the spaces with their details, without their links.
        Reports what is wrong; [] for too many spaces."""
        spaces = list(entries_of(node.get("spaces")))
        names = [name.text for name, _ in spaces]
        if len(names) > MAX_SPACES:
            self.report.error(key.place, messages.TOO_MANY_SPACES(most=MAX_SPACES))
            self.edition.lost.add(*names)
            return []
        linked: list[set[int]] = [set() for _ in names]
        for index, (_, details) in enumerate(spaces):
            next_to = value_of(details, "next to")
            for other in next_to.items if isinstance(next_to, source.SequenceNode) else [next_to] if next_to else []:
                assert isinstance(other, Scalar)
                if neighbour := self.resolve(other, names, messages.SPACE()):
                    linked[index].add(names.index(neighbour))
                    linked[names.index(neighbour)].add(index)
        directions = self.declared_opposites(node)
        steps = self.next_spaces(spaces, names, directions)
        for index, others in enumerate(_adjacent_spaces(steps)):
            linked[index] |= set(others)
            if index in linked[index]:
                self.report.error(spaces[index][0].place, messages.NEXT_TO_ITSELF(name=names[index]))
        opposites = tuple(list(directions).index(back) for back in directions.values())
        neighbours = tuple(tuple(sorted(others)) for others in linked)
        self.declare_board(
            key, node, neighbours, steps=steps if directions else (), opposites=opposites, round_=bool(directions)
        )
        return [(name, _without_keys(details, directions)) for name, details in spaces]

    def declared_opposites(self, node: source.MappingNode) -> dict[str, str]:
        """Return the directions of a board of listed spaces, each with its opposite; {} without directions, and if one
        has no opposite, which is reported."""
        directions = scalar(node, "directions")
        if directions is None:
            return {}
        lists = {key.text: words for key, words in entries_of(self.tree.get("words"))}
        words = dict(by_name(lists.get(self.resolve(directions, lists, messages.WORD_LIST()))))
        opposites = {name: text_of(details, "opposite") for name, details in words.items()}
        for name, back in opposites.items():
            if opposites.get(back, "") != name:
                hint = messages.SAY_OPPOSITES(list=directions.text)
                self.report.error(directions.place, messages.NO_OPPOSITE(name=name), hint)
                return {}
        return opposites

    def next_spaces(
        self, spaces: list[tuple[Scalar, Node]], names: list[str], opposites: Mapping[str, str]
    ) -> tuple[tuple[int, ...], ...]:
        """Return, for each listed space, the index of the next space in each direction, or -1. Either of two neighbours
        may declare the other."""
        order = list(opposites)
        steps = [[-1] * len(order) for _ in names]
        for index, (_, details) in enumerate(spaces):
            for way, other in entries_of(details):
                if way.text not in opposites or not isinstance(other, Scalar):
                    continue
                if not (target := self.resolve(other, names, messages.SPACE())):
                    continue
                target_index = names.index(target)
                for one, name, two in ((index, way.text, target_index), (target_index, opposites[way.text], index)):
                    known = steps[one][order.index(name)]
                    if known not in (-1, two):
                        problem = messages.TWO_LINKS(way=name, space=names[one], one=names[known], other=names[two])
                        hint = messages.LINKS_GO_BOTH_WAYS(way=way.text, back=opposites[way.text])
                        self.report.error(other.place, problem, hint)
                    steps[one][order.index(name)] = two
        return tuple(map(tuple, steps))

    def declare_board(
        self,
        key: Scalar,
        node: source.MappingNode,
        neighbours: tuple[tuple[int, ...], ...],
        cells: Sequence[tuple[str, GridPosition]] = (),
        steps: tuple[tuple[int, ...], ...] = (),
        opposites: tuple[int, ...] = (),
        round_: bool = False,
        coordinates: BoardCoordinates = LOWERCASE,
    ) -> None:
        """Enter a board into the edition. cells: letter and position of each space of a map; steps, opposites, round_:
        as of `Board`."""
        name = canonical(required_text(node, "of").text)
        directions, columns, rows = (text_of(node, told) for told in ("directions", "columns", "rows"))
        shape = _shape(node)
        self.edition.boards[key.text] = Board(
            key.text,
            key.place,
            name,
            scalar(node, "text"),
            neighbours,
            tuple(letter for letter, _ in cells),
            tuple(position for _, position in cells),
            hexagonal=shape == "hexagonal",
            steps=steps,
            opposites=opposites,
            directions=canonical(directions),
            slants=SLANT if directions and shape == "diagonal" and cells else "",
            columns=columns,
            rows=rows,
            round=round_,
            coordinates=coordinates,
        )


def _spaces_of_drawing(drawing: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield the spaces of a drawing, as (offset in the text, column, row, letter)."""
    offset = 0
    for row, line in enumerate(drawing.split("\n")):
        for column, letter in enumerate(line):
            if letter not in NO_SPACE:
                yield offset + column, column, row, letter
        offset += len(line) + 1


def _all_steps(positions: list[GridPosition], shape: str, wraps: GridPosition) -> tuple[tuple[int, ...], ...]:
    """Return, for each space, the index of the next one in each direction, or -1.

    No space is next to itself, even on a small map that wraps.
    """
    number = {position: index for index, position in enumerate(positions)}

    def step(origin: GridPosition, along: _Offset) -> int:
        column, row = (
            (place + more) % size if size else place + more
            for place, more, size in zip(origin, along, wraps, strict=True)
        )
        return number.get((column, row), -1) if (column, row) != origin else -1

    return tuple(tuple(step(origin, along) for along in _offsets(shape, origin[1]).values()) for origin in positions)


def _opposites(shape: str) -> tuple[int, ...]:
    """Return the index of the opposite of each direction of a map."""
    names = list(_offsets(shape, 0))
    return tuple(names.index(OPPOSITES[name]) for name in names)


def _adjacent_spaces(steps: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return, for each space, the spaces one step away in any direction."""
    return tuple(tuple(sorted({there for there in row if there >= 0})) for row in steps)


def _without_keys(details: Node, keys: Iterable[str]) -> Node:
    """Return the details of a space without some keys."""
    left = [(key, node) for key, node in entries_of(details) if key.text not in keys]
    return _mapping(details.place, left) if isinstance(details, source.MappingNode) else details


def _shape(node: source.MappingNode) -> str:
    """Return how the spaces of a board are neighbours: 'orthogonal', the default, 'diagonal' or 'hexagonal'."""
    return text_of(node, "neighbours") or "orthogonal"


def _with_numbers(details: Node, board: source.MappingNode, column: int, row: int) -> Node:
    """Return the details of a space, with its column and row numbers under the names that the board gives these."""
    headers = [(scalar(board, key), number) for key, number in (("columns", column), ("rows", row))]
    added = [(name, Scalar(str(number), name.place)) for name, number in headers if name is not None]
    return _mapping(details.place, [*entries_of(details), *added]) if added else details


def first_of_each(boards: Node | None, key: str) -> list[Scalar]:
    """Return the values of a key in all boards, each text once."""
    result: dict[str, Scalar] = {}
    for _, node in entries_of(boards):
        if (value := scalar(node, key)) is not None:
            result.setdefault(value.text, value)
    return list(result.values())


def _directions(list_name: Scalar, shape: str) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
    """Yield the word list of a map's directions, and that of straight and diagonal if there are both."""
    if not shape:
        return
    place = list_name.place
    words: list[tuple[Scalar, Node]] = []
    for name, (across, down) in _offsets(shape, 0).items():
        attributes = {"opposite": OPPOSITES[name]}
        if shape == "diagonal":
            attributes[SLANT] = "diagonal" if across and down else "straight"
        entries = [(Scalar(key, place), Scalar(value, place)) for key, value in attributes.items()]
        words.append((Scalar(name, place), _mapping(place, entries)))
    yield Scalar(canonical(list_name.text), place), words
    if shape == "diagonal":
        nothing = Scalar("", place, True)
        yield Scalar(SLANT, place), [(Scalar(slant, place), nothing) for slant in ("straight", "diagonal")]


def _merge_details(details: Node, more: Node) -> Node:
    """Return the details of a word with more of them, which do not replace its own."""
    return _mapping(details.place, [*entries_of(more), *entries_of(details)])


def _mapping(place: SourcePlace, entries: Iterable[tuple[Scalar, Node]]) -> source.MappingNode:
    """Return a mapping node of entries."""
    pairs = list(entries)
    return source.MappingNode(place, {key.text: value for key, value in pairs}, {key.text: key for key, _ in pairs})
