"""Texts of the page about the end of a game, by the names under which its modules ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.localizer import Phrase, phrase

END_WORDS: Mapping[str, Phrase] = {
    # For translators: Names of tabs at the end of a game: the reader's own decisions, and the log. As short as can be.
    "decisions": phrase("page", "Decisions"),
    "record": phrase("page", "Log"),
    "you win": phrase("page", "You win!"),
    "decision": phrase("page", "Decision {number} / {last}"),
    "earlier decision": phrase("page", "The decision before"),
    "later decision": phrase("page", "The next decision"),
    "offered": phrase("page", "You could choose"),
    "taken": phrase("page", "You chose"),
    "came of it": phrase("page", "What happened next"),
    "table then": phrase("page", "The table then"),
    # For translators: Above a chart: how likely one was to win, from the first decision to the last.
    "chances": phrase("page", "Chances through the game"),
    # For translators: 'Judging the decisions: 12 / 40', while the computer does.
    "judging": phrase("page", "Judging the decisions"),
    # For translators: A button: to the next of one's own answers that was not good enough.
    "next mistake": phrase("page", "Next mistake"),
    # For translators: A summary that opens: how often the computer tried, and how much its figures may be off.
    "how sure": phrase("page", "How sure is that?"),
    # For translators: A button beside the board: explains the computer's last move. As short as can be.
    "why move": phrase("page", "Why this move?"),
    "may follow": phrase("page", "What may follow"),
    "in the game": phrase("page", "In the game"),
    # For translators: The head of a column: what somebody's errors cost in all, in per cent.
    "chances lost": phrase("page", "Lost"),
    # For translators: A button: watch a game that is over from its beginning. As short as can be.
    "replay": phrase("page", "Replay"),
    "whole game": phrase("page", "Watch the whole game"),
    # For translators: Headings of rows: what the points came from, and figures such as how many spaces somebody has.
    "points from": phrase("page", "Points from"),
    "at the end": phrase("page", "At the end"),
    # For translators: 'What decided it: Herds (Ada 34, Ben 22).'
    "decisive": phrase("page", "What decided it: {what} ({winner} {points}, {other} {others})."),
    # For translators: Below the winner, where points are equal: what decided between them.
    "level": phrase("page", "Equal points; decided by: {what}"),
    "led since": phrase("page", "{name} has led since round {round}."),
    "own lead since": phrase("page", "You have led since round {round}."),
    # For translators: A button: share or save the end of the game as a picture.
    "as picture": phrase("page", "As a picture"),
    "print": phrase("page", "Print the score sheet"),
    "share": phrase("page", "Share the replay"),
    "replay link": phrase("page", "Whoever has this link can watch the whole game, as an onlooker saw it"),
    "curve": phrase("page", "The course of the game"),
    "result": phrase("page", "Result"),
    "rank": phrase("page", "Rank"),
    "total": phrase("page", "Total"),
    "save": phrase("page", "Save the game"),
}
