"""Record one forward pass: every module and operation, with or without arithmetic."""
