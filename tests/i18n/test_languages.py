"""Sentences in every language: articles and agreement, broken catalogs, every text with all that fits in it."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages import catalog as babel

from rulewright import cli
from rulewright.base import resources
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.i18n import (
    catalog_check,
    catalog_update,
    catalogs,
    languages,
    phrase_extraction,
    po_files,
)
from rulewright.i18n.catalog_update import TERMS, CatalogMessage
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.localizer import Argument, DecimalNumber, Either, Localizer, Person, Phrase, Term, english, phrase
from rulewright.i18n.message_patterns import Agreement, PatternError, Slot, parts, slots
from rulewright.i18n.translation_check import text_errors
from rulewright.players.seating import SeatingError, read_seats
from rulewright.players.session import Session
from rulewright.publish import log_sections, templates
from rulewright.publish.console import Console, EndOfInput
from rulewright.publish.labels import Labels
from rulewright.terminal import board, menu, play_loop, table, word_charts
from rulewright.terminal import rules as told_rules

PACKAGE = Path(library.__file__).parents[1]
OTHERS = ["de", "nl", "it", "fr"]
TRANSLATED = [
    (name, language) for name in library.available() for language in OTHERS if languages.is_translated(name, language)
]


@pytest.fixture(autouse=True, scope="module")
def loaded_once() -> Iterator[None]:
    """Loads each edition once for all tests, commands included."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "load", cache(library.load))
        yield


# ── sentences ──


def speaking(language: str, **texts: str | tuple[str, str]) -> Localizer:
    """A language with a few texts: of context 'x', each by its English text."""
    entries = {("x", one): (text,) if isinstance(text, str) else text for one, text in texts.items()}
    base = languages.localizer_for(language)
    return Localizer(base.table, (Catalog(entries), *base.catalogs))


ANIMALS = {
    "de": {
        "ox": ("Ochse [m; acc=Ochsen; dat=Ochsen; gen=Ochsen]", "Ochsen"),
        "otter": ("Otter [m]", "Otter [dat=Ottern]"),
        "cow": ("Kuh [f]", "Kühe [dat=Kühen]"),
        "sheep": ("Schaf [n; gen=Schafs]", "Schafe [dat=Schafen]"),
        "big bear": ("groß~ Bär [m; acc=groß~ Bären; dat=groß~ Bären; gen=groß~ Bären]", "groß~ Bären"),
        "small elk": ("klein~ Reh [n]", "klein~ Rehe [dat=klein~ Rehen]"),
    },
    "nl": {
        "ox": ("os [c]", "ossen"),
        "otter": ("otter [c]", "otters"),
        "cow": ("koe [c]", "koeien"),
        "sheep": ("schaap [n]", "schapen"),
        "big bear": ("groot paard [n; definite=grote paard]", "grote paarden"),
        "small elk": ("klein~ hert [n]", "klein~ herten"),
    },
    "it": {
        "ox": ("bue [m]", "buoi"),
        "otter": ("lontra [f]", "lontre"),
        "cow": ("anatra [f]", "anatre"),
        "sheep": ("struzzo [m]", "struzzi"),
    },
}


def animal(name: str, count: int = 1) -> Term:
    return Term("x", name, f"{name}s", (), count)


ADA, BEN, ME = Person("Ada"), Person("ben"), Person("You", you=True)

# language, the translation of '{who} {what} {n}', what stands there, and what must come of it
FORMATTED = [
    ("de", "[der] {what} geht.", animal("ox"), "Der Ochse geht."),
    ("de", "Nimm [den] {what}.", animal("ox"), "Nimm den Ochsen."),
    ("de", "Nimm [den] {what}.", animal("cow"), "Nimm die Kuh."),
    ("de", "Nimm [den] {what}.", animal("sheep"), "Nimm das Schaf."),
    ("de", "Nimm [den] {what}.", animal("sheep", 2), "Nimm die 2 Schafe."),
    ("de", "mit [dem] {what}", animal("otter", 2), "mit den 2 Ottern"),
    ("de", "mit [dem] {what}", (animal("ox"), animal("cow"), animal("sheep")), "mit dem Ochsen, der Kuh und dem Schaf"),
    ("de", "[einen] {what}", animal("cow"), "eine Kuh"),
    ("de", "[einen] {what}", animal("cow", 3), "3 Kühe"),
    ("de", "{what} [geht|gehen|gehst]", (ADA, BEN), "Ada und ben gehen"),
    ("de", "{what} [geht|gehen|gehst].", (ME,), "Du gehst."),
    ("de", "{what} [geht|gehst].", ME, "Du gehst."),
    ("de", "{what} [geht|gehst].", BEN, "ben geht."),
    ("de", "an [den] {what}", ME, "an dich"),
    ("de", "an [den] {what}", BEN, "an ben"),
    ("de", "[zum] {what}", ADA, "zu Ada"),
    ("de", "[zum] {what}", animal("cow"), "zur Kuh"),
    ("de", "{what} [Karte|Karten]", 1, "1 Karte"),
    ("de", "{what} [Karte|Karten]", 1234, "1.234 Karten"),
    ("de", "{what}", Either((animal("ox"), animal("cow"))), "Ochse oder Kuh"),
    ("de", "[den] {what}", phrase("argument", "nothing"), "nichts"),
    ("de", "[der] {what} geht.", animal("big bear"), "Der große Bär geht."),
    ("de", "{what}", animal("big bear"), "großer Bär"),
    ("de", "{what}", animal("small elk", 2), "2 kleine Rehe"),
    (
        "de",
        "[ein] {what}, ein Tier",
        (animal("big bear"), animal("small elk")),
        "ein großer Bär und ein kleines Reh, ein Tier",
    ),
    ("de", "[einen] {what}", animal("small elk", 3), "3 kleine Rehe"),
    ("de", "[keinen] {what}", animal("small elk", 3), "keine 3 kleinen Rehe"),
    (
        "de",
        "mit [dem] {what}",
        (animal("big bear"), animal("small elk", 2)),
        "mit dem großen Bären und den 2 kleinen Rehen",
    ),
    ("de", "[im] {what}", animal("small elk"), "im kleinen Reh"),
    ("nl", "[de] {what}", animal("big bear"), "het grote paard"),
    ("nl", "[een] {what}", animal("big bear"), "een groot paard"),
    ("nl", "[de] {what}", animal("small elk"), "het kleine hert"),
    ("nl", "[een] {what}", animal("small elk"), "een klein hert"),
    ("nl", "{what}", animal("small elk", 2), "2 kleine herten"),
    ("nl", "[deze] {what}", animal("big bear", 2), "deze 2 grote paarden"),
    ("nl", "[de] {what} gaat.", animal("sheep"), "Het schaap gaat."),
    ("nl", "[de] {what}", animal("sheep", 2), "de 2 schapen"),
    ("nl", "[een] {what}", (animal("ox"), animal("sheep")), "een os en een schaap"),
    ("nl", "aan [hem] {what}", ME, "aan jou"),
    ("it", "[dal] {what}", animal("ox"), "dal bue"),
    ("it", "[dal] {what}", animal("sheep"), "dallo struzzo"),
    ("it", "[dal] {what}", animal("cow"), "dall’anatra"),
    ("it", "[dal] {what}", animal("otter"), "dalla lontra"),
    ("it", "[dal] {what}", animal("sheep", 2), "dai 2 struzzi"),
    ("it", "[Il] {what} va.", animal("sheep"), "Lo struzzo va."),
    ("it", "[un] {what}", animal("cow"), "un’anatra"),
    ("it", "[al] {what}", ME, "a te"),
    ("it", "[al] {what}", ADA, "ad Ada"),
    ("it", "[al] {what}", BEN, "a ben"),
    ("it", "tra [te] {what}", (ADA, ME), "tra Ada e te"),
    ("it", "[il] {what}", (animal("sheep"), animal("otter"), animal("ox")), "lo struzzo, la lontra e il bue"),
    ("en", "[a] {what}", Term("", "ox", "oxen"), "an ox"),
    ("en", "[a] {what}", Term("", "unicorn", "unicorns"), "a unicorn"),
    ("en", "{what}", (Term("", "ox", "oxen", (), 2),), "2 oxen"),
    ("en", "[the] {what}", Term("", "ox", "oxen", (), 2), "the 2 oxen"),
    ("en", "{what}", Term("", "red 2", "red 2", (), 2), "2 red 2s"),
    ("en", "{what}", Term("", "coin of 2", "coins of 2", (), 3), "3 coins of 2"),
    ("en", "{what}", Term("", "6", "6", (), 2), "2 × 6"),
    ("de", "{what}", Term("", "Wald 2", "Wald 2", (), 2), "2 × Wald 2"),
    ("en", "[the] {what}", Term("", "red 2", "red 2"), "the red 2"),
    ("en", "[the] {what}", Term("", "a hidden card", "hidden cards"), "a hidden card"),
    ("en", "[the] {what}", Term("", "a hidden card", "hidden cards", (), 3), "3 hidden cards"),
    ("en", "[the] {what}", Term("", "other card", "other cards"), "the other card"),
    ("en", "what stands in [brackets] {what}", 3, "what stands in [brackets] 3"),
]


@pytest.mark.parametrize(("language", "text", "kind", "expected"), FORMATTED)
def test_sentences_in_each_language(language: str, text: str, kind: Argument, expected: str) -> None:
    output = speaking(language, **{"{what}": text}, **ANIMALS.get(language, {}))
    assert output.say(Phrase("x", "{what}", (("what", kind),))) == expected
    assert not output.missed


@pytest.mark.parametrize(
    "text",
    ["{what", "what}", "{}", "{other}", "[dme] {what}", "", "x" * 20_000, "{what.__class__} {what}", "{what:>99}"],
)
def test_a_translation_that_does_not_fit_falls_back_to_english(text: str) -> None:
    output = speaking("de", **{"{what} goes": text}, **ANIMALS["de"])
    assert output.say(Phrase("x", "{what} goes", (("what", Term("x", "ox", "oxen")),))) == "ox goes"
    assert output.missed


def test_a_missing_noun_falls_back_to_english() -> None:
    text = speaking("it")
    assert text.say(Term("x", "crate", "crates")) == "crate"
    assert text.say((Term("x", "crate", "crates", count=2), 7)) == "2 crates and 7"
    assert text.missed


def test_a_noun_without_gender_makes_the_sentence_english() -> None:
    text = speaking("de", **{"the {what}": "[der] {what}"}, ox=("Ochse", "Ochsen"))
    assert text.say(Phrase("x", "the {what}", (("what", animal("ox")),))) == "the ox"


def test_names_are_never_read_as_sentences() -> None:
    text = speaking("de", **{"{what}": "{what}"})
    for odd in ("{what}", "[der] {x}", "%s", "[a|b]", "{0.__class__}"):
        assert text.say(Phrase("x", "{what}", (("what", Person(odd)),))) == odd


def test_parts_of_a_pattern_are_filled() -> None:
    assert parts("{a} [x|y] takes [the] {b  c}") == (
        Slot("a"),
        " ",
        Agreement(("x", "y"), "a", known_slots=frozenset(("a", "b c"))),
        " takes ",
        Slot("b c", "the"),
    )
    with pytest.raises(PatternError):
        parts("{a")
    (*_, name_, _) = parts("{seat} takes {card} and [seat: wins|win].")
    assert name_ == Agreement(("wins", "win"), "seat", known_slots=frozenset(("seat", "card")))


BIDS = "Up for auction. [bidder: nothing=No bids yet|Highest bid: {price}, by {bidder}]."
CARDS = "You [due: 0=need auction nothing|must auction {due} more [card|cards]]."
FORMS: list[tuple[str, dict[str, Argument], str]] = [
    (BIDS, {"bidder": phrase("argument", "nobody"), "price": 0}, "Up for auction. No bids yet."),
    (BIDS, {"bidder": Person("Ada"), "price": 4}, "Up for auction. Highest bid: 4, by Ada."),
    (BIDS, {"bidder": Person("You", you=True), "price": 4}, "Up for auction. Highest bid: 4, by you."),
    (CARDS, {"due": 0}, "You need auction nothing."),
    (CARDS, {"due": 1}, "You must auction 1 more card."),
    (CARDS, {"due": 3}, "You must auction 3 more cards."),
    ("{n} [0=no points|1=point|2=pair|points]", {"n": 2}, "2 pair"),
    ("{n} [0=no points|1=point|2=pair|points]", {"n": 2.5}, "2.5 points"),
    ("[n: 0=none|{n}] left", {"n": ()}, "none left"),
    ("[n: 0=none|{n}] left", {"n": (Person("Ada"), Person("Ben"))}, "Ada and Ben left"),
    ("{a} and [b: 1=a|{b} [x|y] of {a} [x|y]]", {"a": 1, "b": 2}, "1 and 2 y of 1 x"),
]


@pytest.mark.parametrize(("text", "fillings", "expected"), FORMS)
def test_forms_may_contain_slots_and_forms(text: str, fillings: dict[str, Argument], expected: str) -> None:
    assert english().say(Phrase("x", text, tuple(fillings.items()))) == expected


ME = Person("You", you=True)
DROPPED: list[tuple[str, Argument, str]] = [
    ("{who} [offre|offri] 3.", ME, "Offri 3."),
    ("{who} [offre|offri] 3.", Person("Ada"), "Ada offre 3."),
    ("{who} [offre|offri] 3", ME, "Offri 3"),
    ("{who} ora [ha|hai] 3.", (ME,), "Ora hai 3."),
    ("Ecco. {who} non [gioca|giochi].", ME, "Ecco. Non giochi."),
    ("Poi {who} [gioca|giochi].", ME, "Poi giochi."),
    ("{who} [who: ha|hai] 3.", (Person("Ada"), ME), "Ada e tu hai 3."),
    ("{who}, [gioca|giochi].", ME, "Tu, giochi."),
    ("Tocca [al] {who} e [gioca|giochi].", ME, "Tocca a te e giochi."),
    ("Gioca {who}.", ME, "Gioca tu."),
]


@pytest.mark.parametrize(("text", "player", "expected"), DROPPED)
def test_a_pronoun_is_left_out_before_its_verb(text: str, player: Argument, expected: str) -> None:
    output = speaking("it", **{"{who}": text})
    assert output.say(Phrase("x", "{who}", (("who", player),))) == expected
    assert not output.missed


def test_the_content_of_a_form_is_in_the_sentence() -> None:
    text = Phrase("x", BIDS, (("bidder", Person("Ada")), ("price", 4)))
    output, mentions = english().say_with_mentions(text)
    assert {one.slot: output[one.start : one.end] for one in mentions} == {"bidder": "Ada", "price": "4"}
    assert slots(BIDS) == {"bidder": 1, "price": 1}


# ── every text, in every language ──

# An independent table: the right article before each noun, without the grammar of the package.
GENDERS = {
    "de": {
        "der|den|dem|des|ein|einen|im|vom|zum": "Pfau Adler Steinbock Löwe Löwen Talisman Bär Bären Joker Wald Mensch",
        "das|dem|des|ein|im": "Eichhörnchen Erdmännchen Krokodil Mammut Gebirge Wasser",
        "die|der|eine|einer": "Bonuskarte Nachziehkarte Schlange Wüste Savanne Steppe Karte Tafel Seuche",
    },
    "nl": {
        "de|een|deze": "pauw eekhoorn arend steenbok leeuw leiderkaart aanvulkaart talisman Expo krokodil slang beer "
        "mammoet mens woestijn savanne steppe joker boskaart epidemie hongersnood",
        "het|een|dit": "stokstaartje bos gebergte water",
    },
    "it": {
        "il|del|al|dal|un|nel": "pavone leone suricato Talismano coccodrillo serpente mammut jolly deserto",
        "lo|dello|allo|dallo|uno|nello": "scoiattolo stambecco",
        "i|dei|ai|dai|nei": "jolly",
        "l’|dell’|all’|dall’|un’|nell’": "aquila acqua",
        "l’|dell’|all’|dall’|un|nell’": "orso uomo",
        "la|della|alla|dalla|una|nella": "carta foresta savana steppa montagna carestia scheda",
    },
    "fr": {
        "le|du|au|un|ce": "paon bouquetin lion suricate Talisman chef joker",
        "la|une|cette": "carte forêt savane montagne pioche",
        "l’|un|cet": "écureuil aigle",
        "les|des|aux": "paons bouquetins lions suricates chefs écureuils aigles",
    },
}
# How adjectives end, by the article before them and the gender of the noun.
ENDINGS = {
    "de": {"der m": "e", "den m": "en", "dem m": "en", "im m": "en", "die f": "e", "der f": "en", "das n": "e"}
    | {"dem n": "en", "im n": "en", "ein m": "er", "ein n": "es", "eine f": "e", " m": "er", " f": "e", " n": "es"},
    "nl": {"de c": "e", "het n": "e", "een c": "e", "een n": "", " c": "e", " n": ""},
}
ADJECTIVES = {"de": "Groß|Klein", "nl": "grote?|groot|kleine?"}
NOUNS = {
    "de": {"m": "Wald", "f": "Wüste Savanne Steppe Wertung", "n": "Gebirge Wasser"},
    "nl": {"c": "woestijn savanne steppe telling", "n": "bos gebergte water"},
}
ARTICLES = {
    "de": "der die das den dem des ein eine einen einem einer eines im vom zum zur am",
    "nl": "de het een dit deze",
    "it": "il lo la i gli le del dello della dei degli delle al allo alla dal dallo dalla nel nello nella un uno una",
    "fr": "le la les du des au aux un une ce cet cette",
}


def wrong_articles(language: str, line: str) -> list[str]:
    right = {(a, n) for forms, nouns in GENDERS[language].items() for a in forms.split("|") for n in nouns.split()}
    nouns = {noun for _, noun in right}
    matches = re.findall(r"(\w+) (\w+)|(\w+’)(\w+)", line)
    pairs = [(a or b, c or d) for a, c, b, d in matches]
    articles = {*ARTICLES[language].split(), "l’", "dell’", "all’", "dall’", "nell’", "un’"}
    return [f"{a} {n}" for a, n in pairs if n in nouns and a.casefold() in articles and (a.casefold(), n) not in right]


def test_independent_table_finds_wrong_articles() -> None:
    assert wrong_articles("de", "Ada nimmt die Löwe.") and wrong_articles("it", "Ada prende il stambecco.")
    assert not wrong_articles("it", "Ada prende lo stambecco e l’aquila.")
    assert wrong_endings("de", "Der Großer Wald") and wrong_endings("de", "im Große Gebirge")
    assert not wrong_endings("de", "Der Große Wald, im Großen Gebirge, Kleines Wasser: eine Große Wertung")
    assert wrong_endings("nl", "het groot bos") and wrong_endings("nl", "een grote bos")
    assert not wrong_endings("nl", "het grote bos, een groot bos, grote woestijn")


def wrong_endings(language: str, line: str) -> list[str]:
    """Adjectives that do not fit what stands around them."""
    wrong = []
    for gender, nouns in NOUNS.get(language, {}).items():
        pattern = rf"(?:\b(\w+) )?\b({ADJECTIVES[language]})(\w*) ({nouns.replace(' ', '|')})\b"
        for before, adjective, ending, noun in re.findall(pattern, line):
            article = before.casefold() if before.casefold() in ARTICLES[language].split() else ""
            ends = ("e" if adjective.endswith("e") else "") if language == "nl" else ending
            right = ENDINGS[language].get(f"{article} {gender}".replace("  ", " "))
            wrong += [f"{before} {adjective}{ending} {noun}"] if right is not None and ends != right else []
    return wrong


@cache
def untranslated(language: str) -> set[tuple[str, str]]:
    """Texts that wait for their translation, in the catalogs of a language or not yet in them."""
    paths = [] if language == "en" else list(languages.folder(language).rglob("*.po"))
    return {
        (str(message.context), message.one)
        for path in paths
        if path.stem != languages.DIAGNOSTICS
        for message in messages_of(path.stem)
    } - {key for path in paths for key in catalogs.load(path, language).entries}


@cache
def games(name: str) -> list[Game]:
    return list(templates.games(library.load(name)))


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("name", "language"), [*TRANSLATED, *((name, "en") for name in library.available())])
def test_every_text_with_every_kind_of_argument(name: str, language: str) -> None:
    for game in games(name):
        texts = templates.examples(game, game.localizer(language)).values()
        lines = [line for spoken in texts for line in spoken.lines]
        assert len(lines) > 25
        for line in lines:
            assert not re.search(r"[{}\[\]|]|  | [.,;:]|^\s|\s$", line), line
            if language in GENDERS:
                assert not wrong_articles(language, line), line
                assert not wrong_endings(language, line), line
        assert not {key for spoken in texts for key in spoken.missed} - untranslated(language)


THINGS: list[Argument] = [
    *("Ada's game", 0, 1, 2, 1234567, DecimalNumber(12.345), DecimalNumber(0.5, percent=True), ADA, ME),
    *((ADA, BEN), (ME,), (BEN, ME), ("a", "b", "c"), Either(("a", "b", "c")), phrase("argument", "nobody")),
]


@pytest.mark.rotating(4)
@pytest.mark.parametrize("language", [*OTHERS, "en"])
def test_every_sentence_of_the_interface_with_every_kind_of_argument(language: str) -> None:
    text = languages.localizer_for(language)
    before = text.missed.copy()
    for message in phrase_extraction.interface(PACKAGE):
        names = list(slots(message.one))
        for number in range(len(THINGS)):
            # Every slot gets everything, beside whatever the others get.
            filled = tuple((name, THINGS[(number + place) % len(THINGS)]) for place, name in enumerate(names))
            if message.many or message.inflected:
                line = text.say(Term(message.context, message.one, message.many, (), number + 1))
            else:
                line = text.say(Phrase(message.context, message.one, filled))
            assert line and not re.search(r"[{}|]|  |^\s|\s$", line), (message, line)
            assert line.count("[") == re.sub(r"\[[^]]*\|[^]]*\]|\[1st\]", "", message.one).count("["), (message, line)
    assert not text.missed.keys() - before.keys() - untranslated(language)


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("name", "language"), TRANSLATED)
def test_all_texts_shown_are_in_the_catalogs(name: str, language: str) -> None:
    """Names in tables, on boards, in rules and menus: in whatever way they are looked up, no one is missed."""
    rules = library.load(name)
    for game in games(name)[:1]:
        text, out = game.localizer(language), io.StringIO()
        text.missed.clear()
        console = Console(io.StringIO("\n"), out, "never", text)
        labels, view = Labels(game, language), game.view(0)
        console.write_lines(table.draw(game, 0, 80, language=language))
        console.write_lines(board.draw(game, view, 80, 40, language=language))
        for key in game.program.rules:
            assert game.rule_texts.rule(key, 0, language) and labels.rule(key)
        for decision in game.decisions(language):
            told_rules.show_moment(console, game, decision)
        told_rules.show_named(console, game, "*", 0)
        for words in word_charts.charted_lists(game.rules.edition):
            told_rules.show_named(console, game, words, 0)
        for type_ in game.program.types:
            labels.piece(type_.name)
        seats = read_seats(",".join(["you", *["random"] * (rules.edition.people[1] - 1)]), rules.edition)
        menu.choose_options(console, rules, seats)
        log_sections.write_sections(console, log_sections.sections(game, 0, language=language))
        assert not text.missed.keys() - untranslated(language)
        assert not re.search(r"[{}]|\.choices", out.getvalue())


@cache
def messages_of(domain: str) -> list[CatalogMessage]:
    if domain == languages.INTERFACE:
        return phrase_extraction.interface(PACKAGE)
    return templates.messages([library.load(name) for name in library.available() if name.startswith(domain)])


# ── catalogs ──


@pytest.mark.parametrize(
    "path",
    sorted(path for path in resources.folder("locales").rglob("*.po") if path.stem != languages.DIAGNOSTICS),
    ids=lambda path: str(path.parent.parent.name) + "/" + path.stem,
)
def test_apostrophes_are_curly_in_catalogs(path: Path) -> None:
    """Within slots, and where forms name one, an expression stands as the edition has it."""
    entries = catalogs.load(path, path.parent.parent.name).entries
    outputs = [re.sub(r"\{[^{}]*\}|\[[^\[\]{}|:]*:", "", text) for texts in entries.values() for text in texts]
    assert outputs
    assert [text for text in outputs if re.search(r"[^\W\d_]'[^\W\d_]", text)] == []


MESSAGES = [
    CatalogMessage("words.beast.ox", "ox", "oxen", TERMS, True),
    CatalogMessage("x.log", "{seat} took the {beast}.", "", "log"),
]


def entry(catalog: babel.Catalog, text: str, context: str) -> babel.Message:
    """The entry of a text, which a catalog must have."""
    message = catalog.get(text, context)
    assert message is not None
    return message


def language_folder(tmp_path: Path, ox: str = "Ochse [m]", sentence: str = "{seat} nimmt [den] {beast}.") -> Path:
    catalog = catalog_update.update(MESSAGES, None, "de", "test")
    entry(catalog, "ox", "words.beast.ox").string = (ox, "Ochsen")
    entry(catalog, MESSAGES[1].one, "x.log").string = sentence
    path = tmp_path / "test.po"
    path.write_text(catalog_update.text_of(catalog), encoding="utf-8")
    return path


def findings(path: Path) -> list[str]:
    return [
        found.message for found in catalog_check.check(path, MESSAGES, languages.localizer_for("de").table, path.name)
    ]


def test_an_article_in_a_noun_stands_in_brackets() -> None:
    text = templates.messages([library.load("wild-cards/2022")])
    leader = next(message for message in text if message.context == "pieces.leader")
    french = languages.localizer_for("fr").table
    assert not [*text_errors("chef [du] {species} [m]", leader, french)]
    (wrong,) = text_errors("chef du {species} [m]", leader, french)
    assert "'du' before {species} stays as it is" in str(wrong[0])


def test_a_valid_catalog_has_no_mistakes(tmp_path: Path) -> None:
    path = language_folder(tmp_path)
    assert not findings(path)
    assert catalogs.load(path, "de").entries["words.beast.ox", "ox"] == ("Ochse [m]", "Ochsen")


@pytest.mark.parametrize(
    ("ox", "sentence", "text"),
    [
        ("Ochse", "{seat} nimmt [den] {beast}.", "needs its gender"),
        ("Ochse [q]", "{seat} nimmt [den] {beast}.", "'q' is no grammar here"),
        ("Ochse [m; akk=Ochsen]", "{seat} nimmt [den] {beast}.", "'akk=Ochsen' is no grammar"),
        ("Ochse [m]", "{seat} nimmt den Ochsen.", "The slot {beast} is missing."),
        ("Ochse [m]", "{seat} nimmt [den] {beest}.", "There is no slot {beest} here"),
        ("Ochse [m]", "{seat} nimmt [dne] {beast}.", "'[dne]' is no article"),
        ("Ochse [m]", "{seat} [nimmt|a|b|c|d] {beast}.", "has 5 forms; expected 2 to 4"),
        ("Ochse [m]", "{seat} nimmt {beast", "cannot be read"),
        ("Ochse [m]", "{seat} nimmt [nothing=nichts|{beest}].", "There is no slot {beest} here"),
        ("Ochse [m]", "{seat} nimmt [beast: noting=nichts|[den] {beast}].", "words do not agree by 'noting'"),
        ("Ochse [m]", "[beast: nothing=nichts|{seat} [nimmt|a|b|c|d] {beast}].", "has 5 forms; expected 2 to 4"),
        ("", "{seat} nimmt [den] {beast}.", "Expected 2 plural forms, found 1."),
        ("Ochse [m]", "", "Not translated"),
    ],
)
def test_mistakes_of_a_catalog_are_reported(tmp_path: Path, ox: str, sentence: str, text: str) -> None:
    assert any(text in message for message in findings(language_folder(tmp_path, ox, sentence)))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda data: data.replace(b"msgctxt", b"msgctxx"), "syntax is wrong"),
        (lambda data: data.replace(b"nimmt", b"nimmt\xff"), "not written in UTF-8"),
        (lambda data: data + b"x" * 6_000_000, "larger than"),
        (lambda data: data.replace(b"nplurals=2", b"nplurals=3"), "plural forms"),
        (lambda data: data.replace(b'\nmsgctxt "x.log"', b'\n#, fuzzy\nmsgctxt "x.log"'), "Marked as fuzzy"),
        (lambda data: data.replace(b"took the", b"stole the"), "No such text is left"),
    ],
)
def test_broken_catalogs_are_reported_and_stop_no_game(
    tmp_path: Path, change: Callable[[bytes], bytes], text: str
) -> None:
    path = language_folder(tmp_path)
    path.write_bytes(change(path.read_bytes()))
    assert any(text in message for message in findings(path))
    catalogs.load(path, "de")


def test_updating_keeps_what_is_translated(tmp_path: Path) -> None:
    old = po_files.read(language_folder(tmp_path), "de")
    changed = [
        MESSAGES[0],
        CatalogMessage("x.log", "{seat} now has the {beast}.", "", "log"),
        CatalogMessage("y.log", "New.", "", "log"),
    ]
    text = catalog_update.text_of(catalog_update.update(changed, old, "de", "test"))
    assert "Ochse [m]" in text
    assert '#| msgid "{seat} took the {beast}."' in text and "#, fuzzy" in text
    assert text.index("words.beast.ox") < text.index("x.log") < text.index("y.log")


def test_updating_does_not_confuse_texts(tmp_path: Path) -> None:
    """Many texts of the interface share a context: only one much like the old one is that one changed."""
    catalog = catalog_update.update(
        [CatalogMessage("errors", text, "", "log") for text in ("A file is lost.", "Ten.")], None, "de", "x"
    )
    for text, translated in (("A file is lost.", "Eine Datei fehlt."), ("Ten.", "Zehn.")):
        entry(catalog, text, "errors").string = translated
    changed = [CatalogMessage("errors", text, "", "log") for text in ("Nobody is here.", "A file was lost.")]
    after = catalog_update.update(changed, catalog, "de", "x")
    nobody, lost = after.get("Nobody is here.", "errors"), after.get("A file was lost.", "errors")
    assert nobody is not None and lost is not None
    assert not nobody.string and not nobody.fuzzy
    assert lost.string == "Eine Datei fehlt." and lost.fuzzy


@pytest.mark.rotating(2)
def test_comments_and_plurals_are_english() -> None:
    comments = " ".join(
        comment for domain in ("wild-cards", "wildlife") for m in messages_of(domain) for comment in m.comments
    )
    assert not re.search(r"\b[Aa] [aeio]\w+", comments) and re.search(r"\b[Aa]n (area|ability)", comments)
    many = {message.one: message.many for domain in ("wild-cards", "wildlife") for message in messages_of(domain)}
    assert (many["mountains"], many["ibex"], many["bear"]) == ("mountains", "ibexes", "bears")


def test_choices_are_explained_in_every_language() -> None:
    rules = library.load("wildlife/2002")
    option = next(option for option in rules.edition.options.values() if option.choice_texts)
    seats = read_seats("you,random,random", rules.edition)
    for language in ("en", *(language for name, language in TRANSLATED if name == rules.name)):
        out = io.StringIO()
        console = Console(io.StringIO("\n"), out, "never", languages.localizer_for(language))
        menu.choose_options(console, rules, seats)
        for choice in option.choice_texts:
            text = games(rules.name)[0].rule_texts.rule(f"options.{option.name}.choices.{choice}", 0, language)
            assert text and text.replace("’", "'") in " ".join(out.getvalue().split())


@pytest.mark.rotating(3)
def test_a_variants_own_catalog_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "rulewright: 1\nextends: wild-cards/2022\nedition: mine\nchange: {phases: {place bids: {title: Make bids}}}\n",
        encoding="utf-8",
    )
    (tmp_path / "mine.de.po").write_text(
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgctxt "phases.place bids.title"\nmsgid "Make bids"\nmsgstr "Bieten"\n',
        encoding="utf-8",
    )
    game = Game.start(library.load(str(path)), ["Ada", "Ben", "Cora"], seed=1)
    lines = [line.text for line in game.log.lines(None, language="de")]
    assert "Bieten" in lines and any("mit dem Talisman" in line for line in lines)


# ── at the table ──

UNCHANGED = (
    r"and|nobody|pace|xx|Ada|Ben|Cora|Leo|play|seats|resume|rulewright|undo|table|save|lang|quit|log|help|en|de|fr|it|nl|FILE|"
    r"CODE|NAME"
)


@pytest.mark.rotating(4)
@pytest.mark.parametrize("answers", ["?\n? *\nhelp\ntable\nlog\n99\nnobody\nlang xx\nundo\nsave\n", ""])
def test_whole_game_in_the_pseudo_locale(answers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts shown have accents, so all were translated."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    rules = library.load("wild-cards/2022")
    seats = read_seats("you,leo,random", rules.edition)
    session = Session.start(rules, seats, seed=2, language=languages.PSEUDO)
    out = io.StringIO()
    typed = io.StringIO(answers + "1\n\ny\n2\n1 2\n1 2 3\n" * 600)
    console = Console(typed, out, "never", session.game.localizer(languages.PSEUDO))
    play_loop.play(session, console)
    assert session.game.over
    text = re.sub(r"(?m)^(.*> ).*$", r"\1", out.getvalue())  # without what was typed
    text = re.sub(rf"\b({UNCHANGED})\b|'/\S*|\(random\)", "", text)
    assert "Plåcé" in text
    assert not re.findall(r".*[AEIOUaeiou].*", text)


# What is typed as it is, whatever language is spoken.
TYPED = """
    rulewright play learn replay analyse serve editions check format test simulate report compare tune diff explain new
    rulebook cards locale schema language server design pack unpack train data
    auto always never en de nl it fr you random greedy easy medium hard best search person bot Dask Leo Prometheus
"""


def plain_words(text: str) -> list[str]:
    """The words without an accent, of those that are neither typed as they are nor quoted."""
    text = re.sub(
        r"(?<!\w)'[^']*'|--?[a-z][\w-]*(=\w+)?|\b[A-Z]+\b|\{[^}]*\}|/\S+|\S+\.(yaml|html|json|md)\b", "", text
    )
    edition = library.load("wild-cards/2022").edition
    editions = re.findall("[a-z]+", " ".join(library.available()))
    known = " ".join([TYPED, *editions, *edition.options, *edition.figures]).casefold().split()
    words = re.findall(r"[^\W\d_]+", text)
    return [word for word in words if re.search("[AEIOUaeiou]", word) and word.casefold() not in known]


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "--help",
            "play --help",
            "learn --help",
            "replay --help",
            "editions --help",
            "simulate --help",
            "compare --help",
        ),
        *(
            "report --help",
            "",
            "plya",
            "--verison",
            "play --seat you",
            "play 2022 2020",
            "play --seed",
            "play --seed x",
        ),
        *(
            "play --color pink",
            "play --color=",
            "replay",
            "learn 2022 99",
            "learn 2022 nothing",
            "play 2022 --edition 2022",
            "play 2021",
            "play nowhere.yaml",
        ),
        *("play 2022 --option x", "play 2022 --seats you,you", "play 2022 --seats a,b,c,d,e,f", "play --resume"),
        *("play --resume x --seats you", "play --resume nowhere.json", "replay README.md", "play 2022 --seats you,bot"),
        *("play 2022 --seats you,Ann:rando", "play 2022 --seats you,,a", "play 2022 --seats search-0ms,a,b", "play -x"),
        *("play 2022 --seats search-x,a,b", "play 2022 --seats greedy-1,a,b", "play 2022 --seats you,:random"),
        *("play 2022 --seats random,random,leo,leo", "simulate", "simulate 2022 --games 0", "simulate 2022 --games x"),
        *("simulate 2022 --seats you,a,b", "simulate 2022 --seats search-5ms,random,random", "report nowhere"),
        *(
            "simulate 2022 --option x=1",
            "compare nowhere.yaml nowhere.yaml",
            "compare --out",
            "simulate 2022 --quiet=3",
        ),
        *("simulate 2022 --out README.md", "simulate 2022 --out tests", "report tests", "play wild"),
    ],
)
def test_commands_in_the_pseudo_locale(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Help and errors of the commands of players: nothing is said in English."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(PACKAGE.parents[1])
    monkeypatch.setattr("rulewright.commands.runner.environment_language", lambda _: languages.PSEUDO)
    monkeypatch.setattr(languages, "environment_language", lambda _: languages.PSEUDO)
    cli.main(typed.split())
    out, err = capsys.readouterr()
    assert re.search("[åéîöûý]", out + err)
    assert not plain_words(out + err), out + err


@pytest.mark.parametrize("name", ["wild-cards/2022", "wildlife/2002"])
def test_menus_in_the_pseudo_locale(name: str) -> None:
    rules, out = library.load(name), io.StringIO()
    console = Console(
        io.StringIO("9\n1\n99\n\n?\n\n99\n1\n\n"), out, "never", languages.localizer_for(languages.PSEUDO)
    )
    assert menu.choose_edition(console, list(library.available()), {}) in library.available()
    seats = menu.choose_seats(console, rules.edition)
    with contextlib.suppress(EndOfInput):
        menu.choose_options(console, rules, seats)
    assert "Ôptîöns" in out.getvalue() or "Öptîöns" in out.getvalue()
    assert not plain_words(re.sub(r"> .*", "", out.getvalue())), out.getvalue()


@pytest.mark.rotating(2)
def test_editions_and_simulations_in_a_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rulewright.simulation.report.write_report", lambda report, _: report.folder / "report.html")
    assert cli.main(["editions", "--lang", "it"]) == 0
    assert capsys.readouterr().out.split()[:5] == ["NOME", "TITOLO", "GIOCATORI", "POSTI", "OPZIONI"]
    assert cli.main(["simulate", "2022", "--games", "20", "--lang", "de", "--out", "run"]) == 0
    out, err = capsys.readouterr()
    assert re.search(
        r"20 Partien mit \d+,\d Runden; .* enden mit einem geteilten Sieg Platz 1 \(random\): gewinnt \d+,\d % \(",
        out.replace("\n  ", " "),
    )
    assert err.splitlines()[-1] == "20 von 20 Partien"


def at_terminal(name: str, seats: str, language: str, typed: str, monkeypatch: pytest.MonkeyPatch, state: Path) -> str:
    """Return the screen while somebody types."""
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    rules, out = library.load(name), io.StringIO()
    session = Session.start(rules, read_seats(seats, rules.edition), seed=1, language=language)
    play_loop.play(session, Console(io.StringIO(typed), out, "never", session.game.localizer(language)))
    return out.getvalue()


@pytest.mark.rotating(3)
def test_formerly_english_texts_of_the_terminal_are_translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = "you,random"
    text = at_terminal("wildlife/2002", seats, "de", "? alle\n?\nhelp\n", monkeypatch, tmp_path)
    assert "Vom Computer gespielt (zufällig): " in text
    assert "Adler“?" not in text and re.search(r"(?m)^Fähigkeiten: ", text)  # '? alle' lists the names
    assert "\nInsel besiedeln: " in text and "\nFähigkeitskärtchen: " in text  # what the set-up has text introduces
    assert "save [DATEI]" in text and "? NAME" in text and "lang KÜRZEL" in text
    assert "W Großer Wald 0/9" in text and "ü Kleine Wüste" in text


@pytest.mark.rotating(5)
def test_options_are_named_in_the_readers_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert cli.main(["editions", "--lang", "de"]) == 0
    assert "kein Bluff" in capsys.readouterr().out
    starts = ["play", "2022", "--lang", "de", "--seats", "random,random,random", "--save", str(tmp_path / "a.json")]
    for option in ("kein-Bluff", "no-bluffing", "kein Bluff=ja"):
        assert cli.main([*starts, "--option", option]) == 0
        (tmp_path / "a.json").unlink()
    capsys.readouterr()
    assert cli.main([*starts, "--option", "kein Bluf"]) == 2
    assert "Meintest du „kein Bluff“?" in capsys.readouterr().err


def test_saved_games_are_listed_with_their_date() -> None:
    texts = {
        language: languages.localizer_for(language).date_and_time(1_700_000_000)
        for language in ("en", "de", "nl", "it")
    }
    assert re.fullmatch(r"1[45]\.11\.23, \d\d:\d\d", texts["de"])
    assert len(set(texts.values())) == 4


def test_each_seat_reads_its_own_language() -> None:
    rules = library.load("wild-cards/2022")
    seats = read_seats("anna:it,ben:nl,carl:de,you", rules.edition)
    session = Session.start(rules, seats, seed=1)
    assert session.languages == ["it", "nl", "de", "en"]
    prompts = {d.prompt for seat in range(4) for d in session.game.decisions(session.languages[seat]) if d.seat == seat}
    assert prompts == {
        "Metti giù la tua offerta coperta.",
        "Leg je bod gedekt neer.",
        "Lege dein Gebot verdeckt vor dich.",
        "Place your bid face down.",
    }


def test_keys_of_answers_are_the_same_in_every_language() -> None:
    game = games("wild-cards/2022")[0]
    english = game.decisions()
    for language in OTHERS:
        other = game.decisions(language)
        assert [[c.key for c in d.choices] for d in other] == [[c.key for c in d.choices] for d in english]
        assert [[c.label for c in d.choices] for d in other] != [[c.label for c in d.choices] for d in english]


def test_languages_of_seats() -> None:
    edition = library.load("wild-cards/2022").edition
    seats = read_seats("you:de,Ann:random:it,leo", edition)
    assert [(seat.name, seat.player, seat.language) for seat in seats] == [
        ("You", "person", "de"),
        ("Ann", "random", "it"),
        ("Leo", "random", ""),
    ]
    with pytest.raises(SeatingError, match="no language 'xx'"):
        read_seats("you:xx", edition)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "de_CH"}, "de"),
        ({"LC_MESSAGES": "nl", "LANG": "de"}, "nl"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_language_of_the_system(environment: dict[str, str], language: str) -> None:
    assert languages.environment_language(environment) == language
