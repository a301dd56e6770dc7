"""Cutouts: common base of everything to cut out, an edition and its faces in one language."""

from __future__ import annotations

from rulewright.game.library import Rules
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import ENGLISH
from rulewright.publish.faces import Faces


class Cutouts:
    """Edition in one language, with the faces of its pieces."""

    def __init__(self, rules: Rules, language: str = ENGLISH) -> None:
        self.edition, self.language = rules.edition, language
        self.localizer, self.terms = localizer_of(rules.edition, language), Terms(rules.edition)
        self._faces = Faces(rules, self.localizer)

    @property
    def picture_errors(self) -> dict[str, str]:
        """Errors of pictures that had to be left out, by name."""
        return self._faces.picture_errors

    def title(self) -> str:
        """Return the title of the game, in the language."""
        return self.localizer.say(self.terms.title())
