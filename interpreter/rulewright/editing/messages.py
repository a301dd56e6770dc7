"""What an editor is told of cases and catalogs besides what `check` and `test` say."""

from __future__ import annotations

from rulewright.base.wording import Problem

# files of cases
WRONG_EDITION = Problem("wrong-edition", "This edition has mistakes: {mistake} ({file}, line {line})")
CASE_FAILS = Problem("case-fails", "{failure}")
