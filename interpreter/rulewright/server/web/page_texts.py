"""Texts of the page, by the names under which its modules ask for them."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping

from rulewright.i18n import grammar
from rulewright.i18n.languages import languages
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.publish import lessons
from rulewright.server.web import protocol
from rulewright.server.web.end_texts import END_WORDS
from rulewright.server.web.seat_texts import SEAT_WORDS

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
    "play now": phrase("page", "Play now"),
    # finding a game
    "find game": phrase("page", "Find a game"),
    # For translators: What a game is played with: the buttons that show only such games.
    "played with cards": phrase("page", "Cards"),
    "played with board": phrase("page", "Board"),
    "played with dice": phrase("page", "Dice"),
    # For translators: Any number of players, any duration.
    "any": phrase("page", "any"),
    # For translators: A duration, as in 'up to 30 min'.
    "up to": phrase("page", "up to {what}"),
    "games found": phrase("page", "Games: {count}"),
    "no such game": phrase("page", "No game fits."),
    "all games": phrase("page", "Show all games"),
    # For translators: Stands before how many players the computer plays for.
    "computer opponents": phrase("page", "Computer opponents"),
    # For translators: The name of a player who has not told another one.
    "guest": phrase("page", "Guest"),
    "file changed": phrase("page", "The file has changed since the server started. New tables use the new version."),
    "file broken": phrase("page", "The file now has a mistake. New tables use the last version that worked."),
    "differs from": phrase("page", "What is different from {edition}"),
    "differs in": phrase("page", "What is different in {edition}"),
    # For translators: Stands before the editions of one game.
    "editions": phrase("page", "Editions"),
    # For translators: Stands before the sizes of a board, such as '9 × 9' and '13 × 13'.
    "sizes": phrase("page", "Sizes"),
    "instead": phrase("page", "{now} instead of {before}"),
    "rule new": phrase("rulebook", "New"),
    "rule changed": phrase("rulebook", "Changed"),
    "rule gone": phrase("rulebook", "Gone"),
    "players": phrase("page", "Players"),
    # For translators: How long a game takes.
    "duration": phrase("page", "Duration"),
    **SEAT_WORDS,
    "start": phrase("page", "Begin"),
    "minutes": phrase("page", "{minutes} min"),
    # For translators: Said where none of a game's options is chosen.
    "standard rules": phrase("page", "standard rules"),
    "changed": phrase("page", "changed"),
    "your tables": phrase("page", "Your tables"),
    "forget": phrase("page", "Remove"),
    # For translators: Said of a game that has ended.
    "over": phrase("page", "over"),
    "rulebook": phrase("page", "Rules"),
    "language": phrase("page", "Language"),
    # before the game
    "invites you": phrase("page", "{name} invites you to {game}"),
    "invited": phrase("page", "You are invited to {game}"),
    "in a minute": phrase("page", "The game in a minute"),
    # For translators: A button that opens a game's rules on one screen.
    "how to play": phrase("page", "How to play"),
    "invite friends": phrase("page", "Invite friends"),
    "group link": phrase(
        "page",
        "Send this link to everybody you want to play with. Whoever opens it gets the next free seat; whoever comes "
        "too late can watch.",
    ),
    "link for all": phrase("page", "One link for all"),
    "fill seats": phrase("page", "Start now with the computer on the empty seats"),
    "one more here": phrase("page", "Somebody else at this device"),
    # For translators: A button that opens what a phone has for sending something to others.
    "share link": phrase("page", "Send …"),
    "all seated": phrase("page", "All seats are taken by now, so you are watching."),
    "links": phrase("page", "Invite links"),
    "links are secret": phrase("page", "Anyone with a link can use it. Give each of these to one person."),
    "seat links": phrase("page", "A link for each seat"),
    "only here": phrase("page", "So far, this link opens on this computer only."),
    "other devices": phrase("page", "How friends join from other devices"),
    "serve others": phrase(
        "page",
        "Start the server again with --host 0.0.0.0, open this computer's address in your network, and send the link "
        "from there.",
    ),
    "qr code": phrase("page", "The link as a QR code"),
    "other device": phrase("page", "Go on with another device"),
    "lost link": phrase("page", "Somebody has lost their link"),
    "new link": phrase("page", "A new link"),
    "invite": phrase("page", "A seat"),
    "watch": phrase("page", "To watch"),
    "copy": phrase("page", "Copy"),
    "copied": phrase("page", "Copied."),
    "copy moves": phrase("page", "Copy the moves"),
    # For translators: {what}: a format of files, such as PGN.
    "save as": phrase("page", "Save as {what}"),
    # For translators: Beside a list of moves in short, such as 'Nf3': tells them in sentences.
    "in words": phrase("page", "In words"),
    # For translators: The list of moves in short, such as 'Nf3', instead of sentences.
    "as notation": phrase("page", "As notation"),
    # For translators: Said of a seat where nobody sits yet.
    "open seat": phrase("page", "free"),
    "sit down": phrase("page", "Sit down"),
    "waiting for people": phrase("page", "The game starts once everyone is seated."),
    "your link": phrase("page", "Your own link: it brings you back to this seat, on any device"),
    # who is there
    "there": phrase("page", "here"),
    "away": phrase("page", "not here"),
    "away since": phrase("page", "not here since {when}"),
    "awaited": phrase("page", "{name} is invited"),
    "rematch": phrase("page", "Rematch"),
    "wants a rematch": phrase("page", "{name} would like to play again with all of you."),
    "rematch is wanted": phrase("page", "There is a new table for all of you."),
    "join rematch": phrase("page", "Join in"),
    "they play again": phrase("page", "They play again, at another table."),
    "watch there": phrase("page", "Watch there"),
    "rematch is told": phrase("page", "Those who were there before see your invitation on their screens."),
    # at the table
    "your turn": phrase("page", "Your turn"),
    # For translators: Said of a player who is asked now.
    "waiting": phrase("page", "deciding"),
    # For translators: Said of a player who has answered.
    "ready": phrase("page", "ready"),
    # For translators: Said of a player who plays on the reader's side.
    "partner": phrase("page", "your partner"),
    "round": phrase("page", "Round"),
    # For translators: What each round has brought every player.
    "score sheet": phrase("page", "Score sheet"),
    "in round": phrase("log", "Round {round}"),
    # For translators: Over a column: the points that the round that has just ended has brought.
    "this round": phrase("page", "This round"),
    "table": phrase("page", "Table"),
    "log": phrase("page", "What happened"),
    # For translators: Said of cards that a player has chosen and nobody else may see yet.
    "sealed": phrase("page", "Yours, face down"),
    "take back": phrase("page", "Take back"),
    # For translators: Two settings of playing cards: each suit has a colour; the hand lies by ranks, not by suits.
    "suits in colours": phrase("page", "A colour for each suit"),
    "sort by rank": phrase("page", "Sort my cards by rank"),
    # For translators: Beside that setting.
    "sort by hand": phrase("page", "You can also drag cards to other places in your hand."),
    # For translators: A small button beside the cards in one's hand.
    "sort ranks": phrase("page", "Sort by rank"),
    "sort suits": phrase("page", "Sort by suit"),
    # For translators: Read out at a card: the cards of the player's hand that make a set or a run with it.
    "sort group": phrase("page", "Goes together: {pieces}"),
    # For translators: A button: look once more at the cards that somebody took last, such as a trick.
    "last taken": phrase("page", "Last trick"),
    "confirm": phrase("page", "Confirm"),
    # For translators: A button that picks everything that may be picked, such as all dice or all cards.
    "all": phrase("page", "All"),
    # For translators: One of several dice in a row, by its place from the left; what it shows follows.
    "nth die": phrase("page", "Die {number}"),
    # For translators: A setting: each move is made only when a button is pressed.
    "confirm moves": phrase("page", "Confirm moves"),
    # For translators: A button under a question for a number, which is given by it.
    "answer number": phrase("page", "Choose {number}"),
    # For translators: Beside a bid, after the picture of what one pays with: what one has, and would have left.
    "purse": phrase("page", "You have {have}, {left} left after this."),
    # For translators: Beside a bid of more than one has: how much is missing.
    "purse short": phrase("page", "You have {have}: {short} too few."),
    # For translators: A button beside a bid: to bid more than one can pay from what one has.
    "beyond purse": phrase("page", "More than I have…"),
    "all the same": phrase("page", "Do you still want to do this?"),
    "rather not": phrase("page", "No, go back"),
    # For translators: Buttons beside a number, which make it smaller or greater.
    "less": phrase("page", "Less: −{number}"),
    "greater": phrase("page", "More: +{number}"),
    "nothing": phrase("page", "Nothing"),
    # For translators: Read out in brackets after a player's name: their card of this trick still has to be played.
    "still to come": phrase("page", "still to come"),
    # For translators: Read out in brackets after the name of the player whose card would take the trick now.
    "leads so far": phrase("page", "leads so far"),
    # For translators: Why a card cannot be played: only cards of this suit can, or only this card.
    "only now": phrase("page", "Only {what} now."),
    # For translators: Why a card cannot be played: no card of this suit can.
    "not now": phrase("page", "No {what} now."),
    "not this": phrase("page", "Not this one now."),
    # For translators: Why a space of a board cannot be chosen. {space} is its name, such as 'c4' or '22'.
    "refused here": phrase("page", "You cannot choose {space} now."),
    "refused there": phrase("page", "It cannot go to {space}."),
    "refused taken": phrase("page", "{space} is not free."),
    "refused empty": phrase("page", "Nothing lies on {space}."),
    "refused other": phrase("page", "What lies on {space} belongs to {name}."),
    "refused own": phrase("page", "What lies on {space} is yours."),
    "refused apart": phrase("page", "{space} is not next to anything of yours."),
    "refused far": phrase("page", "{space} is not next to it."),
    # For translators: Behind 'You cannot choose c4 now.': the sign is a button that shows the rule.
    "refused rule": phrase("page", "Tap ? for the rule."),
    # For translators: Why another piece cannot move: {what}, such as 'white king', is in check.
    "refused threat": phrase("page", "Save this first: {what}."),
    # For translators: Before the names of those who have not passed yet, as in an auction.
    "still in": phrase("page", "Still in"),
    "question": phrase("page", "Question"),
    # For translators: A button that leads there with the keyboard.
    "to the question": phrase("page", "Skip to the question"),
    # For translators: A button that shows all that lies before a player.
    "more about": phrase("page", "More about {name}"),
    "how": phrase("page", "What are the rules?"),
    # For translators: The same at the first question of a game that somebody has not played here before.
    "new here": phrase("page", "New to this?"),
    "nothing told": phrase("page", "The rules say nothing about it."),
    "close": phrase("page", "Close"),
    # For translators: Stands on a button with three lines, which opens a list of what else the page can do.
    "more": phrase("page", "Menu"),
    "board": phrase("page", "Board"),
    # For translators: Said of the reader's own piece, in brackets behind its name.
    "yours": phrase("page", "yours"),
    "larger": phrase("page", "Larger"),
    "turn": phrase("page", "Turn the board"),
    "legend": phrase("page", "What the board shows"),
    # For translators: Said of a space of a board from or to which a piece has just moved.
    "last move": phrase("page", "last move"),
    # For translators: Said of a space whose piece the other player may take next, such as a king in check.
    "threatened": phrase("page", "in danger"),
    "number": phrase("page", "Number"),
    "power": phrase("table", "power in force"),
    "computer": phrase("page", "computer"),
    "watching": phrase("page", "You are watching."),
    # For translators: Names of the players who are asked now.
    "waiting for": phrase("page", "Waiting for {names}"),
    "others decide": phrase("page", "Waiting for the others"),
    # For translators: Said of a move that is made by itself when one is asked for it.
    "planned": phrase("page", "planned"),
    # keys
    # For translators: The title of a list of the keyboard's keys.
    "keyboard": phrase("page", "Keys"),
    "key part": phrase("page", "to the next part of the table"),
    "key arrows": phrase("page", "from one thing to the next"),
    "key sort": phrase("page", "lay a card elsewhere in your hand"),
    "key answers": phrase("page", "to the next answer, or the one before"),
    # For translators: Beside letters of the keyboard: they lead to what has a name that begins so.
    "key letters": phrase("page", "to what begins with these letters"),
    "key enter": phrase("page", "take it"),
    "key escape": phrase("page", "let it go"),
    "key keys": phrase("page", "these keys"),
    # learning
    **lessons.WORDS,
    # For translators: A button: play the next lesson; or go on at once, though there would be time to take back.
    "go on": phrase("page", "Go on"),
    "skip": phrase("page", "Skip"),
    "first round": phrase("page", "Play a first game"),
    "first round told": phrase(
        "page",
        "A real game against easy computer players. Each question comes with its rule, until you turn hints off.",
    ),
    "hints": phrase("page", "Hints"),
    "rule and example": phrase("page", "More, with an example"),
    "example": phrase("rulebook", "Example"),
    "try it": phrase("page", "Try it"),
    # looking back
    "step through": phrase("page", "Look back"),
    "since last look": phrase("page", "Since you last looked"),
    "step": phrase("page", "Step {step} / {last}"),
    "earlier": phrase("page", "One step back"),
    "later": phrase("page", "One step on"),
    "first step": phrase("page", "To the beginning"),
    "last step": phrase("page", "To the last step"),
    "play": phrase("page", "Play automatically"),
    "now": phrase("page", "Back to now"),
    "continue": phrase("page", "Continue"),
    # For translators: How fast one is shown what others do.
    "pace": phrase("page", "Pace"),
    "pace slow": phrase("page", "slow"),
    "pace usual": phrase("page", "usual"),
    "pace fast": phrase("page", "fast"),
    "pace at once": phrase("page", "at once"),
    "dismiss": phrase("page", "Not now"),
    **END_WORDS,
    # what people say to each other
    "messages": phrase("page", "Messages"),
    "chat wanted": phrase("page", "Players may send each other messages"),
    "your message": phrase("page", "Your message"),
    # For translators: A button: send a message.
    "send": phrase("page", "Send"),
    "only players say": phrase("page", "Only those who play can send messages."),
    "messages are off": phrase("page", "Messages are turned off."),
    "turn messages off": phrase("page", "Turn messages off for everybody"),
    "allow messages": phrase("page", "Allow messages"),
    # For translators: Not to see any more what somebody says.
    "mute": phrase("page", "Mute somebody"),
    "mute one": phrase("page", "Mute {name}"),
    "muted here": phrase("page", "Only this device then hides what they say. Nobody else is told."),
    # For translators: What players say with one tap, at the beginning of a game.
    "gesture luck": phrase("page", "Good luck, have fun!"),
    "gesture played": phrase("page", "Well played!"),
    "gesture thanks": phrase("page", "Thanks!"),
    "gesture sorry": phrase("page", "Sorry!"),
    # For translators: What a player says who needs some time.
    "gesture wait": phrase("page", "One moment, please."),
    "gesture hurry": phrase("page", "Hurry up, please."),
    # For translators: The name of a sign, ☺.
    "gesture smile": phrase("page", "Smile"),
    # For translators: The name of a sign, ☹.
    "gesture frown": phrase("page", "Frown"),
    # leaving, and coming back
    "menu": phrase("page", "Game menu"),
    "leave": phrase("page", "Let the computer play for me"),
    "leave for": phrase("page", "Let the computer play for {name}"),
    "plays for you": phrase("page", "The computer plays for you."),
    "i am back": phrase("page", "I am back"),
    "concede": phrase("page", "Concede"),
    "conceding": phrase(
        "page", "You concede for good. The game ends if nobody is left to play; else the computer plays on for you."
    ),
    "conceding to": phrase("page", "You concede, and {name} wins."),
    "concede for good": phrase("page", "Yes, I concede"),
    "offer draw": phrase("page", "Offer a draw"),
    "ask undo": phrase("page", "Ask to take back my move"),
    "call off": phrase("page", "Call the game off"),
    "no result": phrase("page", "Nobody has really begun yet: the game ends without a result."),
    "offers draw": phrase("page", "{name} offers a draw."),
    "agrees": phrase("page", "{name} agrees."),
    "declines": phrase("page", "{name} declines."),
    # For translators: A proposal is taken back by whoever has made it.
    "withdraws": phrase("page", "{name} withdraws the offer."),
    "asks undo": phrase("page", "{name} would like to take a move back."),
    "you offered draw": phrase("page", "You have offered a draw."),
    "you asked undo": phrase("page", "You have asked to take your move back."),
    "agree": phrase("page", "Accept"),
    "refuse": phrase("page", "Decline"),
    "withdraw": phrase("page", "Withdraw"),
    "proposal": phrase("page", "Proposal"),
    "you conceded": phrase("page", "You conceded. The computer plays on."),
    # For translators: Said of a player who has given up.
    "has conceded": phrase("page", "conceded"),
    "you gave up": phrase("page", "You conceded."),
    # For translators: Said of a player who is away: the computer plays for them.
    "stands in": phrase("page", "away; the computer plays"),
    "you know it": phrase("page", "you know it"),
    "report": phrase("page", "Report a fault"),
    "report mine": phrase("page", "Makes a file of what you know of this game, without anybody's secrets."),
    "report all": phrase("page", "Makes a file of the whole game, with all that was hidden."),
    "time for each move": phrase("page", "Time for each move"),
    "no clock": phrase("page", "as long as you like"),
    "time runs out": phrase("page", "When somebody's time runs out, the computer plays for them until they are back."),
    "new game": phrase("page", "A new game"),
    "rest": phrase("page", "More"),
    # several people at one device
    # For translators: Said when one of several people at one device is to take it.
    "pass the device": phrase("page", "Pass the device to {name}"),
    "nobody else looks": phrase("page", "What {name} holds and chooses stays covered until then."),
    "it is me": phrase("page", "I am {name}"),
    # trouble
    "connecting": phrase("page", "Connecting …"),
    "lost": phrase("page", "The connection is lost. Trying again …"),
    "offline": phrase("page", "This device is offline. Trying again …"),
    # For translators: A network, or a program on the reader's device, lets pages through but no live connection.
    "filtered": phrase(
        "page",
        "This network blocks the live connection (websocket) that a table needs. Try another network, or ask whoever "
        "runs this one. Trying again …",
    ),
    # For translators: Said while an answer is on its way to the server, which takes longer than usual.
    "sending": phrase("page", "Sending …"),
    "answer waits": phrase("page", "Your answer is not sent yet. It goes out as soon as the server is back."),
    "not sent": phrase("page", "There is no connection: that was not sent."),
    # For translators: Said where a browser refuses to keep site data.
    "forgetful": phrase(
        "page", "This browser keeps nothing for this page. You can play; to come back later, save this page's address."
    ),
    "older copy": phrase("errors", "The server went back to an older copy of its tables: the last answers are lost."),
    "no link": phrase("page", "This page opens only with a valid link. Begin a game, or ask whoever invited you."),
    "loading": phrase("page", "One moment …"),
    "welcome": phrase(
        "page",
        "Play board and card games here, against the computer or with friends. You need no account, and short lessons "
        "teach you the games.",
    ),
    "not listed": phrase("page", "The games could not be loaded."),
    "try again": phrase("page", "Try again"),
}
"""Texts of the table's pages, by the names that scripts use."""

_LATER = (
    *("agrees", "allow messages", "as picture", "asks undo", "at the end", "boards lie", "came of it", "chances"),
    *("concede for good", "conceding", "confirm moves", "copied", "decisive", "declines", "earlier decision"),
    *("file broken", "file changed", "fill seats", "first step", "group link", "how sure", "in a minute"),
    *("in the game", "invite friends", "invited", "invites you", "judging", "key ", "last step", "later decision"),
    *("led since", "link for all", "links are secret", "lost link", "mark ", "may follow", "messages are off"),
    *("muted here", "new link", "next mistake", "nobody else looks", "not now", "not this", "offers draw"),
    *("one more here", "only here", "only now", "only players say", "other devices", "other side", "own lead since"),
    *("pace ", "pass the device", "plan moves", "points from", "print", "qr code", "refused ", "rematch is told"),
    *("replay link", "report all", "report mine", "save as", "serve others", "share link", "show coordinates"),
    *("since last look", "sit down", "sort ", "table then", "turn messages off", "waiting for people", "whole game"),
    *("why move", "withdraws", "you asked", "you conceded", "you gave", "you offered", "your link", "your message"),
)
"""Beginnings of the names of texts that the first view of a table does without: its scripts ask for them later."""
LATER_WORDS = {name: text for name, text in WORDS.items() if name.startswith(_LATER)}


def words(localizer: Localizer) -> dict[str, str]:
    """Return the page's texts in a language."""
    return {name: localizer.template(text) for name, text in WORDS.items()}


def describe_language(localizer: Localizer, phrases: Mapping[str, Phrase] = WORDS) -> dict[str, object]:
    """Return what a page needs of a language: its direction, whether it writes digits as English does, and texts by
    name; also the protocol's version, and all languages with their own names."""
    return {
        "protocol": protocol.VERSION,
        "language": localizer.language,
        "direction": "rtl" if localizer.right_to_left else "ltr",
        "plain": localizer.number(0) == "0",
        "languages": [(code, grammar.own_name(code)) for code in languages()],
        "words": {name: localizer.template(text) for name, text in phrases.items()},
    }


def with_words(page: bytes, localizer: Localizer, unused: Collection[str] = ()) -> bytes:
    """Return a page's markup with the texts in a language, and the time of the server, in an element of the head.
    unused: names of texts that the page does without."""
    phrases = {name: text for name, text in WORDS.items() if name not in unused}
    described = {**describe_language(localizer, phrases), "time": time.time()}
    texts = json.dumps(described, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    tag, direction = localizer.language.replace("_", "-"), described["direction"]
    element = f'<script type="application/json" id="words">{texts}</script>\n</head>'
    result = page.replace(b'<html lang="en">', f'<html lang="{tag}" dir="{direction}">'.encode(), 1)
    return result.replace(b"</head>", element.encode(), 1)
