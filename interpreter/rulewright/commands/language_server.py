"""Command `rulewright language-server`, whose dependencies are optional."""

from __future__ import annotations

from argparse import Namespace
from importlib.util import find_spec

from rulewright.commands.common import CommandError, choose_language
from rulewright.i18n.localizer import phrase


def language_server(arguments: Namespace) -> int:
    """Serve an editor over standard input and output, until it goes."""
    if missing := [name for name in ("pygls", "lsprotocol") if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "Editors need {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command="pip install 'rulewright[edit]'",
            )
        )
    from rulewright.editing import language_server  # noqa: PLC0415 - it needs what is not always there

    language_server.serve(choose_language(arguments.lang) if arguments.lang else "")
    return 0
