"""Completions at the cursor: keys by the schema, and within sentences words by the grammar and names by what
they mean there."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.base.records import record
from rulewright.editing import case_files, cursor_context, messages
from rulewright.editing.catalog_files import slots_at
from rulewright.editing.cursor_context import CursorContext
from rulewright.editing.text_document import CATALOG, KnownEdition, OpenFile
from rulewright.model import naming
from rulewright.syntax import names_with_reserved_words, schema, sentences
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import CLASSES

BUILT_IN = {
    "card": "all pieces", "piece": "all pieces", "seat": "all seats", "player": "all seats that people play",
    "opponent": "all other seats", "you": "the seat that acts", "it": "what is looked at", "nobody": "no seat",
    "nothing": "nothing at all",
}  # fmt: skip
"""Names that every edition has, and their meanings."""
_MAX_NAME_WORDS = 6
"""Maximum number of words in a name that is begun."""
_LOCAL_NAME = re.compile(r"\bas ([^\W\d_][\w ]*?)(?=$|:|\s+(?:by|until)\b)|\blet ([^\W\d_][\w ]*?) be\b")
"""Name that a sentence introduces with `as` or `let`."""

_KINDS_BY_KEY = {
    "starts in": ("zone",), "refills from": ("zone",), "power in": ("zone",), "holds": ("kind of piece",),
    "counting": ("kind of piece",), "of": ("word list", "board"), "each": ("word list",), "sides": ("word list",),
    "like": ("role",), "overrules": ("role", "power", "option"), "changing": ("attribute",),
}  # fmt: skip
"""Kinds of names that the value of a key may be, besides what the schema lists."""
_STEPS = ("step", "phase")
"""Kinds of names behind `do`, `before` and the like."""
_SENTENCE_KINDS = (
    "zone",
    "counter",
    "value",
    "term",
    "word",
    "space",
    "word list",
    "kind of piece",
    "attribute",
    "option",
    "board",
)
"""Kinds of declared names that are proposed inside a sentence."""
_PLACES = ("zone", "space", "word", "term")
"""Kinds of names that are likely where pieces are moved."""
_KINDS_OF_PART = {
    "counter": ("counter", "zone"),
    "target": _PLACES,
    "condition": ("attribute", "counter", "value", "term"),
}
"""Kinds of names that are likely where a part of the grammar can begin; the first such part counts."""
_KINDS_AFTER = (
    (re.compile(r"(^|[ :])(before|after|instead of|whenever)\s+$"), _STEPS),
    (re.compile(r"(^|\s)do\s+$"), _STEPS),
    (re.compile(r"\b(from|to|in|top of|bottom of)\s+$"), _PLACES),
    (re.compile(r"'s\s+$"), ("attribute", "zone", "counter", "value", "term")),
)
"""Kinds of names that are likely after the beginning of a sentence, where the grammar does not tell; the first pattern
that fits counts."""

_KEY_ORDER = 70
"""Order of keys where a sentence can stand, too: nearly always that is meant."""


@record
class Proposal:
    """Completion.

    - text: replaces the last `length` characters
    - kind: key, word, value, or kind of a name
    - detail: a few words beside it
    - help: longer text about it
    - order: the likelier, the smaller
    """

    text: str
    length: int
    kind: str
    detail: str = ""
    help: str = ""
    order: int = 0


def proposals(open_file: OpenFile, line: int, column: int) -> list[Proposal]:
    """Return the completions at a place, its line and column counted from 1."""
    if open_file.kind == CATALOG:
        return [Proposal(slot.name, slot.length, "word", "slot") for slot in slots_at(open_file.lines, line, column)]
    context = cursor_context.context_at(open_file.lines, line, column, open_file.kind)
    if open_file.kind == schema.SCENARIOS and context.path[:1] != ("edition",):
        result = list(_propose_in_case(context, open_file, line))
    else:
        result = list(_propose(context, open_file, line))
    return sorted(result, key=lambda proposal: (proposal.order, proposal.text))


def _propose(context: CursorContext, open_file: OpenFile, line: int) -> Iterator[Proposal]:
    """Yield everything that can stand at the cursor."""
    if context.is_key:
        yield from _propose_keys(context)
        if context.path and context.path[-1] == "change" and open_file.known:
            yield from _propose_names(open_file.known, ("value",), context.before, ": ")
    if context.grammar:
        yield from _propose_in_sentence(context, open_file, line)
    if not context.is_key:
        yield from _propose_values(context, open_file)


def _propose_in_case(context: CursorContext, open_file: OpenFile, line: int) -> Iterator[Proposal]:
    """Yield the completions in a file of cases, outside of an edition that is written there."""
    if context.grammar:
        yield from _propose_in_sentence(context, open_file, line)
        return
    case = context.path[1] if context.path[:1] == ("cases",) and len(context.path) > 1 else ""
    known = case_files.allowed_names(open_file, case)
    if context.is_key:
        yield from _propose_keys(context)
        for name, kind in known.keys(context.path).items() if known else ():
            if name.startswith(context.before) and name not in context.sibling_keys:
                yield Proposal(f"{name}: ", len(context.before), kind, _kind_label(kind), "", 100)
    if not context.is_key or context.path[-1:] == ("",):
        yield from _propose_values(context, open_file)
        for name, kind in known.values(context.path).items() if known else ():
            if name.startswith(context.before):
                yield Proposal(name, len(context.before), kind, _kind_label(kind), "", 10)


@record
class UnfinishedAnswer:
    """Answer being written in a case: the case, the seat, and the part already written."""

    case: str
    seat: str
    before: str


_STEP_KEYS = ("expect", "tell", "teach", "refused")
"""Keys of a case's step besides the seats."""


def unfinished_answer_at(open_file: OpenFile, line: int, column: int) -> UnfinishedAnswer | None:
    """Return the answer being written at a place, line and column from 1; None if there is none."""
    if open_file.kind != schema.SCENARIOS:
        return None
    context = cursor_context.context_at(open_file.lines, line, column, open_file.kind)
    match context.path:
        case ("cases", name, "do", "", seat, *rest) if rest in ([], [""]) and seat not in _STEP_KEYS:
            return UnfinishedAnswer(name, seat, context.before)
        case ("cases", name, "do", "", "refused", seat, *rest) if rest in ([], [""]):
            return UnfinishedAnswer(name, seat, context.before)
    return None


def propose_answers(unfinished: UnfinishedAnswer, offered: Mapping[str, Sequence[str]]) -> list[Proposal]:
    """Return completions of a seat's answer. offered: keys of the choices of each seat, by its name."""
    known = [key for key in offered.get(unfinished.seat, ()) if key.startswith(unfinished.before)]
    return [Proposal(key, len(unfinished.before), "value", messages.CHOOSABLE.text) for key in known]


def _kind_label(kind: str) -> str:
    """Return the words for a kind beside a completion; '' for a key of the language."""
    return "" if kind == "key" else kind


def _propose_keys(context: CursorContext) -> Iterator[Proposal]:
    """Yield the schema's keys that begin as written and are not there yet."""
    first = _KEY_ORDER if context.grammar else 0
    for order, (key, shape) in enumerate(schema.keys(context.shape).items(), first):
        if key.startswith(context.before) and key not in context.sibling_keys:
            title = shape.get("title") or _title(shape)
            yield Proposal(f"{key}: ", len(context.before), "key", title, shape.get("description", ""), order)


def _title(shape: dict[str, Any]) -> str:
    """Return the title of the first alternative of a schema that has one, or ''."""
    return next((str(part["title"]) for part in schema.alternatives(shape) if "title" in part), "")


def _propose_values(context: CursorContext, open_file: OpenFile) -> Iterator[Proposal]:
    """Yield the schema's words, and the names that the key allows."""
    for part in schema.alternatives(context.shape):
        for value in part.get("enum", ()):
            if isinstance(value, str) and value.startswith(context.before):
                yield Proposal(value, len(context.before), "word", "", context.shape.get("description", ""))
    parent_key = next((key for key in reversed(context.path) if key), "")
    if open_file.known and parent_key in _KINDS_BY_KEY:
        yield from _propose_names(open_file.known, _KINDS_BY_KEY[parent_key], context.before)


def _propose_in_sentence(context: CursorContext, open_file: OpenFile, line: int) -> Iterator[Proposal]:
    """Yield words by the grammar and names that can continue a sentence; the last few words may be a part of a name."""
    words = re.split(r"(?<=\s)", context.before)
    proposed: set[str] = set()
    known = naming.multiword_names(open_file.known.edition.tree) if open_file.known else frozenset()
    for count in range(min(_MAX_NAME_WORDS, len(words) - 1) + 1):
        cut = len(words) - 1 - count
        beginning, prefix = "".join(words[:cut]) if cut >= 0 else "", "".join(words[max(cut, 0) :])
        following = sentences.continuations(names_with_reserved_words.join_names(beginning, known), context.grammar)
        if following is None or (prefix.endswith(" ") and not prefix.strip()):
            continue
        for word in following.words:
            if word.startswith(prefix) and word != prefix and word not in proposed:
                proposed.add(word)
                yield Proposal(word, len(prefix), "word", "", "", 50 if prefix else 60)
        if following.name_can_follow:
            for proposal in _fitting_names(beginning, following.parts, prefix, open_file, line):
                if proposal.text not in proposed:
                    proposed.add(proposal.text)
                    yield proposal


def _fitting_names(
    beginning: str, parts: Container[str], prefix: str, open_file: OpenFile, line: int
) -> Iterator[Proposal]:
    """Yield the names that make sense after the beginning of a sentence, the likeliest first. parts: of the grammar
    that can begin there."""
    likely_kinds = next((kinds for part, kinds in _KINDS_OF_PART.items() if part in parts), ()) or next(
        (kinds for pattern, kinds in _KINDS_AFTER if pattern.search(beginning)), ()
    )
    if likely_kinds == _STEPS:
        yield from _propose_names(open_file.known, _STEPS, prefix) if open_file.known else ()
        return
    for name in _local_names(open_file.lines, line):
        if name.startswith(prefix):
            yield Proposal(name, len(prefix), "name made here", "", "", 15 if likely_kinds else 0)
    likely_kinds = likely_kinds or (_PLACES if _moves_pieces(beginning) else ())
    for name, meaning in BUILT_IN.items():
        if name.startswith(prefix):
            yield Proposal(name, len(prefix), "word", meaning, "", 30)
    if open_file.known:
        for proposal in _propose_names(open_file.known, _SENTENCE_KINDS, prefix):
            order = 10 + likely_kinds.index(proposal.kind) if proposal.kind in likely_kinds else 20
            yield replace(proposal, order=order)


def _moves_pieces(beginning: str) -> bool:
    """Return whether a sentence that begins so may move pieces."""
    classes = (cls for cls in CLASSES.values() if issubclass(cls, Statement) and cls.moves_pieces)
    return any(beginning.lstrip().startswith(f"{cls.keyword()} ") for cls in classes)


def _propose_names(known: KnownEdition, kinds: Iterable[str], prefix: str, suffix: str = "") -> Iterator[Proposal]:
    """Yield the declared names of some kinds that begin with a prefix, each once."""
    kind_set = set(kinds)
    done: set[str] = set()
    for entry in known.entries:
        if entry.kind in kind_set and entry.name not in done and entry.name.startswith(prefix):
            done.add(entry.name)
            text = entry.text("text")
            help_text = " ".join(text.text.split()) if text else ""
            yield Proposal(entry.name + suffix, len(prefix), entry.kind, entry.kind, help_text, 10)


def _local_names(lines: list[str], line: int) -> list[str]:
    """Return the names that sentences above a line, from 1, introduce in the same rule, the nearest first."""
    names: list[str] = []
    for text in reversed(lines[: line - 1]):
        for match in _LOCAL_NAME.finditer(text.rstrip()):
            names.append((match[1] or match[2]).strip())
        if re.match(r"\s{0,4}[^\s#-][^:]*:\s*$", text) and names:
            break
        if re.match(r"\S", text):
            break
    return list(dict.fromkeys(names))
