"""Boards: their spaces, drawn as a map or listed by name, which of them are neighbours, and the directions of maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_lowercase

from rulewright.base.diagnostics import SourcePlace, few, visible
from rulewright.model.declarations import PLAIN, Board, canonical
from rulewright.model.reader.section import SectionReader, by_name, items, needed, scalar, text_of
from rulewright.syntax import source
from rulewright.syntax.source import Node, Scalar, part

MOST_SPACES = 400
MOST_COLUMNS = len(ascii_lowercase)
MOST_ROWS_OF_A_MAP = 40
NO_SPACE = ". "

GridPosition = tuple[int, int]
"""Column and row, from 0."""

SLANT = "slant"
"""The word list that tells straight from diagonal directions, where there are both."""

Step = tuple[int, int]
"""So many columns to the right and rows down."""

_ORTHOGONAL: Mapping[str, Step] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
_DIAGONAL: Mapping[str, Step] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
_HEXAGONAL = ("northeast", "east", "southeast", "southwest", "west", "northwest")
OPPOSITES = {
    "north": "south", "northeast": "southwest", "east": "west", "southeast": "northwest",
    "south": "north", "southwest": "northeast", "west": "east", "northwest": "southeast",
}  # fmt: skip


def _steps(shape: str, row: int) -> Mapping[str, Step]:
    """The directions of a map, clockwise, and the step from a space of a row in each of them. Of hexagons, the rows
    with an odd number, counted from 0, lie half a space to the right."""
    if shape != "hexagonal":
        return _DIAGONAL if shape == "diagonal" else _ORTHOGONAL
    right, left = (1, 0) if row % 2 else (0, -1)
    across = (right, 1, right, left, -1, left)
    down = (-1, 0, 1, 1, 0, -1)
    return dict(zip(_HEXAGONAL, zip(across, down, strict=True), strict=True))


class BoardReader(SectionReader):
    """Reads boards. Their spaces are words; what is special about each is given to those who read words."""

    def boards(self) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
        """The word list that each board makes, as (its name, its words with their attributes)."""
        shapes: dict[str, str] = {}
        for key, node in items(self.tree.get("boards")):
            assert isinstance(node, source.MappingNode)
            name, ways = needed(node, "of"), scalar(node, "directions")
            is_map = node.get("map") or node.get("size")
            yield Scalar(canonical(name.text), name.place), self.drawn(key, node) if is_map else self.listed(key, node)
            if is_map and ways is not None and shapes.setdefault(ways.text, _shape(node)) != _shape(node):
                message = f"'{ways.text}' are {shapes[ways.text]} on one board and {_shape(node)} on another."
                self.report.error(ways.place, "board", message, "Give the directions of one of them another name.")
        for ways in first_of_each(self.tree.get("boards"), "directions"):
            yield from self.with_more(_directions(ways, shapes.get(ways.text, "")))

    def with_more(
        self, made: Iterable[tuple[Scalar, list[tuple[Scalar, Node]]]]
    ) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
        """The directions of maps with what 'words' says of them besides."""
        lists = {key.text: words for key, words in items(self.tree.get("words"))}
        for name, words in made:
            more = {key.text: (key, details) for key, details in items(lists.get(name.text))}
            known = [word.text for word, _ in words]
            for key, details in more.values():
                if key.text not in known:
                    message = f"'{name.text}' are the directions of a map, and '{key.text}' is none of them."
                    self.report.error(key.place, "board", message, few(known))
                for told, _ in items(details):
                    if told.text in ("opposite", SLANT):
                        self.report.error(told.place, "board", f"The map says what the '{told.text}' of each is.")
            yield name, [(word, _joined(own, more[word.text][1]) if word.text in more else own) for word, own in words]

    def drawing(self, key: Scalar, node: source.MappingNode) -> Scalar | None:
        """What is drawn, or a rectangle of that size; None if that is too large."""
        size = scalar(node, "size")
        if size is None:
            return needed(node, "map")
        columns, rows = (int(number) for number in size.text.split("by"))
        if columns > MOST_COLUMNS or rows > MOST_ROWS_OF_A_MAP or columns * rows > MOST_SPACES:
            self.too_large(size.place)
            return None
        return Scalar("\n".join([PLAIN * columns] * rows), size.place)

    def too_large(self, place: SourcePlace) -> None:
        message = f"A map has at most {MOST_COLUMNS} columns, {MOST_ROWS_OF_A_MAP} rows, {MOST_SPACES} spaces."
        self.report.error(place, "board", message)
        self.edition.lost.add(*(f"{a}{b + 1}" for a in ascii_lowercase for b in range(MOST_ROWS_OF_A_MAP)))

    def drawn(self, key: Scalar, node: source.MappingNode) -> list[tuple[Scalar, Node]]:
        """The spaces of a map, row by row."""
        if (drawing := self.drawing(key, node)) is None:
            return []
        legend = {letter.text: details for letter, details in items(node.get("legend"))}
        nothing = Scalar("", key.place, True)
        spaces: list[tuple[Scalar, Node]] = []
        letters: list[str] = []
        positions: list[GridPosition] = []
        strange: set[str] = set()
        self.legend(legend, node)
        for offset, column, row, drawn in _letters(drawing.text):
            letter = drawn if node.get("legend") else PLAIN
            place = part(drawing, offset, drawn)
            if column >= MOST_COLUMNS or row >= MOST_ROWS_OF_A_MAP or len(spaces) >= MOST_SPACES:
                self.too_large(place.place)
                return []
            if node.get("legend") and letter not in legend:
                if letter not in strange:
                    message = f"The legend does not say what '{visible(letter)}' is."
                    self.report.error(place.place, "board", message, few(sorted(legend)))
                strange.add(letter)
                self.edition.lost.add(f"{ascii_lowercase[column]}{row + 1}")
                continue
            details = _numbered(legend.get(letter, nothing), node, column + 1, row + 1)
            spaces.append((Scalar(f"{ascii_lowercase[column]}{row + 1}", place.place), details))
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
            hint = "A point or a blank is no space; a letter is one."
            self.report.error(drawing.place, "board", "A map has at least one space.", hint)
        wraps = self.wraps(node, positions)
        steps, opposites = _all_steps(positions, _shape(node), wraps), _opposites(_shape(node))
        self.board(key, node, _beside(steps), tuple(letters), tuple(positions), steps, opposites, any(wraps))
        return spaces

    def wraps(self, node: source.MappingNode, positions: list[GridPosition]) -> GridPosition:
        """After how many columns and rows a map goes on at its other side; 0 where it ends."""
        told = scalar(node, "wraps")
        if told is None or not positions:
            return 0, 0
        columns, rows = (1 + max(place) for place in zip(*positions, strict=True))
        if _shape(node) == "hexagonal" and told.text != "across" and rows % 2:
            message = f"A map of hexagons wraps down only with an even number of rows; this has {rows}."
            self.report.error(told.place, "board", message)
        return columns if told.text != "down" else 0, rows if told.text != "across" else 0

    def legend(self, letters: Mapping[str, Node], board: source.MappingNode) -> None:
        """What no letter can say of its spaces."""
        numbered = {named.text: key for key in ("columns", "rows") if (named := scalar(board, key)) is not None}
        for details in letters.values():
            for key, _ in items(details):
                if key.text in numbered:
                    message = f"The {numbered[key.text]} of this board are called '{key.text}' already."
                    self.report.error(key.place, "board", message, "Give one of the two another name.")
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
        ways = self.declared_ways(node)
        steps = self.links(spaces, names, ways)
        for index, others in enumerate(_beside(steps)):
            linked[index] |= set(others)
            if index in linked[index]:
                self.report.error(spaces[index][0].place, "board", f"'{names[index]}' cannot be next to itself.")
        opposites = tuple(list(ways).index(back) for back in ways.values())
        neighbours = tuple(tuple(sorted(others)) for others in linked)
        self.board(key, node, neighbours, steps=steps if ways else (), opposites=opposites, round_=bool(ways))
        return [(name, _without(details, ways)) for name, details in spaces]

    def declared_ways(self, node: source.MappingNode) -> dict[str, str]:
        """The directions of a board whose spaces are listed, each with its opposite."""
        told = scalar(node, "directions")
        if told is None:
            return {}
        lists = {key.text: words for key, words in items(self.tree.get("words"))}
        words = dict(by_name(lists.get(self.known(told, lists, "word list"))))
        ways = {name: text_of(details, "opposite") for name, details in words.items()}
        for name, back in ways.items():
            if ways.get(back, "") != name:
                message = f"A direction has an opposite whose opposite it is; '{name}' has none."
                self.report.error(told.place, "board", message, f"Say it of each word of '{told.text}'.")
                return {}
        return ways

    def links(
        self, spaces: list[tuple[Scalar, Node]], names: list[str], ways: Mapping[str, str]
    ) -> tuple[tuple[int, ...], ...]:
        """For each listed space, the one that it or the space there says to be next in each direction, or -1."""
        order = list(ways)
        steps = [[-1] * len(order) for _ in names]
        for here, (_, details) in enumerate(spaces):
            for way, other in items(details):
                if way.text not in ways or not isinstance(other, Scalar):
                    continue
                if not (found := self.known(other, names, "space")):
                    continue
                there = names.index(found)
                for one, name, two in ((here, way.text, there), (there, ways[way.text], here)):
                    known = steps[one][order.index(name)]
                    if known not in (-1, two):
                        message = f"'{name}' of '{names[one]}' is '{names[known]}' and '{names[two]}' at once."
                        hint = f"Each says it: a link goes both ways, '{way.text}' and '{ways[way.text]}'."
                        self.report.error(other.place, "board", message, hint)
                    steps[one][order.index(name)] = two
        return tuple(map(tuple, steps))

    def board(
        self,
        key: Scalar,
        node: source.MappingNode,
        neighbours: tuple[tuple[int, ...], ...],
        letters: tuple[str, ...] = (),
        positions: tuple[GridPosition, ...] = (),
        steps: tuple[tuple[int, ...], ...] = (),
        opposites: tuple[int, ...] = (),
        round_: bool = False,
    ) -> None:
        name = canonical(needed(node, "of").text)
        directions, columns, rows = (text_of(node, told) for told in ("directions", "columns", "rows"))
        shape = _shape(node)
        self.edition.boards[key.text] = Board(
            key.text,
            key.place,
            name,
            scalar(node, "text"),
            neighbours,
            letters,
            positions,
            hexagonal=shape == "hexagonal",
            steps=steps,
            opposites=opposites,
            directions=canonical(directions),
            slants=SLANT if directions and shape == "diagonal" and positions else "",
            columns=columns,
            rows=rows,
            round=round_,
        )


def _letters(drawing: str) -> Iterator[tuple[int, int, int, str]]:
    """Every space of a drawing: its offset in the text, column, row and letter."""
    offset = 0
    for row, line in enumerate(drawing.split("\n")):
        for column, letter in enumerate(line):
            if letter not in NO_SPACE:
                yield offset + column, column, row, letter
        offset += len(line) + 1


def _all_steps(positions: list[GridPosition], shape: str, wraps: GridPosition) -> tuple[tuple[int, ...], ...]:
    """For each space the number of the next one in each direction, or -1. No space is next to itself, however small a
    map that wraps."""
    number = {position: index for index, position in enumerate(positions)}

    def step(here: GridPosition, along: Step) -> int:
        column, row = (
            (place + more) % size if size else place + more
            for place, more, size in zip(here, along, wraps, strict=True)
        )
        return number.get((column, row), -1) if (column, row) != here else -1

    return tuple(tuple(step(here, along) for along in _steps(shape, here[1]).values()) for here in positions)


def _opposites(shape: str) -> tuple[int, ...]:
    names = list(_steps(shape, 0))
    return tuple(names.index(OPPOSITES[name]) for name in names)


def _beside(steps: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """For each space all that are one step on."""
    return tuple(tuple(sorted({there for there in row if there >= 0})) for row in steps)


def _without(details: Node, keys: Iterable[str]) -> Node:
    """What is said of a space without where its directions lead."""
    left = [(key, node) for key, node in items(details) if key.text not in keys]
    return _mapping(details.place, left) if isinstance(details, source.MappingNode) else details


def _shape(node: source.MappingNode) -> str:
    return text_of(node, "neighbours") or "orthogonal"


def _numbered(details: Node, board: source.MappingNode, column: int, row: int) -> Node:
    """What is said of a space, with the numbers of its column and row where they have names."""
    named = [(scalar(board, key), number) for key, number in (("columns", column), ("rows", row))]
    added = [(name, Scalar(str(number), name.place)) for name, number in named if name is not None]
    return _mapping(details.place, [*items(details), *added]) if added else details


def first_of_each(boards: Node | None, key: str) -> list[Scalar]:
    """What stands under a key of the boards, each text once."""
    found: dict[str, Scalar] = {}
    for _, node in items(boards):
        if (named := scalar(node, key)) is not None:
            found.setdefault(named.text, named)
    return list(found.values())


def _directions(ways: Scalar, shape: str) -> Iterator[tuple[Scalar, list[tuple[Scalar, Node]]]]:
    """The word list of a map's directions; with both straight and diagonal ones, that of these two as well."""
    if not shape:
        return
    place = ways.place
    words: list[tuple[Scalar, Node]] = []
    for name, (across, down) in _steps(shape, 0).items():
        told = {"opposite": OPPOSITES[name]}
        if shape == "diagonal":
            told[SLANT] = "diagonal" if across and down else "straight"
        entries = [(Scalar(key, place), Scalar(value, place)) for key, value in told.items()]
        words.append((Scalar(name, place), _mapping(place, entries)))
    yield Scalar(canonical(ways.text), place), words
    if shape == "diagonal":
        nothing = Scalar("", place, True)
        yield Scalar(SLANT, place), [(Scalar(slant, place), nothing) for slant in ("straight", "diagonal")]


def _joined(details: Node, more: Node) -> Node:
    return _mapping(details.place, [*items(more), *items(details)])


def _mapping(place: SourcePlace, entries: Iterable[tuple[Scalar, Node]]) -> source.MappingNode:
    found = list(entries)
    return source.MappingNode(place, {key.text: value for key, value in found}, {key.text: key for key, _ in found})
