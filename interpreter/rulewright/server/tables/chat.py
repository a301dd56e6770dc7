"""Chat of a table: short texts, and gestures that each reader sees in their own language.

It is no part of the game and stored in rows of its own, so neither the log nor anything made from it contains it. The
last messages are kept for those who come back. The host may turn chat off.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol
from unicodedata import category

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.players.confusable_names import has_stacked_marks, is_visible
from rulewright.server.clock import Clock
from rulewright.server.limits import Bucket, Limits
from rulewright.server.storage.store import Store
from rulewright.server.views.document import ChatMessage

SETTING, DISABLED = "chat", "off"
"""Setting, and its value where the host has turned chat off."""
MAX_LENGTH = 160
"""Maximum characters of a message."""
MAX_MESSAGES = 50
"""Messages kept of a table."""
_INVISIBLE = ("Cc", "Cf", "Cs")
"""Unicode categories of invisible characters: controls, directions, surrogates."""
_JOINERS = "\u200c\u200d"
"""Zero-width characters that some languages and composed signs need."""


class ChatError(RulewrightError):
    """Refused message; nothing has changed."""


class ChatHost(Protocol):
    """Parts of the server that chat needs."""

    limits: Limits
    clock: Clock

    def with_store(self, work: Callable[[Store], Any]) -> Awaitable[Any]:
        """Run some work with the store, as `CommitQueue.with_store` does. Raises StoreError."""


class Chat:
    """Chat of one table. messages: by number, oldest first; disabled: turned off by the host."""

    def __init__(self, host: ChatHost, game: int) -> None:
        self._post, self._game = host, game
        self._buckets: dict[int, Bucket] = {}  # by seat
        self.messages: dict[str, ChatMessage] = {}
        self.disabled = False

    def read(self, settings: Mapping[str, str], rows: Mapping[int, tuple[int, int, str, str]]) -> None:
        """Load stored settings and messages."""
        self.disabled = settings.get(SETTING) == DISABLED
        self.messages = {str(number): ChatMessage(*row) for number, row in rows.items()}

    async def say(self, seat: int, text: str = "", gesture: str = "") -> None:
        """Send a text or a gesture to everybody. Raises ChatError, StoreError."""
        if self.disabled:
            raise ChatError(phrase("errors", "Whoever began this table has turned messages off."))
        cleaned = "" if gesture else clean_message(text)
        limits = self._post.limits
        bucket = self._buckets.setdefault(seat, Bucket(limits.said, limits.said_each_second))
        if not bucket.take():
            raise ChatError(phrase("errors", "You are sending messages too fast. Wait a moment."))
        row = seat, int(self._post.clock.now()), cleaned, gesture
        number = await self._post.with_store(lambda store: store.say(self._game, row, MAX_MESSAGES))
        self.messages[str(number)] = ChatMessage(*row)
        for old in list(self.messages)[:-MAX_MESSAGES]:
            del self.messages[old]

    async def turn(self, enabled: bool) -> Mapping[str, str]:
        """Turn chat on or off for everybody; return the changed setting. Raises StoreError."""
        setting = {SETTING: "" if enabled else DISABLED}
        await self._post.with_store(lambda store: store.put_settings(self._game, setting))
        self.disabled = not enabled
        return setting


def clean_message(text: str) -> str:
    """Return a text on one line, without characters that are invisible or reverse others.

    Raises ChatError if nothing is left, it is too long, or too many marks are stacked over one letter.
    """
    visible = (letter for letter in " ".join(text.split()) if letter in _JOINERS or category(letter) not in _INVISIBLE)
    cleaned = "".join(visible).strip()
    if not is_visible(cleaned) or len(cleaned) > MAX_LENGTH:
        raise ChatError(phrase("errors", "A message must have 1 to {count} characters.", count=MAX_LENGTH))
    if has_stacked_marks(cleaned):
        raise ChatError(phrase("errors", "Too many signs stand over one letter; leave some out."))
    return cleaned
