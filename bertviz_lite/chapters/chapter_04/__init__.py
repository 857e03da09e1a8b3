"""Chapter 04, the layer."""
