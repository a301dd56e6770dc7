"""Builder of the parsers of commands, and arguments that several commands share."""

from __future__ import annotations

import argparse

from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.i18n.placeholders import translate_placeholders

_COLOURS = ("auto", "always", "never")
"""Choices of `--color`, the default first."""
_PACES = ("slow", "usual", "fast", "at-once")
"""Choices of `--pace`."""
_LOADING = ("play", "analyse", "learn", "check", "authoring", "books", "simulate", "tune", "editions", "train")
"""Modules whose commands load editions."""


class Builder:
    """Builder of the parsers, with help in the reader's language."""

    def __init__(self, localizer: Localizer) -> None:
        self.localizer = localizer
        self.parser = Parser(
            localizer,
            prog="rulewright",
            description=localizer.say(phrase("usage", "Runs tabletop games from rule files.")),
        )
        self.subparsers: argparse._SubParsersAction[Parser] = self.parser.add_subparsers(
            dest="command",
            metavar=self.typed("COMMAND"),
            required=True,
            title=localizer.say(phrase("usage", "commands")),
        )

    def typed(self, text: str) -> str:
        """Translate the placeholders in what is typed."""
        return translate_placeholders(text, self.localizer)

    def text(self, message: Phrase) -> str:
        """Translate a text for argparse, with per cent signs escaped."""
        return self.localizer.say(message).replace("%", "%%")

    def add(self, name: str, help_: Phrase, module: str, description: Phrase | None = None) -> Parser:
        """Add a command. module: of this package, with a function of the command's name; description: for the help, if
        that function's docstring is none. Commands that load editions get --no-cache."""
        text = self.text(description) if description is not None else None
        parser = self.subparsers.add_parser(name, localizer=self.localizer, help=self.text(help_), description=text)
        parser.set_defaults(work=f"{module}:{name.replace('-', '_')}")
        if module in _LOADING:
            parser.argument("--no-cache", phrase("usage", "do not use the cache; read editions anew"))
        return parser

    def add_language_option(self, parser: Parser) -> None:
        """Add `--lang` to a command; None if it is not used."""
        parser.argument("--lang", phrase("usage", "the language: en, de …; else the system's"), "CODE")

    def add_colour_option(self, parser: Parser) -> None:
        """Add `--color` to a command, 'auto' by default."""
        help_ = phrase("usage", "{usual}: on terminals", usual=_COLOURS[0])
        parser.choice("--color", help_, _COLOURS, _COLOURS[0])

    def add_pace_option(self, parser: Parser) -> None:
        """Add `--pace` to a command; None if it is not used."""
        parser.choice("--pace", phrase("usage", "how fast things go by where somebody reads along"), _PACES)
