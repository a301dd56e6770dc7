"""A game in a minute, for whoever has never seen it: what it is about, what a round is made of, what counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.rulebook.contents import anchor, scoring_title
from rulewright.publish.rulebook.player_aid import in_brief
from rulewright.publish.rulebook.round_outline import RoundCourse


@record
class Point:
    """A rule in brief. passage: where the rulebook tells all of it."""

    title: str
    text: str
    passage: str


@record
class Part:
    """ordered: whether one point follows the other."""

    title: str
    points: tuple[Point, ...]
    ordered: bool


@record
class Glance:
    """chosen: each option that is not as usual, with its choice."""

    title: str
    text: str
    parts: tuple[Part, ...]
    chosen: tuple[tuple[str, str], ...]


def glance(rules: Rules, language: str, options: Mapping[str, str]) -> Glance:
    """options: those that are not as usual. Raises GameError for what cannot be chosen."""
    edition, chosen = rules.edition, check_options(rules, options)
    texts, terms, said = RuleTexts(rules, chosen), Terms(edition), speech_of(edition, language)

    def told(key: str) -> str:
        found = texts.rule(key)
        return said.say(found) if found is not None else ""

    def part(title: Phrase, keys: Iterable[RuleKey], ordered: bool = False) -> Part:
        points = (Point(said.title(terms.rule(key)), in_brief(told(key)), anchor(key)) for key in keys)
        return Part(said.title(title), tuple(points), ordered)

    scoring = [RuleKey.of("scoring", line.name) for line in edition.scoring if told(RuleKey.of("scoring", line.name))]
    parts = [
        part(phrase("rulebook", "A round"), RoundCourse(edition).steps(set(texts.told())), len(edition.phases) > 1),
        part(scoring_title(edition), [*scoring, *([RuleKey("ranking")] if told("ranking") else [])]),
    ]
    usual = {option.name: option.choices[option.default] for option in edition.options.values()}
    return Glance(
        said.say(terms.title()),
        told("edition"),
        tuple(part for part in parts if part.points),
        tuple(
            (said.title(terms.option(name)), said.say(terms.choice(name, choice)))
            for name, choice in chosen.items()
            if choice != usual[name]
        ),
    )
