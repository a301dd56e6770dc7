"""Log of a game in progress, for somebody who only watches."""

from __future__ import annotations

from rulewright.game.log import LogLine
from rulewright.i18n.localizer import phrase
from rulewright.players.session import Session
from rulewright.publish import log_sections
from rulewright.publish.console import Styled
from rulewright.terminal.pace import Pace


class LogFollower:
    """Follower of a game's log, which shows each line once. lines: number of those shown; round: of the last one;
    headed: whether a heading has been shown; heading: the last one, if nothing was told below it yet."""

    def __init__(self, session: Session, pace: Pace) -> None:
        self.game, self.pace, self.console = session.game, pace, pace.console
        self.lines, self.round, self.headed = 0, 0, False
        self.heading: LogLine | None = None

    def tell(self) -> None:
        """Show what happened since the last time; a pace that waits does so before each round but the first. Raises
        UserQuit, EndOfInput."""
        new = self.game.log.lines(None, self.lines, self.console.localizer.language)
        self.lines += len(new)
        for line in new:
            if line.heading:
                if line.round != self.round:
                    if self.round and self.pace.waits:
                        self.pace.wait()
                    self.round = line.round
                    heading = phrase("log", "Round {round}", round=line.round)
                    self.console.write_line(Styled(self.console.translate(heading), "strong"))
                self.heading, self.headed = line, True
                continue
            if self.heading is not None:
                self.console.write_lines(log_sections.heading_lines(self.console, self.heading))
                self.heading = None
            self.console.write_lines(log_sections.paragraph_lines(self.console, line, "    " if self.headed else "  "))
