"""Write what VS Code colours in sentences: `python tools/highlighting.py` makes it from the grammar.

A test compares it, so that no word of the language is left grey.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rulewright.syntax import sentence_grammar, sentences

FILE = Path(__file__).parent / "vscode" / "syntaxes" / "sentences.json"


def grammar() -> dict[str, Any]:
    """A TextMate grammar that is laid over YAML's."""
    begin = _any_of(_openings())
    words = _any_of(sentence_grammar.reserved())
    inside = [
        {"name": "keyword.other.rulewright", "match": f"\\b(?:{words})\\b"},
        {"name": "constant.numeric.rulewright", "match": "\\b[0-9]+\\b"},
    ]
    return {
        "scopeName": "rulewright.sentences",
        "injectionSelector": "L:source.yaml -comment",
        "patterns": [
            {
                "name": "meta.sentence.rulewright",
                "begin": f"(?:(?<=- )|(?<=: )|^\\s+)(?:{begin})(?=\\s|:|$)",
                "beginCaptures": {"0": {"name": "keyword.control.rulewright"}},
                "end": "(?=:\\s|:$|$|\\s#|[\\]}\\n])",
                "patterns": inside,
            },
            {
                "name": "variable.parameter.slot.rulewright",
                "begin": "(?<=[\\w\\s\"'(])\\{(?=[^:{}]+\\})",
                "end": "\\}",
                "patterns": inside,
            },
        ],
    }


def _openings() -> set[str]:
    """The words that sentences, and the keys of hooks, begin with."""
    following = sentences.continuations("", "statement")
    hook = sentences.continuations("", "hook")
    assert following is not None and hook is not None
    return {*following.words, *hook.words, "otherwise"}


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern for phrases, the longest first, for one may begin with another."""
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in ordered)


def grammar_text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(grammar_text(), encoding="utf-8")
