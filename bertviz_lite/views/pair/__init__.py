"""The pair view."""
