"""Metadata of a table in one language: what everybody may know before the game begins, and what never changes.

Pages draw any edition from this and the document: names come with labels, pieces with the names of their pictures.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.base.rule_keys import RuleKey
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.messages import yes_or_no
from rulewright.game.ranking import counts_points
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.declarations import NUMBER, NUMBERS, SEAT, SLOT, Board, Kind, Zone, written_number
from rulewright.model.edition import Edition
from rulewright.model.pictures import Pictures, has_pips, kind_slot_values, picture_name, word_slot_values
from rulewright.program.form import BoardMap, PieceType
from rulewright.program.state_layout import Mark
from rulewright.program.zone_flow import FlowAnalysis, ZoneFlow
from rulewright.publish.board_edges import coloured_edges, gaps
from rulewright.publish.board_grid import board_grid
from rulewright.publish.board_places import board_kind, board_places
from rulewright.publish.board_sides import upper_seats
from rulewright.publish.faces import ChartWord, Faces
from rulewright.publish.labels import Labels
from rulewright.publish.lessons import has_lessons
from rulewright.publish.piece_colours import disc_letters, other_colour, piece_colour
from rulewright.publish.rulebook.model import anchor
from rulewright.publish.scores import deals, race, score_counters, score_pad, total_counter
from rulewright.publish.static_spaces import counts_regions, shown_attributes
from rulewright.publish.zone_contents import is_off_table
from rulewright.runtime.native import is_searched_natively
from rulewright.server.views.table_marks import shown_measures
from rulewright.syntax.source import Scalar

PILE, FAN, ROW, HEAPS, TABLE, ASIDE, AWAY = "pile", "fan", "row", "heaps", "table", "aside", "away"
"""Layouts of a zone: stacked; held as a hand; side by side in order; equal pieces together; these in rows and columns
by two words; aside, where only their number is shown; not shown at all, like the box of a game."""

_MANY_SORTS = 8
"""Sorts of pieces, of which more are laid out as a table where two words tell them apart."""


_MAX_CACHED = 8
"""Limit of tables' metadata cached for an edition."""

_cache: WeakKeyDictionary[Rules, OrderedDict[Any, dict[str, Any]]] = WeakKeyDictionary()
"""Metadata made last for each edition, shared by tables with equal seats, options and language."""


_flows: WeakKeyDictionary[Rules, dict[int, FlowAnalysis]] = WeakKeyDictionary()
"""Flow of pieces in each edition, by number of seats."""


def flow_analysis(game: Game) -> FlowAnalysis:
    """Return the flow of pieces in a game's edition, cached."""
    by_seats, seats = _flows.setdefault(game.rules, {}), len(game.names)
    if seats not in by_seats:
        by_seats[seats] = FlowAnalysis(game.program)
    return by_seats[seats]


def table_metadata(labels: Labels) -> dict[str, Any]:
    """Return a table's metadata, cached; the keys are those of spec/PROTOCOL.md."""
    game = labels.game
    tables = _cache.setdefault(game.rules, OrderedDict())
    name = (labels.language, len(game.names), game.roles, tuple(game.options.items()))
    if name not in tables:
        tables[name] = _TableMetadata(labels).whole()
        while len(tables) > _MAX_CACHED:
            tables.popitem(last=False)
    return tables[name]


class _TableMetadata:
    """Builder of a table's metadata."""

    def __init__(self, labels: Labels) -> None:
        self.labels, self.game, self.edition = labels, labels.game, labels.edition
        self.terms: Terms = labels.terms
        self.pictures = Pictures(self.edition)
        self.faces = Faces(self.game.rules, labels.localizer, self.game.options)
        pictured = {name for name, look in self.edition.looks.items() if look.card or look.picture} | self.pictures.dice
        self.letters = disc_letters(self.sort(type_) for type_ in self.game.program.types if type_.kind not in pictured)

    def whole(self) -> dict[str, Any]:
        """Return all metadata."""
        edition, labels, program = self.edition, self.labels, self.game.program
        return {
            "title": labels.say(self.terms.title()),
            "cover": self.pictures.cover,
            "learn": has_lessons(edition),
            "options": self.options(),
            "sides": edition.sides,
            "total": total_counter(labels.edition),
            "nothings": self.nothings(),
            "truth": labels.say(yes_or_no(True)),
            "pad": score_pad(edition),
            "race": race(edition, len(self.game.names), self.game.options),
            "scored": score_counters(labels.edition),
            "deals": deals(edition),
            "least": program.lowest_first,
            "measures": {
                measure.name: labels.say(Phrase(measure.title.key, measure.title.text))
                for measure in shown_measures(labels)
            },
            "ahead": edition.lead_measure,
            "noted": any(text.notation for text in program.texts),
            "phases": {phase.name: labels.phase(phase.name) for phase in edition.phases} | {"": labels.phase("")},
            "pieces": {type_.name: self.piece(type_) for type_ in program.types},
            "zones": self.zones(),
            "words": {
                name: {
                    "label": labels.say(self.terms.words(name)),
                    "words": {word.name: labels.word(name, number) for number, word in enumerate(words.words)},
                }
                for name, words in edition.words.items()
            },
            "boards": self.boards(),
            "counters": self.counters(),
            "marks": {
                mark.name: {
                    "label": labels.counter(mark.name),
                    "held": self.counter_values(mark),
                    "seat": mark.type.base == "seat",
                }
                for mark in program.layout.marks
                if mark.visible
            },
            "powers": {
                name: {
                    "label": labels.rule(RuleKey.of("powers", name)),
                    "passage": anchor(RuleKey.of("powers", name)),
                    "picture": self.rule_picture(RuleKey.of("powers", name)),
                }
                for name in program.powers
            },
            "record": edition.record.format if edition.record else "",
            **({"open": True} if is_searched_natively(program) else {}),
            "scoring": {
                line.name: labels.rule(RuleKey.of("scoring", line.name))
                for line in program.scoring
                if counts_points(edition, program, labels.game.options)
            },
        }

    def counters(self) -> dict[str, Any]:
        """Map the names of shown counters to all about them that stays."""
        labels, edition = self.labels, self.edition
        return {
            name: {
                "label": labels.counter(name),
                "of": counter.of,
                "holds": counter.holds,
                "picture": self.token(name),
                "goal": edition.goals.get(name, ""),
            }
            for name, counter in edition.counters.items()
            if counter.shown and not counter.marks
        }

    def zones(self) -> dict[str, Any]:
        """Map the names of shown zones to all about them that stays."""
        return {
            name: {
                "label": self.labels.zone(name),
                "of": zone.of,
                "owner only": zone.seen_by == "owner",
                "pile": zone.pile,
                "layout": self.layout(zone),
                "back": self.back(zone),
                "tiles": all(_is_tile(self.edition, kind) for kind in zone.holds),
                "hidden": self.labels.face_down(1, zone.holds),
                "flow": self.flow(zone),
                "place": self.edition.screen_places.get(name, ""),
                "table": self.table(zone),
            }
            for name, zone in self.edition.zones.items()
            if zone.shown
        }

    def table(self, zone: Zone) -> dict[str, Any] | None:
        """Return the columns and rows of a zone that is laid out as a table, each as its word, label and picture; None
        for others."""
        kinds = [self.edition.kinds[kind] for kind in sorted(zone.holds)]
        edges = self.faces.stock_table(kinds) if self.layout(zone) == TABLE else None
        return None if edges is None else {"columns": self.edge(edges[0]), "rows": self.edge(edges[1])}

    def nothings(self) -> list[str]:
        """Return the texts of counters that hold nothing."""
        texts = yes_or_no(False), phrase("argument", "nothing"), phrase("argument", "nobody")
        return [*map(self.labels.say, texts), self.labels.localizer.number(0)]

    def counter_values(self, mark: Mark) -> dict[str, str]:
        """Map a piece counter's values that are neither numbers nor seats, as pieces' names have them, to words."""
        labels, program = self.labels, self.game.program
        words = program.words.get(str(mark.type.detail), ())
        labels_of_words = {word: labels.word(str(mark.type.detail), number) for number, word in enumerate(words)}
        none = yes_or_no(False) if mark.type.base == "truth" else phrase("argument", "nothing")
        return labels_of_words | {"no" if mark.type.base == "truth" else "nothing": labels.say(none)}

    def options(self) -> list[dict[str, str]]:
        """Return the options of this game in words, each with its choice."""
        say = self.labels.say
        return [
            {"label": say(self.terms.option(name)), "choice": say(self.terms.choice(name, choice))}
            for name, choice in self.game.options.items()
        ]

    def layout(self, zone: Zone) -> str:
        """Return a zone's layout: as the edition says, else by its declaration."""
        if declared := self.edition.layouts.get(zone.name):
            return declared
        if self.edition.screen_places.get(zone.name) == "nowhere":
            return AWAY
        if zone.pile:
            return PILE
        if is_off_table(self.labels.edition, zone.name):
            return AWAY
        if zone.seen_by == "nobody":
            return ASIDE
        if not zone.of and self.has_many_sorts(zone):
            return TABLE
        if zone.of != SEAT:
            return ROW
        return FAN if zone.seen_by == "owner" else HEAPS

    def has_many_sorts(self, zone: Zone) -> bool:
        """Return whether a zone holds many sorts of pieces, several of each, that two words tell apart."""
        kinds = [self.edition.kinds[kind] for kind in sorted(zone.holds)]
        sorts = {row for kind in kinds for row, copies in kind.rows if copies > 1}
        return len(sorts) > _MANY_SORTS and self.faces.stock_table(kinds) is not None

    def flow(self, zone: Zone) -> dict[str, Any]:
        """Return how pieces flow through a zone: what is empty or false is left out."""
        flow: ZoneFlow = flow_analysis(self.game).flows[zone.name]
        spaces = self.game.program.layout.zones
        entry = {
            "passes": flow.passes,
            "returns": flow.returns,
            "chosen": flow.is_chosen_from,
            "filled": flow.filled,
            "fed": flow.fed,
            "refills": flow.refills,
            "capacity": max(one.capacity for one in spaces if one.name == zone.name) if zone.at_most else 0,
        }
        return {name: value for name, value in entry.items() if value}

    def back(self, zone: Zone) -> str:
        """Return the picture on the backs of a zone's pieces, if all have the same; else ''."""
        looks = [self.edition.looks.get(kind) for kind in sorted(zone.holds)]
        backs = {self.picture(look.back.text) if look and look.back else "" for look in looks}
        return backs.pop() if len(backs) == 1 else ""

    def piece(self, type_: PieceType) -> dict[str, Any]:
        """Return the metadata of a piece type: label, picture, and how it is drawn."""
        kind = self.edition.kinds[type_.kind]
        look = self.edition.looks.get(kind.name)
        row = tuple(type_.attributes.values())
        slot_values = kind_slot_values(self.edition, kind, row)

        def picture(pattern: Scalar | None) -> str:
            return self.picture(picture_name(pattern.text, self.edition, slot_values)) if pattern is not None else ""

        pictured, paint = self.picture(self.pictures.of_piece(kind, row)), piece_colour(self.edition, kind, row)
        return {
            "label": self.labels.piece(type_.name),
            "kind": kind.name,
            "order": self.labels.order[type_.name],
            "card": look is not None and look.card,
            "tint": list(self.edition.looks).index(kind.name) if look else 0,
            "picture": pictured,
            "paint": list(paint[1]) if paint else [],
            "letters": self.letters.get(self.sort(type_), ""),
            "die": pictured != "" and has_pips(kind),
            "bare": pictured != "" and look is not None and look.square,
            "tile": _is_tile(self.edition, kind.name),
            "across": look is not None and len({slot_values[name] for name in look.across}) == 1,
            "colour": other_colour(self.edition, kind, row),
            "faded": look.faded if look else "",
            "corner": self.faces.corner(kind, row),
            "unnamed": look is not None and not look.has_name,
            "suit": picture(look.suit) if look else "",
            "ground": picture(look.ground) if look else "",
            "chart": self.chart(kind, row, look.table) if look and look.table else None,
            "signs": list(filter(None, map(picture, look.signs))) if look else [],
            "back": picture(look.back) if look else "",
            "power": self.labels.power(type_.name, kind.power_in) if kind.power_in else "",
            "power in": kind.power_in,
            "attributes": self.attributes(kind, type_),
        }

    def sort(self, type_: PieceType) -> str:
        """Return a piece's label without its colour, if it has a colour and another property."""
        kind, row = self.edition.kinds[type_.kind], tuple(type_.attributes.values())
        paint = piece_colour(self.edition, kind, row)
        if paint is None:
            return self.labels.piece(type_.name)
        rest = ((name, of, type_.attributes[name]) for name, of in kind.attributes.items() if name != paint[0])
        texts = [str(value) if of == NUMBER else self.labels.word(of, value) for _, of, value in rest if value >= 0]
        return " ".join(texts) or self.labels.piece(type_.name)

    def chart(self, kind: Kind, row: tuple[int, ...], table: str) -> dict[str, Any]:
        """Return the chart printed on a piece: columns, rows, and in which row each column has its mark."""
        grid = self.faces.grid(kind, row, table)
        keys, values = self.edge(grid.keys), self.edge(grid.values)
        return {"keys": keys, "values": values, "cells": grid.cells, "rises": grid.rises}

    def edge(self, words: tuple[ChartWord, ...]) -> list[list[str]]:
        """Return words at the edge of a chart or a table: each with its label and its picture."""
        return [[word.name, word.text, self.picture(word.picture)] for word in words]

    def attributes(self, kind: Kind, type_: PieceType) -> dict[str, Any]:
        """Return a piece's attributes: numbers, and words by name."""
        return {
            name: type_.attributes[name] if of == NUMBER else self.edition.words[of].words[type_.attributes[name]].name
            for name, of in kind.attributes.items()
            if of == NUMBER or type_.attributes[name] >= 0
        }

    def picture(self, name: str) -> str:
        """Return a picture's name if it exists, else ''."""
        return name if name and self.pictures.path(name) is not None else ""

    def token(self, counter: str) -> str:
        """Return the picture on the tokens of a counter."""
        look = self.edition.tokens.get(counter)
        return self.picture(picture_name(look.picture.text, self.edition, {})) if look and look.picture else ""

    def rule_picture(self, key: str) -> str:
        """Return a rule's picture in the rulebook."""
        pattern = self.edition.rule_pictures.get(key)
        return self.picture(picture_name(pattern.text, self.edition, {})) if pattern is not None else ""

    def boards(self) -> list[dict[str, Any]]:
        """Return all boards, each with who sees it from its upper edge."""
        game, edition = self.game, self.edition
        if not edition.boards:
            return []
        roles = {name: role for name, role in zip(game.names, game.roles, strict=True) if role is not None}
        beginning = Game.start(game.rules, game.names, game.options, 0, roles)  # of no table: nothing here is a secret
        return [{**self.board(name), "upper": upper_seats(beginning, board)} for name, board in edition.boards.items()]

    def board(self, name: str) -> dict[str, Any]:
        """Return the metadata of a board: its spaces, where they lie, and how they are drawn."""
        board = self.edition.boards[name]
        words = self.edition.words[board.spaces]
        ground = self.edition.grounds.get(name)
        sign = self.edition.space_signs.get(name)
        pictured: BoardMap | None = next((map_ for map_ in self.game.program.maps if map_.spaces == board.spaces), None)
        letters = self.labels.letters(name)
        attributes = shown_attributes(self.edition, board)
        kind, places = board_kind(self.edition, board), board_places(self.edition, board)
        grid = board_grid(kind, board.hexagonal, places)
        spaces = []
        for number, word in enumerate(words.words):
            space: dict[str, Any] = {
                "word": word.name,
                "label": self.labels.word(board.spaces, number),
                "neighbours": [words.words[other].name for other in board.neighbours[number]],
                "is": {
                    attribute: self.edition.words[words.attributes[attribute]].words[value].name
                    for attribute, value in word.attributes.items()
                    if attribute in attributes and words.attributes[attribute] not in NUMBERS
                },
                "told": [
                    self.attribute(board.spaces, attribute, value)
                    for attribute, value in word.attributes.items()
                    if attribute in attributes and not board.is_coordinate(attribute)
                ],
            }
            slot_values = word_slot_values(self.edition, board.spaces, number)
            if ground is not None:
                space["ground"] = self.picture(picture_name(ground.text, self.edition, slot_values))
            if sign is not None:
                space["sign"] = self.picture(picture_name(sign.text, self.edition, slot_values))
            if pictured:
                space["column"], space["row"] = pictured.positions[number]
                space["letter"] = letters[pictured.letters[number]]
            if board.spaces in self.edition.space_numbers:
                space |= self.names_of_space(board.spaces, number)
            if places:
                space["box"] = [round(edge, 2) for edge in grid.box(places[number])]
                space["pile"] = grid.pile(places[number])
            spaces.append(space)
        return {
            "name": name,
            "words": board.spaces,
            "drawn": bool(places),
            "hexagonal": board.hexagonal,
            "kind": kind,
            "slanting": board.coordinates.slant is not None,
            "numbered": bool(board.coordinates.numbered),
            "gap": (gap := self.board_picture(self.edition.gap_grounds.get(name))),
            "gaps": [[round(edge, 2) for edge in grid.box(place)] for place in gaps(board)] if gap else [],
            "edges": [list(edge) for edge in coloured_edges(self.edition, board)] if pictured else [],
            "bay": grid.bay() or (),
            "counted": counts_regions(self.edition, board),
            "key": self.key(board, sign) if sign is not None else [],
            "around": self.board_picture(self.edition.surroundings.get(name)),
            "spaces": spaces,
        }

    def board_picture(self, pattern: Scalar | None) -> str:
        """Return the name of a picture of a board itself."""
        return self.picture(picture_name(pattern.text, self.edition, {})) if pattern is not None else ""

    def names_of_space(self, spaces: str, number: int) -> dict[str, Any]:
        """Return a space's label, and the number by which each seat calls it, 0 for none."""
        numbers = [self.edition.space_number(spaces, number, seat) for seat in range(len(self.game.names))]
        return {"label": self.labels.word(spaces, number), "numbers": numbers}

    def key(self, board: Board, sign: Scalar) -> list[list[str]]:
        """Return the legend of a board: each sign with its words."""
        legend: dict[str, list[str]] = {}
        for number in range(len(self.edition.words[board.spaces].words)):
            slot_values = word_slot_values(self.edition, board.spaces, number)
            if picture := self.picture(picture_name(sign.text, self.edition, slot_values)):
                slots = (
                    slot_values[slot[1].strip()] for slot in SLOT.finditer(sign.text) if slot[1].strip() in slot_values
                )
                legend.setdefault(picture, [self.labels.word(of, value) for of, value in slots if of not in NUMBERS])
        return [[picture, ", ".join(words)] for picture, words in legend.items()]

    def attribute(self, words: str, name: str, value: int) -> str:
        """Return an attribute of a space in words."""
        holds = self.edition.words[words].attributes[name]
        if holds not in NUMBERS:
            return self.labels.word(holds, value)
        number = self.labels.localizer.number(written_number(holds, value))
        return f"{self.labels.say(self.terms.attribute(words, name))} {number}"


def _is_tile(edition: Edition, kind: str) -> bool:
    """Return whether pieces of a kind are tiles, twice as long as wide, which are laid end to end."""
    look = edition.looks.get(kind)
    return look is not None and bool(look.across)
