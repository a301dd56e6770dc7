"""The pages that a simulation and a comparison are told on: one file each, which needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.speech import phrase
from rulewright.simulation.comparison import Comparison, compare
from rulewright.simulation.findings import findings
from rulewright.simulation.page import GENERATOR, Html, bullets, page, paragraph, tag
from rulewright.simulation.quantities import GameGroup, at_the_limit, counted
from rulewright.simulation.results import ResultsFolder
from rulewright.simulation.sections import comparison_section, contents, sections

NAME = "report.html"


class ReportError(RulewrightError):
    """A page that cannot be written."""


def write_report(found: ResultsFolder) -> Path:
    """Tell results in their folder's `report.html`; the file. Raises DamagedError and ReportError."""
    path = found.folder / NAME
    write(path, report(found))
    return path


def groups_of(found: ResultsFolder) -> list[GameGroup]:
    """A run's settings, each called by what was set."""
    return [GameGroup(setting, setting.label or found.plan.title) for setting in found.settings]


def report(found: ResultsFolder) -> str:
    """The page of one run."""
    groups = groups_of(found)
    compared = compare(groups) if len(groups) > 1 else None
    return _page(found.plan.title, groups, compared if compared is not None and compared.groups[1:] else None)


def comparison_page(compared: Comparison) -> str:
    """The page of several runs, or of a run's settings, beside each other."""
    return _page("Compared: " + ", ".join(group.label for group in compared.groups), compared.groups, compared)


def write(path: Path, text: str) -> None:
    """A page as a file, whole or not at all. Raises ReportError."""
    try:
        files.replace(path, text.encode("utf-8"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ReportError(phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=why)) from None


def is_page(path: Path) -> bool:
    """Whether a file is a page of ours, which may be written anew."""
    return GENERATOR.encode() in files.beginning(path, 1000)


def _page(title: str, groups: Sequence[GameGroup], compared: Comparison | None) -> str:
    parts: list[Html] = [tag("h1", title), *_what_was_run(groups)]
    groups = [group for group in groups if len(group.setting.games)]
    if not groups:
        return page(title, *parts)
    parts += [tag("h2", "In short"), bullets(findings(groups, compared), class_="findings")]
    parts += [paragraph("In brackets: where the true figure lies, with 95 % certainty.", faint=True)]
    parts += [contents(compared is not None)]
    parts += [comparison_section(compared)] if compared is not None else []
    return page(title, *parts, *sections(groups))


def _what_was_run(groups: Sequence[GameGroup]) -> list[Html]:
    """Edition, table, settings, seed, and how many games are there."""
    told = []
    for plan in dict.fromkeys(_Identified(group) for group in groups):
        told.append(paragraph(plan.text))
    unfinished = [
        f"{group.label}: {group.setting.played:,} of {group.plan.games:,}"
        for group in groups
        if group.setting.played < group.plan.games
    ]
    if unfinished:
        told.append(paragraph(f"Not all games are played yet ({'; '.join(unfinished)}): this tells of those that are."))
    return [*told, *(paragraph(limited) for group in groups if (limited := at_the_limit(group)))]


class _Identified:
    """What was run, told once for all groups of a run."""

    def __init__(self, group: GameGroup) -> None:
        plan = group.plan
        seats = ", ".join(place.role or place.player for place in plan.seats)
        fixed = [f"{name} {value}" for name, value in plan.settings[0].items() if name not in plan.varied]
        varied = ", ".join(plan.varied)
        self.text = (
            f"{plan.title} ({plan.edition}), {counted(len(plan.seats), 'seat')}, clockwise: {seats}. "
            f"{plan.games:,} games"
            + (f" with each of {len(plan.settings)} settings of {varied}" if plan.varied else "")
            + (f"; {', '.join(fixed)}" if fixed else "")
            + f". Seed {plan.seed}; edition {plan.hash[:12]}."
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identified) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)
