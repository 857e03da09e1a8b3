"""What the cells of a notebook say: its code, and the exercises in it. Nothing here runs a cell."""
