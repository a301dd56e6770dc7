"""Cases made from lines of play, and run after every change.

It does not know how a line came about.
"""
