"""What a trace is made of, as plain data: tensors, steps, one recorded forward pass."""
