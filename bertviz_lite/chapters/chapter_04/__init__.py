"""Chapter 04, encoder."""
