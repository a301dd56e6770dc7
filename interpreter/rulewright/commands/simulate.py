"""Commands `rulewright simulate`, `report` and `compare`, whose dependencies are optional."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rulewright.commands.common import check_writable, choose_localizer, require_simulation, write
from rulewright.i18n.localizer import phrase
from rulewright.publish.console import Console, Styled

if TYPE_CHECKING:
    from rulewright.simulation.report import GamesReport


def simulate(arguments: Namespace) -> int:
    """Play many games of an edition, with every combination of options and values, and keep what happens as tables."""
    require_simulation()
    from rulewright.simulation import command, report  # noqa: PLC0415 - they need what is not always there
    from rulewright.simulation.summary import summary  # noqa: PLC0415

    localizer = choose_localizer(arguments.lang)
    request = command.RunRequest(
        edition=arguments.edition,
        games=arguments.games,
        seats=arguments.seats,
        options=arguments.option,
        seed=arguments.seed,
        out=None if arguments.out is None else Path(arguments.out),
        processes=arguments.processes,
        cluster=arguments.cluster,
        played=arguments.played,
        quiet=arguments.quiet,
        localizer=localizer,
    )
    if arguments.insight is not None:
        console = Console(None, sys.stdout, localizer=localizer)
        for text in command.play_for_insight(request, arguments.insight):
            console.paragraph(text, first=Styled("·", "mark"), hang="  ")
        return 0
    run = command.play(request)
    if run.status:
        return run.status
    results = run.results
    games_report = report.GamesReport(report.groups_of(results), localizer, [run.rules], run.program)
    page = str(report.write_report(results, games_report.page()))  # first, since whoever reads on may stop
    console = Console(None, sys.stdout, localizer=localizer)
    _show_verdict(console, games_report)
    for indent, line in summary(games_report.texts):
        console.paragraph(line, indent, hang="  ")
    console.write_line()
    document = "spec/SIMULATION.md"
    tables = phrase(
        "simulation",
        "The tables are in '{path}'; {document} says what their columns mean.",
        path=str(run.path),
        document=document,
    )
    console.paragraph(tables)
    console.command(phrase("simulation", "The report, with plots:"), shlex.quote(page))
    return 1 if all(len(setting.stopped) == setting.played for setting in results.settings) else 0


def report(arguments: Namespace) -> int:
    """Write the report of a simulation anew, in its folder's report.html."""
    require_simulation()
    from rulewright.simulation import results_folder  # noqa: PLC0415 - it needs what is not always there
    from rulewright.simulation.report import report, write_report  # noqa: PLC0415

    localizer = choose_localizer(arguments.lang)
    run_results = results_folder.read(Path(arguments.folder))
    console = Console(None, sys.stdout, localizer=localizer)
    console.command(phrase("simulation", "Written:"), str(write_report(run_results, report(run_results, localizer))))
    return 0


def compare(arguments: Namespace) -> int:
    """Tell how the games of several simulations differ, or of several values of an option, and how surely.

    The first is what the others are compared with. Editions are simulated for it, all with the same seeds.
    """
    require_simulation()
    from rulewright.simulation import command, comparison_texts, sources  # noqa: PLC0415 - as above
    from rulewright.simulation.comparison import compare as compared_with  # noqa: PLC0415
    from rulewright.simulation.report import GamesReport, is_page  # noqa: PLC0415

    out = None if arguments.out is None else Path(arguments.out)
    localizer = choose_localizer(arguments.lang)
    console = Console(None, sys.stdout, localizer=localizer)
    if out is not None:
        check_writable(out, overwrite=is_page(out))
    with TemporaryDirectory(prefix="rulewright-") as scratch:
        request = command.RunRequest(
            edition="",
            games=arguments.games,
            seats=arguments.seats,
            options=arguments.option,
            seed=arguments.seed,
            quiet=arguments.quiet,
            localizer=localizer,
        )
        groups, rules = sources.groups(arguments.names, request, Path(scratch))
        games_report = GamesReport(groups, localizer, rules)
        page = None if out is None else games_report.page()
        _show_verdict(console, games_report)
        texts, compared = games_report.texts, games_report.comparison or compared_with(groups)
        for group in compared.others:
            console.paragraph(comparison_texts.heading(texts, compared, group), style="strong")
            for text in (
                *comparison_texts.clear_differences(texts, compared, group),
                *comparison_texts.unclear_differences(texts, compared, group),
            ):
                console.paragraph(text, first=Styled("·", "mark"), hang="  ")
            console.paragraph(comparison_texts.pairing_benefit(texts, compared, group), style="faint")
            console.write_line()
        for text in comparison_texts.uncompared_notes(texts, compared):
            console.paragraph(text)
        if compared.questions:
            console.paragraph(comparison_texts.caution(texts, compared), style="faint")
    if out is not None and page is not None and write(out, page, overwrite=is_page(out)):
        console.command(phrase("simulation", "With plots:"), str(out))
    return 0


def _show_verdict(console: Console, games_report: GamesReport) -> None:
    """Print the question, the answer, and how far such players' games can be trusted."""
    from rulewright.simulation import introduction  # noqa: PLC0415 - as above

    console.paragraph(games_report.title, style="title")
    for text in games_report.verdict:
        console.paragraph(text, first=Styled("·", "mark"), hang="  ")
    console.write_line()
    for plan in {group.plan.seats: group.plan for group in games_report.texts.groups}.values():
        console.paragraph(" ".join(introduction.describe_players(games_report.texts, plan)), style="faint")
        text, command = introduction.advice(games_report.texts, plan)
        if text:
            console.paragraph(text, style="faint")
            console.write_line("  ", command)
        console.write_line()
