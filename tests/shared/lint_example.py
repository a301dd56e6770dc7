"""Changes of an edition of spec/DIAGNOSTICS.md, and what check warns of in them."""

from __future__ import annotations

from pathlib import Path

import yaml

from documents import as_text, base, merged
from rulewright.authoring.edition_check import examine


def lay(*statements: str) -> str:
    """A change: the step has these statements, and goes on as before."""
    listed = "".join(f"\n        - {statement}" for statement in statements)
    rest = "\n        - choose 1 from hand into street: {ask: x}\n        - add total price of street to coins"
    return f"phases:\n  evening:\n    steps:\n      lay:{listed}{rest}\n"


def warned(tmp_path: Path, *changes: str) -> list[str]:
    """Return the warnings of the example edition, changed: 'code line-of-the-message'."""
    edition = base("lanterns")
    for change in changes:
        edition = merged(edition, yaml.load(change, yaml.BaseLoader))
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(edition), encoding="utf-8")
    _, report = examine(str(file))
    return [f"{found.severity} {found.code}: {found.message}" for found in report.diagnostics]
