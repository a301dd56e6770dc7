"""Program form in which rules run: instructions, and the passes that optimize them.

It knows neither editions nor who runs a program.
"""
