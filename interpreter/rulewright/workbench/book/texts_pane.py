"""Pane 'Texts': translations of an edition's texts, written into the catalog beside it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from threading import Lock
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.routing import BaseRoute

from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n import catalog_check, catalog_editing, catalogs, languages, po_files
from rulewright.i18n.catalog_editing import KnownTexts, TranslatedText
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.i18n.po_files import CatalogError, PoMessages
from rulewright.model.editions import available
from rulewright.publish import templates
from rulewright.workbench.book import book_process
from rulewright.workbench.book.book_requests import book_process_of
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, post, read
from rulewright.workbench.core.json_handlers import language as reader_language
from rulewright.workbench.core.workspace import BenchError

MAX_TRANSLATIONS = 2000
"""Maximum number of translations in a request."""
MAX_CACHED_EDITIONS = 4
"""Maximum number of editions whose texts are cached."""
MAX_EXAMPLE_SENTENCES = 4
"""Maximum number of example sentences shown to a translator."""

WORDS: Mapping[str, Phrase] = {
    "texts": phrase("design", "Texts"),
    "texts told": phrase("design", "What players read, in their language. Enter keeps a text and goes to the next."),
    "texts language": phrase("design", "Translate to"),
    # For translators: Behind the name of a language.
    "texts begun": phrase("design", "{language} (begun)"),
    "texts shown": phrase("design", "Show"),
    "texts missing": phrase("design", "Not translated ({count})"),
    "texts look": phrase("design", "To look at ({count})"),
    "texts done": phrase("design", "All ({count})"),
    "texts seek": phrase("design", "Look for"),
    "texts more": phrase("design", "Show more"),
    "texts none": phrase("design", "Nothing is left here."),
    "texts none at all": phrase("design", "All that this game says stands in the editions that it extends."),
    "texts known": phrase("design", "Take: {text}"),
    "texts all known": phrase("design", "Take all known translations ({count})"),
    "texts reads": phrase("design", "Players read:"),
    "texts former": phrase("design", "It was made for: {text}"),
    "texts right": phrase("design", "It is right as it is"),
    "texts slot": phrase("design", "Insert {slot}"),
    "texts form": phrase("design", "{text}, form {number}"),
    "texts broken": phrase("design", "The catalog cannot be read, so nothing is written there. Mend this first:"),
    "texts place": phrase("design", "Show where it stands"),
    "texts reading": phrase("design", "Looking for texts …"),
    "texts other": phrase(
        "design", "A language that is not in this list needs a grammar first: the page 'Translating' tells how."
    ),
}
"""Phrases of the page by the names that its code has for them."""

_TypedText = Annotated[str, Meta(max_length=10_000)]
"""Text from the page, at most 10,000 characters."""


class _TypedTranslation(Struct, frozen=True, forbid_unknown_fields=True):
    """Translation as typed."""

    context: _TypedText
    one: _TypedText
    texts: Annotated[list[_TypedText], Meta(min_length=1, max_length=8)]


class _TypedTranslations(Struct, frozen=True, forbid_unknown_fields=True):
    """Translations that are written at once."""

    all: Annotated[list[_TypedTranslation], Meta(min_length=1, max_length=MAX_TRANSLATIONS)]


def targets() -> list[str]:
    """List the languages that an edition can be translated to."""
    return [language for language in languages.languages() if language != ENGLISH]


def catalog_name(name: str, language: str) -> str:
    """Return the file name of an edition's catalog, which lies beside it."""
    folder, slash, file = name.rpartition("/")
    return f"{folder}{slash}{file.rpartition('.')[0]}.{language}.po"


def example_sentences(game: Game, message: CatalogMessage, texts: Sequence[str], language: str) -> list[str]:
    """Return example sentences with a translation, as players read them; none for texts without a rule, or if it does
    not fit."""
    if not all(texts):
        return []
    localizer = game.localizer(language).with_catalogs([Catalog({(message.context, message.one): tuple(texts)})])
    examples = templates.examples(game, localizer, message.context)
    own_examples = examples.get(message.context)
    if own_examples is None or (message.context, message.one) in own_examples.missed:
        return []
    return own_examples.lines[:MAX_EXAMPLE_SENTENCES]


def _shipped_translations(language: str) -> KnownTexts:
    """Return the translations of the shipped catalogs."""
    domains = dict.fromkeys(name.partition("/")[0] for name in available())
    return catalog_editing.known_texts(
        catalogs.load(languages.catalog_path(language, domain), language) for domain in domains
    )


@lru_cache(maxsize=2)
def _game(rules: Rules) -> Game:
    """Return a game with as many players as possible."""
    return next(templates.games(rules))


class _TextsPane:
    """Handlers of the pane. An edition's texts are collected once and kept until its rules change."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._writing, self._reading = Lock(), Lock()
        self._texts: OrderedDict[str, tuple[Rules, Sequence[CatalogMessage]]] = OrderedDict()

    def list_texts(self, request: Request, _: Any) -> object:
        """Send all texts of an edition with their translations."""
        name, language = file(request), _language(request)
        messages = self._messages(name)
        fields = {
            "language": language,
            "catalog": catalog_name(name, language),
            "begun": [other for other in targets() if self._bench.is_there(catalog_name(name, other))],
        }
        try:
            catalog = self._catalog(name, language)
        except CatalogError as error:
            return fields | {"texts": [], "trouble": str(error), "line": error.line}
        rows = [*_translations(name, language, messages, catalog)]
        return fields | {"texts": rows, "trouble": "", "line": 0}

    def write(self, request: Request, body: Any) -> object:
        """Store typed translations; send their new state."""
        name, language, typed = file(request), _language(request), read(_TypedTranslations, body).all
        messages = self._messages(name)
        typed_texts = {(one.context, one.one): _plain(one) for one in typed}
        if not typed_texts.keys() <= {(message.context, message.one) for message in messages}:
            raise _text_is_missing()
        with self._writing:
            catalog, stem = self._readable_catalog(name, language), PurePosixPath(name).stem
            text = catalog_editing.with_translations(messages, catalog, language, stem, typed_texts)
            self._bench.replace(catalog_name(name, language), text)
        changed = [message for message in messages if (message.context, message.one) in typed_texts]
        return {"texts": [*_translations(name, language, changed, self._catalog(name, language))]}

    def check(self, request: Request, body: Any) -> object:
        """Send the errors of a translation, and sentences as players read them."""
        name, language, typed = file(request), _language(request), read(_TypedTranslation, body)
        same = (it for it in self._messages(name) if (it.context, it.one) == (typed.context, typed.one))
        message = next(same, None)
        if message is None:
            raise _text_is_missing()
        catalog, table = self._readable_catalog(name, language), languages.localizer_for(language).table
        plurals = po_files.number_of_forms(catalog, language)
        translate = languages.diagnostic_translator(reader_language(request))
        errors = catalog_check.translation_errors(tuple(typed.texts), message, table, plurals)
        wrong = [" ".join(each.render(translate) for each in error) for error in errors]
        texts = po_files.in_language_forms(typed.texts, catalog, language)
        rules = self._bench.rules(name)
        return {"wrong": wrong, "said": [] if wrong else example_sentences(_game(rules), message, texts, language)}

    def _messages(self, name: str) -> Sequence[CatalogMessage]:
        """List an edition's texts. Raises BenchError, BookProcessEnded."""
        rules = self._bench.rules(name)
        with self._reading:
            if name not in self._texts or self._texts[name][0] is not rules:
                self._texts[name] = rules, book_process_of(self._bench).run(book_process.texts, rules)
                while len(self._texts) > MAX_CACHED_EDITIONS:
                    self._texts.popitem(last=False)
            return self._texts[name][1]

    def _catalog(self, name: str, language: str) -> PoMessages | None:
        """Return the catalog's messages; None without a catalog. Raises CatalogError, BenchError."""
        file = catalog_name(name, language)
        return po_files.parse(self._bench.text(file), language) if self._bench.is_there(file) else None

    def _readable_catalog(self, name: str, language: str) -> PoMessages | None:
        """Return the catalog's messages; None without a catalog. Raises BenchError, also for an unreadable one."""
        try:
            return self._catalog(name, language)
        except CatalogError as error:
            message = phrase("errors", "The catalog cannot be read: {why}. Nothing has changed.", why=str(error))
            raise BenchError(message) from None


def routes(bench: Bench) -> list[BaseRoute]:
    """Return the routes of the pane of texts."""
    pane = _TextsPane(bench)
    return [
        get("/api/texts", pane.list_texts),
        post("/api/texts/write", pane.write),
        post("/api/texts/check", pane.check),
    ]


def _translations(
    name: str, language: str, messages: Sequence[CatalogMessage], catalog: PoMessages | None
) -> Iterator[TranslatedText]:
    table, shipped = languages.localizer_for(language).table, _shipped_translations(language)
    return catalog_editing.translations(messages, catalog, table, shipped, PurePosixPath(name).name)


def _language(request: Request) -> str:
    """Return the requested language. Raises BenchError."""
    code = request.query_params.get("to", "")
    if code not in targets():
        raise BenchError(phrase("errors", "There is no such language."))
    return code


def _plain(typed: _TypedTranslation) -> list[str]:
    """Strip blanks, and line breaks where the English text has none."""
    texts = typed.texts if "\n" in typed.one else [" ".join(text.splitlines()) for text in typed.texts]
    return [text.strip(" \t") for text in texts]


def _text_is_missing() -> BenchError:
    return BenchError(phrase("errors", "This text is not there any more. Look again."))
