"""Chapter 05, masking."""
