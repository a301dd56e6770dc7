"""How a game begins to be: from nothing, from one that is there, or from a file.

It does not change a game that is there.
"""
