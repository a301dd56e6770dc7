"""What a run came to, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.i18n.localizer import Argument, DecimalNumber, phrase
from rulewright.simulation.quantities import decimals, of_games, of_seat
from rulewright.simulation.report_texts import Teller, not_by_rules
from rulewright.simulation.statistics import mean, share

_INDENT = "  "


def summary(teller: Teller) -> Iterator[tuple[str, Argument]]:
    """Groups of games, by seat, in lines, each after its indent. Raises DamagedError."""
    for group in teller.groups:
        setting = group.setting
        label = teller.speech.headed(teller.label(group)) if len(teller.groups) > 1 else ""
        yield from (("", told) for told in not_by_rules(teller, group))
        if not len(setting.games):
            continue
        shared = (of_games(setting, "winners") <= 1).map(lambda alone: 1 - alone).mean()
        yield (
            "",
            phrase(
                "simulation",
                "{setting} {games} [game|games] of {rounds} rounds; the lead changes {changes} times; {shared} end in "
                "a shared win",
                setting=label,
                games=len(setting.games),
                rounds=DecimalNumber(of_games(setting, "rounds").mean()),
                changes=DecimalNumber(of_games(setting, "lead_changes").mean()),
                shared=DecimalNumber(shared, percent=True),
            ),
        )
        for seat, _ in enumerate(group.plan.seats, 1):
            who: dict[str, Argument] = {"seat": seat, "player": teller.player(group.plan, seat - 1)}
            if seat - 1 not in setting.scored_seats:
                yield _INDENT, phrase("simulation", "seat {seat} ({player}): not scored", **who)
                continue
            won, points = share(of_seat(setting, "won", seat - 1)), mean(of_seat(setting, "total", seat - 1))
            of_won, of_points = max(1, decimals(won, shares=True)), max(1, decimals(points))
            who |= {
                "won": DecimalNumber(won.value, of_won, percent=True),
                "low": DecimalNumber(won.low, of_won, percent=True),
                "high": DecimalNumber(won.high, of_won, percent=True),
                "points": DecimalNumber(points.value, of_points),
            }
            if not points.known:
                told = phrase(
                    "simulation", "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points", **who
                )
            else:
                told = phrase(
                    "simulation",
                    "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points (± {more})",
                    **who,
                    more=DecimalNumber(points.high - points.value, of_points),
                )
            yield _INDENT, told
