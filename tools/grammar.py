"""Makes the parser's tables of the grammar: `python tools/grammar.py` after every change of `spec/sentences.lark`.

They go to `spec/sentences.json`, which the interpreter reads; what stands there is told in `syntax/parser.py`. With
--check nothing is written, and the exit status tells whether the tables are those of the grammar.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark

SPEC = Path(__file__).resolve().parents[1] / "spec"
GRAMMAR, TABLES = SPEC / "sentences.lark", SPEC / "sentences.json"
STARTS = ("statement", "value", "keys", "hook", "span")

_MARKS = {"LPAR": "'('", "RPAR": "')'", "COMMA": "','", "PLUS": "'+'", "MINUS": "'-'", "STAR": "'*'", "SLASH": "'/'"}
_PRIORITIES = {"NAME": "", "AMONG": ".3", "EMPTY": ".3"}
_QUOTED = re.compile(r""""([^"]*)"|'([^'"|]*)'""")
"""A keyword of the grammar: in double quotes a reserved one, in single quotes one that names may hold."""


class Words(NamedTuple):
    """reserved: what no name may contain; phrases: of each terminal of words; shown: what people are told of a
    terminal; source: the grammar with its terminals, as lark reads it."""

    reserved: list[str]
    phrases: dict[str, list[str]]
    shown: dict[str, str]
    source: str


def read(grammar: str) -> Words:
    """The words of the grammar, made into terminals."""
    rules, _, tokens = _without_comments(grammar).partition("\nMAY:")
    tokens = "MAY:" + tokens
    reserved = {found[1] for found in _QUOTED.finditer(rules + tokens) if found[1] and _is_phrase(found[1])}
    # What goes on after another phrase could be taken for a name there, as 'at least' after 'is'.
    told = set(_phrases(tokens))
    reserved |= {phrase.removeprefix(f"{head} ") for phrase in told for head in told if phrase.startswith(f"{head} ")}
    shown: dict[str, str] = {"NAME": "a name", "INT": "a whole number", "$END": "the end", **_MARKS}
    terminals: dict[str, str] = {}
    phrases: dict[str, list[str]] = {}

    def keyword(match: re.Match[str]) -> str:
        phrase = match[1] or match[2] or ""
        if not _is_phrase(phrase):
            return match[0]
        name = "_" + phrase.replace(" ", "_").upper()
        phrases[name] = [phrase]
        terminals[name] = f"/{_whole_words(phrase)}/"
        shown[name] = f"'{phrase}'"
        return name

    rules = _QUOTED.sub(keyword, rules)
    for line in re.split(r"\n(?=[A-Z]+:)", tokens.strip()):
        name, body = line.split(":", 1)
        if found := list(_phrases(body)):
            phrases[name] = sorted(found, key=len, reverse=True)
            terminals[name] = f"/({'|'.join(map(_whole_words, phrases[name]))})/"
            shown[name] = " or ".join(f"'{phrase}'" for phrase in found[:3])
        else:
            terminals[name] = body.strip()
    excluded = "|".join(sorted(reserved)).replace(" ", r"\s+")
    word = rf"(?!(?:{excluded})\b)[^\W\d_]\w*"
    terminals["NAME"] = rf"/{word}(?:\s+{word})*/"
    lines = [f"{name}{_PRIORITIES.get(name, '.2')}: {body}" for name, body in terminals.items()]
    return Words(sorted(reserved), phrases, shown, "\n".join([rules, *lines, "%ignore /\\s+/", ""]))


def tables(grammar: str) -> dict[str, Any]:
    """All that the interpreter knows of the grammar."""
    text = _without_comments(grammar)
    words, parser = read(grammar), parser_of(grammar)
    order = [terminal.name for terminal in parser.parser.lexer.root_lexer.terminals]
    return {
        "reserved": words.reserved,
        "phrases": sorted(set(filter(_is_phrase, _phrases(text)))),
        "beginnings": _beginnings(text),
        "shown": words.shown,
        "signs": {"'s": "POSSESSIVE", **{mark.strip("'"): name for name, mark in _MARKS.items()}},
        "keywords": [[name, words.phrases[name]] for name in order if name in words.phrases and name != "POSSESSIVE"],
        **_rules_and_states(parser),
    }


def parser_of(grammar: str) -> Any:
    """The parser of the grammar as lark makes it."""
    source = read(grammar).source
    return Lark(source, parser="lalr", start=list(STARTS), maybe_placeholders=True, propagate_positions=True)


def _without_comments(grammar: str) -> str:
    return re.sub(r"(?m)^//.*$", "", grammar)


def _rules_and_states(parser: Any) -> dict[str, Any]:
    numbers: dict[Any, int] = {}
    rules: list[list[Any]] = []
    for rule in parser.rules:
        numbers[rule] = len(numbers)
        missing, parts, spliced = list(rule.options.empty_indices), list[int](), list[int]()
        symbols = iter([*enumerate(rule.expansion), (-1, None)])
        number, symbol = next(symbols)
        for absent in missing or [False] * len(rule.expansion):
            if absent:
                parts.append(-1)
                continue
            if not (symbol.is_term and symbol.filter_out):
                parts.append(number)
                spliced += [number] if not symbol.is_term and symbol.name.startswith("_") else []
            number, symbol = next(symbols)
        origin = str(rule.origin.name)
        lone = bool(rule.options.expand1 and not rule.alias)
        rules.append([origin, str(rule.alias or origin), len(rule.expansion), parts, spliced, lone])
    table = parser.parser.parser._parse_table
    order = {table.start_states[start]: number for number, start in enumerate(STARTS)}
    rows: list[dict[str, int]] = []
    while len(rows) < len(order):  # numbered as they are come to, from the starts on
        state, row = list(order)[len(rows)], dict[str, int]()
        for name, (action, what) in sorted(table.states[state].items()):
            row[name] = order.setdefault(what, len(order)) if action.name == "Shift" else -1 - numbers[what]
        rows.append(row)
    return {
        "starts": {start: order[table.start_states[start]] for start in STARTS},
        "ends": {start: order[table.end_states[start]] for start in STARTS},
        "rules": rules,
        "states": rows,
    }


def _beginnings(text: str) -> list[str]:
    """The words that sentences begin with."""
    rules = text.partition("statement:")[2].partition("\n\n")[0]
    found = dict.fromkeys(re.findall(r"""[:|] ["']([a-z ]+)["']""", f":{rules}"))
    return [*(one for one in found if not any(one.startswith(f"{other} ") for other in found)), "log"]


def _whole_words(phrase: str) -> str:
    return phrase.replace(" ", r"\s+") + r"\b"


def _phrases(grammar: str) -> Iterator[str]:
    return (found[1] or found[2] or "" for found in _QUOTED.finditer(grammar))


def _is_phrase(quoted: str) -> bool:
    return bool(quoted) and all(word.isalpha() for word in quoted.split())


def written(found: dict[str, Any]) -> str:
    """As a file: one line for each rule, state and the like."""
    parts = []
    for name, value in found.items():
        lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value) if isinstance(value, list) else ""
        parts.append(f"{json.dumps(name)}: " + (f"[\n{lines}\n]" if lines else json.dumps(value, ensure_ascii=False)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    text = written(tables(GRAMMAR.read_text("utf-8")))
    if arguments.parse_args().check:
        return int(text != TABLES.read_text("utf-8"))
    TABLES.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
