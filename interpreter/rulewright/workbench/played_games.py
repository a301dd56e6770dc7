"""Games that panes look at: the one at a place of an edition's lines of play, and its table as the page draws it."""

from __future__ import annotations

import re

from starlette.requests import Request

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server import glossary
from rulewright.server.document import Sitting, TableDocument
from rulewright.server.edition_registry import PlayableEdition
from rulewright.workbench.answering import file, not_understood
from rulewright.workbench.beginnings import usual
from rulewright.workbench.bench import Bench
from rulewright.workbench.workspace import no_edition


@record
class PlayedGame:
    """A game at a node of an edition's lines."""

    node: int
    game: Game
    offer: PlayableEdition


def played(bench: Bench, request: Request) -> PlayedGame:
    """The game that is asked about: at `node`, or where somebody has gone last. Raises BenchError, LostLine."""
    compiled = bench.compiled(file(request))
    if compiled.rules is None or compiled.offer is None:
        raise no_edition(file(request))
    start = usual(compiled.rules.edition).start(compiled.rules)
    return PlayedGame(0, start.game(start.state), compiled.offer)


def document(found: PlayedGame, language: str) -> TableDocument:
    """The table at which a game is played, as nobody in particular sees it."""
    labels = Labels(found.game, language)
    return TableDocument(
        you="watch",
        language=labels.speech.language,
        direction="rtl" if labels.speech.right_to_left else "ltr",
        edition=found.offer.pinned.digest,
        title=labels.say(labels.terms.title()),
        seats=tuple(
            Sitting(name, "role" if role else "person", "")
            for name, role in zip(found.game.names, found.game.roles, strict=True)
        ),
        begun=True,
        chosen=dict(found.game.options),
        table=glossary.glossary(labels),
    )


def number_of(request: Request, name: str, otherwise: int) -> int:
    """A number that is asked for. Raises BenchError for what is none."""
    found = request.query_params.get(name, "")
    if not found:
        return otherwise
    if not re.fullmatch(r"-?[0-9]{1,9}", found):
        raise not_understood()
    return int(found)
