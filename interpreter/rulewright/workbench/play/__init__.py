"""Games at the workbench: lines of play as a tree, kept and played again when rules change.

It does not know what else is made of a line.
"""
