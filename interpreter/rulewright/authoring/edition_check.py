"""All that `check` says of an edition: what is wrong, and what is probably a mistake."""

from __future__ import annotations

from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.model.declarations import Edition


def examine(name: str) -> tuple[Edition | None, Report]:
    """An edition, by name or path, with all that is wrong with it, and if nothing is, what is probably a mistake.

    It is None if its file is too broken. Raises UnknownEdition.
    """
    return library.examined(name, _doubt)


def _doubt(edition: Edition, report: Report) -> None:
    from rulewright.authoring.lint import lint  # noqa: PLC0415 - only a changed edition needs it

    lint(edition, report)
