"""The log of a game as it grows, for somebody who only watches."""

from __future__ import annotations

from rulewright.i18n.speech import phrase
from rulewright.players.session import Session
from rulewright.publish import chronicle
from rulewright.publish.console import Styled
from rulewright.terminal.pace import Pace


class Running:
    """What has been told so far: lines of the log, and headings among them."""

    def __init__(self, session: Session, pace: Pace) -> None:
        self.game, self.pace, self.console = session.game, pace, pace.console
        self.lines, self.headings = 0, 0
        self.heading: str | None = None

    def tell(self) -> None:
        """What has happened since the last time. Raises Left."""
        phases = max(1, len(self.game.program.phases))
        new = self.game.log(None, self.lines, self.console.speech.language)
        self.lines += len(new)
        for line in new:
            if line.heading:
                if self.headings % phases == 0:
                    if self.headings and self.pace.waits:
                        self.pace.wait()
                    told = phrase("log", "Round {round}", round=1 + self.headings // phases)
                    self.console.say(Styled(self.console.told(told), "strong"))
                self.headings += 1
                self.heading = line.text
                continue
            if self.heading is not None:
                self.console.say("  ", Styled(self.heading, "key"))
                self.heading = None
            self.console.lines(chronicle.line(self.console, line, "    " if self.headings else "  "))
