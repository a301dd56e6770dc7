"""Explain a symbol of an edition: its kind, text, place, uses and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from rulewright.authoring.edition_texts import (
    EditionTexts,
    body_lines,
    format_alternatives,
    format_by_seats,
    format_list,
    one_line,
)
from rulewright.base.diagnostics import RulewrightError, SourcePlace, nearest
from rulewright.base.records import record
from rulewright.model.declarations import ChangeSet, Edition, Hook, Kind, Zone, canonical
from rulewright.model.references import CHANGES, HOOKS, NAMES, STEPS, Use, uses
from rulewright.model.symbols import Symbol, find, symbols
from rulewright.syntax.source import MappingNode

_NAMED_IN_SENTENCES = frozenset(
    ["word list", "word", "board", "space", "kind of piece", "attribute", "zone", "value", "term", "counter", "option"]
)


class UnknownName(RulewrightError):
    """Raised for a name that an edition does not have."""


@record
class ExplainedRow:
    """Row of an explanation: label, which may be '', and lines."""

    label: str
    lines: tuple[str, ...]


@record
class Explanation:
    """Explanation of a symbol: name, title, kind and rows."""

    name: str
    title: str
    kind: str
    rows: tuple[ExplainedRow, ...]


def names(edition: Edition) -> dict[str, list[str]]:
    """Return the names of an edition, by kind."""
    result: dict[str, list[str]] = {}
    for entry in symbols(edition):
        result.setdefault(entry.kind, []).append(entry.name)
    return {kind: list(dict.fromkeys(listed)) for kind, listed in result.items()}


def explain(edition: Edition, name: str) -> list[Explanation]:
    """Explain all symbols that a name can mean. Raises UnknownName, with the nearest name."""
    return Explainer(edition).explain(name)


class Explainer:
    """Explainer of the names of one edition."""

    def __init__(self, edition: Edition, known_uses: list[Use] | None = None) -> None:
        """Take an edition, and its uses of names if they are known."""
        self.edition, self.wording, self._known_uses = edition, EditionTexts(edition), known_uses
        self.changes = {(c.level, c.name, c.choice): c for c in edition.change_sets}
        self.entries = symbols(edition)
        self.places = {entry.path: entry for entry in self.entries}

    @cached_property
    def uses(self) -> dict[str, list[Use]]:
        """Uses of names, by canonical name."""
        result: dict[str, list[Use]] = {}
        for use in uses(self.edition) if self._known_uses is None else self._known_uses:
            result.setdefault(use.name, []).append(use)
        return result

    def explain(self, name: str) -> list[Explanation]:
        """Explain all symbols that a name can mean. Raises UnknownName, with the nearest name."""
        matches, known = find(self.edition, name, self.entries), self.entries
        if not matches:
            hint = nearest(name, {*(entry.name for entry in known), *(entry.title for entry in known)})
            if "." in name:
                hint = hint or nearest(name, {entry.dotted for entry in known})
            hint = hint or f"'rulewright explain {self.edition.name}' lists the names."
            raise UnknownName(f"{self.edition.full_title()} has nothing called '{one_line(name)[:60]}'. {hint}")
        return [self.explained(entry) for entry in matches]

    def explained(self, entry: Symbol) -> Explanation:
        rows = [row for row in self.rows(entry) if any(row.lines)]
        return Explanation(entry.name, entry.title, self.kind(entry), tuple(rows))

    def kind(self, entry: Symbol) -> str:
        """Describe the kind of a symbol: 'value of each seat'."""
        match entry.kind:
            case "value" | "term" | "counter":
                return f"{entry.kind} of {'the game' if entry.path[1] == 'game' else f'each {entry.path[1]}'}"
            case "word":
                return f"word of the list '{entry.path[1]}'"
            case "space":
                return f"{self.edition.boards[entry.path[1]].spaces} of the board '{entry.path[1]}'"
            case "attribute":
                return f"attribute of the kind of piece '{entry.path[1]}'"
            case "choice":
                return f"choice of the option '{entry.path[1]}'"
            case "step":
                owner = self.places[entry.path[:-2]]
                return f"step of {'the setup' if owner.kind == 'setup' else f'the phase {owner.title!r}'}"
            case "phase" if entry.name in self.edition.steps:
                return "phase that is done as a step"
        return entry.kind

    def rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rows of an explanation, empty ones included."""
        changes = next((self.changes[key] for key in self.keys(entry) if key in self.changes), None)
        text = entry.text("text") or (changes.text if changes else None)  # a role may have it from another
        yield ExplainedRow("text", (self.wording.text(text, changes),))
        yield from self.substance(entry)
        if changes is not None:
            yield from self.changing(changes)
        yield ExplainedRow("stands in", (format_place(entry.place),))
        yield ExplainedRow("changed by", tuple(self.changers(entry)))
        yield ExplainedRow("at this step", tuple(self.hooks(entry)))
        yield ExplainedRow("given by", (self.giver(entry),))
        yield ExplainedRow("done by" if self.is_step(entry) else "used by", tuple(self.users(entry)))

    def keys(self, entry: Symbol) -> list[tuple[str, str, str]]:
        """Return the possible keys of a symbol's change set: (level, name, choice)."""
        if entry.kind == "choice":
            return [("option", entry.path[1], entry.name)]
        return [(entry.kind, entry.name, choice) for choice in ("", "yes")]

    # ── what it is ──

    def substance(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rows that only symbols of its kind have."""
        edition = self.edition
        match entry.kind:
            case "value" | "term":
                yield ExplainedRow("is", tuple(self.amounts(entry.name)))
            case "counter":
                counter = edition.counters[entry.name]
                yield ExplainedRow("starts at", (edition.begins(counter),))
                yield ExplainedRow("called", (counter.noun.one if counter.noun.one != entry.name else "",))
            case "word":
                yield ExplainedRow("has", (", ".join(self.attributes(entry)),))
                yield self.says(entry)
            case "space":
                yield ExplainedRow("has", (", ".join(self.attributes(entry)),))
                yield self.says(entry)
                yield ExplainedRow("next to", (format_list(self.neighbours(entry)),))
            case "board":
                board = edition.boards[entry.name]
                drawing = entry.text("map")
                yield ExplainedRow("of", (board.spaces,))
                yield ExplainedRow("there are", (str(len(board.neighbours)),))
                shape = entry.text("neighbours")
                size = entry.text("size")
                yield ExplainedRow("size", (size.text if size else "",))
                yield ExplainedRow("neighbours", (shape.text if shape else "orthogonal" if drawing or size else "",))
                wraps = entry.text("wraps")
                yield ExplainedRow("wraps", (wraps.text if wraps else "",))
                directions = edition.words[board.directions].words if board.directions else ()
                yield ExplainedRow(board.directions, (format_list(word.name for word in directions),))
                yield ExplainedRow("map", tuple(drawing.text.rstrip().split("\n")) if drawing else ())
            case "word list":
                yield ExplainedRow("words", (format_list(word.name for word in edition.words[entry.name].words),))
            case "kind of piece":
                yield from self.pieces(edition.kinds[entry.name])
                yield self.says(entry)
            case "zone":
                yield from self.zone(edition.zones[entry.name])
            case "attribute":
                yield ExplainedRow("is", (self.attribute(entry),))
            case "role":
                role = edition.roles[entry.name]
                people = [
                    f"{count} ({'always' if must else 'if wanted'})" for count, must in sorted(role.joins.items())
                ]
                like = entry.text("like")
                yield ExplainedRow("plays like", (like.text if like else "",))
                yield ExplainedRow("joins", (f"{format_alternatives(people)} people" if people else "",))
                yield ExplainedRow("is", ("scored" if role.scored else "not scored",))
                yield ExplainedRow("powers", ("work for it" if role.uses_powers else "do not work for it",))
            case "option":
                option = edition.options[entry.name]
                texts = {name: self.wording.text(text) for name, text in option.choice_texts.items()}
                yield ExplainedRow("usually", (option.choices[option.default],))
                yield ExplainedRow(
                    "choices", tuple(f"{name}: {texts[name]}" for name in option.choices if name in texts)
                )
            case "score line":
                line = next(line for line in edition.scoring if line.name == entry.name)
                yield ExplainedRow("points", (one_line(line.points.text),))
            case "ruling":
                yield ExplainedRow("about", (edition.rulings[entry.name].about,))
            case "measure":
                measure = next(measure for measure in edition.measures if measure.name == entry.name)
                yield ExplainedRow("is", (one_line(measure.amount.text),))
            case "sides":
                yield ExplainedRow("the seats play", (edition.begins(edition.counters[edition.sides]),))
            case "ranking":
                yield ExplainedRow("by", (one_line(edition.ranking.text) if edition.ranking else "",))
            case "limit":
                limit = edition.limit
                yield ExplainedRow("answers", ("" if limit.answers is None else f"{limit.answers:,}",))
                yield ExplainedRow("rounds", ("" if limit.rounds is None else f"{limit.rounds:,}",))
                yield ExplainedRow(
                    "a game that comes to it", ("counts as it stands" if limit.scored else "has no result",)
                )
            case "step" | "phase" | "setup":
                body = entry.node.get("do") if isinstance(entry.node, MappingNode) else entry.node
                parameters = edition.steps[entry.name].parameters if entry.kind == "step" else ()
                yield ExplainedRow("for", tuple(f"{name}: {one_line(text.text)}" for name, text in parameters))
                yield ExplainedRow("does", tuple(body_lines(body)) if body is not None else ())

    def says(self, entry: Symbol) -> ExplainedRow:
        """Return the row of what a word or a piece says."""
        body = entry.node.get("do") if isinstance(entry.node, MappingNode) else None
        return ExplainedRow("says", tuple(body_lines(body)) if body is not None else ())

    def amounts(self, name: str) -> Iterator[str]:
        """Yield the amounts of a figure: usually, and under each change set that alters it."""
        seats = self.edition.seat_counts()
        usual = format_by_seats(self.wording.amounts(name, seats))
        yield usual or self.wording.formula(self.edition.figures[name])
        for changes in self.unusual_change_sets():
            amount = format_by_seats(self.wording.amounts(name, seats, changes))
            if amount and amount != usual:
                yield f"{amount} {self.condition_text(changes)}"

    def unusual_change_sets(self) -> Iterator[ChangeSet]:
        """Yield the change sets that do not apply by default; for a yes/no option that does, its opposite."""
        for changes in self.edition.change_sets:
            option = self.edition.options.get(changes.name) if changes.level == "option" else None
            if option is None or option.choices[option.default] != changes.choice:
                yield changes
            elif option.choices == ("no", "yes"):
                yield ChangeSet("option", option.name, "no", changes.place, changes.title, None, {}, ())

    def condition_text(self, changes: ChangeSet) -> str:
        """Describe when a change set applies: 'with the option 'long hands''."""
        if changes.level == "role":
            return f"for {self.edition.roles[changes.name].title}"
        if changes.level == "power":
            return f"with the power of the {self.wording.word(changes.name)}"
        if changes.choice in ("yes", "no"):
            return f"{'with' if changes.choice == 'yes' else 'without'} the option '{changes.name}'"
        return f"with '{changes.choice}' of the option '{changes.name}'"

    def attributes(self, entry: Symbol) -> Iterator[str]:
        for key, value in entry.node.items() if isinstance(entry.node, MappingNode) else ():
            if key.text not in ("next to", "title", "text", "do"):
                yield f"{key.text}: {', '.join(body_lines(value))}"

    def neighbours(self, entry: Symbol) -> list[str]:
        """Return the neighbours of a space."""
        board = self.edition.boards[entry.path[1]]
        names = [word.name for word in self.edition.words[board.spaces].words]
        return [names[number] for number in board.neighbours[names.index(entry.name)]]

    def attribute(self, entry: Symbol) -> str:
        kind = self.edition.kinds[entry.path[1]]
        values = dict.fromkeys(self.wording.attributes(kind, row)[entry.name] for row, _ in kind.rows)
        return format_alternatives(values)

    def pieces(self, kind: Kind) -> Iterator[ExplainedRow]:
        total = sum(count for _, count in kind.rows)
        counts = [f"{count} {self.wording.piece(kind, row, count)}" for row, count in kind.rows]
        yield ExplainedRow("there are", (f"{total}: {', '.join(counts)}" if kind.attributes else str(total),))
        yield ExplainedRow("at the beginning", (f"in the {kind.starts_in}",))
        yield ExplainedRow("gives powers", (f"in the {kind.power_in}" if kind.power_in else "",))

    def zone(self, zone: Zone) -> Iterator[ExplainedRow]:
        yield ExplainedRow("called", (zone.noun.one if zone.noun.one != zone.name else "",))
        yield ExplainedRow("of", (f"each {zone.of}" if zone.of else "the table",))
        yield ExplainedRow("holds", (format_alternatives(name for name in self.edition.kinds if name in zone.holds),))
        limit = one_line(zone.at_most.text) if zone.at_most else ""
        counting = "" if zone.counting == zone.holds else f" (counting {format_alternatives(sorted(zone.counting))})"
        yield ExplainedRow("at most", (f"{limit}{counting}" if limit else "",))
        yield ExplainedRow("seen by", (zone.seen_by,))
        yield ExplainedRow("refilled from", (zone.refills_from,))

    def changing(self, changes: ChangeSet) -> Iterator[ExplainedRow]:
        """Yield the rows of what a change set changes."""
        changed = [f"{name}: {one_line(text.text)}" for name, (_, text) in changes.changes.items()]
        yield ExplainedRow("changes", tuple(changed))
        yield ExplainedRow("overrules", (format_list(name.text for name in changes.overrules),))
        yield ExplainedRow("acts", tuple(line for hook in changes.hooks for line in _hook_lines(hook)))

    # ── who uses it ──

    def users(self, entry: Symbol) -> Iterator[str]:
        """Yield the users of a symbol, each once, with the lines."""
        name = self.edition.boards[entry.name].spaces if entry.kind == "board" else canonical(entry.name)
        uses = [use for use in self.uses.get(name, ()) if self.refers_to(use, entry)]
        by_user: dict[tuple[str, ...], list[Use]] = {}
        for use in uses:
            by_user.setdefault(use.user, []).append(use)
        for path, group in by_user.items():
            yield f"{self.describe(path)} ({format_places(use.place for use in group)})"

    def is_step(self, entry: Symbol) -> bool:
        return entry.kind in ("step", "phase") and entry.name in self.edition.steps

    def refers_to(self, use: Use, entry: Symbol) -> bool:
        """Return whether a use of a symbol's name refers to it."""
        if self.is_step(entry):
            return use.kind == STEPS
        return entry.kind in _NAMED_IN_SENTENCES and use.kind == NAMES and use.user != entry.path

    def giver(self, entry: Symbol) -> str:
        """Return the pieces that give a power; '' for other symbols."""
        if entry.kind != "power":
            return ""
        kinds = [kind for kind in self.edition.kinds.values() if kind.power_in and self.has_word(kind, entry.name)]
        return format_alternatives(f"{kind.name} in the {kind.power_in}" for kind in kinds)

    def has_word(self, kind: Kind, name: str) -> bool:
        words = self.edition.words.get(kind.attributes.get(kind.power_word, ""))
        return words is not None and any(word.name == name for word in words.words)

    def changers(self, entry: Symbol) -> Iterator[str]:
        if entry.kind not in ("value", "term"):
            return
        for use in self.uses.get(canonical(entry.name), ()):
            if use.kind == CHANGES:
                yield f"{self.describe(use.user)}: {one_line(use.text)} ({format_place(use.place)})"

    def hooks(self, entry: Symbol) -> Iterator[str]:
        """Yield what options, roles and powers do before, after or instead of a step."""
        if not self.is_step(entry):
            return
        for use in self.uses.get(canonical(entry.name), ()):
            if use.kind == HOOKS:
                yield f"{self.describe(use.user)}: {one_line(use.text)} ({format_place(use.place)})"

    def describe(self, path: tuple[str, ...]) -> str:
        """Describe a symbol by kind and name: step 'pass'."""
        entry = self.places.get(path)
        if entry is None:
            return ".".join(path)
        if entry.kind == "choice":
            return f"option '{path[1]}', choice '{entry.name}'"
        return entry.kind if entry.kind in ("setup", "sides", "ranking", "limit") else f"{entry.kind} '{entry.name}'"


def format_place(place: SourcePlace) -> str:
    return f"{place.file}:{place.line}"


def format_places(places: Iterable[SourcePlace]) -> str:
    """Format places, with each file named once: 'a.yaml:3, 7'."""
    by_file: dict[str, list[int]] = {}
    for place in places:
        by_file.setdefault(place.file, []).append(place.line)
    return "; ".join(f"{file}:{', '.join(map(str, dict.fromkeys(lines)))}" for file, lines in by_file.items())


def _hook_lines(hook: Hook) -> list[str]:
    return [f"{one_line(hook.condition_text.text)}:", *(f"  {line}" for line in body_lines(hook.body))]
