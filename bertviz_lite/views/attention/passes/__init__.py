"""Passes of a model as the explorer shows them: their numbers as bytes, and running them again."""
