"""Kinds of an edition's items in the Language Server Protocol."""

from __future__ import annotations

from lsprotocol import types

from rulewright.editing.semantic_tokens import LOCAL_NAME, NUMBER, WORD, ColouredWord

SYMBOLS = {
    "": types.SymbolKind.Namespace, "word list": types.SymbolKind.Enum, "word": types.SymbolKind.EnumMember,
    "board": types.SymbolKind.Array, "space": types.SymbolKind.EnumMember, "kind of piece": types.SymbolKind.Class,
    "attribute": types.SymbolKind.Property, "zone": types.SymbolKind.Struct, "value": types.SymbolKind.Constant,
    "term": types.SymbolKind.Function, "counter": types.SymbolKind.Variable, "step": types.SymbolKind.Method,
    "phase": types.SymbolKind.Module, "power": types.SymbolKind.Event, "role": types.SymbolKind.Interface,
    "option": types.SymbolKind.Boolean,
    "case": types.SymbolKind.Event,
}  # fmt: skip
"""Kinds of symbols by the kind of an item of an outline."""
COMPLETED = {
    "key": types.CompletionItemKind.Property, "word": types.CompletionItemKind.Keyword,
    "zone": types.CompletionItemKind.Struct, "value": types.CompletionItemKind.Constant,
    "counter": types.CompletionItemKind.Variable, "name made here": types.CompletionItemKind.Variable,
    "term": types.CompletionItemKind.Function, "step": types.CompletionItemKind.Method,
    "phase": types.CompletionItemKind.Module, "kind of piece": types.CompletionItemKind.Class,
}  # fmt: skip
"""Kinds of completions by the kind of a proposal; others are values."""


_COLOURED = {
    WORD: "keyword", NUMBER: "number", LOCAL_NAME: "parameter", "word list": "enum", "word": "enumMember",
    "board": "namespace", "space": "enumMember", "kind of piece": "class", "attribute": "property", "zone": "struct",
    "value": "variable", "term": "function", "counter": "variable", "step": "method", "phase": "method",
    "power": "event", "role": "interface", "option": "macro", "choice": "enumMember", "score line": "property",
    "measure": "property",
}  # fmt: skip
"""Token types of the protocol by the kind of a coloured word; others are variables."""
TOKENS = tuple(dict.fromkeys(_COLOURED.values()))
"""Token types of the protocol, in the order of their numbers."""
_DECLARED, _READ_ONLY = 1, 2


def token_of(word: ColouredWord) -> tuple[int, int]:
    """Return the number of a token's type, and its modifiers as bits: declaration, readonly."""
    kind = TOKENS.index(_COLOURED.get(word.kind, "variable"))
    return kind, _DECLARED * word.declared | _READ_ONLY * (word.kind == "value")
