"""The rules of the moment, and any rule by its name, in the edition's own words."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.declarations import canonical
from rulewright.diagnostics import nearest
from rulewright.frontends import charts
from rulewright.frontends.console import Console, Styled
from rulewright.frontends.labels import Labels
from rulewright.game import Decision, Game

ALL = "*"
_ONE_OF_TWO = ("no", "yes")


def tell_moment(console: Console, game: Game, decision: Decision) -> None:
    """What holds for a seat now: the step and the phase, its role and its powers, and options that are on."""
    labels, view = Labels(game), game.view(decision.seat)
    keys = [f"{section}.{decision.step}" for section in ("steps", "powers", "roles", "options")]
    keys.append(f"phases.{view.phase}" if view.phase else "setup")
    keys += [f"roles.{role}" for role in view.roles[decision.seat : decision.seat + 1] if role]
    keys += [f"powers.{power}" for power in view.powers[decision.seat]]
    keys += [f"options.{name}" for name, choice in view.options.items() if _changes(game, name, choice)]
    if not _tell(console, game, labels, dict.fromkeys(keys), decision.seat):
        console.say("The edition says nothing about this moment.")
    for name, words in game.rules.edition.words.items():
        if words.tables:
            console.lines(charts.draw(game.rules.edition, name, console.width))
    console.paragraph(f"'? NAME' tells a rule by its name, '? {ALL}' lists the names.", style="faint")


def tell_named(console: Console, game: Game, name: str, seat: int) -> None:
    """The rules of one name; or the names that there are."""
    labels = Labels(game)
    if name == ALL:
        tell_names(console, game, labels)
        return
    wanted = canonical(name.casefold())
    found = [key for key in game.program.rules if wanted in _names(key, labels)]
    if not found and wanted not in map(canonical, charts.told(game.rules.edition)):
        found = [key for key in game.program.rules if any(wanted in known for known in _names(key, labels))]
    lists = [words for words in charts.told(game.rules.edition) if canonical(words.casefold()) == wanted]
    for words in lists:
        console.lines(charts.draw(game.rules.edition, words, console.width))
    if _tell(console, game, labels, found, seat) or lists:
        return
    known = {known for key in game.program.rules for known in _names(key, labels)}
    hint = nearest(name, known | set(charts.told(game.rules.edition)))
    console.paragraph(
        f"There is no rule called '{name}'. {hint} '? {ALL}' lists the names.".replace("  ", " "), style="bad"
    )


def tell_names(console: Console, game: Game, labels: Labels) -> None:
    """All rules that there are, by kind."""
    by_kind: dict[str, list[str]] = {}
    for key in game.program.rules:
        kind, _, name = key.partition(".")
        by_kind.setdefault(kind if name else "game", []).append(name or kind)
    if tables := charts.told(game.rules.edition):
        by_kind["tables"] = tables
    for kind, names in by_kind.items():
        console.paragraph(", ".join(names), first=Styled(f"{kind.capitalize()}:", "key"), hang="  ")
    del labels


def _tell(console: Console, game: Game, labels: Labels, keys: Iterable[str], seat: int) -> bool:
    told = False
    for key in keys:
        if text := game.rule(key, seat):
            kind = key.partition(".")[0].removesuffix("s") if "." in key else ""
            role = f" ({kind})" if kind in ("power", "role", "option") else ""
            console.paragraph(text, first=Styled(f"{labels.rule(key)}{role}:", "key"), hang="  ")
            told = True
    return told


def _names(key: str, labels: Labels) -> tuple[str, ...]:
    name = key.partition(".")[2] or key
    return canonical(name.casefold()), canonical(labels.rule(key).casefold())


def _changes(game: Game, name: str, choice: str) -> bool:
    """Whether an option makes a difference as it is set: not one that can be on and is off."""
    choices = game.rules.edition.options[name].choices
    return choice != choices[0] if choices == _ONE_OF_TWO else True
