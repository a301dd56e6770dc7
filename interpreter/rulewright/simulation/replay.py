"""Replay of one game of a run, with all its log, to look at a row of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright import __version__
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.messages import rules_failed
from rulewright.game.setup import check_options
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.players import is_policy
from rulewright.players.seating import Seat, role_seat, spare_names
from rulewright.runtime.operations import RuleError
from rulewright.simulation import folder, planning, settings
from rulewright.simulation.chunk_player import answer_function, thinking_players
from rulewright.simulation.plan import Chunk, Plan


class ReplayError(RulewrightError):
    """Error: a game of a run cannot be played again."""


@record
class ReplayedGame:
    """Game of a run, as far as its rules went. stopped: why they failed, None if the game has an end."""

    game: Game
    stopped: Phrase | None = None


def replay(path: Path, number: int, setting: int = 0) -> ReplayedGame:
    """Play a game of the run in a folder again, as its row in the tables has it.

    number and setting: as in the columns `game` and `setting`. Raises ReplayError if there is no such game or it would
    be another one now, FolderError, UnknownEdition and EditionError.
    """
    plan = folder.read(path)
    _check(plan, path, number, setting)
    rules = library.load(plan.edition)
    if rules.hash != plan.hash:
        raise ReplayError(
            phrase("errors", "The rules of {name} have changed since this run was played.", name=plan.edition)
        )
    with_values = settings.rules_of(rules, plan.settings[setting])
    edition = with_values.edition
    seats, kinds = _seats(plan, edition), [seat.player for seat in plan.seats]
    options = {name: value for name, value in plan.settings[setting].items() if name in edition.options}
    options = check_options(with_values, options)
    machine = with_values.machine(len(seats), planning.at_the_table(edition, seats, options))
    seed = plan.table_seeds(Chunk(setting, number, 1))[0]
    names, roles = [seat.name for seat in seats], [seat.role for seat in seats]
    try:
        game = Game(with_values, names, roles, options, seed, machine=machine)
    except RuleError as error:
        raise ReplayError(rules_failed(seed, 0, 0, error)) from None
    answer = answer_function(seed, machine, kinds, thinking_players(kinds, {}, machine))
    try:
        while open_ := game.pending.open:
            keys = game.offer(open_[0]).keys(answer(game.state, open_[0]))
            game.answer(open_[0].seat, keys)
    except RuleError as error:
        return ReplayedGame(game, rules_failed(seed, game.position.round, len(game.history.answers) + 1, error))
    return ReplayedGame(game)


def _check(plan: Plan, path: Path, number: int, setting: int) -> None:
    """Raise ReplayError if a game of the run does not exist or cannot be played again."""
    if plan.played:
        message = phrase("errors", "People have played the games in '{path}': replay their saves.", path=str(path))
        raise ReplayError(message)
    for option, value, count in (("--setting", setting, len(plan.settings)), ("--game", number, plan.games)):
        if not 0 <= value < count:
            most = count - 1
            message = phrase("errors", "{option} is a whole number from 0 to {most}.", option=option, most=most)
            raise ReplayError(message)
    if policy := next((seat.player for seat in plan.seats if is_policy(seat.player)), ""):
        raise ReplayError(
            phrase("errors", "A run does not keep its trained players: '{kind}' cannot play again.", kind=policy)
        )
    if plan.version != __version__:
        slots = {"there": plan.version, "now": __version__}
        message = phrase("errors", "This run was played by Rulewright {there}; {now} may play it otherwise.", **slots)
        raise ReplayError(message)


def _seats(plan: Plan, edition: Edition) -> Sequence[Seat]:
    """Return the seats of a run with names, which it does not keep."""
    roles = edition.roles
    spare = spare_names([role.title for role in roles.values()])
    return [Seat(next(spare), seat.player) if seat.role is None else role_seat(roles[seat.role]) for seat in plan.seats]
