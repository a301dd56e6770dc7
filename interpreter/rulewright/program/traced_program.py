"""Traced programs, which emit each sentence as they execute it."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.program.form import Program

ACTING_SLOT, NAME_SLOT, VALUE_SLOT = "acting", "named ", "said "
"""Prefixes of the slots of a sentence's text: acting seat, named value, value in the sentence."""


@record
class TracedSentence:
    """Sentence at one place of execution: a sentence of a step called from two places counts twice.

    - outer: number of the enclosing one, or -1
    - step: its phase, step or power
    - test: its condition as written, or ''
    - loops: whether it repeats what it encloses
    - declared: place of the declaration of each name in it
    - shuffles: whether its own instructions shuffle
    """

    text: str
    place: SourcePlace
    outer: int
    step: str
    test: str
    loops: bool
    declared: Mapping[str, SourcePlace]
    shuffles: bool = False


@record
class TracedProgram:
    """Program that plays like the edition's own and also emits its sentences. begins: number of a text -> sentence that
    begins; continues: number of a text -> sentence that continues after an inner one or an answer; asks: number of a
    site -> sentence that asks there."""

    program: Program
    sentences: tuple[TracedSentence, ...]
    begins: Mapping[int, int]
    continues: Mapping[int, int]
    asks: Mapping[int, int]
