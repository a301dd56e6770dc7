"""A game and its rules shown to readers, on whatever medium: in a terminal, on pages, on paper."""
