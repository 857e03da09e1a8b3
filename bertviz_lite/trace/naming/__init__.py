"""Names of axes: found by a second pass with other sizes, not guessed."""
