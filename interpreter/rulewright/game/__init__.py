"""One game, seat by seat: loading rules, set-up, decisions, answers, undo, messages.

It does not know who answers, or where a game is shown.
"""
