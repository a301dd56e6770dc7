"""How somebody gets in: who may connect, for how long, and which process they are brought to.

It does not know what a table is.
"""
