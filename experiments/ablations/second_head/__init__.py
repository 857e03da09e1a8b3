"""The second head of a variant: its inputs, and how well it and probes tell false pairs from true ones."""
