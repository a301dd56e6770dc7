"""The faces of a game: each shows views and decisions to people, and knows no game."""
