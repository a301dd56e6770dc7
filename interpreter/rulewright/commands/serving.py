"""What `rulewright serve` does; what it needs is not always installed."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.commands.common import CommandError, spoken
from rulewright.i18n.speech import phrase
from rulewright.players import saves
from rulewright.publish.console import Console


def serve(arguments: Namespace) -> int:
    """Serve tables to browsers until it is stopped."""
    if missing := [name for name in ("segno", "starlette", "uvicorn", "websockets") if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Tables in the browser need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command="pip install 'rulewright[serve]'",
            )
        )
    from rulewright.server import server  # noqa: PLC0415 - it needs what is not always there

    console = Console(None, sys.stdout, speech=spoken(arguments.lang))

    def begun(address: str) -> None:
        console.command(phrase("serving", "The tables are at"), address)
        console.paragraph(phrase("serving", "Ctrl-C ends the server; all games are kept."), style="faint")
        sys.stdout.flush()

    data = Path(arguments.data) if arguments.data else saves.state_folder() / "tables"
    served = server.Served(
        arguments.host,
        arguments.port,
        data,
        arguments.editions,
        arguments.allow_host,
        arguments.trust_proxy,
        arguments.policy,
    )
    try:
        server.serve(served, begun)
    except KeyboardInterrupt:
        return 0
    return 0
