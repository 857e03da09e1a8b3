"""A trace as a table, a tree, a figure, a path, a difference."""
