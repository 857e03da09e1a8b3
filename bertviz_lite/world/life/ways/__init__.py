"""In how many ways a cause and its effect, a contrast, a report or an answer can be told."""
