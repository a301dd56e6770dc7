"""A line of play made into a case: what was answered, and what its last answer has to bring about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.authoring import scenarios
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.base.diagnostics import Report
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import SEAT
from rulewright.runtime.view import MAKER, piece_names
from rulewright.workbench.cases import case_runner, case_texts
from rulewright.workbench.cases.case_texts import CaseTextError
from rulewright.workbench.play.game_start import FIRST_SEED, GameBeginning
from rulewright.workbench.play.play_tree import PlayNode, PlayTree

MOST_LISTED = 12
"""Pieces of a zone that a case names; of more it says how many there are."""

LONGEST_NAME = 80


def name_for(tree: PlayTree, node: PlayNode, taken: Sequence[str] = ()) -> str:
    """What a case may be called, by what happened last. taken: names that there are already."""
    game = tree.game_at(node)
    start = tree.game_at(node.parent).log_length if node.parent is not None else 0
    lines = [line.text for line in game.log(MAKER, start) if not line.heading]
    if lines:
        name = lines[-1]
    elif node.title:
        name = node.title
    elif node.parent is not None:
        name = f"{game.names[node.seat]} takes {node.taken}"
    else:
        name = "The game begins"
    name = " ".join(name.split()).removesuffix(".")[:LONGEST_NAME].strip()
    number, found = 2, name
    while found in taken:
        found, number = f"{name} ({number})", number + 1
    return found


def seats_of(beginning: GameBeginning) -> list[Any]:
    """The seats as a file of cases has them."""
    return [name if role is None else {name: role} for name, role in zip(beginning.seats, beginning.roles, strict=True)]


def body(tree: PlayTree, node: PlayNode, seats: list[Any] | None) -> dict[str, Any]:
    """The case of a line up to a node, as a plain tree. seats: those that its file gives it. Raises LostLine."""
    root, *answers = node.line()
    assert root.beginning is not None
    beginning, made = root.beginning, dict[str, Any]()
    game = tree.game_at(node)
    if seats_of(beginning) != seats:
        made["seats"] = seats_of(beginning)
    defaults = {name: option.choices[option.default] for name, option in tree.rules.edition.options.items()}
    if options := {name: how for name, how in game.options.items() if defaults.get(name) != how}:
        made["options"] = options
    if beginning.seed != FIRST_SEED:
        made["seed"] = str(beginning.seed)
    if beginning.given is not None:
        made["given"] = dict(beginning.given)
    if answers:
        made["do"] = [{game.names[one.seat]: one.keys[0] if len(one.keys) == 1 else list(one.keys)} for one in answers]
    made["expect"] = _changed(tree.rules, game, tree.game_at(node.parent) if node.parent is not None else None)
    return made


def _changed(rules: Rules, game: Game, before: Game | None) -> dict[str, Any]:
    """What the last answer has changed, as an `expect` says it."""
    names = CaseNames(rules, game.names, Report())
    found: dict[str, Any] = {}
    view, was = game.view(None), before.view(None) if before is not None else None
    if was is None or (view.round, view.phase) != (was.round, was.phase):
        found |= {"phase": view.phase} if view.phase and not game.over else {}
        found |= {"round": str(view.round)} if view.round and not game.over else {}
    if game.over:
        found["over"] = "yes" if game.limited() is None else "at its limit"
    else:
        found["asked"] = [game.names[seat] for seat in dict.fromkeys(seat for seat, _ in game.asked())] or "nobody"
    for path, right in [*_zones(names, game, before), *_counters(names, game, before), *_points(game, before)]:
        at = found
        for key in path[:-1]:
            at = at.setdefault(key, {})
        at[path[-1]] = right
    return found


_Told = Iterator[tuple[tuple[str, ...], Any]]
"""Under which keys something stands, and what."""


def _path(names: CaseNames, name: str, owner: int) -> tuple[str, ...]:
    of = names.of(name)
    if not of:
        return (name,)
    return (names.seats[owner], name) if of == SEAT else (name, names.program.words[of][owner])


def _zones(names: CaseNames, game: Game, before: Game | None) -> _Told:
    program, state = game.program, game.state
    was = before.state if before is not None else None
    for space in program.layout.spaces:
        pieces = piece_names(program, state, space)
        then = piece_names(program, was, space) if was is not None else ()
        if pieces == then:
            continue
        of_word = names.of(space.name) not in ("", SEAT)
        right: Any = list(pieces) if len(pieces) <= MOST_LISTED else str(len(pieces))
        if of_word and len(pieces) == 1 and not pieces[0].lstrip("-").isdigit():
            right = pieces[0]
        yield _path(names, space.name, space.owner), right


def _counters(names: CaseNames, game: Game, before: Game | None) -> _Told:
    state, was = game.state, before.state if before is not None else None
    for counter in names.counters.values():
        for owner in names.cells(counter.name):
            cells = counter.cells_of(owner)
            changed = [
                number
                for number, cell in enumerate(cells)
                if state[cell] != (counter.starts(cell - counter.address) if was is None else was[cell])
            ]
            for number in changed:
                held = state[cells[number]]
                if was is None and held == ():
                    continue
                word = (names.program.words[counter.by][number],) if counter.by else ()
                right = (
                    names.shown(held, counter.type) if not isinstance(held, tuple) else _listed(names, held, counter)
                )
                yield (*_path(names, counter.name, owner), *word), right


def _listed(names: CaseNames, held: Sequence[int], counter: Any) -> list[str]:
    return [names.shown((one,), counter.type) for one in held]


def _points(game: Game, before: Game | None) -> _Told:
    then = {one.seat: one.total for one in before.standings()} if before is not None else {}
    for one in game.standings():
        if one.lines and one.total != then.get(one.seat, 0):
            yield (game.names[one.seat], "points"), str(one.total)


def with_made(text: str, tree: PlayTree, node: PlayNode, name: str, edition: str) -> str:
    """The file of an edition's cases with the line up to a node as one more, which passes. text: as the file is, or ''.

    Raises CaseTextError, LostLine.
    """
    shown_as = case_texts.cases_beside(edition)
    name = " ".join(name.split())[:LONGEST_NAME]
    if not name:
        raise CaseTextError(phrase("errors", "A case needs a name."))
    if text.strip():
        made = case_texts.with_case(text, name, body(tree, node, case_texts.seats_in(text, shown_as)), shown_as)
    else:
        beginning = node.line()[0].beginning
        assert beginning is not None
        seats = seats_of(beginning)
        made = case_texts.begun(edition, seats, name, body(tree, node, seats))
    failures = scenarios.check(case_runner.named(tree.rules, shown_as, made, name))
    if failures:
        what = failures[0].what
        raise CaseTextError(phrase("errors", "This line cannot be told as a case: {what}.", what=what))
    return made
