"""The translations of a game that comes along, for a copy of it that is changed from then on."""

from __future__ import annotations

from pathlib import PurePosixPath

from rulewright.game.library import Rules
from rulewright.i18n import catalog_editing, catalogs, languages
from rulewright.i18n.localizer import ENGLISH
from rulewright.publish import templates

_OWN = ("title", "series")
"""What a copy is called anew."""


def catalogs_for(rules: Rules, file: str) -> dict[str, str]:
    """By their names, the catalogs to lie beside a copy, in every language into which something of it is translated.

    rules: of the game that comes along; file: the name of the copy.
    """
    messages = [message for message in templates.own(rules) if message.context not in _OWN]
    wanted = {(message.context, message.one) for message in messages}
    name, found = PurePosixPath(file), {}
    for language in (code for code in languages.languages() if code != ENGLISH):
        known = catalogs.load(languages.catalog(language, rules.name.partition("/")[0]), language).entries
        given = {key: texts for key, texts in known.items() if key in wanted and all(texts)}
        if given:
            text = catalog_editing.translated(messages, None, language, name.stem, given)
            found[str(name.with_name(f"{name.stem}.{language}.po"))] = text
    return found
