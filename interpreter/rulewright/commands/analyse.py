"""Command `rulewright analyse`."""

from __future__ import annotations

import json
import math
import sys
from argparse import Namespace
from pathlib import Path

from rulewright.commands.common import CommandError, choose_language
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import phrase
from rulewright.players import analysis
from rulewright.players.session import Session, changed_rules_notice
from rulewright.publish import analysis_texts
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels


def analyse(arguments: Namespace) -> int:
    """Judge every decision of a finished game: what was played, what was better, and what that cost."""
    path = Path(arguments.file)
    game = Session.load(path).game
    if not game.over:
        raise CommandError(phrase("errors", "The game in '{path}' is not over.", path=str(path)))
    labels = Labels(game, choose_language(arguments.lang))
    seconds = math.inf if arguments.seconds is None else arguments.seconds
    judged = analysis.analyse(game, arguments.tries, seconds)
    if arguments.format == "json":
        rows = [analysis_texts.as_json(labels, one) for one in judged]
        print(json.dumps({"names": list(game.names), "decisions": rows}, indent=1))
        return 0
    console = Console(None, sys.stdout, arguments.color, game.localizer(labels.language))
    console.write_line(Styled(labels.say(Terms(game.rules.edition).title()), "title"))
    if notice := changed_rules_notice(game):
        console.paragraph(notice)
    console.paragraph(analysis_texts.meaning_of_values(game))
    console.write_line()
    decisions = []
    for one in judged:
        analysis_texts.write_decision(console, labels, one)
        console.flush()
        decisions.append(one)
    if not decisions:
        console.paragraph(phrase("analysis", "Nobody had a choice in this game."))
    analysis_texts.write_summary(console, labels, decisions)
    return 0
