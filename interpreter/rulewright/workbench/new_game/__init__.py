"""New games: from nothing, from a shipped one, or from a file."""
