"""Chapter 08, LM head."""
