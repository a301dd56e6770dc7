"""Check the catalogs of translations: `python tools/check_catalogs.py [--complete]`.

One process runs `rulewright locale update --check`, `locale check` and `locale status`: each needs all texts of all
editions. Exit status 1 if a catalog has mistakes; with --complete also where one is not up to date, or a text is not
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
    complete = "--complete" in arguments
    for command in COMMANDS:
        words = ["locale", *command, *(["--complete"] if complete and command == ["status"] else [])]
        print(f"-- rulewright {' '.join(words)}", flush=True)
        status = cli.main(words)
        failed = failed or (status != 0 and (complete or command == ["check"]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
