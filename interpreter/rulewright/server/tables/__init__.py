"""Tables: who sits there, what they answer, one change after the other, each first in the log.

It does not know how people are connected.
"""
