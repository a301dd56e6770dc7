"""Boards at the terminal: maps in every width, what can be chosen on them, and answers by coordinates."""

import io
import json
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from rulewright.game import library
from rulewright.game.choices import AnswerError, Choice
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.publish import log_sections
from rulewright.publish.abbreviations import abbreviate
from rulewright.publish.console import Console, ConsoleLine, cell_width, plain_text, seat_style
from rulewright.publish.labels import Labels
from rulewright.terminal import board, board_choices, prompt, rules, table, word_charts

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from project_folders import GAMES
from terminals import Terminal

# A map with regions, whose pieces belong to seats, and zones and counters of spaces, regions and other words.
COAST = """\
rulewright: 1
title: Coast
players: 2 to 6
words:
  land: {wood: {}, sand: {}, sea: {}}
  area: {north wood: {land: wood}, dunes: {land: sand}, bay: {land: sea}}
  folk:
    elf: {skill: {wood: 2, sand: 0, sea: 1}}
    imp: {skill: {wood: 1, sand: 2, sea: 0}}
    ent: {skill: {wood: 3, sand: 0, sea: 0}}
    orc: {skill: {wood: 0, sand: 1, sea: 2}}
    fay: {skill: {wood: 1, sand: 1, sea: 1}}
    man: {skill: {wood: 1, sand: 1, sea: 1}}
  suit: {hearts: {}, spades: {}, clubs: {}}
boards:
  coast:
    of: space
    text: A short coast.
    map: |
      nnnb
      nddb
      .ddb
      ..db
    legend: {n: {area: north wood}, d: {area: dunes}, b: {area: bay}}
pieces:
  tile: {each: folk, copies: 9, starts in: box, noun: "{folk} tile"}
  flag: {copies: 3, starts in: pole}
  card: {each: suit, copies: 2, starts in: deck, noun: "card of {suit}"}
zones:
  box: {holds: tile, seen by: all}
  pole: {holds: flag, seen by: all}
  deck: {holds: card, seen by: nobody, pile: yes}
  ground: {of: space, holds: tile, seen by: all, at most: 1}
  mark: {of: area, holds: flag, seen by: all}
  row: {of: suit, holds: card, seen by: all}
  camp: {of: seat, holds: tile, seen by: all}
counters:
  seat: {people: folk}
  space: {visits: 0}
  area: {claims: 0}
  suit: {laid: 0}
setup:
  do:
    - each seat:
        - let token be first 1 of box
        - set people to token's folk
        - move box where folk is my people to camp
terms:
  seat:
    settled: tiles in spaces where folk is my people
phases:
  play:
    do:
      - each seat: do act
      - if number of (spaces where ground is empty) is less than number of seats: end game
    steps:
      act:
        do:
          - choose one:
              ask: What do you do?
              among:
                place: {text: Place a tile, if: camp is not empty, do: do place}
                move: {text: Move a tile, if: any settled, do: do shift}
                gather: {text: Take tiles back, if: any settled, do: do gather}
                lay: {text: Lay a card, if: deck is not empty, do: do lay a card}
      place:
        do:
          - choose 1 from spaces where ground is empty as spot: {ask: Where?}
          - move first 1 of camp to spot's ground
          - add 1 to spot's visits
          - add 1 to spot's area's claims
          - if spot's area's mark is empty: move first 1 of pole to spot's area's mark
      shift:
        do:
          - choose 1 from settled as mover: {ask: Which tile?}
          - choose 1 from spaces where ground is empty as spot: {ask: Where to?}
          - move mover to spot's ground
      gather:
        do:
          - choose 1 to 3 from settled into camp: {ask: Which tiles?}
      lay a card:
        do:
          - let drawn be top 1 of deck
          - move drawn to drawn's suit's row
          - log: "{seat} laid {drawn}."
ranking: highest score
scoring: {tiles: {points: number of settled}}
"""

# A board without a drawing, where several pieces share a space.
GRAPH = """\
rulewright: 1
title: Graph
players: 2
words:
  folk: {elf: {}, imp: {}}
  continent: {north: {}, south: {}}
boards:
  world:
    of: land
    spaces:
      alaska: {continent: north, next to: [canada, peru]}
      canada: {continent: north, noun: Upper Canada}
      peru: {continent: south, next to: chile}
      chile: {continent: south}
pieces:
  tile: {each: folk, copies: 9, starts in: box, noun: "{folk} tile"}
zones:
  box: {holds: tile, seen by: all}
  ground: {of: land, holds: tile, seen by: all}
counters: {land: {fort: no}}
phases:
  play:
    do:
      - each seat: do act
      - if box is empty: end game
    steps:
      act:
        do:
          - choose 1 from lands as spot: {ask: Where?}
          - move first 1 of box to spot's ground
          - set spot's fort to yes
          - choose 1 from tiles in lands as mover: {ask: "Which?"}
          - move mover to box
          - move first 2 of box to alaska's ground
ranking: highest score
scoring: {tiles: {points: number of box}}
"""

NAMES = ("Ann", "Ben", "Cora", "Dan", "Eve", "Fay")


@cache
def coast(*changes: tuple[str, str]) -> Rules:
    text = COAST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return library.from_text(text, "coast")


HEXAGONAL = ("text: A short coast.", "neighbours: hexagonal")
SHARED = (("at most: 1}", "at most: 30}"), ("spaces where ground is empty as spot", "spaces as spot"))


@cache
def graph() -> Rules:
    return library.from_text(GRAPH, "graph")


def started(of: Rules, seats: int = 2) -> Game:
    return Game.start(of, NAMES[:seats], seed=1)


def answer(game: Game, *answers: str | Sequence[str]) -> Game:
    """Each answer by whoever is asked."""
    for keys in answers:
        decisions = game.decisions()[0]
        game.answer(decisions.seat, [keys] if isinstance(keys, str) else keys, decisions.id)
    return game


def middle(of: Rules) -> Game:
    """Two tiles of Ann, one of Ben, three flags less; Ann is asked where to move a tile."""
    game = answer(started(of), "place", "a1", "place", "c2", "place", "d4", "lay")
    return answer(game, "move", "elf tile on a1")


def map_lines(game: Game, width: int, room: int, seat: int = 0) -> list[str]:
    """The boards as they stand before a question."""
    decision = game.decision(seat)
    selection = [(choice.words, choice.word) for choice in decision.choices if choice.word] if decision else []
    return text(board.draw(game, game.view(seat), width, room, selection))


def text(lines: Sequence[ConsoleLine]) -> list[str]:
    return [plain_text(line).rstrip() for line in lines]


def screen(drawing: str) -> list[str]:
    return drawing.strip("\n").splitlines()


# ── maps ──


def test_wide_map_has_lines_between_regions() -> None:
    assert map_lines(middle(coast()), 79, 30) == screen("""
     a      b      c      d        n north wood 1/4 El1: flag, claims 1
   ┌────────────────────┬──────┐   b bay 1/4 El1: flag, claims 1
 1 │ n El  [n   ] [n   ]│[b   ]│   d dunes 1/5 Im1: flag, claims 1
   │      ┌─────────────┤      │   El elf tile ×2 (Ann)   Im imp tile (Ben)
 2 │[n   ]│[d   ]  d Im │[b   ]│   visits: a1 1, c2 1, d4 1
   └──────┤             │      │
 3        │[d   ] [d   ]│[b   ]│
          └──────┐      │      │
 4               │[d   ]│ b El │
                 └──────┴──────┘
""")


def test_low_map_has_one_line_for_each_row() -> None:
    assert map_lines(middle(coast()), 63, 8) == screen("""
    a    b    c    d       n north wood 1/4 El1: flag, claims 1
 1  n El[n   [n   [b   ]   b bay 1/4 El1: flag, claims 1
 2 [n   [d   ]d Im[b   ]   d dunes 1/5 Im1: flag, claims 1
 3      [d   [d   [b   ]   El elf tile ×2 (Ann)
 4           [d   ]b El    Im imp tile (Ben)
                           visits: a1 1, c2 1, d4 1
""")


def test_legend_stands_below_where_there_is_no_room_beside() -> None:
    lines = map_lines(middle(coast()), 59, 30)
    assert lines[-6:] == screen("""
                 └──────┴──────┘
n north wood 1/4 El1: flag, claims 1
b bay 1/4 El1: flag, claims 1
d dunes 1/5 Im1: flag, claims 1
El elf tile ×2 (Ann)   Im imp tile (Ben)
visits: a1 1, c2 1, d4 1
""")


def test_legend_in_columns_beside_the_map() -> None:
    lines = map_lines(middle(coast()), 119, 30)
    assert lines[0].endswith("d        n north wood 1/4 El1: flag, claims 1   d dunes 1/5 Im1: flag, claims 1")
    assert lines[1].endswith("┐   b bay 1/4 El1: flag, claims 1")


def test_rows_of_hexagons_are_shifted() -> None:
    game = middle(coast(HEXAGONAL))
    assert map_lines(game, 79, 30) == screen("""
     a       b       c       d             n north wood 1/4 El1: flag, claims 1
   ┌───────────────────────┬───────┐       b bay 1/4 El1: flag, claims 1
 1 │ n El   [n    ] [n    ]│[b    ]│       d dunes 1/5 Im1: flag, claims 1
   └───┐       ┌───────────┴───┐   └───┐   El elf tile ×2 (Ann)
 2     │[n    ]│[d    ]  d Im  │[b    ]│   Im imp tile (Ben)
       └───┬───┘           ┌───┘   ┌───┘   visits: a1 1, c2 1, d4 1
 3         │[d    ] [d    ]│[b    ]│
           └───────────┐   └───┐   └───┐
 4                     │[d    ]│ b El  │
                       └───────┴───────┘
         a       b       c       d
""")
    assert map_lines(game, 79, 8)[:6] == screen("""
    a     b     c     d           n north wood 1/4 El1: flag, claims 1
 1  n El [n    [n    [b    ]      b bay 1/4 El1: flag, claims 1
 2    [n    [d    ]d Im [b    ]   d dunes 1/5 Im1: flag, claims 1
 3       [d    [d    [b    ]      El elf tile ×2 (Ann)   Im imp tile (Ben)
 4                [d    ]b El     visits: a1 1, c2 1, d4 1
       a     b     c     d
""")


def test_map_that_is_too_wide_comes_in_parts() -> None:
    wide = coast(("      nnnb\n", "      nnnbnnnbnnnbnnnbnnnbnnnbnn\n"))
    lines = map_lines(answer(started(wide), "place"), 59, 30)
    assert max(map(cell_width, lines)) <= 59
    headings = [line.split() for line in lines if line.startswith("    ") and line.replace(" ", "").isalpha()]
    assert [letter for heading in headings for letter in heading] == list("abcdefghijklmnopqrstuvwxyz")
    assert any("[n" in line for line in lines)


def test_several_pieces_on_a_space() -> None:
    game = answer(started(coast(*SHARED)), "place", "a1", "place", "a1", "place", "c3", "place", "b2", "place", "c3")
    lines = "\n".join(map_lines(game, 79, 8))
    assert "n El+" in lines.replace("Im+", "El+") and "d El2" in lines and "d Im " in lines
    assert "a1: elf tile, imp tile" in lines


def test_pieces_that_are_hidden_are_counted() -> None:
    hidden = coast(
        ("ground: {of: space, holds: tile, seen by: all", "ground: {of: space, holds: tile, seen by: nobody")
    )
    game = answer(started(hidden), "place", "a1", "place", "b2", "place", "d4", "lay")
    lines = "\n".join(map_lines(game, 79, 8))
    assert "? 3 tiles, face down" in lines and "elf" not in lines and "d ?" in lines
    answer(game, "move")
    assert [(c.key, c.label, c.count, c.word) for c in game.decisions()[0].choices] == [
        ("hidden on a1", "hidden on a1", 1, "a1"),
        ("hidden on d4", "hidden on d4", 1, "d4"),
    ]


LANDMARKS = """\
rulewright: 1
title: Landmarks
players: 2
memory: yes
words: {sort: {stone: , mill: }}
boards: {field: {of: spot, size: 2 by 1}}
pieces: {tile: {each: sort, starts in: deck, noun: "{sort}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: owner}, ground: {of: spot, seen by: nobody}}
setup: {do: [each first 1 of seats: [move deck to hand]]}
phases:
  play:
    do:
      - each first 1 of seats:
          - each spots as here: [choose 1 from hand as laid, "move laid to here's ground"]
          - choose 1 from tiles in spots as taken
          - move taken to hand
"""


def test_remembered_pieces_are_shown_to_those_who_know_them() -> None:
    game = Game.start(library.from_text(LANDMARKS), ["Ada", "Ben"], seed=1)
    game.answer(0, ["mill"])
    game.answer(0, ["stone"])
    ada, ben = (drawn_for(game, seat) for seat in (0, 1))
    assert "M?" in ada and "S?" in ada and "you know: mill" in ada
    assert "M" not in ben and "mill" not in ben and "2 tiles, face down" in ben
    (decision,) = game.decisions()
    assert {choice.key: choice.label for choice in decision.choices} == {
        "hidden on a1": "mill on a1",
        "hidden on b1": "stone on b1",
    }


def drawn_for(game: Game, seat: int) -> str:
    return "\n".join(plain_text(line) for line in board.draw(game, game.view(seat), 60, 20))


def test_board_without_a_drawing_is_a_table() -> None:
    game = answer(started(graph()), "alaska", "elf tile on alaska", "canada", "elf tile on alaska", "peru")
    assert map_lines(game, 79, 30) == screen("""
                pieces       is     next to
[alaska]        elf tile ×3  north  Upper Canada, peru
[Upper Canada]  elf tile     north  alaska
[peru]          elf tile     south  alaska, chile
 chile          –            south  peru
fort: alaska yes, Upper Canada yes, peru yes
""")
    assert max(map(cell_width, map_lines(game, 30, 30))) <= 30


def test_changes_of_others_are_highlighted() -> None:
    game = answer(started(coast()), "place", "a1")
    before = game.view(0)
    answer(game, "place", "c2")
    picture = board.draw(game, game.view(0), 79, 30, (), before)
    new = [part.text for line in picture for part in line if not isinstance(part, str) and part.style == "new"]
    own = [
        part.text
        for line in picture
        for part in line
        if not isinstance(part, str) and part.style == seat_style(0, own=True)
    ]
    assert (new, own) == (["Im"], ["El"])


def test_zones_of_words_are_listed_once() -> None:
    lines = text(table.draw(middle(coast()), 0, 79))
    assert lines[1:4] == [
        "box  ent tile ×9, orc tile ×9, fay tile ×9, man tile ×9",
        "deck (5)",
        "suit  clubs: card of clubs",
    ]
    assert not any(word in line for line in lines for word in ("ground", "mark", "visits"))


@pytest.mark.parametrize("width", [30, 59, 79, 119])
def test_a_screen_of_six_seats(width: int) -> None:
    game, rng = started(coast(), 6), random.Random(1)
    for _ in range(60):
        decisions = game.decisions()[0]
        answer(game, [rng.choice(decisions.choices).key])
        if game.over:
            break
        lines = [*text(table.draw(game, 0, width, brief=True)), *map_lines(game, width, 12)]
        assert max(map(cell_width, lines)) <= width
        assert all(name in "\n".join(lines) for name in NAMES)


def test_marks_that_are_letters_of_the_map_get_a_second_one() -> None:
    """Savana and Mammut, where S and M are terrains: two letters for all."""
    assert abbreviate(("serpente", "mammut"), frozenset("FDSM")) == {"serpente": "Se", "mammut": "Ma"}
    assert abbreviate(("aquila", "orso"), frozenset("FDSM")) == {"aquila": "A", "orso": "O"}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["red tile", "blue tile"], ["R", "B"]),
        (["tile of red", "tile of blue"], ["R", "B"]),
        (["tile", "red tile", "blue tile"], ["T", "R", "B"]),
        (["tile of red"], ["T"]),
        (["ßa", "b"], ["S", "B"]),
        (["man", "mammoth", "bear"], ["Ma", "Mm", "Be"]),
        (["boar foot", "boar horse", "crow foot"], ["Bf", "Bh", "Cf"]),
        (["a", "ab"], ["A.", "Ab"]),
        (["tile"], ["T"]),
        (["木", "水"], ["1", "2"]),
        (["aa", "a a"], ["1", "2"]),
    ],
)
def test_abbreviations_of_names(names: list[str], expected: list[str]) -> None:
    assert list(abbreviate(tuple(names)).values()) == expected


def test_marks_of_many_names_differ() -> None:
    names = tuple(f"{a}{b}{c}" for a in "abcdef" for b in "abcdef" for c in "abcdef")
    assert len(set(abbreviate(names).values())) == len(names)
    assert len({len(mark) for mark in abbreviate(names).values()}) == 1


# ── answers ──


def board_question(game: Game, seat: int = 0) -> prompt.Question:
    decision, labels = game.decision(seat), Labels(game)
    assert decision is not None
    return prompt.make_question(decision, labels.order, labels.boards)


def test_many_spaces_are_listed_by_rows() -> None:
    question = board_question(middle(coast()))
    assert text(prompt.question_lines(question, 79)) == ["Where to?", "  b1 c1 d1 · a2 b2 d2 · b3 c3 d3 · c4"]
    assert prompt.parse_answer("d3", question) == prompt.parse_answer(" D3 ", question) == ["d3"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("a1", "a1 cannot be chosen here. Near it: b1, a2, c1."),
        ("D4", "d4 cannot be chosen here. Near it: d3, c4, d2."),
        ("z40", "z40 cannot be chosen here. Near it: d3, "),
        ("3", "There is no 3 here: type a space, such as 'b1'."),
        ("", "Choose 1: type a space, such as 'b1'."),
        ("b1 c1", "That is 2; choose 1."),
        ("elf", "There is no 'elf' here. Choose 1: type a space, such as 'b1'."),
    ],
)
def test_wrong_coordinates_are_refused(typed: str, expected: str) -> None:
    with pytest.raises(prompt.InvalidAnswer) as raised:
        prompt.parse_answer(typed, board_question(middle(coast())))
    assert str(raised.value).startswith(expected)


def test_piece_is_named_with_its_space() -> None:
    game = answer(started(coast()), "place", "a1", "lay", "place", "c2", "lay", "gather")
    question = board_question(game)
    assert [choice.key for choice in question.choices] == ["elf tile on a1", "elf tile on c2"]
    assert text(prompt.question_lines(question, 79)) == ["Which tiles?", "  1) elf tile on a1  2) elf tile on c2"]
    for typed in ("c2", "2", "elf tile on C2"):
        assert prompt.parse_answer(typed, question) == ["elf tile on c2"]
    assert prompt.parse_answer("c2 a1", question) == ["elf tile on c2", "elf tile on a1"]
    with pytest.raises(prompt.InvalidAnswer, match="'elf tile' could be elf tile on a1 or elf tile on c2"):
        prompt.parse_answer("elf tile", question)
    answer(game, "elf tile on c2")
    assert game.view(0).zone("ground", word="c2").pieces == ()
    assert game.view(0).zone("ground", word="a1").pieces == ("elf tile",)
    assert Game.load(json.loads(json.dumps(game.save())), coast()).state == game.state


def test_an_absent_piece_cannot_be_chosen() -> None:
    game = answer(started(coast()), "place", "a1", "lay", "gather")
    for key in ("elf", "elf tile on b2", "imp tile on a1"):
        with pytest.raises(AnswerError):
            game.answer(0, [key])


def test_zone_is_named_where_a_space_has_several() -> None:
    two = coast(("  mark: ", "  roof: {of: space, holds: tile, seen by: all}\n  mark: "))
    game = answer(started(two), "place", "a1", "lay", "gather")
    assert [choice.key for choice in game.decisions()[0].choices] == ["elf tile in a1's ground"]
    assert prompt.parse_answer("a1", board_question(game)) == ["elf tile in a1's ground"]


def test_pieces_of_several_kinds_on_many_spaces() -> None:
    spaces = [f"{column}{row}" for row in (1, 10) for column in "abc"]
    names = [(f"{one} on {at}", one, at) for one in ("elf", "imp") for at in spaces]
    choices = [Choice(name, name, 1, "space", at, one, one) for name, one, at in names]
    decision = Decision("id", 0, "piece", "step", "What?", "", tuple(choices), 1, 2)
    question = prompt.make_question(decision, {"imp": 0, "elf": 1}, {"space"})
    assert text(prompt.question_lines(question, 40)) == [
        "What?",
        "  imp: a1 b1 c1 · a10 b10 c10",
        "  elf: a1 b1 c1 · a10 b10 c10",
    ]
    with pytest.raises(prompt.InvalidAnswer, match="'a1' could be imp on a1 or elf on a1"):
        prompt.parse_answer("a1", question)
    assert prompt.parse_answer("elf on a1 imp on c10", question) == ["elf on a1", "imp on c10"]
    assert not board_choices.are_placed(choices, {"other"})


@pytest.mark.parametrize("seed", range(4))
def test_every_answer_can_be_typed(seed: int) -> None:
    """Answers are typed by their label, by a number if there is one, and by coordinates if nothing else lies there."""
    for of in (coast(), coast(*SHARED), coast(HEXAGONAL), graph()):
        game, rng = Game.start(of, NAMES[:3] if of is not graph() else NAMES[:2], seed=seed), random.Random(seed)
        for _ in range(60):
            if game.over:
                break
            seat = game.decisions()[0].seat
            question = board_question(game, seat)
            for number, choice in enumerate(question.choices, 1):
                cases = [choice.label, choice.label.upper()]
                cases += [] if question.by_rows else [str(number)]
                cases += [choice.word] if [c.word for c in question.choices].count(choice.word) == 1 else []
                for way in filter(None, cases):
                    assert prompt.parse_answer(way, question) == [choice.key]
                again = game.copy()
                again.answer(seat, [choice.key] * max(1, question.decision.least), question.decision.id)
            answer(game, [rng.choice(question.choices).key])


# ── pages ──


def console_lines(say: Callable[[Console], None]) -> list[str]:
    out = io.StringIO()
    say(Console(None, out, "never"))
    return out.getvalue().splitlines()


def test_tables_of_words_are_charts() -> None:
    edition = coast().edition
    labels = Labels(Game.start(coast(), ["Ada", "Ben"], seed=1))
    assert text(word_charts.draw(labels, "folk", 79))[:3] == [
        "folk: skill",
        "     wood  sand  sea",
        "elf     2     0    1",
    ]
    assert text(word_charts.draw(labels, "area", 79)) == [
        "area",
        "            land",
        "north wood  wood",
        "dunes       sand",
        "bay         sea",
    ]
    assert word_charts.charted_lists(edition) == ["area", "folk"]


PITS = """\
rulewright: 1
title: Pits
players: 1
words: {sort: {house: {}, store: {}}}
boards:
  row:
    of: pit
    map: .abS
    legend:
      a: {sort: house, following: c1, order: 1}
      b: {sort: house, following: d1, order: 2}
      S: {sort: store, order: 3}
pieces: {seed: {copies: 30, starts in: bag}}
zones: {bag: {seen by: all}, bowl: {of: pit, seen by: all}}
setup: {do: [each pits where sort is store as one: move first 12 of bag to one's bowl]}
phases: {play: {do: [end game]}}
"""


def test_a_map_shows_only_what_readers_need() -> None:
    """No references to other spaces, and equal letters together; where all pieces are alike, their number alone. What
    looks do not tell is not told, and where letters then mean nothing, there are none."""

    def map_rows(text: str) -> list[str]:
        game = Game.start(library.from_text(text, "pits"), ["Ada"], seed=1)
        return [plain_text(line).rstrip() for line in board.draw(game, game.view(0), 79, 3)]

    view = "\n".join(map_rows(PITS))
    assert " 1       a    b    S 12 " in view and "c1" not in view
    assert "a house, order 1" in view and "a b house" in "\n".join(map_rows(PITS.replace("order: 2", "order: 1")))
    untold = PITS + "looks: {words: {pit: []}}\n"
    assert map_rows(untold)[1].startswith(" 1       ·    ·    · 12")
    assert map_rows(untold.replace("where sort is store", "where order is 9"))[1] == " 1       ·    ·    ·"


def test_attributes_are_listed_without_internal_ones() -> None:
    text_ = """\
rulewright: 1
title: Priced
players: 1
words:
  ware: {wood: {noun: wood | wood}, clay: {}}
  building: {barn: {price: {wood: 2, clay: 1}, order: 1}, mine: {price: {wood: 1, otherwise: 0}, order: 2}}
pieces: {card: {each: building, starts in: deck, noun: "{building} card"}}
zones: {deck: {seen by: all}}
counters: {seat: {goods: {for: ware}}}
looks: {words: {building: price}}
phases: {play: {do: [end game]}}
"""
    game = Game.start(library.from_text(text_, "priced"), ["Ada"], seed=1)
    lines = console_lines(lambda console: rules.show_named(console, game, "barn", 0))
    assert lines[:3] == ["Barn", "  Price: 2 wood and 1 clay", "building: price"]
    assert not any("order" in line for line in lines)
    of_card = console_lines(lambda console: rules.show_named(console, game, "barn card", 0))
    assert of_card[:2] == ["Barn card", "  Price: 2 wood and 1 clay"]


def test_chart_that_is_too_wide_is_turned() -> None:
    names = ", ".join(f"a very long land {letter}: {{}}" for letter in "abcdef")
    text_ = f"""\
rulewright: 1
title: Wide
players: 1
words:
  land: {{{names}}}
  folk:
    elf: {{skill: {{{", ".join(f"a very long land {letter}: 1" for letter in "abcdef")}}}}}
pieces: {{tile: {{each: folk, starts in: box, noun: "{{folk}} tile"}}}}
zones: {{box: {{holds: tile, seen by: all}}}}
phases: {{play: {{do: [end game]}}}}
ranking: highest score
scoring: {{box: {{points: number of box}}}}
"""
    labels = Labels(Game.start(library.from_text(text_, "wide"), ["Ada"], seed=1))
    lines = text(word_charts.draw(labels, "folk", 60))
    assert lines[:3] == ["folk: skill", "                    elf", "a very long land a    1"]


def test_rules_of_the_moment_show_the_charts() -> None:
    game = started(coast())
    decision = game.decisions()[0]
    lines = console_lines(lambda console: rules.show_moment(console, game, decision))
    assert "folk: skill" in lines and "imp     1     2    0" in lines
    assert "folk: skill" in console_lines(lambda console: rules.show_named(console, game, "Folk", 0))
    assert "Coast: A short coast." in console_lines(lambda console: rules.show_named(console, game, "coast", 0))
    assert "Tables: area, folk" in console_lines(lambda console: rules.show_named(console, game, "*", 0))
    assert "Did you mean 'folk'?" in " ".join(console_lines(lambda console: rules.show_named(console, game, "folc", 0)))


@pytest.mark.parametrize(
    ("question", "expected"),
    [("imps", "folk: skill"), ("wood NORTH", "area"), ("folc", "folk: skill"), ("nothing like it", "There is nothing")],
)
def test_names_are_looked_up_in_any_form(question: str, expected: str) -> None:
    """Names fit in any order, singular or plural, and with small mistakes."""
    game = started(coast())
    assert any(
        line.startswith(expected)
        for line in console_lines(lambda console: rules.show_named(console, game, question, 0))
    )


# ── at a terminal ──


@pytest.mark.rotating(4)
def test_game_on_a_board_at_a_terminal(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "coast.yaml").write_text(COAST, encoding="utf-8")
    game = terminal("play", "coast.yaml", "--seats", "Ann,Bea:random", "--seed", "1", rows=50)
    game.wait_for_prompt("Ann")
    assert "   ┌────────────────────┬──────┐" in game.screen_text() and "[n" not in game.screen_text()
    game.type("place")
    game.wait_for_prompt("Ann")
    assert " 1 │[n   ] [n   ] [n   ]│[b   ]│" in game.screen_text()
    assert "  a1 b1 c1 d1 · a2 b2 c2 d2 · b3 c3 d3 · c4 d4\nAnn>" in game.screen_text()
    game.type("e9")
    game.wait_for_prompt("Ann")
    assert "e9 cannot be chosen here. Near it: d4, d3, c4." in game.screen_text()
    game.type("C3")
    game.wait_for_prompt("Ann")
    assert "d El" in game.screen_text() and "El elf tile (Ann)" in game.screen_text()
    game.type("move")
    game.wait_for_prompt("Ann")
    assert "[d El]" in game.screen_text() and "1) elf tile on c3" in game.screen_text()
    game.type("c3")
    game.wait_for_prompt("Ann")
    game.type("a1")
    game.wait_for_prompt("Ann")
    assert " 1 │ n El" in game.screen_text()
    game.type("table")
    game.wait_for_prompt("Ann")
    assert game.screen_text().count("elf tile (Ann)") >= 1
    game.type("quit")
    assert game.ended() == 0


def test_a_map_can_be_drawn_with_ascii() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(None, out, "never").write_lines(board.draw(middle(coast()), middle(coast()).view(0), 79, 30))
    out.flush()
    source = out.buffer.getvalue().decode("ascii")
    assert "   +--------------------+------+   b bay" in source


# ── charts before the seats ──


@pytest.mark.rotating(4)
def test_charts_show_what_each_seat_can_do_where() -> None:
    game = Game.start(library.load("wildlife/2002"), ["Ada", "Ben"], seed=7)
    lines = plain_table(game, 0)
    head = next(number for number, line in enumerate(lines) if line.startswith("organism chart"))
    of = {game.view(None).counters["own organism"][seat]: seat for seat in (0, 1)}  # type: ignore[index]
    steps = {"expansion": "■■", "migration": "■", "attack": "■■■", "none": "–"}
    table = game.rules.edition.words["organism"].tables["chart"]
    for row, organism in enumerate(of, 1):
        number = game.program.words["organism"].index(str(organism))
        expected = [steps[game.program.words["level"][value]] for value in table.rows[number]]
        assert lines[head + row].split() == [game.names[of[organism]], organism, *expected]
    assert lines[head + 3] == "■ migration · ■■ expansion · ■■■ attack"
    assert "organism chart" not in " ".join(lines[: head - 1])  # it is not counted besides
    brief = plain_table(game, 1, brief=True)
    own = [line for line in brief if "■" in line and "·" not in line]
    assert len(own) == 1 and own[0].split()[0] == "Ben"


def test_tiles_that_change_a_chart_are_marked() -> None:
    game = Game.start(library.load("wildlife/2002"), ["Ada", "Ben"], seed=7)
    state, program = game.state, game.program
    own = next(zone for zone in program.layout.zones if zone.name == "adaptations" and zone.owner == 0)
    chart = program.words["organism"].index(str(game.view(None).counters["own organism"][0]))  # type: ignore[index]
    levels = game.rules.edition.words["organism"].tables["chart"].rows[chart]
    terrain = next(index for index, level in enumerate(levels) if level == 1)
    name = f"{program.words['terrain'][terrain]} expansion"
    tile = next(piece for piece, look in enumerate(program.type_of) if program.types[look].name == name)
    index = program.layout.piece_zones + tile
    state[state[index]] = tuple(piece for piece in state[state[index]] if piece != tile)
    state[own.address], state[index] = (tile,), own.address
    raised = Game(game.rules, game.names, (None, None), game.options, 7, state)
    lines = plain_table(raised, 0)
    row = next(line for line in lines if line.split()[:1] == ["Ada"] and "■" in line)
    assert row.split()[2 + terrain] == "■□"
    assert "■ migration · ■■ expansion · ■■■ attack · □ from Adaptation tiles" in lines


def plain_table(game: Game, seat: int, brief: bool = False) -> list[str]:
    return [plain_text(line) for line in table.draw(game, seat, 79, brief=brief)]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("language", ["en", "de", "nl", "it", "fr"])
@pytest.mark.parametrize("name", ["wild-cards/2022", "wildlife/2002"])
def test_tables_charts_and_logs_fit_in_every_language(name: str, language: str) -> None:
    rules = library.load(name)
    names = ["Maximiliane", "Bartholomäus", "Konstantina", "Wilhelmina", "Ferdinand"][: min(5, rules.edition.people[1])]
    game, rng = Game.start(rules, names, seed=3), random.Random(3)
    for _ in range(120):
        decisions = game.decisions()
        if not decisions:
            break
        keys = [choice.key for choice in decisions[0].choices for _ in range(choice.count)]
        game.answer(decisions[0].seat, rng.sample(keys, max(decisions[0].least, min(1, decisions[0].most))))
    console = Console(None, io.StringIO(), "never", game.localizer(language))
    message = log_sections.blocks(console, log_sections.sections(game, 0, language=language), brief=True)
    pictures = [*table.draw(game, 0, 79, language=language), *table.draw(game, 0, 79, brief=True, language=language)]
    pictures += board.draw(game, game.view(0), 79, 40, language=language)
    for line in [*pictures, *(line for block in message for line in block)]:
        assert cell_width(plain_text(line)) <= 79, plain_text(line)


FIELD = """\
rulewright: 1
title: Field
players: 2
words: {colour: {black: {}, white: {}}}
boards: {field: {of: spot, size: 20 by 20}}
pieces: {stone: {each: colour, copies: 9, starts in: box, noun: "{colour} stone"}}
zones: {box: {seen by: all}, place: {of: spot, seen by: all, at most: 1}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from spots where place is empty as there: {ask: Where?}
          - each there as one: move first 1 of box to one's place
"""


def test_only_the_occupied_part_of_a_large_map_is_drawn() -> None:
    """The drawing has the spaces around the pieces, and says how many are left out; all of it is drawn on demand, or
    where nothing lies."""
    game = Game.start(library.from_text(FIELD, "field"), ["Ada", "Ben"], seed=1)

    def map_rows(brief: bool, room: int = 12) -> list[str]:
        choices = {(choice.words, choice.word) for choice in game.decisions()[0].choices}
        return [
            plain_text(line).rstrip()
            for line in board.draw(game, game.view(0), 79, room, choices, extent="pieces" if brief else "all")
        ]

    assert map_rows(True) == map_rows(False)
    game.answer(0, ["c4"])
    game.answer(1, ["f6"])
    part = map_rows(True)
    assert part[0].split()[:6] == list("bcdefg")
    assert [line[:2] for line in part if line[:2].strip()] == [" 3", " 4", " 5", " 6", " 7", "No"]
    assert part[-1] == "Nothing lies on the other 370 spaces: type table"
    assert len(map_rows(False)) == 22 and map_rows(True, room=20) == map_rows(False, room=20)


def test_a_large_map_that_has_been_drawn_shows_only_what_has_changed() -> None:
    game = Game.start(library.from_text(FIELD, "field"), ["Ada", "Ben"], seed=1)
    for seat, space in ((0, "a1"), (1, "t20"), (0, "h9")):
        before = game.view(0)
        game.answer(seat, [space])
    choices = {(choice.words, choice.word) for choice in game.decisions()[0].choices}
    lines = board.draw(game, game.view(1), 79, 12, choices, before, extent="changes")
    part = [plain_text(line).rstrip() for line in lines]
    assert part[0].split()[:7] == list("efghijk")
    assert [line[:2].strip() for line in part[1:8]] == [str(row) for row in range(6, 13)]
    assert part[-1] == "The other 351 spaces are as before: type table"


def test_a_path_is_written_one_space_after_the_other() -> None:
    game = Game.start(library.load(str(GAMES / "goose.yaml")), ["Ann", "Bo"], seed=1)
    lines = [plain_text(line).rstrip() for line in board.draw(game, game.view(0), 60, 20)]
    assert lines[0].split()[:3] == ["1Bl+", "2", "3"]
    assert [number for line in lines[:8] for number in line.split()][-1] == "63"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("classics/checkers", ["32", "12 Bm"]),  # as its squares are numbered
        ("classics/backgammon", ["    12   11   10", "    13   14   15"]),  # as the points are for whoever plays white
        ("classics/chess", ["· k ", "· K "]),
    ],
)
def test_spaces_and_pieces_are_written_as_players_call_them(name: str, expected: list[str]) -> None:
    game = Game.start(library.load(name), ["Ann", "Bo"], seed=1)
    drawing = "\n".join(map(plain_text, board.draw(game, game.view(0), 100, 40)))
    assert [part for part in expected if part not in drawing] == []
