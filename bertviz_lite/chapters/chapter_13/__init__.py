"""Chapter 13, a real BERT."""
