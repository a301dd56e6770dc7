"""Rules of the moment, and any rule by its name, in the edition's words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.base.diagnostics import nearest_of
from rulewright.base.rule_keys import RuleKey
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH, Argument, Phrase, phrase
from rulewright.i18n.placeholders import PLACEHOLDERS
from rulewright.model.declarations import SEAT
from rulewright.model.idle_options import idle_options
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import rulings as rulings_about
from rulewright.publish.zone_contents import zone_contents
from rulewright.syntax.source import MappingNode, Node, entries_of
from rulewright.terminal import lookup, word_charts

ALL = "*"
"""Argument that stands for all names."""
_LEVELS = {
    "powers": phrase("rules", "power"),
    "roles": phrase("rules", "role"),
    "options": phrase("rules", "option"),
}
"""Words beside the title of a rule, by its section."""
_KINDS = {
    "game": phrase("rules", "Game"),
    "boards": phrase("rules", "Boards"),
    "pieces": phrase("rules", "Pieces"),
    "zones": phrase("rules", "On the table"),
    "counters": phrase("rules", "Counters"),
    "phases": phrase("rules", "Phases"),
    "steps": phrase("rules", "Steps"),
    "powers": phrase("rules", "Powers"),
    "roles": phrase("rules", "Roles"),
    "options": phrase("rules", "Options"),
    "scoring": phrase("rules", "Scoring"),
    "rulings": phrase("rules", "Rulings"),
    "tables": phrase("rules", "Tables"),
}
"""Headings of names that rules can be asked for, by kind."""
_MAX_TABLE_LINES = 20
"""Lines of charts shown at a decision; larger charts are shown by name."""
_SWITCH_CHOICES = ("no", "yes")
"""Choices of an option that is on or off."""


def show_rules(console: Console, game: Game, decision: Decision, name: str) -> None:
    """Show the rules about a name; without one, of the moment."""
    if name:
        show_named(console, game, name, decision.seat)
    else:
        show_moment(console, game, decision)


def show_moment(console: Console, game: Game, decision: Decision) -> None:
    """Show the rules that hold for a seat now: of the step and the phase, its role and powers, and active options; then
    the tables of words, or their names if they are long."""
    labels, view = Labels(game, console.localizer.language), game.view(decision.seat)
    keys = [RuleKey.of(section, decision.step) for section in ("steps", "powers", "roles", "options")]
    keys += [key for key in game.rules.edition.say_steps() if key.name == decision.step]
    keys.append(RuleKey.of("phases", view.phase) if view.phase else RuleKey("setup"))
    keys += [RuleKey.of("roles", role) for role in view.roles[decision.seat : decision.seat + 1] if role]
    keys += [RuleKey.of("powers", power) for power in view.powers[decision.seat]]
    idle = idle_options(game.rules.edition, len(game.names))
    keys += [
        RuleKey.of("options", name)
        for name, choice in view.options.items()
        if name not in idle and _changes(game, name, choice)
    ]
    if not _show_texts(console, game, labels, dict.fromkeys(keys), decision.seat):
        console.write_line(phrase("rules", "The edition says nothing about this moment."))
    tables = [name for name, words in game.rules.edition.words.items() if words.tables]
    chart_lines = [line for name in tables for line in word_charts.draw(labels, name, console.width, tables_only=True)]
    if len(chart_lines) <= _MAX_TABLE_LINES:
        console.write_lines(chart_lines)
    else:
        list_names = labels.localizer.join_items([labels.say(labels.terms.words(name)) for name in tables])
        console.paragraph(
            list_names, first=Styled(labels.heading_label(labels.say(_KINDS["tables"])), "key"), hang="  "
        )
    slots: dict[str, Argument] = {"name": PLACEHOLDERS["NAME"], "all": ALL}
    message = phrase("rules", "'? {name}' tells a rule by its name, '? {all}' lists the names.", **slots)
    console.paragraph(message, style="faint")


def show_named(console: Console, game: Game, name: str, seat: int) -> None:
    """Show what a name stands for: properties, charts, rules, else its present value; all names for ALL. For an unknown
    one say so, and show the nearest name, or what its words stand for."""
    labels = Labels(game, console.localizer.language)
    if name == ALL or (name.casefold() in _words_for_all(labels) and not lookup.find(labels, name)):
        show_names(console, game, labels)
        return
    things = lookup.find(labels, name)
    if not things:
        near = nearest_of(lookup.fold(name), lookup.all_labels(labels)) or nearest_of(name, lookup.all_names(labels))
        hint = phrase("errors", "Did you mean '{name}'?", name=near) if near else ""
        message = phrase(
            "rules",
            "There is nothing called '{name}'. {hint} '? {all}' lists the names.",
            **{"name": name, "hint": hint, "all": ALL},
        )
        console.paragraph(message, style="bad")
        things = lookup.find(labels, near) if near else lookup.find_by_part(labels, name)
    for label, carries in dict.fromkeys((lookup.fold(thing.label), thing.carries) for thing in things):
        if carries:
            console.write_lines([[Styled(labels.localizer.title(label), "strong")]])
        for property_label, text in carries:
            console.paragraph(text, indent="  ", first=Styled(labels.heading_label(property_label), "key"), hang="  ")
    for chart in dict.fromkeys(thing.chart for thing in things if thing.chart):
        console.write_lines(word_charts.draw(labels, chart, console.width))
    _show_texts(console, game, labels, dict.fromkeys(key for thing in things for key in thing.rules), seat)
    for thing in things:
        if not (thing.chart or thing.rules or thing.carries):
            heading = Styled(labels.heading_label(thing.label), "key")
            console.paragraph(_present_value(labels, thing, seat), first=heading, hang="  ")


def _words_for_all(labels: Labels) -> tuple[str, ...]:
    """Return the words that mean all names: English, and the reader's."""
    return "all", labels.say(phrase("prompt", "all")).casefold()


def _present_value(labels: Labels, thing: lookup.LookupEntry, seat: int) -> Phrase | str:
    """Describe the present value of a counter, or the contents of a shared zone or the seat's own; of anything else,
    say that the edition says nothing."""
    view, edition = labels.game.view(seat), labels.edition
    if thing.counter in view.counters:
        amount = view.counters[thing.counter]
        if isinstance(amount, tuple):
            values = zip(map(labels.name, range(len(amount))), amount, strict=True)
            return labels.localizer.join_items(
                [f"{name} {labels.counter_value(thing.counter, value)}" for name, value in values]
            )
        if not isinstance(amount, Mapping):
            return labels.counter_value(thing.counter, amount)
    if thing.zone and edition.zones[thing.zone].of in ("", SEAT):
        owner = seat if edition.zones[thing.zone].of else None
        return zone_contents(labels, view.zone(thing.zone, owner)) or phrase("argument", "nothing")
    return phrase("rules", "The edition says nothing more about it.")


def show_names(console: Console, game: Game, labels: Labels) -> None:
    """Show the names of all rules, by kind."""
    by_kind: dict[str, list[str]] = {}
    for key in game.program.rules:
        if lookup.is_choice(key):
            continue
        label = labels.rule(key) if labels.language != ENGLISH else key.name or key
        section = "pieces" if key.words else key.section  # words stand on pieces, mostly
        by_kind.setdefault(section if key.name else "game", []).append(label)
    if tables := word_charts.charted_lists(game.rules.edition):
        by_kind["tables"] = [labels.say(labels.terms.words(name)) for name in tables]
    for kind, names in by_kind.items():
        console.paragraph(
            labels.localizer.join_items(names),
            first=Styled(labels.heading_label(labels.say(_KINDS[kind])), "key"),
            hang="  ",
        )


def _show_texts(console: Console, game: Game, labels: Labels, keys: Iterable[RuleKey], seat: int) -> bool:
    """Show rule texts with their steps, choices and rulings; return whether there were any."""
    has_text = False
    for key in keys:
        if text := game.rule_texts.rule(key, seat, labels.language):
            level, title = _LEVELS.get(key.section), labels.rule(key)
            if key.section == "options" and key.name in idle_options(game.rules.edition, len(game.names)):
                level = phrase("rules", "option, not with this number of players")
            heading = title if level is None else labels.localizer.with_note(title, labels.say(level))
            console.paragraph(text, first=Styled(labels.heading_label(heading), "key"), hang="  ")
            show_choices(console, game, labels, key, seat)
            if key == "setup" or text.endswith(":"):
                _show_texts(console, game, labels, _steps(game, key), seat)
            has_text = True
            for ruling in rulings_about(labels, key):
                first = Styled(labels.heading_label(labels.rule(ruling)), "key")
                console.paragraph(
                    game.rule_texts.rule(ruling, seat, labels.language), indent="   ", first=first, hang="  "
                )
    return has_text


def _steps(game: Game, key: RuleKey) -> list[RuleKey]:
    """List the rules of the steps of the setup, or of a phase, in order."""
    tree: Node | None = game.rules.edition.tree
    for name in ["setup"] if key == "setup" else [key.section, key.name]:
        tree = tree.get(name) if isinstance(tree, MappingNode) else None
    steps = tree.get("steps") if isinstance(tree, MappingNode) else None
    return [RuleKey.of("steps", step.text) for step, _ in entries_of(steps)]


def show_choices(console: Console, game: Game, labels: Labels, key: str, seat: int) -> None:
    """Show what the choices of an option mean, if the edition says so."""
    for choice in (other for other in game.program.rules if other.startswith(f"{key}.choices.")):
        first = Styled(labels.heading_label(labels.say(labels.terms.rule(choice))), "key")
        console.paragraph(game.rule_texts.rule(choice, seat, labels.language), indent="   ", first=first, hang="  ")


def _changes(game: Game, name: str, choice: str) -> bool:
    """Return whether an option's setting makes a difference: False for one that can be on and is off."""
    choices = game.rules.edition.options[name].choices
    return choice != choices[0] if choices == _SWITCH_CHOICES else True
