"""Make models: pre-training, fine-tuning, what a run leaves behind, and the model's card."""
