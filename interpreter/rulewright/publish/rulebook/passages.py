"""Passages of a rulebook about single rules: texts, titles and pictures, in the book's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Phrase
from rulewright.model.pictures import PictureError
from rulewright.publish.rulebook.model import BookBlock, Chapter, Rule, anchor
from rulewright.publish.rulebook.pieces import Pieces


class Passages:
    """Passages of the rules of an edition. options: all options, as chosen."""

    def __init__(self, rules: Rules, language: str, options: Mapping[str, str]) -> None:
        self.rules, self.edition = rules, rules.edition
        self.localizer = localizer_of(rules.edition, language)
        self.texts = RuleTexts(rules, options)
        self.terms, self.pieces = Terms(rules.edition), Pieces(rules, self.localizer, options)

    def chapter(self, key: str, title: Phrase, blocks: Iterable[BookBlock]) -> Chapter:
        """Make a chapter. key: of its rule, which gives its anchor."""
        return Chapter(anchor(key), self.localizer.title(title), tuple(blocks))

    def rule(self, key: str, picture: str = "") -> Rule | None:
        """Return a rule with its title, text and picture; None if it has no text."""
        text = self.text(key)
        picture_ = picture or self.rule_picture(key)
        return Rule(anchor(key), self.localizer.title(self.terms.rule(key)), text, picture_) if text else None

    def rule_picture(self, key: str) -> str:
        """Return the picture that the edition gives to a rule, as SVG; '' for none."""
        name = self.edition.rule_pictures.get(key)
        return self.pieces.faces.picture(name.text) if name is not None else ""

    def rules_in(self, section: str, names: Iterable[str] | None = None) -> list[Rule]:
        """List the rules with a text in a section, or for some of its names, in its order."""
        known_names = self.names(section) if names is None else names
        return [rule for name in known_names if (rule := self.rule(RuleKey.of(section, name))) is not None]

    def names(self, section: str) -> list[str]:
        """List the names of the rules with a text in a section."""
        return [key.name for key in self.texts.rule_keys() if key.section == section]

    def text(self, key: str) -> str:
        """Return a rule's text; '' if it has none."""
        rule = self.texts.rule(key)
        return self.say(rule) if rule is not None else ""

    def say(self, text: Phrase) -> str:
        """Return a text in the book's language."""
        return self.localizer.say(text)

    def picture(self, name: str) -> str:
        """Return a picture by its name, in lower case and with hyphens for blanks, as SVG; '' if it does not exist or
        is broken."""
        try:
            return self.pieces.faces.pictures.svg("-".join(name.lower().split()))
        except PictureError:
            return ""
