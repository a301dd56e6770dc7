"""Choice of rules for a saved game: the edition's present ones if they play the same, else those in the save.

Rulewright's first saves contain none; the shipped editions of that time are in `editions/earlier.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from rulewright.base import resources
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.library import Rules, UnknownEdition
from rulewright.game.saved_game import SavedGame
from rulewright.game.setup import GameError
from rulewright.i18n.localizer import phrase


def rules_of(saved: SavedGame, today: Rules | None) -> tuple[Rules, bool]:
    """Return the rules of a saved game, and whether its edition plays differently now.

    today: of its edition, if they cannot be found by its name. Raises GameError if the rules are lost or broken, and
    UnknownEdition and EditionError if the save has none and the present ones cannot be loaded.
    """
    text, bases = (saved.rules, saved.bases) if saved.rules else (_earlier_rules(saved.digests), [])
    try:
        today = today or library.load(saved.edition)
    except (UnknownEdition, EditionError):
        if not text:
            raise
    if today is not None and today.can_continue(saved.digests):
        return today, False
    if not text:
        raise GameError(
            phrase(
                "errors",
                "This game was played by other rules: the edition '{edition}' or Rulewright has changed since. "
                "Play it on with what it was saved with, or start a new game.",
                edition=saved.edition,
            )
        )
    edition_files = today.edition.files if today is not None else ()
    try:
        return library.from_saved_text(text, saved.edition, bases, edition_files), True
    except EditionError as error:
        raise GameError(
            phrase("errors", "The rules in this saved game cannot be played:\n\n{errors}", errors=str(error))
        ) from None


def _earlier_rules(digests: Iterable[str]) -> str:
    """Return the text of rules shipped with an earlier version; '' if there are none for these digests."""
    known = set(digests)
    for rules in json.loads(resources.read_text("editions", "earlier.json")):
        if not known.isdisjoint(rules["digests"]):
            return str(rules["text"])
    return ""
