"""Texts of the page about who sits at a table and how they are told that it is their turn, by the names under which its
modules ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.localizer import Phrase, phrase

SEAT_WORDS: Mapping[str, Phrase] = {
    "seats": phrase("page", "Seats"),
    "options": phrase("page", "Options"),
    "back": phrase("page", "Other games"),
    "add a seat": phrase("page", "Another seat"),
    "remove seat": phrase("page", "Remove seat {number}"),
    "who sits here": phrase("page", "Who sits here"),
    "your name": phrase("page", "Your name"),
    "name": phrase("page", "Name"),
    # For translators: Said of the reader's own seat, in a list with 'Computer: hard' and 'A friend, by a link'.
    "you": phrase("page", "You"),
    "here": phrase("page", "Somebody at this device"),
    "friend": phrase("page", "A friend, by a link"),
    "easy": phrase("page", "Computer: easy"),
    "medium": phrase("page", "Computer: medium"),
    "hard": phrase("page", "Computer: hard"),
    "best": phrase("page", "Computer: best"),
    # For translators: How well the computer plays, in small letters beside the name of one of its players.
    "plays easy": phrase("page", "easy"),
    "plays medium": phrase("page", "medium"),
    "plays hard": phrase("page", "hard"),
    "plays best": phrase("page", "best"),
    # For translators: Who plays on all seats but the reader's.
    "all others": phrase("page", "All others"),
    # For translators: A button after 'Computer: medium' for all others: to choose for each seat by itself.
    "each its own": phrase("page", "Choose each"),
    # For translators: A player that was trained for this game, by the name of its file.
    "trained": phrase("page", "Computer: trained as {name}"),
    "trained seats": phrase("page", "Computer: trained as {name} (only at tables of {seats})"),
    "learned seats": phrase("page", "It has learned to play at tables of {seats}, virtual players among them."),
    # For translators: Stands over the choice of a seat at a table for two: its colour, first, second, or or at random.
    "your side": phrase("page", "You play"),
    "at random": phrase("page", "at random"),
    "first seat": phrase("page", "first"),
    "second seat": phrase("page", "second"),
    "virtual player": phrase("page", "Virtual player"),
    # how it is told that it is somebody's turn
    # For translators: Opens what a reader can choose: pace, sounds, coordinates.
    "settings": phrase("page", "Settings"),
    "kept here": phrase("page", "Kept on this device."),
    "sound": phrase("page", "Sounds"),
    "plan moves": phrase("page", "Plan a move while others decide"),
    "show coordinates": phrase("page", "Coordinates on boards"),
    "other side": phrase("page", "See boards from the other side"),
    # For translators: A wide board stands upright on a phone. This setting lays it across the screen.
    "boards lie": phrase("page", "Show boards wide, not upright"),
    # For translators: Title of a list of the marks on a board: each is drawn there, with one of the texts below.
    "mark key": phrase("page", "Marks on the board"),
    "mark pick": phrase("page", "You can pick this"),
    "mark go": phrase("page", "You can play here"),
    "mark capture": phrase("page", "You can capture this"),
    "mark ghost": phrase("page", "Your piece would land here"),
    "mark came": phrase("page", "Last move: it came here"),
    "mark left": phrase("page", "Last move: it left from here"),
    "mark altered": phrase("page", "The last move changed this"),
    "mark threatened": phrase("page", "In danger"),
    # For translators: Pieces that the edition highlights, such as a line that somebody has just closed.
    "mark lit": phrase("page", "Highlighted by the rules"),
    "mark pale": phrase("page", "Does not count any more"),
    "mark area": phrase("page", "Belongs to this player"),
    "mark won": phrase("page", "Wins the game"),
    "signals": phrase("page", "Turn alerts"),
    "always told": phrase("page", "This page's title and icon always tell you."),
    "show a notification": phrase("page", "Show a notification while you look elsewhere"),
    "not secure": phrase(
        "page", "Notifications need an address that begins with https. Sound, title and icon work here."
    ),
    "no notifications": phrase("page", "This browser shows no notifications here. Sound, title and icon work."),
    "blocked": phrase("page", "Your browser blocks notifications from this page. You can allow them in its settings."),
    "install": phrase("page", "Install this page as an app"),
}
