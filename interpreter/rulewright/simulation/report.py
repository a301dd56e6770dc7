"""Pages of a simulation and of a comparison: self-contained files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Localizer, english, phrase
from rulewright.program.form import Program
from rulewright.simulation import introduction
from rulewright.simulation.findings import findings
from rulewright.simulation.markup import GENERATOR, Html, bullets, page, paragraph, tag
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report_texts import ReportTexts, order_groups, unfinished_notes
from rulewright.simulation.results_folder import ResultsFolder
from rulewright.simulation.sections import Sections

if TYPE_CHECKING:
    from rulewright.simulation.comparison import Comparison
    from rulewright.simulation.effects import Effect

NAME = "report.html"
"""File of the page in the folder of results."""


class ReportError(RulewrightError):
    """Error: a page cannot be written."""


class GamesReport:
    """Report on groups of games in one language, the others compared with the first.

    rules: of their editions, as far as they are at hand; program: of the only run, if it is compiled already; groups:
    those with results; comparison: None where there is nothing to compare.
    """

    def __init__(
        self,
        groups: Sequence[GameGroup],
        localizer: Localizer,
        rules: Sequence[Rules] = (),
        program: Program | None = None,
    ) -> None:
        self.texts = ReportTexts(groups, localizer, rules, program)
        self.groups = [group for group in groups if len(group.setting.games)]
        self.comparison: Comparison | None = None
        if len(groups) > 1:
            from rulewright.simulation.comparison import compare  # noqa: PLC0415 - most runs have nothing to compare

            compared = compare(groups)
            self.comparison = compared if compared.others else None

    @property
    def title(self) -> str:
        """Question that the games were played for."""
        return introduction.question(self.texts)

    @cached_property
    def verdict(self) -> list[str]:
        """Answer in a few sentences, the total first; empty if no game has a result."""
        if self.comparison is not None:
            from rulewright.simulation.comparison_summary import verdict  # noqa: PLC0415 - as above

            return verdict(self.texts, self.comparison, self.effects)
        return findings(self.texts, self.groups[0]) if self.groups else []

    @cached_property
    def effects(self) -> list[Effect]:
        """Effects of single values on the main figures; empty if not all combinations were played."""
        if self.comparison is None:
            return []
        from rulewright.simulation.comparison_texts import MAIN_KEYS, main_rank  # noqa: PLC0415
        from rulewright.simulation.effects import effects  # noqa: PLC0415 - as above

        compared = self.comparison.compared
        keys = dict.fromkeys(each.quantity.key for each in compared if main_rank(each.quantity.key) < len(MAIN_KEYS))
        return effects(self.groups, list(keys)) if keys else []

    def page(self) -> str:
        """Return the whole report as a page."""
        texts, localizer = self.texts, self.texts.localizer
        lines = list(introduction.run_lines(texts))
        parts: list[Html] = [*(tag("p", line, class_="about") for line in lines), tag("h1", self.title)]
        parts += [paragraph(line) for line in filter(None, [introduction.unfinished_note(texts)])]
        parts += [paragraph(lines) for group in texts.groups for lines in unfinished_notes(texts, group)]
        if self.groups:
            parts += self._build_body()
        return page(self.title, *parts, language=localizer.language, right_to_left=localizer.right_to_left)

    def _build_body(self) -> list[Html]:
        """Return the parts of the page: verdict, notes, links and sections."""
        texts = self.texts
        sections_ = Sections(texts, order_groups(self.groups))
        parts = [bullets(self.verdict, class_="verdict")]
        compared: list[Html] = []
        if self.comparison is not None:
            from rulewright.simulation.comparison_section import comparison_section, settings_table  # noqa: PLC0415 - as above

            parts.append(settings_table(sections_, self.comparison))
            compared.append(comparison_section(sections_, self.comparison, self.effects))
        brackets = phrase("report", "Behind a figure stands where the true one lies, with 95% certainty.")
        parts += [paragraph(texts.say(brackets), faint=True), introduction.players_note(texts)]
        shown_sections = sections_.render()
        section_links = [("comparison", texts.say(phrase("report", "What differs"))) for _ in compared]
        section_links += [(name, title) for name, title, _ in shown_sections]
        sections = [*compared, *(each for _, _, each in shown_sections)]
        anchors = (tag("a", title, href=f"#{name}") for name, title in section_links)
        parts.append(tag("nav", *anchors, aria_label=texts.say(phrase("report", "Sections"))))
        if len(texts.varied) > 1:
            names = " · ".join(texts.words(texts.groups[0]).option(name) for name in texts.varied)
            note = phrase("report", "Below, settings are called by their values alone: {names}.", names=names)
            parts.append(paragraph(texts.say(note), faint=True))
        always = sections_.constants_note()
        return [*parts, *sections, *([paragraph(always, faint=True)] if always else [])]


def groups_of(results: ResultsFolder) -> list[GameGroup]:
    """Return the groups of a run; the first, with which the others are compared, is the unchanged edition if it was
    played."""
    groups = [GameGroup(setting, setting.label or results.plan.title) for setting in results.settings]
    own = results.plan.own
    return sorted(groups, key=lambda group: bool(own) and results.plan.settings[group.setting.number] != own)


def report(results: ResultsFolder, localizer: Localizer | None = None) -> str:
    """Return the page of one run, by default in English."""
    return GamesReport(groups_of(results), localizer or english()).page()


def write_report(results: ResultsFolder, text: str) -> Path:
    """Write a page as the `report.html` of a folder, and return the file. Raises ReportError."""
    path = results.folder / NAME
    write(path, text)
    return path


def write(path: Path, text: str) -> None:
    """Write a page as a file, whole or not at all. Raises ReportError."""
    try:
        files.replace(path, text.encode("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ReportError(phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=reason)) from None


def is_page(path: Path) -> bool:
    """Return whether a file is a report, which may be overwritten."""
    return GENERATOR.encode() in files.read_beginning(path, 1000)
