"""What `rulewright serve` does; what it needs is not always installed."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.commands.arguments import LOGS
from rulewright.commands.common import CommandError, spoken
from rulewright.i18n.localizer import phrase
from rulewright.players import saves
from rulewright.publish.console import Console

_ADDRESS = re.compile(r"\w{2,}://|postgres(ql)?:", re.IGNORECASE)
"""How an address begins, also one that is none of PostgreSQL: it shall not become the name of a folder."""


def kept_in(data: str | None) -> Path | str:
    """Where somebody wants tables to be kept, or where they usually are: a folder, or the address of a PostgreSQL
    database. Raises CommandError."""
    if data is None:
        return saves.state_folder() / "tables"
    if not data:  # perhaps of a variable that is not set
        told = phrase("errors", "{option} is empty. Say where tables are kept, or leave it out.", option="--data")
        raise CommandError(told)
    return data if _ADDRESS.match(data) else Path(data)


def serve(arguments: Namespace) -> int:
    """Serve tables to browsers until it is stopped."""
    need("serve", "segno", "starlette", "uvicorn", "websockets")
    if arguments.metrics:
        need("metrics", "prometheus_client")
    from rulewright.server import server, structured_log, workers  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.limits import Limits  # noqa: PLC0415

    console = Console(None, sys.stdout, speech=spoken(arguments.lang))
    if told := arguments.log != LOGS[0]:
        structured_log.write(sys.stdout)

    def begun(address: str) -> None:
        if told:
            structured_log.event("begun", address=address)
            return
        console.command(phrase("serving", "The tables are at"), address)
        console.paragraph(phrase("serving", "Ctrl-C ends the server; all games are kept."), style="faint")
        sys.stdout.flush()

    data = kept_in(arguments.data)
    served = server.Served(
        arguments.host,
        arguments.port,
        data,
        arguments.editions,
        arguments.allow_host,
        arguments.trust_proxy,
        arguments.policy,
        arguments.metrics,
        arguments.workers,
    )
    limits = Limits(connections=arguments.connections, tables=arguments.tables, keep=arguments.keep)
    try:
        (server if served.workers == 1 else workers).serve(served, begun, limits)
    except KeyboardInterrupt:
        return 0
    return 0


def need(extra: str, *libraries: str) -> None:
    """Raises CommandError where one of them is not installed. extra: what brings them."""
    if missing := [name for name in libraries if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Tables in the browser need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command=f"pip install 'rulewright[{extra}]'",
            )
        )
