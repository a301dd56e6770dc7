"""Sentences in every language: articles and agreement, broken catalogs, every text with all that fits in it."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

import pytest

from rulewright import library, locale_commands, templates
from rulewright.diagnostics import Report
from rulewright.frontends import terminal
from rulewright.frontends.console import Console
from rulewright.game import Game
from rulewright.languages import catalogs, checking, extraction, grammar, speech, updating
from rulewright.languages.catalogs import Catalog
from rulewright.languages.patterns import Agreement, PatternError, Slot, parts
from rulewright.languages.speech import Either, Person, Phrase, Speech, Term, phrase
from rulewright.languages.updating import TERMS, Message
from rulewright.seating import SeatingError, read_seats
from rulewright.session import Session

PACKAGE = Path(library.__file__).parent
OTHERS = ["de", "nl", "it"]


# ── sentences ──


def speaking(language: str, **texts: str | tuple[str, str]) -> Speech:
    """A language with a few texts: of context 'x', each by its English text."""
    entries = {("x", one): (text,) if isinstance(text, str) else text for one, text in texts.items()}
    base = speech.speech(language)
    return Speech(base.table, (Catalog(entries), *base.catalogs))


ANIMALS = {
    "de": {
        "ox": ("Ochse [m; acc=Ochsen; dat=Ochsen; gen=Ochsen]", "Ochsen"),
        "otter": ("Otter [m]", "Otter [dat=Ottern]"),
        "cow": ("Kuh [f]", "Kühe [dat=Kühen]"),
        "sheep": ("Schaf [n; gen=Schafs]", "Schafe [dat=Schafen]"),
    },
    "nl": {
        "ox": ("os [c]", "ossen"),
        "otter": ("otter [c]", "otters"),
        "cow": ("koe [c]", "koeien"),
        "sheep": ("schaap [n]", "schapen"),
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
SAID = [
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
    ("it", "[al] {what}", ADA, "a Ada"),
    ("it", "[il] {what}", (animal("sheep"), animal("otter"), animal("ox")), "lo struzzo, la lontra e il bue"),
    ("en", "[a] {what}", Term("", "ox", "oxen"), "an ox"),
    ("en", "[a] {what}", Term("", "unicorn", "unicorns"), "a unicorn"),
    ("en", "{what}", (Term("", "ox", "oxen", (), 2),), "2 oxen"),
    ("en", "[the] {what}", Term("", "ox", "oxen", (), 2), "the 2 oxen"),
    ("en", "{what}", Term("", "red 2", "red 2", (), 2), "2 × red 2"),
    ("en", "[the] {what}", Term("", "red 2", "red 2"), "red 2"),
    ("en", "what stands in [brackets] {what}", 3, "what stands in [brackets] 3"),
]


@pytest.mark.parametrize(("language", "text", "what", "expected"), SAID)
def test_what_is_said(language: str, text: str, what: speech.Argument, expected: str) -> None:
    said = speaking(language, **{"{what}": text}, **ANIMALS.get(language, {}))
    assert said.say(Phrase("x", "{what}", (("what", what),))) == expected
    assert not said.missed


@pytest.mark.parametrize(
    "text",
    ["{what", "what}", "{}", "{other}", "[dme] {what}", "", "x" * 20_000, "{what.__class__} {what}", "{what:>99}"],
)
def test_what_does_not_fit_is_said_in_english(text: str) -> None:
    said = speaking("de", **{"{what} goes": text}, **ANIMALS["de"])
    assert said.say(Phrase("x", "{what} goes", (("what", Term("x", "ox", "oxen")),))) == "ox goes"
    assert said.missed


def test_noun_that_no_catalog_has_is_said_in_english() -> None:
    said = speaking("it")
    assert said.say(Term("x", "crate", "crates")) == "crate"
    assert said.say((Term("x", "crate", "crates", count=2), 7)) == "2 crates and 7"
    assert said.missed


def test_noun_without_gender_takes_the_whole_sentence_to_english() -> None:
    said = speaking("de", **{"the {what}": "[der] {what}"}, ox=("Ochse", "Ochsen"))
    assert said.say(Phrase("x", "the {what}", (("what", animal("ox")),))) == "the ox"


def test_names_are_never_read_as_sentences() -> None:
    said = speaking("de", **{"{what}": "{what}"})
    for odd in ("{what}", "[der] {x}", "%s", "[a|b]", "{0.__class__}"):
        assert said.say(Phrase("x", "{what}", (("what", Person(odd)),))) == odd


def test_parts_of_a_pattern() -> None:
    assert parts("{a} [x|y] takes [the] {b  c}") == (
        Slot("a"),
        " ",
        Agreement(("x", "y"), "a"),
        " takes ",
        Slot("b c", "the"),
    )
    with pytest.raises(PatternError):
        parts("{a")
    (*_, named, _) = parts("{seat} takes {card} and [seat: wins|win].")
    assert named == Agreement(("wins", "win"), "seat")


# ── every text, in every language ──

# An independent table: the right article before each noun, without the grammar of the package.
GENDERS = {
    "de": {
        "der|den|dem|des|ein|einen": "Pfau Adler Steinbock Löwe Löwen Talisman",
        "das|dem|des|ein": "Eichhörnchen Erdmännchen",
        "die|der|eine": "Bonuskarte Nachziehkarte",
    },
    "nl": {
        "de|een": "pauw eekhoorn arend steenbok leeuw leiderkaart aanvulkaart talisman Expo",
        "het|een": "stokstaartje",
    },
    "it": {
        "il|del|al|dal|un": "pavone leone suricato Talismano",
        "lo|dello|allo|dallo|uno": "scoiattolo stambecco",
        "l’|dell’|all’|dall’|un’": "aquila",
        "la|della|alla|dalla|una": "carta",
    },
}
ARTICLES = {
    "de": "der die das den dem des ein eine einen einem einer eines",
    "nl": "de het een",
    "it": "il lo la i gli le del dello della dei degli delle al allo alla dal dallo dalla un uno una con",
}


def wrong_articles(language: str, line: str) -> list[str]:
    right = {(a, n) for forms, nouns in GENDERS[language].items() for a in forms.split("|") for n in nouns.split()}
    nouns = {noun for _, noun in right}
    found = re.findall(r"(\w+) (\w+)|(\w+’)(\w+)", line)
    pairs = [(a or b, c or d) for a, c, b, d in found]
    articles = {*ARTICLES[language].split(), "l’", "dell’", "all’", "dall’", "un’"}
    return [f"{a} {n}" for a, n in pairs if n in nouns and a.casefold() in articles and (a.casefold(), n) not in right]


def test_independent_table_finds_wrong_articles() -> None:
    assert wrong_articles("de", "Ada nimmt die Löwe.") and wrong_articles("it", "Ada prende il stambecco.")
    assert not wrong_articles("it", "Ada prende lo stambecco e l’aquila.")


@cache
def games(name: str) -> list[Game]:
    return list(locale_commands.games(library.load(name)))


@pytest.mark.parametrize("language", [*OTHERS, "en"])
@pytest.mark.parametrize("name", [name for name in library.available() if name.startswith("wild-cards")])
def test_every_text_with_all_that_fits_in_it(name: str, language: str) -> None:
    for game in games(name):
        said = game.speech(language)
        before = said.missed.copy()  # by others: English is one for all games
        lines = [line for told in templates.examples(game, said).values() for line in told]
        assert len(lines) > 100
        for line in lines:
            assert not re.search(r"[{}\[\]|]|  | [.,;:]|^\s|\s$", line), line
            if language in GENDERS:
                assert not wrong_articles(language, line), line
        assert said.missed == before


@pytest.mark.parametrize("language", OTHERS)
def test_catalogs_are_complete_and_without_mistakes(language: str) -> None:
    table = grammar.read(speech.folder(language) / "grammar.yaml", language, Report())
    assert table is not None
    editions = [library.load(name) for name in library.available() if name.startswith("wild-cards")]
    for domain, messages in (
        ("interface", extraction.interface(PACKAGE)),
        ("wild-cards", templates.messages(editions)),
    ):
        path = speech.catalog(language, domain)
        assert not checking.check(path, messages, table, domain)
        assert checking.percent(checking.coverage(path, messages, language).values()) == 100
        old = catalogs.read(path, language)
        assert updating.same(
            path.read_text("utf-8"), updating.text_of(updating.updated(messages, old, language, domain))
        )


# ── catalogs ──

MESSAGES = [
    Message("words.beast.ox", "ox", "oxen", TERMS, True),
    Message("x.log", "{seat} took the {beast}.", "", "log"),
]


def written(tmp_path: Path, ox: str = "Ochse [m]", sentence: str = "{seat} nimmt [den] {beast}.") -> Path:
    catalog = updating.updated(MESSAGES, None, "de", "test")
    catalog.get("ox", "words.beast.ox").string = (ox, "Ochsen")  # type: ignore[union-attr]
    catalog.get(MESSAGES[1].one, "x.log").string = sentence  # type: ignore[union-attr]
    path = tmp_path / "test.po"
    path.write_text(updating.text_of(catalog), encoding="utf-8")
    return path


def findings(path: Path) -> list[str]:
    return [found.message for found in checking.check(path, MESSAGES, speech.speech("de").table, path.name)]


def test_sound_catalog(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert not findings(path)
    assert catalogs.load(path, "de").entries["words.beast.ox", "ox"] == ("Ochse [m]", "Ochsen")


@pytest.mark.parametrize(
    ("ox", "sentence", "told"),
    [
        ("Ochse", "{seat} nimmt [den] {beast}.", "needs its gender"),
        ("Ochse [q]", "{seat} nimmt [den] {beast}.", "'q' is no grammar here"),
        ("Ochse [m; akk=Ochsen]", "{seat} nimmt [den] {beast}.", "'akk=Ochsen' is no grammar"),
        ("Ochse [m]", "{seat} nimmt den Ochsen.", "The slot {beast} is missing."),
        ("Ochse [m]", "{seat} nimmt [den] {beest}.", "There is no slot {beest} here"),
        ("Ochse [m]", "{seat} nimmt [dne] {beast}.", "'[dne]' is no article"),
        ("Ochse [m]", "{seat} [nimmt|a|b|c] {beast}.", "has 4 forms; expected 2 to 3"),
        ("Ochse [m]", "{seat} nimmt {beast", "cannot be read"),
        ("", "{seat} nimmt [den] {beast}.", "Expected 2 plural forms, found 1."),
        ("Ochse [m]", "", "Not translated"),
    ],
)
def test_mistakes_are_found(tmp_path: Path, ox: str, sentence: str, told: str) -> None:
    assert any(told in message for message in findings(written(tmp_path, ox, sentence)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda data: data.replace(b"msgctxt", b"msgctxx"), "syntax is wrong"),
        (lambda data: data.replace(b"nimmt", b"nimmt\xff"), "not written in UTF-8"),
        (lambda data: data + b"x" * 6_000_000, "larger than"),
        (lambda data: data.replace(b"nplurals=2", b"nplurals=3"), "plural forms"),
        (lambda data: data.replace(b'\nmsgctxt "x.log"', b'\n#, fuzzy\nmsgctxt "x.log"'), "Marked as fuzzy"),
        (lambda data: data.replace(b"took the", b"stole the"), "No such text is left"),
    ],
)
def test_broken_files_are_told_and_never_stop_a_game(tmp_path: Path, change: object, told: str) -> None:
    path = written(tmp_path)
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    assert any(told in message for message in findings(path))
    catalogs.load(path, "de")


def test_updating_keeps_what_is_translated(tmp_path: Path) -> None:
    old = catalogs.read(written(tmp_path), "de")
    changed = [
        MESSAGES[0],
        Message("x.log", "{seat} now has the {beast}.", "", "log"),
        Message("y.log", "New.", "", "log"),
    ]
    text = updating.text_of(updating.updated(changed, old, "de", "test"))
    assert "Ochse [m]" in text
    assert '#| msgid "{seat} took the {beast}."' in text and "#, fuzzy" in text
    assert text.index("words.beast.ox") < text.index("x.log") < text.index("y.log")


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
    lines = [line.text for line in game.log(None, language="de")]
    assert "Bieten" in lines and any("mit dem Talisman" in line for line in lines)


# ── at the table ──

KEPT = (
    r"and|nobody|xx|Ada|Ben|Cora|Leo|play|seats|resume|rulewright|undo|table|save|lang|quit|log|help|en|de|it|nl|FILE|"
    r"CODE|NAME"
)


@pytest.mark.parametrize("answers", ["?\n? *\nhelp\ntable\nlog\n99\nnobody\nlang xx\nundo\nsave\n", ""])
def test_whole_game_in_the_pseudo_locale(answers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is shown was translated: it has accents."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    rules = library.load("wild-cards/2022")
    seats = read_seats("you,leo,random", rules.edition)
    session = Session.start(rules, seats, seed=2, language=speech.PSEUDO)
    out = io.StringIO()
    typed = io.StringIO(answers + "1\n\ny\n2\n1 2\n1 2 3\n" * 600)
    console = Console(typed, out, "never", session.game.speech(speech.PSEUDO))
    terminal.play(session, console)
    assert session.game.over
    told = re.sub(r"(?m)^(.*> ).*$", r"\1", out.getvalue())  # without what was typed
    told = re.sub(rf"\b({KEPT})\b|'/\S*|\(random\)", "", told)
    assert "Plåcé" in told
    assert not re.findall(r".*[AEIOUaeiou].*", told)


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
    assert speech.of_environment(environment) == language
