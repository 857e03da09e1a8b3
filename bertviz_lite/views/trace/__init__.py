"""The trace view."""
