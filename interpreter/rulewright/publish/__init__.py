"""A game and its rules shown to readers: on screens, on pages, on paper.

It shows what a view or an edition holds, and changes neither.
"""
