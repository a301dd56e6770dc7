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
from starlette.routing import BaseRoute, Route

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
from rulewright.workbench.book.book_requests import book_process_of, rules_of
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, json_handler, read
from rulewright.workbench.core.workspace import BenchError

MOST_AT_ONCE = 2000
MOST_KEPT = 4
"""Maximum number of editions whose texts are cached."""
MOST_READ = 4
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

_GivenText = Annotated[str, Meta(max_length=10_000)]


class _TypedTranslation(Struct, frozen=True, forbid_unknown_fields=True):
    """Translation as typed."""

    context: _GivenText
    one: _GivenText
    texts: Annotated[list[_GivenText], Meta(min_length=1, max_length=8)]


class _TypedTranslations(Struct, frozen=True, forbid_unknown_fields=True):
    all: Annotated[list[_TypedTranslation], Meta(min_length=1, max_length=MOST_AT_ONCE)]


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
    return own_examples.lines[:MOST_READ]


def _shipped_translations(language: str) -> KnownTexts:
    """Return the translations of the shipped catalogs."""
    domains = dict.fromkeys(name.partition("/")[0] for name in available())
    return catalog_editing.known_texts(
        catalogs.load(languages.catalog(language, domain), language) for domain in domains
    )


@lru_cache(maxsize=2)
def _game(rules: Rules) -> Game:
    """Return a game with as many players as possible."""
    return next(templates.games(rules))


def routes(bench: Bench) -> list[BaseRoute]:
    writing, reading = Lock(), Lock()
    texts: OrderedDict[str, tuple[Rules, Sequence[CatalogMessage]]] = OrderedDict()

    def messages_of(name: str) -> Sequence[CatalogMessage]:
        """List an edition's texts. Raises BenchError, BookProcessEnded."""
        rules = rules_of(bench, name)
        with reading:
            if name not in texts or texts[name][0] is not rules:
                texts[name] = rules, book_process_of(bench).run(book_process.texts, rules)
                while len(texts) > MOST_KEPT:
                    texts.popitem(last=False)
            return texts[name][1]

    def listed(request: Request, _: Any) -> object:
        """Send all texts of an edition with their translations."""
        name, language = file(request), _language(request)
        messages = messages_of(name)
        fields = {"language": language, "catalog": catalog_name(name, language), "begun": languages_with_catalog(name)}
        try:
            catalog_text = catalog(name, language)
        except CatalogError as error:
            return fields | {"texts": [], "trouble": str(error), "line": error.line}
        rows = [*translations(name, language, messages, catalog_text)]
        return fields | {"texts": rows, "trouble": "", "line": 0}

    def written(request: Request, body: Any) -> object:
        """Store typed translations; send their new state."""
        name, language, typed = file(request), _language(request), read(_TypedTranslations, body).all
        messages = messages_of(name)
        keys = {(message.context, message.one) for message in messages}
        if not {(one.context, one.one) for one in typed} <= keys:
            raise _text_is_missing()
        with writing:
            text = catalog_editing.with_translations(
                messages,
                _readable(name, language),
                language,
                PurePosixPath(name).stem,
                {(one.context, one.one): _plain(one) for one in typed},
            )
            bench.replace(catalog_name(name, language), text)
        changed_texts = [message for message in messages if (message.context, message.one) in _keys(typed)]
        return {"texts": [*translations(name, language, changed_texts, catalog(name, language))]}

    def checked(request: Request, body: Any) -> object:
        """Send the errors of a translation, and sentences as players read them."""
        name, language, typed = file(request), _language(request), read(_TypedTranslation, body)
        message = next((it for it in messages_of(name) if (it.context, it.one) == (typed.context, typed.one)), None)
        if message is None:
            raise _text_is_missing()
        messages = _readable(name, language)
        plurals = po_files.number_of_forms(messages, language)
        wrong = list(
            catalog_check.translation_errors(
                tuple(typed.texts), message, languages.localizer_for(language).table, plurals
            )
        )
        texts = po_files.in_language_forms(typed.texts, messages, language)
        sentences = [] if wrong else example_sentences(_game(rules_of(bench, name)), message, texts, language)
        return {"wrong": wrong, "said": sentences}

    def translations(
        name: str, language: str, messages: Sequence[CatalogMessage], catalog_texts: PoMessages | None
    ) -> Iterator[TranslatedText]:
        table = languages.localizer_for(language).table
        return catalog_editing.translations(
            messages, catalog_texts, table, _shipped_translations(language), PurePosixPath(name).name
        )

    def catalog(name: str, language: str) -> PoMessages | None:
        """Return the catalog's messages; None without a catalog. Raises CatalogError, BenchError."""
        file = catalog_name(name, language)
        return po_files.parse(bench.text(file), language) if bench.is_there(file) else None

    def _readable(name: str, language: str) -> PoMessages | None:
        """Return the catalog's messages; None without a catalog. Raises BenchError, also for an unreadable one."""
        try:
            return catalog(name, language)
        except CatalogError as error:
            message = phrase("errors", "The catalog cannot be read: {why}. Nothing has changed.", why=str(error))
            raise BenchError(message) from None

    def languages_with_catalog(name: str) -> list[str]:
        """List the languages in which an edition has a catalog."""
        return [language for language in targets() if bench.is_there(catalog_name(name, language))]

    return [
        Route("/api/texts", json_handler(listed)),
        Route("/api/texts/write", json_handler(written), methods=["POST"]),
        Route("/api/texts/check", json_handler(checked), methods=["POST"]),
    ]


def _language(request: Request) -> str:
    """Return the requested language. Raises BenchError."""
    found = request.query_params.get("to", "")
    if found not in targets():
        raise BenchError(phrase("errors", "There is no such language."))
    return found


def _keys(typed: Sequence[_TypedTranslation]) -> set[tuple[str, str]]:
    return {(one.context, one.one) for one in typed}


def _plain(typed: _TypedTranslation) -> list[str]:
    """Strip blanks, and line breaks where the English text has none."""
    texts = typed.texts if "\n" in typed.one else [" ".join(text.splitlines()) for text in typed.texts]
    return [text.strip(" \t") for text in texts]


def _text_is_missing() -> BenchError:
    return BenchError(phrase("errors", "This text is not there any more. Look again."))
