"""A server of one checkout, in a process of its own: what benchmarks measure.

    python tools/serving_apart.py CHECKOUT FOLDER EDITION [PROFILE]

It tells, as lines of JSON, its address and which protocol it speaks, and, for every line that it is sent, how many
seconds of a processor it has used. It ends with its input. PROFILE: where a profile for Python's pstats goes.
"""

from __future__ import annotations

import cProfile
import json
import os
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, cast

from checkouts import work_with

_FASTER = "uvloop"
"""A library that is used where it is there, and that not every checkout asks for."""


def listen() -> None:
    """Answer every line, and end the server when there are no more."""
    for _ in sys.stdin:
        print(time.process_time(), flush=True)
    os.kill(os.getpid(), signal.SIGINT)


def main() -> None:
    checkout, folder, edition, *profile = sys.argv[1:]
    work_with(checkout)
    if _FASTER not in (Path(checkout) / "pyproject.toml").read_text(encoding="utf-8"):
        sys.modules[_FASTER] = cast(Any, None)  # as where that checkout is installed
    from rulewright.server import server  # noqa: PLC0415 - of that checkout
    from rulewright.server.edition_registry import public_name  # noqa: PLC0415
    from rulewright.server.limits import Limits  # noqa: PLC0415

    try:
        version = import_module("rulewright.server.web.protocol").VERSION
    except ModuleNotFoundError:  # in checkouts from before there were such rooms
        version = import_module("rulewright.server.protocol").VERSION
    served = server.ServerSettings("127.0.0.1", 0, Path(folder), [] if public_name(edition) == edition else [edition])

    def on_start(address: str) -> None:
        print(json.dumps({"address": address, "protocol": version}), flush=True)
        Thread(target=listen, daemon=True).start()

    work = cProfile.Profile()
    with suppress(KeyboardInterrupt):
        if profile:
            work.enable()
        server.serve(served, on_start, Limits(begun=1_000_000, from_one=1_000_000))
    if profile:
        work.disable()
        work.dump_stats(profile[0])


if __name__ == "__main__":
    main()
