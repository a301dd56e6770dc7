"""Hints for phrasings of other languages and games: how this language says it."""

from __future__ import annotations

import re

_PHRASINGS = (
    (r"no (?:more|greater|higher|larger) than", "Say 'is at most'."),
    (r"no (?:less|fewer|lower|smaller) than", "Say 'is at least'."),
    (r"(?:more|greater) than or equal to", "Say 'is at least'."),
    (r"(?:less|fewer) than or equal to", "Say 'is at most'."),
    (r"(?:greater|higher|larger) than", "Say 'is more than'."),
    (r"(?:fewer|lower|smaller) than", "Say 'is less than'."),
    (r"choose (?:up to )?\S+ (?:\w+ )+(?=from\b)", "Say only how many: 'choose 1 from …'."),
    (r"choose (?:up to )?\w+ (?:of|in)\b", "Say 'choose 1 from …'."),
    (r"choose from\b", "Say how many: 'choose 1 from …'."),
    (r"choose number between\b.*", "Say 'choose number from 1 to 5 as …'."),
    (
        r"(?:move|put|take|draw|deal|discard|give|swap) (?:[\w']+ )*?(?<!at )(?<!by )random\b",
        "Say 'choose at random 1 from … into …'.",
    ),
    (r"(?:move|put) (?P<what>[^()]+?) into\b", "Say 'move {what} to …'."),
    (
        r"move (?:[\w']+ )*?(?P<what>\w+) from (?P<where>[\w']+)",
        "Say 'move {what} in {where} to …', or 'move first 1 of {where} to …'.",
    ),
    (
        r"move .+ to (?=\(|first\b|last\b|\w+ of\b)[^:]*",
        "What it goes to is a zone: say 'let goal be …', then 'move … to goal's ground'.",
    ),
    (r"roll \d\w*", "Say which pieces: 'roll dice in row'."),
    (r"(?:else|default)$", "Say 'otherwise'."),
    (r"repeat until\b", "Say 'repeat while not …'."),
    (r"repeat (?P<many>\w+)$", "Say 'repeat {many} times'."),
    (r"(?:seats?|players?) (?:except|but|other than)\b|other (?:seats?|players?)", "Say 'opponents'."),
    (
        r"(?:for |go through )?(?:each|every|all) (?:of the )?(?P<what>seat|player|card|piece)s?\b",
        "Say 'each {what}: …'.",
    ),
    (r"(?<!by )(?<!, )clockwise from", "Say 'by clockwise from …'."),
    (r"divided by\b", "Say '/', and behind it 'rounded up' or 'rounded down'."),
    (r"mod(?:ulo)? \w+", "Say 'remainder of … / …'."),
    (
        r"by (?:the )?(?:most |least )?(?!highest\b|lowest\b)(?P<what>[a-z][\w']*)$",
        "Say 'highest {what}' or 'lowest {what}'.",
    ),
    (r"by .*(?:\bthen|\band) (?:highest|lowest|\w+ first)\b", "A comma stands between two keys of an order."),
    (
        r"(?P<what>[\w']+) (?:is|are) (?:not )?(?:in|on|at|inside|within) (?P<where>[\w']+)",
        "Say 'any {what} in {where}'; of spaces and other words, '{what} is among {where}'.",
    ),
    (r"(?P<what>\w+) (?:on|at) (?:the )?(?!end\b|random\b|once\b)(?P<where>[\w']+)", "Say '{what} in {where}'."),
    (r"(?:is|are) between\b.*", "Say 'is at least 1 and … is at most 3'."),
    (r"equals?\b(?: to\b)?", "Say 'is'."),
    (r"(?:true|false)\b", "Say 'yes' or 'no'."),
    (r"[\w']+ (?:contains?|includes?)\b", "Say 'any … in …', or '… is among …'."),
    (r"(?:if|and|or|not) all\b.*", "Say 'every … has …'."),
    (r"(?P<how>any|every|no) (?!.*\bhave\b).+ (?:is|are)\b", "Say '{how} … has (…)', with a condition in parentheses."),
    (r"(?P<which>max|min)(?:imum)? (?:of\b)?.*", "Say 'highest of (…, …)' or 'lowest of (…, …)'."),
    (r"-\s*[a-z]\w*", "Say '0 - …'."),
    (r"\d+\.\d+", "Numbers here are whole: say 'pot * 3 / 2 rounded up'."),
    (
        r"choose (?:number )?at random (?!\d).*|.*(?<!at )random (?:\d|number).*",
        "Say 'choose at random 1 from … as …', or 'roll' a die.",
    ),
    (r"there (?:is|are)\b", "Say 'any …', as in 'any card in hand'."),
    (r"where (?:not )?empty\b", "Say what is empty: 'where ground is empty'."),
    (r"set .+ to empty\b", "Say 'nothing'."),
    (
        r"(?<!is )(?<!are )(?<!not )empty (?P<what>\w+)",
        "Say '{what} where ground is empty', with the name of the zone.",
    ),
    (
        r"(?P<what>[\w']+) (?:has|have) (?P<how>\w+)$",
        "Say '{what}'s {how}'; 'has' follows on 'any …', 'every …' and 'no …'.",
    ),
    (r"with (?!highest\b|lowest\b)\w+", "Say 'where …', with a condition."),
    (r"(?P<who>\w+s)'(?= \w)(?: (?P<what>\w+))?", "Say '{what} of {who}'."),
    (
        r"add [\w' ]+ (?:to|at) (?:start|front|back|top|bottom|(?:the )\w+|(?<=at )end) of",
        "Say 'to end of …' or 'to beginning of …'.",
    ),
    (r"(?:set|take \S+ from) (?P<what>\w+) of (?P<who>[\w']+)", "Say '{who}'s {what}'."),
    (r"do (?P<step>[\w ]+?) (?:with |on |using )?(?=\(|\d)", "Say 'do {step} for …'."),
    (
        r"(?:be|to|if|and|is) do (?P<step>\w+)",
        "A step is done by itself: say 'do {step} as …', which makes a name for what it gives.",
    ),
    (
        r"(?P<do>take|add) (?P<many>\d+) (?P<what>\w+) (?P<way>from|to) (?P<where>[\w']+)",
        "Say '{do} {many} {way} {where}', or '{do} {many} {way} {where} for {what}'.",
    ),
    (
        r"(?:and|or) (?:is )?(?:less than|more than|at least|at most)\b",
        "Say it whole, as in 'pot is more than 3 and pot is less than 5'.",
    ),
    (
        r"(?P<less>(?:[\w']+ )?)(?:is|are) (?P<than>(?:at|more|less) \w+) (?P<many>\d+) (?!and\b|or\b)(?P<what>[a-z]+)",
        "Say '{less}for {what} is {than} {many}'.",
    ),
    (r"as far as (?:the )?(?:edge|border|end|wall)\b", "Say 'as far as possible'."),
    (r"of (?:[\w']+ )+(?:until|up to)\b", "Say 'as far as …', or 'as long as …'."),
    (r"in (?:a |an? \w+ )?(?:line|row)s?(?: of\b| \d+)", "Say 'A in lines of 3'."),
    (r"longest line (?:in|through|on)\b", "Say 'longest line of A', or 'longest line of A through B'."),
    (r"distance (?:from|of|to)\b.*", "Say 'distance between A and B'."),
    (r"(?:adjacent|next|close) to\b|neighbors?(?: of)?\b", "Say 'neighbours of …'."),
    (r"connected with\b|connected (?!to\b)", "Say 'connected to'."),
    (
        r"(?:edge|border) of\b",
        "Say where nothing lies on: 'where neighbours of it are empty', 'where north of it is empty'.",
    ),
    (
        r"\((?P<one>[\w']+) plus (?P<other>[\w']+)\) of (?P<where>[\w']+)",
        "Say '{one} of {where} plus {other} of {where}'.",
    ),
    (
        r"(?=as (?:far|long) as)",
        "Inside another form, a line stands in parentheses: 'number of (north of a1 as far as …)'.",
    ),
    (r"(?:the|a|an) (?=top|bottom|first|last|highest|lowest|number|total|most)", "Leave '{0}' out."),
    (r"(?P<end>top|bottom|first|last) (?:[^\W\d]+ )?of\b", "Say how many: '{end} 1 of …'."),
)
"""Patterns of phrasings, each with its hint."""

_TAKE, _ADD, _SET, _DO = "Say 'take 3 from gold'.", "Say 'add 3 to gold'.", "Say 'set … to …'.", "Say 'do …'."
_DRAW, _MOVE = "Say 'move top 3 of deck to hand'.", "Say 'move … to …', with a zone."
_TURN = "Say 'move … to …', with a zone that others see; 'show … to …' is a look alone."
_END, _IF = "Say 'end loop', 'end step', 'end phase' or 'end game'.", "Say 'if …', and 'otherwise:' below it."
_WON = "Say 'end game': who has won is told by 'scoring' and 'ranking'."

_BEGINNINGS = {
    **dict.fromkeys(("pay", "spend", "lose", "decrease", "reduce", "subtract"), _TAKE),
    **dict.fromkeys(("gain", "get", "earn", "receive", "score", "increase"), _ADD),
    **dict.fromkeys(("draw", "deal"), _DRAW),
    **dict.fromkeys(("put", "place", "lay", "play", "discard", "capture", "remove", "return", "transfer"), _MOVE),
    **dict.fromkeys(("reveal", "flip", "turn", "hide"), _TURN),
    **dict.fromkeys(("look", "peek"), "Say 'show … to you'."),
    **dict.fromkeys(("change", "mark", "assign", "make"), _SET),
    **dict.fromkeys(("exchange", "trade"), "Say 'swap … with …'."),
    **dict.fromkeys(("call", "perform", "run", "execute"), _DO),
    **dict.fromkeys(("ask", "select", "pick"), "Say 'choose 1 from … as …', or 'may', with 'ask' below."),
    **dict.fromkeys(("stop", "break", "end", "exit", "skip", "pass", "continue"), _END),
    **dict.fromkeys(("win", "wins"), _WON),
    **dict.fromkeys(("else", "otherwise", "when", "elif"), _IF),
    "while": "Say 'repeat while …'.",
    "until": "Say 'repeat while not …'.",
}
"""First words of sentences in other languages, each with its hint."""


def phrasing_hint(text: str, offset: int) -> str:
    """Return the hint for a foreign phrasing around an offset in a text, or ''."""
    for pattern, hint in _PHRASINGS:
        for match in re.finditer(rf"(?<!\w){pattern}", text):
            if match.start() <= offset <= match.end() + 1:
                return hint.format(match[0].strip(), **match.groupdict(""))
    return ""


def beginning_hint(text: str) -> str:
    """Return the hint for a sentence with a foreign first word, or ''."""
    word = text.strip().partition(" ")[0]
    if word in _BEGINNINGS:
        return _BEGINNINGS[word]
    if match := re.match(r"(?P<what>[\w' ]+?) (?:is|=|\+=|-=|\+|-|becomes) (?P<much>.+)", text.strip()):
        return (
            f"To change what is counted, say 'set {match['what']} to …', 'add … to {match['what']}'; to ask, 'if …:'."
        )
    return ""
