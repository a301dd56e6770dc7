"""Summary of a game for newcomers: its idea, the parts of a round, the score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.rulebook.model import anchor
from rulewright.publish.rulebook.player_aid import shorten_text
from rulewright.publish.rulebook.round_outline import RoundOutline
from rulewright.publish.rulebook.rulebook_builder import scoring_title


@record
class SummaryPoint:
    """Rule in brief. passage: anchor of the full text in the rulebook."""

    title: str
    text: str
    passage: str


@record
class SummaryPart:
    """Part of a summary. ordered: whether its points follow one another."""

    title: str
    points: tuple[SummaryPoint, ...]
    ordered: bool


@record
class GameSummary:
    """Summary of a game. chosen: each option that differs from the usual, with its choice."""

    title: str
    text: str
    parts: tuple[SummaryPart, ...]
    chosen: tuple[tuple[str, str], ...]


def summarize(rules: Rules, language: str, options: Mapping[str, str]) -> GameSummary:
    """Summarize a game. options: those that differ from the usual. Raises GameError for impossible choices."""
    edition, options_ = rules.edition, check_options(rules, options)
    texts, terms, localizer = RuleTexts(rules, options_), Terms(edition), localizer_of(edition, language)

    def rule_text(key: str) -> str:
        rule = texts.rule(key)
        return localizer.say(rule) if rule is not None else ""

    def part(title: Phrase, keys: Iterable[RuleKey], ordered: bool = False) -> SummaryPart:
        points = (
            SummaryPoint(localizer.title(terms.rule(key)), shorten_text(rule_text(key)), anchor(key)) for key in keys
        )
        return SummaryPart(localizer.title(title), tuple(points), ordered)

    scoring = [
        RuleKey.of("scoring", line.name) for line in edition.scoring if rule_text(RuleKey.of("scoring", line.name))
    ]
    parts = [
        part(
            phrase("rulebook", "A round"), RoundOutline(edition).steps(set(texts.rule_keys())), len(edition.phases) > 1
        ),
        part(scoring_title(edition), [*scoring, *([RuleKey("ranking")] if rule_text("ranking") else [])]),
    ]
    usual = {option.name: option.usual_choice for option in edition.options.values()}
    return GameSummary(
        localizer.say(terms.title()),
        rule_text("edition"),
        tuple(part for part in parts if part.points),
        tuple(
            (localizer.title(terms.option(name)), localizer.say(terms.choice(name, choice)))
            for name, choice in options_.items()
            if choice != usual[name]
        ),
    )
