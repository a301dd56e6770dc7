"""Games that panes look at: the one at a place of an edition's lines of play, and its table as the page draws it."""

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
from rulewright.workbench.core.workspace import no_edition
from rulewright.workbench.play import game_views
from rulewright.workbench.play.game_start import usual
from rulewright.workbench.play.line_store import lines_of


@record
class PlayedGame:
    """A game at a node of an edition's lines."""

    node: int
    game: Game
    offer: PlayableEdition


def played(bench: Bench, request: Request) -> PlayedGame:
    """The game that is asked about: at `node`, or where somebody has gone last; an edition that nobody has played yet
    is begun as usual. Raises BenchError, LostLine."""
    compiled = bench.compiled(file(request))
    if compiled.offer is None:
        raise no_edition(file(request))
    with lines_of(bench).tree(file(request)) as tree:
        if not tree.roots:
            tree.begin(usual(tree.rules.edition))
        wanted = tree.nodes.get(number_of(request, "node", 0)) or tree.at or tree.roots[-1]
        node = tree.reach(wanted) or wanted
        return PlayedGame(node.number, tree.game_at(node), compiled.offer)


def document(found: PlayedGame, language: str) -> TableDocument:
    """The table at which a game is played, as nobody in particular sees it."""
    return game_views.table(found.offer, Labels(found.game, language), None)


def number_of(request: Request, name: str, otherwise: int) -> int:
    """A number that is asked for. Raises BenchError for what is none."""
    found = request.query_params.get(name, "")
    if not found:
        return otherwise
    if not re.fullmatch(r"-?[0-9]{1,9}", found):
        raise not_understood()
    return int(found)
