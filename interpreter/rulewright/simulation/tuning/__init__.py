"""Values that bring a game nearer to goals: what is varied, what is wanted, the search, and what came of it.

It knows of editions only where their numbers stand, and of games only what simulations count.
"""
