"""The pane 'Play': the game by the rules as they are now, all seats at one screen, and the lines that were tried."""

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
from rulewright.program.appearance import bare
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.web import edition_list
from rulewright.syntax.source import MappingNode
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, json_handler, language, read, with_place
from rulewright.workbench.core.workspace import BenchError, no_edition
from rulewright.workbench.play import divergence, game_views
from rulewright.workbench.play.game_start import FIRST_SEED, GameBeginning, usual
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.play.play_tree import MOST_NODES, PlayNode, PlayTree

LONGEST_THOUGHT = 15.0
"""Seconds for which the computer answers before one is asked whether it should go on."""

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
    "play search": phrase("design", "with foresight"),
    "play greedy": phrase("design", "with care"),
    "play random": phrase("design", "by chance"),
    "play thinking": phrase("design", "The computer is playing …"),
    "play paused": phrase("design", "The computer has paused. Let it go on, or go on yourself."),
    # For translators: Whoever is asked something; the line is followed by names.
    "play is asked": phrase("design", "{name} is asked. You see the table as {other}."),
    "play as them": phrase("design", "See as {name}"),
    "play from": phrase("design", "From a position"),
    "play lines": phrase("design", "Lines"),
    "play beginning": phrase("design", "The beginning"),
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
    "play answers": phrase("design", "{count} answers so far"),
}


class _At(Struct, frozen=True):
    node: int
    sight: str = game_views.ASKED


class _Begun(Struct, frozen=True):
    people: Annotated[int, Meta(ge=1, le=100)]
    roles: Annotated[tuple[str, ...], Meta(max_length=100)] = ()
    options: dict[str, str] = {}
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = FIRST_SEED
    sight: str = game_views.ASKED


class _Given(Struct, frozen=True):
    node: int
    seat: int
    take: list[str]
    sight: str = game_views.ASKED


class _Computer(Struct, frozen=True):
    node: int
    kind: str = OPPONENT
    until: str = "answer"
    sight: str = game_views.ASKED


class _Titled(Struct, frozen=True):
    node: int
    title: Annotated[str, Meta(max_length=200)]


def routes(bench: Bench) -> list[Route]:
    store = lines_of(bench)

    def now(request: Request, _: Any) -> object:
        asked = request.query_params
        with store.tree(file(request)) as tree:
            number = asked.get("node", "")
            node = tree.nodes.get(int(number)) if number.isdecimal() else None
            if not tree.roots:
                tree.begin(usual(tree.rules.edition))
            node = node or tree.at or tree.roots[-1]
            return _shown(request, tree, node, asked.get("sight", game_views.ASKED))

    def form(request: Request, _: Any) -> object:
        compiled = bench.compiled(file(request))
        if compiled.offer is None:
            raise no_edition(file(request))
        return edition_list.described(compiled.offer, language(request))

    def began(request: Request, body: Any) -> object:
        wanted = read(_Begun, body)
        with store.tree(file(request)) as tree:
            people = usual(tree.rules.edition, wanted.people, wanted.seed, wanted.roles)
            node = tree.begin(GameBeginning(people.seats, people.roles, wanted.options, wanted.seed))
            return _shown(request, tree, node, wanted.sight)

    def went(request: Request, body: Any) -> object:
        wanted = read(_At, body)
        with store.tree(file(request)) as tree:
            tree.go(tree.node(wanted.node))
            return _shown(request, tree, tree.node(wanted.node), wanted.sight)

    def answered(request: Request, body: Any) -> object:
        wanted = read(_Given, body)
        with store.tree(file(request)) as tree:
            node = tree.answer(tree.node(wanted.node), wanted.seat, wanted.take)
            return _shown(request, tree, node, wanted.sight)

    def by_computer(request: Request, body: Any) -> object:
        wanted = read(_Computer, body)
        until = time.monotonic() + LONGEST_THOUGHT
        with store.tree(file(request)) as tree:
            began = tree.game_at(tree.node(wanted.node)).view(None).round
            node = tree.by_computer(tree.node(wanted.node), wanted.kind)
        while wanted.until != "answer" and time.monotonic() < until:
            with store.tree(file(request)) as tree:  # others may look meanwhile
                game = tree.game_at(node)
                if not game.asked() or (wanted.until == "round" and game.view(None).round != began):
                    break
                if len(tree.nodes) >= MOST_NODES:
                    break
                node = tree.by_computer(node, wanted.kind)
        with store.tree(file(request)) as tree:
            return _shown(request, tree, node, wanted.sight)

    def where(request: Request, _: Any) -> object:
        """Where the source makes something that lies on the table."""
        asked, rules = request.query_params, bench.compiled(file(request)).rules
        place = declared(rules, asked.get("what", ""), asked.get("name", "")) if rules is not None else None
        there = bench.folder.readable(Path(place.file)) if place is not None else None
        if place is None or there is None:
            raise BenchError(phrase("errors", "This comes from the rules that this game extends."))
        return {"file": there, "line": place.line, "column": place.column}

    def lines(request: Request, _: Any) -> object:
        with store.tree(file(request)) as tree:
            return {
                "at": tree.at.number if tree.at else 0,
                "nodes": [_listed(n, r) for r in tree.roots for n in r.whole()],
            }

    def titled(request: Request, body: Any) -> object:
        wanted = read(_Titled, body)
        with store.tree(file(request)) as tree:
            tree.entitle(tree.node(wanted.node), wanted.title)
        return {}

    def deleted(request: Request, body: Any) -> object:
        with store.tree(file(request)) as tree:
            tree.delete(tree.node(read(_At, body).node))
            return {"at": tree.at.number if tree.at else 0}

    def accepted(request: Request, body: Any) -> object:
        wanted = read(_At, body)
        with store.tree(file(request)) as tree:
            node = tree.node(wanted.node)
            tree.accept(node)
            return _shown(request, tree, tree.at or node, wanted.sight)

    def both(request: Request, body: Any) -> object:
        wanted = read(_At, body)
        with store.tree(file(request)) as tree:
            return _shown(request, tree, tree.keep_both(tree.node(wanted.node)), wanted.sight)

    def _shown(request: Request, tree: PlayTree, node: PlayNode, sight: str) -> object:
        compiled = bench.compiled(file(request))
        if compiled.offer is None:
            raise no_edition(file(request))
        found = shown(compiled.offer, tree, node, language(request), sight)
        if found["stopped"] is not None:
            found["stopped"] |= with_place(request, found["stopped"].pop("why"))
        return found

    post = ["POST"]
    return [
        Route("/api/play", json_handler(now)),
        Route("/api/play/form", json_handler(form)),
        Route("/api/play/where", json_handler(where)),
        Route("/api/play/lines", json_handler(lines)),
        Route("/api/play/begin", json_handler(began), methods=post),
        Route("/api/play/go", json_handler(went), methods=post),
        Route("/api/play/answer", json_handler(answered), methods=post),
        Route("/api/play/computer", json_handler(by_computer), methods=post),
        Route("/api/play/title", json_handler(titled), methods=post),
        Route("/api/play/delete", json_handler(deleted), methods=post),
        Route("/api/play/accept", json_handler(accepted), methods=post),
        Route("/api/play/both", json_handler(both), methods=post),
    ]


# ── what is shown ──


_SECTIONS = {"zone": "zones", "piece": "pieces", "counter": "counters", "phase": "phases", "power": "powers"}


def declared(rules: Rules, what: str, name: str) -> SourcePlace | None:
    """Where something of a table is declared: a zone, a piece, a counter, a phase, a power or a line of the score."""
    tree = rules.edition.tree
    section = tree.get(_SECTIONS.get(what, what)) if isinstance(tree, MappingNode) else None
    if what == "piece":
        types = rules.machine(rules.edition.seat_counts()[0]).program.types
        name = next((type_.kind for type_ in types if type_.name == bare(name)), name)
    groups = [section] if what != "counter" else section.entries.values() if isinstance(section, MappingNode) else []
    keys = (group.keys for group in groups if isinstance(group, MappingNode))
    return next((found[name].place for found in keys if name in found), None)


def shown(offer: PlayableEdition, tree: PlayTree, node: PlayNode, language: str, sight: str) -> dict[str, Any]:
    """The game at a node, or at the last above it that fits; its line, with what hangs below by the way gone last;
    where that has parted, or does not fit any more."""
    onward = node.onward()
    tree.reach((onward or [node])[-1])
    line = [*node.line(), *onward]
    reached = tree.reach(node)
    parted = next((one for one in line if one.parted), None)
    stopped = next((one for one in line if one.fits is False), None)
    root = line[0].beginning
    assert root is not None
    found: dict[str, Any] = {
        "node": (reached or node).number,
        "line": [_listed(one, line[0]) for one in line],
        "people": sum(role is None for role in root.roles),
        "roles": [role for role in root.roles if role is not None],
        "seed": root.seed,
        "options": dict(root.options),
        "position": root.given is not None,
        "parted": divergence.told(tree, parted, language) if parted is not None else None,
        "stopped": None if stopped is None or stopped.kept else {"node": stopped.number, "why": stopped.why},
        "kept": _as_it_was(node) if node.kept else None,
        "game": None,
    }
    if reached is not None:
        found["game"] = game_views.seen(offer, tree.game_at(reached), language, sight, reached.number)
    return found


def _listed(node: PlayNode, root: PlayNode) -> dict[str, Any]:
    """A node as it stands in a list; what is as usual is left out."""
    state = "kept" if node.kept else "parted" if node.parted else "stopped" if node.fits is False else ""
    begun = node.beginning
    found: dict[str, Any] = {"node": node.number, "of": node.parent.number if node.parent else 0}
    if begun is not None:
        found |= {"seats": begun.seats, "seed": begun.seed, "position": begun.given is not None}
    else:
        seat, seats = node.seat, root.beginning.seats if root.beginning is not None else ()
        name = seats[seat] if 0 <= seat < len(seats) else ""
        found |= {"seat": seat, "name": name, "taken": node.taken}
    return found | {key: told for key, told in (("title", node.title), ("case", node.case), ("state", state)) if told}


def _as_it_was(node: PlayNode) -> list[dict[str, Any]]:
    """What is kept of a line that is not played: what its answers brought about then."""
    return [
        {**_listed(one, node.line()[0]), "lines": list(one.look.lines) if one.look is not None else []}
        for one in [*node.line(), *node.onward()]
        if one.kept
    ]
