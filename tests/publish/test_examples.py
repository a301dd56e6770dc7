"""Examples of rulebooks: they were played, follow the rules of the book, and tell nothing that is not so."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest

from books import contents
from rulewright import cli
from rulewright.authoring import scenarios
from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios import examples as written
from rulewright.base.diagnostics import EditionError
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.model import editions
from rulewright.publish import templates
from rulewright.publish.rulebook import html, markdown, pdf
from rulewright.publish.rulebook.contents import Contents
from rulewright.publish.rulebook.model import Example, Rulebook, ShownTable

EDITIONS = ["wild-cards/2020", "wild-cards/2022"]
TOLD = ("setup", "phases", "powers", "roles", "scoring", "ranking")
STEPS = ["settle tie", "break tie", "pass", "claim leader", "lose leader", "score habitat"]


@cache
def examples(name: str, language: str = "en") -> dict[str, Example]:
    """The examples of a book by their titles."""
    return shown(contents(name, language).rulebook())


def shown(book: Rulebook) -> dict[str, Example]:
    found = [block for chapter in book.chapters for block in chapter.blocks if isinstance(block, Example)]
    assert len({example.anchor for example in found}) == len(found)
    return {example.title: example for example in found}


def course(example: Example, said: bool = False) -> list[str]:
    return [line.text for line in example.course if line.said == said]


def lying(position: ShownTable, owner: str, place: str) -> dict[str, int] | str:
    """What lies in a place, or what is noted there."""
    [tableau] = [found for found in position.tableaus if found.owner == owner]
    [found] = [found for found in tableau.places if found.name == place]
    return found.note or {piece.name: piece.count for piece in found.pieces}


# ── the shipped ones ──


@pytest.mark.parametrize("name", EDITIONS)
def test_every_rule_that_needs_one_has_an_example(name: str) -> None:
    found = contents(name)
    wanted = [key for key in found.texts.told() if key.section in TOLD]
    wanted += [key for key in (RuleKey.of("steps", step) for step in STEPS) if key in found.texts.told()]
    assert len(wanted) > 18
    assert [key for key in wanted if key not in found.examples] == []
    assert found.left_out == []
    assert not any(chapter.anchor == "examples" for chapter in found.rulebook().chapters)


@pytest.mark.parametrize("name", EDITIONS)
def test_everything_that_is_told_is_shown(name: str) -> None:
    rules = library.load(name)
    tells = [
        scalar
        for each in written.sources(rules.edition)
        for key, scalar in cases.told(each.name.text, each.body)
        if key.endswith(".tell")
    ]
    assert len(tells) > 20
    assert sum(len(course(example, said=True)) for example in examples(name).values()) == len(tells)


@pytest.mark.parametrize("name", EDITIONS)
def test_examples_stand_behind_what_they_explain(name: str) -> None:
    for chapter in contents(name).rulebook().chapters:
        anchors = [getattr(block, "anchor", "") for block in chapter.blocks]
        for key, found in contents(name).examples.items():
            rule = key.replace(".", "-").replace(" ", "-")
            if rule in anchors:
                at = anchors.index(rule) + 1
                assert anchors[at : at + len(found)] == [example.anchor for example in found]


def test_the_first_edition_tells_those_of_the_second_without_what_it_does_not_have() -> None:
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
    found = examples("wild-cards/2022")["A second lion"]
    assert lying(found.before, "", "Display") == {"Lion": 1, "Squirrel": 1}
    assert lying(found.before, "Timo", "Play area") == {"Lion leader": 1}
    assert lying(found.after, "Timo", "Play area") == {}  # empty now
    assert lying(found.after, "Nora", "Payment") == {"Forest 1": 1}
    lines = course(found)
    assert lines.index("Nora bid savannah 2.") < lines.index("Nora took the lion.")
    assert "“Choose habitat cards to pay: 1.” Nora: “forest 1”" in lines  # no line of the log tells of it
    assert not any(line.startswith("“Which animal") for line in lines)  # one does
    assert not any(piece.hidden for tableau in found.before.tableaus for p in tableau.places for piece in p.pieces)


def test_points_are_counted_line_by_line() -> None:
    lines = course(examples("wild-cards/2022")["Who has won"])
    assert lines[1] == "Timo: Largest herd 10, Second herd 2, Leaders 2 and Score tokens 2; 16 points in all, rank 1."
    assert course(examples("wild-cards/2022")["The largest herd"])[0] == "Nora: Largest herd 8."


def test_examples_are_told_in_other_languages_with_the_same_names() -> None:
    english, german = examples("wild-cards/2022"), list(examples("wild-cards/2022", "de").values())
    assert len(german) == len(english)
    lines = [line for example in german for line in course(example)]
    assert "Nora nimmt den Löwen." in lines
    assert not any(line.endswith("took the lion.") for line in lines)


def test_translators_are_given_the_texts() -> None:
    found = {(message.context, message.one) for message in templates.messages([library.load("wild-cards/2022")])}
    assert ("examples.a bluff.title", "a bluff") in found
    assert any(place == "examples.passing with a full hand.text" and "{hand limit}" in text for place, text in found)
    assert any(context == "examples.a second lion.tell" for context, _ in found)


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
    found = Contents(library.load(variant(folder, change, listed)))
    return shown(found.rulebook()), found.left_out


def test_examples_follow_the_figures_of_a_variant(tmp_path: Path) -> None:
    change = "change: {values: {seat: {hand limit: 12, refill size: 5}}}"
    found, left_out = of_variant(tmp_path, change)
    assert left_out == []
    passing, before = found["Passing with a full hand"], examples("wild-cards/2022")["Passing with a full hand"]
    assert "The hand limit is 12" in passing.text and "The hand limit is 10" in before.text
    assert lying(passing.after, "Nora", "Hand") != lying(before.after, "Nora", "Hand")
    assert course(before, said=True) and not course(passing, said=True)  # what is not so any more is not told
    assert "Nora now had 5 habitat cards." in course(found["A refill card"])


def test_examples_are_played_with_the_options_of_the_book(tmp_path: Path) -> None:
    found = contents("wild-cards/2022", "en", ("talisman owner first", "yes"), ("no bluffing", "yes"))
    assert [sentence for sentence in found.left_out if "'a bluff'" in sentence]
    assert "A second lion" in shown(found.rulebook())


LAID = """\
    given:
      phase: place bids
      display: [lion, eagle]
      Nora: {hand: [forest 1, forest 2]}
      Timo: {hand: [forest 1]}
      Vera: {hand: [forest 1], front: [Talisman]}
"""


def test_what_is_impossible_is_left_out_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    told = " ".join(capsys.readouterr().err.split())
    assert "The example 'refused' (" in told and "'forest 4' cannot be chosen." in told
    assert "This position needs more of 'lion' than there are: 7." in told
    assert "There is no rule 'powers.lino' that is told in words." in told
    assert "'hand size'" in told
    book = (tmp_path / "book.md").read_text(encoding="utf-8")
    assert "Example: Sound" in book and "Up to 10." in book
    assert "Refused" not in book and "Too many" not in book and "No such" not in book
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(Path(file)))], out) == 2
    assert "Did you mean 'powers.lion'?" in out.getvalue() and "[unknown-name]" in out.getvalue()


def test_a_broken_example_fails(tmp_path: Path) -> None:
    listed = f"cases:\n  broken:\n{LAID}    do:\n      - {{expect: {{round: 2}}, tell: It is the second round.}}\n"
    file = Path(variant(tmp_path, "change: {title: Mine}", listed))
    out = io.StringIO()
    assert scenarios.run([str(tmp_path)], out) == 1  # the folder's edition is no file of cases
    assert "0 passed, 1 failed" in out.getvalue() and "the round" in out.getvalue()
    found = shown(Contents(library.load(str(file))).rulebook())
    assert found["Broken"].course == ()


def test_own_examples_come_in_place_of_others_and_some_are_left_out(tmp_path: Path) -> None:
    mine = f"cases:\n  a second lion:\n    text: Mine.\n{LAID}    expect: {{over: no}}\n"
    found, left_out = of_variant(tmp_path, "change: {title: Mine}", f"leave out: [passing, a bluff]\n{mine}")
    assert left_out == []
    assert found["A second lion"].text == "Mine."
    assert "Passing" not in found and "A bluff" not in found and "Three bids" in found


def test_an_edition_picks_what_is_printed(tmp_path: Path) -> None:
    """On paper there is less room than on a page; a variant that picks nothing prints what its base does."""
    mine = f"cases:\n  mine:\n{LAID}    expect: {{over: no}}\n"
    listed = f"print: [mine, passing, a blufff]\n{mine}"
    picked = Contents(library.load(variant(tmp_path, "change: {title: Mine}", listed)))
    chapters = pdf.data(picked.rulebook(), "a5")["chapters"]
    blocks = [block for chapter in chapters for block in chapter["blocks"]]
    assert [block["title"] for block in blocks if block["kind"] == "Example"] == ["Passing", "Mine"]
    assert len(shown(picked.rulebook())) > 20 and any("'a blufff'" in why for why in picked.left_out)
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(tmp_path / "mine.yaml"))], out) == 2
    assert "There is no example 'a blufff'." in out.getvalue() and "Did you mean 'a bluff'?" in out.getvalue()
    as_before = [block.printed for block in shown(contents("wild-cards/2022").rulebook()).values()]
    assert as_before.count(True) == 10 < len(as_before)


def test_what_is_left_out_must_be_there(tmp_path: Path) -> None:
    listed = f"leave out: [a blufff]\ncases:\n  mine:\n{LAID}    expect: {{over: no}}\n"
    file = variant(tmp_path, "change: {title: Mine}", listed)
    out = io.StringIO()
    assert scenarios.run([str(editions.examples_of(Path(file)))], out) == 2
    assert "has an example 'a blufff'" in out.getvalue() and "Did you mean 'a bluff'?" in out.getvalue()


def test_examples_do_not_tell_of_what_is_removed(tmp_path: Path) -> None:
    """Of Leo, who is no more, nothing is told; where only a piece of scenery is gone, the story goes on without it."""
    found, left_out = of_variant(tmp_path, "remove: [roles, options.leo keeps his card]")
    assert sorted(sentence.split("'")[1] for sentence in left_out) == ["Leo takes part", "a new pile for Leo"]
    assert "Three bids" in found


@pytest.mark.parametrize("text", ["cases: [", "nothing: here", "cases: {}"])
def test_a_file_that_is_none_is_told(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = variant(tmp_path, "change: {title: Mine}")
    editions.examples_of(Path(file)).write_text(text, encoding="utf-8")
    with pytest.raises(EditionError):
        Contents(library.load(file))
    assert cli.main(["rulebook", file, "--format", "md", "--out", str(tmp_path / "book.md")]) == 2
    assert "mine.examples.yaml" in capsys.readouterr().err
    assert not (tmp_path / "book.md").exists()


def test_texts_stay_texts(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)> *b* [l](javascript:x) {hand limit} # $x$"
    listed = f"""cases:
  "<script>alert(1)</script> {{x}} ../..":
    text: "{evil}"
{LAID.replace("Nora", '"<b>N</b>"')}    seats: ["<b>N</b>", Timo, Vera]
    do:
      - {{expect: {{over: no}}, tell: "<u>{evil}</u>"}}
"""
    file = variant(tmp_path, "change: {title: Mine}", listed)
    found = Contents(library.load(file))
    assert found.left_out == []
    book = found.rulebook()
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


def test_answers_that_leave_no_trace_are_told(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "small.examples.yaml").write_text(PLAYED, encoding="utf-8")
    out = io.StringIO()
    assert scenarios.run([str(tmp_path)], out) == 0, out.getvalue()
    [found] = shown(Contents(library.load(str(tmp_path / "small.yaml"))).rulebook()).values()
    assert [line.text for line in found.course] == [
        "“Which do you want?” Nora: “blue chip”",
        "Nora is done.",
        "Lucky.",
        "“Which do you want?” Timo: “None of them.”",
        "“Do you hide it?” Timo: “no”",
        "Timo is done.",
    ]
    assert lying(found.before, "Nora", "Purse") == {"Red chip": 1}  # its owner sees it
    assert lying(found.after, "Nora", "Luck") == "1"
    assert [place.name for place in found.after.tableaus[-1].places] == ["Purse", "Luck"]  # nobody sees the vault
