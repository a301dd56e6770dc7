"""Write what VS Code colours in sentences, from the grammar: `python3 tools/highlighting.py`.

`npm run build` in `tools/vscode` calls it, so that no word of the language is left grey.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable
from typing import Any

from start import ROOT, command, hand_over, prepare

if importlib.util.find_spec("rulewright"):
    from rulewright.syntax import sentence_grammar, sentences

FILE = ROOT / "tools" / "vscode" / "syntaxes" / "sentences.json"


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


def main() -> int:
    """Write the file, in the environment of the checkout, which is set up if need be."""
    if importlib.util.find_spec("rulewright") is None:
        prepare(ROOT)
        return hand_over(command(ROOT, "python"), [__file__])
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(grammar(), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
