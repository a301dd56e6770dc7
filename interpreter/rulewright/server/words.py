"""The words of the page, by the names under which its modules ask for them."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.speech import Phrase, Speech, phrase

WORDS: Mapping[str, Phrase] = {
    # signs
    "entry": phrase("form", "{label}: {what}"),
    "noted": phrase("form", "{what} ({note})"),
    "times": phrase("form", "{what} ×{count}"),
    "span": phrase("form", "{low}–{high}"),
    "next": phrase("form", "{what},"),
    "placed": phrase("form", "{rank}. {what}"),
    # the first page
    "which game": phrase("page", "Which game?"),
    "players": phrase("page", "Players"),
    "seats": phrase("page", "Seats"),
    "options": phrase("page", "Options"),
    "back": phrase("page", "Other games"),
    "add a seat": phrase("page", "Another seat"),
    "remove seat": phrase("page", "Remove this seat {number}"),
    "who sits here": phrase("page", "Who sits here"),
    "your name": phrase("page", "Your name"),
    "name": phrase("page", "Name"),
    "here": phrase("page", "Somebody at this device"),
    "friend": phrase("page", "A friend, by a link"),
    "random": phrase("page", "The computer, at random"),
    "greedy": phrase("page", "The computer, quick"),
    "search": phrase("page", "The computer, thinking"),
    "virtual player": phrase("page", "Virtual player"),
    "start": phrase("page", "Begin"),
    "minutes": phrase("page", "{minutes} minutes"),
    "as usual": phrase("page", "as usual"),
    "changed": phrase("page", "changed"),
    "your tables": phrase("page", "Your tables"),
    "forget": phrase("page", "Take off this list"),
    # For translators: Said of a game that has ended.
    "over": phrase("page", "over"),
    "rulebook": phrase("page", "Rules"),
    "language": phrase("page", "Language"),
    # before the game
    "links": phrase("page", "Links to give away"),
    "links are secret": phrase("page", "Whoever has a link may do what it is for. Give each of them to one person."),
    "only here": phrase(
        "page",
        "This page's address leads nowhere on other devices. For friends, begin the server with --host 0.0.0.0 and "
        "open this computer's address in your network.",
    ),
    "qr code": phrase("page", "The link as a QR code"),
    "other device": phrase("page", "Go on with another device"),
    "lost link": phrase("page", "Somebody has lost their link"),
    "new link": phrase("page", "A new link"),
    "invite": phrase("page", "A seat"),
    "watch": phrase("page", "To watch"),
    "copy": phrase("page", "Copy"),
    "copied": phrase("page", "Copied."),
    # For translators: Said of a seat where nobody sits yet.
    "open seat": phrase("page", "free"),
    "sit down": phrase("page", "Sit down"),
    "waiting for people": phrase("page", "The game begins when everybody sits."),
    "your link": phrase("page", "Your own link: it brings you back to this seat, on any device"),
    # at the table
    "your turn": phrase("page", "Your turn"),
    # For translators: Said of a player who is asked now.
    "waiting": phrase("page", "deciding"),
    # For translators: Said of a player who has answered.
    "ready": phrase("page", "ready"),
    "round": phrase("page", "Round"),
    "in round": phrase("log", "Round {round}"),
    "table": phrase("page", "Table"),
    "log": phrase("page", "What happened"),
    # For translators: Said of cards that a player has chosen and nobody else may see yet.
    "sealed": phrase("page", "Yours, face down"),
    "take back": phrase("page", "Take back"),
    "confirm": phrase("page", "Confirm"),
    "nothing": phrase("page", "Nothing"),
    "question": phrase("page", "Question"),
    "how": phrase("page", "What are the rules?"),
    "nothing told": phrase("page", "The rules say nothing about it."),
    "close": phrase("page", "Close"),
    "board": phrase("page", "Board"),
    "choose on the board": phrase("page", "Choose on the board"),
    "larger": phrase("page", "Larger"),
    "whole hand": phrase("page", "Show all of it"),
    "legend": phrase("page", "What the board shows"),
    "number": phrase("page", "Number"),
    "power": phrase("table", "power in force"),
    "computer": phrase("page", "computer"),
    "watching": phrase("page", "You are watching."),
    "others decide": phrase("page", "Others decide now."),
    # looking back
    "step through": phrase("page", "Look back"),
    "since last look": phrase("page", "Happened since you last looked"),
    "step": phrase("page", "Step {step} / {last}"),
    "earlier": phrase("page", "One step back"),
    "later": phrase("page", "One step on"),
    "first step": phrase("page", "To the beginning"),
    "last step": phrase("page", "To the last step"),
    "play": phrase("page", "Play on by itself"),
    "now": phrase("page", "Back to now"),
    "dismiss": phrase("page", "Leave it"),
    # at its end
    "replay": phrase("page", "Watch the whole game"),
    "share": phrase("page", "Share the replay"),
    "replay link": phrase("page", "Whoever has this link can watch the whole game, as an onlooker saw it"),
    "curve": phrase("page", "The course of the game"),
    "as a table": phrase("page", "As a table"),
    "result": phrase("page", "Result"),
    "rank": phrase("page", "Rank"),
    "total": phrase("page", "Total"),
    "save": phrase("page", "Save the game"),
    "new game": phrase("page", "A new game"),
    # trouble
    "connecting": phrase("page", "Connecting …"),
    "lost": phrase("page", "The connection is lost. It is tried again …"),
    "no link": phrase("page", "This page needs a link with a token. Begin a game, or ask who invited you."),
    "loading": phrase("page", "One moment …"),
}


def words(said: Speech) -> dict[str, str]:
    return {name: said.template(told) for name, told in WORDS.items()}
