"""What is behind :func:`bertviz_lite.trace`."""
