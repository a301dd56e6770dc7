"""Fair matches: sides that answer, the games that they play, and what comes of them."""
