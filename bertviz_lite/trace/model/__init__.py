"""The model under trace: its parts listed, its state put back."""
