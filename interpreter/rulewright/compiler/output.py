"""Parts of a program as they are compiled: blocks, functions, decision sites, texts, subroutines."""

from __future__ import annotations

from rulewright.base.diagnostics import SourcePlace
from rulewright.compiler.saved_cells import AtOnceSchedule, Subroutine
from rulewright.compiler.scopes import AtOnceProgress, Scope
from rulewright.program.form import Function, Sealed, Site, Text


class Output:
    """Compiled parts of a program.

    - functions: pure ones
    - sites: of decisions
    - sealed: one of each `at once`
    - texts: those that sentences log
    - blocks: number of the last block
    - block_steps: block -> its step, for errors
    - schedules: of each `at once`, by its number
    - subroutines: by the step's name and the types of its parameters
    - pending: subroutines called but not compiled yet
    - phase_ends: block behind each phase, none if no sentence ends one
    - site_ids: name of a decision -> places of the sentences that have it, in the order of their compilation
    """

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.sites: list[Site] = []
        self.sealed: list[Sealed] = []
        self.texts: list[Text] = []
        self.blocks = 0
        self.block_steps: dict[int, str] = {}
        self.schedules: dict[int, AtOnceSchedule] = {}
        self.subroutines: dict[str, Subroutine] = {}
        self.pending: list[Subroutine] = []
        self.phase_ends: list[int] = []
        self.site_ids: dict[str, list[SourcePlace]] = {}

    def progress(self, scope: Scope) -> AtOnceProgress:
        """Return the progress of a seat inside the `at once` around a scope; that of the beginning outside of any."""
        return self.schedules[scope.at_once].progress if scope.at_once >= 0 else AtOnceProgress()

    def set_progress(self, scope: Scope, progress: AtOnceProgress) -> None:
        """Set the progress of a seat inside the `at once` around a scope; do nothing outside of any."""
        if scope.at_once >= 0:
            self.schedules[scope.at_once].progress = progress
