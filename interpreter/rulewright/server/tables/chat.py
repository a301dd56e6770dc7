"""What people who sit at a table say to each other: short texts, and gestures in each reader's own words.

None of it belongs to the game. It stands beside it, in rows of its own: neither its log nor anything that is made from
that has it. The last messages are kept, for whoever comes back. The host may turn them off.
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

SETTING, OFF = "chat", "off"
"""The setting: OFF where the host has turned messages off."""
LONGEST = 160
MOST = 50
"""Messages of a table that are kept: the last ones."""
_UNSEEN = ("Cc", "Cf", "Cs")
"""Categories of what is no character to be seen: controls, directions, halves."""
_JOINERS = "\u200c\u200d"
"""Characters without a width that words of some languages need, and signs that are made of several."""


class ChatError(RulewrightError):
    """A message that nobody is told; nothing has changed."""


class Post(Protocol):
    """Where messages are kept."""

    limits: Limits
    clock: Clock

    def kept(self, work: Callable[[Store], Any]) -> Awaitable[Any]: ...


class Chat:
    """Of one table. messages: by their numbers, the first one first; off: whether the host has turned them off."""

    def __init__(self, post: Post, game: int) -> None:
        self._post, self._game = post, game
        self._buckets: dict[int, Bucket] = {}  # by seat
        self.messages: dict[str, ChatMessage] = {}
        self.off = False

    def read(self, settings: Mapping[str, str], rows: Mapping[int, tuple[int, int, str, str]]) -> None:
        """Take over what is kept."""
        self.off = settings.get(SETTING) == OFF
        self.messages = {str(number): ChatMessage(*row) for number, row in rows.items()}

    async def say(self, seat: int, text: str = "", gesture: str = "") -> None:
        """Tell a text, or a gesture, to everybody. Raises ChatError, StoreError."""
        if self.off:
            raise ChatError(phrase("errors", "Whoever began this table has turned messages off."))
        told = "" if gesture else plain(text)
        limits = self._post.limits
        bucket = self._buckets.setdefault(seat, Bucket(limits.said, limits.said_each_second))
        if not bucket.take():
            raise ChatError(phrase("errors", "You are sending messages too fast. Wait a moment."))
        row = seat, int(self._post.clock.now()), told, gesture
        number = await self._post.kept(lambda store: store.say(self._game, row, MOST))
        self.messages[str(number)] = ChatMessage(*row)
        for old in list(self.messages)[:-MOST]:
            del self.messages[old]

    async def turn(self, on: bool) -> Mapping[str, str]:
        """Turn messages on or off, for everybody; the setting. Raises StoreError."""
        setting = {SETTING: "" if on else OFF}
        await self._post.kept(lambda store: store.put_settings(self._game, setting))
        self.off = not on
        return setting


def plain(text: str) -> str:
    """A text in one line, without characters that show nothing or turn others round. Raises ChatError where nothing is
    left, or too much, in all or over one letter."""
    kept = (letter for letter in " ".join(text.split()) if letter in _JOINERS or category(letter) not in _UNSEEN)
    found = "".join(kept).strip()
    if not is_visible(found) or len(found) > LONGEST:
        raise ChatError(phrase("errors", "A message must have 1 to {count} characters.", count=LONGEST))
    if has_stacked_marks(found):
        raise ChatError(phrase("errors", "Too many signs stand over one letter; leave some out."))
    return found
