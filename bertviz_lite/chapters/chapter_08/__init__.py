"""Chapter 08, NSP head."""
