"""A game at a terminal: menus, the table, maps, what people type.

It knows no game: what it shows are views and decisions.
"""
