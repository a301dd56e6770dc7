"""Rulebooks: an edition's rules, told from beginning to end.

`contents` decides what they contain, the other modules how it looks.
"""
