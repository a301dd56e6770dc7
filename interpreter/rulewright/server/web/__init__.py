"""What browsers ask for and say: pages over HTTP, and devices at tables over websockets.

It works nothing out itself: `tables` changes, `views` shows.
"""
