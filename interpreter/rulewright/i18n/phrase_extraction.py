"""Extraction of the interface's phrases, and of templates of diagnostics, from the package's source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.base import cache, diagnostic_rules
from rulewright.i18n.catalog_update import LOG, PROMPTS, RULES, SORTS, TERMS, CatalogMessage
from rulewright.i18n.catalogs import DIAGNOSTIC
from rulewright.syntax import schema

_CALL = re.compile(r"\b(phrase|Term)\(")
"""Call of `phrase` or `Term`, as in `_phrases`; a file without any is not parsed."""
_TEMPLATE = re.compile(r"\b(Problem|Hint|Words|Title)\(")
"""Call that makes a template of a message about a file, as in `_TEMPLATES`; a file without any is not parsed."""
_WORD = re.compile(r"[^\W\d_](?![^{]*\})|'")
"""Letter outside of slots, or a quote: something to translate."""
_NOTE = re.compile(r" *# For translators: (.*)")
"""Comment on the line before a phrase, which translators get, too."""

_CONTEXTS: Mapping[str, tuple[str, str]] = {
    "analysis": (LOG, "In the analysis of a finished game, of single decisions and of all."),
    "answer": (TERMS, "An answer; its first letter is one too."),
    "argument": (TERMS, "Stands in a sentence where there is nothing or nobody to name."),
    "board": (TERMS, "The head of a column in a table of a board's spaces."),
    "changes": (LOG, "In the list of how two editions differ, line by line: what is new, gone or otherwise."),
    "choice": (PROMPTS, "Something to choose."),
    "count": (TERMS, "So many things. The blank may be one where no line breaks (U+00A0)."),
    "data": (LOG, "Said of what a server of tables keeps: copies, and people who are taken out."),
    "design": (PROMPTS, "On the page of the designer's workbench: headings, buttons, short remarks."),
    "editions": (TERMS, "The head of a column, or an entry, in the list of games."),
    "errors": (RULES, "An error, or a part of one."),
    "form": (TERMS, "Only signs: how a language writes them, with a blank before a colon or not. They end nothing."),
    "heading": (TERMS, "The heading of a rule."),
    "help": (RULES, "Help on commands; the commands themselves stay as they are."),
    "leads": (LOG, "What an answer leads to, beside it: very short, without an end."),
    "log": (LOG, "A line of the log."),
    "menu": (PROMPTS, "A question before the game, or what is said to its answer."),
    "page": (PROMPTS, "On the page of a table in the browser: headings, buttons, short remarks."),
    "phase": (TERMS, "The title of what comes before the first phase."),
    "piece": (TERMS, "What the reader may not see, inserted like a piece's name."),
    "pace": (LOG, "How fast things go by at a terminal."),
    "placeholder": (RULES, "Stands in help for what one types instead: in capitals, without blanks."),
    "player": (TERMS, "How the computer decides, as a note behind its name."),
    "prompt": (PROMPTS, "Said to somebody who answers a question."),
    "pronoun": (TERMS, "Who reads, inserted like a player's name, but declined; a capital comes by itself."),
    "replay": (LOG, "Said of a game that is told again."),
    "report": (LOG, "In the report on games that the computer played by itself."),
    "rulebook": (RULES, "In a rulebook: mostly headings."),
    "rules": (RULES, "Said where rules are looked up."),
    "serving": (PROMPTS, "Said by the server of tables in the browser."),
    "simulation": (LOG, "Said of many games that the computer plays by itself."),
    "score": (LOG, "Said of the points."),
    "table": (TERMS, "On the table: short, it stands in narrow columns."),
    "terminal": (PROMPTS, "Said at the terminal."),
    "title": (TERMS, "A game's title with its edition."),
    "training": (LOG, "Said while the computer trains a player."),
    "tuning": (LOG, "Said of a search for values that bring a game nearer to goals."),
    "usage": (RULES, "Help on the command line; names of commands and options stay as they are."),
}
"""Sort and comment for translators of the phrases of each context."""

_TEMPLATES: Mapping[str, str] = {
    "Problem": "What is wrong in a file. Words between single quotes stay as rules have them.",
    "Hint": "What to do about a mistake in a file. Words between single quotes stay as rules have them.",
    "Words": "A part of a sentence about a mistake: it fills a slot of another.",
    "Title": "What a quick fix does, in a menu of an editor: short, without an end.",
}
"""Comments for translators by the class of a template, in the order in which they are translated."""


_RULE = "What a code of `check` means, for `rulewright explain`. Words between backquotes stay as they are."
"""Comment for translators on the meaning of a code."""


_EXPECTED = "What a rule file may hold at a place, or what that is for. Words of the rules' language stay as they are."
"""Comment for translators on the descriptions in schemas."""


def interface(package: Path) -> list[CatalogMessage]:
    """Return the phrases in a package's files, sorted by SORTS; cached by folder and version of this package. Raises
    KeyError for a context without a description."""
    key = cache.key("interface", str(package))
    if isinstance(known := cache.get(key), list):
        return known
    by_key: dict[tuple[str, str], CatalogMessage] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        source = path.read_text(encoding="utf-8")
        for context, one, many, note in _phrases(source) if _CALL.search(source) else ():
            before = by_key.get((context, one))
            sort, comment = _CONTEXTS[context]
            inflected = context in ("piece", "pronoun")
            places = before.places if before is not None else ()
            comments = dict.fromkeys((comment, *(before.comments if before is not None else ()), *note))
            places = (*places, (name, 0)) if (name, 0) not in places else places
            by_key[context, one] = CatalogMessage(context, one, many, sort, inflected, tuple(comments), places)
    messages = sorted(by_key.values(), key=lambda message: SORTS.index(message.sort))
    cache.store(key, messages)
    return messages


def diagnostics(package: Path) -> list[CatalogMessage]:
    """Return the templates of diagnostics in a package's files, problems first, the rules behind their codes, and
    the words of schemas; cached by folder, rules and schemas."""
    key = cache.key("diagnostics", str(package), diagnostic_rules.rules(), schema.texts())
    if isinstance(known := cache.get(key), list):
        return known
    by_text: dict[str, tuple[list[str], list[tuple[str, int]]]] = {}
    for path in sorted(package.rglob("*.py")):
        name, source = path.relative_to(package).as_posix(), path.read_text(encoding="utf-8")
        for kind, text in _templates(source) if _TEMPLATE.search(source) else ():
            kinds, places = by_text.setdefault(text, ([], []))
            kinds += [kind] if kind not in kinds else []
            places += [(name, 0)] if (name, 0) not in places else []
    messages = [
        CatalogMessage(DIAGNOSTIC, text, "", RULES, False, tuple(map(_TEMPLATES.__getitem__, kinds)), tuple(places))
        for text, (kinds, places) in sorted(by_text.items(), key=lambda entry: list(_TEMPLATES).index(entry[1][0][0]))
    ]
    messages += [
        CatalogMessage(DIAGNOSTIC, rule.text, "", RULES, False, (_RULE,), (("spec/DIAGNOSTICS.md", 0),))
        for rule in diagnostic_rules.rules().values()
    ]
    messages += [
        CatalogMessage(DIAGNOSTIC, text, "", RULES, False, (_EXPECTED,), ((file, 0),))
        for text, file in schema.texts().items()
        if text not in by_text
    ]
    cache.store(key, messages)
    return messages


def _templates(source: str) -> Iterator[tuple[str, str]]:
    """Yield class and English text of each template in a file, except templates of slots only."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TEMPLATES and node.args:
            text = node.args[-1]
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and _WORD.search(text.value):
                yield node.func.id, text.value


def _phrases(source: str) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield context, text, plural ('' but for a Term), and notes for translators of each call of `phrase` or `Term` in
    a file whose context and text are literals: editions' nouns are not among them."""
    lines = source.splitlines()
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        function_name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if function_name not in ("phrase", "Term"):
            continue
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if len(texts) < 2 or not texts[0]:
            continue
        note = _NOTE.fullmatch(lines[node.lineno - 2]) if node.lineno > 1 else None
        many = texts[2] if function_name == "Term" and len(texts) > 2 else ""
        yield texts[0], texts[1], many, (note[1],) if note is not None else ()
