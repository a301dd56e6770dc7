"""What every pane stands on: the folder, its texts and their versions, windows, and how requests are answered.

It knows no pane.
"""
