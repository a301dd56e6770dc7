"""Placeholders of the command line's help, such as NAME and FILE, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.i18n.localizer import Localizer, Phrase, phrase

PLACEHOLDERS: Mapping[str, Phrase] = {
    "ADDRESS": phrase("placeholder", "ADDRESS"),
    "CODE": phrase("placeholder", "CODE"),
    "COMMAND": phrase("placeholder", "COMMAND"),
    "EDITION": phrase("placeholder", "EDITION"),
    "FILE": phrase("placeholder", "FILE"),
    "FOLDER": phrase("placeholder", "FOLDER"),
    "GOAL": phrase("placeholder", "GOAL"),
    "LESSON": phrase("placeholder", "LESSON"),
    "LIST": phrase("placeholder", "LIST"),
    "NAME": phrase("placeholder", "NAME"),
    "SECONDS": phrase("placeholder", "SECONDS"),
    "VALUE": phrase("placeholder", "VALUE"),
    "VALUES": phrase("placeholder", "VALUES"),
}
"""Word in capitals, as sources have it -> phrase."""

_WORD = re.compile(r"\b[A-Z]{2,}\b")
"""Word in capitals, which may be a placeholder."""


def translate_placeholders(text: str, localizer: Localizer) -> str:
    """Translate the placeholders in a usage text such as `--option NAME=VALUE`; other words in capitals stay."""
    return _WORD.sub(lambda word: localizer.say(PLACEHOLDERS[word[0]]) if word[0] in PLACEHOLDERS else word[0], text)
