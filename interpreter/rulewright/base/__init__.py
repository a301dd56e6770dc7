"""What everything stands on: errors with their places, files, data folders, what is kept for the next time.

It knows nothing of games.
"""
