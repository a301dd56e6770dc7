"""What readers are shown of a game: a document, of which only changes are sent.

It knows neither tables nor connections.
"""
