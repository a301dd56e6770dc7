"""Parts of a program as they are compiled: blocks, functions, decision sites, texts, subroutines."""

from __future__ import annotations

from rulewright.base.diagnostics import SourcePlace
from rulewright.compiler.saved_cells import AtOnceSchedule, Subroutine
from rulewright.compiler.scopes import AtOnceProgress, Scope
from rulewright.program.form import Function, Sealed, Site, Text


class Output:
    """Compiled parts of a program. block_steps: step of each block; pending: subroutines called but not compiled yet;
    phase_ends: next block after each phase, if a sentence ends one; site_ids: sentences of each decision name. blocks:
    number of blocks so far; schedules: of each `at once`, by its number; subroutines: by step."""

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
        """Return the progress of a seat inside an `at once`."""
        return self.schedules[scope.sealed].progress if scope.sealed >= 0 else AtOnceProgress()

    def set_progress(self, scope: Scope, progress: AtOnceProgress) -> None:
        """Set the progress of a seat inside an `at once`."""
        if scope.sealed >= 0:
            self.schedules[scope.sealed].progress = progress
