"""Cache of parsed sentences of an edition, kept between runs: most stay the same when a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Generic, TypeVar

from rulewright.base import cache

Result = TypeVar("Result")
Reader = Callable[[str, str], Result]
"""Parser of a text by a rule of the grammar."""
SentenceKey = tuple[str, str, str]
"""Name of the reading function, entry point of the grammar, and text."""

MAX_SENTENCES = 5_000
"""Most sentences of one edition."""


class _StoredResults:
    """Stored results of one edition, as plain data. Threads share them: they are replaced, never changed."""

    def __init__(self, name: str) -> None:
        entries = cache.get(name)
        self.name, self.entries = name, entries if isinstance(entries, dict) else {}

    def add(self, used: dict[SentenceKey, tuple[Any, Callable[[Any], Any]]]) -> None:
        """Store what is new among results, each with the function that makes plain data of it; they come first."""
        known = self.entries
        if used.keys() - known.keys():
            data = {entry: known.get(entry) or kept_form(result) for entry, (result, kept_form) in used.items()}
            self.entries = dict(list({**data, **known}.items())[:MAX_SENTENCES])
            cache.store(self.name, self.entries)


class _SentenceCache(Generic[Result]):
    """Cache while the sentences of an edition are read. used: results needed so far, each with its `kept_form`."""

    def __init__(self, stored: _StoredResults) -> None:
        self.stored = stored
        self.used: dict[SentenceKey, tuple[Any, Callable[[Any], Any]]] = {}


_CLEARERS: list[Callable[[], None]] = []
"""Functions that clear the caches in this process."""


def clear() -> None:
    """Drop all results in this process; stored ones stay."""
    for clear in _CLEARERS:
        clear()


_CURRENT: ContextVar[_SentenceCache[Any] | None] = ContextVar("memory", default=None)
"""Cache of the edition that this thread is reading; None outside."""
_opened = lru_cache(maxsize=4)(_StoredResults)
"""Stored results of the editions read last, so that each is loaded once."""
_CLEARERS.append(_opened.cache_clear)


@contextmanager
def use_sentence_cache(edition: str) -> Iterator[None]:
    """Cache results while the sentences of an edition are read. edition: name of its cache, whatever its content,
    or '' for none."""
    name = cache.key("sentences", edition)
    if not edition or ((outer := _CURRENT.get()) is not None and outer.stored.name == name):
        yield
        return
    memory: _SentenceCache[Any] = _SentenceCache(_opened(name))
    before = _CURRENT.set(memory)
    try:
        yield
    finally:
        _CURRENT.reset(before)
        memory.stored.add(memory.used)


def cache_readings(
    kept_form: Callable[[Result], Any], from_kept: Callable[[Any], Result]
) -> Callable[[Reader[Result]], Reader[Result]]:
    """Decorate a pure function of a text and a grammar entry point, to cache its results. kept_form: turns a result
    into plain data, never None; from_kept: the inverse."""

    def decorated(work: Reader[Result]) -> Reader[Result]:
        """Wrap a reader so that its results are cached in the process, and between runs where a cache is in use."""

        @lru_cache(maxsize=10_000)
        def worked_out(text: str, start: str) -> Result:
            memory = _CURRENT.get()
            if memory is not None and (data := memory.stored.entries.get((work.__name__, start, text))) is not None:
                return from_kept(data)
            return work(text, start)

        @wraps(work)
        def lookup(text: str, start: str) -> Result:
            value = worked_out(text, start)
            if (memory := _CURRENT.get()) is not None:
                memory.used[work.__name__, start, text] = value, kept_form
            return value

        _CLEARERS.append(worked_out.cache_clear)
        return lookup

    return decorated
