"""What stands on pieces, in one language: names, corners, pictures and backs, as the looks of an edition say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Phrase, Speech
from rulewright.model.declarations import NUMBERS, SLOT, Edition, Kind, WordList, WordTable, number_of
from rulewright.model.pictures import PictureError, Pictures, name_of, values
from rulewright.syntax.source import Scalar


@record
class ChartRow:
    """A row of a chart: what it is for, and what is so there; pictures are SVG, '' for none."""

    key: str
    key_picture: str
    value: str
    value_picture: str


@record
class ChartWord:
    """A word at the edge of a chart: its name in the edition, as people read it, and the name of its picture or ''."""

    name: str
    told: str
    picture: str


@record
class ChartGrid:
    """A chart as a grid. keys: its columns; values: its rows, as the edition has them; cells: of each column, which row
    is so, or -1; rises: whether each row is more than those before it."""

    keys: tuple[ChartWord, ...]
    values: tuple[ChartWord, ...]
    cells: tuple[int, ...]
    rises: bool


@record
class Face:
    """One sort of piece. picture, suit, ground, signs, back: SVG, '' for none; card: whether it is one; round: whether
    it is a disc; chart: the table that stands on it."""

    name: str
    corner: str
    suit: str
    ground: str
    picture: str
    signs: tuple[str, ...]
    back: str
    card: bool
    round: bool = False
    chart: tuple[ChartRow, ...] = ()


class Faces:
    """The faces of an edition's pieces. options: as they are chosen, those that are not as usual; unseen: what is wrong
    with pictures that had to be left out, by name."""

    def __init__(self, rules: Rules, speech: Speech, options: Mapping[str, str] | None = None) -> None:
        self.edition: Edition = rules.edition
        self.speech, self._of, self._options = speech, rules, options or {}
        self.terms, self.pictures = Terms(rules.edition), Pictures(rules.edition)
        self.unseen: dict[str, str] = {}

    def face(self, kind: Kind, row: Sequence[int]) -> Face:
        """Of the pieces of a kind with these values of its attributes."""
        look, found = self.edition.looks.get(kind.name), values(self.edition, kind, row)
        name = self.speech.title(self.terms.piece(kind, row))
        picture = self.picture(self.pictures.of_piece(kind, row))
        if look is None:
            return Face(name, "", "", "", picture, (), "", card=False)

        def drawn(pattern: Scalar | None) -> str:
            return self.picture(name_of(pattern.text, self.edition, found)) if pattern is not None else ""

        return Face(
            name=name,
            corner=self.corner(kind, row),
            suit=drawn(look.suit),
            ground=drawn(look.ground),
            picture=picture,
            signs=tuple(filter(None, map(drawn, look.signs))),
            back=drawn(look.back),
            card=look.card,
            round=look.round,
            chart=tuple(self.chart(kind, row, look.table)) if look.table else (),
        )

    def corner(self, kind: Kind, row: Sequence[int]) -> str:
        """What stands in the corner: the piece's own numbers and words, and figures of the rule that stands on it."""
        look, found = self.edition.looks.get(kind.name), values(self.edition, kind, row)
        if look is None or look.corner is None:
            return ""

        def told(slot: str) -> str:
            if slot not in found:
                rule = self.rule(kind, row)
                figure = dict(rule.slots).get(slot) if rule is not None else None
                return self.speech.say(figure) if figure is not None else ""
            of, value = found[slot]
            return (
                self.speech.number(number_of(of, value))
                if of in NUMBERS
                else self.speech.noun(self.terms.word(of, value)).one
            )

        return SLOT.sub(lambda slot: told(slot[1].strip()), look.corner.text)

    def rule(self, kind: Kind, row: Sequence[int]) -> Phrase | None:
        """The rule that stands on pieces with these values."""
        found = map(self._texts.rule, rules_on(self.edition, kind, row))
        return next((rule for rule in found if rule is not None), None)

    @cached_property
    def _texts(self) -> RuleTexts:
        return RuleTexts(self._of, check_options(self._of, self._options))

    def signs(self, kind: Kind) -> tuple[tuple[str, str], ...]:
        """The pictures on the charts of a kind, each with what it stands for: in the order of the words."""
        look = self.edition.looks.get(kind.name)
        if look is None or not look.table:
            return ()
        rows = [row for values, _ in kind.rows for row in self.face(kind, values).chart]
        declared = self.edition.words[self._table(kind, kind.rows[0][0], look.table)[0]].tables[look.table]
        order = [
            self.picture(self.of_word(words, at)) for words in self._lists(declared) for at in range(len(words.words))
        ]
        found = {row.key_picture: row.key for row in rows} | {row.value_picture: row.value for row in rows}
        return tuple((drawn, found[drawn]) for drawn in dict.fromkeys(order) if drawn and drawn in found)

    def _table(self, kind: Kind, row: Sequence[int], table: str) -> tuple[str, int]:
        """Which word of a piece has a table: of which list, and which of it."""
        return next((of, value) for of, value in _words(kind, row) if table in self.edition.words[of].tables)

    def _lists(self, table: WordTable) -> list[WordList]:
        """The words that a table is for, and those that it holds."""
        return [self.edition.words[of] for of in (table.by, table.holds) if of not in NUMBERS]

    def chart(self, kind: Kind, row: Sequence[int], table: str) -> Iterator[ChartRow]:
        """What a piece's word has for each of the words that its table is for."""
        for found in self.table(kind, row, table):
            drawn = map(self.picture, (found.key_picture, found.value_picture))
            yield ChartRow(found.key, next(drawn), found.value, next(drawn))

    def table(self, kind: Kind, row: Sequence[int], table: str) -> Iterator[ChartRow]:
        """The same with the names of pictures."""
        of, number = self._table(kind, row, table)
        declared = self.edition.words[of].tables[table]
        keys = self.edition.words[declared.by]
        holds = None if declared.holds in NUMBERS else self.edition.words[declared.holds]
        for at, held in enumerate(declared.rows[number]):
            figure = self.speech.number(number_of(declared.holds, held))
            told = figure if holds is None else self.word(holds, held) if held >= 0 else ""
            named = self.of_word(holds, held) if holds is not None and held >= 0 else ""
            yield ChartRow(self.word(keys, at), self.of_word(keys, at), told, named)

    def grid(self, kind: Kind, row: Sequence[int], table: str) -> ChartGrid:
        """The same as a grid: a column for each word that it is for, a row for each that can be so."""
        of, number = self._table(kind, row, table)
        declared = self.edition.words[of].tables[table]
        cells = declared.rows[number]
        if declared.holds in NUMBERS:
            numbers = sorted({held for row in declared.rows for held in row})
            values = tuple(
                ChartWord(str(held), self.speech.number(number_of(declared.holds, held)), "") for held in numbers
            )
            cells, rises = tuple(map(numbers.index, cells)), True
        else:
            holds = self.edition.words[declared.holds]
            values, rises = self._edge(holds), _rising(holds)
        return ChartGrid(self._edge(self.edition.words[declared.by]), values, cells, rises)

    def _edge(self, words: WordList) -> tuple[ChartWord, ...]:
        return tuple(
            ChartWord(word.name, self.word(words, at), self.of_word(words, at)) for at, word in enumerate(words.words)
        )

    def word(self, words: WordList, number: int) -> str:
        return self.speech.title(self.terms.word(words.name, number))

    def of_word(self, words: WordList, number: int) -> str:
        """The name of the picture that is called as a word is, if there is one."""
        name = "-".join(words.words[number].name.split())
        return name if self.pictures.path(name) is not None else ""

    def picture(self, name: str) -> str:
        """A picture by its name, '' if there is none."""
        try:
            return self.pictures.svg(name) if name else ""
        except PictureError as error:
            self.unseen[name] = str(error)
            return ""


def _rising(words: WordList) -> bool:
    """Whether some number of these words goes up from each to the next."""
    numbers = [name for name, of in words.attributes.items() if of in NUMBERS]
    columns = ([word.attributes.get(name, 0) for word in words.words] for name in numbers)
    return any(all(one < other for one, other in pairwise(column)) for column in columns)


def rules_on(edition: Edition, kind: Kind, row: Sequence[int]) -> Iterator[RuleKey]:
    """Whose text may stand on pieces with these values, the nearest first: what looks say of their words, the power
    that they give, what their words or they themselves say, what looks say of all."""
    look = edition.looks.get(kind.name)
    named = look.rules if look is not None else {}
    words = [edition.words[of].words[value].name for of, value in _words(kind, row)]
    yield from (named[word] for word in words if word in named)
    if kind.power_in:
        yield RuleKey.of("powers", words[0])
    yield from (RuleKey.of("words", of, word=edition.words[of].words[value].name) for of, value in _words(kind, row))
    if kind.says is not None:
        yield RuleKey.of("pieces", kind.name)
    if "" in named:
        yield named[""]


def _words(kind: Kind, row: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The words of a piece with these values: of which list, and which of it."""
    named = zip(kind.attributes.values(), row, strict=True)
    return ((of, value) for of, value in named if of not in NUMBERS and value >= 0)
