"""A recorded pass as a table, a tree, a figure, a walk along one path, a comparison."""
