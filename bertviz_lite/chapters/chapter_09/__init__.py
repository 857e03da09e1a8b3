"""Chapter 09, NSP head."""
