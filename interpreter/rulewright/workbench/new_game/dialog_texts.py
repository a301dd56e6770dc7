"""Words of the dialog 'New' for turns and ways to win; the templates have the same names."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.localizer import Phrase, phrase

WORDS: Mapping[str, Phrase] = {
    "new turn draw": phrase("design", "Draw a card, then play one"),
    "new turn draft": phrase("design", "Keep a card, pass the others on"),
    "new turn market": phrase("design", "Take a card from those on display"),
    "new turn match": phrase("design", "Play a card that fits the one before, or draw"),
    "new turn tricks": phrase("design", "Take tricks, following suit"),
    "new turn bid": phrase("design", "Bid cards in secret for a prize"),
    "new turn duel": phrase("design", "All lay a card, the lowest loses a life"),
    "new turn push": phrase("design", "Roll, and stop before you lose it all"),
    "new turn keep": phrase("design", "Roll, keep what you like, roll the rest again"),
    "new turn survive": phrase("design", "All roll, the lowest loses a life"),
    "new turn place": phrase("design", "Put a marker on an empty space"),
    "new turn move": phrase("design", "Move a piece, and capture by moving onto it"),
    "new turn track": phrase("design", "Roll the dice and race along a track"),
    "new turn bag": phrase("design", "Draw markers from a bag, and stop before one comes twice"),
    "new turn heap": phrase("design", "Take some markers from a heap"),
    "new win points": phrase("design", "Most points"),
    "new win fewest": phrase("design", "Fewest points"),
    "new win most of one sort": phrase("design", "Most of one sort"),
    "new win race": phrase("design", "First to a number of points"),
    "new win first out": phrase("design", "First to empty their hand"),
    "new win last one in": phrase("design", "Last one in"),
    "new win row": phrase("design", "First with a row on the board"),
    "new win longest row": phrase("design", "Longest row on the board"),
    "new win last to move": phrase("design", "Last one who can move"),
    "new win capture all": phrase("design", "Capture all pieces"),
    "new win reach the other side": phrase("design", "First to reach the other side"),
    "new win most left": phrase("design", "Most pieces left after some rounds"),
    "new win first home": phrase("design", "First to bring all home"),
    "new win takes the last": phrase("design", "Whoever takes the last one wins"),
    "new win leaves the last": phrase("design", "Whoever takes the last one loses"),
}
"""Phrases of the page by the names that its code has for them: 'new turn NAME', 'new win NAME'."""
