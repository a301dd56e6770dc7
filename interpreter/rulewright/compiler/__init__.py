"""Edition -> program."""

from rulewright.compiler.build import check, compile_edition, settled
from rulewright.compiler.core import Condition
from rulewright.compiler.layout import Setting

__all__ = ["Condition", "Setting", "check", "compile_edition", "settled"]
