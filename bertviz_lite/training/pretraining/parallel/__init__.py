"""Several processes that train one model: how they start and end, and how they share gradients."""
