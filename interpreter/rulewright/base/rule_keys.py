"""Keys of the rules that an edition describes in words."""

from __future__ import annotations

from typing import Self


class RuleKey(str):
    """Key of a rule, as 'setup', 'phases.NAME', 'words.LIST.WORD' or 'options.NAME.choices.CHOICE': section, name
    within it, word of a list, choice of an option."""

    __slots__ = ()

    @classmethod
    def of(cls, section: str, name: str, choice: str = "", word: str = "") -> Self:
        """Return the key of a rule: 'SECTION.NAME', with a choice 'SECTION.NAME.choices.CHOICE', with a word
        'SECTION.NAME.WORD'."""
        if word:
            return cls(f"{section}.{name}.{word}")
        return cls(f"{section}.{name}.choices.{choice}" if choice else f"{section}.{name}")

    @property
    def section(self) -> str:
        """Section of the edition that the rule belongs to."""
        return self.partition(".")[0]

    @property
    def name(self) -> str:
        """Name of the rule (of a word, the word itself); '' if the section is the rule."""
        name = self.partition(".")[2].partition(".choices.")[0]
        return name.rpartition(".")[2] if self.section == "words" else name

    @property
    def words(self) -> str:
        """List of a word's rule; '' for others."""
        return self.split(".")[1] if self.section == "words" else ""

    @property
    def choice(self) -> str:
        """Choice of an option; '' for the whole option."""
        return self.partition(".choices.")[2]
