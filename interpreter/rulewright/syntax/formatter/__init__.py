"""Format rule files canonically, as spec/FORMAT.md says, with the same meaning and comments."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import EditionError, Report, RulewrightError
from rulewright.syntax import schema, schema_validation, sentence_grammar, sentences, source, yaml_reader
from rulewright.syntax.formatter import arrangement, concrete_syntax, writer

_PARENTHESES = str.maketrans("", "", "()")


class FormatError(RulewrightError):
    """Raised for a file whose canonical form would change its meaning."""


def format_file(path: Path | None, shown_as: str, text: str | None = None) -> str:
    """Return the canonical form of a file, or of `text`, if that is given: an edition, a variant, or scenarios; nothing
    is written.

    Raises EditionError where it cannot be read or does not have the shape that its schema describes, and
    FormatError where its form would change what it means.
    """
    report = Report()
    tree = yaml_reader.read(path, text, report, shown_as)
    if tree is None or not report.ok:
        raise EditionError(report)
    if not schema_validation.validate(
        tree, report, _kind(tree.entries if isinstance(tree, source.MappingNode) else ())
    ):
        raise EditionError(report)
    before = "\n".join(report.lines(shown_as))
    document = concrete_syntax.read(before)
    comments = Counter(concrete_syntax.comments(document))
    after = format_document(document)
    if after != before:
        _check(source.plain(tree), comments, after, shown_as)
    return after


def is_canonical(sound: bytes) -> bool:
    """Return whether a valid edition, variant, or file of scenarios, as the bytes of its file, is in its canonical
    form."""
    if sound.startswith(BOM_UTF8) or b"\r" in sound:
        return False
    try:
        return format_document(concrete_syntax.read(sound.decode())).encode() == sound
    except UnicodeDecodeError:  # it is in UTF-16
        return False


def _kind(keys: Container[str]) -> str:
    """Return the file of the schema for a file with these keys."""
    return schema.SCENARIOS if "cases" in keys else schema.VARIANT if "extends" in keys else schema.EDITION


def format_document(document: concrete_syntax.Document) -> str:
    """Return the canonical text of a document, whose entries are arranged in place."""
    entries = document.root.entries if isinstance(document.root, concrete_syntax.Collection) else []
    arrangement.arrange(document, schema.load(_kind({entry.key.text for entry in entries if entry.key})))
    return writer.write(document)


def _check(meaning: Any, comments: Counter[str], after: str, shown_as: str) -> None:
    """Check that a text has this meaning and these comments. Raises FormatError."""
    report = Report()
    tree = yaml_reader.read(None, after, report, shown_as)
    if tree is None or not report.ok:
        reason = report.errors[0].message
    elif not _is_equivalent(meaning, source.plain(tree)):
        reason = "It would not mean the same."
    elif Counter(concrete_syntax.comments(concrete_syntax.read(after))) != comments:
        reason = "A comment would go missing."
    else:
        return
    raise FormatError(f"'{shown_as}' cannot be written in the canonical form and stays as it is. {reason}")


def _is_equivalent(before: Any, after: Any) -> bool:
    """Return whether two trees of dict, list, str and None are equal, but for the order of keys and the spelling of
    sentences."""
    if isinstance(before, dict) and isinstance(after, dict):
        respelt = {_bare(key): key for key in after if key not in before}
        keys = {key: key if key in after else respelt.get(_bare(key), "") for key in before}
        return len(before) == len(after) and all(
            other in after and _is_equivalent(key, other) and _is_equivalent(before[key], after[other])
            for key, other in keys.items()
        )
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(_is_equivalent, before, after))
    if isinstance(before, str) and isinstance(after, str):
        return before == after or (
            _bare(before) == _bare(after)
            and any(sentences.canonical_spelling(before, start) == after for start in sentence_grammar.STARTS)
        )
    return before is None and after is None


def _bare(text: str) -> str:
    """Remove what the canonical form may change: blanks and parentheses."""
    return "".join(text.split()).translate(_PARENTHESES)
