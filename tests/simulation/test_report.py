"""The report of a simulation and the comparison of several: what they say, and that nothing gets in unescaped."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser

import results_folders as folders
from rulewright import cli
from rulewright.i18n.languages import PSEUDO, localizer_for
from rulewright.i18n.localizer import english
from rulewright.simulation import choices, plots, results, results_folder, sources
from rulewright.simulation.command import RunRequest
from rulewright.simulation.comparison import compare
from rulewright.simulation.comparison_summary import verdict
from rulewright.simulation.comparison_texts import clear_differences, sentence, unclear_differences, uncompared_notes
from rulewright.simulation.effects import effects
from rulewright.simulation.folder import TABLES
from rulewright.simulation.introduction import advice, describe_players, question
from rulewright.simulation.markup import page
from rulewright.simulation.plan import Plan
from rulewright.simulation.quantities import GameGroup, quantities
from rulewright.simulation.report import GamesReport, groups_of, report
from rulewright.simulation.report_texts import ReportTexts
from rulewright.simulation.results import ResultsError
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.summary import summary
from screenshots import CHROMIUM

SECTIONS = ["score", "spread", "seats", "closeness", "lead", "length", "choices", "powers", "measures"]
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
    return report(results_folder.read(folder))


@pytest.fixture
def copied(one: Path, tmp_path: Path) -> Path:
    """A folder to be damaged."""
    return Path(shutil.copytree(one, tmp_path / "copied"))


def run_cli(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = cli.main(argv)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return status, " ".join(out.split()), err


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    status, _, err = run_cli(capsys, *argv)
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
        arguments = dict(attrs)
        self.ids += [arguments["id"] or ""] if "id" in arguments else []
        self.links += [value or "" for name, value in attrs if name in ("href", "xlink:href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()


# ── the page ──


@pytest.mark.rotating(5)
def test_report_is_one_sound_page_with_every_section(one: Path, three: Path) -> None:
    for folder, expected in ((one, SECTIONS), (three, ["comparison", *SECTIONS])):
        text = told_once(folder)
        result = Page(text)
        assert [name for name in result.ids if name in [*SECTIONS, "comparison"]] == expected
        assert all(f"#{name}" in result.links for name in expected)
        assert {link.removeprefix("#") for link in result.links} <= set(result.ids), "nothing is fetched from elsewhere"
        assert result.elements.count("svg") >= 9
        assert not {"script", "img", "link", "iframe"} & set(result.elements)
        for figure in re.findall(r"<figure>.*?</figure>", text, re.DOTALL):
            [caption, *_] = ElementTree.fromstring(figure)
            assert caption.tag == "figcaption" and caption.text


def test_texts_of_editions_are_never_markup(tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>&\"'$\\frac{$\x00\u202e"
    plan = folders.plan(2, games=400, powers=folders.POWERS)
    plan["edition"]["title"] = nasty
    plan["measures"] = [{"name": "fish", "title": nasty}]
    plan["lines"] = [{"name": "base", "title": nasty * 9}, {"name": "bonus", "title": nasty}]
    plan["settings"] = [{nasty: "<b>1</b>"}, {nasty: "<b>2</b>"}]
    plan["varied"] = [nasty]
    text = report(results_folder.read(folders.write(tmp_path / "run", plan)))
    result = Page(text)
    assert "script" not in result.elements and "b" not in result.elements
    assert "&lt;script&gt;" in text and "$\\frac{$" in text
    assert "\x00" not in text and "\u202e" not in text


@pytest.mark.rotating(2)
def test_equal_results_make_equal_pages(one: Path) -> None:
    assert report(results_folder.read(one)) == told_once(one)


def test_report_stands_in_the_folder_and_is_made_anew(
    one: Path, copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copied / "report.html").write_text("old", encoding="utf-8")
    status, out, _ = run_cli(capsys, "report", str(copied))
    assert status == 0 and "report.html" in out
    assert (copied / "report.html").read_text(encoding="utf-8") == told_once(one)


@pytest.mark.rotating(2)
def test_numbers_of_the_page_equal_those_of_the_tables(one: Path) -> None:
    [setting] = results_folder.read(one).settings
    assert list(setting.scored_seats) == [0, 1, 2], "the virtual player is not scored"
    rows = pa.concat_tables(pq.read_table(path) for path in sorted((one / "seats").iterdir())).to_pylist()
    won = np.array([row["won"] for row in rows if row["seat"] == 1])
    known = {quantity.key: quantity for quantity in quantities(setting)}
    estimate = known["won: 1"].estimate(GameGroup(setting, ""))
    assert estimate.value == pytest.approx(won.mean()) and estimate.count == 2000
    contents = [row for row in rows if row["held: wings"] and row["place"]]
    text = told_once(one)
    share = 100 * sum(row["won"] for row in contents) / len(contents)
    assert re.search(rf'<th scope="row">wings</th>.*?<span>{share:.1f}%</span>', text), "wins of those who held a power"
    assert "Virtual players sit there, too: ghost." in text


def test_the_summary_has_significant_decimals_only(one: Path) -> None:
    [_, first, *_] = [str(told) for _, told in summary(texts(one))]
    assert re.search(r", \d+\.(\d\d) points \(± 0\.(?!00)\d\d\)$", first), first


def texts(folder: Path) -> ReportTexts:
    return ReportTexts(groups_of(results_folder.read(folder)), english())


def test_one_edition_is_summarized_in_few_sentences_total_first(one: Path) -> None:
    result = GamesReport(groups_of(results_folder.read(one)), english()).verdict
    assert 3 <= len(result) <= 6
    assert all(sentence.endswith(".") for sentence in result)
    total, first, length, *_ = result
    assert re.fullmatch(r"A seat scores 27\.\d+ \([\d.]+ to [\d.]+\) points; the most in a game are .*", total)
    assert re.fullmatch(
        r"Seat 1 wins [\d.]+% \([\d.]+ to [\d.]+\) of games: more than its fair share of 33\.3%\.", first
    )
    assert re.match(r"A game lasts 9\.\d+ \(9\.\d+ to 9\.\d+\) rounds, nine in ten of them 8 to 10,", length)


@pytest.mark.rotating(2)
def test_verdict_begins_with_the_total_and_says_where_it_differs(three: Path) -> None:
    total, *rest = GamesReport(groups_of(results_folder.read(three)), english()).verdict
    assert re.match(r"A seat scores 27\.\d+ points with 8\. More with 10 \(\+\d\.\d+, .*\) and 12 \(\+\d\.\d", total)
    assert any(each.startswith("A game lasts 9.") for each in rest)
    assert any("which seat wins" in each for each in rest), "seats cannot be told apart"


def test_many_answers_are_grouped(one: Path) -> None:
    [setting] = results_folder.read(one).settings
    [[decision]] = choices.count_decisions([setting])
    assert decision is not None and len(decision.answers) == choices.MAX_ANSWERS + 1
    assert decision.answers[-1].name == "3 others together" and decision.answers[-1].others == 3
    assert sum(answer.times_chosen for answer in decision.answers) == 3 * 2000, "the seats that are scored, once a game"
    assert decision.answers[0].share_chosen.value == pytest.approx(0.3, abs=0.03)
    assert decision.answers[0].share_chosen.low < 0.3 < decision.answers[0].share_chosen.high


def test_the_profit_of_a_choice_compares_choosers_with_others(tmp_path: Path) -> None:
    for chunk in (200, 1000):  # by chunks, and without
        plan = folders.plan(games=2000, **{"games per chunk": chunk})
        [setting] = results_folder.read(folders.write(tmp_path / str(chunk), plan)).settings
        [choice] = [choice for choice in setting.choices if choice.choice == "option 0"]
        [[decision]] = choices.count_decisions([setting])
        others = choice.total("games_offered") - choice.total("games_chosen")
        points = choice.total("points_offered") - choice.total("points_chosen")
        mean = choice.total("points_chosen") / choice.total("games_chosen") - points / others
        assert decision is not None
        answer = decision.answers[0]
        assert answer.points_difference.value == pytest.approx(mean)
        assert answer.points_difference.low < 0 < answer.points_difference.high, (
            "what is chosen by chance has no effect"
        )
        assert answer.wins_difference.low < 0 < answer.wins_difference.high
        assert 0.02 < answer.wins_difference.high - answer.wins_difference.low < 0.2


def test_an_unfinished_run_is_reported_so_far(tmp_path: Path) -> None:
    result = results_folder.read(folders.write(tmp_path / "run", folders.plan(), games=300))
    assert result.games == 300
    assert "Not all games are played yet" in report(result)


def test_seats_without_scores_have_a_short_report(tmp_path: Path) -> None:
    alone = folders.plan(seats=[{"player": "random", "role": "ghost"}] * 2, games=400, powers=[])
    solo = folders.plan(seats=[{"player": "random", "role": None}], games=400, lines=[], measures=[])
    for number, plan in enumerate((alone, solo)):
        text = report(results_folder.read(folders.write(tmp_path / str(number), plan)))
        assert {"length"} <= set(Page(text).ids) & set(SECTIONS) < set(SECTIONS), "nobody wins against anybody"
        assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    ("estimate", "shares", "text"),
    [
        (Estimate(0.2713, 0.2622, 0.2804, 9), True, "27.1% (26.2 to 28.0)"),
        (Estimate(8.301, 8.252, 8.349, 9), False, "8.30 (8.25 to 8.35)"),
        (Estimate(12345.6, 12300.2, 12390.9, 9), False, "12,346 (12,300 to 12,391)"),
        (Estimate(-0.0001, -0.02, 0.02, 9), False, "0.000 (−0.020 to 0.020)"),
        (Estimate(8, 8, 8, 20), False, "8.0 (always)"),
        (Estimate(8, 8, 8, 9), False, "8.0 (in all 9 games)"),
        (Estimate(8, -np.inf, np.inf, 1), False, "8.0 (one game tells nothing more)"),
    ],
)
def test_figures_have_as_many_digits_as_their_interval_leaves(
    estimate: Estimate, shares: bool, text: str, one: Path
) -> None:
    assert texts(one).value_with_interval(estimate, shares) == text


def test_nothing_is_minus_nothing(one: Path) -> None:
    assert texts(one).number(-0.001, 1) == "0.0"
    assert texts(one).signed(0.0004, 2) == "0.00"


# ── the question, and who played ──


def report_question(changed: dict[str, object]) -> str:
    """The title of a run's report."""
    plan = Plan.from_json(json.dumps(folders.plan() | changed))
    groups = [GameGroup(_unread(plan, number), "") for number in range(len(plan.settings))]
    return question(ReportTexts(groups, english()))


def _unread(plan: Plan, number: int) -> results.SettingResults:
    return results.SettingResults(Path(), plan, number, [])


@pytest.mark.parametrize(
    ("changed", "title"),
    [
        ({"settings": [{"limit": "10"}], "varied": []}, "How does Lake play with limit 10?"),
        ({"settings": [{}], "varied": []}, "How does Lake play?"),
        (
            {"settings": [{"limit": "10"}, {"limit": "8"}], "own": {"limit": "10"}, "own asked": False},
            "Limit 8 instead of 10?",
        ),
        (
            {"settings": [{"limit": "no"}, {"limit": "yes"}], "own": {"limit": "no"}, "own asked": False},
            "Limit?",
        ),
        (
            {"settings": [{"limit": n} for n in ("10", "12", "8")], "own": {"limit": "10"}, "own asked": False},
            "Limit 8 or 12?",
        ),
        ({"settings": [{"limit": n} for n in ("8", "10", "12")], "own": {"limit": "10"}}, "Limit 8, 10 or 12?"),
        ({"settings": [{"limit": str(n)} for n in range(5, 15)]}, "Limit 5 to 14?"),
        ({"settings": [{"limit": "no"}, {"limit": "yes"}], "own": {"limit": "no"}}, "Limit: no or yes?"),
        (
            {"settings": [{"limit": a, "quick": b} for a in "89" for b in ("no", "yes")], "varied": ["limit", "quick"]},
            "Limit 8 or 9 and quick: no or yes?",
        ),
    ],
)
def test_title_is_the_question(changed: dict[str, object], title: str) -> None:
    edition = {"name": "lake", "title": "Lake", "hash": "abcdef0123456789"}
    assert report_question({"edition": edition, "varied": ["limit"]} | changed) == title


@pytest.mark.parametrize(
    ("kinds", "warned", "seats"),
    [
        (["random", "random"], "Random players are not people", "greedy,greedy"),
        (["greedy", "random"], "Random players are not people", "greedy,greedy"),
        (["greedy", "greedy"], "Greedy players take what looks best at once", "search-200,search-200"),
        (["search-50", "search-50"], "Search players try out", ""),
        (["person", "person"], "People played these games", ""),
    ],
)
def test_page_says_who_played_and_what_that_is_worth(kinds: list[str], warned: str, seats: str) -> None:
    result = folders.plan(seats=[{"player": kind, "role": None} for kind in kinds]) | {"settings": [{"limit": "8"}]}
    plan = Plan.from_json(json.dumps(result))
    outcome = ReportTexts([GameGroup(_unread(plan, 0), "")], english())
    assert warned in " ".join(describe_players(outcome, plan))
    _, command = advice(outcome, plan)
    assert command == (f"rulewright simulate lake --option limit=8 --seats {seats}" if seats else "")


@pytest.mark.rotating(4)
def test_report_speaks_the_games_words_and_the_readers_language(tmp_path: Path) -> None:
    name = "wild-cards/2022"
    run = {"games": "40", "seed": "3", "out": str(tmp_path / "run")}
    words = [word for key, value in run.items() for word in (f"--{key}", value)]
    assert cli.main(["simulate", name, "--quiet", *words]) == 0
    result = results_folder.read(tmp_path / "run")
    text = report(result)
    assert "Which animal do you take for your bid of …?" in text
    assert "Second herd" in text and "pick an animal.wanted" not in text
    german = report(result, localizer_for("de"))
    assert 'lang="de"' in german and "Erdmännchen" in german


@pytest.mark.rotating(4)
def test_every_text_of_a_page_is_translated(three: Path) -> None:
    """All letters of translated texts have accents in the pseudo-locale."""
    words = "Points seat Spread fair share wins lead rounds numbers played cannot be told apart verdict differs"
    text = re.sub(
        r"<style>.*?</style>|<code>.*?</code>|<[^>]*>",
        " ",
        report(results_folder.read(three), localizer_for(PSEUDO)),
        flags=re.S,
    )
    assert not {word for word in words.split() if re.search(rf"\b{word}\b", text)}


# ── axes ──


def test_axes_do_not_zoom_on_nothing() -> None:
    small = plots.scale([0.2498, 0.2502], 0.2, 0.25, (0, 1))
    assert small.high - small.low >= 0.2 and small.position(0.25) == pytest.approx(50, abs=10)
    assert (small.position(0.2502) - small.position(0.2498)) < 1
    bound = plots.scale([0.01, 0.02], 0.2, bounds=(0, 1))
    assert bound.low == 0 and bound.high >= 0.2, "what cannot be below is not shown there"
    ticks = plots.scale([-7.5, 31.0], 1.0).ticks
    assert ticks == (-10, 0, 10, 20, 30, 40)


def test_constant_figures_have_no_chart(tmp_path: Path) -> None:
    result = results_folder.read(folders.write(tmp_path / "run", folders.plan(games=300)))
    table = result.folder / "games" / "000-000000000.parquet"
    assert "Rounds in a game" in report(result)
    for table in (result.folder / "games").iterdir():
        read = pq.read_table(table)
        place = read.column_names.index("rounds")
        changed = read.set_column(place, "rounds", pa.array([9] * read.num_rows, pa.int32()))
        pq.write_table(changed.replace_schema_metadata(read.schema.metadata), table)
    text = report(results_folder.read(result.folder))
    assert "Rounds in a game" not in text
    assert "The same in every game: rounds (9)" in text


# ── comparing ──


@pytest.mark.rotating(2)
def test_comparison_finds_what_differs_and_leaves_open_what_does_not(three: Path) -> None:
    groups = groups_of(results_folder.read(three))
    compared = compare(groups)
    for number, group in enumerate(groups[1:], 1):
        values = {each.quantity.key: each for each in compared.comparisons_of(group)}
        assert values["total"].differs
        assert values["total"].difference.estimate.value == pytest.approx(number, abs=0.25)
        assert values["rounds"].differs and values["rounds"].difference.paired
        assert not any(values[f"won: {seat}"].differs for seat in (1, 2, 3))
        assert not values["measure: fish"].differs
    output = texts(three)
    text = " ".join(
        [*clear_differences(output, compared, groups[1]), *unclear_differences(output, compared, groups[1])]
    )
    assert re.search(
        r"With limit 10, games last 0\.\d\d rounds longer \(0\.\d\d to 0\.\d\d\): 9\.\d\d instead of 9\.", text
    )
    assert re.search(
        r"cannot be told from 2,000 games\. The differences are between −\d\.\d and \+\d\.\d percentage", text
    )
    assert re.search(r"About [\d,]+ games would show a difference of [125]", text)


def test_a_smaller_value_is_called_less(three: Path) -> None:
    groups = groups_of(results_folder.read(three))[::-1]
    [rounds] = [each for each in compare(groups[:2]).compared if each.quantity.key == "rounds"]
    text = sentence(ReportTexts(groups, english()), rounds)
    assert re.match(r"With limit 10, games are over 0\.\d\d rounds sooner \(0\.\d\d to 0\.\d\d\):", text)


def test_differences_lost_in_multiple_tests_are_not_reported(three: Path) -> None:
    groups = groups_of(results_folder.read(three))[:2]
    result = ReportTexts(groups, english())
    comparison = compare(groups)
    alone = [replace(each, chance=1.0) for each in comparison.compared if each.differs]
    assert alone and all(each.perhaps for each in alone)
    assert all(re.match(r"Perhaps: .* this may be chance\.$", sentence(result, each)) for each in alone)
    [text, *_] = verdict(result, replace(comparison, compared=alone))
    assert text.startswith("Perhaps: ")


def test_a_verdict_on_few_games_says_that_they_are_few(tmp_path: Path) -> None:
    plan = folders.plan(2, games=20, **{"games per chunk": 20})
    groups = groups_of(results_folder.read(folders.write(tmp_path / "run", plan)))
    text = " ".join(GamesReport(groups, english()).verdict)
    assert "With 20 games each, no difference can be told for certain." in text
    assert re.search(r"Points of a seat: cannot be told apart at 20 games\. .* About [\d,]+ games would show", text)


@pytest.mark.rotating(10)
def test_the_unchanged_edition_is_the_baseline(tmp_path: Path) -> None:
    expected = RunRequest("wild-cards/2022", 20, options=["hand limit=12,8"], quiet=True)
    groups, _ = sources.groups(["wild-cards/2022"], expected, tmp_path)
    result = GamesReport(groups, english())
    assert result.title == "Hand limit 8 or 12?"
    assert [result.texts.short_with_note(group) for group in groups] == ["10 (as it is)", "12", "8"]
    text = result.page()
    assert re.search(r'scope="row">8<.*scope="row">10 \(as it is\)<.*scope="row">12<', text), "in their order"


@pytest.mark.rotating(10)
def test_each_of_several_values_is_reported(tmp_path: Path) -> None:
    """Each of four settings adds a point: two by the limit, one by the pace."""
    settings = [{"limit": limit, "quick": quick} for limit in ("8", "10") for quick in ("no", "yes")]
    plan = folders.plan() | {"settings": settings, "varied": ["limit", "quick"], "own": settings[0]}
    groups = groups_of(results_folder.read(folders.write(tmp_path / "run", plan, shift=1.0)))
    values = {effect.changes: effect for effect in effects(groups, ["total", "nonsense"])}
    assert [[(each.name, each.before, each.after) for each in changes] for changes in values] == [
        [("limit", "8", "10")],
        [("quick", "no", "yes")],
        [("limit", "8", "10"), ("quick", "no", "yes")],
    ]
    limit, quick, both = (effect.difference.estimate for effect in values.values())
    assert limit.low < 2 < limit.high and quick.low < 1 < quick.high and both.low < 0 < both.high
    means = [float(group.setting.scored("total").mean()) for group in groups]
    assert limit.value == pytest.approx((means[2] + means[3] - means[0] - means[1]) / 2, abs=1e-5)
    assert both.value == pytest.approx(means[3] + means[0] - means[1] - means[2], abs=1e-5)
    result = GamesReport(groups, english())
    total, *_ = result.verdict
    assert re.search(
        r"with the edition as it is\. More with limit 10 instead of 8 \(\+\d.*\) and quick: yes instead of no \(\+",
        total,
    )
    assert re.search(r" The most is \d\d\.\d+, with limit 10 and quick: yes\.$", total)
    text = result.page()
    assert "limit 8 → 10" in text and '<th scope="col">Quick</th>' in text
    assert not effects(groups[:3], ["total"]), "one combination was not played"
    assert not effects(groups_of(results_folder.read(folders.write(tmp_path / "one", folders.plan(3)))), ["total"])


@pytest.mark.rotating(12)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_tables_of_three_values_fit_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    """Each row is a block that its values head; nothing scrolls sideways, and every cell says what it is."""
    names = ["limit", "quick", "cards in hand at the beginning"]
    settings = [dict(zip(names, values, strict=True)) for values in product(("8", "10"), ("no", "yes"), ("3", "5"))]
    plan = folders.plan() | {"settings": settings, "varied": names, "own": settings[0]}
    path = tmp_path / "report.html"
    result = results_folder.read(folders.write(tmp_path / "run", plan, shift=1.0))
    path.write_text(report(result), encoding="utf-8")
    for width in (360, 390):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(path.as_uri())
        page.locator("#comparison details").first.evaluate("one => one.open = true")
        glance = page.locator(".wide").first
        assert glance.evaluate("one => [one.scrollWidth - one.clientWidth, document.body.scrollWidth]") == [
            0,
            width,
        ]
        row = glance.locator("tbody tr").nth(1)
        tops = [box["y"] for cell in row.locator("> *").all() if (box := cell.bounding_box())]
        assert tops == sorted(tops) and len(set(tops)) > len(names)
        labels = row.locator("> *").evaluate_all(
            "cells => cells.map(cell => getComputedStyle(cell, '::before').content)"
        )
        assert labels[1].startswith('" · Quick ') and "none" not in labels
        effects_drawn = page.locator("#comparison .keyed").first
        assert effects_drawn.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")
        page.close()


@pytest.mark.rotating(5)
def test_an_interaction_of_two_values_is_reported(tmp_path: Path) -> None:
    settings = [{"limit": limit, "quick": quick} for limit in ("8", "10") for quick in ("no", "yes")]
    plan = folders.plan() | {"settings": settings, "varied": ["limit", "quick"], "own": settings[0]}
    folder = folders.write(tmp_path / "run", plan)
    for first in range(0, 2000, 200):
        folders.chunk(folder, plan, 3, first, 200, 5.0, 0)
    result = effects(groups_of(results_folder.read(folder)), ["total"])
    assert [effect.differs for effect in result] == [True, True, True]
    assert result[-1].difference.estimate.value == pytest.approx(5, abs=0.5)
    text = " ".join(GamesReport(groups_of(results_folder.read(folder)), english()).verdict)
    assert re.search(r"Beyond what each does by itself, limit 10 instead of 8 together with quick: .*: \+[45]\.", text)


@pytest.mark.rotating(4)
def test_same_seeds_make_differences_clearer(three: Path, tmp_path: Path) -> None:
    other = folders.write(tmp_path / "other", folders.plan(3, seed=8), shift=1.0)
    first, same, unlike = (
        GameGroup(results_folder.read(folder).settings[setting], str(setting))
        for folder, setting in ((three, 0), (three, 1), (other, 1))
    )
    [paired] = [each for each in compare([first, same]).compared if each.quantity.key == "total"]
    [difference] = [each for each in compare([first, unlike]).compared if each.quantity.key == "total"]
    width, wide = (each.difference.estimate.high - each.difference.estimate.low for each in (paired, difference))
    assert paired.difference.paired and not difference.difference.paired
    assert width < 0.9 * wide
    assert paired.difference.worth > 1.2
    assert sentence(ReportTexts([first, same], english()), paired).startswith("With limit 10, a seat scores ")


def test_games_are_paired_by_number(three: Path, tmp_path: Path) -> None:
    short = folders.write(tmp_path / "short", folders.plan(), games=600)
    for path in (short / "games").glob("000-000000000.parquet"):
        path.unlink()
    groups = [
        GameGroup(results_folder.read(three).settings[0], "long"),
        GameGroup(results_folder.read(short).settings[0], "short"),
    ]
    compared = {each.quantity.key: each for each in compare(groups).compared}
    assert compared["won: 1"].difference.games == 400
    assert compared["rounds"].difference.estimate == Estimate(0, 0, 0, 400), "the same games"
    text = sentence(ReportTexts(groups, english()), compared["rounds"])
    assert re.fullmatch(r"Rounds: the same on both sides, game by game: 9\.\d+\.", text)


def test_only_common_figures_are_compared(three: Path, tmp_path: Path) -> None:
    lines = [{"name": name, "title": name.capitalize()} for name in ("base", "toll")]
    plan = folders.plan(seats=[{"player": "random", "role": None}] * 3, lines=lines[:1], games=400)
    other = folders.write(tmp_path / "other", plan)
    groups = [groups_of(results_folder.read(three))[0], *groups_of(results_folder.read(other))]
    compared = compare(groups)
    assert not any(each.quantity.key.startswith(("won: ", "points: bonus")) for each in compared.compared)
    outputs = list(uncompared_notes(ReportTexts(groups, english()), compared))
    assert any(re.match(r"Only .* has .*'Bonus'", each) for each in outputs)
    assert any("sit random, random, random and ghost" in each for each in outputs)
    assert not compared.compared[0].difference.paired


@pytest.mark.rotating(3)
def test_compare_on_the_command_line(three: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    out.write_text(page("An older one"), encoding="utf-8")
    status, text, _ = run_cli(capsys, "compare", str(three), "--out", str(out))
    assert status == 0
    assert text.startswith("Limit 8, 10 or 12? · A seat scores ")
    assert "limit 12 against limit 8: 2,000 games each, the same shuffles on both sides" in text
    assert "Holm" in text
    result = Page(out.read_text(encoding="utf-8"))
    assert "comparison" in result.ids
    out.write_text("mine", encoding="utf-8")
    assert "stays as it is" in refused(capsys, "compare", str(three), "--out", str(out))
    assert out.read_text(encoding="utf-8") == "mine"


def test_folders_are_named_apart(one: Path, three: Path, tmp_path: Path) -> None:
    def labels(*paths: Path) -> list[str]:
        groups, _ = sources.groups([str(path) for path in paths], RunRequest(""), tmp_path)
        result = ReportTexts(groups, english())
        return [result.label(group) for group in groups]

    assert labels(one, three) == ["one", "three, limit 8", "three, limit 10", "three, limit 12"]
    again = Path(shutil.copytree(one, tmp_path / "one"))
    assert labels(one, again) == [str(one), str(again)]


@pytest.mark.rotating(12)
def test_editions_are_simulated_with_equal_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["compare", "2020", "2022", "--seats", "random,random,random", "--games", "60", "--quiet"]
    status, text, _ = run_cli(capsys, *argv)
    assert status == 0
    assert text.startswith("Wild Cards 2020 or Wild Cards 2022? ")
    assert "Wild Cards 2022 against Wild Cards 2020: 60 games each, the same shuffles on both sides" in text
    assert run_cli(capsys, *argv)[1] == text
    status, text, _ = run_cli(capsys, "compare", "2022", "--option", "hand limit=8,12", "--games", "60", "--quiet")
    assert "hand limit 8 against hand limit 10: 60 games each" in text
    assert "hand limit 12 against hand limit 10: 60 games each" in text


def test_equal_editions_are_reported_as_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such editions once got a number of games that would show a difference of 1: 'about 0'."""
    goofspiel = Path(__file__).parents[1] / "games" / "goofspiel.yaml"
    (tmp_path / "same.yaml").write_text(goofspiel.read_text())
    status, text, _ = run_cli(
        capsys, "compare", str(goofspiel), str(tmp_path / "same.yaml"), "--games", "20", "--quiet"
    )
    assert status == 0 and "games would show" not in text
    assert "Every game is the same on both sides." in " ".join(text.split())


def test_incomparable_runs_are_refused(one: Path, three: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
    """Damage the data; the footer stays valid."""
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


def test_duplicate_games_are_refused(copied: Path) -> None:
    for table in TABLES:
        shutil.copy(copied / table / "000-000000200.parquet", copied / table / "000-000000250.parquet")
    with pytest.raises(ResultsError, match=r"000-000000250.parquet' belongs to another run"):
        results_folder.read(copied)


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
    result = refused(capsys, "report", str(copied))
    assert "run.json' cannot be used" in result and message in result


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
    monkeypatch.setattr("rulewright.commands.common.find_spec", lambda name: None if name == "pyarrow" else "there")
    assert "pip install 'rulewright[simulate]'" in refused(capsys, "report", str(one))
