"""Parser of saved games, which are untrusted files."""

from __future__ import annotations

from typing import Any

from rulewright.base.records import record
from rulewright.game.early_ends import early_end_from_json
from rulewright.game.setup import GameError
from rulewright.i18n.localizer import phrase
from rulewright.syntax.source import MAX_FILE_SIZE

SAVE_FORMAT = 1
"""Version of the format of saved games, under the key `rulewright`; others are refused."""
MAX_ANSWERS = 100_000
"""Maximum number of answers in a save."""


@record
class SavedGame:
    """Content of a save: the start of the game, and the answers since.

    - digests: of its rules
    - rules: their whole text, '' in the first saves
    - bases: the editions that they extended
    - in_order: whether items of an answer take effect in the order of its keys, as in all but the first saves, instead
      of the order offered
    - roles: of the virtual players among `names`
    - answers: as written, since only `answer` checks them
    - conceded: seats that gave up, in order
    - late: those of them whose time ran out
    - cut_off: reason why the game ended before its rules ended it, or ''
    """

    edition: str
    digests: list[str]
    names: list[str]
    roles: dict[str, str]
    options: dict[str, str]
    seed: int
    answers: list[Any]
    conceded: tuple[int, ...] = ()
    late: frozenset[int] = frozenset()
    cut_off: str = ""
    rules: str = ""
    bases: tuple[str, ...] = ()
    in_order: bool = False

    @classmethod
    def read(cls, save: Any) -> SavedGame:
        """Parse a save. Raises GameError for an invalid structure. Answers are checked one by one, in `answer`."""
        if not isinstance(save, dict) or save.get("rulewright") != SAVE_FORMAT:
            raise GameError(phrase("errors", "This is not a saved game of Rulewright."))
        try:
            seats, conceded, late, cut_off = save["seats"], *early_end_from_json(save)
            result = cls(
                edition=save["edition"]["name"],
                digests=[save["edition"]["hash"], save["edition"].get("plays", "")],
                names=[seat["name"] for seat in seats],
                roles={seat["name"]: seat["role"] for seat in seats if "role" in seat},
                options=dict(save["options"]),
                seed=save["seed"],
                answers=save["answers"],
                conceded=conceded,
                late=late,
                cut_off=cut_off,
                rules=save["edition"].get("rules", ""),
                bases=tuple(save["edition"].get("extends", ())),
                in_order=save.get("in order", False) is True,
            )
        except (AttributeError, KeyError, TypeError, ValueError):
            raise _damaged() from None
        texts = [result.edition, result.rules, *result.bases, *result.digests, *result.names]
        texts += [*result.roles.values(), *result.options.values()]
        whole = all(isinstance(text, str) for text in [*texts, *result.options]) and type(result.seed) is int
        if not whole or not isinstance(result.answers, list) or len(result.answers) > MAX_ANSWERS:
            raise _damaged()
        if len(result.rules) > MAX_FILE_SIZE:
            raise _damaged()
        if any(type(seat) is not int or seat not in range(len(result.names)) for seat in conceded):
            raise _damaged()
        return result

    def answer(self, number: int) -> tuple[int, list[str], str]:
        """Return an answer, counted from 0: its seat, keys, and the decision's id. Raises GameError."""
        try:
            entry = self.answers[number]
            seat, keys, decision = entry["seat"], entry["take"], entry["decision"]
        except (KeyError, TypeError):
            raise self.misfit(number) from None
        if type(seat) is not int or not isinstance(keys, list):
            raise self.misfit(number)
        return seat, [str(key) for key in keys], str(decision)

    def misfit(self, number: int) -> GameError:
        """Return the error for an answer, counted from 0, that does not fit the game's question."""
        return GameError(
            phrase(
                "errors",
                "This saved game is damaged: answer {number} of {count} does not fit the game.",
                number=number + 1,
                count=len(self.answers),
            )
        )


def _damaged() -> GameError:
    """Return the error for a save that cannot be read."""
    return GameError(phrase("errors", "This saved game is incomplete or damaged."))
