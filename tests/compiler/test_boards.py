"""Boards, words with things of their own, tables, rounds of turns and menus: what the reference does not show."""

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
    """The island, changed."""
    found = yaml.load(ISLAND, yaml.BaseLoader)
    for change in changes:
        found = merged(found, yaml.load(change, yaml.BaseLoader))
    return as_text(found)


def doing(*sentences: str) -> str:
    lines = "".join(f"\n    - {sentence}" for sentence in (*sentences, "end game"))
    return f"phases:\n  play:\n    do:{lines}\n"


def told(*changes: str) -> list[str]:
    """The lines that a game tells when it has begun."""
    game = Game.start(library.from_text(edition(*changes)), ["Ada", "Ben"], seed=1)
    return [line.text for line in game.log(None) if not line.heading]


def wrong(*changes: str) -> list[str]:
    """The errors of the island, changed: 'code: message hint'."""
    with pytest.raises(EditionError) as caught:
        library.from_text(edition(*changes))
    return [f"{found.code}: {found.message} {found.hint}".strip() for found in caught.value.report.errors]


SAID = {
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


@pytest.mark.parametrize("text, read", SAID.values(), ids=SAID)
def test_what_is_read(text: str, read: str) -> None:
    assert told(doing(f'log: "{text}"')) == [read]


def test_sets_of_members_are_joined() -> None:
    laid = ["move first 1 of box to a1's ground", "move last 2 of box to b1's ground"]
    assert told(doing(*laid, 'log: "{grounds of spaces}; {folks of tiles in north}"')) == [
        "elf tile and 2 orc tiles; elf and orc"
    ]


def test_one_of_a_list_leaves_the_others_as_they_are() -> None:
    """`space` is one of them where something is called so; `spaces` are still all."""
    terms = "terms: {space: {far: {for: {other: space}, is: number of spaces where area is not space's area}}}"
    steps = "phases: {play: {steps: {look: {for: {space: space}, do: [{log: '{space} of {number of spaces}'}]}}}}"
    sentences = ["let space be a1", "do look for space", 'log: "{b3\'s far for a1}; {spaces in north}"']
    assert told(doing(*sentences), terms, steps) == ["a1 of 8", "4; a1, b1, c1, a2 and b3"]
    sentences = ["let spaces be neighbours of a1", 'log: "{spaces}"']
    assert told(doing(*sentences)) == ["b1 and a2"]


def test_values_of_words_are_changed_by_options() -> None:
    values = "values: {area: {worth: 2}}"
    option = "options: {rich: {text: x, default: yes, change: {worth: +3}}}"
    assert told(doing('log: "{north\'s worth} {total worth of areas}"'), values, option) == ["5 10"]
    role = "roles: {bot: {joins: {2: optional}, change: {worth: +3}}}"
    assert wrong(values, role, doing('log: "{north\'s worth}"')) == [
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
        'log: "{elf\'s skill}"',
        "argument-missing: 'skill' is a table: say 'skill for' and a word of 'land'.",
    ),
    "a table of nobody": (
        'log: "{steps for 1}"',
        "whose: Every folk has its own 'steps', so say whose: elf's steps for ….",
    ),
    "seats in an area": (
        'log: "{seats in north}"',
        "type: Expected pieces or words before 'in'; this is a set of seats.",
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
def test_what_is_wrong_in_sentences(sentence: str, message: str) -> None:
    assert message in wrong(doing(sentence))


SHAPE = "wrong-shape: A board is drawn, with 'map', 'legend' and perhaps 'neighbours', or its 'spaces' are listed."
BOARDS = {
    "neither drawn nor listed": ("{of: reef}", SHAPE),
    "both": ("{of: reef, map: oo, legend: {o: {}}, spaces: {x: {}}}", SHAPE),
    "no legend": ("{of: reef, map: oo}", SHAPE),
    "neighbours of what is listed": ("{of: reef, neighbours: diagonal, spaces: {x: {}}}", SHAPE),
    "a key that is not known": (
        "{of: reef, spaces: {x: {}}, shape: round}",
        "unknown-key: 'shape' is not known here. Known here: of, text, neighbours, map, legend, spaces",
    ),
    "neighbours in a legend": (
        "{of: reef, map: oo, legend: {o: {next to: a1}}}",
        "board: The map shows which spaces are next to each other. "
        "Say with 'neighbours' which spaces are, or list the 'spaces'.",
    ),
    "the name of a word list": (
        "{of: area, spaces: {x: {}}}",
        "name-twice: 'area' is declared already, in 'words'. Singular and plural are one name.",
    ),
}


@pytest.mark.parametrize("board, message", BOARDS.values(), ids=BOARDS)
def test_what_is_wrong_with_boards(board: str, message: str) -> None:
    assert wrong(f"boards: {{sea: {board}}}")[0] == message


def test_lines_of_a_map_stay() -> None:
    text = ISLAND.replace("map: |", "map:")
    with pytest.raises(EditionError) as caught:
        library.from_text(text)
    assert "The lines of this map have run together." in [found.message for found in caught.value.report.errors]


def test_a_board_that_is_wrong_is_told_alone() -> None:
    assert wrong("boards: {sea: {of: reef, map: x, legend: {o: {}}}}", "zones: {shoal: {of: reef, seen by: all}}") == [
        "board: The legend does not say what 'x' is. There are: o.",
        "board: There is no 'o' in the map.",
    ]


def test_a_long_table_is_told_its_limit() -> None:
    table = f"words: {{folk: {{elf: {{steps: [{', '.join('1' * 1001)}]}}}}}}"
    assert wrong(table) == ["wrong-shape: At most 1000 entries are expected here."]


def test_attributes_are_called_by_names() -> None:
    keyword = "A name cannot contain 'from', which is a word of the language."
    assert wrong("words: {folk: {elf: {far from: 3}}}") == [f"name-keyword: {keyword} Say 'far source', for example."]
    assert wrong("pieces: {coin: {has: {far from: 1 to 2}, starts in: box}}")[0].startswith(f"name-keyword: {keyword}")


def test_rounds_inside_rounds_and_steps_done_twice() -> None:
    inner = "go round opponents: [log: 'inner {seat}', drop out]"
    assert told(doing(f"go round seats: [log: 'outer {{seat}}', {inner}, log: 'still {{seat}}', drop out]")) == [
        "outer Ada", "inner Ben", "still Ada", "outer Ben", "inner Ada", "still Ben",
    ]  # fmt: skip
    turn = "go round seats: [log: '{seat}', if gold is 1: drop out, add 1 to gold]"
    steps = f"phases: {{play: {{steps: {{turn: {{do: [{turn}]}}}}}}}}"
    twice = doing("do turn", "each seat: set gold to 1", "do turn")
    assert told(twice, steps) == ["Ada", "Ben", "Ada", "Ben", "Ada", "Ben"]


def test_dropping_out_twice_is_once() -> None:
    assert told(doing("go round seats: [log: '{seat}', drop out, drop out]")) == ["Ada", "Ben"]


def test_a_menu_is_asked_for_one_or_for_none() -> None:
    """What must be chosen is a number, also where a condition tells."""
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
        ("number of (opponents where hand is empty)", "nobody"),
        ("highest wealth among opponents", "all"),
        ("number of (cards where owner is you)", "nobody"),
        ("number of (cards where colour is red)", "all"),
        ("number of colours of cards", "all"),
        ("number of owners of cards", "nobody"),
        ("total face of dice", "nobody"),
    ],
)
def test_points_are_seen_by_whoever_sees_what_they_come_from(points: str, seen_by: str) -> None:
    [line] = library.from_text(HIDDEN.replace("POINTS", points)).machine(2).program.scoring
    assert line.seen_by == seen_by
