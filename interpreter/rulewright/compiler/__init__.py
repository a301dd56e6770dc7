"""Edition -> program."""

from rulewright.compiler.build import check, compile_edition
from rulewright.compiler.layout import Setting

__all__ = ["Setting", "check", "compile_edition"]
