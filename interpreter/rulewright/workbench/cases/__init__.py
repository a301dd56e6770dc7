"""Cases: made of lines of play, and run again after every change.

It does not know how a line came about.
"""
