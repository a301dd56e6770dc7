"""Pane 'Set up': a starting position, whether it is possible, and its text in cases."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.labels import Labels
from rulewright.runtime.view import MAKER
from rulewright.server.views import seat_view
from rulewright.workbench.cases import case_runner, case_texts
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import error_fields, file, get, language, post, read
from rulewright.workbench.play.game_start import default_start
from rulewright.workbench.play.line_games import NodeGame, document, number_of, requested_game
from rulewright.workbench.play.line_store import lines_of
from rulewright.workbench.steps import position_draft
from rulewright.workbench.steps.position_draft import PositionDraft

WORDS: Mapping[str, Phrase] = {
    "setup": phrase("design", "Set up"),
    "setup told": phrase(
        "design",
        "Drag pieces where they should lie. By keyboard: take one with Enter, go to a place, put it there with Enter.",
    ),
    "setup from": phrase("design", "Begin with"),
    "setup usual": phrase("design", "the usual set-up"),
    "setup played": phrase("design", "the game as it is played now"),
    "setup case": phrase("design", "the case {name}"),
    "setup people": phrase("design", "Players"),
    "setup phase": phrase("design", "Phase that begins"),
    "setup round": phrase("design", "Round"),
    "play from here": phrase("design", "Play from here"),
    "copy given": phrase("design", "Copy for a case"),
    "given copied": phrase("design", "Copied. Paste it below a case."),
    "as given": phrase("design", "As a case says it"),
    "in order": phrase("design", "with the order of hidden piles"),
    "undo piece": phrase("design", "Undo"),
    "put here": phrase("design", "Put it here"),
    # For translators: A piece that is put where it cannot be.
    "no room": phrase("design", "{piece} cannot lie there."),
    "take piece": phrase("design", "Take {piece}"),
    "carrying": phrase("design", "You hold {piece}. Put it somewhere, or press Escape."),
    "let go": phrase("design", "Let go"),
    "it shows": phrase("design", "It shows"),
    "pieces in order": phrase("design", "one by one"),
    "pieces alike": phrase("design", "alike together"),
    "no pieces": phrase("design", "empty"),
    "counters": phrase("design", "Counters"),
    "counter of": phrase("design", "{label} of {owner}"),
    "counter for": phrase("design", "{label}, {word}"),
    "list told": phrase("design", "one after the other, with commas"),
}


class _Case(Struct, frozen=True):
    """Case by its file and name."""

    file: str
    name: str


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the dialog that sets up a position."""

    def begin(request: Request, _: Any) -> object:
        """Send a position to edit: of the usual set-up, of a node, or of a case."""
        source = request.query_params.get("from", "usual")
        node_game = requested_game(bench, request)
        if source == "usual":
            people = number_of(request, "people", 0)
            start = default_start(node_game.game.rules.edition, people or None).start(node_game.game.rules)
            node_game = NodeGame(0, start.game(None), node_game.offer)
        elif source == "case":
            node_game = NodeGame(0, _of_case(bench, request, node_game.game.rules), node_game.offer)
        game = node_game.game
        labels = Labels(game, language(request))
        return {
            "draft": position_draft.draft(game),
            "table": document(node_game, language(request)),
            "now": seat_view.table_state(labels, MAKER),
            "counters": position_draft.counters(labels),
            "pieces": position_draft.pieces(game),
            "phases": [(name, labels.phase(name)) for name, _ in game.program.phases],
            "people": list(range(game.rules.edition.people[0], game.rules.edition.people[1] + 1)),
            "cases": _cases(bench, request),
        }

    def check(request: Request, body: Any) -> object:
        """Send the position in the form of a case, or why it is impossible."""
        rules = bench.rules(file(request))
        draft = read(PositionDraft, body)
        ordered = request.query_params.get("ordered") == "yes"
        try:
            return {"text": position_draft.text(rules, draft, ordered), "trouble": ""}
        except RulewrightError as error:
            return {"text": "", "trouble": error_fields(request, error)["text"]}

    def play(request: Request, body: Any) -> object:
        """Start a game from a position, as a line of play."""
        draft = read(PositionDraft, body)
        with lines_of(bench).tree(file(request)) as tree:
            return {"node": tree.start_game(position_draft.game_start(tree.rules, draft)).number}

    return [
        get("/api/setup", begin),
        post("/api/setup/check", check),
        post("/api/setup/play", play),
    ]


def _cases(bench: Bench, request: Request) -> list[_Case]:
    """List the cases of an edition, with their files."""
    result = []
    for name in bench.folder.names():
        if name != file(request) and bench.edition_of(name) == file(request):
            with suppress(EditionError):
                result += [_Case(name, case) for case in case_texts.names_in(bench.text(name), name)]
    return result


def _of_case(bench: Bench, request: Request, rules: Rules) -> Game:
    """Return the game at the start of a case. Raises CaseTextError, BenchError."""
    case_file = request.query_params.get("in", "")
    case = case_runner.find_case(rules, case_file, bench.text(case_file), request.query_params.get("name", ""))
    return case.setting.game(case.setting.state)
