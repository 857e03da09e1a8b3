"""Chapter 10, fine-tuning."""
