"""What all sorts of things to cut out know: an edition and its faces in one language."""

from __future__ import annotations

from rulewright.game.library import Rules
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.localizer import ENGLISH
from rulewright.publish.faces import Faces


class Cutting:
    """Things of an edition in one language."""

    def __init__(self, rules: Rules, language: str = ENGLISH) -> None:
        self.edition, self.language = rules.edition, language
        self.speech, self.terms = speech_of(rules.edition, language), Terms(rules.edition)
        self._faces = Faces(rules, self.speech)

    @property
    def unseen(self) -> dict[str, str]:
        """What is wrong with pictures that had to be left out, by name."""
        return self._faces.picture_errors

    def title(self) -> str:
        return self.speech.say(self.terms.title())
