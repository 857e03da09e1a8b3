"""Chapter 12, a real BERT."""
