"""Presentation of a game and its rules to readers: on screens, on pages, on paper.

It shows what a view or an edition holds, and changes neither.
"""
