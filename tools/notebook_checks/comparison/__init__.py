"""Compare committed outputs with those of a fresh run: texts, pictures, what figures say."""
