"""Chapter 10, pre-training."""
