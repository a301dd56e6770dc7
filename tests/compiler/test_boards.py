"""Boards, words that own things, tables, rounds of turns and menus, beyond the examples of the reference."""

from __future__ import annotations

import pytest
import yaml

from documents import as_text, merged
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.game import Game

ISLAND = """
rulewright: 1
title: Island
players: 2
words:
  land: {wood: {}, sand: {}}
  colour: {red: {opposite: blue, weight: 3}, blue: {opposite: red}}
  area: {north: {land: wood, neighbour: south}, south: {land: sand}}
  folk: {elf: {skill: {wood: 2, sand: 1}, steps: [4, 5], home: north}, orc: {skill: {wood: 0, sand: 3}, home: south}}
boards:
  island:
    of: space
    map: |
      nnn
      n.s
      sbs
    legend: {n: {area: north}, s: {area: south}, b: {area: south, other area: north}}
  world:
    of: country
    spaces: {norway: {next to: sweden}, sweden: {}}
pieces:
  tile: {each: folk, copies: 3, starts in: box, noun: "{folk} tile"}
zones:
  box: {seen by: all}
  ground: {of: space, seen by: all}
  camp: {of: area, seen by: all}
counters:
  seat: {gold: 0}
  space: {visits: 0}
phases:
  play: {do: end game}
"""


def edition(*changes: str) -> str:
    """Return the island with changes."""
    tree = yaml.load(ISLAND, yaml.BaseLoader)
    for change in changes:
        tree = merged(tree, yaml.load(change, yaml.BaseLoader))
    return as_text(tree)


def doing(*sentences: str) -> str:
    lines = "".join(f"\n    - {sentence}" for sentence in (*sentences, "end game"))
    return f"phases:\n  play:\n    do:{lines}\n"


def log_of(*changes: str) -> list[str]:
    """Start a game; return the lines of its log."""
    game = Game.start(library.from_text(edition(*changes)), ["Ada", "Ben"], seed=1)
    return [line.text for line in game.log.lines(None) if not line.heading]


def errors_of(*changes: str) -> list[str]:
    """Return the errors of the island with changes: 'code: message hint'."""
    with pytest.raises(EditionError) as caught:
        library.from_text(edition(*changes))
    return [f"{found.code}: {found.message} {found.hint}".strip() for found in caught.value.report.errors]


LOGS = {
    "words have words of their own list": ("{red's opposite}; {colours where opposite is red}", "blue; blue"),
    "a number that is not said is 0": ("{blue's weight} {total weight of colours}", "0 3"),
    "one of several attributes is enough": ("{spaces in north}", "a1, b1, c1, a2 and b3"),
    "over the words that words have": ("{spaces in sand}; {areas in wood}", "c2, a3, b3 and c3; north"),
    "a piece has the tables of its words": ("{tiles where (skill for sand is 3)}", "3 orc tiles"),
    "and the attributes of their words": ("{tiles where home's land is sand}", "3 orc tiles"),
    "of the members' sets, all": ("{number of grounds of spaces} {camps of areas}", "0 nothing"),
    "tables end": ("{elf's steps for 2} {elf's steps for 3} {elf's steps for 0} {orc's steps for 1}", "5 0 0 0"),
    "a piece that lies nowhere on the board": ("{spaces of box} {areas of box}", "nothing nothing"),
}


@pytest.mark.parametrize("text, read", LOGS.values(), ids=LOGS)
def test_values_of_words_tables_and_boards(text: str, read: str) -> None:
    assert log_of(doing(f'log: "{text}"')) == [read]


def test_sets_of_members_are_united() -> None:
    laid = ["move first 1 of box to a1's ground", "move last 2 of box to b1's ground"]
    assert log_of(doing(*laid, 'log: "{grounds of spaces}; {folks of tiles in north}"')) == [
        "elf tile and 2 orc tiles; elf and orc"
    ]


def test_spaces_of_pieces_have_the_order_of_the_list() -> None:
    """Otherwise the order would show which of two equal pieces lies where."""
    laid = ["move first 1 of box to b3's ground", "move first 1 of box to a1's ground"]
    assert log_of(doing(*laid, 'log: "{spaces of tiles}"')) == ["a1 and b3"]


def test_setting_one_word_leaves_the_others_unchanged() -> None:
    """`space` is one of them where something is called so; `spaces` are still all."""
    terms = "terms: {space: {far: {for: {other: space}, is: number of spaces where area is not space's area}}}"
    steps = "phases: {play: {steps: {look: {for: {space: space}, do: [{log: '{space} of {number of spaces}'}]}}}}"
    sentences = ["let space be a1", "do look for space", 'log: "{b3\'s far for a1}; {spaces in north}"']
    assert log_of(doing(*sentences), terms, steps) == ["a1 of 8", "4; a1, b1, c1, a2 and b3"]
    sentences = ["let spaces be neighbours of a1", 'log: "{spaces}"']
    assert log_of(doing(*sentences)) == ["b1 and a2"]


def test_options_change_values_of_words() -> None:
    values = "values: {area: {worth: 2}}"
    option = "options: {rich: {text: x, default: yes, change: {worth: +3}}}"
    assert log_of(doing('log: "{north\'s worth} {total worth of areas}"'), values, option) == ["5 10"]
    role = "roles: {bot: {joins: {2: optional}, change: {worth: +3}}}"
    assert errors_of(values, role, doing('log: "{north\'s worth}"')) == [
        "owner: A role changes only what belongs to a seat; this belongs to each area. Let an option change it."
    ]


SENTENCES = {
    "a space that is not drawn": (
        'log: "{neighbours of b2}"',
        "unknown-name: Nothing here is called 'b2'. "
        "No map has such a space: 'island' has the columns a to c and the rows 1 to 3.",
    ),
    "another list's zone": (
        "move box to north's ground",
        "unknown-name: A word of 'area' has no 'ground'. Every space has one of its own.",
    ),
    "all words for one": (
        "each space: add 1 to space's visits",
        "whose: Only one can stand here, and these are 8 words of 'space'. "
        "Name one; or say it of each, with 'each', 'where' or 'total'.",
    ),
    "a table without for": (
        'log: "{elf\'s steps}"',
        "argument-missing: 'steps' is a table: say 'steps for' and a number.",
    ),
    "a table of numbers as one": (
        "repeat elf's skill times: end game",
        "type: Expected a number here; this is amounts of 'land'. "
        "Say 'for' which of its words; or how many in all: 'number of …'.",
    ),
    "a table of nobody": (
        'log: "{steps for 1}"',
        "whose: Every folk has its own 'steps', so say whose: elf's steps for ….",
    ),
    "seats in an area": (
        'log: "{seats in north}"',
        "type: Expected pieces or words before 'in'; this is a set of seats. "
        "What belongs together stands in parentheses: '(cards of seats) in …'.",
    ),
    "one drops out another": (
        "go round seats: [each opponent: [drop out]]",
        "no-round: Nobody can drop out here: it says so inside a 'go round', not in a step that is done there. "
        "Nor where another one acts, as inside 'each' and 'as'.",
    ),
    "none if without none": (
        "each seat: [repeat choosing one: {none if: gold is 2, among: {a: {do: add 1 to gold}}}]",
        "missing-key: 'none if' tells when nothing need be chosen, but there is no 'none'. "
        "Say with 'none' what that is called.",
    ),
}


@pytest.mark.parametrize("sentence, message", SENTENCES.values(), ids=SENTENCES)
def test_errors_in_sentences(sentence: str, message: str) -> None:
    assert message in errors_of(doing(sentence))


SHAPE = (
    "wrong-shape: A board is drawn as a 'map' (perhaps with a 'legend'), has a 'size', or its 'spaces' are listed; "
    "'neighbours', 'wraps', 'columns', 'rows', 'first row', 'letters', 'numbered' and 'columns run' belong to the "
    "first two."
)
BOARDS = {
    "neither drawn nor listed": ("{of: reef}", SHAPE),
    "both": ("{of: reef, map: oo, legend: {o: {}}, spaces: {x: {}}}", SHAPE),
    "drawn and a size": ("{of: reef, map: oo, size: 3 by 3}", SHAPE),
    "a legend of nothing": ("{of: reef, size: 3 by 3, legend: {o: {}}}", SHAPE),
    "directions of what is listed": (
        "{of: reef, directions: path, spaces: {x: {}}}",
        "unknown-name: There is no word list called 'path'. There are: land, colour, area, folk.",
    ),
    "directions without opposites": (
        "{of: reef, directions: area, spaces: {x: {}}}",
        "board: A direction has an opposite whose opposite it is; 'north' has none. Say it of each word of 'area'.",
    ),
    "hexagons that do not meet": (
        "{of: reef, size: 3 by 3, neighbours: hexagonal, wraps: both}",
        "board: A map of hexagons wraps down only with an even number of rows; this has 3.",
    ),
    "a listed board with a first row": ("{of: reef, first row: bottom, spaces: {x: {}}}", SHAPE),
    "a listed board with letters": ("{of: reef, letters: ab, spaces: {x: {}}}", SHAPE),
    "a listed board that wraps": ("{of: reef, wraps: down, spaces: {x: {}}}", SHAPE),
    "too large a size": (
        "{of: reef, size: 21 by 20}",
        "board: A map has at most 26 columns, 100 rows, 400 spaces.",
    ),
    "a size that is none": (
        "{of: reef, size: 3 x 3}",
        "wrong-value: Expected columns by rows, such as 8 by 8, not '3 x 3'. "
        "Instead of a drawing: so many columns by so many rows, of spaces that are all alike.",
    ),
    "directions like a word list": (
        "{of: reef, size: 3 by 3, neighbours: hexagonal, directions: area}",
        "board: 'area' are the directions of a map, and 'north' is none of them. There are: "
        "northeast, east, southeast, southwest, west, northwest.",
    ),
    "a column like what has a name already": (
        "{of: reef, map: oo, legend: {o: {file: 1}}, columns: file}",
        "board: The columns of this board are called 'file' already. Give one of the two another name.",
    ),
    "two columns of one letter": (
        "{of: reef, size: 2 by 1, letters: aA}",
        "board: Each column has a letter of its own.",
    ),
    "more columns than letters": (
        "{of: reef, size: 3 by 1, letters: ab}",
        "board: A map has at most 2 columns, 100 rows, 400 spaces.",
    ),
    "squares that run slanting": (
        "{of: reef, size: 3 by 3, columns run: slanting}",
        "board: Columns run slanting only where neighbours are hexagonal.",
    ),
    "neighbours of what is listed": ("{of: reef, neighbours: diagonal, spaces: {x: {}}}", SHAPE),
    "a key that is not known": (
        "{of: reef, spaces: {x: {}}, shape: round}",
        "unknown-key: 'shape' is not known here. Known here: of, text, neighbours, directions, "
        "wraps, columns, rows, first row, letters, numbered, columns run, size, map, legend, spaces",
    ),
    "neighbours in a legend": (
        "{of: reef, map: oo, legend: {o: {next to: a1}}}",
        "board: The map shows which spaces are next to each other. "
        "Say with 'neighbours' which spaces are, or list the 'spaces'.",
    ),
    "the name of a word list": (
        "{of: area, spaces: {x: {}}}",
        "name-twice: 'area' is declared already, in 'words'. "
        "Singular and plural are one name. Say 'other area', for example.",
    ),
}


@pytest.mark.parametrize("board, message", BOARDS.values(), ids=BOARDS)
def test_errors_in_boards(board: str, message: str) -> None:
    assert errors_of(f"boards: {{sea: {board}}}")[0] == message


def test_maps_keep_line_breaks() -> None:
    text = ISLAND.replace("map: |", "map:")
    with pytest.raises(EditionError) as caught:
        library.from_text(text)
    assert "The lines of this map have run together." in [found.message for found in caught.value.report.errors]


def test_wrong_board_causes_no_further_errors() -> None:
    assert errors_of(
        "boards: {sea: {of: reef, map: x, legend: {o: {}}}}", "zones: {shoal: {of: reef, seen by: all}}"
    ) == [
        "board: The legend does not say what 'x' is. There are: o.",
        "board: There is no 'o' in the map.",
    ]


def test_message_names_the_limit_of_a_table() -> None:
    table = f"words: {{folk: {{elf: {{steps: [{', '.join('1' * 1001)}]}}}}}}"
    assert errors_of(table) == ["wrong-shape: At most 1000 entries are expected here."]


def test_attributes_have_names() -> None:
    keyword = "A name cannot be 'from', which is a word of the language."
    assert errors_of("words: {folk: {elf: {from: 3}}}") == [f"name-keyword: {keyword} Say 'source', for example."]
    assert errors_of("pieces: {coin: {has: {from: 1 to 2}, starts in: box}}")[0].startswith(f"name-keyword: {keyword}")


def test_nested_rounds_and_repeated_steps() -> None:
    inner = "go round opponents: [log: 'inner {seat}', drop out]"
    assert log_of(doing(f"go round seats: [log: 'outer {{seat}}', {inner}, log: 'still {{seat}}', drop out]")) == [
        "outer Ada", "inner Ben", "still Ada", "outer Ben", "inner Ada", "still Ben",
    ]  # fmt: skip
    turn = "go round seats: [log: '{seat}', if gold is 1: drop out, add 1 to gold]"
    steps = f"phases: {{play: {{steps: {{turn: {{do: [{turn}]}}}}}}}}"
    twice = doing("do turn", "each seat: set gold to 1", "do turn")
    assert log_of(twice, steps) == ["Ada", "Ben", "Ada", "Ben", "Ada", "Ben"]


def test_dropping_out_twice_counts_once() -> None:
    assert log_of(doing("go round seats: [log: '{seat}', drop out, drop out]")) == ["Ada", "Ben"]


def test_menus_with_and_without_none() -> None:
    """The number of required choices is an integer, also where a condition decides it."""
    menu = "repeat choosing one: {none: x, none if: gold is 1, among: {a: {do: add 1 to gold}}}"
    game = Game.start(library.from_text(edition(doing(f"each seat: [{menu}]"))), ["Ada", "Ben"], seed=1)
    (decision,) = game.decisions()
    assert repr(decision.least) == "1"
    game.answer(0, ["a"])
    (decision,) = game.decisions()
    assert repr(decision.least) == "0"


HIDDEN = """\
rulewright: 1
title: Hidden
players: 2 to 3
words:
  colour: {red: {}, blue: {}}
pieces:
  card: {has: {colour: colour, value: 1 to 3}, starts in: deck, noun: "{colour} {value}"}
  die: {has: {face: 1 to 6}, changing: face, copies: 2, starts in: deck, noun: "{face} | dice"}
zones:
  deck: {seen by: nobody}
  secret stack: {of: colour, seen by: nobody}
  show: {of: colour, holds: card, seen by: all}
  hand: {of: seat, seen by: owner}
  front: {of: seat, holds: card, seen by: all}
counters: {seat: {gold: 0}}
terms: {seat: {wealth: total value of front + gold}}
scoring: {line: {points: POINTS}}
phases: {play: {do: end game}}
"""


@pytest.mark.parametrize(
    ("points", "seen_by"),
    [
        ("gold", "all"),
        ("wealth", "all"),
        ("total value of red's show", "all"),
        ("total value of cards in hand", "owner"),
        ("total value of red's secret   stack", "nobody"),
        ("number of cards in blue", "nobody"),
        ("number of (opponents where hand is empty)", "all"),
        ("highest wealth among opponents", "all"),
        ("number of (cards where owner is you)", "nobody"),
        ("number of (cards where colour is red)", "all"),
        ("number of colours of cards", "all"),
        ("number of owners of cards", "nobody"),
        ("total face of dice", "nobody"),
    ],
)
def test_points_are_as_visible_as_their_zones(points: str, seen_by: str) -> None:
    [line] = library.from_text(HIDDEN.replace("POINTS", points)).machine(2).program.scoring
    assert line.seen_by == seen_by


FIELD = """
rulewright: 1
title: Field
players: 2
words: {side: {dark: {}, light: {}}}
boards:
  field: {of: square, size: 4 by 3, neighbours: SHAPE, directions: way, columns: file, rows: rank}
  pond: {of: leaf, spaces: {lily: {next to: rush}, rush: {}, reed: {}}}
pieces: {man: {copies: 12, starts in: box}}
zones: {box: {seen by: all}, ground: {of: square, seen by: all}}
counters: {seat: {forward: way}, game: {bearing: way}}
terms: {game: {held: squares where ground is not empty}}
phases: {play: {do: [end game]}}
"""


def lines_of(shape: str, *sentences: str) -> list[str]:
    text = FIELD.replace("SHAPE", shape).partition("phases:")[0] + doing(*sentences)
    game = Game.start(library.from_text(text), ["Ada", "Ben"], seed=1)
    return [line.text for line in game.log.lines(None) if not line.heading]


MOVES = "each (a1 plus b1 plus c1 plus b2 plus a3) as one: move first 1 of box to one's ground"

DIRECTIONS = {
    "a step": ("diagonal", "{north of b2} {southeast of b2} {east of d2} {west of west of c2}", "b1 c3 nothing a2"),
    "straight and diagonal": ("diagonal", "{straight of a1}; {diagonal of b2}", "b1 and a2; c1, c3, a3 and a1"),
    "all of them": ("orthogonal", "{ways of b2}", "b1, c2, b3 and a2"),
    "to the edge": ("diagonal", "{(east of a2 as far as possible)}", "b2, c2 and d2"),
    "the nearest first": ("diagonal", "{first 1 of (west of d2 as far as possible)}", "c2"),
    "as far as something, with it": ("diagonal", "{(west of d2 as far as (it is among held))}", "c2 and b2"),
    "as long as something, without": ("diagonal", "{(west of d1 as long as (it is among held))}", "c1, b1 and a1"),
    "nothing if it ends at once": ("diagonal", "{(south of d1 as long as (it is among held))}", "nothing"),
    "up to something": ("diagonal", "{(south of b1 as long as (it is among held) up to (file is 2))}", "b2"),
    "not up to the edge": ("diagonal", "{(west of d1 as long as (it is among held) up to (file is 2))}", "nothing"),
    "in several ways": ("diagonal", "{(diagonal of c1 as far as possible)}", "d2, b2 and a3"),
    "lines of a map": ("orthogonal", "{longest line of held} {longest line of squares}", "3 4"),
    "slanting lines": ("diagonal", "{longest line of (held where file is not 1)}", "2"),
    "three on a slant": ("diagonal", "{longest line of (held where (file + rank is 4))}", "3"),
    "in lines": (
        "orthogonal",
        "{held in lines of 3}; {held in lines of 2}; {held in lines of 4}",
        "a1, b1 and c1; a1, b1, c1 and b2; nothing",
    ),
    "in lines of one": (
        "orthogonal", "{held in lines of 1}; {number of held in lines of 0}", "a1, b1, c1, b2 and a3; 5",
    ),
    "lines through a space": (
        "orthogonal",
        "{longest line of held through b2} {longest line of held through a3} {longest line of held through d1}",
        "2 1 0",
    ),
    "how far": ("orthogonal", "{distance between a1 and d3} {distance between b2 and b2}", "5 0"),
    "how far by slanting": ("diagonal", "{distance between a1 and d3}", "3"),
    "no way": ("orthogonal", "{distance between lily and rush} {distance between lily and reed}", "1 3"),
    "opposite": ("diagonal", "{northeast's opposite} {northwest's slant}", "southwest diagonal"),
    "numbers": ("diagonal", "{c2's file} {c2's rank} {squares where (file is 4 and rank is 1)}", "3 2 d1"),
    "hexagons": (
        "hexagonal", "{northeast of b2} {northeast of b1} {southeast of b1} {southwest of b2}", "c1 nothing b2 b3",
    ),
    "lines of hexagons": (
        "hexagonal", "{(southeast of a1 as far as possible)} {longest line of squares in a1}", "a2 and b3 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "shape, text, read", [way for way in DIRECTIONS.values() if way[2]], ids=[k for k in DIRECTIONS if DIRECTIONS[k][2]]
)
def test_directions(shape: str, text: str, read: str) -> None:
    assert lines_of(shape, MOVES, f'log: "{text}"') == [read]


def test_forward_depends_on_the_seat() -> None:
    log = lines_of(
        "diagonal",
        "each first 1 of seats: set forward to north",
        "each last 1 of seats: set forward to south",
        "set bearing to east",
        'each seat: [{log: "{my forward of b2} {forward of forward of b2} {bearing of b2}"}]',
        "let way be northwest",
        'log: "{way of b2} {way\'s opposite of b2}"',
    )
    assert log == ["b1 nothing c2", "b3 nothing c2", "a1 c3"]


NO_WAY = {
    "not a direction": (
        "diagonal", "north of lily", "type: The board 'pond' has no directions with names."
    ),
    "a word of something else": (
        "diagonal", "dark of b2", "type: Expected a way of 'field' before 'of'; this is a word of 'side'."
    ),
    "lines of a board that is no map": (
        "diagonal", "longest line of leaves",
        "type: The board 'pond' is no map, so it has no lines. A board with lines has a 'map' or a 'size', or",
    ),
    "a way between boards": (
        "diagonal", "distance between a1 and lily", "type: There is no way from a word of 'square' to a word of 'leaf'."
    ),
    "lines of what is no space": (
        "diagonal", "longest line of box",
        "type: Expected spaces of a board; this is a set of pieces (man). The boards have spaces",
    ),
    "a straight way of hexagons": (
        "hexagonal", "straight of a1", "unknown-name: Nothing here is called 'straight'."
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape, expression, message", NO_WAY.values(), ids=NO_WAY)
def test_errors_in_directions(shape: str, expression: str, message: str) -> None:
    with pytest.raises(EditionError) as caught:
        lines_of(shape, f'log: "{{{expression}}}"')
    error = caught.value.report.errors[0]
    assert f"{error.code}: {error.message} {error.hint}".strip().startswith(message)
