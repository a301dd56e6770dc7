"""Hints for phrasings of other languages and games: how this language says it."""

from __future__ import annotations

import re
from functools import cache as cached

from rulewright.base.diagnostics import SAY
from rulewright.base.wording import Wording
from rulewright.syntax import messages, sentence_grammar

_PHRASINGS: tuple[tuple[str, Wording], ...] = (
    (r"no (?:more|greater|higher|larger) than", SAY(words="is at most")),
    (r"no (?:less|fewer|lower|smaller) than", SAY(words="is at least")),
    (r"(?:more|greater) than or equal to", SAY(words="is at least")),
    (r"(?:less|fewer) than or equal to", SAY(words="is at most")),
    (r"(?:greater|higher|larger) than", SAY(words="is more than")),
    (r"(?:fewer|lower|smaller) than", SAY(words="is less than")),
    (r"choose (?:up to )?\S+ (?:\w+ )+(?=from\b)", messages.SAY_ONLY_HOW_MANY(words="choose 1 from …")),
    (r"choose (?:up to )?\w+ (?:of|in)\b", SAY(words="choose 1 from …")),
    (r"choose from\b", messages.SAY_HOW_MANY(words="choose 1 from …")),
    (r"choose number between\b.*", SAY(words="choose number from 1 to 5 as …")),
    (r"(?:move|put|take|draw|deal|discard|give|swap) (?:[\w']+ )*?(?<!at )(?<!by )random\b", messages.SAY_AT_RANDOM()),
    (r"(?:move|put) (?P<what>[^()]+?) into\b", SAY(words="move {what} to …")),
    (
        r"move (?:[\w']+ )*?(?P<what>\w+) from (?P<where>[\w']+)",
        messages.SAY_OR(words="move {what} in {where} to …", others="move first 1 of {where} to …"),
    ),
    (r"move .+ to (?=\(|first\b|last\b|\w+ of\b)[^:]*", messages.GOES_TO_ZONE()),
    (r"roll \d\w*", messages.SAY_WHICH_PIECES(words="roll dice in row")),
    (r"(?:else|default)$", SAY(words="otherwise")),
    (r"repeat until\b", SAY(words="repeat while not …")),
    (r"repeat (?P<many>\w+)$", SAY(words="repeat {many} times")),
    (r"(?:seats?|players?) (?:except|but|other than)\b|other (?:seats?|players?)", SAY(words="opponents")),
    (
        r"(?:for |go through )?(?:each|every|all) (?:of the )?(?P<what>seat|player|card|piece)s?\b",
        SAY(words="each {what}: …"),
    ),
    (r"(?<!by )(?<!, )clockwise from", SAY(words="by clockwise from …")),
    (r"divided by\b", messages.DIVIDE()),
    (r"mod(?:ulo)? \w+", SAY(words="remainder of … / …")),
    (
        r"by (?:the )?(?:most |least )?(?!highest\b|lowest\b)(?P<what>[a-z][\w']*)$",
        messages.SAY_EITHER(words="highest {what}", others="lowest {what}"),
    ),
    (r"by .*(?:\bthen|\band) (?:highest|lowest|\w+ first)\b", messages.COMMA_BETWEEN_KEYS()),
    (
        r"(?P<what>[\w']+) (?:is|are) (?:not )?(?:in|on|at|inside|within) (?P<where>[\w']+)",
        messages.ANY_IN(what="{what}", where="{where}"),
    ),
    (r"(?P<what>\w+) (?:on|at) (?:the )?(?!end\b|random\b|once\b)(?P<where>[\w']+)", SAY(words="{what} in {where}")),
    (r"(?:is|are) between\b.*", SAY(words="is at least 1 and … is at most 3")),
    (r"equals?\b(?: to\b)?", SAY(words="is")),
    (r"(?:true|false)\b", messages.SAY_EITHER(words="yes", others="no")),
    (r"[\w']+ (?:contains?|includes?)\b", messages.SAY_OR(words="any … in …", others="… is among …")),
    (r"(?:if|and|or|not) all\b.*", SAY(words="every … has …")),
    (r"(?P<how>any|every|no) (?!.*\bhave\b).+ (?:is|are)\b", messages.HAS_CONDITION(how="{how}")),
    (
        r"(?P<which>max|min)(?:imum)? (?:of\b)?.*",
        messages.SAY_EITHER(words="highest of (…, …)", others="lowest of (…, …)"),
    ),
    (r"-\s*[a-z]\w*", SAY(words="0 - …")),
    (r"\d+\.\d+", messages.NUMBERS_ARE_WHOLE()),
    (r"choose (?:number )?at random (?!\d).*|.*(?<!at )random (?:\d|number).*", messages.CHOOSE_AT_RANDOM_OR_ROLL()),
    (r"there (?:is|are)\b", messages.SAY_ANY()),
    (r"where (?:not )?empty\b", messages.SAY_WHAT_IS_EMPTY()),
    (r"set .+ to empty\b", SAY(words="nothing")),
    (r"(?<!is )(?<!are )(?<!not )empty (?P<what>\w+)", messages.WHERE_ZONE_IS_EMPTY(what="{what}")),
    (r"(?P<what>[\w']+) (?:has|have) (?P<how>\w+)$", messages.HAS_FOLLOWS(what="{what}", how="{how}")),
    (r"with (?!highest\b|lowest\b)\w+", messages.WHERE_CONDITION()),
    (r"(?P<who>\w+s)'(?= \w)(?: (?P<what>\w+))?", SAY(words="{what} of {who}")),
    (
        r"add [\w' ]+ (?:to|at) (?:start|front|back|top|bottom|(?:the )\w+|(?<=at )end) of",
        messages.SAY_EITHER(words="to end of …", others="to beginning of …"),
    ),
    (r"(?:set|take \S+ from) (?P<what>\w+) of (?P<who>[\w']+)", SAY(words="{who}'s {what}")),
    (r"do (?P<step>[\w ]+?) (?:with |on |using )?(?=\(|\d)", SAY(words="do {step} for …")),
    (r"(?:be|to|if|and|is) do (?P<step>\w+)", messages.DO_STEP_AS(step="{step}")),
    (
        r"(?P<do>take|add) (?P<many>\d+) (?P<what>\w+) (?P<way>from|to) (?P<where>[\w']+)",
        messages.SAY_OR(words="{do} {many} {way} {where}", others="{do} {many} {way} {where} for {what}"),
    ),
    (r"(?:and|or) (?:is )?(?:less than|more than|at least|at most)\b", messages.SAY_IT_WHOLE()),
    (
        r"(?P<less>(?:[\w']+ )?)(?:is|are) (?P<than>(?:at|more|less) \w+) (?P<many>\d+) (?!and\b|or\b)(?P<what>[a-z]+)",
        SAY(words="{less}for {what} is {than} {many}"),
    ),
    (r"as far as (?:the )?(?:edge|border|end|wall)\b", SAY(words="as far as possible")),
    (r"of (?:[\w']+ )+(?:until|up to)\b", messages.SAY_OR(words="as far as …", others="as long as …")),
    (r"in (?:a |an? \w+ )?(?:line|row)s?(?: of\b| \d+)", SAY(words="A in lines of 3")),
    (
        r"longest line (?:in|through|on)\b",
        messages.SAY_OR(words="longest line of A", others="longest line of A through B"),
    ),
    (r"distance (?:from|of|to)\b.*", SAY(words="distance between A and B")),
    (r"(?:adjacent|next|close) to\b|neighbors?(?: of)?\b", SAY(words="neighbours of …")),
    (r"connected with\b|connected (?!to\b)", SAY(words="connected to")),
    (r"(?:edge|border) of\b", messages.SAY_WHERE_EMPTY()),
    (
        r"\((?P<one>[\w']+) plus (?P<other>[\w']+)\) of (?P<where>[\w']+)",
        SAY(words="{one} of {where} plus {other} of {where}"),
    ),
    (r"(?=as (?:far|long) as)", messages.LINE_IN_PARENTHESES()),
    (r"(?:the|a|an) (?=top|bottom|first|last|highest|lowest|number|total|most)", messages.LEAVE_OUT(words="{0}")),
    (r"(?P<end>top|bottom|first|last) (?:[^\W\d]+ )?of\b", messages.SAY_HOW_MANY(words="{end} 1 of …")),
)
"""Patterns of phrasings, each with its hint; groups of the pattern fill its words, {0} the whole match. The first that
matches counts."""

_FIRST_WORDS: dict[str, Wording] = {
    **dict.fromkeys(("pay", "spend", "lose", "decrease", "reduce", "subtract"), SAY(words="take 3 from gold")),
    **dict.fromkeys(("gain", "get", "earn", "receive", "score", "increase"), SAY(words="add 3 to gold")),
    **dict.fromkeys(("draw", "deal"), SAY(words="move top 3 of deck to hand")),
    **dict.fromkeys(
        ("put", "place", "lay", "play", "discard", "capture", "remove", "return", "transfer"), messages.MOVE_TO_ZONE()
    ),
    **dict.fromkeys(("reveal", "flip", "turn", "hide"), messages.MOVE_OR_SHOW()),
    **dict.fromkeys(("look", "peek"), SAY(words="show … to you")),
    **dict.fromkeys(("change", "mark", "assign", "make"), SAY(words="set … to …")),
    **dict.fromkeys(("exchange", "trade"), SAY(words="swap … with …")),
    **dict.fromkeys(("call", "perform", "run", "execute"), SAY(words="do …")),
    **dict.fromkeys(("ask", "select", "pick"), messages.CHOOSE_OR_MAY()),
    **dict.fromkeys(("stop", "break", "end", "exit", "skip", "pass", "continue"), messages.END_SOMETHING()),
    **dict.fromkeys(("win", "wins"), messages.END_GAME()),
    **dict.fromkeys(("else", "otherwise", "when", "elif"), messages.IF_OTHERWISE()),
    "while": SAY(words="repeat while …"),
    "until": SAY(words="repeat while not …"),
}
"""First words of sentences in other languages, each with its hint. Those that begin sentences of ours, too, are looked
up only where the sentence cannot be read."""

_SHARED = """
    add all and any are as at be between bottom by choose clockwise connected distance do each empty end every far
    first for from give go has highest if in into is last least less line long longest lowest more most move next no
    not number of once or plus random repeat roll set swap take than through to top total until up where with
"""
_SHARED_WORDS = frozenset(_SHARED.split())
"""Words of the language in patterns of phrasings that are foreign all the same."""
_MISPLACED = frozenset(
    ("as far as", "as far as possible", "as long as", "bottom of", "clockwise from", "in lines of", "top of")
)
"""Phrases of the language that have hints for where they stand in a wrong place."""


def phrasing_hint(text: str, offset: int) -> Wording | None:
    """Return the hint for a foreign phrasing around an offset in a text, or up to a character before it; None without
    one. What lies inside a phrase of the language is not foreign."""
    own = [match.span() for match in _own_phrases().finditer(text) if match[0] not in _MISPLACED]
    for pattern, hint in _foreign_phrasings():
        for match in pattern.finditer(text):
            is_own = any(first <= match.start() and match.end() <= end for first, end in own)
            if match.start() <= offset <= match.end() + 1 and not is_own:
                groups = match.groupdict("")
                return Wording(
                    hint.template,
                    tuple((slot, str(words).format(match[0].strip(), **groups)) for slot, words in hint.arguments),
                )
    return None


def beginning_hint(text: str) -> Wording | None:
    """Return the hint for a sentence with a foreign first word, or that only names a counter, as in 'pot is 3' or 'pot
    += 3'; None without one."""
    word = text.strip().partition(" ")[0]
    if word in _FIRST_WORDS:
        return _FIRST_WORDS[word]
    if match := re.match(r"(?P<what>[\w' ]+?) (?:is|=|\+=|-=|\+|-|becomes) (?P<much>.+)", text.strip()):
        return messages.CHANGE_COUNTER(name=match["what"])
    return None


@cached
def _foreign_phrasings() -> tuple[tuple[re.Pattern[str], Wording], ...]:
    """Return the phrasings without those that a new word of the language makes its own."""
    own = sentence_grammar.words() - _SHARED_WORDS
    return tuple((re.compile(rf"(?<!\w){pattern}"), hint) for pattern, hint in _PHRASINGS if not own & _words(pattern))


@cached
def _own_phrases() -> re.Pattern[str]:
    """Return the pattern of the language's phrases of several words."""
    phrases = [phrase for phrase in sentence_grammar.grammar().phrases if " " in phrase]
    return re.compile(r"\b(?:" + "|".join(sorted(phrases, key=len, reverse=True)) + r")\b")


def _words(pattern: str) -> set[str]:
    """Return the words that stand in a pattern."""
    return set(re.findall("[a-z]+", re.sub(r"\(\?P<\w+>|\\[a-zA-Z]|\[[^\]]*\]", " ", pattern)))
