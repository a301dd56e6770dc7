"""The parser beside the one of which it has its tables: the same trees, places and complaints."""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from places import GAMES
from rulewright.base.diagnostics import Report
from rulewright.syntax import sentences, source, yaml_reader
from rulewright.syntax.parser import Unreadable
from rulewright.syntax.trees import Token, Tree

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def grammar() -> Any:
    spec = importlib.util.spec_from_file_location("grammar", ROOT / "tools" / "grammar.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts_of(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, inner in node.items():
            yield from (key, *texts_of(inner))
    elif isinstance(node, list):
        for inner in node:
            yield from texts_of(inner)
    elif isinstance(node, str):
        yield from (node, *re.findall(r"\{([^{}]+)\}", node))


def plain(tree: Any) -> Any:
    """A tree of either parser, with the places of its parts."""
    if isinstance(tree, (Tree, lark.Tree)):
        return str(tree.data), tree.meta.start_pos, tree.meta.end_pos, [plain(child) for child in tree.children]
    return None if tree is None else (tree.type, str(tree), tree.start_pos, tree.end_pos)


def ours(text: str, start: str) -> Any:
    try:
        return plain(sentences._parser().parse(text, start))
    except Unreadable as error:
        token = error.token
        return error.at, None if token is None else (token.type, str(token)), error.expected


def theirs(parser: Any, text: str, start: str) -> Any:
    try:
        return plain(parser.parse(text, start=start))
    except UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos
        return at, (error.token.type, str(error.token)), set(error.accepts or error.expected)
    except UnexpectedCharacters as error:
        return error.pos_in_stream, None, set(error.allowed or ())


def test_tables_are_those_of_the_grammar(grammar: Any) -> None:
    made = grammar.written(grammar.tables(grammar.GRAMMAR.read_text("utf-8")))
    assert made == grammar.TABLES.read_text("utf-8"), "run `python tools/grammar.py`"


def test_texts_are_read_as_by_the_other_parser(grammar: Any) -> None:
    parser = grammar.parser_of(grammar.GRAMMAR.read_text("utf-8"))
    trees = [yaml_reader.read(game, None, Report(), str(game)) for game in GAMES.glob("*.yaml")]
    texts = sorted({text for tree in trees if tree is not None for text in texts_of(source.plain(tree))})
    chance = random.Random(1)
    odd = ["(", ")", "'s", "'sx", ",", "-", "3", "4x", "é", "٣", "_", "?", "\n", "", *sentences.words()]
    for text in list(texts):
        words = re.findall(r"\w+|\W", text)[:40]
        words[chance.randrange(len(words)) if words else 0 :][:1] = [chance.choice(odd)]
        words.insert(chance.randrange(len(words) + 1), chance.choice(odd))
        texts.append("".join(words))
    read = 0
    for text in texts:
        for start in sentences.STARTS:
            found = ours(text, start)
            assert found == theirs(parser, text, start), (text, start)
            read += isinstance(found[0], str)
    assert read > 1000


def test_tree_tells_what_is_in_it() -> None:
    tree = sentences.parse("move top 2 of deck to hand", "statement")
    inside = [inner.data for inner in tree.iter_subtrees()]
    assert inside == ["number", "path", "path", "some_of", "end_of", "move"]
    assert list(tree.scan_values(lambda leaf: isinstance(leaf, Token))) == ["top", "2", "deck", "hand"]
    assert next(tree.find_data("path")) == Tree("path", [None, Token("NAME", "deck")])
    assert Token("NAME", "deck") == "deck" and Token("NAME", "deck") != Token("OWN", "deck")
    assert hash(tree) == hash(Tree("move", tree.children))
