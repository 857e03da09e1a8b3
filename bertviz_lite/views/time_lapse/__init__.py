"""The time-lapse."""
