"""The label of a position that losses leave out."""

IGNORED = -100
"""What ``torch.nn.CrossEntropyLoss`` and the models of ``transformers`` leave out: ``ignore_index``."""
