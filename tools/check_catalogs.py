"""Check the catalogs of translations: `python tools/check_catalogs.py [--complete]`.

One process runs `rulewright locale update --check`, `locale check` and `locale status`: each needs all texts of all
editions. Exit status 1 if a catalog is not up to date or has mistakes; with --complete also where a text is not
translated.
"""

from __future__ import annotations

import os
import sys
from typing import Sequence

from rulewright import cli
from rulewright.base import cache
from verify import SHARED_CACHE

COMMANDS = [["update", "--check"], ["check"], ["status"]]


def main(arguments: Sequence[str]) -> int:
    """Run all commands, whatever fails before; the exit status."""
    if shared := os.environ.get(SHARED_CACHE):
        os.environ[cache.VARIABLE] = shared
        cache.MAX_ENTRIES = sys.maxsize  # the tests', which are not to be forgotten
    failed = False
    for command in COMMANDS:
        words = ["locale", *command, *(arguments if command == ["status"] else [])]
        print(f"-- rulewright {' '.join(words)}", flush=True)
        failed = cli.main(words) != 0 or failed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
