"""Games for other panes: the game at a node of an edition's lines, and its table."""

from __future__ import annotations

import re

from starlette.requests import Request

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.views.document import TableDocument
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, not_understood
from rulewright.workbench.play import game_views
from rulewright.workbench.play.game_start import default_start
from rulewright.workbench.play.line_store import lines_of


@record
class NodeGame:
    """Game at a node of an edition's lines."""

    node: int
    game: Game
    offer: PlayableEdition


def requested_game(bench: Bench, request: Request) -> NodeGame:
    """Return the requested game: at `node`, or at the node visited last, or else at the last one above it that fits the
    rules; an edition without lines gets a default game. Raises BenchError, PlayLineError.
    """
    offer = bench.offer(file(request))
    with lines_of(bench).tree(file(request)) as tree:
        if not tree.roots:
            tree.start_game(default_start(tree.rules.edition))
        chosen_node = tree.nodes.get(number_of(request, "node", 0)) or tree.current or tree.roots[-1]
        node = tree.last_fitting_node(chosen_node) or chosen_node
        return NodeGame(node.number, tree.game_at(node), offer)


def document(node_game: NodeGame, language: str) -> TableDocument:
    """Return a game's table as a spectator sees it."""
    return game_views.table(node_game.offer, Labels(node_game.game, language), None)


def number_of(request: Request, name: str, default: int) -> int:
    """Return a whole number among a request's query parameters; the default without one. Raises BenchError for other
    text."""
    text = request.query_params.get(name, "")
    if not text:
        return default
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise not_understood()
    return int(text)
