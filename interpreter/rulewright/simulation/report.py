"""The pages that a simulation and a comparison are told on: one file each, which needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Speech, english, phrase
from rulewright.program.form import Program
from rulewright.simulation import introduction
from rulewright.simulation.findings import findings
from rulewright.simulation.markup import GENERATOR, Html, bullets, page, paragraph, tag
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report_texts import Teller, in_order, not_by_rules
from rulewright.simulation.results import ResultsFolder
from rulewright.simulation.sections import Sections

if TYPE_CHECKING:
    from rulewright.simulation.comparison import Comparison
    from rulewright.simulation.effects import Effect

NAME = "report.html"


class ReportError(RulewrightError):
    """A page that cannot be written."""


class GamesReport:
    """What is told of groups of games, in one language. The first group is what the others are held against.

    rules: of their editions, as far as they are at hand; program: of the only run, if it is compiled already;
    comparison: None where there is nothing to compare.
    """

    def __init__(
        self, groups: Sequence[GameGroup], speech: Speech, rules: Sequence[Rules] = (), program: Program | None = None
    ) -> None:
        self.teller = Teller(groups, speech, rules, program)
        self.groups = [group for group in groups if len(group.setting.games)]
        self.comparison: Comparison | None = None
        if len(groups) > 1:
            from rulewright.simulation.comparison import compare  # noqa: PLC0415 - most runs have nothing to compare

            compared = compare(groups)
            self.comparison = compared if compared.others else None

    @property
    def title(self) -> str:
        """The question."""
        return introduction.question(self.teller)

    @cached_property
    def verdict(self) -> list[str]:
        """The answer, in a few sentences: the total first. Empty where no game has a result."""
        if self.comparison is not None:
            from rulewright.simulation.comparison_summary import verdict  # noqa: PLC0415 - as above

            return verdict(self.teller, self.comparison, self.effects)
        return findings(self.teller, self.groups[0]) if self.groups else []

    @cached_property
    def effects(self) -> list[Effect]:
        """What each of several values does by itself to the main figures, where all combinations were played."""
        if self.comparison is None:
            return []
        from rulewright.simulation.comparison_texts import MAIN, rank  # noqa: PLC0415
        from rulewright.simulation.effects import effects  # noqa: PLC0415 - as above

        compared = self.comparison.compared
        keys = dict.fromkeys(each.quantity.key for each in compared if rank(each.quantity.key) < len(MAIN))
        return effects(self.groups, list(keys)) if keys else []

    def page(self) -> str:
        """The whole report as a page."""
        teller, speech = self.teller, self.teller.speech
        told = list(introduction.about(teller))
        parts: list[Html] = [*(tag("p", line, class_="about") for line in told), tag("h1", self.title)]
        parts += [paragraph(line) for line in filter(None, [introduction.unfinished(teller)])]
        parts += [paragraph(told) for group in teller.groups for told in not_by_rules(teller, group)]
        if self.groups:
            parts += self._told()
        return page(self.title, *parts, language=speech.language, right_to_left=speech.right_to_left)

    def _told(self) -> list[Html]:
        teller = self.teller
        its = Sections(teller, in_order(self.groups))
        parts = [bullets(self.verdict, class_="verdict")]
        apart: list[Html] = []
        if self.comparison is not None:
            from rulewright.simulation.comparison_section import at_a_glance, comparison_section  # noqa: PLC0415 - as above

            parts.append(at_a_glance(its, self.comparison))
            apart.append(comparison_section(its, self.comparison, self.effects))
        brackets = phrase("report", "Behind a figure stands where the true one lies, with 95% certainty.")
        parts += [paragraph(teller.say(brackets), faint=True), introduction.players_note(teller)]
        drawn = its.drawn()
        named = [("comparison", teller.say(phrase("report", "What differs"))) for _ in apart]
        named += [(name, title) for name, title, _ in drawn]
        sections = [*apart, *(each for _, _, each in drawn)]
        links = (tag("a", title, href=f"#{name}") for name, title in named)
        parts.append(tag("nav", *links, aria_label=teller.say(phrase("report", "Sections"))))
        if len(teller.varied) > 1:
            names = " · ".join(teller.words(teller.groups[0]).option(name) for name in teller.varied)
            told = phrase("report", "Below, settings are called by their values alone: {names}.", names=names)
            parts.append(paragraph(teller.say(told), faint=True))
        always = its.always()
        return [*parts, *sections, *([paragraph(always, faint=True)] if always else [])]


def groups_of(found: ResultsFolder) -> list[GameGroup]:
    """A run's settings: what the others are held against first, which is the edition as it is if that was played."""
    groups = [GameGroup(setting, setting.label or found.plan.title) for setting in found.settings]
    own = found.plan.own
    return sorted(groups, key=lambda group: bool(own) and found.plan.settings[group.setting.number] != own)


def report(found: ResultsFolder, speech: Speech | None = None) -> str:
    """The page of one run."""
    return GamesReport(groups_of(found), speech or english()).page()


def write_report(found: ResultsFolder, text: str) -> Path:
    """Keep a page as the `report.html` of a folder; the file. Raises ReportError."""
    path = found.folder / NAME
    write(path, text)
    return path


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
