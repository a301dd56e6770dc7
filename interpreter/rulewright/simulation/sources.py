"""Sources of the command `compare`: results folders, and editions that are simulated for it with equal seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.simulation import results_folder
from rulewright.simulation.command import INTERRUPTED, RunRequest, play
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report import groups_of


class SourceError(RulewrightError):
    """Raised for sources that cannot be compared."""


def groups(names: Sequence[str], request: RunRequest, scratch: Path) -> tuple[list[GameGroup], list[Rules]]:
    """Return the settings of all sources, two or more, and the rules of the editions that were simulated.

    The other settings are compared with the first. request: for the simulations; scratch: empty folder for their games,
    which is read as long as the groups are used. Raises RulewrightError, and KeyboardInterrupt if a simulation was
    interrupted.
    """
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise SourceError(phrase("errors", "'{name}' is given twice.", name=twice[0]))
    editions = [name for name in names if not Path(name).is_dir()]
    set_options = {
        "--games": request.games,
        "--seats": request.seats,
        "--option": request.options,
        "--seed": request.seed,
    }
    if not editions and (idle := [option for option, value in set_options.items() if value not in (None, [], ())]):
        raise SourceError(
            phrase(
                "errors",
                "{option} is for editions that are simulated; the games in '{path}' are played already.",
                option=idle[0],
                path=names[0],
            )
        )
    folders = {name: scratch / str(names.index(name)) if name in editions else Path(name) for name in names}
    rules = []
    for name in editions:
        # Of several editions, the first is what the others are held against, with what is set for all of them.
        run = play(replace(request, edition=name, out=folders[name], own=len(names) == 1))
        if run.status == INTERRUPTED:
            raise KeyboardInterrupt
        rules.append(run.rules)
    return _labelled_groups(list(names), [folders[name] for name in names]), rules


def _labelled_groups(names: list[str], folders: Sequence[Path]) -> list[GameGroup]:
    """Return the settings of all folders, labelled with the folders' names. Raises SourceError for a single setting."""
    groups_of_folders = [groups_of(results_folder.read(folder)) for folder in folders]
    if len(groups_of_folders) == 1:
        if len(groups_of_folders[0]) == 1:
            raise SourceError(
                phrase(
                    "errors",
                    "'{path}' has games of one setting only. Name something else to compare it with, or try several "
                    "values: {option}.",
                    path=names[0],
                    option="--option NAME=VALUE,VALUE",
                )
            )
        return groups_of_folders[0]
    short = [Path(name).name if Path(name).is_dir() else name for name in names]
    names = short if len(set(short)) == len(short) and all(short) else names
    return [
        GameGroup(group.setting, name)
        for name, groups in zip(names, groups_of_folders, strict=True)
        for group in groups
    ]
