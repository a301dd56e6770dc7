"""Whole valid editions, drawn by chance: what the language can say, and what holds of every edition that says it.

luck ──declaring, saying, doing──▶ a tree with symbols ──naming, writing──▶ YAML ──trial──▶ what became of it
"""
