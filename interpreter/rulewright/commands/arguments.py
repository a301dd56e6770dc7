"""Arguments of `rulewright`: commands, options and their help in the reader's language.

Commands for players speak every language; those for designers and translators explain themselves in English.
"""

from __future__ import annotations

from importlib import import_module

from rulewright import __version__
from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import Localizer, phrase

_GROUPS = {
    "player_arguments:play": ("play",),
    "player_arguments:learn": ("learn",),
    "player_arguments:replay": ("replay",),
    "player_arguments:analyse": ("analyse",),
    "player_arguments:serve": ("serve",),
    "player_arguments:data": ("data",),
    "player_arguments:editions": ("editions",),
    "designer_arguments:checks": ("check", "format", "test"),
    "simulation_arguments:simulations": ("simulate", "report", "compare", "tune"),
    "simulation_arguments:train": ("train",),
    "designer_arguments:authoring": (
        *("diff", "explain", "new", "pack", "unpack", "rulebook", "cards", "schema", "locale"),
    ),
    "designer_arguments:editors": ("design", "language-server"),
}
"""Functions that add commands, each with these, in the order of the help."""


def build_parsers(localizer: Localizer, command: str = "") -> tuple[Parser, dict[str, Parser]]:
    """Build the parser of the whole command line, and those of its commands. command: the one that is needed, if known;
    others may then be left out."""
    builder = Builder(localizer)
    version = localizer.say(phrase("usage", "show the version"))
    builder.parser.add_argument("--version", action="version", version=f"rulewright {__version__}", help=version)
    for function in [name for name, commands in _GROUPS.items() if command in commands] or _GROUPS:
        module, _, name = function.partition(":")
        getattr(import_module(f"rulewright.commands.{module}"), name)(builder)
    return builder.parser, dict(builder.subparsers.choices)
