"""Introduction of a report: its question, who played, and how far their games can be trusted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from rulewright.i18n.localizer import Argument, Either, Phrase, phrase
from rulewright.players.kinds import LEVELS, PlayerError, read_budget
from rulewright.players.seating import PERSON, RANDOM_BOT
from rulewright.simulation.markup import Html, tag
from rulewright.simulation.plan import Plan
from rulewright.simulation.report_texts import ReportTexts

_MAX_VALUES = 6
"""Limit of values that the question lists; of more it gives the first and the last."""
_BETTER, _BEST = "greedy", "search-200"
"""Kinds of players that are advised."""


def question(texts: ReportTexts) -> str:
    """Return the title of a report: the question that the games were played for."""
    groups, plan = texts.groups, texts.groups[0].plan
    if texts.several_runs:
        names = dict.fromkeys(texts.label(group) for group in groups)
        return texts.say(phrase("report", "{names}?", names=Either(tuple(names))))
    words = texts.words(groups[0])
    if plan.varied:
        questions = [_value_question(texts, plan, name) for name in plan.varied]
        return texts.localizer.title(phrase("report", "{names}?", names=tuple(questions)))
    fixed = words.setting(plan.settings[0], tuple(plan.settings[0]))
    if fixed:
        return texts.say(phrase("report", "How does {game} play with {setting}?", game=words.title(), setting=fixed))
    if any(seat.player == PERSON for seat in plan.seats):
        return texts.say(phrase("report", "How did you play {game}?", game=words.title()))
    return texts.say(phrase("report", "How does {game} play?", game=words.title()))


def _value_question(texts: ReportTexts, plan: Plan, name: str) -> str:
    """Return the question on one value: Hand limit 8 or 12; for a single value: 8 instead of 10."""
    words = texts.words(texts.groups[0])
    compared_settings = [setting for setting in plan.settings if plan.own_asked or setting != plan.own]
    compared_values = list(dict.fromkeys(setting[name] for setting in compared_settings))
    if all(value.lstrip("-").isdigit() for value in compared_values):
        compared_values.sort(key=int)
    if compared_values == ["yes"]:
        return words.option(name)
    if len(compared_values) == 1:
        return words.instead(name, compared_values[0], plan.own.get(name, ""))
    values_text: Argument
    value_names = [words.value(name, value) for value in compared_values]
    if len(compared_values) > _MAX_VALUES:
        values_text = phrase("report", "{low} to {high}", low=value_names[0], high=value_names[-1])
    else:
        values_text = Either(tuple(value_names))
    slots: dict[str, Argument] = {"option": words.option(name), "values": values_text}
    if all(value.lstrip("-").isdigit() for value in compared_values):
        return texts.say(phrase("report", "{option} {values}", **slots))
    return texts.say(phrase("report", "{option}: {values}", **slots))


def run_lines(texts: ReportTexts) -> Iterator[str]:
    """Yield a line for each run: edition, number of games, settings, and seed."""
    for group in {(group.setting.folder, group.plan.identity): group for group in texts.groups}.values():
        plan, words = group.plan, texts.words(group)
        parts: list[Argument] = [words.title()]
        parts.append(phrase("report", "{seats} [seat|seats]", seats=len(plan.seats)))
        if len(plan.settings) > 1:
            parts.append(
                phrase(
                    "report",
                    "{games} [game|games] with each of {settings} settings",
                    games=plan.games,
                    settings=len(plan.settings),
                )
            )
        else:
            parts.append(phrase("report", "{games} [game|games]", games=plan.games))
        fixed = tuple(name for name in plan.settings[0] if name not in plan.varied)
        parts += [words.with_value(name, plan.settings[0][name]) for name in fixed]
        if not plan.played:
            parts.append(phrase("report", "seed {seed}", seed=str(plan.seed)))
        parts.append(phrase("report", "rules {hash}", hash=plan.hash[:12]))
        yield " · ".join(texts.say(each) for each in parts)


def unfinished_note(texts: ReportTexts) -> str:
    """Return a note that not all games are played yet, with the number of each such group; '' if all are."""
    names = tuple(
        texts.say(
            phrase("report", "{played} of {games}", played=group.setting.played, games=group.plan.games)
            if len(texts.groups) == 1
            else phrase(
                "report",
                "{setting}: {played} of {games}",
                setting=texts.label(group),
                played=group.setting.played,
                games=group.plan.games,
            )
        )
        for group in texts.groups
        if group.setting.played < group.plan.games
    )
    if not names:
        return ""
    return texts.say(
        phrase("report", "Not all games are played yet ({names}). This tells of those that are.", names=names)
    )


# ── who played ──


def kinds_of_players(plan: Plan) -> list[str]:
    """Return the kinds of players of a run, each once, 'search' without its number of tries; without virtual
    players."""
    names = []
    for seat in plan.seats:
        if not seat.role:
            try:
                names.append(read_budget(seat.player)[0])
            except PlayerError:
                names.append(seat.player)
    return list(dict.fromkeys(names))


def describe_players(texts: ReportTexts, plan: Plan) -> list[str]:
    """Describe the players, and how far their games can be trusted; the first sentence names them."""
    player_kinds = kinds_of_players(plan)
    seats = [seat for seat in plan.seats if not seat.role]
    roles = tuple(dict.fromkeys(texts.player(plan, n) for n, seat in enumerate(plan.seats) if seat.role))
    sentences = [_names_sentence(texts, plan, player_kinds, len(seats))]
    if roles:
        sentences.append(texts.say(phrase("report", "Virtual players sit there, too: {names}.", names=roles)))
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
    worth |= dict.fromkeys(LEVELS, worth["search"])
    sentences += dict.fromkeys(texts.say(worth[kind]) for kind in player_kinds if kind in worth)
    if any(kind not in worth for kind in player_kinds):
        sentences.append(
            texts.say(phrase("report", "These players do what they have learned, which may be one plan only."))
        )
    return sentences


def _names_sentence(texts: ReportTexts, plan: Plan, player_kinds: Sequence[str], count: int) -> str:
    """Return the sentence that names the players."""
    if not player_kinds:
        return texts.say(phrase("report", "Only virtual players sat there."))
    sentences: dict[str, Phrase] = {
        RANDOM_BOT: phrase("report", "{seats} random [player|players] sat at the table.", seats=count),
        "greedy": phrase("report", "{seats} greedy [player|players] sat at the table.", seats=count),
        "search": phrase("report", "{seats} search [player|players] sat at the table.", seats=count),
        PERSON: phrase("report", "{seats} [person|people] sat at the table.", seats=count),
    }
    if len(player_kinds) == 1 and player_kinds[0] in sentences:
        return texts.say(sentences[player_kinds[0]])
    names = tuple(texts.player(plan, number) for number, seat in enumerate(plan.seats) if not seat.role)
    return texts.say(phrase("report", "At the table sat, clockwise: {names}.", names=names))


def advice(texts: ReportTexts, plan: Plan) -> tuple[str, str]:
    """Return advice for more reliable games, and the command for it; '' twice unless a random or a greedy player sits
    there."""
    player_kinds = kinds_of_players(plan)
    if not {RANDOM_BOT, "greedy"} & set(player_kinds):
        return "", ""
    kind = _BETTER if RANDOM_BOT in player_kinds else _BEST
    seats = ",".join(seat.role or kind for seat in plan.seats)
    values: dict[str, dict[str, None]] = {}
    for setting in plan.settings:
        if setting == plan.own and not plan.own_asked:
            continue
        for name, value in setting.items():
            values.setdefault(name, {})[value] = None
    options = [part for name, choices in values.items() for part in ("--option", f"{name}={','.join(choices)}")]
    editions = list(dict.fromkeys(group.plan.edition for group in texts.groups))
    command_words = ["compare", *editions] if len(editions) > 1 else ["simulate", plan.edition]
    command = shlex.join(["rulewright", *command_words, *options, "--seats", seats])
    if kind == _BETTER:
        message = phrase(
            "report",
            "Before you trust a figure, see whether it holds with players that think. {kind} plays better still, and "
            "takes longer.",
            kind=texts.localizer.quote(_BEST),
        )
    else:
        message = phrase("report", "Before you trust a figure, see whether it holds with players that look ahead.")
    return texts.say(message), command


def players_note(texts: ReportTexts) -> Html:
    """Return the page's note on the players, with the advice."""
    parts: list[Html] = []
    for plan in {tuple(group.plan.seats): group.plan for group in texts.groups}.values():
        first, *rest = describe_players(texts, plan)
        parts.append(tag("p", tag("strong", first), " ", " ".join(rest)))
        advice_text, command = advice(texts, plan)
        if advice_text:
            parts += [tag("p", advice_text), tag("p", tag("code", command))]
    warn = any({RANDOM_BOT, "greedy"} & set(kinds_of_players(group.plan)) for group in texts.groups)
    title = texts.say(phrase("report", "Who played"))
    return tag("aside", tag("h2", title), *parts, class_="note warning" if warn else "note", aria_label=title)
