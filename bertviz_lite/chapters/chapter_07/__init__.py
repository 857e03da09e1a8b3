"""Chapter 07, LM head."""
