"""What `rulewright simulate`, `report` and `compare` do; what they need is not always installed."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.commands import CommandError, write
from rulewright.frontends.console import Console, Styled


def simulate(arguments: Namespace) -> int:
    """Play many games of an edition, with every combination of options and values, and keep what happens as tables.

    The same command again goes on where it was stopped; with more games it adds to what is there.
    """
    _need_libraries()
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
            quiet=arguments.quiet,
        )
    )


def report(arguments: Namespace) -> int:
    """Tell the results of a simulation anew, in its folder's report.html."""
    _need_libraries()
    from rulewright.simulation.report import write_report  # noqa: PLC0415 - it needs what is not always there

    Console(None, sys.stdout).command("Written:", str(write_report(Path(arguments.folder))))
    return 0


def compare(arguments: Namespace) -> int:
    """Tell how the games of several simulations differ, or of several values of an option, and how surely.

    The first is what the others are compared with. Editions are simulated for it, all with the same seeds.
    """
    _need_libraries()
    from rulewright.simulation import command, comparison, sources  # noqa: PLC0415 - as above
    from rulewright.simulation.report import comparison_page, is_page  # noqa: PLC0415

    out = None if arguments.out is None else Path(arguments.out)
    console = Console(None, sys.stdout)
    if out is not None and out.exists() and not is_page(out):
        raise CommandError(f"'{out}' is there already; it stays as it is. Choose another name.")
    with TemporaryDirectory(prefix="rulewright-") as scratch:
        wanted = command.Wanted(
            "", arguments.games, arguments.seats, arguments.option, arguments.seed, quiet=arguments.quiet
        )
        groups = sources.groups(arguments.names, wanted, Path(scratch))
        compared = comparison.compare(groups)
        page = None if out is None else comparison_page(compared)
    for group in groups[1:]:
        console.paragraph(comparison.heading(compared, group), style="title")
        for told in comparison.told(compared, group):
            console.paragraph(told, first=Styled("·", "mark"), hang="  ")
        console.paragraph(comparison.helped(compared, group), style="faint")
        console.say()
    for told in compared.missing:
        console.paragraph(told)
    console.paragraph(comparison.caution(compared), style="faint")
    if out is not None and page is not None:
        write(out, page, overwrite=is_page(out))
        console.command("With plots:", str(out))
    return 0


def _need_libraries() -> None:
    if missing := [name for name in ("matplotlib", "numpy", "pyarrow", "tqdm") if find_spec(name) is None]:
        wanted = " and ".join(missing)
        raise CommandError(f"Simulations need {wanted}, not installed here: pip install 'rulewright[simulate]'.")
