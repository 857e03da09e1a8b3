"""The embedding view."""
