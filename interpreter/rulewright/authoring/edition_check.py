"""Check of an edition: errors, and warnings if there are none."""

from __future__ import annotations

from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.model.edition import Edition


def examine(name: str) -> tuple[Edition | None, Report]:
    """Check an edition, by name or path; return it with its errors, or with warnings if there are none. The edition is
    None if its file is too broken to read. Raises UnknownEdition."""
    return library.check_edition(name, _add_lint_warnings)


def _add_lint_warnings(edition: Edition, report: Report) -> None:
    """Add the errors of an edition, for any number of seats, to a report; without any, the warnings of all lint
    rules."""
    from rulewright.authoring.lint import lint  # noqa: PLC0415 - only a changed edition needs it

    lint(edition, report)
