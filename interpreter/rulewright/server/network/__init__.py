"""Network: client addresses, connection limits, and routing to the process that serves a table.

It does not know what a table is.
"""
