"""Names and sentences resolved and compiled: an edition becomes a program.

It does not know how a program is run. Within it, a function that compiles or resolves something reports what is wrong
there, and then raises ReportedError; its caller skips that part and goes on with the next.
"""

from rulewright.compiler.build import check, check_conditions, compile_edition, compile_traced, compile_with_sources
from rulewright.compiler.remarks import Condition

__all__ = ["Condition", "check", "check_conditions", "compile_edition", "compile_traced", "compile_with_sources"]
