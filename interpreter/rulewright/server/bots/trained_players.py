"""Trained players that a server offers: read once, when it begins, and called by the stems of their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright import players
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, Speech, phrase
from rulewright.players import PlayerError
from rulewright.players.confusable_names import is_visible
from rulewright.players.kinds import POLICY, policy_path

if TYPE_CHECKING:
    from rulewright.players.policies import Policy

LONGEST_NAME = 100


class TrainedPlayers:
    """policies: by their kinds as browsers name them, 'policy:NAME'. No path of this machine goes over the wire, and
    none that comes from there is opened."""

    def __init__(self, policies: Mapping[str, Policy] | None = None) -> None:
        self.policies = dict(policies or {})
        self._misfits: dict[tuple[str, str, int], Phrase | None] = {}

    @classmethod
    def read(cls, files: Sequence[str]) -> TrainedPlayers:
        """Those in files. Raises PlayerError."""
        found: dict[str, Policy] = {}
        for file in files:
            path = policy_path(file)
            kind, slots = f"{POLICY}:{path.stem}", {"path": file, "name": path.stem}
            if kind in found:
                told = phrase(
                    "errors", "Two files of trained players are called '{name}'; give them different names.", **slots
                )
                raise PlayerError(told)
            if len(path.stem) > LONGEST_NAME or not is_visible(path.stem):
                told = phrase(
                    "errors",
                    "'{path}' gives the player its name, which must have 1 to {most} characters: rename it.",
                    most=LONGEST_NAME,
                    **slots,
                )
                raise PlayerError(told)
            found[kind] = players.load_policy(path)
        return cls(found)

    def misfit(self, kind: str, rules: Rules, seats: int) -> Phrase | None:
        """Why a player of that kind cannot play at such a table, or None: of others than trained ones, nothing does."""
        if not players.is_policy(kind):
            return None
        if kind not in self.policies:
            return phrase("errors", "This server has no trained player '{name}'.", name=kind.partition(":")[2])
        if seats not in rules.edition.seat_counts():  # nobody can play there, and that is told elsewhere
            return None
        at = kind, rules.hash, seats
        if at not in self._misfits:
            self._misfits[at] = _misfit(self.policies[kind], rules, seats)
        return self._misfits[at]

    def offered(self, rules: Rules, said: Speech) -> list[dict[str, Any]]:
        """Those that can play an edition, each with the one number of seats that it has learned, and what people should
        know of it, or ''."""
        found = []
        for kind, policy in self.policies.items():
            seats = policy.trained.seats
            if seats in rules.edition.seat_counts() and self.misfit(kind, rules, seats) is None:
                notice = policy.notice(rules.title, rules.plays)
                name = kind.partition(":")[2]
                told = {"player": kind, "name": name, "seats": seats, "notice": said.say(notice) if notice else ""}
                found.append(told)
        return found


def _misfit(policy: Policy, rules: Rules, seats: int) -> Phrase | None:
    try:
        policy.player(rules.machine(seats))
    except PlayerError as error:
        why: Phrase = error.args[0]
        return why
    return None
