"""Find the names of axes, and say in one sentence why a pass failed."""
