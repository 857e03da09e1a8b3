"""Chapter 05, depth."""
