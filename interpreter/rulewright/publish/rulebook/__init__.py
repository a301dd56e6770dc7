"""Rulebooks: an edition, as it is played, told from beginning to end. `contents` says what, the others how it looks."""
