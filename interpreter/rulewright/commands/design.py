"""Command `rulewright design`, whose dependencies are optional."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.base import resources
from rulewright.commands.common import CommandError, choose_localizer
from rulewright.i18n.localizer import phrase
from rulewright.publish.console import Console

_NEEDED = ("pygls", "segno", "starlette", "uvicorn", "websockets")
"""Libraries of the workbench."""


def design(arguments: Namespace) -> int:
    """Open the workbench in the browser, until it is ended there or here."""
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise CommandError(
            phrase(
                "errors",
                "The workbench needs {libraries}, not installed here: {command}.",
                libraries=tuple(missing),
                command="pip install 'rulewright[design]'",
            )
        )
    from rulewright.workbench import launcher  # noqa: PLC0415 - it needs what is not always there
    from rulewright.workbench.application import WorkbenchSettings  # noqa: PLC0415
    from rulewright.workbench.core.workspace import Workspace  # noqa: PLC0415
    from rulewright.workbench.new_game import game_archive  # noqa: PLC0415 - it needs what is not always there

    path = Path(arguments.path)
    if path.suffix == game_archive.SUFFIX and path.is_file():
        path = game_archive.unpack(game_archive.content(path), path.parent, path.name)
    folder = Workspace(path if path.is_dir() else path.parent)
    if folder.path.is_relative_to(resources.folder("editions").resolve()):
        raise CommandError(
            phrase(
                "errors",
                "'{path}' comes with Rulewright and stays as it is. Start the workbench in a folder of your own, and "
                "begin with a copy or a variant there.",
                path=arguments.path,
            )
        )
    name = "" if path.is_dir() else folder.name_of(path) or ""
    if name and not folder.is_there(name):
        raise CommandError(phrase("errors", "There is no file '{path}'.", path=arguments.path))
    localizer = choose_localizer(arguments.lang)
    console = Console(None, sys.stdout, localizer=localizer)

    def on_started(address: str) -> None:
        console.command(phrase("design", "The workbench is at"), address)
        console.paragraph(phrase("design", "Ctrl-C ends it; all that you typed is kept."), style="faint")
        sys.stdout.flush()

    try:
        launcher.serve(
            folder,
            WorkbenchSettings(name, arguments.end_after * 60, localizer.language if arguments.lang else ""),
            on_started,
            arguments.port,
            not arguments.no_browser,
        )
    except KeyboardInterrupt:
        return 0
    return 0
