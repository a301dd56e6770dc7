"""Sentences in use at one table, with their places in the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.compiler import compile_with_sources
from rulewright.game.library import Rules
from rulewright.game.setup import check_options
from rulewright.players.seating import Seat
from rulewright.program import coverage
from rulewright.program.form import Program
from rulewright.simulation import planning, settings

_MAX_LENGTH = 120
"""Maximum characters of a sentence in a list; a longer one ends in …."""


@record
class SentencePlace:
    """Sentence of an edition, by the line on which it begins."""

    text: str
    place: SourcePlace


class TableSentences:
    """Sentences of a table, and the program compiled from them. table_setting: its roles and options; decision_places:
    where decisions are asked, by id. sentences: in the order of the program; texts: of these, without comments."""

    def __init__(self, rules: Rules, seated: Sequence[Seat], setting: Mapping[str, str]) -> None:
        self.edition = rules.edition
        with_values = settings.rules_of(rules, setting)
        names = {name: value for name, value in setting.items() if name in self.edition.options}
        self.table_setting = planning.at_the_table(self.edition, seated, check_options(rules, names))
        self.program, source_scalars = compile_with_sources(with_values.edition, len(seated), self.table_setting)
        self.sentences: list[SentencePlace] = []
        self.texts: list[str] = []  # without comments
        self.decision_places: dict[str, SourcePlace] = {}
        self._parts: list[int | None] = []
        numbers: dict[SourcePlace, int] = {}
        for instruction, scalar in zip(self.program.code, source_scalars, strict=True):
            if scalar is None:
                self._parts.append(None)
                continue
            if scalar.place not in numbers:
                numbers[scalar.place] = len(self.sentences)
                self.texts.append(scalar.text)
                self.sentences.append(SentencePlace(_short(scalar.first_line.removeprefix("- ")), scalar.place))
            self._parts.append(numbers[scalar.place])
            if instruction[0] == "ask":
                self.decision_places.setdefault(self.program.sites[int(instruction[1])].id, scalar.place)

    def with_coverage(self) -> Program:
        """Return the program with measures of the sentences that a game reaches."""
        return coverage.with_coverage(self.program, self._parts, len(self.sentences))


def _short(line: str) -> str:
    return line if len(line) <= _MAX_LENGTH else line[: _MAX_LENGTH - 1] + "…"
