"""Base of all panes: the folder, shared texts and their versions, windows, and request handling.

It knows no pane.
"""
