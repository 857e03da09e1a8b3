"""Chapter 12, the whole BERT."""
