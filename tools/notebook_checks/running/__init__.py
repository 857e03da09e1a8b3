"""Run notebooks in kernels that are the same on every machine."""
