"""How a view reaches a model: one small interface in plain arrays, and what stands behind it in Python."""
