"""Cases built from lines of play: the answers, and expectations of what the last one changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
from rulewright.workbench.play.game_start import FIRST_SEED, GameStart
from rulewright.workbench.play.play_tree import PlayNode, PlayTree

MAX_LISTED_PIECES = 12
"""Maximum number of pieces that a case names in a zone; of more it gives the number."""

MAX_NAME_LENGTH = 80
"""Maximum characters of a case's name, without the number that tells equal ones apart."""


def name_for(tree: PlayTree, node: PlayNode, existing: Sequence[str] = ()) -> str:
    """Propose a name for a case, by what happened last, in English. existing: names in use, which it differs from.
    Raises PlayLineError."""
    game = tree.game_at(node)
    start = tree.game_at(node.parent).log.length if node.parent is not None else 0
    lines = [line.text for line in game.log.lines(MAKER, start) if not line.heading]
    if lines:
        name = lines[-1]
    elif node.title:
        name = node.title
    elif node.parent is not None:
        name = f"{game.names[node.seat]} takes {node.answer_text}"
    else:
        name = "The game begins"
    name = " ".join(name.split()).removesuffix(".")[:MAX_NAME_LENGTH].strip()
    number, candidate = 2, name
    while candidate in existing:
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def seats_of(beginning: GameStart) -> list[Any]:
    """Return the seats in the form of a file of cases: a name, or {name: role}."""
    return [name if role is None else {name: role} for name, role in zip(beginning.seats, beginning.roles, strict=True)]


def body(tree: PlayTree, node: PlayNode, seats: list[Any] | None) -> dict[str, Any]:
    """Return the case of a line up to a node, as a plain tree. seats: those that its file sets.

    Raises PlayLineError.
    """
    root, *answers = node.line()
    assert root.beginning is not None
    beginning, case = root.beginning, dict[str, Any]()
    game = tree.game_at(node)
    if seats_of(beginning) != seats:
        case["seats"] = seats_of(beginning)
    defaults = {name: option.usual_choice for name, option in tree.rules.edition.options.items()}
    if options := {name: how for name, how in game.options.items() if defaults.get(name) != how}:
        case["options"] = options
    if beginning.seed != FIRST_SEED:
        case["seed"] = str(beginning.seed)
    if beginning.position is not None:
        case["given"] = dict(beginning.position)
    if answers:
        case["do"] = [{game.names[one.seat]: one.keys[0] if len(one.keys) == 1 else list(one.keys)} for one in answers]
    case["expect"] = _expectations(tree.rules, game, tree.game_at(node.parent) if node.parent is not None else None)
    return case


def _expectations(rules: Rules, game: Game, before: Game | None) -> dict[str, Any]:
    """Return what the last answer has changed, in the form of `expect`."""
    names = CaseNames(rules, game.names, Report())
    expectations: dict[str, Any] = {}
    view, was = game.view(None), before.view(None) if before is not None else None
    if was is None or (view.round, view.phase) != (was.round, was.phase):
        expectations |= {"phase": view.phase} if view.phase and not game.over else {}
        expectations |= {"round": str(view.round)} if view.round and not game.over else {}
    if game.over:
        expectations["over"] = "yes" if game.position.limit_text() is None else "at its limit"
    else:
        expectations["asked"] = [
            game.names[seat] for seat in dict.fromkeys(seat for seat, _ in game.pending.ids)
        ] or "nobody"
    for path, right in [
        *_changed_zones(names, game, before),
        *_changed_counters(names, game, before),
        *_changed_points(game, before),
    ]:
        branch = expectations
        for key in path[:-1]:
            branch = branch.setdefault(key, {})
        branch[path[-1]] = right
    return expectations


_PathValues = Iterator[tuple[tuple[str, ...], Any]]
"""Pairs of path of keys and value."""


def _path(names: CaseNames, name: str, owner: int) -> tuple[str, ...]:
    """Return the keys that lead to a zone or counter of an owner in `expect`."""
    of = names.owner_type_of(name)
    if not of:
        return (name,)
    return (names.seats[owner], name) if of == SEAT else (name, names.program.words[of][owner])


def _changed_zones(names: CaseNames, game: Game, before: Game | None) -> _PathValues:
    """Yield the path and contents of each zone that has changed; of all that hold something, where there is no game
    before."""
    program, state = game.program, game.state
    was = before.state if before is not None else None
    for space in program.layout.zones:
        pieces = piece_names(program, state, space)
        then = piece_names(program, was, space) if was is not None else ()
        if pieces == then:
            continue
        of_word = names.owner_type_of(space.name) not in ("", SEAT)
        right: Any = list(pieces) if len(pieces) <= MAX_LISTED_PIECES else str(len(pieces))
        if of_word and len(pieces) == 1 and not pieces[0].lstrip("-").isdigit():
            right = pieces[0]
        yield _path(names, space.name, space.owner), right


def _changed_counters(names: CaseNames, game: Game, before: Game | None) -> _PathValues:
    """Yield the path and contents of each counter that has changed."""
    state, was = game.state, before.state if before is not None else None
    for counter in names.counters.values():
        for owner in names.owner_indices(counter.name):
            cells = counter.cells_of(owner)
            changed = [
                number
                for number, cell in enumerate(cells)
                if state[cell] != (counter.initial(cell - counter.address) if was is None else was[cell])
            ]
            for number in changed:
                contents = state[cells[number]]
                if was is None and contents == ():
                    continue
                word = (names.program.words[counter.by][number],) if counter.by else ()
                right = (
                    names.format_value(contents, counter.type)
                    if not isinstance(contents, tuple)
                    else _list_contents(names, contents, counter)
                )
                yield (*_path(names, counter.name, owner), *word), right


def _list_contents(names: CaseNames, contents: Sequence[int], counter: Any) -> list[str]:
    """Return the items of a counter that holds several, as cases write them."""
    return [names.format_value((one,), counter.type) for one in contents]


def _changed_points(game: Game, before: Game | None) -> _PathValues:
    """Yield the path and total of each seat whose points have changed; of seats without points, nothing."""
    then = {one.seat: one.total for one in before.standings()} if before is not None else {}
    for one in game.standings():
        if one.lines and one.total != then.get(one.seat, 0):
            yield (game.names[one.seat], "points"), str(one.total)


def add_case(
    text: str, tree: PlayTree, node: PlayNode, name: str, edition: str, translate: Callable[[str], str]
) -> str:
    """Return the text of an edition's file of cases with the line up to a node added, as a case that passes. text: ''
    for a new file.

    translate: brings templates of diagnostics into the reader's language. Raises CaseTextError, EditionError,
    PlayLineError.
    """
    shown_as = case_texts.cases_beside(edition)
    name = " ".join(name.split())[:MAX_NAME_LENGTH]
    if not name:
        raise CaseTextError(phrase("errors", "A case needs a name."))
    if text.strip():
        new_text = case_texts.with_case(text, name, body(tree, node, case_texts.seats_in(text, shown_as)), shown_as)
    else:
        beginning = node.line()[0].beginning
        assert beginning is not None
        seats = seats_of(beginning)
        new_text = case_texts.new_file(edition, seats, name, body(tree, node, seats))
    failures = scenarios.check(case_runner.find_case(tree.rules, shown_as, new_text, name))
    if failures:
        failure_text = failures[0].text.title.render(translate)
        raise CaseTextError(phrase("errors", "This line cannot be told as a case: {what}.", what=failure_text))
    return new_text
