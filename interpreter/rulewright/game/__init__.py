"""One game, seat by seat: rules that are loaded, who sits where, decisions, answers, messages.

It does not know who answers, and where a game is shown.
"""
