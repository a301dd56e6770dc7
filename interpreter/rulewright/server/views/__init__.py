"""Views of a game for readers: a document, of which only changes are sent.

They know neither tables nor connections.
"""
