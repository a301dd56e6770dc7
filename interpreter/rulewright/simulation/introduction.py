"""Introduction of a report: its question, who played, and how far their games can be trusted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rulewright.i18n.localizer import Argument, Either, Phrase, phrase
from rulewright.players.kinds import PlayerError, read_budget
from rulewright.players.seating import PERSON, RANDOM_BOT
from rulewright.simulation.markup import Html, tag
from rulewright.simulation.plan import Plan
from rulewright.simulation.report_texts import Teller

_MOST_VALUES = 6
_BETTER, _BEST = "greedy", "search-200"


def question(teller: Teller) -> str:
    """Return the title: the question that the games were played for."""
    groups, plan = teller.groups, teller.groups[0].plan
    if teller.several_runs:
        names = dict.fromkeys(teller.label(group) for group in groups)
        return teller.say(phrase("report", "{names}?", names=Either(tuple(names))))
    words = teller.words(groups[0])
    if plan.varied:
        asked = [_asked(teller, plan, name) for name in plan.varied]
        return teller.speech.title(phrase("report", "{names}?", names=tuple(asked)))
    fixed = words.setting(plan.settings[0], tuple(plan.settings[0]))
    if fixed:
        return teller.say(phrase("report", "How does {game} play with {setting}?", game=words.title(), setting=fixed))
    if any(seat.player == PERSON for seat in plan.seats):
        return teller.say(phrase("report", "How did you play {game}?", game=words.title()))
    return teller.say(phrase("report", "How does {game} play?", game=words.title()))


def _asked(teller: Teller, plan: Plan, name: str) -> str:
    """Return the question on one value: Hand limit 8 or 12; for a single value: 8 instead of 10."""
    words = teller.words(teller.groups[0])
    asked = [setting for setting in plan.settings if plan.own_asked or setting != plan.own]
    wanted = list(dict.fromkeys(setting[name] for setting in asked))
    if all(value.lstrip("-").isdigit() for value in wanted):
        wanted.sort(key=int)
    if wanted == ["yes"]:
        return words.option(name)
    if len(wanted) == 1:
        return words.instead(name, wanted[0], plan.own.get(name, ""))
    told: Argument
    said = [words.value(name, value) for value in wanted]
    if len(wanted) > _MOST_VALUES:
        told = phrase("report", "{low} to {high}", low=said[0], high=said[-1])
    else:
        told = Either(tuple(said))
    slots: dict[str, Argument] = {"option": words.option(name), "values": told}
    if all(value.lstrip("-").isdigit() for value in wanted):
        return teller.say(phrase("report", "{option} {values}", **slots))
    return teller.say(phrase("report", "{option}: {values}", **slots))


def about(teller: Teller) -> Iterator[str]:
    """Yield a line for each run: edition, number of games, settings, and seed."""
    for group in {(group.setting.folder, group.plan.identity): group for group in teller.groups}.values():
        plan, words = group.plan, teller.words(group)
        told: list[Argument] = [words.title()]
        told.append(phrase("report", "{seats} [seat|seats]", seats=len(plan.seats)))
        if len(plan.settings) > 1:
            told.append(
                phrase(
                    "report",
                    "{games} [game|games] with each of {settings} settings",
                    games=plan.games,
                    settings=len(plan.settings),
                )
            )
        else:
            told.append(phrase("report", "{games} [game|games]", games=plan.games))
        fixed = tuple(name for name in plan.settings[0] if name not in plan.varied)
        told += [words.set(name, plan.settings[0][name]) for name in fixed]
        if not plan.played:
            told.append(phrase("report", "seed {seed}", seed=str(plan.seed)))
        told.append(phrase("report", "rules {hash}", hash=plan.hash[:12]))
        yield " · ".join(teller.say(each) for each in told)


def unfinished(teller: Teller) -> str:
    """Return a note that not all games are played yet, or ''."""
    names = tuple(
        teller.say(
            phrase("report", "{played} of {games}", played=group.setting.played, games=group.plan.games)
            if len(teller.groups) == 1
            else phrase(
                "report",
                "{setting}: {played} of {games}",
                setting=teller.label(group),
                played=group.setting.played,
                games=group.plan.games,
            )
        )
        for group in teller.groups
        if group.setting.played < group.plan.games
    )
    if not names:
        return ""
    return teller.say(
        phrase("report", "Not all games are played yet ({names}). This tells of those that are.", names=names)
    )


# ── who played ──


def kinds(plan: Plan) -> list[str]:
    """Return the kinds of players of a run, 'search' without its number of tries; without virtual players."""
    found = []
    for seat in plan.seats:
        if not seat.role:
            try:
                found.append(read_budget(seat.player)[0])
            except PlayerError:
                found.append(seat.player)
    return list(dict.fromkeys(found))


def players(teller: Teller, plan: Plan) -> list[str]:
    """Describe the players, and how far their games can be trusted; the first sentence names them."""
    there = kinds(plan)
    seats = [seat for seat in plan.seats if not seat.role]
    roles = tuple(dict.fromkeys(teller.player(plan, n) for n, seat in enumerate(plan.seats) if seat.role))
    told = [_who(teller, plan, there, len(seats))]
    if roles:
        told.append(teller.say(phrase("report", "Virtual players sit there, too: {names}.", names=roles)))
    worth: dict[str, Phrase] = {
        RANDOM_BOT: phrase(
            "report",
            "Random players are not people: they draw every answer by chance. Their games show what the rules allow, "
            "how long a game can take and what never comes up. They do not show which plan is good.",
        ),
        "greedy": phrase(
            "report",
            "Greedy players take what looks best at once. They do not plan, and they do not bluff.",
        ),
        "search": phrase(
            "report",
            "Search players try out where each answer leads, and play much as an attentive beginner does. Still, "
            "people have more ideas.",
        ),
        PERSON: phrase(
            "report",
            "People played these games. They are few, and people learn from one game to the next.",
        ),
    }
    told += [teller.say(worth[kind]) for kind in there if kind in worth]
    if any(kind not in worth for kind in there):
        told.append(
            teller.say(phrase("report", "These players do what they have learned, which may be one plan only."))
        )
    return told


def _who(teller: Teller, plan: Plan, there: Sequence[str], count: int) -> str:
    if not there:
        return teller.say(phrase("report", "Only virtual players sat there."))
    named: dict[str, Phrase] = {
        RANDOM_BOT: phrase("report", "{seats} random [player|players] sat at the table.", seats=count),
        "greedy": phrase("report", "{seats} greedy [player|players] sat at the table.", seats=count),
        "search": phrase("report", "{seats} search [player|players] sat at the table.", seats=count),
        PERSON: phrase("report", "{seats} [person|people] sat at the table.", seats=count),
    }
    if len(there) == 1 and there[0] in named:
        return teller.say(named[there[0]])
    names = tuple(teller.player(plan, number) for number, seat in enumerate(plan.seats) if not seat.role)
    return teller.say(phrase("report", "At the table sat, clockwise: {names}.", names=names))


def better(teller: Teller, plan: Plan) -> tuple[str, str]:
    """Return advice for more reliable games, and the command for it; '' twice if there is none."""
    there = kinds(plan)
    if not {RANDOM_BOT, "greedy"} & set(there):
        return "", ""
    kind = _BETTER if RANDOM_BOT in there else _BEST
    seats = ",".join(seat.role or kind for seat in plan.seats)
    values: dict[str, dict[str, None]] = {}
    for setting in plan.settings:
        if setting == plan.own and not plan.own_asked:
            continue
        for name, value in setting.items():
            values.setdefault(name, {})[value] = None
    options = [part for name, found in values.items() for part in ("--option", f"{name}={','.join(found)}")]
    editions = list(dict.fromkeys(group.plan.edition for group in teller.groups))
    what = ["compare", *editions] if len(editions) > 1 else ["simulate", plan.edition]
    command = shlex.join(["rulewright", *what, *options, "--seats", seats])
    if kind == _BETTER:
        told = phrase(
            "report",
            "Before you trust a figure, see whether it holds with players that think. {kind} plays better still, and "
            "takes longer.",
            kind=teller.speech.quoted(_BEST),
        )
    else:
        told = phrase("report", "Before you trust a figure, see whether it holds with players that look ahead.")
    return teller.say(told), command


def players_note(teller: Teller) -> Html:
    """Return the page's note on the players, with the advice."""
    parts: list[Html] = []
    for plan in {tuple(group.plan.seats): group.plan for group in teller.groups}.values():
        first, *rest = players(teller, plan)
        parts.append(tag("p", tag("strong", first), " ", " ".join(rest)))
        told, command = better(teller, plan)
        if told:
            parts += [tag("p", told), tag("p", tag("code", command))]
    warn = any({RANDOM_BOT, "greedy"} & set(kinds(group.plan)) for group in teller.groups)
    title = teller.say(phrase("report", "Who played"))
    return tag("aside", tag("h2", title), *parts, class_="note warning" if warn else "note", aria_label=title)
