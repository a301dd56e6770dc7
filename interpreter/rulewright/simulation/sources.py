"""What the command `compare` compares: results folders, and editions that are simulated for it with equal seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.simulation import results
from rulewright.simulation.command import INTERRUPTED, Wanted, play
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report import groups_of


class SourceError(RulewrightError):
    """What cannot be compared."""


def groups(names: Sequence[str], wanted: Wanted, scratch: Path) -> tuple[list[GameGroup], list[Rules]]:
    """The settings of all that is named, two or more, what the others are held against first; and the rules of the
    editions that were simulated. wanted: how they are; scratch: an empty folder for their games, which is read as long
    as the groups are used. Raises RulewrightError."""
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise SourceError(phrase("errors", "'{name}' is given twice.", name=twice[0]))
    editions = [name for name in names if not Path(name).is_dir()]
    given = {"--games": wanted.games, "--seats": wanted.seats, "--option": wanted.options, "--seed": wanted.seed}
    if not editions and (idle := [option for option, value in given.items() if value not in (None, [], ())]):
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
        run = play(replace(wanted, edition=name, out=folders[name], own=len(names) == 1))
        if run.status == INTERRUPTED:
            raise KeyboardInterrupt
        rules.append(run.rules)
    return _named(list(names), [folders[name] for name in names]), rules


def _named(names: list[str], folders: Sequence[Path]) -> list[GameGroup]:
    """The settings of all folders, those of each called by its name."""
    found = [groups_of(results.read(folder)) for folder in folders]
    if len(found) == 1:
        if len(found[0]) == 1:
            raise SourceError(
                phrase(
                    "errors",
                    "'{path}' has games of one setting only. Name something else to compare it with, or try several "
                    "values: {option}.",
                    path=names[0],
                    option="--option NAME=VALUE,VALUE",
                )
            )
        return found[0]
    short = [Path(name).name if Path(name).is_dir() else name for name in names]
    names = short if len(set(short)) == len(short) and all(short) else names
    return [GameGroup(group.setting, name) for name, groups in zip(names, found, strict=True) for group in groups]
