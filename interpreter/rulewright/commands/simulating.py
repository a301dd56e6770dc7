"""What `rulewright simulate`, `report` and `compare` do; what they need is not always installed."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.commands.common import CommandError, may_write, spoken, write
from rulewright.i18n.speech import phrase
from rulewright.publish.console import Console, Styled


def simulate(arguments: Namespace) -> int:
    """Play many games of an edition, with every combination of options and values, and keep what happens as tables."""
    need_libraries()
    from rulewright.simulation import command  # noqa: PLC0415 - it needs what is not always there

    return command.simulate(
        command.Wanted(
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
            speech=spoken(arguments.lang),
        )
    )


def report(arguments: Namespace) -> int:
    """Tell the results of a simulation anew, in its folder's report.html."""
    need_libraries()
    from rulewright.simulation import results  # noqa: PLC0415 - it needs what is not always there
    from rulewright.simulation.report import write_report  # noqa: PLC0415

    console = Console(None, sys.stdout, speech=spoken(arguments.lang))
    console.command(phrase("simulation", "Written:"), str(write_report(results.read(Path(arguments.folder)))))
    return 0


def compare(arguments: Namespace) -> int:
    """Tell how the games of several simulations differ, or of several values of an option, and how surely.

    The first is what the others are compared with. Editions are simulated for it, all with the same seeds.
    """
    need_libraries()
    from rulewright.simulation import command, comparison, sources  # noqa: PLC0415 - as above
    from rulewright.simulation.report import comparison_page, is_page  # noqa: PLC0415

    out = None if arguments.out is None else Path(arguments.out)
    said = spoken(arguments.lang)
    console = Console(None, sys.stdout, speech=said)
    if out is not None:
        may_write(out, overwrite=is_page(out))
    with TemporaryDirectory(prefix="rulewright-") as scratch:
        wanted = command.Wanted(
            edition="",
            games=arguments.games,
            seats=arguments.seats,
            options=arguments.option,
            seed=arguments.seed,
            quiet=arguments.quiet,
            speech=said,
        )
        compared = comparison.compare(sources.groups(arguments.names, wanted, Path(scratch)))
        page = None if out is None else comparison_page(compared)
    for group in compared.groups[1:]:
        console.paragraph(comparison.heading(compared, group), style="title")
        for told in comparison.told(compared, group):
            console.paragraph(told, first=Styled("·", "mark"), hang="  ")
        console.paragraph(comparison.helped(compared, group), style="faint")
        console.say()
    for told in compared.missing:
        console.paragraph(told)
    if compared.asked:
        console.paragraph(comparison.caution(compared), style="faint")
    if out is not None and page is not None and write(out, page, overwrite=is_page(out)):
        console.command(phrase("simulation", "With plots:"), str(out))
    return 0


def need_libraries() -> None:
    """Raises CommandError where what plays many games is not installed."""
    if missing := [name for name in ("matplotlib", "numpy", "pyarrow", "tqdm") if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Simulations need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command="pip install 'rulewright[simulate]'",
            )
        )
