"""Tables: seats, answers and chat, changed one after the other, each change stored first.

They do not know how people are connected.
"""
