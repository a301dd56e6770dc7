"""Storage of the log of all tables, in one SQLite file or in a PostgreSQL database.

It does not know how a game is played: rows come and go as they are.
"""
