"""The rules of an edition, loaded by its name or its file, checked and ready to play."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from rulewright.catalogue import UnknownEdition, available, find, full_path, is_file
from rulewright.compiler import Setting, check, compile_edition
from rulewright.declarations import Edition
from rulewright.diagnostics import EditionError, Report
from rulewright.edition import read
from rulewright.edition import with_values as with_numbers
from rulewright.languages.speech import phrase
from rulewright.lint import lint
from rulewright.machine import Machine
from rulewright.source import Scalar, plain

__all__ = [
    "Rules",
    "UnknownEdition",
    "available",
    "find",
    "from_text",
    "load",
    "whole_text",
    "with_texts",
    "with_values",
]

_NOT_IN_JSON = re.compile("[\x7f-\xa0\u2028\u2029\ufeff]")
"""What JSON may hold as it is, and YAML reads as something else."""
_MAKING = Lock()


class Rules:
    """An edition that has been checked, with a machine for each number of seats, made when first needed."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._machines: dict[tuple[int, Setting | None], Machine] = {}

    @property
    def name(self) -> str:
        return self.edition.name

    @property
    def hash(self) -> str:
        return self.edition.hash

    @cached_property
    def title(self) -> str:
        return self.edition.full_title()

    def machine(self, seats: int, setting: Setting | None = None) -> Machine:
        """The machine for a number of seats that the edition allows; for one setting alone it is quicker."""
        key = (seats, setting)
        if key not in self._machines:
            with _MAKING:  # another thread may make it already
                if key not in self._machines:
                    self._machines[key] = Machine(compile_edition(self.edition, seats, Report(), setting))
        return self._machines[key]


def load(name: str) -> Rules:
    """The rules of an edition, by name or path. Raises UnknownEdition, or EditionError with all that is wrong."""
    edition, report = _checked(name)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition)


def with_values(rules: Rules, values: Mapping[str, str]) -> Rules:
    """The same rules with other numbers for some values, as a variant would have them. Raises EditionError.

    values: name of a value that is a number -> that number.
    """
    report = Report()
    edition = with_numbers(rules.edition, values, report)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition)


def with_texts(rules: Rules, texts: Sequence[tuple[str, Scalar]], report: Report) -> Rules:
    """The same rules, with more texts that tell their figures: each with its place in catalogs.

    What is wrong with the texts goes to the report; then the rules come back without any of them.
    """
    if not texts:
        return rules
    told = Rules(replace(rules.edition, asides=tuple(texts)))
    seats = rules.edition.seat_counts()[0]
    try:
        told._machines[seats, None] = Machine(compile_edition(told.edition, seats, report))
    except EditionError:
        return rules
    return told


def examine(name: str) -> tuple[Edition | None, Report]:
    """An edition, by name or path, with all that is wrong with it, and if nothing is, what is probably a mistake.

    It is None if its file is too broken. Raises UnknownEdition.
    """
    edition, report = _checked(name)
    if edition is not None and report.ok:
        lint(edition, report)
    return edition, report


def _checked(name: str) -> tuple[Edition | None, Report]:
    full, path = find(name)
    if not is_file(path):
        raise UnknownEdition(phrase("errors", "There is no file '{path}'.", path=name))
    report = Report()
    edition = read(path, report, full, shown_as=str(path) if full == name else full_path(path))
    if edition is not None:
        check(edition, report)
    return edition, report


def from_text(text: str, name: str = "edition", bases: Sequence[str] = (), files: Sequence[Path] = ()) -> Rules:
    """The rules of an edition given as text. Raises EditionError.

    bases, files: of an edition that was written by `whole_text`, what it extended, for its translations, and the files
    beside which its pictures may be.
    """
    report = Report()
    edition = read(None, report, name, text=text, shown_as=name)
    if edition is not None:
        check(edition, report)
    if edition is None or not report.ok:
        raise EditionError(report)
    edition.bases, edition.files = (*edition.bases, *bases), (*edition.files, *files)
    return Rules(edition)


def whole_text(rules: Rules) -> str:
    """An edition with all that it extends as one text, from which `from_text` makes the same rules."""
    tree, removed = plain(rules.edition.tree), rules.edition.removed
    # What a variant removes has still its looks.
    tree["looks"] = {
        section: {name: look for name, look in looks.items() if not {name, name.partition(".")[2]} & removed.keys()}
        for section, looks in (tree.get("looks") or {}).items()
    }
    return _flow(tree)


def _flow(node: Any) -> str:
    """A tree as YAML in one line: JSON, but for what is nothing."""
    match node:
        case None:
            return ""
        case dict():
            return f"{{{', '.join(f'{_flow(key)}: {_flow(inner)}' for key, inner in node.items())}}}"
        case list():
            return f"[{', '.join(map(_flow, node))}]"
    return _NOT_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(node, ensure_ascii=False))
