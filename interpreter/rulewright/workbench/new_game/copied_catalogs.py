"""Translations of a shipped game, for a copy of it."""

from __future__ import annotations

from pathlib import PurePosixPath

from rulewright.game.library import Rules
from rulewright.i18n import catalog_editing, catalogs, languages
from rulewright.i18n.localizer import ENGLISH
from rulewright.publish import templates

_NEW_TEXTS = ("title", "series")
"""Texts that a copy has anew."""


def catalogs_for(rules: Rules, file: str) -> dict[str, str]:
    """Return the catalogs to write beside a copy, by file name, in each language that has translations of it. rules: of
    the shipped game; file: name of the copy."""
    messages = [message for message in templates.own_messages(rules) if message.context not in _NEW_TEXTS]
    keys = {(message.context, message.one) for message in messages}
    name, result = PurePosixPath(file), {}
    for language in (code for code in languages.languages() if code != ENGLISH):
        known = catalogs.load(languages.catalog_path(language, rules.name.partition("/")[0]), language).entries
        usable = {key: texts for key, texts in known.items() if key in keys and all(texts)}
        if usable:
            text = catalog_editing.with_translations(messages, None, language, name.stem, usable)
            result[str(name.with_name(f"{name.stem}.{language}.po"))] = text
    return result
