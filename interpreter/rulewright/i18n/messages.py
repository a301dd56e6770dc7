"""Messages of mistakes in grammars of languages."""

from __future__ import annotations

from rulewright.base.wording import Problem

WRONG_GRAMMAR = Problem("wrong-shape", "{reason}")
