"""The form in which a game's rules run, and what makes it simpler.

It knows neither editions nor who runs a program.
"""
