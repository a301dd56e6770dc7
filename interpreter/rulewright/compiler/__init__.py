"""Edition -> program."""

from rulewright.compiler.build import check, compile_edition

__all__ = ["check", "compile_edition"]
