"""The machine: a text on its way through the whole BERT."""
