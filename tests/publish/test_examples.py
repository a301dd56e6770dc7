"""Examples of rulebooks: they were played, follow the rules of the book, and tell nothing that is not so."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest

from rulewright import cli
from rulewright.authoring import scenarios
from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios import examples as written_examples
from rulewright.base.diagnostics import EditionError
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.model import editions
from rulewright.publish import templates
from rulewright.publish.rulebook import html, markdown, pdf
from rulewright.publish.rulebook.model import Example, Piece, Rulebook, ShownTable
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from shipped_books import contents

EDITIONS = ["wild-cards/2020", "wild-cards/2022"]
TOLD_SECTIONS = ("setup", "phases", "powers", "roles", "scoring", "ranking")
STEPS = ["pay", "settle tie", "break tie", "pass", "claim leader", "lose leader", "score habitat"]


@cache
def examples(name: str, language: str = "en") -> dict[str, Example]:
    """The examples of a book by their titles."""
    return examples_by_rule(contents(name, language).rulebook())


def examples_by_rule(book: Rulebook) -> dict[str, Example]:
    results = [block for chapter in book.chapters for block in chapter.blocks if isinstance(block, Example)]
    assert len({example.anchor for example in results}) == len(results)
    return {example.title: example for example in results}


def course(example: Example, is_told: bool = False) -> list[str]:
    return [line.text for line in example.course if line.is_explanation == is_told]


def contents_of(position: ShownTable, owner: str, place: str) -> dict[str, int] | str:
    """Return the pieces of a zone, or the value of a counter."""
    [tableau] = [result for result in position.tableaus if result.owner == owner]
    [result] = [result for result in tableau.places if result.name == place]
    return result.note or {piece.name: piece.count for piece in result.pieces}


# ── the shipped ones ──


@pytest.mark.parametrize("name", EDITIONS)
def test_every_rule_that_needs_one_has_an_example(name: str) -> None:
    result = contents(name)
    expected = [
        key for key in result.texts.rule_keys() if key.section in TOLD_SECTIONS and key != "phases.acquire animals"
    ]
    expected += [key for key in (RuleKey.of("steps", step) for step in STEPS) if key in result.texts.rule_keys()]
    assert len(expected) > 18
    assert [key for key in expected if key not in result.examples] == []
    assert result.left_out == []
    assert not any(chapter.anchor == "examples" for chapter in result.rulebook().chapters)


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", EDITIONS)
def test_every_named_piece_is_drawn(name: str) -> None:
    rules = library.load(name)
    tells = [
        scalar
        for each in written_examples.sources(rules.edition)
        for key, scalar in cases.texts_of(each.name.text, each.body)
        if key.endswith(".tell")
    ]
    assert len(tells) > 20
    assert sum(len(course(example, is_told=True)) for example in examples(name).values()) == len(tells)


@pytest.mark.parametrize("name", EDITIONS)
def test_examples_follow_their_rules(name: str) -> None:
    for chapter in contents(name).rulebook().chapters:
        anchors = [getattr(block, "anchor", "") for block in chapter.blocks]
        for key, result in contents(name).examples.items():
            rule = key.replace(".", "-").replace(" ", "-")
            if rule in anchors:
                index = anchors.index(rule) + 1
                assert anchors[index : index + len(result)] == [example.anchor for example in result]


def test_the_first_edition_has_the_examples_that_apply_to_it() -> None:
    second, first = examples("wild-cards/2022"), examples("wild-cards/2020")
    assert "Nora began with the Talisman." in course(second["A table for three"])
    assert "Talisman" not in str([first[title].course for title in first])
    assert "Talisman" not in str([(example.before, example.after) for example in first.values()])
    assert set(second) - set(first) == {
        "A tie that payments do not settle",
        "Leo takes part",
        "A new pile for Leo",
    }


def test_a_whole_example() -> None:
    result = examples("wild-cards/2022")["A second lion"]
    assert contents_of(result.before, "", "Display") == {"Lion": 1}  # what nobody takes is not drawn
    assert contents_of(result.before, "Timo", "Play area") == {"Lion leader": 1}
    assert contents_of(result.before, "Nora", "Hand") == {"Savannah 2": 1, "Forest 1": 1}  # nor what nobody plays
    assert result.after == ShownTable()
    lines = course(result)
    assert lines.index("Nora bid a savannah 2.") < lines.index("Nora took the lion.")
    assert lines.count("Nora paid a forest 1.") == 1
    assert not any("chose" in line for line in lines)  # lines of the log tell of it all
    assert not any(piece.hidden for tableau in result.before.tableaus for p in tableau.places for piece in p.pieces)


def pieces(example: Example) -> dict[str, Piece]:
    """The pieces of a picture by owner and name."""
    return {
        f"{tableau.owner} {piece.name}".strip(): piece
        for tableau in example.before.tableaus
        for place in tableau.places
        for piece in place.pieces
    }


def test_a_piece_has_the_number_of_the_sentence_that_tells_of_it() -> None:
    result = examples("wild-cards/2022")["A second lion"]
    numbers = {line.text: line.number for line in result.course}
    picture = pieces(result)
    assert numbers["Nora bid a savannah 2."] == numbers["Vera bid a mountain 3."] == 1  # one moment, one number
    assert picture["Nora Savannah 2"].marks == (1,) and picture["Nora Savannah 2"].goes == "Bid"
    assert picture["Nora Forest 1"].marks == (numbers["Nora paid a forest 1."],)
    assert picture["Lion"].goes == "Nora"
    assert picture["Timo Lion leader"].goes == "Nora" and picture["Timo Lion leader"].decides
    assert [name for name, piece in picture.items() if piece.decides] == ["Timo Lion leader"]


def test_a_piece_is_drawn_where_its_power_is_explained() -> None:
    picture = pieces(examples("wild-cards/2022")["A tie with the lion"])
    assert picture["Nora Lion leader"].decides and picture["Nora Lion leader"].marks == (4,)


def test_points_are_counted_line_by_line() -> None:
    scores = examples("wild-cards/2022")["Who has won"].scores
    assert scores is not None
    assert scores.players == ("Nora", "Timo", "Vera") and scores.winners == (1,)
    assert scores.rows[0] == ("Largest herd", "6", "10", "4") and scores.total[:3] == ("Total", "16", "16")
    one = examples("wild-cards/2022")["The largest herd"].scores
    assert one is not None and one.rows == (("Largest herd", "8", "4", "2"),) and one.total == ()
    assert examples("wild-cards/2022")["Three bids"].scores is None
    everybody = [tableau.owner for tableau in examples("wild-cards/2022")["Points from the game"].before.tableaus]
    assert everybody == ["Nora", "Timo", "Vera"]


def test_examples_are_told_in_other_languages_with_the_same_names() -> None:
    english, german = examples("wild-cards/2022"), list(examples("wild-cards/2022", "de").values())
    assert len(german) == len(english)
    lines = [line for example in german for line in course(example)]
    assert "Nora nimmt den Löwen." in lines
    assert not any(line.endswith("took the lion.") for line in lines)


def test_texts_of_examples_are_in_the_catalogs() -> None:
    results = {(message.context, message.one) for message in templates.messages([library.load("wild-cards/2022")])}
    assert ("examples.a bluff.title", "a bluff") in results
    assert any(place == "examples.passing with a full hand.text" and "{hand limit}" in text for place, text in results)
    assert any(context == "examples.a second lion.tell" for context, _ in results)


# ── those of a variant ──


def variant(folder: Path, change: str, listed: str = "") -> str:
    """The path of a variant of the second edition, with a file of examples if there are cases."""
    file = folder / "mine.yaml"
    file.write_text(f"rulewright: 1\nextends: wild-cards/2022\n{change}\n", encoding="utf-8")
    if listed:
        head = "edition: mine.yaml\nseats: [Nora, Timo, Vera]\n"
        editions.examples_of(file).write_text(head + listed, encoding="utf-8")
    return str(file)


def of_variant(folder: Path, change: str, listed: str = "") -> tuple[dict[str, Example], list[str]]:
    result = RulebookBuilder(library.load(variant(folder, change, listed)))
    return examples_by_rule(result.rulebook()), result.left_out


@pytest.mark.rotating(4)
def test_examples_follow_the_figures_of_a_variant(tmp_path: Path) -> None:
    change = "change: {values: {seat: {hand limit: 12, refill size: 5}}}"
    result, left_out = of_variant(tmp_path, change)
    assert left_out == []
    passing, before = result["Passing with a full hand"], examples("wild-cards/2022")["Passing with a full hand"]
    assert "The hand limit is 12" in passing.text and "The hand limit is 10" in before.text
    assert course(before, is_told=True) and not course(passing, is_told=True)  # what is not so any more is not told
    assert "Nora drew 3 habitat cards and now has 5." in course(result["A refill card"])


@pytest.mark.rotating(2)
def test_examples_are_played_with_the_options_of_the_book(tmp_path: Path) -> None:
    result = contents("wild-cards/2022", "en", ("talisman owner first", "yes"), ("no bluffing", "yes"))
    assert [sentence for sentence in result.left_out if "'a bluff'" in sentence]
    assert "A second lion" in examples_by_rule(result.rulebook())


LAID = """\
    given:
      phase: place bids
      display: [lion, eagle]
      Nora: {hand: [forest 1, forest 2]}
      Timo: {hand: [forest 1]}
      Vera: {hand: [forest 1], front: [Talisman]}
"""


@pytest.mark.rotating(5)
def test_impossible_examples_are_left_out_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = "cases:\n"
    for name, more in {
        "refused": f"{LAID}    do: [Nora: forest 4]\n    expect: {{over: no}}\n",
        "too many": LAID.replace("[lion, eagle]", f"[{', '.join(['lion'] * 8)}]") + "    expect: {over: no}\n",
        "no such rule": f"    explains: powers.lino\n{LAID}    expect: {{over: no}}\n",
        "no such figure": f"    text: Up to {{hand size}}.\n{LAID}    expect: {{over: no}}\n",
        "sound": f"    text: Up to {{hand limit}}.\n{LAID}    do: [Nora: forest 2]\n    expect: {{over: no}}\n",
    }.items():
        listed += f"  {name}:\n{more}"
    file = variant(tmp_path, "change: {title: Mine}", listed)
    assert cli.main(["rulebook", file, "--format", "md", "--out", str(tmp_path / "book.md"), "--lang", "en"]) == 0
    text = " ".join(capsys.readouterr().err.split())
    assert "The example 'refused' (" in text and "'forest 4' cannot be chosen." in text
    assert "This position needs more of 'lion' than there are: 7." in text
    assert "There is no rule 'powers.lino' that is told in words." in text
    assert "'hand size'" in text
    book = (tmp_path / "book.md").read_text(encoding="utf-8")
    assert "Example: Sound" in book and "Up to 10." in book
    assert "Refused" not in book and "Too many" not in book and "No such" not in book
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(Path(file)))], out) == 2
    assert "Did you mean 'powers.lion'?" in out.getvalue() and "[unknown-name]" in out.getvalue()


@pytest.mark.rotating(5)
def test_a_broken_example_fails(tmp_path: Path) -> None:
    listed = f"cases:\n  broken:\n{LAID}    do:\n      - {{expect: {{round: 2}}, tell: It is the second round.}}\n"
    file = Path(variant(tmp_path, "change: {title: Mine}", listed))
    out = io.StringIO()
    assert scenarios.run([str(tmp_path)], out) == 1  # the folder's edition is no file of cases
    assert "0 passed, 1 failed" in out.getvalue() and "the round" in out.getvalue()
    result = examples_by_rule(RulebookBuilder(library.load(str(file))).rulebook())
    assert result["Broken"].course == ()


@pytest.mark.rotating(4)
def test_a_variant_replaces_and_removes_examples(tmp_path: Path) -> None:
    mine = f"cases:\n  a second lion:\n    text: Mine.\n{LAID}    expect: {{over: no}}\n"
    result, left_out = of_variant(tmp_path, "change: {title: Mine}", f"leave out: [passing, a bluff]\n{mine}")
    assert left_out == []
    assert result["A second lion"].text == "Mine."
    assert "Passing" not in result and "A bluff" not in result and "Three bids" in result


@pytest.mark.rotating(6)
def test_an_edition_picks_what_is_printed(tmp_path: Path) -> None:
    """Paper has less room than a page; a variant without a selection prints that of its base."""
    mine = f"cases:\n  mine:\n{LAID}    expect: {{over: no}}\n"
    listed = f"print: [mine, passing, a blufff]\n{mine}"
    picked = RulebookBuilder(library.load(variant(tmp_path, "change: {title: Mine}", listed)))
    chapters = pdf.template_data(picked.rulebook(), "a5")["chapters"]
    blocks = [block for chapter in chapters for block in chapter["blocks"]]
    assert [block["title"] for block in blocks if block["kind"] == "Example"] == ["Passing", "Mine"]
    assert len(examples_by_rule(picked.rulebook())) > 20 and any("'a blufff'" in why for why in picked.left_out)
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(tmp_path / "mine.yaml"))], out) == 2
    assert "There is no example 'a blufff'." in out.getvalue() and "Did you mean 'a bluff'?" in out.getvalue()
    as_before = [block.printed for block in examples_by_rule(contents("wild-cards/2022").rulebook()).values()]
    assert as_before.count(True) == 8 < len(as_before)


@pytest.mark.rotating(2)
def test_only_existing_examples_can_be_left_out(tmp_path: Path) -> None:
    listed = f"leave out: [a blufff]\ncases:\n  mine:\n{LAID}    expect: {{over: no}}\n"
    file = variant(tmp_path, "change: {title: Mine}", listed)
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(Path(file)))], out) == 2
    assert "has an example 'a blufff'" in out.getvalue() and "Did you mean 'a bluff'?" in out.getvalue()


@pytest.mark.rotating(4)
def test_examples_leave_out_removed_pieces(tmp_path: Path) -> None:
    """Nothing is told of Leo, who is removed; where only a detail is removed, the example goes on without it."""
    result, left_out = of_variant(tmp_path, "remove: [roles, options.leo keeps his card]")
    assert sorted(sentence.split("'")[1] for sentence in left_out) == ["Leo takes part", "a new pile for Leo"]
    assert "Three bids" in result


@pytest.mark.rotating(3)
@pytest.mark.parametrize("text", ["cases: [", "nothing: here", "cases: {}"])
def test_an_invalid_file_of_examples_is_reported(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = variant(tmp_path, "change: {title: Mine}")
    editions.examples_of(Path(file)).write_text(text, encoding="utf-8")
    with pytest.raises(EditionError):
        RulebookBuilder(library.load(file))
    assert cli.main(["rulebook", file, "--format", "md", "--out", str(tmp_path / "book.md")]) == 2
    assert "mine.examples.yaml" in capsys.readouterr().err
    assert not (tmp_path / "book.md").exists()


@pytest.mark.rotating(5)
def test_texts_of_examples_are_no_markup(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> *b* [l](javascript:x) {hand limit} # $x$"
    listed = f"""cases:
  "<script>alert(1)</script> {{x}} ../..":
    text: "{evil}"
{LAID.replace("Nora", '"<b>N</b>"')}    seats: ["<b>N</b>", Timo, Vera]
    do:
      - {{expect: {{over: no}}, tell: "<u>{evil}</u>"}}
"""
    file = variant(tmp_path, "change: {title: Mine}", listed)
    result = RulebookBuilder(library.load(file))
    assert result.left_out == []
    book = result.rulebook()
    page, words = html.page(book), markdown.text(book)
    assert page.count("<script") == 1 and "<img" not in page and "<u>" not in page and "<b>N</b>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {x} ../.." in page
    assert "<script" not in words.replace("\\<script", "") and "<img" not in words.replace("\\<img", "")
    assert "\\*b\\* \\[l\\](javascript:x) 10 \\# $x$" in words


# ── what is told of an answer ──

SMALL = """\
rulewright: 1
title: Small
players: 2
words: {hue: {red: , blue: }}
pieces: {chip: {each: hue, copies: 3, starts in: bag, noun: "{hue} chip"}}
zones:
  bag: {seen by: nobody, pile: yes}
  tray: {seen by: all}
  purse: {of: seat, seen by: owner}
  vault: {of: seat, seen by: nobody}
counters: {seat: {luck: 0}}
phases:
  turns:
    text: Each in turn.
    do:
      - each seat:
          - choose up to 1 from tray as wanted:
              ask: Which do you want?
              none: None of them.
          - move wanted to purse
          - may: {ask: Do you hide it?, do: move purse to vault}
          - if vault is not empty: add 1 to luck
          - log: "{seat} is done."
scoring: {luck: {points: luck}}
ranking: highest score
"""
PLAYED = """\
edition: small.yaml
seats: [Nora, Timo]
cases:
  chips:
    explains: phases.turns
    given: {phase: turns, tray: [red chip, blue chip], Nora: {purse: [red chip]}}
    do:
      - Nora: blue chip
      - Nora: yes
      - {expect: {Nora: {luck: 1}}, tell: Lucky.}
      - Timo: []
      - Timo: no
    expect: {round: 2}
"""


def test_answers_without_effect_are_described(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "small.examples.yaml").write_text(PLAYED, encoding="utf-8")
    out = io.StringIO()
    assert scenarios.run([str(tmp_path)], out) == 0, out.getvalue()
    [result] = examples_by_rule(RulebookBuilder(library.load(str(tmp_path / "small.yaml"))).rulebook()).values()
    assert [line.text for line in result.course] == [
        "Nora chose blue chip (purse).",
        "Nora is done.",
        "Lucky.",
        "Timo chose 'None of them'.",
        "Timo declined.",
        "Timo is done.",
    ]
    [blue] = pieces(result).values()
    assert (blue.name, blue.marks, blue.goes, blue.decides) == ("Blue chip", (1,), "Nora", False)


WITH_SHOWN_ZONES = PLAYED.replace("    do:", "    show: [tray, Nora's purse, luck]\n    do:").replace(
    "{purse: [red", "{luck: 2, purse: [red"
)


def test_an_edition_may_choose_what_is_shown(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "small.examples.yaml").write_text(WITH_SHOWN_ZONES.replace("luck: 1}", "luck: 3}"), encoding="utf-8")
    [result] = examples_by_rule(RulebookBuilder(library.load(str(tmp_path / "small.yaml"))).rulebook()).values()
    assert contents_of(result.before, "", "Tray") == {"Red chip": 1, "Blue chip": 1}  # whole
    assert contents_of(result.before, "Nora", "Purse") == {"Red chip": 1}
    rngs = {tableau.owner: place for tableau in result.before.tableaus for place in tableau.places if place.note}
    assert [(owner, place.note, place.later) for owner, place in rngs.items()] == [
        ("Nora", "2", "3"),
        ("Timo", "0", ""),
    ]


def test_only_existing_zones_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "small.examples.yaml").write_text(
        WITH_SHOWN_ZONES.replace("Nora's purse", "Nora's pursee"), encoding="utf-8"
    )
    out = io.StringIO()
    assert scenarios.run([str(tmp_path / "small.examples.yaml")], out) == 2
    text = " ".join(out.getvalue().split())
    assert "small.examples.yaml:7:18" in text and "There is no zone or counter 'Nora's pursee'." in text
    assert "Did you mean 'Nora's purse'?" in text


MEADOW = """\
rulewright: 1
title: Meadow
players: 2
words:
  soil: {grass: , water: }
boards:
  meadow: {of: space, map: "ggw\\nggw\\n", legend: {g: {soil: grass}, w: {soil: water}}}
pieces: {hare: {copies: 4, starts in: box, noun: hare | hares}}
zones:
  box: {seen by: all}
  ground: {of: space, seen by: all}
phases:
  hops:
    text: Each in turn.
    do:
      - each seat:
          - choose 1 from spaces where ground is not empty as start: {ask: From where?}
          - choose 1 from spaces where ground is empty as goal: {ask: Where to?}
          - move start's ground to goal's ground
          - log: "{seat} hopped from {start} to {goal}."
          - move last 1 of box to start's ground
          - log: "A hare came to {start}."
scoring: {none: {points: 0}}
ranking: highest score
"""
HOPS = """\
edition: meadow.yaml
seats: [Nora, Timo]
cases:
  hops:
    explains: phases.hops
    given: {phase: hops, ground: {a1: hare}}
    do:
      - Nora: a1
      - {expect: {asked: {Nora: {choices: [b1, c1, a2, b2, c2]}}}, tell: Anywhere.}
      - Nora: c2
    expect: {ground: {c2: hare, a1: hare}}
"""


def test_a_board_has_arrows_and_numbers(tmp_path: Path) -> None:
    (tmp_path / "meadow.yaml").write_text(MEADOW, encoding="utf-8")
    (tmp_path / "meadow.examples.yaml").write_text(HOPS, encoding="utf-8")
    book = RulebookBuilder(library.load(str(tmp_path / "meadow.yaml")))
    assert book.left_out == []
    [result] = examples_by_rule(book.rulebook()).values()
    [board] = result.before.boards
    assert result.before.tableaus == () and result.after == ShownTable()
    numbers = re.findall(r'fill="#fff" text-anchor="middle">(\d+)<', board.picture)
    assert numbers == ["1", "2"]
    assert board.picture.count("stroke-dasharray") == 4  # spaces besides the goal
    assert board.picture.count("h40m-20 -20v40") == 1  # a plus beside the hare that came


def test_a_piece_that_is_won_is_drawn_where_it_comes_from() -> None:
    example = examples("wild-cards/2022")["A leader that changes sides"]
    (supply,) = [found for found in example.before.tableaus if found.owner == ""]
    (won,) = [piece for place in supply.places for piece in place.pieces]
    assert (won.name, won.goes) == ("Eagle leader", "Nora")
    nora = next(found for found in example.before.tableaus if found.owner == "Nora")
    paths = {piece.name: piece.goes for place in nora.places for piece in place.pieces}
    assert paths["Ibex leader"] == "Timo" and "Eagle leader" not in paths
