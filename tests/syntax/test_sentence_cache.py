"""Cached sentences of an edition equal those that are parsed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from project_folders import GAMES
from rulewright.authoring.edition_check import examine
from rulewright.base import cache
from rulewright.game.library import from_text
from rulewright.syntax import sentence_cache, sentence_grammar, sentences
from rulewright.syntax.tree import Node
from whole_games import GAME_FILES

Parts = tuple[object, ...]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the test an empty cache of its own."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    forget()
    yield
    forget()


def forget() -> None:
    sentence_cache.clear()


def parts(tree: Node) -> Parts:
    """Return all that makes a tree, with the spans in its sentence."""
    return tree, [(node.rule, node.span) for node in tree.walk()]


def trees_of(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Parts]:
    """Return the trees that checking an edition asks for."""
    trees: dict[tuple[str, str], Parts] = {}
    with monkeypatch.context() as patch:
        parse = sentences.parse

        def noted(text: str, start: str) -> Node:
            tree = parse(text, start)
            trees[text, start] = parts(tree)
            return tree

        patch.setattr(sentences, "parse", noted)
        examine(str(path))
    return trees


@pytest.mark.rotating(3)
@pytest.mark.parametrize("file", GAME_FILES, ids=lambda file: file.stem)
def test_cached_sentences_equal_parsed_ones(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / file.parent.name / file.name
    shutil.copytree(file.parent, path.parent)
    first = trees_of(path, monkeypatch)
    assert len(first) >= 10
    path.write_text(path.read_text() + "\n# changed\n")
    forget()
    with monkeypatch.context() as patch:
        patch.setattr(sentences, "parser", lambda: pytest.fail("this sentence is known"))
        assert trees_of(path, monkeypatch) == first


def test_only_new_sentences_are_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(shutil.copy(GAMES / "goofspiel.yaml", tmp_path))
    examine(str(path))
    path.write_text(path.read_text().replace("move top 1 of", "move top 2 of"))
    forget()
    read: list[str] = []
    parser = sentence_grammar.parser()

    class Watched:
        def parse(self, text: str, start: str) -> object:
            read.append(text)
            return parser.parse(text, start=start)

    monkeypatch.setattr(sentences, "parser", Watched)
    examine(str(path))
    assert read
    assert all("top 2 of" in text for text in read)


def test_each_edition_has_its_own_bounded_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_cache, "MAX_SENTENCES", 3)
    with sentence_cache.use_sentence_cache("one.yaml"):
        for number in range(5):
            sentences.parse(f"let best be {number}", "statement")
    assert len(cache.get(cache.key("sentences", "one.yaml"))) == 3
    assert cache.get(cache.key("sentences", "other.yaml")) is None
    forget()
    with sentence_cache.use_sentence_cache("one.yaml"):
        sentences.parse("let best be 9", "statement")
    known = [text for _, _, text in cache.get(cache.key("sentences", "one.yaml"))]
    assert known[0] == "let best be 9"


def test_sentences_are_loaded_once_and_not_stored_for_a_text_without_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    load = cache.get

    def count(name: str) -> Any:
        loaded.append(name)
        return load(name)

    monkeypatch.setattr(cache, "get", count)
    path = Path(shutil.copy(GAMES / "goofspiel.yaml", tmp_path))
    rules = from_text(path.read_text(), "goofspiel", file=path)
    rules.machine(2)
    assert loaded.count(cache.key("sentences", str(path))) == 1
    rules = from_text(path.read_text(), "goofspiel")
    rules.machine(2)
    assert load(cache.key("sentences", "goofspiel")) is None


def test_a_long_session_holds_no_more_than_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_cache, "MAX_SENTENCES", 3)
    name = cache.key("sentences", "one.yaml")
    for number in range(9):
        with sentence_cache.use_sentence_cache("one.yaml"):
            sentences.parse(f"let best be {number}", "statement")
    assert [text for _, _, text in cache.get(name)] == [f"let best be {number}" for number in (8, 7, 6)]
    assert sentence_cache._opened(name).entries == cache.get(name)


def test_threads_read_one_edition_at_once() -> None:
    """Each thread has its own results, so that none changes while another stores them."""
    barrier = Barrier(2)

    def read(numbers: range) -> None:
        with sentence_cache.use_sentence_cache("one.yaml"):
            barrier.wait()
            for number in numbers:
                sentences.parse(f"let best be {number}", "statement")
            barrier.wait()
            used = sentence_cache._CURRENT.get()
            assert used is not None
            assert {text for _, _, text in used.used} == {f"let best be {number}" for number in numbers}

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(read, (range(100, 110), range(200, 210))))
