"""Chapter 07, pooler."""
