"""Rulewright runs tabletop games from rule files."""

__version__ = "0.1.0"
