"""Games at the workbench: a tree of lines of play, stored, and replayed when rules change.

It does not know what else is made of a line.
"""
