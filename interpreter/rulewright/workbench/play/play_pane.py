"""Pane 'Play': a game by the current rules, all seats at one screen, and the lines of play."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.base.diagnostics import SourcePlace
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import OPPONENT
from rulewright.program.appearance import name_without_marks
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.web import edition_list
from rulewright.syntax.source import MappingNode
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, language, post, read, with_place
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.play import divergence, game_views
from rulewright.workbench.play.game_start import FIRST_SEED, GameStart, default_start
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.play.play_tree import MAX_NODES, PlayNode, PlayTree

MAX_COMPUTER_SECONDS = 15.0
"""Seconds for which the computer answers before the page is asked whether it should go on."""

WORDS: Mapping[str, Phrase] = {
    "play tab": phrase("design", "Play"),
    "play new": phrase("design", "New game"),
    "play seed": phrase("design", "Seed"),
    "play other seed": phrase("design", "Other seed"),
    "play players": phrase("design", "Players"),
    "play joins": phrase("design", "{name} plays, too"),
    "play start": phrase("design", "Begin"),
    "play see as": phrase("design", "See as"),
    "play asked": phrase("design", "Whoever is asked"),
    "play all": phrase("design", "Everything open"),
    "play back": phrase("design", "One step back"),
    "play forward": phrase("design", "One step on"),
    "play computer": phrase("design", "Computer"),
    "play one answer": phrase("design", "Let it answer once"),
    "play round": phrase("design", "Let it play to the end of the round"),
    "play end": phrase("design", "Let it play to the end of the game"),
    "play easy": phrase("page", "easy"),
    "play medium": phrase("page", "medium"),
    "play hard": phrase("page", "hard"),
    "play best": phrase("page", "best"),
    "play random": phrase("design", "by chance"),
    "play thinking": phrase("design", "The computer is playing …"),
    # For translators: Whoever is asked something; the line is followed by names.
    "play is asked": phrase("design", "{name} is asked. You see the table as {other}."),
    "play as them": phrase("design", "See as {name}"),
    "play from": phrase("design", "From a position"),
    "play lines": phrase("design", "Lines"),
    "play name": phrase("design", "Name this place"),
    "play delete": phrase("design", "Delete from here on"),
    "play delete sure": phrase("design", "Delete {count} answers?"),
    "play more": phrase("design", "{count} more"),
    "play right": phrase("design", "This is right"),
    "play case name": phrase("design", "What this case shows"),
    "play make case": phrase("design", "Make the case"),
    "play case made": phrase("design", "The case is in {file}. It is run after every change."),
    "play case is": phrase("design", "Case: {name}"),
    "play parted": phrase("design", "This comes out otherwise now"),
    "play parted told": phrase("design", "Since the rules have changed, this answer leads to something else."),
    "play parted start": phrase("design", "Since the rules have changed, the game begins otherwise."),
    "play before": phrase("design", "Before"),
    "play after": phrase("design", "Now"),
    "play nothing told": phrase("design", "Nothing was told."),
    "play nothing": phrase("design", "nothing"),
    "play as before": phrase("design", "as before"),
    "play go there": phrase("design", "Go there"),
    "play go on": phrase("design", "Go on with what it is now"),
    "play keep both": phrase("design", "Keep both"),
    "play stopped": phrase("design", "This line does not fit any more"),
    "play kept": phrase("design", "As it was"),
    "play kept told": phrase("design", "This line is kept as it was under earlier rules. It is not played."),
    "play cannot": phrase("design", "This game cannot begin any more."),
}
"""Phrases of the page by the names that its code has for them."""


class _NodeRequest(Struct, frozen=True):
    """Node by its number; sight: as for `game_views.game_view`, here and below."""

    node: int
    sight: str = game_views.SEAT_WITH_QUESTION


class _NewGame(Struct, frozen=True):
    """Beginning of a game. people: their number; roles: of optional virtual players; options: choices that are not
    usual."""

    people: Annotated[int, Meta(ge=1, le=100)]
    roles: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    options: dict[str, str] = {}
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = FIRST_SEED
    sight: str = game_views.SEAT_WITH_QUESTION


class _AnswerRequest(Struct, frozen=True):
    """Answer at a node. take: keys of the choices."""

    node: int
    seat: int
    take: list[str]
    sight: str = game_views.SEAT_WITH_QUESTION


class _ComputerRequest(Struct, frozen=True):
    """Request to let the computer answer from a node on. kind: of player; until: 'answer' for one answer, 'round' to
    the end of the round, or anything else to the end of the game."""

    node: int
    kind: str = OPPONENT
    until: str = "answer"
    sight: str = game_views.SEAT_WITH_QUESTION


class _TitleRequest(Struct, frozen=True):
    """Title for a node; '' removes it."""

    node: int
    title: Annotated[str, Meta(max_length=200)]


class _PlayPane:
    """Handlers of the pane. Those that lead to a node return its `node_view`, and raise PlayLineError."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._lines = bench, lines_of(bench)

    def _describe(self, request: Request, tree: PlayTree, node: PlayNode, sight: str) -> object:
        """Return the view of a node, with the place of an error in rules as windows know it."""
        content = node_view(self._bench.offer(file(request)), tree, node, language(request), sight)
        if content["stopped"] is not None:
            content["stopped"] |= with_place(request, content["stopped"].pop("why"))
        return content

    def state(self, request: Request, _: Any) -> object:
        """Return the game at the node asked for, or at the current one; a usual game is started if there is none."""
        parameters = request.query_params
        with self._lines.tree(file(request)) as tree:
            number = parameters.get("node", "")
            node = tree.nodes.get(int(number)) if number.isdecimal() else None
            if not tree.roots:
                tree.start_game(default_start(tree.rules.edition))
            node = node or tree.current or tree.roots[-1]
            return self._describe(request, tree, node, parameters.get("sight", game_views.SEAT_WITH_QUESTION))

    def start_form(self, request: Request, _: Any) -> object:
        """Send what a new game may be started with."""
        return edition_list.describe(self._bench.offer(file(request)), language(request))

    def start_game(self, request: Request, body: Any) -> object:
        """Start a game as a new line."""
        fields = read(_NewGame, body)
        with self._lines.tree(file(request)) as tree:
            people = default_start(tree.rules.edition, fields.people, fields.seed, fields.roles)
            node = tree.start_game(GameStart(people.seats, people.roles, fields.options, fields.seed))
            return self._describe(request, tree, node, fields.sight)

    def visit(self, request: Request, body: Any) -> object:
        """Make a node the current one."""
        fields = read(_NodeRequest, body)
        with self._lines.tree(file(request)) as tree:
            tree.visit(tree.node(fields.node))
            return self._describe(request, tree, tree.node(fields.node), fields.sight)

    def answer(self, request: Request, body: Any) -> object:
        """Answer for a seat at a node."""
        fields = read(_AnswerRequest, body)
        with self._lines.tree(file(request)) as tree:
            node = tree.answer(tree.node(fields.node), fields.seat, fields.take)
            return self._describe(request, tree, node, fields.sight)

    def play_computer(self, request: Request, body: Any) -> object:
        """Let the computer answer: once, to the end of the round or of the game, as far as the time reaches."""
        fields = read(_ComputerRequest, body)
        until = time.monotonic() + MAX_COMPUTER_SECONDS
        with self._lines.tree(file(request)) as tree:
            first_round = tree.game_at(tree.node(fields.node)).view(None).round
            node = tree.answer_by_computer(tree.node(fields.node), fields.kind)
        while fields.until != "answer" and time.monotonic() < until:
            with self._lines.tree(file(request)) as tree:  # unlocked between two answers
                game = tree.game_at(node)
                if not game.pending.ids or (fields.until == "round" and game.view(None).round != first_round):
                    break
                if len(tree.nodes) >= MAX_NODES:
                    break
                node = tree.answer_by_computer(node, fields.kind)
        with self._lines.tree(file(request)) as tree:
            return self._describe(request, tree, node, fields.sight)

    def declaration(self, request: Request, _: Any) -> object:
        """Send the place where something on the table is declared."""
        parameters, rules = request.query_params, self._bench.compiled(file(request)).rules
        names = parameters.get("what", ""), parameters.get("name", "")
        place = declaration(rules, *names) if rules is not None else None
        file_name = self._bench.folder.readable(Path(place.file)) if place is not None else None
        if place is None or file_name is None:
            raise BenchError(phrase("errors", "This comes from the rules that this game extends."))
        return {"file": file_name, "line": place.line, "column": place.column}

    def nodes(self, request: Request, _: Any) -> object:
        """Send all nodes of all lines."""
        with self._lines.tree(file(request)) as tree:
            entries = [_list_entry(node, root) for root in tree.roots for node in root.subtree()]
            return {"at": tree.current.number if tree.current else 0, "nodes": entries}

    def set_title(self, request: Request, body: Any) -> object:
        """Give a node a title; return {}."""
        fields = read(_TitleRequest, body)
        with self._lines.tree(file(request)) as tree:
            tree.set_title(tree.node(fields.node), fields.title)
        return {}

    def delete(self, request: Request, body: Any) -> object:
        """Delete a node with all after it; return the number of the current one, 0 for none."""
        with self._lines.tree(file(request)) as tree:
            tree.delete(tree.node(read(_NodeRequest, body).node))
            return {"at": tree.current.number if tree.current else 0}

    def accept(self, request: Request, body: Any) -> object:
        """Take a diverged line as it plays now."""
        fields = read(_NodeRequest, body)
        with self._lines.tree(file(request)) as tree:
            node = tree.node(fields.node)
            tree.accept(node)
            return self._describe(request, tree, tree.current or node, fields.sight)

    def keep_both(self, request: Request, body: Any) -> object:
        """Keep a diverged line as recorded, beside the one that plays now."""
        fields = read(_NodeRequest, body)
        with self._lines.tree(file(request)) as tree:
            return self._describe(request, tree, tree.keep_both(tree.node(fields.node)), fields.sight)


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the pane of play."""
    pane = _PlayPane(bench)
    return [
        get("/api/play", pane.state),
        get("/api/play/form", pane.start_form),
        get("/api/play/where", pane.declaration),
        get("/api/play/lines", pane.nodes),
        post("/api/play/begin", pane.start_game),
        post("/api/play/go", pane.visit),
        post("/api/play/answer", pane.answer),
        post("/api/play/computer", pane.play_computer),
        post("/api/play/title", pane.set_title),
        post("/api/play/delete", pane.delete),
        post("/api/play/accept", pane.accept),
        post("/api/play/both", pane.keep_both),
    ]


_SECTIONS = {"zone": "zones", "piece": "pieces", "counter": "counters", "phase": "phases", "power": "powers"}
"""Sort of a thing, as the page has it -> section of the edition; others have the name of their section."""


def declaration(rules: Rules, sort: str, name: str) -> SourcePlace | None:
    """Return the place where a zone, a piece, a counter, a phase, a power or a scoring line is declared, in the
    edition's own file or in one that it extends; None for an unknown one.
    """
    tree = rules.edition.tree
    section = tree.get(_SECTIONS.get(sort, sort)) if isinstance(tree, MappingNode) else None
    if sort == "piece":
        types = rules.machine(rules.edition.seat_counts()[0]).program.types
        name = next((type_.kind for type_ in types if type_.name == name_without_marks(name)), name)
    groups = [section] if sort != "counter" else section.entries.values() if isinstance(section, MappingNode) else []
    keys = (group.keys for group in groups if isinstance(group, MappingNode))
    return next((found[name].place for found in keys if name in found), None)


def node_view(offer: PlayableEdition, tree: PlayTree, node: PlayNode, language: str, sight: str) -> dict[str, Any]:
    """Return the view of the game at a node, or at the last one above it that fits; its line, continued by the branches
    visited last; and its divergence, or why it does not fit."""
    onward = node.onward()
    tree.last_fitting_node((onward or [node])[-1])
    line = [*node.line(), *onward]
    reached = tree.last_fitting_node(node)
    parted = next((one for one in line if one.has_diverged), None)
    stopped = next((one for one in line if one.fits is False), None)
    root = line[0].beginning
    assert root is not None
    content: dict[str, Any] = {
        "node": (reached or node).number,
        "line": [_list_entry(one, line[0]) for one in line],
        "people": sum(role is None for role in root.roles),
        "roles": [role for role in root.roles if role is not None],
        "seed": root.seed,
        "options": dict(root.options),
        "position": root.position is not None,
        "parted": divergence.compare_effects(tree, parted, language) if parted is not None else None,
        "stopped": None if stopped is None or stopped.is_recorded else {"node": stopped.number, "why": stopped.misfit},
        "kept": _recorded_effects(node) if node.is_recorded else None,
        "game": None,
    }
    if reached is not None:
        content["game"] = game_views.game_view(offer, tree.game_at(reached), language, sight, reached.number)
    return content


def _list_entry(node: PlayNode, root: PlayNode) -> dict[str, Any]:
    """Return a node's data for a list, without default values."""
    state = "kept" if node.is_recorded else "parted" if node.has_diverged else "stopped" if node.fits is False else ""
    beginning = node.beginning
    content: dict[str, Any] = {"node": node.number, "of": node.parent.number if node.parent else 0}
    if beginning is not None:
        content |= {"seats": beginning.seats, "seed": beginning.seed, "position": beginning.position is not None}
    else:
        seat, seats = node.seat, root.beginning.seats if root.beginning is not None else ()
        name = seats[seat] if 0 <= seat < len(seats) else ""
        content |= {"seat": seat, "name": name, "taken": node.answer_text}
    return content | {key: told for key, told in (("title", node.title), ("case", node.case), ("state", state)) if told}


def _recorded_effects(node: PlayNode) -> list[dict[str, Any]]:
    """Return the recorded effects of a line that is not replayed."""
    return [
        {**_list_entry(one, node.line()[0]), "lines": list(one.effects.lines) if one.effects is not None else []}
        for one in [*node.line(), *node.onward()]
        if one.is_recorded
    ]
