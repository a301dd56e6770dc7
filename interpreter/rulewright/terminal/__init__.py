"""Terminal: menus, the table, maps, and what people type.

It shows what `publish` words, and plays by `players`.
"""
