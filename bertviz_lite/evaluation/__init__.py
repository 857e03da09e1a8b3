"""Measure models: scores against the truth, probes, the lens, costs, intervals."""
