"""Where the rules stand that an edition tells in words."""

from __future__ import annotations

from typing import Self


class RuleKey(str):
    """The place of a rule, as 'setup', 'phases.NAME' or 'options.NAME.choices.CHOICE': a section of an edition, mostly
    a name in it, and of an option perhaps one of its choices."""

    __slots__ = ()

    @classmethod
    def of(cls, section: str, name: str, choice: str = "") -> Self:
        return cls(f"{section}.{name}.choices.{choice}" if choice else f"{section}.{name}")

    @property
    def section(self) -> str:
        return self.partition(".")[0]

    @property
    def name(self) -> str:
        """'' where the section is the rule."""
        return self.partition(".")[2].partition(".choices.")[0]

    @property
    def choice(self) -> str:
        """Of an option; '' where the whole option is meant."""
        return self.partition(".choices.")[2]
