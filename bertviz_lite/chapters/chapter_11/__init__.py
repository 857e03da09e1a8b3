"""Chapter 11, the whole BERT."""
