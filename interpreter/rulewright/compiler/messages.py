"""Messages of the compiler: problems, and hints how to solve them."""

from __future__ import annotations

from rulewright.base.wording import Hint, Problem

# instructions of words and pieces: 'do what … says'
NO_INSTRUCTIONS = Problem("says-nothing", "{owner} says nothing to do.")
GIVE_INSTRUCTIONS = Hint("A word says with 'do' what is done; so does a kind of piece, or a word that its pieces have.")
CANNOT_SAY_WHAT_TO_DO = Problem("type", "Only a word or a piece says what to do; this is {given}.")
INSTRUCTIONS_CALL_THEMSELVES = Problem("circular", "This does itself: {steps}.")
AVOID_CIRCLES = Hint("What something says can do what others say, in no circle.")
