from rulewright.api import check as check
from rulewright.api import rulebook as rulebook
from rulewright.api import simulate as simulate
from rulewright.base.diagnostics import EditionError as EditionError
from rulewright.base.diagnostics import Report as Report
from rulewright.base.diagnostics import RulewrightError as RulewrightError
from rulewright.game.chance_outcomes import beginnings as beginnings
from rulewright.game.chance_outcomes import outcomes as outcomes
from rulewright.game.choices import AnswerError as AnswerError
from rulewright.game.decisions import Decision as Decision
from rulewright.game.game import Game as Game
from rulewright.game.library import Rules as Rules
from rulewright.game.library import available as available
from rulewright.game.library import load as load
from rulewright.game.setup import GameError as GameError
from rulewright.model.editions import UnknownEdition as UnknownEdition
from rulewright.players import choose as choose

__version__: str
