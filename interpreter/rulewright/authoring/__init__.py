"""What a designer asks of an edition: what is probably wrong, what its scenarios say, what differs, what a name is.

It shows nothing by itself.
"""
