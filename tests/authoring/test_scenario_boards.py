"""Cases about what words and the spaces of boards own: by name and as drawings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.base import resources
from small_games.pebbles import ran

MEADOW = """\
edition:
  rulewright: 1
  title: Meadow
  players: 2
  words:
    folk: {hare: , toad: }
    soil: {grass: {}, water: {}}
  boards:
    meadow:
      of: space
      map: |
        .gg
        g.w
      legend: {g: {soil: grass}, w: {soil: water}}
    world: {of: land, spaces: {north: {next to: south}, south: {}}}
  pieces:
    animal: {each: folk, copies: 4, starts in: box, noun: "{folk}"}
    coin: {copies: 2, starts in: bank}
  zones:
    box: {holds: animal, seen by: all}
    bank: {holds: coin, seen by: all}
    ground: {of: space, holds: animal, seen by: all, at most: 2}
    burrow: {of: space, holds: animal, seen by: nobody}
    herd: {of: land, holds: animal, seen by: all}
    pouch: {of: seat, holds: animal, seen by: owner}
  counters:
    seat: {hops: 0}
    space: {visits: 0, visitor: seat}
    land: {wet: no}
  phases:
    hopping:
      do:
        - each seat: do hop
      steps:
        hop:
          do:
            - choose 1 from spaces where ground is not empty as start: {ask: From where?}
            - choose 1 from neighbours of start as goal: {ask: Where to?}
            - move last 1 of start's ground to goal's ground
            - add 1 to goal's visits
            - set goal's visitor to you
  scoring: {hops: {points: hops}}
  ranking: highest score
seats: [Ada, Ben]
cases:
"""
FIRST = MEADOW.count("\n") + 1

POSITION = """\
  one:
    given:
      phase: hopping
      ground: {b1: hare, c1: [toad, hare]}
      burrow: {c2: toad}
      visits: {b1: 3}
      visitor: {b1: Ben}
      herd: {south: [toad]}
      wet: {north: yes}
"""


def case(expectation: str) -> str:
    return f"{POSITION}    expect:\n      {expectation}\n"


def draw_zone(rows: list[str], letters: str = "{h: hare, t: toad, x: [toad, hare]}", zone: str = "ground") -> str:
    """Return a drawing as it stands in `given` or `expect`."""
    return f"{zone}:\n        drawn: |\n" + "".join(f"          {row}\n" for row in rows) + f"        with: {letters}\n"


@pytest.mark.parametrize(
    "expectation",
    [
        "ground: {b1: hare, c1: [toad, hare], a2: [], c2: 0}",
        "ground: {c1: 2}",
        "ground: {c1: {includes: [hare]}, b1: [hare]}",
        "ground: {c1: {any order: [hare, toad]}}",
        "ground: {b1: 1}",
        "visits: {b1: 3, c1: 0}",
        "visitor: {b1: Ben, c1: nobody}",
        "herd: {south: toad, north: 0}",
        "wet: {north: yes, south: no}",
        "box: 3",
        "seen by Ben: {ground: {c1: [toad, hare]}, burrow: {c2: 1, c1: 0}, herd: {south: toad}}",
        "seen by a spectator: {burrow: {c2: 1}}",
        "asked: {Ada: {choices: [b1, c1], least: 1, most: 1}}",
        draw_zone([".hx", "..."]),
        'ground: {drawn: " hx\\n   ", with: {h: hare, x: [toad, hare]}}',
        draw_zone([".hx", ". ."]),
        draw_zone([".11", "..."], "{1: {includes: [hare]}}"),
        draw_zone([".hy", "..."], "{h: hare, y: {any order: [hare, toad]}}"),
        draw_zone([".nh", "n.n"], "{h: 2, n: {includes: []}}"),
        "seen by Ben:\n        burrow: {drawn: \"...\\n..o\", with: {o: 1}}",
        "seen by Ben:\n        ground: {drawn: \".hx\\n...\", with: {h: hare, x: [toad, hare]}}",
    ],
)  # fmt: skip
def test_zones_of_words_can_be_expected(tmp_path: Path, expectation: str) -> None:
    assert ran(tmp_path, case(expectation), MEADOW) == (0, "1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        ("ground: {b1: toad}", "b1’s ground\n      expected  toad\n      actual    hare"),
        ("ground: {b1: []}", "b1’s ground\n      expected  nothing\n      actual    hare"),
        ("ground: {c1: [hare, toad]}", "c1’s ground\n      expected  hare, toad\n      actual    toad, hare"),
        ("ground: {c1: 3}", "c1’s ground\n      expected  3 pieces\n      actual    2 pieces: toad, hare"),
        ("ground: {c1: {includes: [hare, hare]}}", "hare, hare (with others perhaps)"),
        ("visits: {b1: 2}", "b1’s visits\n      expected  2\n      actual    3"),
        ("visitor: {b1: nobody}", "b1’s visitor\n      expected  nobody\n      actual    Ben"),
        ("wet: {south: yes}", "south’s wet\n      expected  yes\n      actual    no"),
        ("herd: {north: toad}", "north’s herd\n      expected  toad\n      actual    nothing"),
        ("seen by Ben: {burrow: {c2: toad}}", "c2’s burrow, seen by Ben\n      expected  toad\n      actual    1 pi"),
        ("seen by Ben: {ground: {b1: 1}}", "b1’s ground, seen by Ben\n      expected  1 piece, unseen\n      actual "),
        ("asked: {Ada: {choices: [b1]}}", "actual    Ada (choices b1, c1)"),
    ],
)  # fmt: skip
def test_each_expectation_can_fail(tmp_path: Path, expectation: str, message: str) -> None:
    status, out = ran(tmp_path, case(expectation), MEADOW)
    assert status == 1
    assert f"x.yaml:{FIRST + POSITION.count(chr(10)) + 1}: one\n" in out
    assert message in out


def test_every_word_has_a_line_of_its_own(tmp_path: Path) -> None:
    _, out = ran(tmp_path, case("ground:\n        b1: hare\n        c1: []\n        c2: toad"), MEADOW)
    last = FIRST + POSITION.count("\n") + 4
    assert re.findall(r"x\.yaml:(\d+):", out) == [str(last - 1), str(last)]


# ── drawings ──


def test_a_failing_drawing_is_shown_beside_the_position(tmp_path: Path) -> None:
    status, out = ran(tmp_path, case(draw_zone([".h.", "x.."])), MEADOW)
    assert status == 1
    expected = f"""\
x.yaml:{FIRST + POSITION.count(chr(10)) + 1}: one
    ground
      expected    abc
                1  h.
                2 x .
                c1: nothing
                a2: toad, hare
      actual      abc
                1  hx
                2 . .
                c1: toad, hare
                a2: nothing

0 passed, 1 failed
"""
    assert out == expected


def test_pieces_without_a_letter_are_shown_and_listed(tmp_path: Path) -> None:
    out = ran(tmp_path, case(draw_zone([".h.", "..."], "{h: hare, o: {includes: []}}")), MEADOW)[1]
    assert "1  ho\n" in out
    out = ran(tmp_path, case(draw_zone(["...", "..."], "{o: {includes: []}, h: hare}")), MEADOW)[1]
    assert "1  ho\n" in out
    out = ran(tmp_path, case(draw_zone([".h.", "..."], "{h: hare}")), MEADOW)[1]
    assert "      actual      abc\n                1  h?\n" in out
    assert "c1: toad, hare\n" in out


def test_hidden_pieces_are_not_shown_in_the_drawing_of_a_view(tmp_path: Path) -> None:
    expectation = 'seen by Ben: {burrow: {drawn: "...\\n..t", with: {t: toad}}}'
    status, out = ran(tmp_path, case(expectation), MEADOW)
    assert status == 1
    assert "burrow, seen by Ben\n" in out
    assert "2 . ?\n" in out
    assert "c2: 1 piece, unseen\n" in out


def test_the_same_picture_is_laid_out_and_expected(tmp_path: Path) -> None:
    picture = draw_zone([".hx", "t.."])
    body = f"  one:\n    given:\n      phase: hopping\n      {picture}    expect:\n      {picture}"
    assert ran(tmp_path, body, MEADOW)[0] == 0
    moved = body.replace("    expect:", "    do:\n      - {Ada: [c1]}\n      - {Ada: [c2]}\n    expect:")
    status, out = ran(tmp_path, moved, MEADOW)
    assert status == 1
    assert "c1: toad\n" in out and "c2: hare\n" in out


def test_pieces_on_one_space_have_the_order_of_their_list(tmp_path: Path) -> None:
    position = f"  one:\n    given:\n      phase: hopping\n      {draw_zone(['.x.', '...'])}    expect: "
    assert ran(tmp_path, position + "{ground: {b1: [toad, hare]}}\n", MEADOW)[0] == 0
    assert ran(tmp_path, position + "{ground: {b1: [hare, toad]}}\n", MEADOW)[0] == 1


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    rows = ["a" * 20, "." * 20]
    wide = MEADOW.replace(".gg\n        g.w\n", "g" * 20 + "\n        " + "w" * 20 + "\n")
    drawing = draw_zone(rows, "{a: hare}")
    body = f"  one:\n    given: {{phase: hopping, ground: {{a1: hare}}}}\n    expect:\n      {drawing}"
    out = ran(tmp_path, body, wide)[1]
    assert out.count("m1: hare\n") == 1 and "n1: hare" not in out
    assert out.count("… 7 more\n") == 2


def test_the_drawings_of_the_reference_are_printed_so(tmp_path: Path) -> None:
    text = resources.read_text("spec", "SCENARIOS.md")
    example = next(block for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S) if "drawn: |" in block)
    drawing = re.search(r"^```text\n(.*?)^```$", text, re.M | re.S)
    assert drawing and example.count("      - Ada: d2\n") == 1
    status, out = ran(tmp_path, example.replace("      - Ada: d2\n", "      - Ada: c3\n"), "")
    assert status == 1
    assert drawing[1] in out


# ── what is wrong ──


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("given: {phase: hopping, ground: {d9: hare}}", "There is no space 'd9'."),
        ("given: {phase: hopping, herd: {nort: hare}}", "= Did you mean 'north'?"),
        ("given: {phase: hopping, ground: {b1: har}}", "= Did you mean 'hare'?"),
        ("given: {phase: hopping, ground: {b1: coin}}", "'ground' holds no coin."),
        ("given: {phase: hopping, ground: {b1: [hare, coin]}}", "'ground' holds no coin."),
        ("given: {phase: hopping, ground: [hare]}", "'ground' belongs to each space; expected names of these."),
        ("given: {phase: hopping, ground: hare}", "= Such as ground: {b1: …}."),
        ("given: {phase: hopping, visits: 3}", "'visits' belongs to each space; expected names of these."),
        ("given: {phase: hopping, visits: {b1: many}}", "Expected a whole number here."),
        ("given: {phase: hopping, visitor: {b1: Bem}}", "There is no seat 'Bem'."),
        ("given: {phase: hopping, ground: {b1: 3}}", "Expected a list of pieces for 'b1'"),
        ("given: {phase: hopping, ground: {b1: [hare, hare, hare]}}", "'ground' has room for 2 pieces, not for 3."),
        ("given: {phase: hopping, box: [hare], ground: {b1: rest}}", "'ground' has room for 2 pieces, not for 7."),
        ("given: {phase: hopping, Ada: {ground: {b1: hare}}}", "'ground' is a zone of each space; it stands beside"),
        ("given: {phase: hopping, grund: {b1: hare}}", "= Did you mean 'ground'?"),
        ("expect: {grund: {b1: hare}}", "= Did you mean 'ground'?"),
        ("expect: {ground: {bb1: hare}}", "= Did you mean 'b1'?"),
        ("expect: {ground: {b1: har}}", "= Did you mean 'hare'?"),
        ("expect: {ground: 3}", "'ground' belongs to each space; expected names of these."),
        ("expect: {Ada: {visits: {b1: 2}}}", "'visits' is a counter of each space; it stands beside the seats."),
        ("expect: {seen by Ben: {Ada: {burrow: {b1: 1}}}}", "'burrow' is a zone of each space; it stands beside"),
        ("expect: {seen by Ben: {visits: {b1: 1}}}", "'visits' is a counter, which everybody sees;"),
        ("{seats: [Ada, ground], expect: {round: 1}}", "The seat 'ground' is called like something else"),
        ('expect: {ground: {drawn: ".h.", with: {h: hare}}}', "This drawing has 1 of the 2 rows of the map."),
        ('expect: {ground: {drawn: ".h.\\n..."}}', "'with' is missing in 'ground'."),
        ('expect: {ground: {drawn: ".h.\\n...", wiht: {h: hare}}}', "= Did you mean 'with'?"),
        ('expect: {ground: {drawn: ".h.\\n...", with: {h: hare}, x: y}}', "'x' is not known here."),
        ('expect: {ground: {drawn: ".h.\\n...", with: {hh: hare}}}', "Expected one letter, not 'hh'."),
        ('expect: {ground: {drawn: ".h.\\n...", with: {h: har}}}', "= Did you mean 'hare'?"),
        ('expect: {ground: {drawn: ".h.\\n...", with: {h: {rest: yes}}}}', "Expected a list of pieces for 'h'"),
        ('expect: {ground: {drwan: ".h.\\n...", with: {h: hare}}}', "= Did you mean 'drawn'?"),
        ('expect: {box: {drawn: ".h.\\n...", with: {h: hare}}}', "Expected a list of pieces for 'box'"),
        ('expect: {herd: {drawn: ".h.\\n...", with: {h: hare}}}', "There is no land 'drawn'."),
        ('given: {phase: hopping, ground: {drawn: ".h.\\n...", with: {h: {includes: []}}}}', "Expected 'top' for 'h'"),
    ],
)  # fmt: skip
def test_invalid_drawings_give_an_error(tmp_path: Path, body: str, message: str) -> None:
    body = body if body.startswith("{") else f"{{{body}}}"
    body = body if "expect" in body else body[:-1] + ", expect: {round: 1}}"
    status, out = ran(tmp_path, f"  one: {body}\n", MEADOW)
    assert message in out
    assert status == 2
    assert re.search(rf"^x\.yaml:{FIRST}:[0-9]+: error\[", out, re.MULTILINE)
    assert "Traceback" not in out


@pytest.mark.parametrize(
    ("rows", "place", "message"),
    [
        (["hhx", "..."], (0, 0), "The map has no space here."),
        ([".hx", ".t."], (1, 1), "The map has no space here."),
        ([".hx", "...t"], (1, 3), "The map has no space here."),
        ([".hx", "...", "t"], (2, 0), "The map has no space here."),
        ([".hx", "..y"], (1, 2), "'with' does not say what 'y' is.\n"),
    ],
)
@pytest.mark.parametrize("section", ["given", "expect"])
def test_a_wrong_letter_is_underlined(
    tmp_path: Path, section: str, rows: list[str], place: tuple[int, int], message: str
) -> None:
    before, after = {"given": ("phase: hopping\n      ", "    expect: {round: 1}\n"), "expect": ("", "")}[section]
    body = f"  one:\n    {section}:\n      {before}{draw_zone(rows)}{after}"
    status, out = ran(tmp_path, body, MEADOW)
    assert status == 2
    row, column = place
    line = FIRST + (5 if section == "given" else 4) + row
    assert f"x.yaml:{line}:{11 + column}: error[drawing]: {message}" in out
    assert re.search(rf"^ +{line} \| +\S*\n +\| {{{11 + column}}}\^$", out, re.MULTILINE)
    assert out.count("error[") == 1


def test_too_many_drawn_pieces_are_underlined(tmp_path: Path) -> None:
    position = f"  one:\n    given:\n      phase: hopping\n      {draw_zone(['.ww', 'w..'], '{w: [hare, toad]}')}"
    status, out = ran(tmp_path, f"{position}    expect: {{round: 1}}\n", MEADOW.replace("copies: 4", "copies: 2"))
    assert status == 2
    assert f"x.yaml:{FIRST + 6}:11: error[impossible-position]: This position needs more of 'hare'" in out
