"""Edition -> program."""

from rulewright.compiler.build import check, compile_edition, listing, settled
from rulewright.compiler.core import Condition

__all__ = ["Condition", "check", "compile_edition", "listing", "settled"]
