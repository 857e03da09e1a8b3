"""The fill-in view."""
