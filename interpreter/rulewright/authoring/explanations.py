"""Explanations of an edition's symbols: kind, text, place, uses and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from rulewright.authoring.edition_texts import (
    EditionTexts,
    body_lines,
    format_alternatives,
    format_by_seats,
    format_list,
    one_line,
)
from rulewright.base.diagnostics import RulewrightError, SourcePlace
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase, suggestion
from rulewright.model.declarations import ChangeSet, Hook, Kind, canonical
from rulewright.model.edition import Edition
from rulewright.model.references import CHANGES, HOOKS, NAMES, STEPS, Use, uses
from rulewright.model.symbols import Symbol, find, symbols
from rulewright.syntax.source import MappingNode

_NAMED_IN_SENTENCES = frozenset(
    ["word list", "word", "board", "space", "kind of piece", "attribute", "zone", "value", "term", "counter", "option"]
)
"""Kinds of symbols whose users are the sentences that name them."""


class UnknownName(RulewrightError):
    """Raised where an edition has no such name; says the nearest one."""


@record
class ExplainedRow:
    """Row of an explanation. label: '' where a board has no list of directions; lines: '' or none in a row to be left
    out."""

    label: str
    lines: tuple[str, ...]


def _row(label: str, *lines: str) -> ExplainedRow:
    """Return a row with these lines."""
    return ExplainedRow(label, lines)


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
    """Explainer of the names of one edition.

    changes: change sets by level, name and choice; entries: all symbols; entry_of_path: symbols by path; wording: texts
    of the edition's parts.
    """

    def __init__(self, edition: Edition, known_uses: list[Use] | None = None) -> None:
        """Take an edition, and its uses of names if they are known."""
        self.edition, self.wording, self._known_uses = edition, EditionTexts(edition), known_uses
        self.changes = {(c.level, c.name, c.choice): c for c in edition.change_sets}
        self.entries = symbols(edition)
        self.entry_of_path = {entry.path: entry for entry in self.entries}

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
            names = {*(entry.name for entry in known), *(entry.title for entry in known)}
            hint = suggestion(name, [*names, *(entry.dotted for entry in known if "." in name)])
            command = f"rulewright explain {self.edition.name}"
            raise UnknownName(
                phrase(
                    "errors",
                    "{title} has nothing called '{name}'. {hint}",
                    title=self.edition.full_title(),
                    name=one_line(name)[:60],
                    hint=hint or phrase("errors", "'{command}' lists the names.", command=command),
                )
            )
        return [self.explain_symbol(entry) for entry in matches]

    def explain_symbol(self, entry: Symbol) -> Explanation:
        """Explain one symbol, without rows that would be empty."""
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
                owner = self.entry_of_path[entry.path[:-2]]
                return f"step of {'the setup' if owner.kind == 'setup' else f'the phase {owner.title!r}'}"
            case "phase" if entry.name in self.edition.steps:
                return "phase that is done as a step"
        return entry.kind

    def rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rows of an explanation, empty ones included."""
        changes = next((self.changes[key] for key in self.keys(entry) if key in self.changes), None)
        text = entry.text("text") or (changes.text if changes else None)  # a role may have it from another
        yield _row("text", self.wording.text(text, changes))
        yield from self.substance(entry)
        if changes is not None:
            yield from self.change_rows(changes)
        yield _row("stands in", format_place(entry.place))
        yield _row("changed by", *self.change_lines(entry))
        yield _row("at this step", *self.hooks(entry))
        yield _row("given by", self.power_pieces(entry))
        yield _row("done by" if self.is_step(entry) else "used by", *self.users(entry))

    def keys(self, entry: Symbol) -> list[tuple[str, str, str]]:
        """Return the keys in `changes` that a symbol may have: (level, name, choice); of an option that of 'yes'."""
        if entry.kind == "choice":
            return [("option", entry.path[1], entry.name)]
        return [(entry.kind, entry.name, choice) for choice in ("", "yes")]

    # ── what it is ──

    def substance(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rows for symbols of this kind only."""
        rows = _SUBSTANCE.get(entry.kind)
        if rows is not None:
            yield from rows(self, entry)

    def _figure(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the amounts of a value or term."""
        yield _row("is", *self.amounts(entry.name))

    def _counter(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield what a counter starts at, and its noun."""
        counter = self.edition.counters[entry.name]
        yield _row("starts at", self.edition.initial_text(counter))
        yield _row("called", counter.noun.one if counter.noun.one != entry.name else "")

    def _word(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield a word's attributes and instructions."""
        yield _row("has", ", ".join(self.attributes(entry)))
        yield self.says_row(entry)

    def _space(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rows of a space's word, and its neighbours."""
        yield from self._word(entry)
        yield _row("next to", format_list(self.neighbours(entry)))

    def _board_rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield what a board's declaration says."""
        board = self.edition.boards[entry.name]
        keys = ("map", "neighbours", "size", "wraps", "first row")
        drawing, shape, size, wraps, first = (entry.text(key) for key in keys)
        yield _row("of", board.spaces)
        yield _row("there are", str(len(board.neighbours)))
        yield _row("size", size.text if size else "")
        yield _row("neighbours", shape.text if shape else "orthogonal" if drawing or size else "")
        yield _row("wraps", wraps.text if wraps else "")
        yield _row("first row", first.text if first else "")
        directions = self.edition.words[board.directions].words if board.directions else ()
        yield _row(board.directions, format_list(word.name for word in directions))
        yield _row("map", *(drawing.text.rstrip().split("\n") if drawing else ()))

    def _word_list(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the words of a list."""
        yield _row("words", format_list(word.name for word in self.edition.words[entry.name].words))

    def _kind_rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the pieces of a kind, where they start, and where they give powers."""
        kind = self.edition.kinds[entry.name]
        total = sum(count for _, count in kind.rows)
        counts = [f"{count} {self.wording.piece(kind, row, count)}" for row, count in kind.rows]
        yield _row("there are", f"{total}: {', '.join(counts)}" if kind.attributes else str(total))
        yield _row("at the beginning", f"in the {kind.starts_in}")
        yield _row("gives powers", f"in the {kind.power_in}" if kind.power_in else "")
        yield self.says_row(entry)

    def _zone_rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield what a zone's declaration says."""
        zone = self.edition.zones[entry.name]
        yield _row("called", zone.noun.one if zone.noun.one != zone.name else "")
        yield _row("of", f"each {zone.of}" if zone.of else "the table")
        yield _row("holds", format_alternatives(name for name in self.edition.kinds if name in zone.holds))
        limit = one_line(zone.at_most.text) if zone.at_most else ""
        counting = "" if zone.counting == zone.holds else f" (counting {format_alternatives(sorted(zone.counting))})"
        yield _row("at most", f"{limit}{counting}" if limit else "")
        yield _row("seen by", zone.seen_by)
        yield _row("refilled from", zone.refills_from)

    def _attribute(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the values that pieces have of an attribute."""
        kind = self.edition.kinds[entry.path[1]]
        values = dict.fromkeys(self.wording.attributes(kind, row)[entry.name] for row, _ in kind.rows)
        yield _row("is", format_alternatives(values))

    def _role_rows(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield what a virtual player's declaration says."""
        role = self.edition.roles[entry.name]
        people = [f"{count} ({'always' if must else 'if wanted'})" for count, must in sorted(role.joins.items())]
        like = entry.text("like")
        yield _row("plays like", like.text if like else "")
        yield _row("joins", f"{format_alternatives(people)} people" if people else "")
        yield _row("is", "scored" if role.scored else "not scored")
        yield _row("powers", "work for it" if role.uses_powers else "do not work for it")

    def _option(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield an option's default, and the texts of its choices."""
        option = self.edition.options[entry.name]
        texts = {name: self.wording.text(text) for name, text in option.choice_texts.items()}
        yield _row("usually", option.usual_choice)
        yield _row("choices", *(f"{name}: {texts[name]}" for name in option.choices if name in texts))

    def _score_line(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the points of a score line, as the edition writes them."""
        line = next(line for line in self.edition.scoring if line.name == entry.name)
        yield _row("points", one_line(line.points.text))

    def _ruling(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the rule that a ruling is about."""
        yield _row("about", self.edition.rulings[entry.name].about)

    def _measure(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the amount of a measure, as the edition writes it."""
        measure = next(measure for measure in self.edition.measures if measure.name == entry.name)
        yield _row("is", one_line(measure.amount.text))

    def _sides(self, _: Symbol) -> Iterator[ExplainedRow]:
        """Yield the sides that seats play at the beginning."""
        yield _row("the seats play", self.edition.initial_text(self.edition.counters[self.edition.sides]))

    def _ranking(self, _: Symbol) -> Iterator[ExplainedRow]:
        """Yield the criteria of the ranking."""
        yield _row("by", one_line(self.edition.ranking.text) if self.edition.ranking else "")

    def _limit(self, _: Symbol) -> Iterator[ExplainedRow]:
        """Yield the limits of a game, and what becomes of one that comes to them."""
        limit = self.edition.limit
        yield _row("answers", "" if limit.answers is None else f"{limit.answers:,}")
        yield _row("rounds", "" if limit.rounds is None else f"{limit.rounds:,}")
        yield _row("a game that comes to it", "counts as it stands" if limit.scored else "has no result")

    def _body(self, entry: Symbol) -> Iterator[ExplainedRow]:
        """Yield the parameters and statements of a step, a phase or the set-up."""
        body = entry.node.get("do") if isinstance(entry.node, MappingNode) else entry.node
        parameters = self.edition.steps[entry.name].parameters if entry.kind == "step" else ()
        yield _row("for", *(f"{name}: {one_line(text.text)}" for name, text in parameters))
        yield _row("does", *(body_lines(body) if body is not None else ()))

    def says_row(self, entry: Symbol) -> ExplainedRow:
        """Return the row of a word's or piece's instructions."""
        body = entry.node.get("do") if isinstance(entry.node, MappingNode) else None
        return _row("says", *(body_lines(body) if body is not None else ()))

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
        """Yield the change sets that do not apply by default; the opposite of a yes/no option that does."""
        for changes in self.edition.change_sets:
            option = self.edition.options.get(changes.name) if changes.level == "option" else None
            if option is None or option.usual_choice != changes.choice:
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
        """Yield the attributes of a word or space as its file has them: `name: value`."""
        for key, value in entry.node.items() if isinstance(entry.node, MappingNode) else ():
            if key.text not in ("next to", "title", "text", "do"):
                yield f"{key.text}: {', '.join(body_lines(value))}"

    def neighbours(self, entry: Symbol) -> list[str]:
        """Return the neighbours of a space."""
        board = self.edition.boards[entry.path[1]]
        names = [word.name for word in self.edition.words[board.spaces].words]
        return [names[number] for number in board.neighbours[names.index(entry.name)]]

    def change_rows(self, changes: ChangeSet) -> Iterator[ExplainedRow]:
        """Yield the rows of what a change set changes."""
        changed = [f"{name}: {one_line(text.text)}" for name, (_, text) in changes.changes.items()]
        yield _row("changes", *changed)
        yield _row("overrules", format_list(name.text for name in changes.overrules))
        yield _row("acts", *(line for hook in changes.hooks for line in _hook_lines(hook)))

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
        """Return whether sentences can do a symbol: a step, or a phase that is one, too."""
        return entry.kind in ("step", "phase") and entry.name in self.edition.steps

    def refers_to(self, use: Use, entry: Symbol) -> bool:
        """Return whether a use of a symbol's name may be listed for it: of a step what does it, of what sentences name
        all but its own; other symbols have none."""
        if self.is_step(entry):
            return use.kind == STEPS
        return entry.kind in _NAMED_IN_SENTENCES and use.kind == NAMES and use.user != entry.path

    def power_pieces(self, entry: Symbol) -> str:
        """Return the pieces that give a power; '' for other symbols."""
        if entry.kind != "power":
            return ""
        kinds = [kind for kind in self.edition.kinds.values() if kind.power_in and self.has_word(kind, entry.name)]
        return format_alternatives(f"{kind.name} in the {kind.power_in}" for kind in kinds)

    def has_word(self, kind: Kind, name: str) -> bool:
        """Return whether a word of this name can give a power to pieces of a kind."""
        words = self.edition.words.get(kind.attributes.get(kind.power_word, ""))
        return words is not None and any(word.name == name for word in words.words)

    def change_lines(self, entry: Symbol) -> Iterator[str]:
        """Yield a line for each change set that changes a figure."""
        if entry.kind not in ("value", "term"):
            return
        for use in self.uses.get(canonical(entry.name), ()):
            if use.kind == CHANGES:
                yield f"{self.describe(use.user)}: {one_line(use.text)} ({format_place(use.place)})"

    def hooks(self, entry: Symbol) -> Iterator[str]:
        """Yield a line for each hook on a step."""
        if not self.is_step(entry):
            return
        for use in self.uses.get(canonical(entry.name), ()):
            if use.kind == HOOKS:
                yield f"{self.describe(use.user)}: {one_line(use.text)} ({format_place(use.place)})"

    def describe(self, path: tuple[str, ...]) -> str:
        """Describe the symbol at a path by kind and name: step 'pass'; the path itself, with dots, for none."""
        entry = self.entry_of_path.get(path)
        if entry is None:
            return ".".join(path)
        if entry.kind == "choice":
            return f"option '{path[1]}', choice '{entry.name}'"
        return entry.kind if entry.kind in ("setup", "sides", "ranking", "limit") else f"{entry.kind} '{entry.name}'"


_SUBSTANCE: Mapping[str, Callable[[Explainer, Symbol], Iterator[ExplainedRow]]] = {
    "value": Explainer._figure,
    "term": Explainer._figure,
    "counter": Explainer._counter,
    "word": Explainer._word,
    "space": Explainer._space,
    "board": Explainer._board_rows,
    "word list": Explainer._word_list,
    "kind of piece": Explainer._kind_rows,
    "zone": Explainer._zone_rows,
    "attribute": Explainer._attribute,
    "role": Explainer._role_rows,
    "option": Explainer._option,
    "score line": Explainer._score_line,
    "ruling": Explainer._ruling,
    "measure": Explainer._measure,
    "sides": Explainer._sides,
    "ranking": Explainer._ranking,
    "limit": Explainer._limit,
    "step": Explainer._body,
    "phase": Explainer._body,
    "setup": Explainer._body,
}
"""Methods that yield the rows that only symbols of a kind have, by kind; other kinds have none."""


def format_place(place: SourcePlace) -> str:
    """Return a place as FILE:LINE, lines counted from 1, without its column."""
    return f"{place.file}:{place.line}"


def format_places(places: Iterable[SourcePlace]) -> str:
    """Format places, each file named once: 'a.yaml:3, 7'."""
    by_file: dict[str, list[int]] = {}
    for place in places:
        by_file.setdefault(place.file, []).append(place.line)
    return "; ".join(f"{file}:{', '.join(map(str, dict.fromkeys(lines)))}" for file, lines in by_file.items())


def _hook_lines(hook: Hook) -> list[str]:
    """Return when a hook runs, then its statements, indented."""
    return [f"{one_line(hook.condition_text.text)}:", *(f"  {line}" for line in body_lines(hook.body))]
