"""Trained players that a server offers, loaded at its start and named after their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulewright import players
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.players import PlayerError
from rulewright.players.confusable_names import is_visible
from rulewright.players.kinds import POLICY, policy_path

if TYPE_CHECKING:
    from rulewright.players.policies import Policy

MAX_NAME_LENGTH = 100
"""Maximum number of characters of a trained player's name."""


class TrainedPlayers:
    """Policies by kind, as browsers name them: 'policy:NAME'. No path of this machine is sent, and none is accepted."""

    def __init__(self, policies: Mapping[str, Policy] | None = None) -> None:
        self.policies = dict(policies or {})
        self._misfits: dict[tuple[str, str, int], Phrase | None] = {}

    @classmethod
    def read(cls, files: Sequence[str]) -> TrainedPlayers:
        """Load policies from files. Raises PlayerError."""
        policies: dict[str, Policy] = {}
        for file in files:
            path = policy_path(file)
            kind, slots = f"{POLICY}:{path.stem}", {"path": file, "name": path.stem}
            if kind in policies:
                message = phrase(
                    "errors", "Two files of trained players are called '{name}'; give them different names.", **slots
                )
                raise PlayerError(message)
            if len(path.stem) > MAX_NAME_LENGTH or not is_visible(path.stem):
                message = phrase(
                    "errors",
                    "'{path}' gives the player its name, which must have 1 to {most} characters: rename it.",
                    most=MAX_NAME_LENGTH,
                    **slots,
                )
                raise PlayerError(message)
            policies[kind] = players.load_policy(path)
        return cls(policies)

    def misfit(self, kind: str, rules: Rules, seats: int) -> Phrase | None:
        """Explain why a kind of player cannot play at such a table; None if it can, as all untrained kinds can, and for
        numbers of seats that the edition does not have."""
        if not players.is_policy(kind):
            return None
        if kind not in self.policies:
            return phrase("errors", "This server has no trained player '{name}'.", name=kind.partition(":")[2])
        if seats not in rules.edition.seat_counts():  # nobody can play there, and that is told elsewhere
            return None
        key = kind, rules.hash, seats
        if key not in self._misfits:
            self._misfits[key] = _misfit(self.policies[kind], rules, seats)
        return self._misfits[key]

    def offered(self, rules: Rules, localizer: Localizer) -> list[dict[str, Any]]:
        """List the players that can play an edition, each with the number of seats it was trained for, and a notice to
        show or ''."""
        entries = []
        for kind, policy in self.policies.items():
            seats = policy.trained.seats
            if seats in rules.edition.seat_counts() and self.misfit(kind, rules, seats) is None:
                notice = policy.notice(rules.title, rules.play_digest)
                name = kind.partition(":")[2]
                entry = {
                    "player": kind,
                    "name": name,
                    "seats": seats,
                    "notice": localizer.say(notice) if notice else "",
                }
                entries.append(entry)
        return entries


def _misfit(policy: Policy, rules: Rules, seats: int) -> Phrase | None:
    """Explain why a policy does not fit, by trying to load it for that many seats; None if it does."""
    try:
        policy.player(rules.machine(seats))
    except PlayerError as error:
        reason: Phrase = error.args[0]
        return reason
    return None
