"""Programs that tell each sentence as they come to it, so that people can follow them."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.program.form import Program

ACTING, NAMED, SAID = "acting", "named ", "said "
"""How the slots of a sentence's text begin: who acts, what has been given a name, what stands in the sentence."""


@record
class FollowedSentence:
    """A sentence where it is done: one of a step that is done from two places is two of them.

    outer: the number of the one around it, or -1; step: the phase, step or power to which it belongs; test: what it
    asks before it goes on, as it stands there, or ''; loops: whether what stands inside is done again and again;
    declared: where what is named in it is declared, by its name there; shuffles: whether its own instructions shuffle.
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
class FollowedProgram:
    """A program that does what the edition's own does, and tells its sentences besides.

    begins, goes_on: by the number of the text that tells so, which sentence begins, or goes on after what stood inside
    it or was answered; asks: by the number of each site, the sentence that asks there.
    """

    program: Program
    sentences: tuple[FollowedSentence, ...]
    begins: Mapping[int, int]
    goes_on: Mapping[int, int]
    asks: Mapping[int, int]
