"""Chapter 03, attention."""
