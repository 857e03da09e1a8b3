"""Chapter 09, pre-training."""
