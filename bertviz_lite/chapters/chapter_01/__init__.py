"""Chapter 01, tokens."""
