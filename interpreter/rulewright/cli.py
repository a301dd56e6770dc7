"""The command `rulewright`."""

import gc
import sys
from collections.abc import Sequence

from rulewright import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, by default what is typed; its exit status, as `run` has it."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        try:
            print(f"rulewright {__version__}", flush=True)
        except (OSError, ValueError):  # where this cannot be written, it is told as other commands tell it
            pass
        else:
            return 0
    from rulewright.commands.runner import run  # noqa: PLC0415 - to tell a version takes nothing else

    status = run(words)
    if argv is None:  # the process ends: what is left needs no last look, which takes longer than many a command
        gc.freeze()
    return status
