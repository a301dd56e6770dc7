"""Broken files with every fix that an editor offers for them, and what comes of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from project_folders import ROOT, TESTS
from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing import text_document
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fixes import fixes
from rulewright.editing.verified_fixes import is_mended, soundness, verify_fixes
from typing_mistakes import mistyped

LARGEST = 6_000
"""Letters of a file: larger ones take long to check, and have the same sentences."""


@dataclass
class FixTrial:
    """offered: whether an editor offers it; mends: whether there are fewer mistakes afterwards."""

    diagnostic: Diagnostic
    fix: Fix
    offered: bool
    mends: bool
    errors: tuple[int, int]


@cache
def sound_files() -> Sequence[Path]:
    folders = (ROOT / "editions", TESTS / "openspiel", TESTS / "games")
    every = (path for folder in folders for path in sorted(folder.rglob("*.yaml")))
    ours = (path for path in every if not path.name.endswith((".examples.yaml", ".cases.yaml")))
    return [path for path in ours if path.stat().st_size <= LARGEST]


def broken(number: int) -> tuple[Path, str]:
    """A file with a mistake, of those that a number stands for."""
    path = Random(number).choice(sound_files())
    return path, mistyped(path.read_text(encoding="utf-8"), number)


def mistakes(path: Path, text: str) -> list[Diagnostic]:
    """All that an editor shows."""
    sheet, examined = text_document.read(path, text), text_document.examine_text(path, text)
    results = {(item.place, item.message): item for item in (*sheet.report.diagnostics, *examined.diagnostics)}
    return [item for item in results.values() if item.place.file == str(path)]


def trials(path: Path, text: str) -> Iterator[FixTrial]:
    """Every fix that there is."""
    result, lines, before = mistakes(path, text), text.split("\n"), soundness(path, text)
    for item, offered in zip(result, verify_fixes(path, text, result, None), strict=True):
        for fix in fixes(item, lines):
            after = soundness(path, text_after_fix(fix, lines))
            yield FixTrial(item, fix, fix in offered, is_mended(before, after), (before.errors, after.errors))
