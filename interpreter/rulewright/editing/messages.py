"""What an editor is told of cases and catalogs besides what `check` and `test` say."""

from __future__ import annotations

from rulewright.base.wording import Problem

# files of cases
CASE_FAILS = Problem("case-fails", "{failure}")
