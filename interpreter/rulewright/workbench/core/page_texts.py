"""Words of the workbench's own page; each pane has its own beside its routes."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.localizer import Phrase, phrase

WORDS: Mapping[str, Phrase] = {
    "workbench": phrase("design", "Workbench"),
    "source": phrase("design", "Source"),
    "files": phrase("design", "Files"),
    "open file": phrase("design", "Open a file"),
    "no file": phrase("design", "There is no game in this folder yet."),
    "saved": phrase("design", "Saved"),
    "saving": phrase("design", "Saving …"),
    "bench gone": phrase("design", "The workbench has ended. Start it again; what you type is kept in this browser."),
    "bench gone unkept": phrase(
        "design", "The workbench has ended. Start it again before you close this window: what you type is only here."
    ),
    "unsaved": phrase("design", "Not saved"),
    "sound rules": phrase("design", "No mistakes"),
    # For translators: How many mistakes a rule file has.
    "mistakes": phrase("design", "{count} to mend"),
    # For translators: How many things in a rule file are probably not meant, such as a zone that nothing uses.
    "doubts": phrase("design", "{count} to look at"),
    "changed on disk": phrase("design", "Another program has changed this file."),
    "gone on disk": phrase("design", "Another program has deleted this file."),
    "keep mine": phrase("design", "Keep what is here"),
    "take theirs": phrase("design", "Take what is on disk"),
    "both kept": phrase("design", "The other one stays in the history."),
    "write again": phrase("design", "Write it again"),
    "gone told": phrase("design", "What it said is here and in the history."),
    "merged": phrase("design", "Another program has changed this file, too. You see both changes together."),
    "compare": phrase("design", "Compare"),
    "compare close": phrase("design", "Close"),
    "compare conflict": phrase("design", "What is on disk, and what is different here"),
    "compare copy": phrase("design", "What the file says, and what is different in what you typed"),
    "copy there": phrase("design", "You typed this while the workbench had ended, and it is not in the file yet."),
    "copy back": phrase("design", "Put it in"),
    "copy drop": phrase("design", "Throw it away"),
    "file too large": phrase("design", "A rule file has {size} bytes at most, so nothing was put in."),
    "taken over": phrase("design", "Another program has changed this file. You see what it says now."),
    "wider source": phrase("design", "How much room the source has"),
    "panes": phrase("design", "What you see beside the source"),
    "quit": phrase("design", "Quit"),
    "quit told": phrase("design", "The workbench has ended. You can close this window."),
    # For translators: What a key does in the editor; before it stands the key, such as 'F2'.
    "key complete": phrase("design", "completes what you type"),
    "key rename": phrase("design", "gives a thing another name, everywhere"),
    "key mistake": phrase("design", "goes to the next mistake"),
    "key declared": phrase("design", "goes to where a name is made"),
    "key used": phrase("design", "shows where a name is used"),
    "key find": phrase("design", "finds and replaces"),
    "key undo": phrase("design", "takes back, and does again"),
    "key comment": phrase("design", "makes lines a comment, or no longer"),
    "key format": phrase("design", "brings the file into one form"),
    "key leave": phrase("design", "leaves the editor"),
    "last good": phrase("design", "This shows the last version without mistakes."),
    "not yet": phrase("design", "As soon as the file has no mistakes, this shows your game."),
    "pane loading": phrase("design", "One moment …"),
    "keys": phrase("design", "Keys"),
    "read only": phrase("design", "Your game extends this. Read it; what you change stands in your own file."),
    "pane broken": phrase("design", "This pane has failed. The others still work."),
}
