"""Planning: from rules and a table to seats, compiled settings, and the plan of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rulewright import __version__
from rulewright.game.library import Rules
from rulewright.game.setup import check_options, check_seats
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.players import is_policy, is_time_limited, load_policy
from rulewright.players.kinds import POLICY, policy_file
from rulewright.players.seating import (
    PERSON,
    RANDOM_BOT,
    Seat,
    missing_roles,
    read_seats,
    role_seat,
    table_for,
    usual_people,
)
from rulewright.program.form import Program, Setting
from rulewright.program.state_layout import NOTHING
from rulewright.simulation import settings
from rulewright.simulation.chunk_player import CompiledSetting
from rulewright.simulation.plan import NameAndTitle, Plan, PlanError, PlannedSeat

if TYPE_CHECKING:
    from rulewright.players.policies import Policy


def seats(rules: Rules, request: str | None) -> list[Seat]:
    """Return the seats that `--seats` names, or the usual ones, with the virtual players that must join.

    Raises RulewrightError.
    """
    edition = rules.edition
    if request is None:
        seated = [Seat(seat.name, RANDOM_BOT) for seat in table_for(usual_people(edition), edition)]
    else:
        seated = read_seats(request, edition)
    person = next((seat for seat in seated if seat.player == PERSON), None)
    if person is not None:
        raise PlanError(
            phrase(
                "errors",
                "People are not simulated: write a kind of player, such as {kind}, for '{name}'.",
                kind=RANDOM_BOT,
                name=person.name,
            )
        )
    clock = next((seat.player for seat in seated if is_time_limited(seat.player)), None)
    if clock is not None:
        raise PlanError(
            phrase(
                "errors",
                "'{kind}' thinks by the clock, so its games could not be played again. Give it a number of tries "
                "instead: {other}.",
                kind=clock,
                other="search-200",
            )
        )
    seated += [role_seat(role) for role in missing_roles(seated, edition)]
    check_seats(rules, [seat.name for seat in seated], [seat.role for seat in seated])
    return seated


def with_policies(rules: Rules, table: Sequence[Seat]) -> tuple[list[Seat], dict[str, Policy], list[Phrase]]:
    """Name trained players by their content instead of their files.

    Returns the seats, these players by name, and notices about them. Raises PlayerError.
    """
    policy_names: dict[str, str] = {}
    policies: dict[str, Policy] = {}
    notices: list[Phrase] = []
    for kind in dict.fromkeys(seat.player for seat in table if is_policy(seat.player)):
        policy = load_policy(policy_file(kind))
        policy.player(rules.machine(len(table)))  # what does not fit is told at once
        policy_names[kind] = f"{POLICY}:{policy_file(kind).stem} {policy.digest[:8]}"
        policies[policy_names[kind]] = policy
        if notice := policy.notice(
            rules.title, rules.play_digest, [seat.role for seat in table if seat.role is not None]
        ):
            notices.append(notice)
    return [replace(seat, player=policy_names.get(seat.player, seat.player)) for seat in table], policies, notices


def plan(
    rules: Rules,
    table: Sequence[Seat],
    all_settings: Sequence[Mapping[str, str]],
    program: Program,
    seed: int,
    games: int,
) -> Plan:
    """Return the plan of a run, its size of chunks still open (0). program: of one of the settings."""
    return Plan(
        version=__version__,
        edition=rules.name,
        title=rules.title,
        hash=rules.hash,
        seats=tuple(PlannedSeat(seat.player, seat.role) for seat in table),
        settings=tuple(all_settings),
        varied=tuple(name for name in all_settings[0] if len({setting[name] for setting in all_settings}) > 1),
        seed=seed,
        games=games,
        per_chunk=0,
        lines=tuple(NameAndTitle(line.name, line.title.text) for line in program.scoring),
        measures=tuple(NameAndTitle(it.name, it.title.text) for it in program.measures),
        powers=tuple(program.powers),
    )


def compile_setting(
    rules: Rules, seated: Sequence[Seat], setting: Mapping[str, str], settled: bool = True
) -> CompiledSetting:
    """Compile one setting of a table: the rules with its values, and the state that its games start from. settled: for
    these roles and options alone, rather than for any. Raises EditionError, GameError."""
    with_values = settings.rules_of(rules, setting)
    at_table = at_the_table(
        with_values.edition, seated, check_options(with_values, _options(with_values.edition, setting))
    )
    only = at_table if settled else None
    machine = with_values.machine(len(seated), only)
    initial_state = tuple(machine.new(0, at_table.roles, at_table.options))
    return CompiledSetting(machine.program, initial_state, with_values.key(len(seated), only))


def at_the_table(edition: Edition, seated: Sequence[Seat], options: Mapping[str, str]) -> Setting:
    """Return the roles of the seats and the choices of all options, as a program numbers them."""
    names = list(edition.roles)
    roles = tuple(NOTHING if seat.role is None else names.index(seat.role) for seat in seated)
    return Setting(roles, tuple(option.choices.index(options[name]) for name, option in edition.options.items()))


def _options(edition: Edition, setting: Mapping[str, str]) -> dict[str, str]:
    """Return the options among a setting's names, with their choices."""
    return {name: value for name, value in setting.items() if name in edition.options}
