"""What names and sentences mean: an edition becomes a program.

It does not know how a program is run.
"""

from rulewright.compiler.build import check, compile_edition, followed, listing, settled
from rulewright.compiler.context import Condition

__all__ = ["Condition", "check", "compile_edition", "followed", "listing", "settled"]
