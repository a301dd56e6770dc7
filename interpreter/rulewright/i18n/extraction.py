"""The template of the interface: every phrase that stands in the package's source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from babel.messages.extract import extract

from rulewright.i18n.updating import LOG, PROMPTS, RULES, SORTS, TERMS, CatalogMessage

_KEYWORDS = {"phrase": ((1, "c"), 2), "Term": ((1, "c"), 2, 3)}

_CONTEXTS: Mapping[str, tuple[str, str]] = {
    "answer": (TERMS, "An answer; its first letter is one too."),
    "argument": (TERMS, "Stands in a sentence where there is nothing or nobody to name."),
    "board": (TERMS, "The head of a column in a table of a board's spaces."),
    "choice": (PROMPTS, "Something to choose."),
    "count": (TERMS, "So many things. The blank may be one where no line breaks (U+00A0)."),
    "editions": (TERMS, "The head of a column, or an entry, in the list of games."),
    "errors": (RULES, "An error, or a part of one."),
    "form": (TERMS, "Only signs: how a language writes them, with a blank before a colon or not. They end nothing."),
    "heading": (TERMS, "The heading of a rule."),
    "help": (RULES, "Help on commands; the commands themselves stay as they are."),
    "log": (LOG, "A line of the log."),
    "menu": (PROMPTS, "A question before the game, or what is said to its answer."),
    "page": (PROMPTS, "On the page of a table in the browser: headings, buttons, short remarks."),
    "phase": (TERMS, "The title of what comes before the first phase."),
    "piece": (TERMS, "What the reader may not see, inserted like a piece's name."),
    "prompt": (PROMPTS, "Said to somebody who answers a question."),
    "pronoun": (TERMS, "Who reads, inserted like a player's name, but declined; a capital comes by itself."),
    "replay": (LOG, "Said of a game that is told again."),
    "rulebook": (RULES, "In a rulebook: mostly headings."),
    "rules": (RULES, "Said where rules are looked up."),
    "serving": (PROMPTS, "Said by the server of tables in the browser."),
    "simulation": (LOG, "Said of many games that the computer plays by itself."),
    "score": (LOG, "Said of the points."),
    "table": (TERMS, "On the table: short, it stands in narrow columns."),
    "terminal": (PROMPTS, "Said at the terminal."),
    "title": (TERMS, "A game's title with its edition."),
    "usage": (RULES, "Help on the command line; names of commands and options stay as they are."),
}


def interface(package: Path) -> list[CatalogMessage]:
    """The phrases in a package's files, terms first. Raises KeyError for a context that nothing is said of."""
    found: dict[tuple[str, str], CatalogMessage] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        with path.open("rb") as file:
            for _, texts, _, context in extract("python", file, _KEYWORDS, options={"encoding": "utf-8"}):
                if not context:  # a noun of an edition
                    continue
                one, many = (texts, "") if isinstance(texts, str) else (texts[0], texts[1])
                key = (context, one)
                before = found[key].places if key in found else ()
                sort, comment = _CONTEXTS[key[0]]
                inflected = key[0] in ("piece", "pronoun")
                found[key] = CatalogMessage(
                    *key, many, sort, inflected, (comment,), (*before, (name, 0)) if (name, 0) not in before else before
                )
    return sorted(found.values(), key=lambda message: SORTS.index(message.sort))
