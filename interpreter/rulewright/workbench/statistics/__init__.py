"""Statistics of many games, updated while the rules are edited, and effects of other numbers.

It knows no single game.
"""
