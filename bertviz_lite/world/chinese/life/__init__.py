"""How a story comes about: from one that was written by hand, or from events that lead to each other."""
