"""Chapter 11, fine-tuning."""
