"""Web interface: pages over HTTP, and devices at tables over websockets.

It computes nothing itself: `tables` changes, `views` shows.
"""
