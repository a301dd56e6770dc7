"""The report of a simulation and the comparison of several: what they say, and that nothing gets in unescaped."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import results_folders as folders
from rulewright import cli
from rulewright.simulation import choices, results, sources
from rulewright.simulation.command import Wanted
from rulewright.simulation.comparison import compare, sentence, told
from rulewright.simulation.findings import findings
from rulewright.simulation.folder import TABLES
from rulewright.simulation.page import page
from rulewright.simulation.quantities import GameGroup, figure, interval, quantities
from rulewright.simulation.report import groups_of, report
from rulewright.simulation.results import ResultsError
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.summary import summary

SECTIONS = ["seats", "score", "spread", "length", "lead", "closeness", "choices", "powers", "measures", "ties"]
VOID = {"meta"}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one setting."""
    return folders.write(tmp_path_factory.mktemp("runs") / "one", folders.plan())


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three settings, each of which brings a point more than the one before."""
    return folders.write(tmp_path_factory.mktemp("runs") / "three", folders.plan(3), shift=1.0)


@cache
def told_once(folder: Path) -> str:
    """The report of a folder that no test changes."""
    return report(results.read(folder))


@pytest.fixture
def copied(one: Path, tmp_path: Path) -> Path:
    """A folder to be damaged."""
    return Path(shutil.copytree(one, tmp_path / "copied"))


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = cli.main(argv)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return status, " ".join(out.split()), err


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    status, _, err = said(capsys, *argv)
    assert status == 2
    assert err.startswith("rulewright: ") and err.count("\n") == 1
    return err


class Page(HTMLParser):
    """A page's elements: refuses what is left open or closed twice, and names that stand twice."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.open += [] if tag in VOID else [tag]
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [value or "" for name, value in attrs if name in ("href", "xlink:href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()


# ── the page ──


def test_report_is_one_sound_page_with_every_section(one: Path, three: Path) -> None:
    for folder, expected in ((one, SECTIONS), (three, ["comparison", *SECTIONS])):
        text = told_once(folder)
        found = Page(text)
        assert [name for name in found.ids if name in [*SECTIONS, "comparison"]] == expected
        assert all(f"#{name}" in found.links for name in expected)
        assert {link.removeprefix("#") for link in found.links} <= set(found.ids), "nothing is fetched from elsewhere"
        assert found.elements.count("svg") >= 9
        assert found.elements.count("svg") <= found.elements.count("details"), "every plot has its numbers"
        assert not {"script", "img", "link", "iframe"} & set(found.elements)
        for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
            [title, description, *_] = ElementTree.fromstring(svg.replace("xlink:", ""))
            assert (title.tag, description.tag) == ("title", "desc") and title.text and description.text


def test_texts_of_editions_are_never_markup(tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>&\"'$\\frac{$\x00\u202e"
    plan = folders.plan(2, games=400, powers=folders.POWERS)
    plan["edition"]["title"] = nasty
    plan["measures"] = [{"name": "fish", "title": nasty}]
    plan["lines"] = [{"name": "base", "title": nasty * 9}, {"name": "bonus", "title": nasty}]
    plan["settings"] = [{nasty: "<b>1</b>"}, {nasty: "<b>2</b>"}]
    plan["varied"] = [nasty]
    text = report(results.read(folders.write(tmp_path / "run", plan)))
    found = Page(text)
    assert "script" not in found.elements and "b" not in found.elements
    assert "&lt;script&gt;" in text and "$\\frac{$" in text
    assert "\x00" not in text and "\u202e" not in text


def test_equal_results_make_equal_pages(one: Path) -> None:
    assert report(results.read(one)) == told_once(one)


def test_report_stands_in_the_folder_and_is_made_anew(
    one: Path, copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copied / "report.html").write_text("old", encoding="utf-8")
    status, out, _ = said(capsys, "report", str(copied))
    assert status == 0 and "report.html" in out
    assert (copied / "report.html").read_text(encoding="utf-8") == told_once(one)


def test_figures_of_the_page_are_those_of_the_tables(one: Path) -> None:
    [setting] = results.read(one).settings
    assert list(setting.scored_seats) == [0, 1, 2], "the virtual player is not scored"
    rows = pa.concat_tables(pq.read_table(path) for path in sorted((one / "seats").iterdir())).to_pylist()
    won = np.array([row["won"] for row in rows if row["seat"] == 1])
    known = {quantity.key: quantity for quantity in quantities(setting)}
    estimate = known["won: 1"].estimate(GameGroup(setting, ""))
    assert estimate.value == pytest.approx(won.mean()) and estimate.count == 2000
    held = [row for row in rows if row["held: wings"] and row["place"]]
    text = told_once(one)
    share = 100 * sum(row["won"] for row in held) / len(held)
    assert re.search(rf'<th scope="row">wings</th>.*?{share:.1f} % \(', text), "wins of those who held a power"
    assert "4 seats, clockwise: random, random, random, ghost" in text


def test_summary_has_as_many_decimals_as_are_worth_telling(one: Path) -> None:
    [_, first, *_] = [str(told) for _, told in summary(results.read(one))]
    assert re.search(r", \d+\.(\d\d) points \(± 0\.(?!00)\d\d\)$", first), first


def test_findings_are_a_handful_of_sentences_with_uncertainty(one: Path, three: Path) -> None:
    for folder in (one, three):
        groups = groups_of(results.read(folder))
        found = findings(groups, compare(groups) if len(groups) > 1 else None)
        assert 3 <= len(found) <= 6
        assert all(sentence.endswith(".") for sentence in found)
    assert any(each.startswith("Between limit 8 and limit 10 the share of wins of seat 1 cannot") for each in found)
    [first, length, *_] = findings(groups_of(results.read(one)), None)
    assert re.fullmatch(
        r"The first seat wins [\d.]+ % \([\d.]+ to [\d.]+\) of games: more than its fair share of 33.3 %.", first
    )
    assert re.match(r"A game lasts 9\.\d+ \(9\.\d+ to 9\.\d+\) rounds, nine in ten of them 8 to 10;", length)


def test_many_answers_are_put_together(one: Path) -> None:
    [setting] = results.read(one).settings
    [[asked]] = choices.asked([setting])
    assert asked is not None and len(asked.answers) == choices.MOST + 1
    assert asked.answers[-1].name == "3 others together"
    assert sum(answer.chosen for answer in asked.answers) == 3 * 2000, "the seats that are scored, once a game"
    assert asked.answers[0].taken.value == pytest.approx(0.3, abs=0.03)
    assert asked.answers[0].taken.low < 0.3 < asked.answers[0].taken.high


def test_profit_of_a_choice_is_that_of_choosers_against_others(tmp_path: Path) -> None:
    for chunk in (200, 1000):  # by chunks, and without
        plan = folders.plan(games=2000, **{"games per chunk": chunk})
        [setting] = results.read(folders.write(tmp_path / str(chunk), plan)).settings
        [choice] = [choice for choice in setting.choices if choice.choice == "option 0"]
        [[asked]] = choices.asked([setting])
        others = choice.total("games_offered") - choice.total("games_chosen")
        points = choice.total("points_offered") - choice.total("points_chosen")
        mean = choice.total("points_chosen") / choice.total("games_chosen") - points / others
        assert asked is not None
        answer = asked.answers[0]
        assert answer.points.value == pytest.approx(mean)
        assert answer.points.low < 0 < answer.points.high, "what is chosen by chance has no effect"
        assert answer.wins.low < 0 < answer.wins.high
        assert 0.02 < answer.wins.high - answer.wins.low < 0.2


def test_a_run_that_is_not_over_is_told_as_far_as_it_is(tmp_path: Path) -> None:
    found = results.read(folders.write(tmp_path / "run", folders.plan(), games=300))
    assert found.games == 300
    assert "Not all games are played yet" in report(found)


def test_seats_without_scores_have_little_to_tell(tmp_path: Path) -> None:
    alone = folders.plan(seats=[{"player": "random", "role": "ghost"}] * 2, games=400, powers=[])
    solo = folders.plan(seats=[{"player": "random", "role": None}], games=400, lines=[], measures=[])
    for number, plan in enumerate((alone, solo)):
        text = report(results.read(folders.write(tmp_path / str(number), plan)))
        assert set(SECTIONS) <= set(Page(text).ids)
        assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("estimate", "shares", "told"),
    [
        (Estimate(0.2713, 0.2622, 0.2804, 9), True, "27.1 % (26.2 to 28.0)"),
        (Estimate(8.301, 8.252, 8.349, 9), False, "8.30 (8.25 to 8.35)"),
        (Estimate(12345.6, 12300.2, 12390.9, 9), False, "12,346 (12,300 to 12,391)"),
        (Estimate(-0.0001, -0.02, 0.02, 9), False, "0.000 (−0.020 to 0.020)"),
        (Estimate(8, 8, 8, 9), False, "8.0 (always)"),
        (Estimate(8, -np.inf, np.inf, 1), False, "8.0 (one game tells nothing more)"),
    ],
)
def test_figures_have_as_many_digits_as_their_interval_leaves(estimate: Estimate, shares: bool, told: str) -> None:
    assert interval(estimate, shares) == told


def test_nothing_is_minus_nothing() -> None:
    assert figure(-0.001, 1) == "0.0"


# ── comparing ──


def test_comparison_finds_what_differs_and_leaves_open_what_does_not(three: Path) -> None:
    groups = groups_of(results.read(three))
    compared = compare(groups)
    for number, group in enumerate(groups[1:], 1):
        found = {each.quantity.key: each for each in compared.of(group)}
        assert found["total"].differs
        assert found["total"].difference.estimate.value == pytest.approx(number, abs=0.25)
        assert found["rounds"].differs and found["rounds"].difference.paired
        assert not any(found[f"won: {seat}"].differs for seat in (1, 2, 3))
        assert not found["measure: fish"].differs
    text = " ".join(told(compared, groups[1]))
    assert re.search(
        r"With limit 10 games last 0\.\d\d rounds longer \(0\.\d\d to 0\.\d\d\): 9\.\d\d instead of 9\.", text
    )
    assert re.search(
        r"cannot be told from 2,000 games: the differences are between −\d\.\d and \+\d\.\d percentage", text
    )
    assert re.search(r"about [\d,]+ games would show a difference of [125]", text)


def test_less_is_told_as_less(three: Path) -> None:
    groups = groups_of(results.read(three))[::-1]
    [rounds] = [each for each in compare(groups[:2]).compared if each.quantity.key == "rounds"]
    assert re.match(r"With limit 10 games are over 0\.\d\d rounds sooner \(0\.\d\d to 0\.\d\d\):", sentence(rounds))


def test_what_would_only_differ_alone_is_never_told_as_a_difference(three: Path) -> None:
    groups = groups_of(results.read(three))[:2]
    comparison = compare(groups)
    alone = [replace(each, chance=1.0) for each in comparison.compared if each.differs]
    assert alone and all(each.perhaps for each in alone)
    seat = replace(alone[0], quantity=replace(alone[0].quantity, key="won: 1"))
    said = [*map(sentence, alone), findings(groups, replace(comparison, compared=[seat]))[1]]
    assert all(re.match(r"Perhaps with limit 10 .* it may be chance\.$", each) for each in said)


def test_same_seeds_make_differences_clearer(three: Path, tmp_path: Path) -> None:
    other = folders.write(tmp_path / "other", folders.plan(3, seed=8), shift=1.0)
    first, same, unlike = (
        GameGroup(results.read(folder).settings[setting], str(setting))
        for folder, setting in ((three, 0), (three, 1), (other, 1))
    )
    [paired] = [each for each in compare([first, same]).compared if each.quantity.key == "total"]
    [apart] = [each for each in compare([first, unlike]).compared if each.quantity.key == "total"]
    width, wide = (each.difference.estimate.high - each.difference.estimate.low for each in (paired, apart))
    assert paired.difference.paired and not apart.difference.paired
    assert width < 0.9 * wide
    assert paired.difference.worth > 1.2
    assert sentence(paired).startswith("With 1 the mean total of a seat is higher by")


def test_games_are_paired_by_number(three: Path, tmp_path: Path) -> None:
    short = folders.write(tmp_path / "short", folders.plan(), games=600)
    for path in (short / "games").glob("000-000000000.parquet"):
        path.unlink()
    groups = [GameGroup(results.read(three).settings[0], "long"), GameGroup(results.read(short).settings[0], "short")]
    compared = {each.quantity.key: each for each in compare(groups).compared}
    assert compared["won: 1"].difference.games == 400
    assert compared["rounds"].difference.estimate == Estimate(0, 0, 0, 400), "the same games"
    assert "is the same on both sides, game by game" in sentence(compared["rounds"])


def test_only_what_both_have_is_compared(three: Path, tmp_path: Path) -> None:
    lines = [{"name": name, "title": name.capitalize()} for name in ("base", "toll")]
    plan = folders.plan(seats=[{"player": "random", "role": None}] * 3, lines=lines[:1], games=400)
    other = folders.write(tmp_path / "other", plan)
    groups = [groups_of(results.read(three))[0], *groups_of(results.read(other))]
    compared = compare(groups)
    assert not any(each.quantity.key.startswith(("won: ", "points: bonus")) for each in compared.compared)
    assert any("Only limit 8 has 'Bonus'" in missing for missing in compared.missing)
    assert any("sit random, random, random, ghost" in missing for missing in compared.missing)
    assert not compared.compared[0].difference.paired


def test_compare_on_the_command_line(three: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    out.write_text(page("An older one"), encoding="utf-8")
    status, text, _ = said(capsys, "compare", str(three), "--out", str(out))
    assert status == 0
    assert "limit 12 against limit 8: 2,000 games each, the same shuffles on both sides" in text
    assert "Holm" in text
    made = Page(out.read_text(encoding="utf-8"))
    assert "comparison" in made.ids
    assert any(name.startswith("differences-of-shares-") for name in made.ids)
    out.write_text("mine", encoding="utf-8")
    assert "stays as it is" in refused(capsys, "compare", str(three), "--out", str(out))
    assert out.read_text(encoding="utf-8") == "mine"


def test_folders_are_told_apart_by_name(one: Path, three: Path, tmp_path: Path) -> None:
    def labels(*paths: Path) -> list[str]:
        return [group.label for group in sources.groups([str(path) for path in paths], Wanted(""), tmp_path)]

    assert labels(one, three) == ["one", "three, limit 8", "three, limit 10", "three, limit 12"]
    again = Path(shutil.copytree(one, tmp_path / "one"))
    assert labels(one, again) == [str(one), str(again)]


def test_editions_are_simulated_with_equal_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["compare", "2020", "2022", "--seats", "random,random,random", "--games", "60", "--quiet"]
    status, text, _ = said(capsys, *argv)
    assert status == 0
    assert "2022 against 2020: 60 games each, the same shuffles on both sides" in text
    assert said(capsys, *argv)[1] == text
    status, text, _ = said(capsys, "compare", "2022", "--option", "hand limit=8,12", "--games", "60", "--quiet")
    assert "hand limit 12 against hand limit 8: 60 games each" in text


def test_editions_that_play_alike_are_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said how many games would show a difference of 1: 'about 0'."""
    goofspiel = Path(__file__).parents[1] / "games" / "goofspiel.yaml"
    (tmp_path / "same.yaml").write_text(goofspiel.read_text())
    status, text, _ = said(capsys, "compare", str(goofspiel), str(tmp_path / "same.yaml"), "--games", "20", "--quiet")
    assert status == 0 and "games would show" not in text
    assert "win exactly the same games." in " ".join(text.split())


def test_what_cannot_be_compared_is_refused(one: Path, three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "one setting only" in refused(capsys, "compare", str(one))
    assert "given twice" in refused(capsys, "compare", str(one), str(one))
    assert "--games is for editions" in refused(capsys, "compare", str(three), "--games", "5")
    assert "nowhere" in refused(capsys, "compare", str(one), "nowhere")


# ── damage ──


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flipped(path: Path) -> None:
    """Wrong where the data stands: the footer is still sound."""
    content = bytearray(path.read_bytes())
    for place in range(4, 400):
        content[place] ^= 0xFF
    path.write_bytes(content)


def shorter(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path)


def without_game(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["game"]), path)


def wordy(path: Path) -> None:
    table = pq.read_table(path)
    place = table.column_names.index("game")
    pq.write_table(table.set_column(place, "game", pa.array(["x"] * table.num_rows)), path)


@pytest.mark.parametrize("table", ["games", "seats"])
@pytest.mark.parametrize("damage", [empty, cut, flipped, shorter, without_game, wordy])
def test_damaged_tables_are_named(
    copied: Path, table: str, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    damage(copied / table / "000-000000200.parquet")
    message = refused(capsys, "report", str(copied))
    assert "000-000000200.parquet' is damaged" in message and "to make a new one" in message
    assert not (copied / "report.html").exists()


def test_damaged_choices_are_named(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(
        pq.read_table(copied / "choices" / "000-000000200.parquet").drop_columns(["step"]),
        copied / "choices" / "000-000000200.parquet",
    )
    assert "has no column 'step'" in refused(capsys, "report", str(copied))
    path = copied / "choices" / "000-000000200.parquet"
    pq.write_table(
        pa.table({"seat": ["x"]} | {name: [1] for name in results.COUNTS}).append_column("step", pa.array(["s"])), path
    )
    assert "000-000000200.parquet' is damaged" in refused(capsys, "report", str(copied))


def test_games_that_stand_twice_are_refused(copied: Path) -> None:
    for table in TABLES:
        shutil.copy(copied / table / "000-000000200.parquet", copied / table / "000-000000250.parquet")
    with pytest.raises(ResultsError, match=r"000-000000250.parquet' belongs to another run"):
        results.read(copied)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe{", "cannot be used"),
        (b"{}", "no simulation of Rulewright"),
        (b'{"rulewright simulation": 2}', "another format"),
        (b'{"rulewright simulation": 1}', "damaged"),
        (b"[" * 100_000, "damaged"),
        (b" " * 2_000_000, "too large"),
    ],
)
def test_foreign_plans_are_refused(
    copied: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (copied / "run.json").write_bytes(content)
    found = refused(capsys, "report", str(copied))
    assert "run.json' cannot be used" in found and message in found


def test_folders_without_results_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no folder" in refused(capsys, "report", str(tmp_path / "none"))
    assert "has no run.json" in refused(capsys, "report", str(tmp_path))
    (tmp_path / "run.json").write_text(json.dumps(folders.plan()), encoding="utf-8")
    assert "is finished yet" in refused(capsys, "report", str(tmp_path))
    for table in TABLES:
        (tmp_path / table).mkdir()
        (tmp_path / table / "005-000000000.parquet").write_bytes(b"")
    assert "setting 5" in refused(capsys, "report", str(tmp_path))


def test_missing_libraries_are_named(
    one: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.commands.simulating.find_spec", lambda name: None if name == "pyarrow" else "there")
    assert "pip install 'rulewright[simulate]'" in refused(capsys, "report", str(one))
