"""Chapter 02, input embeddings."""
