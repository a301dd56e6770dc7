"""Messages of commands on rule files: problems besides those in their rules, and results of checks."""

from __future__ import annotations

from rulewright.base.wording import Problem, Words

# files and cards
NO_FILE = Problem("no-file", "{reason}")
CARD_UNPRINTABLE = Problem("unprintable", "This card cannot be printed: {reason}.")
CARDS_UNPRINTABLE = Problem("unprintable", "{reason}")

# results of checks
NO_ERRORS, ONE_ERROR, ERRORS = Words("no errors"), Words("1 error"), Words("{count} errors")
ONE_WARNING, WARNINGS = Words("1 warning"), Words("{count} warnings")
ONE_FILE, FILES = Words("1 file"), Words("{count} files")
WITH_ERRORS, WITH_WARNINGS = Words("{count} with errors"), Words("{count} with warnings")
MISSING, NOTHING_WRONG = Words("{count} missing"), Words("nothing wrong")
WOULD_FORMAT = Words("'rulewright format {file}' would write it in the canonical form")
NOT_CANONICAL, MADE_CANONICAL = Words("not in the canonical form"), Words("written in the canonical form")
FIXED = Words("fixed[{code}]: {title}")
WRONG, RIGHT = Words("Wrong:"), Words("Right:")
NOT_CHANGED = Words("{errors}, not changed")
