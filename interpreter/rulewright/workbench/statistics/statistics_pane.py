"""Pane 'What does it do?': results of many games, what never happens, effects of other numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import Route

from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.players.seating import usual_people
from rulewright.program.form import Text
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, language, post, read
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.statistics import number_values
from rulewright.workbench.statistics.sample_requests import CurveRequest, SearchRequest
from rulewright.workbench.statistics.statistics_watch import StatisticsWatch, WatchRequest

PLAYERS = ("random", "greedy")
"""Kinds of players; all of a table are of one kind."""

_ShortText = Annotated[str, Meta(max_length=200)]
_Number = Annotated[int, Meta(ge=-999_999_999, le=999_999_999)]
"""Number that is tried for a value, or looked for."""


class _RangeFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Value with the numbers that are tried for it; least and most may be given the other way round."""

    value: _ShortText
    least: _Number
    most: _Number


class _GoalFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Goal for a quantity. toward: 'low', 'high', or a number."""

    key: _ShortText
    toward: _ShortText


class _SearchFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Search for numbers that bring the game nearer to goals."""

    values: Annotated[list[_RangeFields], Meta(max_length=20)]
    goals: Annotated[list[_GoalFields], Meta(max_length=6)]

    @property
    def request(self) -> SearchRequest:
        """Search as `tune` takes it."""
        spans = (f"{each.value}={min(each.least, each.most)}..{max(each.least, each.most)}" for each in self.values)
        return SearchRequest(tuple(spans), tuple(f"{goal.key}={goal.toward}" for goal in self.goals))


class _WatchFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Table that is watched. player: kind of all; against: what it is compared with, '' for nothing; curve: value whose
    numbers are compared; search: search for numbers, beside the table."""

    people: int
    player: _ShortText
    options: dict[_ShortText, _ShortText] = {}
    against: _ShortText = ""
    curve: _RangeFields | None = None
    search: _SearchFields | None = None


class _NumbersFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers for values, by name."""

    numbers: dict[_ShortText, _Number]


def routes(bench: Bench) -> list[Route]:
    """Return the routes of the pane of statistics."""
    games = StatisticsWatch(bench)

    def send_choices(request: Request, _: Any) -> object:
        """Send the possible choices and all titles."""
        name = file(request)
        edition = games.edition(name)
        rules = bench.compiled(name).rules
        return {
            **_table_choices(edition, language(request)),
            "decisions": _decisions(rules, language(request)) if rules is not None else {},
            "against": [{"what": what, "title": title} for what, title in games.comparison_choices(name)],
            "values": number_values.list_values(edition),
        }

    def watch_games(request: Request, body: Any) -> object:
        """Watch statistics of a table; send those that are cached."""
        fields, name = read(_WatchFields, body), file(request)
        edition = games.edition(name)
        if fields.player not in PLAYERS or not edition.people[0] <= fields.people <= edition.people[1]:
            raise BenchError(phrase("errors", "There is no such table in this game."))
        options = tuple(sorted(check_options(bench.rules(name), fields.options).items()))
        curve = fields.curve and CurveRequest(
            fields.curve.value,
            min(fields.curve.least, fields.curve.most),
            max(fields.curve.least, fields.curve.most),
        )
        search = fields.search and fields.search.request
        return games.watch(WatchRequest(name, fields.people, options, fields.player, fields.against, curve, search))

    def unwatch_games(request: Request, body: Any) -> object:
        """Stop watching statistics; return {}."""
        games.unwatch()
        return {}

    def write_numbers(request: Request, body: Any) -> object:
        """Write other numbers into the source."""
        fields, name = read(_NumbersFields, body), file(request)
        bench.replace(name, number_values.set_numbers(bench.text(name), games.edition(name), fields.numbers))
        return {}

    return [
        get("/api/figures", send_choices),
        post("/api/figures/look", watch_games),
        post("/api/figures/leave", unwatch_games),
        post("/api/figures/take", write_numbers),
    ]


def _table_choices(edition: Edition, language: str) -> dict[str, Any]:
    """Return what a table can be made of, and titles of all that statistics are about."""
    localizer, terms = localizer_of(edition, language), Terms(edition)
    return {
        "people": list(range(edition.people[0], edition.people[1] + 1)),
        "usual": usual_people(edition),
        "players": PLAYERS,
        "options": [
            {
                "name": name,
                "label": localizer.title(terms.option(name)),
                "usual": option.usual_choice,
                "choices": [
                    {"name": choice, "label": localizer.say(terms.choice(name, choice))} for choice in option.choices
                ],
            }
            for name, option in edition.options.items()
        ],
        "lines": {line.name: localizer.title(terms.score(line.name)) for line in edition.scoring},
        "measures": {
            measure.name: localizer.title(Phrase(f"measures.{measure.name}.title", measure.title))
            for measure in edition.measures
        },
        "powers": {name: localizer.title(terms.rule(RuleKey.of("powers", name))) for name in _powers(edition)},
        "roles": {name: localizer.title(terms.rule(RuleKey.of("roles", name))) for name in edition.roles},
    }


def _decisions(rules: Rules, language: str) -> dict[str, Any]:
    """Return titles and questions of decisions, by their ids, as the table shows them; slots filled only in a game stay
    open."""
    edition = rules.edition
    localizer, terms = localizer_of(edition, language), Terms(edition)

    def open_(text: Text) -> str:
        return localizer.say(Phrase(text.key, text.text, tuple((slot, "…") for slot in text.slots)))

    result: dict[str, Any] = {}
    for site in rules.machine(edition.seat_counts()[-1]).program.sites:
        section = "steps" if site.step in edition.steps else "powers" if site.step in _powers(edition) else "phases"
        of = RuleKey.of(section, site.step)
        answers = {
            name: localizer.title(open_(text)) for name, text in zip(site.branches, site.branch_texts, strict=True)
        }
        entry = result.setdefault(
            site.id, {"title": localizer.title(terms.rule(of)), "ask": open_(site.ask), "answers": {}}
        )
        entry["answers"] |= answers
    return result


def _powers(edition: Edition) -> list[str]:
    """List the names of an edition's powers."""
    return [change.name for change in edition.change_sets if change.level == "power"]


WORDS: Mapping[str, Phrase] = {
    "figures tab": phrase("design", "Figures"),
    "figures": phrase("design", "What does it do?"),
    "figures table": phrase("design", "The table"),
    "figures people": phrase("design", "Players"),
    "figures player": phrase("design", "They play"),
    "figures player random": phrase("design", "at random"),
    "figures player greedy": phrase("design", "for the next gain (slower)"),
    "figures against": phrase("design", "Compare with"),
    "figures against nothing": phrase("design", "nothing"),
    "figures against base": phrase("design", "{title}"),
    "figures against opened": phrase("design", "the rules as you opened them"),
    "figures against before": phrase("design", "the rules before this edit"),
    "figures games": phrase("design", "{games} games"),
    "figures playing": phrase("design", "{games} games so far …"),
    "figures beginning": phrase("design", "The first games are being played …"),
    "figures old": phrase("design", "These are the figures from before the last change. New games are being played."),
    "figures slow": phrase("design", "These games take long. There are fewer of them, so the figures are less exact."),
    "figures stopped": phrase("design", "The games could not be played"),
    "figures died": phrase("design", "A game needs too much memory, or never ends."),
    "figures endless": phrase(
        "design", "{limited} of {games} games came to their limit. They have no result, and are not counted below."
    ),
    "figures not ended": phrase(
        "design",
        "{stopped} of {games} games could not be played to their ends, and are not counted below. The first of them "
        "has the seed {seed}. {why}",
    ),
    "figures limited": phrase("design", "{limited} of {games} games came to their limit."),
    "figures estimate": phrase("design", "{value} ({low} to {high})"),
    "figures interval": phrase("design", "In brackets: where the true figure lies, 95 times in 100."),
    # length
    "figures length": phrase("design", "How long it takes"),
    "figures rounds": phrase("design", "Rounds"),
    "figures decisions": phrase("design", "Decisions in a game"),
    "figures most": phrase("design", "Nine in ten games: {low} to {high}"),
    "figures always": phrase("design", "Always {value}"),
    "figures share": phrase("design", "Share of games"),
    "figures share of": phrase("design", "How often: {what}"),
    "figures spread": phrase("design", "{low} to {high}"),
    # seats
    "figures seats": phrase("design", "Who wins"),
    "figures seat": phrase("design", "Seat {seat}"),
    "figures fair": phrase("design", "Fair share: {share}"),
    "figures first more": phrase(
        "design", "The first seat wins more often than chance explains: {won} of games, where {fair} would be fair."
    ),
    "figures more": phrase("design", "Seat {seat} wins more often than chance explains: {won}, not {fair}."),
    "figures less": phrase("design", "Seat {seat} wins less often than chance explains: {won}, not {fair}."),
    "figures even": phrase("design", "No seat has an advantage that these games can show."),
    "figures wins": phrase("design", "Share of wins"),
    "figures total": phrase("design", "Points of a seat"),
    # points
    "figures points": phrase("design", "Where points come from"),
    "figures points of": phrase("design", "Mean points of a seat"),
    "figures nothing of": phrase("design", "Brings nothing in"),
    # closeness
    "figures close": phrase("design", "How close it is"),
    "figures margin": phrase("design", "Points between first and second"),
    "figures lead_changes": phrase("design", "Times the lead changes"),
    "figures shared": phrase("design", "Games with several winners"),
    "figures tie_break": phrase("design", "Games decided by a tie-break"),
    "figures best": phrase("design", "Most points"),
    "figures apart": phrase("design", "Points from first to last"),
    "figures won": phrase("design", "Wins of seat {seat}"),
    "figures held": phrase("design", "Seats that have {power}"),
    "figures used": phrase("design", "Uses of {power} by a seat"),
    # never
    "figures never": phrase("design", "What never happens"),
    "figures looked at": phrase("design", "In {games} games. What is rare may still happen in others."),
    "figures all happens": phrase("design", "Every sentence was reached, and everything was used."),
    "figures sentences": phrase("design", "Sentences never reached: {count} of {of}"),
    "figures answers": phrase("design", "Answers never given"),
    "figures never offered": phrase("design", "never offered"),
    "figures never taken": phrase("design", "offered {count} times, never taken"),
    "figures pieces": phrase("design", "Pieces that stay where they begin"),
    "figures powers": phrase("design", "Powers never used"),
    "figures never held": phrase("design", "nobody ever has it"),
    "figures held unused": phrase("design", "somebody has it, nobody uses it"),
    "figures more of": phrase("design", "{count} more"),
    "figures elsewhere": phrase("design", "in what it extends, line {line}"),
    "figures line": phrase("design", "Line {line}"),
    # decisions
    "figures chosen": phrase("design", "What players choose"),
    "figures taken": phrase("design", "Taken when offered"),
    "figures offered": phrase("design", "Offered"),
    "figures answer": phrase("design", "Answer"),
    # differences
    "figures differences": phrase("design", "What is different"),
    "figures compared": phrase("design", "{games} games with each set of rules."),
    "figures paired": phrase("design", "The same shuffles on both sides."),
    "figures higher": phrase("design", "{what}: {after} instead of {before}. Higher by {much} ({low} to {high})."),
    "figures lower": phrase("design", "{what}: {after} instead of {before}. Lower by {much} ({low} to {high})."),
    "figures no difference": phrase("design", "Nothing that is surely different so far."),
    "figures no difference at all": phrase("design", "Every game comes out the same."),
    "figures perhaps": phrase("design", "Perhaps different"),
    "figures unclear": phrase("design", "All that was compared"),
    "figures only here": phrase("design", "Only now: {what}."),
    "figures only there": phrase("design", "No longer there: {what}."),
    "figures not there": phrase("design", "That has no such table to compare with."),
    "figures before": phrase("design", "Before"),
    "figures now": phrase("design", "Now"),
    "figures difference": phrase("design", "Difference"),
    "figures verdict": phrase("design", "Verdict"),
    "figures verdict differs": phrase("design", "surely different"),
    "figures verdict perhaps": phrase("design", "perhaps"),
    "figures verdict unclear": phrase("design", "cannot be told apart"),
    "figures verdict same": phrase("design", "the same"),
    "figures percent points": phrase("design", "{number} percentage points"),
    # the slider
    "figures turn": phrase("design", "Turn a number"),
    "figures value": phrase("design", "Number"),
    "figures no values": phrase("design", "This game has no number under 'values' that could be turned."),
    "figures choose value": phrase("design", "Choose a number"),
    "figures here": phrase("design", "Take the number at the cursor"),
    "figures shows": phrase("design", "Show"),
    "figures least": phrase("design", "From"),
    "figures top": phrase("design", "To"),
    "figures curve": phrase("design", "{what}, for each {value}"),
    "figures drag": phrase("design", "Try another number: {value}"),
    "figures with": phrase("design", "{value} {number}: {what} {estimate}, from {games} games."),
    "figures present": phrase("design", "now {number}"),
    "figures unplayable": phrase("design", "{value} {number}: {text}"),
    "figures no end": phrase("design", "No game ends."),
    "figures take": phrase("design", "Take this value"),
    "figures took": phrase("design", "It says {number} now."),
    # values that are looked for
    "figures look": phrase("design", "Look for values"),
    "figures look about": phrase(
        "design", "Choose numbers, each with a span, and what you want. Many are tried; the best are checked."
    ),
    "figures vary": phrase("design", "Vary {value}"),
    "figures vary from": phrase("design", "{value}: from"),
    "figures vary to": phrase("design", "{value}: to"),
    "figures goal": phrase("design", "Goal {number}"),
    "figures no goal": phrase("design", "none"),
    "figures aim": phrase("design", "Should be"),
    "figures aim low": phrase("design", "low"),
    "figures aim high": phrase("design", "high"),
    "figures aim number": phrase("design", "a number"),
    "figures aim at": phrase("design", "Goal {number}: which number"),
    "figures search": phrase("design", "Look"),
    "figures lacks value": phrase("design", "Tick a value that may change."),
    "figures lacks span": phrase("design", "{value} needs two whole numbers, the smaller one first."),
    "figures lacks goal": phrase("design", "Choose a goal."),
    "figures lacks number": phrase("design", "Say which number you want."),
    "figures search stop": phrase("design", "Stop"),
    "figures searching": phrase("design", "{tried} of {planned} tried …"),
    "figures checking": phrase("design", "The best are checked on fresh games …"),
    "figures searched drawn": phrase("design", "{tried} tried, drawn at random: there are too many to try them all."),
    "figures searched": phrase("design", "{tried} tried."),
    "figures spread of seat wins": phrase("design", "Spread of seat wins"),
    "figures kind now": phrase("design", "now"),
    "figures kind chosen": phrase("design", "proposed"),
    "figures kind best": phrase("design", "beaten by no other in all goals"),
    "figures kind other": phrase("design", "others"),
    "figures fresh": phrase("design", "{what}, fresh games"),
    "figures says better": phrase("design", "surely nearer"),
    "figures says worse": phrase("design", "surely farther"),
    "figures says unclear": phrase("design", "cannot be told apart"),
    "figures says same": phrase("design", "the same"),
    "figures trade-off": phrase("design", "{x} against {y}, a mark for each that was tried"),
    "figures take all": phrase("design", "Take these values"),
    "figures take head": phrase("design", "Into the file"),
    "figures take these": phrase("design", "Take {values}"),
    "figures failed values": phrase("design", "{values}: {text}"),
    "figures fresh why": phrase(
        "design", "The best of many looks better where it was found than it is. Fresh games had no part in the choice."
    ),
    "figures of value": phrase("design", "{value} ({now})"),
}
