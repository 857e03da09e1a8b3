"""Chapter 06, pooler."""
