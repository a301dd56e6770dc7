"""Result of a game in words: who has won, why or by how much, and what became of each seat."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.game.early_ends import AGREED, CALLED_OFF, early_end_texts
from rulewright.game.ranking import SeatResult
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.publish.labels import Labels


def headline(labels: Labels, standings: Sequence[SeatResult]) -> str:
    """Return who has won, in a few words, or that it is a draw; '' for a single seat, or where nobody has won."""
    best = [standing.seat for standing in standings if standing.rank == 1]
    if len(standings) < 2 or not best:
        return ""
    if len(best) == len(standings):
        return labels.say(phrase("score", "A draw."))
    if len(best) > 1:
        return labels.say(phrase("score", "{names} win", names=labels.names(best)))
    return labels.say(phrase("score", "{name} wins", name=labels.names(best)[0]))


def reason(labels: Labels, standings: Sequence[SeatResult]) -> str:
    """Return why a game has ended or by how much somebody has won: its limit, an early end, concessions, or points;
    else ''."""
    if (limited := labels.game.position.limit_text()) is not None:
        return labels.say(limited)
    game = labels.game
    if game.cut_off in (AGREED, CALLED_OFF):
        return labels.say(early_end_texts(game.names, (), game.late, game.cut_off)[0])
    if game.late:
        return labels.say(early_end_texts(game.names, tuple(game.late), game.late, "")[0])
    if game.conceded:
        return labels.say(phrase("score", "{names} conceded.", names=labels.names(game.conceded)))
    following = next((standing for standing in standings if standing.rank > 1), None)
    if following is None or not following.lines:
        return ""
    ahead = abs(standings[0].total - following.total)
    if not ahead:
        return ""
    if len(standings) == 2:
        return labels.say(phrase("score", "By {points} [point|points]", points=ahead))
    near = labels.names(one.seat for one in standings if one.rank == following.rank)
    return labels.say(phrase("score", "{points} [point|points] ahead of {names}", points=ahead, names=near))


def own_place(labels: Labels, standings: Sequence[SeatResult], result: SeatResult) -> str:
    """Return what a seat that has not won is told of itself: that it lost, or its rank; '' for the best."""
    if result.rank == 1:
        return ""
    if _are_two_sides(standings):
        return labels.say(phrase("score", "You lost"))
    return labels.say(phrase("score", "You are {place}", place=labels.localizer.place(result.rank)))


def margin(labels: Labels, standings: Sequence[SeatResult], result: SeatResult) -> str:
    """Return how far a seat is behind the best in points; '' for the best, between two sides, and without points."""
    points = abs(standings[0].total - result.total) if result.lines else 0
    if not points or _are_two_sides(standings):
        return ""
    best = labels.names(one.seat for one in standings if one.rank == 1)
    return labels.say(phrase("score", "{points} [point|points] behind {names}", points=points, names=best))


def place(standings: Sequence[SeatResult], result: SeatResult, localizer: Localizer) -> str:
    """Return what became of a seat: a draw if all are first; won or lost between two sides; else its rank."""
    best = sum(one.rank == 1 for one in standings)
    if len(standings) > 1 and best == len(standings):
        return localizer.say(phrase("score", "draw"))
    if not _are_two_sides(standings):
        return localizer.place(result.rank)
    return localizer.say(phrase("score", "won") if result.rank == 1 else phrase("score", "lost"))


def _are_two_sides(standings: Sequence[SeatResult]) -> bool:
    """Return whether one half has won, and the other lost."""
    best = sum(one.rank == 1 for one in standings)
    return best * 2 == len(standings) and len({one.rank for one in standings}) == 2
