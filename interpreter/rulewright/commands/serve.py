"""Command `rulewright serve`, whose dependencies are optional."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.commands.common import CommandError, choose_localizer
from rulewright.commands.player_arguments import LOGS
from rulewright.i18n.localizer import phrase
from rulewright.players import saves
from rulewright.publish.console import Console

_ADDRESS = re.compile(r"\w{2,}://|postgres(ql)?:", re.IGNORECASE)
"""Beginning of an address, even of an unsupported one: it must not become a folder's name."""


def data_location(data: str | None) -> Path | str:
    """Return where tables are stored: a folder, or a PostgreSQL address. data: as given; None for the default. Raises
    CommandError."""
    if data is None:
        return saves.state_folder() / "tables"
    if not data:  # perhaps of a variable that is not set
        message = phrase("errors", "{option} is empty. Say where tables are kept, or leave it out.", option="--data")
        raise CommandError(message)
    return data if _ADDRESS.match(data) else Path(data)


def serve(arguments: Namespace) -> int:
    """Serve tables to browsers until it is stopped."""
    require("serve", "segno", "starlette", "uvicorn", "websockets")
    if arguments.metrics:
        require("metrics", "prometheus_client")
    from rulewright.server import server, structured_log, workers  # noqa: PLC0415 - it needs what is not always there
    from rulewright.server.limits import Limits  # noqa: PLC0415

    console = Console(None, sys.stdout, localizer=choose_localizer(arguments.lang))
    if is_logging := arguments.log != LOGS[0]:
        structured_log.write_to(sys.stdout)

    def on_started(address: str) -> None:
        if is_logging:
            structured_log.event("begun", address=address)
            return
        console.command(phrase("serving", "The tables are at"), address)
        console.paragraph(phrase("serving", "Ctrl-C ends the server; all games are kept."), style="faint")
        sys.stdout.flush()

    data = data_location(arguments.data)
    settings = server.ServerSettings(
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
        (server if settings.workers == 1 else workers).serve(settings, on_started, limits)
    except KeyboardInterrupt:
        return 0
    return 0


def require(extra: str, *libraries: str) -> None:
    """Check that libraries are installed. extra: of the package, which brings them. Raises CommandError."""
    if missing := [name for name in libraries if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Tables in the browser need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command=f"pip install 'rulewright[{extra}]'",
            )
        )
