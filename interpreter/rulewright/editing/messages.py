"""Messages of the editor on cases and catalogs, besides those of `check` and `test`."""

from __future__ import annotations

from rulewright.base.wording import Problem

# files of cases
WRONG_EDITION = Problem("wrong-edition", "This edition has mistakes: {mistake} ({file}, line {line})")
CASE_FAILS = Problem("case-fails", "{failure}")

# catalogs
UNUSABLE_CATALOG = Problem("catalog", "The file cannot be used: {reason}.")
FUZZY = Problem("fuzzy", "The English text has changed since. Look this over, and remove the mark 'fuzzy'.")
WRONG_PLURAL_FORMS = Problem("plural-forms", "Expected {expected} plural forms, found {count}.")
BAD_TRANSLATION = Problem("translation", "{reason}")
