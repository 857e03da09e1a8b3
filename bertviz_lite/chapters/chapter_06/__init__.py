"""Chapter 06, masking."""
