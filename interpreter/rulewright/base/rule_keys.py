"""Where the rules stand that an edition tells in words."""

from __future__ import annotations

from typing import Self


class RuleKey(str):
    """The place of a rule, as 'setup', 'phases.NAME', 'words.LIST.WORD' or 'options.NAME.choices.CHOICE': a section of
    an edition, mostly a name in it, of a list of words one of them, and of an option perhaps one of its choices."""

    __slots__ = ()

    @classmethod
    def of(cls, section: str, name: str, choice: str = "", word: str = "") -> Self:
        if word:
            return cls(f"{section}.{name}.{word}")
        return cls(f"{section}.{name}.choices.{choice}" if choice else f"{section}.{name}")

    @property
    def section(self) -> str:
        return self.partition(".")[0]

    @property
    def name(self) -> str:
        """Of a word, its own; '' where the section is the rule."""
        name = self.partition(".")[2].partition(".choices.")[0]
        return name.rpartition(".")[2] if self.section == "words" else name

    @property
    def words(self) -> str:
        """The list that a word stands in; '' for what is none."""
        return self.split(".")[1] if self.section == "words" else ""

    @property
    def choice(self) -> str:
        """Of an option; '' where the whole option is meant."""
        return self.partition(".choices.")[2]
