"""Chapter 15, Chinese."""
