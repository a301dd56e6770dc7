"""Read `looks`: artwork of pieces, boards, counters and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulewright.base.diagnostics import did_you_mean, shorten_name, there_are
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.model import messages
from rulewright.model.artwork import Look, TokenLook
from rulewright.model.declarations import (
    MARKS_OF_SPACES,
    NUMBER,
    NUMBERS,
    SLOT,
    Board,
    Kind,
    RecordLook,
)
from rulewright.model.pictures import kind_slots, word_slots
from rulewright.model.reader.plates import PlateReader
from rulewright.model.reader.section import scalar, text_of
from rulewright.syntax import source
from rulewright.syntax.nouns import article
from rulewright.syntax.source import Node, Scalar, SequenceNode, entries_of, text_part, value_of

_OF_RULES = ("phases", "powers", "roles", "options", "scoring")
"""Sections whose entries may have a text, except the steps."""
_NO_PLACE = "."
"""Beginning of a token in a drawing where there is no space."""
_USUAL_TOKEN, _USUAL_SPACE = 22, 25
"""Widths of tokens and spaces if an edition gives none, in mm."""


class ArtworkReader(PlateReader):
    """Reader of the section `looks`."""

    def read_looks(self) -> None:
        """Read all that stands under `looks`."""
        self.read_looks_of_pieces("cards", True)
        self.read_looks_of_pieces("pieces", False)
        self.read_looks_of_words()
        self.read_looks_of_counters()
        self.read_looks_of_seats()
        self.read_looks_of_records()
        self.read_looks_of_zones()
        self.read_looks_of_boards()
        self.read_looks_of_rules()
        self.read_looks_of_setup()
        self.read_player_aid()

    def read_looks_of_pieces(self, section: str, card: bool) -> None:
        """Read the looks of kinds of piece. section: 'cards' or 'pieces'; card: whether they are cards."""
        rule_texts = self.edition.rule_texts()
        for key, node in self.look_entries(section):
            kind = self.edition.kinds.get(self.resolve(key, self.edition.kinds, messages.KIND_OF_PIECE()))
            if kind is None or kind.name in self.edition.lost:
                continue
            if kind.name in self.edition.looks:
                self.report.error(key.place, messages.LOOKS_TWICE(name=kind.name))
            signs = value_of(node, "signs")
            look = Look(
                card=card,
                picture=scalar(node, "picture"),
                corner=scalar(node, "corner"),
                suit=scalar(node, "suit"),
                ground=scalar(node, "ground"),
                signs=tuple(sign for sign in signs.items if isinstance(sign, Scalar))
                if isinstance(signs, SequenceNode)
                else (),
                back=scalar(node, "back"),
                rules=self.rules_of_pieces(kind, value_of(node, "rule"), rule_texts),
                width=_number(node, "width"),
                round=text_of(node, "shape") == "round",
                square=text_of(node, "shape") == "square",
                table=self.table_of_pieces(kind, scalar(node, "table")),
                only_with=self.chosen_options(node, "only with"),
                faded=self.counter_of_pieces(kind, scalar(node, "faded")),
                letter=scalar(node, "letter"),
                across=self.attributes_across(kind, node),
                colours={word: colour.text for word, colour in self.values_by_word(kind, node, "colours").items()},
                has_name=text_of(node, "name") != "no",
                sort=self.attribute_of_pieces(kind, scalar(node, "sort")),
                pictures_by_word=self.values_by_word(kind, node, "pictures"),
            )
            known = kind_slots(self.edition, kind)
            self.check_slots(article(kind.name), known, [*look.pictures(), *filter(None, (look.letter,))])
            if look.corner is not None:  # where a figure of the rule may stand, too
                texts = [rule_texts[rule].text for rule in look.rules.values()]
                figures = [slot[1].strip() for text in texts for slot in SLOT.finditer(text)]
                self.check_slots(article(kind.name), [*known, *figures], [look.corner])
            self.edition.looks[kind.name] = look

    def rules_of_pieces(self, kind: Kind, node: Node | None, rule_names: Iterable[str]) -> dict[str, RuleKey]:
        """Return the rules whose text stands on the pieces of a kind, by word of theirs, or by '' for all."""
        words = [word for of in kind.attributes.values() if of != NUMBER for word in self.edition.words[of].words]
        names = [word.name for word in words]
        by_word = [(self.resolve(key, names, messages.OWN_WORD()), rule) for key, rule in entries_of(node)]
        entries = [("", node), *by_word] if isinstance(node, Scalar) else by_word
        return {
            word: RuleKey(name)
            for word, rule in entries
            if isinstance(rule, Scalar) and rule.text not in self.edition.removed
            if (name := self.resolve(rule, rule_names, messages.RULE_WITH_TEXT()))
        }

    def table_of_pieces(self, kind: Kind, name: Scalar | None) -> str:
        """Return the attribute of the kind's words that is a table by other words, as `name` says; '' without one. An
        unknown name is reported."""
        lists = [self.edition.words[of] for of in kind.attributes.values() if of != NUMBER]
        tables = [table for words in lists for table, found in words.tables.items() if found.by != NUMBER]
        return self.resolve(name, tables, messages.TABLE()) if name is not None else ""

    def values_by_word(self, kind: Kind, look: Node, entry: str) -> dict[str, Scalar]:
        """Return what an entry of a look has for words of its pieces."""
        lists = [of for of in kind.attributes.values() if of != NUMBER]
        known = [word.name for of in lists for word in self.edition.words[of].words]
        listed = value_of(look, entry)
        words = ((self.resolve(key, known, messages.WORD()), value) for key, value in entries_of(listed))
        return {word: value for word, value in words if word and isinstance(value, Scalar)}

    def attributes_across(self, kind: Kind, look: Node) -> tuple[str, ...]:
        """Return the attributes of a piece that lies across its chain where these attributes are equal."""
        known = kind_slots(self.edition, kind)
        listed = value_of(look, "across")
        nodes = listed.items if isinstance(listed, SequenceNode) else ()
        names = (self.resolve(node, known, messages.ATTRIBUTE()) for node in nodes if isinstance(node, Scalar))
        return tuple(filter(None, names))

    def attribute_of_pieces(self, kind: Kind, name: Scalar | None) -> str:
        """Return an attribute of a kind; '' without one. An unknown name is reported."""
        return self.resolve(name, kind.attributes, messages.ATTRIBUTE()) if name is not None else ""

    def counter_of_pieces(self, kind: Kind, name: Scalar | None) -> str:
        """Return a counter that each piece of a kind has; '' without one."""
        known = [counter.name for counter in self.edition.counters.values() if kind.name in counter.marks]
        return self.resolve(name, known, messages.COUNTER()) if name is not None else ""

    def read_looks_of_words(self) -> None:
        """Read which attributes of words readers are shown."""
        for key, node in self.look_entries("words"):
            if not (name := self.resolve(key, self.edition.words, messages.WORD_LIST())):
                continue
            words, names = self.edition.words[name], list[str]()
            known = (*words.attributes, *words.tables)
            for item in node.items if isinstance(node, SequenceNode) else (node,):
                if not isinstance(item, Scalar) or item.text in (*self.edition.lost.names, *self.edition.removed):
                    continue
                if item.text in known:
                    names.append(item.text)
                else:
                    problem = messages.WORD_HAS_NO(list=name, name=shorten_name(item.text))
                    hints = did_you_mean(item.text, known) or there_are(known)
                    self.report.error(item.place, problem, *hints)
            self.edition.shown_properties[name] = tuple(dict.fromkeys(names))

    def read_looks_of_counters(self) -> None:
        """Read the tokens of counters."""
        for key, node in self.look_entries("counters"):
            if not (name := self.resolve(key, self.edition.counters, messages.COUNTER())):
                continue
            copies = value_of(node, "copies")
            look = TokenLook(
                picture=scalar(node, "picture"),
                copies={"": int(copies.text)}
                if isinstance(copies, Scalar)
                else {value.text: int(n.text) for value, n in entries_of(copies) if isinstance(n, Scalar)},
                width=_number(node, "width") or _USUAL_TOKEN,
                noun=self.noun(node, name) if isinstance(node, source.MappingNode) and node.get("noun") else None,
            )
            self.check_slots(messages.A_TOKEN(), [], [look.picture] if look.picture else [])
            self.edition.tokens[name] = look

    def read_looks_of_records(self) -> None:
        """Read how games are written down for other programs."""
        looks = self.tree.get("looks")
        node = value_of(looks, "record")
        if not isinstance(node, source.MappingNode):
            return
        sides = self.edition.words.get(self.edition.sides)
        known = [word.name for word in sides.words] if sides is not None else []
        self.edition.record = RecordLook(
            format=text_of(node, "format"),
            sides={
                self.resolve(side, known, messages.SIDE()): code.text
                for side, code in entries_of(node.get("sides"))
                if isinstance(code, Scalar)
            },
            tags={name.text: value.text for name, value in entries_of(node.get("tags")) if isinstance(value, Scalar)},
        )

    def read_looks_of_zones(self) -> None:
        """Read how zones are laid out, where they stand, who leads there, and which stay hidden at the end."""
        for key, node in self.look_entries("zones"):
            if not (name := self.resolve(key, self.edition.zones, messages.ZONE())):
                continue
            if layout := node.text if isinstance(node, Scalar) else text_of(node, "layout"):
                self.edition.layouts[name] = layout
            if place := text_of(node, "place"):
                self.edition.screen_places[name] = place
            if leading := scalar(node, "leading"):
                self.edition.leading_seats[name] = leading
            if term := scalar(node, "apart"):
                self.edition.apart_pieces[name] = term
            if text_of(node, "at the end") == "hidden":
                self.edition.hidden_at_end.add(name)

    def read_looks_of_boards(self) -> None:
        """Read how boards are drawn: places, numbers and pictures of spaces, edges and surroundings."""
        for key, node in self.look_entries("boards"):
            board = self.edition.boards.get(self.resolve(key, self.edition.boards, messages.BOARD()))
            if board is None:
                continue
            if (drawing := scalar(node, "places")) is not None and not board.positions:
                self.read_drawing(board, drawing)
            elif not board.positions:
                self.report.error(key.place, messages.NOTHING_TO_DRAW(name=board.name), messages.DRAW_PLACES())
            if kind := text_of(node, "kind"):
                self.edition.board_kinds[board.name] = kind
            if isinstance(node, source.MappingNode) and (upper := node.get("upper side")) is not None:
                self.edition.upper_sides[board.name] = self.sides_above(upper)
            if numbers := scalar(node, "numbers"):
                self.read_space_numbers(board, numbers)
            for mark in MARKS_OF_SPACES:
                if term := scalar(node, mark):
                    self.edition.marked_spaces.setdefault(mark, {})[board.name] = term
            if ground := scalar(node, "ground"):
                self.check_slots(article(board.spaces), word_slots(self.edition, board.spaces), [ground])
                self.edition.grounds[board.name] = ground
            if sign := scalar(node, "sign"):
                self.check_slots(article(board.spaces), word_slots(self.edition, board.spaces), [sign])
                self.edition.space_signs[board.name] = sign
            self.edition.space_widths[board.name] = _number(node, "width") or _USUAL_SPACE
            for key_name, pictures in (("around", self.edition.surroundings), ("gaps", self.edition.gap_grounds)):
                if picture := scalar(node, key_name):
                    self.check_slots(messages.AROUND_BOARD(), [], [picture])
                    pictures[board.name] = picture
            if isinstance(node, source.MappingNode) and (edges := node.get("edges")) is not None:
                self.edition.edge_colours[board.name] = self.colours_of_edges(board, edges)

    def colours_of_edges(self, board: Board, node: Node) -> dict[str, str]:
        """Return the colours of a board's outer edges, by words of its spaces."""
        lists = [of for of in self.edition.words[board.spaces].attributes.values() if of not in NUMBERS]
        known = list(dict.fromkeys(word.name for of in lists for word in self.edition.words[of].words))
        words = ((self.resolve(key, known, messages.WORD()), colour) for key, colour in entries_of(node))
        return {word: colour.text for word, colour in words if word and isinstance(colour, Scalar)}

    def read_drawing(self, board: Board, drawing: Scalar) -> None:
        """Read the drawing of where the listed spaces of a board lie."""
        names = [word.name for word in self.edition.words[board.spaces].words]
        places: dict[str, tuple[int, int]] = {}
        offset = 0
        for row, line in enumerate(drawing.text.splitlines(keepends=True)):
            for column, token in enumerate(re.finditer(r"\S+", line)):
                if token[0] == _NO_PLACE:
                    continue
                part = text_part(drawing, offset + token.start(), token[0])
                spelled = Scalar(token[0].replace("-", " "), part.place)
                if not (name := self.resolve(spelled, names, messages.SPACE())):
                    continue
                if name in places:
                    self.report.error(part.place, messages.PLACED_TWICE(name=name))
                places[name] = column, row
            offset += len(line)
        for name in names:
            if name not in places:
                self.report.error(drawing.place, messages.NOT_PLACED(name=name))
        self.edition.space_places[board.name] = tuple(places.get(name, (0, 0)) for name in names)

    def sides_above(self, node: Node) -> tuple[str, ...]:
        """Return the sides that sit at the upper edge of a board."""
        sides = [word.name for word in self.edition.words[self.edition.sides].words] if self.edition.sides else []
        listed = node.items if isinstance(node, SequenceNode) else (node,)
        names = (self.resolve(item, sides, messages.SIDE()) for item in listed if isinstance(item, Scalar))
        return tuple(filter(None, names))

    def read_space_numbers(self, board: Board, name: Scalar) -> None:
        """Read the table by which the words of sides number a board's spaces, each from 1 on."""
        sides = self.edition.words.get(self.edition.sides)
        tables = sides.tables if sides is not None else {}
        known = [table for table, rows in tables.items() if rows.by == NUMBER and rows.holds == board.spaces]
        if table := self.resolve(name, known, messages.TABLE()):
            self.edition.space_numbers[board.spaces] = tuple(
                {space: number for number, space in enumerate(row) if number and space >= 0}
                for row in tables[table].rows
            )

    def read_looks_of_rules(self) -> None:
        """Read the pictures of rules."""
        known_rules = list(self.rule_keys())
        for key, node in self.look_entries("rules"):
            if (name := self.resolve(key, known_rules, messages.RULE())) and isinstance(node, Scalar):
                self.check_slots(messages.A_RULE(), [], [node])
                self.edition.rule_pictures[name] = node

    def read_looks_of_setup(self) -> None:
        """Read which zones, counters and boards each step of the set-up fills."""
        setup = self.tree.get("setup")
        steps = [key.text for key, _ in entries_of(value_of(setup, "steps"))]
        places = [*self.edition.zones, *self.edition.counters, *self.edition.boards]
        for key, node in self.look_entries("setup"):
            if name := self.resolve(key, steps, messages.SETUP_STEP()):
                listed = node.items if isinstance(node, SequenceNode) else (node,)
                targets = (
                    self.resolve(item, places, messages.ZONE_COUNTER_OR_BOARD())
                    for item in listed
                    if isinstance(item, Scalar)
                )
                self.edition.setup_places[name] = tuple(filter(None, targets))

    def read_player_aid(self) -> None:
        """Read the rules that stand on the player aid."""
        looks, known_rules = self.tree.get("looks"), list(self.rule_keys())
        listed = value_of(looks, "aid")
        nodes = [node for node in listed.items if isinstance(node, Scalar)] if isinstance(listed, SequenceNode) else []
        left = (node for node in nodes if node.text.partition(".")[2] not in self.edition.removed)
        self.edition.aid = tuple(
            RuleKey(name) for node in left if (name := self.resolve(node, known_rules, messages.RULE()))
        )

    def rule_keys(self) -> Iterator[str]:
        """Yield the keys of the set-up, the ranking, and the phases, powers, roles, options, scoring lines and
        steps."""
        yield from ("setup", "ranking")
        for section in _OF_RULES:
            yield from (RuleKey.of(section, key.text) for key, _ in entries_of(self.tree.get(section)))
        yield from (RuleKey.of("steps", name) for name in self.edition.steps)

    def look_entries(self, section: str) -> Iterator[tuple[Scalar, Node]]:
        """Yield the entries of a section of `looks`, except those about removed declarations."""
        looks = self.tree.get("looks")
        for key, node in entries_of(value_of(looks, section)):
            if key.text.partition(".")[2] not in self.edition.removed and key.text not in self.edition.removed:
                yield key, node

    def check_slots(self, owner: Wording, known: list[str], texts: Iterable[Scalar]) -> None:
        """Report slots in texts whose name is not known. owner: of the texts, for messages."""
        for text in texts:
            for slot in SLOT.finditer(text.text):
                if slot[1].strip() not in known and slot[1].strip() not in self.edition.lost:
                    problem = messages.OWNER_HAS_NO(owner=owner, name=shorten_name(slot[1].strip()))
                    hints = did_you_mean(slot[1].strip(), known) or there_are(known)
                    self.report.error(text.place_at(slot.start(1), len(slot[1])), problem, *hints)


def _number(node: Node | None, key: str) -> int:
    """Return a whole number below a key, as the schema ensures; 0 without the key."""
    text = scalar(node, key)
    return int(text.text) if text is not None and text.text.strip().isdigit() else 0
