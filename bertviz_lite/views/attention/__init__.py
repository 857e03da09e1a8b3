"""The attention explorer."""
